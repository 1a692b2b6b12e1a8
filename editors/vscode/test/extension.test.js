// The code of the extension against a stand-in for the editor, and the problem matcher against what
// mcc prints. With MCC=FILE also a session with that program, by the client library of the editor.

const assert = require("node:assert");
const { spawn, spawnSync } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");

const mcc = process.env.MCC;
const manifest = require("../package.json");

// What the extension asks of the editor and of the client library.
const panels = [];
const started = [];
const setting = { "mcc.path": undefined };
const editor = {
  Uri: {
    parse(text) {
      const url = new URL(text);
      return { scheme: url.protocol.slice(0, -1), fsPath: decodeURIComponent(url.pathname) };
    },
  },
  ViewColumn: { Beside: -2 },
  window: {
    createWebviewPanel(kind, title, column, options) {
      const panel = { kind, title, column, options, webview: {} };
      panels.push(panel);
      return panel;
    },
  },
  workspace: { getConfiguration: () => ({ get: (name, otherwise) => setting[name] ?? otherwise }) },
};
const library = {
  LanguageClient: class {
    constructor(id, name, server, options) {
      Object.assign(this, { id, name, server, options, stopped: 0 });
      started.push(this);
    }
    async start() {}
    async stop() {
      this.stopped += 1;
    }
  },
};
const load = Module._load;
Module._load = (request, ...rest) =>
  ({ vscode: editor, "vscode-languageclient/node": library })[request] ?? load(request, ...rest);
const extension = require("../extension.js");
Module._load = load;

test("the extension starts the server that the setting names, and stops it", async () => {
  assert.equal(extension.deactivate(), undefined);
  const context = { subscriptions: [] };
  await extension.activate(context);
  assert.deepEqual(started[0].server, { command: "mcc", args: ["lsp"] });
  assert.deepEqual(started[0].options.documentSelector, [{ language: "murphi" }]);
  context.subscriptions.forEach((one) => one.dispose());
  assert.equal(started[0].stopped, 1);
  setting["mcc.path"] = "/opt/mcc";
  await extension.activate({ subscriptions: [] });
  assert.equal(started[1].server.command, "/opt/mcc");
  await extension.deactivate();
  assert.equal(started[1].stopped, 1);
});

test("a report opens beside the model, any other address in the browser", () => {
  const { showDocument } = started[0].options.middleware.window;
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "murphi ")), "lock ≤.7.html");
  fs.writeFileSync(file, "<html>trace</html>");
  const uri = "file://" + file.split("/").map(encodeURIComponent).join("/");
  assert.deepEqual(showDocument({ uri }, () => assert.fail("in the browser")), { success: true });
  assert.equal(panels[0].title, "lock ≤: counterexample");
  assert.equal(panels[0].webview.html, "<html>trace</html>");
  assert.deepEqual(panels[0].options.localResourceRoots, []);
  const other = { uri: "http://127.0.0.1:4000/" };
  assert.equal(showDocument(other, (params) => params), other);
  fs.rmSync(path.dirname(file), { recursive: true });
});

test("files that the manifest names are there", () => {
  const { languages, grammars } = manifest.contributes;
  const named = [manifest.main, ...languages.map((one) => one.configuration), ...grammars.map((one) => one.path)];
  named.forEach((file) => assert.ok(fs.existsSync(path.join(__dirname, "..", file)), file));
  const configuration = JSON.parse(fs.readFileSync(path.join(__dirname, "../language-configuration.json")));
  const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules;
  // As the editor reads them. A pattern that is no regular expression of JavaScript it ignores.
  const pattern = (one) => new RegExp(one.pattern, one.flags);
  for (const line of ["begin", "ruleset i: t do", "  if x then", "var", "type r: record", "  case a:"]) {
    assert.match(line, pattern(increaseIndentPattern));
  }
  assert.doesNotMatch("x := 1;", pattern(increaseIndentPattern));
  for (const line of ["end;", "  else", "EndRule;", "elsif x then"]) {
    assert.match(line, pattern(decreaseIndentPattern));
  }
  assert.doesNotMatch("ending := 1;", pattern(decreaseIndentPattern));
});

// The lines of a diagnostic, with what the matcher finds in them.
function matched(text) {
  const [first, second] = manifest.contributes.problemMatchers[0].pattern.map((one) => new RegExp(one.regexp));
  const lines = text.split("\n");
  const found = [];
  lines.forEach((line, at) => {
    const head = first.exec(line);
    const place = head && second.exec(lines[at + 1] ?? "");
    if (place) {
      found.push([head[1], head[2], place[1], place[2], place[3]]);
    }
  });
  return found;
}

test("the problem matcher finds code and place", () => {
  const text = "error[unknown-name]: `y` is not declared here\n --> models/a b.m:3:21\n  |\n";
  assert.deepEqual(matched(text), [["error", "unknown-name", "models/a b.m", "3", "21"]]);
});

test("a session with mcc by the client library of the editor", { skip: !mcc }, async () => {
  const rpc = require("vscode-jsonrpc/node");
  const protocol = require("vscode-languageserver-protocol");
  const wrong = "var x: 0..3; -- ≤ 𝕏\nstartstate x := 0; end;\nrule x < 3 ==> y := x + 1; end;\n";

  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "murphi")), "wrong.m");
  fs.writeFileSync(file, wrong);
  const printed = spawnSync(mcc, ["check", file], { encoding: "utf8" });
  assert.deepEqual(matched(printed.stdout + printed.stderr)[0], ["error", "unknown-name", file, "3", "16"]);
  fs.rmSync(path.dirname(file), { recursive: true });

  const server = spawn(mcc, ["lsp"]);
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = protocol.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const waiting = [];
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
    waiting.filter((one) => one.version === params.version).forEach((one) => one.resolve(params.diagnostics));
  });
  const diagnostics = (version) => new Promise((resolve) => waiting.push({ version, resolve }));
  connection.listen();
  const answer = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
  });
  assert.equal(answer.serverInfo.name, "mcc");
  await connection.sendNotification(protocol.InitializedNotification.type, {});

  const uri = "file:///models/wrong.m";
  const about = { textDocument: { uri } };
  let found = diagnostics(1);
  const textDocument = { uri, languageId: "murphi", version: 1, text: wrong };
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument });
  assert.equal((await found)[0].code, "unknown-name");

  found = diagnostics(2);
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: { line: 2, character: 15 }, end: { line: 2, character: 16 } }, text: "x" },
    ],
  });
  assert.deepEqual((await found).filter((one) => one.severity === 1), []);

  const place = { line: 1, character: 11 };
  const hover = await connection.sendRequest(protocol.HoverRequest.type, { ...about, position: place });
  assert.match(hover.contents.value, /bits/);
  const definition = await connection.sendRequest(protocol.DefinitionRequest.type, { ...about, position: place });
  assert.deepEqual(definition.range.start, { line: 0, character: 4 });
  const rename = { ...about, position: place, newName: "level" };
  const edit = await connection.sendRequest(protocol.RenameRequest.type, rename);
  assert.equal(edit.changes[uri].length, 5);
  const symbols = await connection.sendRequest(protocol.DocumentSymbolRequest.type, about);
  assert.equal(symbols[0].name, "x");
  const lenses = await connection.sendRequest(protocol.CodeLensRequest.type, about);
  assert.equal(lenses[0].command.title, "check now");

  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await ended, 0);
  connection.dispose();
});
