// Starts the language server `mcc lsp` for Murphi models, and shows its reports beside them.

const fs = require("fs");
const path = require("path");
const { Uri, ViewColumn, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// The report of a counterexample is one file without references: it can be shown as it is.
function showReport(file) {
  const title = path.basename(file).replace(/\.\d+\.html$/, "") + ": counterexample";
  const options = { enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true };
  const panel = window.createWebviewPanel("murphi.report", title, ViewColumn.Beside, options);
  panel.webview.html = fs.readFileSync(file, "utf8");
}

// Reports open in a view of the editor; other addresses, such as that of `explore`, in the browser.
function showDocument(params, next) {
  const uri = Uri.parse(params.uri);
  if (uri.scheme !== "file" || !uri.fsPath.endsWith(".html")) {
    return next(params);
  }
  showReport(uri.fsPath);
  return { success: true };
}

function activate(context) {
  const command = workspace.getConfiguration("murphi").get("mcc.path", "mcc");
  const server = { command, args: ["lsp"] };
  const middleware = { window: { showDocument } };
  const options = { documentSelector: [{ language: "murphi" }], middleware };
  client = new LanguageClient("murphi", "Murphi", server, options);
  context.subscriptions.push({ dispose: () => client.stop() });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
