//! `mcc lsp` as an editor starts it: a process, messages over its standard streams, a model of
//! 2,000 lines, and a session of edits, recorded ones and random ones.

use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, RequestId};
use mcc_runtime::host::random::Random;
use serde_json::{Value, json};

use super::{mcc, root};

const URI: &str = "file:///models/large.m";

struct Editor {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: i32,
    version: i32,
    text: String,
}

impl Editor {
    fn open(text: &str) -> Editor {
        let mut command = mcc();
        let mut process =
            command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("mcc starts");
        let to = process.stdin.take().expect("a pipe");
        let from = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut editor = Editor { process, to, from, next: 0, version: 1, text: text.to_owned() };
        let answer = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["serverInfo"]["name"], "mcc");
        editor.notify("initialized", json!({}));
        let document = json!({ "uri": URI, "languageId": "murphi", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        editor
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.to).expect("the server reads");
    }

    fn receive(&mut self) -> Message {
        Message::read(&mut self.from).expect("a message").expect("the server goes on")
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.to_owned(), params }));
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Message::Request(Request { id: id.clone(), method: method.to_owned(), params }));
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                // A refusal is an answer, too; a panic is not.
                return response.response_result.unwrap_or_else(|error| {
                    assert!(!error.message.starts_with("internal error"), "{method}: {}", error.message);
                    Value::String(error.message)
                });
            }
        }
    }

    fn about(&mut self, method: &str) -> Value {
        let place = json!({ "line": 100, "character": 4 });
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let params = json!({ "textDocument": { "uri": URI }, "position": place, "options": options });
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Replaces bytes of the text, as a keystroke does.
    fn edit(&mut self, start: usize, end: usize, typed: &str) {
        let range = json!({ "start": position(&self.text, start), "end": position(&self.text, end) });
        self.text.replace_range(start..end, typed);
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        let changes = json!([{ "range": range, "text": typed }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Diagnostics about the text as it is now.
    fn diagnostics(&mut self) -> Value {
        loop {
            if let Message::Notification(one) = self.receive()
                && one.method == "textDocument/publishDiagnostics"
                && one.params["version"] == self.version
            {
                return one.params["diagnostics"].clone();
            }
        }
    }

    /// What the server knows of the text.
    fn known(&mut self) -> Vec<Value> {
        ["semanticTokens/full", "documentSymbol", "foldingRange", "formatting", "codeLens"]
            .map(|method| self.about(method))
            .to_vec()
    }

    fn close(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        drop(self.to);
        assert!(self.process.wait().expect("the server ends").success());
    }
}

fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
    json!({ "line": before.matches('\n').count(), "character": column })
}

/// The rules of a cache protocol, several times over.
fn large_model() -> String {
    let text = std::fs::read_to_string(root().join("models/mesi_directory.m")).expect("the model is there");
    let rules = text.find("\nruleset").expect("it has rules");
    let mut large = text.clone();
    while large.lines().count() < 2_000 {
        large += &text[rules..];
    }
    large
}

/// What a user did once: broke a name, completed a field, took a rule away and brought it back.
#[test]
fn a_recorded_and_a_random_session_on_a_large_model() {
    let original = large_model();
    let mut editor = Editor::open(&original);
    let clean =
        |found: &Value| found.as_array().is_some_and(|all| all.iter().all(|one| one["severity"] != 1));
    let found = editor.diagnostics();
    assert!(clean(&found), "{found}");
    let at = original.rfind(":=").expect("an assignment");
    for (typed, is_clean) in [("=", false), (":", false), (":=", true)] {
        let end = editor.text[at..].find(' ').expect("a space behind the sign") + at;
        editor.edit(at, end, typed);
        assert_eq!(clean(&editor.diagnostics()), is_clean, "{typed}");
    }
    let rule = original.rfind("\nruleset").expect("a ruleset");
    editor.edit(rule, original.len(), "\nrul");
    assert!(!clean(&editor.diagnostics()));
    editor.edit(rule, rule + 4, &original[rule..]);
    assert!(clean(&editor.diagnostics()));
    assert_eq!(editor.text, original);

    let mut random = Random(11);
    for step in 0..60 {
        let mut start = random.below(editor.text.len() as u64) as usize;
        while !editor.text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (start + random.below(12) as usize).min(editor.text.len());
        while !editor.text.is_char_boundary(end) {
            end -= 1;
        }
        let typed = ["", ";", "end;", "𝕏", "\n", "\"", "/*", "rule \"x\" true ==> ", "forall"];
        editor.edit(start, end.max(start), typed[random.below(9) as usize]);
        if step % 20 == 19 {
            let text = editor.text.clone();
            let mut fresh = Editor::open(&text);
            assert_eq!(editor.known(), fresh.known(), "step {step}");
            fresh.close();
            editor.edit(0, text.len(), &original);
        }
    }
    assert!(clean(&editor.diagnostics()));
    editor.close();
}

/// `cargo test --release --test command keystrokes -- --ignored --nocapture` measures on a machine
/// without other work how long an answer takes after a keystroke.
#[test]
#[ignore = "a measurement, which needs a quiet machine"]
fn keystrokes_are_answered_within_50_ms() {
    let original = large_model();
    let mut editor = Editor::open(&original);
    editor.diagnostics();
    let at = original.len() / 2;
    let at = at + original[at..].find(":=").expect("an assignment");
    let (mut diagnostics, mut completions) = (Vec::new(), Vec::new());
    // The first answer pays for what is allocated once.
    editor.about("completion");
    for number in 0..100 {
        // As fast as people type, now and then with a pause, in which the server looks for advice.
        std::thread::sleep(Duration::from_millis(if number % 10 == 9 { 270 } else { 100 }));
        let began = Instant::now();
        if number % 2 == 0 {
            editor.edit(at, at, "x")
        } else {
            editor.edit(at, at + 1, "")
        }
        editor.about("completion");
        completions.push(began.elapsed());
        editor.diagnostics();
        diagnostics.push(began.elapsed());
    }
    for (name, times) in [("completion", &mut completions), ("diagnostics", &mut diagnostics)] {
        times.sort();
        let (median, most) = (times[50], times[98]);
        println!(
            "{} lines, {name}: median {median:.1?}, 99 of 100 within {most:.1?}, worst {:.1?}",
            original.lines().count(),
            times[99]
        );
        assert!(most < Duration::from_millis(50), "{name}: {most:?}");
    }
    editor.close();
}
