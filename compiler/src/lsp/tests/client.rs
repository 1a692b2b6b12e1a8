//! An editor, as far as the server can tell.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

pub const URI: &str = "file:///models/test.m";

/// Questions about a place or about a whole model.
pub const QUESTIONS: [&str; 13] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/formatting",
];

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next: i32,
    version: i32,
    /// Diagnostics that came while something else was waited for.
    published: Vec<Value>,
    /// What the server wanted to be opened.
    shown: Vec<Value>,
}

impl Client {
    pub fn start(encoding: &str) -> Client {
        let (server, connection) = Connection::memory();
        let work = move || super::super::serve(&server);
        let server = thread::Builder::new().stack_size(256 << 20).spawn(work).unwrap();
        let mut client = Client {
            connection,
            server: Some(server),
            next: 0,
            version: 0,
            published: Vec::new(),
            shown: Vec::new(),
        };
        let capabilities = json!({
            "general": { "positionEncodings": [encoding] },
            "workspace": { "codeLens": { "refreshSupport": true } },
            "window": { "showDocument": { "support": true } },
        });
        let answer = client.request("initialize", json!({ "capabilities": capabilities })).unwrap();
        assert_eq!(answer["capabilities"]["positionEncoding"], encoding);
        client.notify("initialized", json!({}));
        client
    }

    pub fn notify(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(Message::Notification(message)).unwrap();
    }

    /// The answer to a question, or the message of its refusal. A panic of the server is neither.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).unwrap();
        loop {
            match self.receive() {
                Message::Response(Response { id: of, response_result }) if of == id => {
                    return response_result.map_err(|error| {
                        let message = error.message;
                        assert!(!message.starts_with("internal error"), "{method}: {message}");
                        message
                    });
                }
                other => self.keep(other),
            }
        }
    }

    /// Asks this number of times at once and cancels each question; the number of those that were
    /// refused for that reason. Each gets one answer.
    pub fn request_and_cancel(&mut self, method: &str, times: i32) -> usize {
        let first = self.next + 1;
        let params = json!({ "textDocument": { "uri": URI } });
        for number in first..first + times {
            let request = Request { id: number.into(), method: method.to_owned(), params: params.clone() };
            self.connection.sender.send(Message::Request(request)).unwrap();
        }
        for number in first..first + times {
            self.notify("$/cancelRequest", json!({ "id": number }));
        }
        self.next += times;
        let mut refused = 0;
        let mut open: Vec<RequestId> = (first..first + times).map(RequestId::from).collect();
        while !open.is_empty() {
            match self.receive() {
                Message::Response(Response { id, response_result }) => {
                    open.retain(|one| *one != id);
                    refused += usize::from(response_result.is_err_and(|error| error.code == -32800));
                }
                other => self.keep(other),
            }
        }
        refused
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server answers")
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Notification(one) if one.method == "textDocument/publishDiagnostics" => {
                self.published.push(one.params);
            }
            Message::Request(one) if one.method == "window/showDocument" => self.shown.push(one.params),
            _ => {}
        }
    }

    /// What the server next has the editor open.
    pub fn shown(&mut self) -> Value {
        while self.shown.is_empty() {
            let message = self.receive();
            self.keep(message);
        }
        self.shown.remove(0)
    }

    pub fn open(&mut self, text: &str) {
        self.version += 1;
        let document = json!({ "uri": URI, "languageId": "murphi", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn close(&mut self) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    }

    pub fn change(&mut self, changes: Value) {
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The next diagnostics about the text as it is now.
    pub fn diagnostics(&mut self) -> Value {
        loop {
            while let Some(one) = (!self.published.is_empty()).then(|| self.published.remove(0)) {
                if one["version"] == self.version {
                    return one["diagnostics"].clone();
                }
            }
            let message = self.receive();
            self.keep(message);
        }
    }

    /// Diagnostics that fulfil a condition; fails if none come.
    pub fn diagnostics_with(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let found = self.diagnostics();
            if found.as_array().unwrap().iter().any(&wanted) {
                return found;
            }
        }
    }

    /// Any of [`QUESTIONS`].
    pub fn ask(&mut self, method: &str, line: u32, character: u32) -> Result<Value, String> {
        let place = json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": URI },
            "position": place,
            "range": { "start": place, "end": place },
            "context": { "includeDeclaration": true, "diagnostics": [] },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        self.request(method, params)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        self.request("shutdown", Value::Null).unwrap();
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap();
    }
}
