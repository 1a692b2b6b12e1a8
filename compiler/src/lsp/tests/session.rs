//! A user opens a model, looks around, breaks it, repairs it and checks it.

use serde_json::{Value, json};

use super::client::{Client, URI};

const MODEL: &str = "\
const N: 2 + 1; -- ≤ 𝕏
type
  slot: 0..N;
  node: record value: slot; next: slot; end;
var
  nodes: array [slot] of node;
  turn: boolean;

procedure put_in(var n: node; v: slot);
begin
  n.value := v;
end;

startstate
  for i: slot do
    nodes[i].value := 0;
    nodes[i].next := i;
  end;
  turn := false;
end;

ruleset i: slot do
  rule \"step\"
    nodes[i].value < N
  ==>
    put_in(nodes[i], nodes[i].value + 1);
    turn := !turn;
  end;
  rule \"back\" nodes[i].value = N ==> nodes[i].value := 0; end;
end;

invariant \"small\" nodes[0].value <= N;
invariant \"never full\" nodes[0].value < N;
";

fn place(text: &str) -> (u32, u32) {
    let at = MODEL.find(text).unwrap();
    let line = MODEL[..at].matches('\n').count() as u32;
    let column = MODEL[..at].rsplit('\n').next().unwrap().encode_utf16().count() as u32;
    (line, column)
}

fn ask(client: &mut Client, method: &str, text: &str, plus: u32) -> Value {
    let (line, column) = place(text);
    client.ask(method, line, column + plus).unwrap()
}

#[test]
fn a_user_looks_around() {
    let mut client = Client::start("utf-16");
    client.open(MODEL);
    let found = client.diagnostics();
    assert!(found.as_array().unwrap().iter().all(|one| one["severity"] != 1), "{found}");

    let hover = |client: &mut Client, text: &str, plus| {
        ask(client, "textDocument/hover", text, plus)["contents"]["value"].as_str().unwrap().to_owned()
    };
    assert!(hover(&mut client, "N: 2", 0).contains("the value **3**"));
    let variable = hover(&mut client, "turn: boolean", 1);
    assert!(variable.contains("2 bits packed (1 bytes aligned) of a state's 26 bits"), "{variable}");
    let rule = hover(&mut client, "rule \"step\"", 1);
    assert!(rule.contains("one for each i") && rule.contains("writes `nodes[i].value`, `turn`"), "{rule}");

    let definition = ask(&mut client, "textDocument/definition", "value + 1", 0);
    assert_eq!(definition["range"]["start"], json!({ "line": 3, "character": 15 }));
    let references = ask(&mut client, "textDocument/references", "turn := false", 2);
    assert_eq!(references.as_array().unwrap().len(), 4);

    let (line, character) = place("turn: boolean");
    let rename = |client: &mut Client, new: &str| {
        let params = json!({
            "textDocument": { "uri": URI },
            "position": { "line": line, "character": character },
            "newName": new,
        });
        client.request("textDocument/rename", params)
    };
    assert_eq!(rename(&mut client, "flag").unwrap()["changes"][URI].as_array().unwrap().len(), 4);
    assert!(rename(&mut client, "nodes").unwrap_err().contains("already means"));
    assert!(rename(&mut client, "ruleset").unwrap_err().contains("cannot be a name"));
    assert!(rename(&mut client, "a b").unwrap_err().contains("cannot be a name"));

    let symbols = client.ask("textDocument/documentSymbol", 0, 0).unwrap();
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    let expected = ["N", "slot", "node", "nodes", "turn", "put_in", "startstate", "ruleset i: slot do"];
    assert_eq!(&names[..8], &expected);
    let folds = client.ask("textDocument/foldingRange", 0, 0).unwrap();
    assert!(folds.as_array().unwrap().len() >= 4, "{folds}");
    let tokens = client.ask("textDocument/semanticTokens/full", 0, 0).unwrap();
    assert!(tokens["data"].as_array().unwrap().len() > 300);

    let help = ask(&mut client, "textDocument/signatureHelp", ", nodes[i].value + 1)", 2);
    assert_eq!(help["signatures"][0]["label"], "procedure put_in(n: node; v: slot)");
    assert_eq!(help["activeParameter"], 1);
    let edits = client.ask("textDocument/formatting", 0, 0).unwrap();
    assert_eq!(edits.as_array().unwrap().len(), 1, "{edits}");
}

#[test]
fn a_user_breaks_and_repairs_a_model() {
    let mut client = Client::start("utf-16");
    client.open(MODEL);
    client.diagnostics();
    let (line, character) = place("turn := !turn");
    let at = |from: u32, to: u32| json!({ "start": { "line": line, "character": from }, "end": { "line": line, "character": to } });
    client.change(json!([{ "range": at(character, character + 4), "text": "trun" }]));
    let found = client.diagnostics();
    assert_eq!(found[0]["code"], "unknown-name");
    let actions = client.ask("textDocument/codeAction", line, character + 1).unwrap();
    assert_eq!(actions[0]["title"], "Replace `trun` by `turn`");
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!(edit["range"], at(character, character + 4));
    // While a field is typed, the statement cannot be parsed.
    client.change(json!([{ "range": at(character, 99), "text": "nodes[i]." }]));
    assert_eq!(client.diagnostics()[0]["severity"], 1);
    let items = client.ask("textDocument/completion", line, character + 9).unwrap();
    let labels: Vec<&str> =
        items.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["value", "next"]);
    assert!(client.ask("textDocument/prepareRename", line, character).unwrap_err().contains("syntax errors"));
    assert!(client.ask("textDocument/formatting", 0, 0).unwrap_err().contains("left as it is"));
    client.change(json!([{ "range": at(character, 99), "text": "turn := !turn;" }]));
    let found = client.diagnostics();
    assert!(found.as_array().unwrap().iter().all(|one| one["severity"] != 1), "{found}");
    let items = client.ask("textDocument/completion", line, character).unwrap();
    let has = |label: &str| items.as_array().unwrap().iter().any(|one| one["label"] == label);
    assert!(has("i") && has("nodes") && has("put_in") && has("invariant") && !has("v") && !has("value"));
}

#[test]
fn a_user_checks_a_model() {
    let mut client = Client::start("utf-8");
    client.open(MODEL);
    let titles = |client: &mut Client| -> Vec<String> {
        let lenses = client.ask("textDocument/codeLens", 0, 0).unwrap();
        let title = |lens: &Value| lens["command"]["title"].as_str().unwrap().to_owned();
        let all = lenses.as_array().unwrap().iter().map(title);
        all.filter(|title| title != "explore").collect()
    };
    assert_eq!(titles(&mut client), ["check now"; 4]);
    client
        .request("workspace/executeCommand", json!({ "command": "mcc.check", "arguments": [URI] }))
        .unwrap();
    let found = client.diagnostics_with(|one| one["source"] == "mcc check");
    let error = found.as_array().unwrap().iter().find(|one| one["source"] == "mcc check").unwrap();
    assert_eq!(error["range"]["start"]["line"], place("invariant \"never full\"").0);
    assert!(error["message"].as_str().unwrap().contains("never full"), "{error}");
    let shown = titles(&mut client);
    assert!(shown[0].starts_with("fired "), "{shown:?}");
    assert!(shown[3].starts_with("violated"), "{shown:?}");
    assert_eq!(shown[4..], ["show counterexample"]);
    // A result is about the text that was checked.
    let end = json!({ "line": 999, "character": 0 });
    client.change(json!([{ "range": { "start": end, "end": end }, "text": "-- more\n" }]));
    assert_eq!(titles(&mut client), ["check now"; 4]);
    let found = client.diagnostics();
    assert!(found.as_array().unwrap().iter().all(|one| one["source"] == "mcc"), "{found}");
}

/// The page of an address that the server has the editor open.
fn page(client: &mut Client, command: &str) -> String {
    client.request("workspace/executeCommand", json!({ "command": command, "arguments": [URI] })).unwrap();
    let shown = client.shown();
    assert_eq!(shown["external"], true);
    shown["uri"].as_str().unwrap().to_owned()
}

#[test]
fn a_user_opens_pages() {
    let mut client = Client::start("utf-16");
    client.open(MODEL);
    let report = page(&mut client, "mcc.counterexample");
    let path = std::path::PathBuf::from(report.strip_prefix("file://").unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("never full") && text.contains("<html"), "{text}");
    let address = page(&mut client, "mcc.explore");
    let get = |address: &str| {
        use std::io::{Read, Write};
        let (host, path) = address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = std::net::TcpStream::connect(host).ok()?;
        write!(stream, "GET /{path}api/model HTTP/1.1\r\nHost: {host}\r\n\r\n").ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok().filter(|length| *length > 0).map(|_| text)
    };
    assert!(get(&address).unwrap().contains("never full"));
    assert_eq!(page(&mut client, "mcc.explore"), address);
    // Another text has another explorer, and the old one ends.
    let end = json!({ "line": 999, "character": 0 });
    client.change(json!([{ "range": { "start": end, "end": end }, "text": "-- more\n" }]));
    let other = page(&mut client, "mcc.explore");
    assert_ne!(other, address);
    assert!(get(&other).is_some());
    let began = std::time::Instant::now();
    while get(&address).is_some() {
        assert!(began.elapsed().as_secs() < 20, "the explorer of the old text goes on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    client.change(json!([{ "range": { "start": end, "end": end }, "text": "rule" }]));
    let refused = client
        .request("workspace/executeCommand", json!({ "command": "mcc.explore", "arguments": [URI] }))
        .unwrap_err();
    assert!(refused.contains("nothing to explore"), "{refused}");
    drop(client);
    assert!(!path.exists(), "the report outlives the server");
}

#[test]
fn a_check_can_be_stopped() {
    let mut client = Client::start("utf-16");
    let large = "var x: 0..1000000000; startstate x := 0; end; rule x < 1000000000 ==> x := x + 1; end;";
    client.open(large);
    let command = |client: &mut Client, name: &str| {
        client.request("workspace/executeCommand", json!({ "command": name, "arguments": [URI] })).unwrap()
    };
    command(&mut client, "mcc.check");
    let title = |client: &mut Client| {
        let lenses = client.ask("textDocument/codeLens", 0, 0).unwrap();
        lenses[0]["command"]["title"].as_str().unwrap().to_owned()
    };
    assert_eq!(title(&mut client), "checking … (stop)");
    command(&mut client, "mcc.stop");
    let began = std::time::Instant::now();
    while title(&mut client).starts_with("checking") {
        assert!(began.elapsed().as_secs() < 9, "the check was not stopped");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(title(&mut client).contains("not all"));
}

#[test]
fn malformed_questions_are_refused() {
    let mut client = Client::start("utf-16");
    client.open("var x: 0..1;");
    assert!(client.request("textDocument/hover", json!({})).unwrap_err().contains("malformed"));
    assert!(client.request("textDocument/hover", json!(7)).unwrap_err().contains("malformed"));
    assert!(client.request("textDocument/nonsense", json!({})).unwrap_err().contains("does not know"));
    let closed = json!({ "textDocument": { "uri": "file:///other.m" } });
    assert!(client.request("textDocument/foldingRange", closed).unwrap_err().contains("not open"));
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    client.notify("$/setTrace", json!({}));
    assert!(client.ask("textDocument/foldingRange", 0, 0).is_ok());
}
