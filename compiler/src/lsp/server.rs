//! The open models of one editor, and which part answers which question.

use std::collections::HashMap;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _, PublishDiagnostics,
    ShowMessage,
};
use lsp_types::request as requests;
use lsp_types::request::Request as _;
use lsp_types::{
    CompletionResponse, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DocumentSymbolResponse, GotoDefinitionResponse, InitializeParams, Location, PositionEncodingKind,
    PrepareRenameResponse, PublishDiagnosticsParams, SemanticTokensResult, TextDocumentPositionParams, Uri,
    WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::advising::Advising;
use super::checking::{self, Checks};
use super::document::{Document, Known};
use super::pages::{self, Pages};
use super::text::{Encoding, Lines};
use super::{capabilities, colours, completion, findings, formatting, hover, navigation, outline};
use crate::source::Source;

/// Why a question has no answer, in words for the user.
pub type Answer = Result<Value, String>;

pub struct Server {
    documents: HashMap<String, Document>,
    /// Models whose errors have to be shown again, and then their advice.
    changed: Vec<String>,
    unadvised: Vec<String>,
    advising: Advising,
    checks: Checks,
    pages: Pages,
    encoding: Encoding,
    snippets: bool,
    refreshes_lenses: bool,
    shows_documents: bool,
    asked: i32,
    sender: Sender,
}

/// Where messages to the editor go.
type Sender = crossbeam_channel::Sender<Message>;

impl Server {
    /// The server for an editor that introduces itself, and the introduction of the server.
    pub fn new(parameters: &Value, sender: Sender) -> (Server, Value) {
        let parameters: InitializeParams = serde_json::from_value(parameters.clone()).unwrap_or_default();
        let general = parameters.capabilities.general.unwrap_or_default();
        let offered = general.position_encodings.unwrap_or_default();
        let encoding =
            if offered.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 };
        let document = parameters.capabilities.text_document.unwrap_or_default();
        let item = document.completion.and_then(|completion| completion.completion_item);
        let window = parameters.capabilities.window.unwrap_or_default();
        let lens = parameters.capabilities.workspace.and_then(|workspace| workspace.code_lens);
        let server = Server {
            documents: HashMap::new(),
            changed: Vec::new(),
            unadvised: Vec::new(),
            advising: Advising::default(),
            checks: Checks::default(),
            pages: Pages::default(),
            encoding,
            snippets: item.and_then(|item| item.snippet_support).unwrap_or(false),
            refreshes_lenses: lens.and_then(|lens| lens.refresh_support).unwrap_or(false),
            shows_documents: window.show_document.is_some_and(|one| one.support),
            asked: 0,
            sender,
        };
        let introduction = json!({
            "capabilities": capabilities::capabilities(encoding),
            "serverInfo": { "name": "mcc", "version": env!("MCC_VERSION") },
        });
        (server, introduction)
    }

    pub fn send(&self, message: Message) {
        // An editor that is gone needs no answers; the loop notices.
        let _ = self.sender.send(message);
    }

    pub fn has_work(&self) -> bool {
        !self.changed.is_empty() || !self.unadvised.is_empty()
    }

    /// Whether there is work that need not wait for a pause.
    pub fn is_urgent(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Whether another thread works for the server.
    pub fn is_waiting(&self) -> bool {
        self.checks.is_running() || self.advising.is_running()
    }

    /// Shows the results of what other threads have done.
    pub fn collect(&mut self) {
        for advice in self.advising.collect() {
            if let Some(document) = self.documents.get_mut(&advice.uri)
                && document.version == advice.version
            {
                document.advice = Some(advice.found);
                self.publish(&advice.uri);
            }
        }
        let ended = self.checks.collect();
        for one in &ended {
            self.publish(&one.uri);
            if let Some(page) = &one.page {
                self.show(&pages::file_address(page));
            }
        }
        if !ended.is_empty() {
            self.refresh_lenses();
        }
    }

    /// Does what was put off while messages came.
    pub fn work(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        if !changed.is_empty() {
            changed.iter().for_each(|uri| self.publish(uri));
            self.unadvised.extend(changed);
            return;
        }
        for uri in std::mem::take(&mut self.unadvised) {
            if let Some(document) = self.documents.get_mut(&uri)
                && document.advice.is_none()
                && document.known().0.reading.analysis.is_some()
            {
                self.advising.forget(&uri);
                self.advising.start(document);
            }
        }
    }

    fn publish(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        let mut found = document.known().0.reading.diagnostics.clone();
        found.extend(document.advice.clone().unwrap_or_default());
        let mut diagnostics: Vec<_> =
            found.iter().map(|one| findings::shown(&document.uri, &document.lines, one)).collect();
        diagnostics.extend(self.checks.errors(document));
        let version = Some(document.version);
        let parameters = PublishDiagnosticsParams { uri: document.uri.clone(), diagnostics, version };
        self.send(Message::Notification(Notification::new(
            PublishDiagnostics::METHOD.to_owned(),
            parameters,
        )));
    }

    fn refresh_lenses(&mut self) {
        if self.refreshes_lenses {
            self.demand(requests::CodeLensRefresh::METHOD, Value::Null);
        }
    }

    /// Has the editor open an address in the user's browser; one that cannot shows it as text.
    fn show(&mut self, address: &str) {
        if self.shows_documents {
            let params = json!({ "uri": address, "external": true, "takeFocus": true });
            self.demand(requests::ShowDocument::METHOD, params);
        } else {
            let params = json!({ "type": 3, "message": format!("open {address}") });
            let message = Notification { method: ShowMessage::METHOD.to_owned(), params };
            self.send(Message::Notification(message));
        }
    }

    /// Asks the editor for something; the answer does not matter.
    fn demand(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Message::Request(Request { id, method: method.to_owned(), params }));
    }

    pub fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Ok(DidOpenTextDocumentParams { text_document: open }) = serde_json::from_value(params)
                else {
                    return;
                };
                let uri = open.uri.as_str().to_owned();
                self.checks.forget(&uri);
                self.advising.forget(&uri);
                self.mark(&uri);
                let document = Document::new(open.uri, open.version, open.text, self.encoding);
                self.documents.insert(uri, document);
            }
            DidChangeTextDocument::METHOD => {
                let Ok(change) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
                    return;
                };
                let uri = change.text_document.uri.as_str().to_owned();
                if let Some(document) = self.documents.get_mut(&uri) {
                    document.change(change.text_document.version, &change.content_changes);
                    // Their results would be about another text.
                    self.checks.stop(&uri);
                    self.advising.forget(&uri);
                    self.mark(&uri);
                }
            }
            DidCloseTextDocument::METHOD => {
                let Ok(close) = serde_json::from_value::<DidCloseTextDocumentParams>(params) else { return };
                let uri = close.text_document.uri;
                self.documents.remove(uri.as_str());
                self.checks.forget(uri.as_str());
                self.advising.forget(uri.as_str());
                self.pages.close(uri.as_str());
                self.changed.retain(|one| one != uri.as_str());
                let parameters = PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None };
                let method = PublishDiagnostics::METHOD.to_owned();
                self.send(Message::Notification(Notification::new(method, parameters)));
            }
            _ => {}
        }
    }

    fn mark(&mut self, uri: &str) {
        if !self.changed.iter().any(|one| one == uri) {
            self.changed.push(uri.to_owned());
        }
    }

    pub fn request(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match self.answer(&method, params) {
            Some(answer) => answer,
            None => {
                let message = format!("mcc does not know {method}");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(message) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
        }
    }

    fn answer(&mut self, method: &str, params: Value) -> Option<Answer> {
        let snippets = self.snippets;
        Some(match method {
            requests::HoverRequest::METHOD => {
                self.at(params, |known, lines, _, at| data(hover::hover(known, lines, at.position)))
            }
            requests::GotoDefinition::METHOD => self.at(params, |known, lines, uri, at| {
                let place = navigation::definition(uri, known, lines, at.position);
                data(place.map(GotoDefinitionResponse::Scalar))
            }),
            requests::References::METHOD => self.references(params),
            requests::DocumentHighlightRequest::METHOD => self.at(params, |known, lines, _, at| {
                let ranges = navigation::references(known, lines, at.position, true);
                data(ranges.into_iter().map(|range| json!({ "range": range })).collect::<Vec<_>>())
            }),
            requests::PrepareRenameRequest::METHOD => self.at(params, |known, lines, _, at| {
                data(PrepareRenameResponse::Range(navigation::prepare(known, lines, at.position)?))
            }),
            requests::Rename::METHOD => self.rename(params),
            requests::Completion::METHOD => self.at(params, |known, lines, _, at| {
                data(CompletionResponse::Array(completion::items(known, lines, at.position, snippets)))
            }),
            requests::SignatureHelpRequest::METHOD => {
                self.at(params, |known, lines, _, at| data(completion::signature(known, lines, at.position)))
            }
            requests::DocumentSymbolRequest::METHOD => self.whole(&params, |known, lines| {
                data(DocumentSymbolResponse::Nested(outline::symbols(known, lines)))
            }),
            requests::FoldingRangeRequest::METHOD => {
                self.whole(&params, |known, lines| data(outline::folds(known, lines)))
            }
            requests::SemanticTokensFullRequest::METHOD => self.whole(&params, |known, lines| {
                data(SemanticTokensResult::Tokens(colours::tokens(known, lines)))
            }),
            requests::Formatting::METHOD => {
                self.whole(&params, |known, lines| formatting::edits(known, lines, None))
            }
            requests::RangeFormatting::METHOD => self.whole(&params, |known, lines| {
                let range: lsp_types::Range = parse(params["range"].clone())?;
                formatting::edits(known, lines, Some(range))
            }),
            requests::CodeActionRequest::METHOD => self.actions(&params),
            requests::CodeLensRequest::METHOD => self.lenses(&params),
            requests::ExecuteCommand::METHOD => self.execute(&params),
            _ => return None,
        })
    }

    fn document(&mut self, uri: &str) -> Result<&mut Document, String> {
        self.documents.get_mut(uri).ok_or_else(|| format!("{uri} is not open"))
    }

    /// A question about a place.
    fn at(
        &mut self,
        params: Value,
        answer: impl FnOnce(&Known, &Lines, &Uri, &TextDocumentPositionParams) -> Answer,
    ) -> Answer {
        let at: TextDocumentPositionParams = parse(params)?;
        let document = self.document(at.text_document.uri.as_str())?;
        let (known, lines) = document.known();
        answer(known, lines, &at.text_document.uri, &at)
    }

    /// A question about a whole model.
    fn whole(&mut self, params: &Value, answer: impl FnOnce(&Known, &Lines) -> Answer) -> Answer {
        let document = self.document(uri(params))?;
        let (known, lines) = document.known();
        answer(known, lines)
    }

    fn references(&mut self, params: Value) -> Answer {
        let with_declaration = params["context"]["includeDeclaration"].as_bool().unwrap_or(true);
        self.at(params, |known, lines, uri, at| {
            let ranges = navigation::references(known, lines, at.position, with_declaration);
            data(ranges.into_iter().map(|range| Location::new(uri.clone(), range)).collect::<Vec<_>>())
        })
    }

    fn rename(&mut self, params: Value) -> Answer {
        let new: String = parse(params["newName"].clone())?;
        self.at(params, |known, lines, uri, at| {
            let edits = navigation::rename(known, lines, at.position, &new)?;
            // The key is what the protocol asks for.
            #[allow(clippy::mutable_key_type)]
            let changes = HashMap::from([(uri.clone(), edits)]);
            data(WorkspaceEdit::new(changes))
        })
    }

    fn actions(&mut self, params: &Value) -> Answer {
        let range: lsp_types::Range = parse(params["range"].clone())?;
        let document = self.document(uri(params))?;
        let mut found = document.known().0.reading.diagnostics.clone();
        found.extend(document.advice.clone().unwrap_or_default());
        let uri = document.uri.clone();
        let (known, lines) = document.known();
        data(findings::actions(&uri, &known.source, lines, &found, range))
    }

    fn lenses(&mut self, params: &Value) -> Answer {
        let uri = uri(params);
        let document = self.documents.get_mut(uri).ok_or_else(|| format!("{uri} is not open"))?;
        document.known();
        let source = Source::new(String::new(), document.lines.text.clone());
        let program = document.known().0.reading.program.clone();
        data(self.checks.lenses(document, &source, &program))
    }

    fn execute(&mut self, params: &Value) -> Answer {
        let uri = params["arguments"][0].as_str().unwrap_or("").to_owned();
        match params["command"].as_str().unwrap_or("") {
            checking::CHECK => {
                let document = self.documents.get(&uri).ok_or_else(|| format!("{uri} is not open"))?;
                self.checks.start(document, None);
            }
            checking::COUNTEREXAMPLE => {
                let document = self.documents.get(&uri).ok_or_else(|| format!("{uri} is not open"))?;
                let page = self.pages.report(document)?;
                self.checks.start(document, Some(page));
            }
            checking::EXPLORE => {
                let document = self.documents.get(&uri).ok_or_else(|| format!("{uri} is not open"))?;
                let address = self.pages.explore(document)?;
                self.show(&address);
                return Ok(Value::String(address));
            }
            checking::STOP => self.checks.stop(&uri),
            other => return Err(format!("mcc does not know the command {other}")),
        }
        self.refresh_lenses();
        Ok(Value::Null)
    }
}

fn uri(params: &Value) -> &str {
    params["textDocument"]["uri"].as_str().unwrap_or("")
}

fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("the request is malformed: {error}"))
}

pub fn data(answer: impl Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| format!("internal error: {error}"))
}
