//! Advice: what could be better about a model. To find it takes several times as long as to find
//! what is wrong, so another thread does it while the server goes on answering.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use super::document::Document;
use crate::diagnostics::Diagnostic;
use crate::library::on_large_stack;
use crate::source::Source;
use crate::{analysis, read};

/// The advice about one text of a model.
pub struct Advice {
    pub uri: String,
    pub version: i32,
    pub found: Vec<Diagnostic>,
}

struct Running {
    uri: String,
    version: i32,
    result: Receiver<Vec<Diagnostic>>,
}

/// What is being looked for.
#[derive(Default)]
pub struct Advising {
    running: Vec<Running>,
}

impl Advising {
    pub fn start(&mut self, document: &Document) {
        let source = Source::new(document.name(), document.lines.text.clone());
        let (sender, result) = channel();
        // If nobody waits for the advice any more, it is not needed. A panic is a bug, and leaves
        // the model without advice.
        thread::spawn(move || {
            let found = on_large_stack(|| advice(&source)).unwrap_or_default();
            let _ = sender.send(found);
        });
        let uri = document.uri.as_str().to_owned();
        self.running.push(Running { uri, version: document.version, result });
    }

    /// Drops what was begun about a model.
    pub fn forget(&mut self, uri: &str) {
        self.running.retain(|one| one.uri != uri);
    }

    pub fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// The advice that has come.
    pub fn collect(&mut self) -> Vec<Advice> {
        let mut come = Vec::new();
        self.running.retain(|one| match one.result.try_recv() {
            Ok(found) => {
                come.push(Advice { uri: one.uri.clone(), version: one.version, found });
                false
            }
            Err(TryRecvError::Empty) => true,
            Err(TryRecvError::Disconnected) => false,
        });
        come
    }
}

fn advice(source: &Source) -> Vec<Diagnostic> {
    let reading = read(source);
    if reading.analysis.is_none() {
        return Vec::new();
    }
    let mut found = analysis::lints::lint(&reading.program, &reading.model, &source.text);
    found.extend(analysis::advice::advise(source, &reading.program, &reading.model, &reading.diagnostics));
    found
}
