//! What no model looks like, and what no editor should do: the server answers all the same.

use mcc_runtime::host::random::Random;
use serde_json::{Value, json};

use super::client::{Client, QUESTIONS, URI};

fn question(client: &mut Client) {
    for method in QUESTIONS {
        for (line, character) in [(0, 0), (0, 7), (3, 2), (u32::MAX, u32::MAX)] {
            // A refusal is an answer, too.
            let _ = client.ask(method, line, character);
        }
    }
}

#[test]
fn texts_that_are_no_models() {
    let mut random = Random(3);
    let garbage: String =
        (0..20_000).map(|_| char::from_u32(random.below(0x11_0000) as u32).unwrap_or('\u{fffd}')).collect();
    let bytes: Vec<u8> = (0..20_000).map(|_| random.below(256) as u8).collect();
    let texts = [
        String::new(),
        "\u{feff}".to_owned(),
        "\0".repeat(1_000),
        "\r".repeat(1_000),
        garbage,
        String::from_utf8_lossy(&bytes).into_owned(),
        "(".repeat(50_000),
        format!("var x: 0..1; invariant {}x = 0;", "!".repeat(20_000)),
        format!("type t: {} boolean;", "record a: ".repeat(5_000)),
        "\"".to_owned(),
        "/*".repeat(5_000),
        format!("var {}: 0..1; startstate end;", "x".repeat(100_000)),
        format!("var x: 0..1; startstate x := {}0; end;", "1 + ".repeat(5_000)),
        "rule ".repeat(5_000),
        "ruleset i: 0..1 do ".repeat(2_000),
    ];
    let mut client = Client::start("utf-16");
    for text in texts {
        client.open(&text);
        client.diagnostics();
        question(&mut client);
        client.close();
    }
}

/// An editor may open what is not there on the disk, and close it twice.
#[test]
fn documents_without_files() {
    let mut client = Client::start("utf-16");
    client.close();
    client.open("var x: 0..1; startstate x := 0; end; rule x < 1 ==> x := x + 1; end;");
    client.diagnostics();
    question(&mut client);
    // `test.m` in a folder that does not exist: a check is of the text, not of a file.
    client
        .request("workspace/executeCommand", json!({ "command": "mcc.check", "arguments": [URI] }))
        .unwrap();
    client.diagnostics_with(|one| one["source"] == "mcc check");
    client.close();
    client.close();
    client.change(json!([{ "text": "var y: 0..1;" }]));
    assert!(client.ask("textDocument/foldingRange", 0, 0).unwrap_err().contains("not open"));
    for uri in ["", "untitled:Untitled-1", "git:/models/test.m?ref=HEAD", "file:///a%20b/%F0%9D%95%8F.m"] {
        let document = json!({ "uri": uri, "languageId": "murphi", "version": 1, "text": "var x: 0..1;" });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let about = json!({ "textDocument": { "uri": uri } });
        let answer = client.request("textDocument/documentSymbol", about);
        assert!(uri.is_empty() || answer.is_ok(), "{uri}: {answer:?}");
    }
}

/// Ranges that are the wrong way round, beyond the text, or inside of a character.
#[test]
fn changes_at_impossible_places() {
    let mut client = Client::start("utf-16");
    client.open("var x: 0..1; -- 𝕏\n");
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let change =
        |from: Value, to: Value, text: &str| json!([{ "range": { "start": from, "end": to }, "text": text }]);
    client.change(change(at(0, 9), at(0, 4), "y: 0"));
    client.change(change(at(9, 9), at(u32::MAX, u32::MAX), "-- end"));
    client.change(change(at(0, 17), at(0, 17), "!"));
    client.change(json!([]));
    client.change(json!([{ "range": null, "text": "var z: 0..2;" }]));
    client.diagnostics();
    let symbols = client.ask("textDocument/documentSymbol", 0, 0).unwrap();
    assert_eq!(symbols[0]["name"], "z");
    question(&mut client);
}

#[test]
fn a_cancelled_request_is_refused_and_the_next_is_answered() {
    let mut client = Client::start("utf-16");
    client.open("var x: 0..1; startstate x := 0; end;");
    client.diagnostics();
    // While the first is answered, the others wait, and one of them is cancelled.
    let refused = client.request_and_cancel("textDocument/semanticTokens/full", 50);
    assert!(refused > 0, "no request was cancelled in time");
    assert!(client.ask("textDocument/documentSymbol", 0, 0).is_ok());
}
