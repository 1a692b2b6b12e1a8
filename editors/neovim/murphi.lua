-- Murphi models in Neovim 0.7 or newer, by the language server of mcc.

vim.filetype.add({ extension = { m = "murphi", murphi = "murphi" } })
-- Versions before 0.8 look at this only if they are asked to.
vim.g.do_filetype_lua = 1

if vim.fn.has("nvim-0.11") == 1 then
  vim.lsp.config("mcc", {
    cmd = { "mcc", "lsp" },
    filetypes = { "murphi" },
    root_markers = { ".git" },
  })
  vim.lsp.enable("mcc")
end

-- One server for all models, where Neovim does not see to that by itself.
local server
local function attach(buffer)
  if not server or vim.lsp.client_is_stopped(server) then
    server = vim.lsp.start_client({ name = "mcc", cmd = { "mcc", "lsp" }, root_dir = vim.fn.getcwd() })
  end
  if server then
    vim.lsp.buf_attach_client(buffer, server)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = "murphi",
  callback = function(event)
    vim.bo[event.buf].commentstring = "-- %s"
    vim.bo[event.buf].shiftwidth = 2
    vim.bo[event.buf].expandtab = true
    if vim.fn.has("nvim-0.11") == 0 then
      attach(event.buf)
    end
  end,
})

-- `:lua vim.lsp.codelens.refresh()` shows the lenses, `:lua vim.lsp.codelens.run()` checks a model.
