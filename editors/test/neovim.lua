-- A user of Neovim, without a screen: opens a model, sees a diagnostic, repairs it, formats the
-- model, goes to a definition, renames and checks. `.ci/editors` runs it.

local function wait_for(what, condition)
  if not vim.wait(60000, condition, 50) then
    error("not within a minute: " .. what)
  end
end

local function errors()
  return #vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

local function line(number)
  return vim.api.nvim_buf_get_lines(0, number - 1, number, true)[1]
end

-- The answer of the server to a question about the place of the cursor.
local function ask(method, more)
  local parameters = vim.tbl_extend("force", {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = vim.api.nvim_win_get_cursor(0)[1] - 1, character = vim.api.nvim_win_get_cursor(0)[2] },
  }, more or {})
  for _, answer in pairs(assert(vim.lsp.buf_request_sync(0, method, parameters, 60000), method)) do
    assert(not answer.error, method .. ": " .. vim.inspect(answer))
    return answer.result
  end
  error(method .. ": no answer")
end

local function session()
  local file = vim.fn.tempname() .. ".m"
  vim.fn.writefile({
    "var   x: 0..3; -- ≤ 𝕏",
    "startstate x := 0; end;",
    'rule "up" x < 3 ==> y := x + 1; end;',
    'rule "down" x = 3 ==> x := 0; end;',
    'invariant "small" x < 3;',
  }, file)
  vim.cmd("edit " .. file)
  assert(vim.bo.filetype == "murphi", "the type of the file is " .. vim.bo.filetype)
  wait_for("the error about y", function() return errors() > 0 end)
  local found = vim.diagnostic.get(0)[1]
  assert(found.lnum == 2 and found.code == "unknown-name", vim.inspect(found))

  vim.api.nvim_buf_set_lines(0, 2, 3, true, { 'rule "up" x < 3 ==> x := x + 1; end;' })
  wait_for("no error after the repair", function() return errors() == 0 end)

  if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 60000 }) else vim.lsp.buf.formatting_sync(nil, 60000) end
  assert(line(1) == "var x: 0..3;  -- ≤ 𝕏", line(1))

  vim.api.nvim_win_set_cursor(0, { 2, 11 })
  local hover = ask("textDocument/hover")
  assert(hover.contents.value:find("bits", 1, true), vim.inspect(hover))
  local place = ask("textDocument/definition")
  assert(place.range.start.line == 0 and place.range.start.character == 4, vim.inspect(place))

  local edit = ask("textDocument/rename", { newName = "level" })
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  assert(line(5) == 'invariant "small" level < 3;', line(5))

  local lenses = ask("textDocument/codeLens")
  assert(lenses[1].command.title == "check now", vim.inspect(lenses))
  ask("workspace/executeCommand", lenses[1].command)
  wait_for("the violated invariant", function() return errors() > 0 end)
  local violated = vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })[1]
  assert(violated.lnum == 4 and violated.message:find("small", 1, true), vim.inspect(violated))
end

local passed, message = pcall(session)
local version = vim.version()
local name = ("Neovim %d.%d.%d"):format(version.major, version.minor, version.patch)
if passed then
  io.stdout:write(name .. ": passed\n")
  vim.cmd("qall!")
else
  io.stdout:write(name .. ": " .. tostring(message) .. "\n")
  vim.cmd("cquit 1")
end
