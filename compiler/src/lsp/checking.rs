//! *Check now*: searches a model in the interpreter while the user goes on typing, and shows above
//! each rule and property what was found.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use lsp_types::{CodeLens, Command, Diagnostic as Shown, DiagnosticSeverity, NumberOrString, Range};
use mcc_runtime::embedding::{Cancellation, ErrorReport, Options, Report, Verdict};
use mcc_runtime::host::text::{grouped, plural};
use serde_json::Value;

use super::document::Document;
use super::findings::ORIGIN;
use super::text::Lines;
use crate::library::Model;
use crate::source::{Source, Span};
use crate::syntax::tree::{Item, Program, RuleItem};

pub const CHECK: &str = "mcc.check";
pub const STOP: &str = "mcc.stop";
pub const EXPLORE: &str = "mcc.explore";
pub const COUNTEREXAMPLE: &str = "mcc.counterexample";

/// All commands that lenses have.
pub const COMMANDS: [&str; 4] = [CHECK, STOP, EXPLORE, COUNTEREXAMPLE];

/// A search beside the editor must not take the machine.
const TIME_LIMIT: Duration = Duration::from_secs(10);
const MEMORY_LIMIT: &str = "1G";

/// The result of a check of one text.
struct Checked {
    version: i32,
    result: Result<Report, String>,
}

struct Running {
    version: i32,
    /// The page that is written, and shown when the check has ended.
    page: Option<PathBuf>,
    began: Instant,
    cancellation: Cancellation,
    result: Receiver<Result<Report, String>>,
}

/// The checks of all open models, at most one each.
#[derive(Default)]
pub struct Checks {
    running: HashMap<String, Running>,
    finished: HashMap<String, Checked>,
}

/// A check that has ended.
pub struct Ended {
    pub uri: String,
    /// The page to show, if one was asked for and written.
    pub page: Option<PathBuf>,
}

impl Checks {
    /// Searches a model; the result may also be written as a page.
    pub fn start(&mut self, document: &Document, page: Option<PathBuf>) {
        let uri = document.uri.as_str().to_owned();
        self.stop(&uri);
        self.finished.remove(&uri);
        let cancellation = Cancellation::new();
        let mut options =
            Options::new().threads(1).argument("--memory").argument(MEMORY_LIMIT).cancelled_by(&cancellation);
        if let Some(page) = &page {
            options = options.argument("--html").argument(page);
        }
        let name = document.name().to_owned();
        let text = document.lines.text.clone();
        let (sender, result): (Sender<Result<Report, String>>, _) = channel();
        // If nobody waits for the result any more, it is not needed.
        thread::spawn(move || {
            let report = Model::from_text(name, text).interpret(&options);
            let _ = sender.send(report.map_err(|error| error.to_string()));
        });
        let began = Instant::now();
        self.running.insert(uri, Running { version: document.version, page, began, cancellation, result });
    }

    /// Cancels the check of a model, if one is running.
    pub fn stop(&mut self, uri: &str) {
        if let Some(running) = self.running.get(uri) {
            running.cancellation.cancel();
        }
    }

    /// Drops everything about a model.
    pub fn forget(&mut self, uri: &str) {
        self.stop(uri);
        self.running.remove(uri);
        self.finished.remove(uri);
    }

    pub fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Takes the results that have come; the models that they are about.
    pub fn collect(&mut self) -> Vec<Ended> {
        let mut ended = Vec::new();
        for (uri, running) in &self.running {
            if running.began.elapsed() > TIME_LIMIT {
                running.cancellation.cancel();
            }
            let result = match running.result.try_recv() {
                Ok(result) => result,
                Err(TryRecvError::Empty) => continue,
                Err(TryRecvError::Disconnected) => Err("the check ended without a result".to_owned()),
            };
            ended.push((uri.clone(), Checked { version: running.version, result }));
        }
        let end = |(uri, checked): (String, Checked)| {
            let written = checked.result.is_ok();
            let page = self.running.remove(&uri).and_then(|one| one.page).filter(|_| written);
            self.finished.insert(uri.clone(), checked);
            Ended { uri, page }
        };
        ended.into_iter().map(end).collect()
    }

    /// What the last check found, if it is about the text as it is now.
    fn result(&self, document: &Document) -> Option<&Result<Report, String>> {
        let checked = self.finished.get(document.uri.as_str())?;
        (checked.version == document.version).then_some(&checked.result)
    }

    /// What can be done, and what was found, above each rule and each property.
    pub fn lenses(&self, document: &Document, source: &Source, program: &Program) -> Vec<CodeLens> {
        let running = self.running.contains_key(document.uri.as_str());
        let mut headers = Vec::new();
        program.items.iter().for_each(|item| match item {
            Item::Rule(rule) => collect(rule, &mut headers),
            Item::Declaration(_) | Item::Function(_) | Item::External(..) | Item::Formula(_) => {}
        });
        let result = self.result(document);
        let line = |header: Span| source.position(header.start).line;
        // An error without a place, or outside of all of them, is shown above the first.
        let nearest = |error: &ErrorReport| {
            let place = error.line.unwrap_or(0);
            headers.iter().rposition(|(header, _)| line(*header) <= place).unwrap_or(0)
        };
        let wrong: Vec<usize> = match result {
            Some(Ok(report)) => report.errors.iter().map(nearest).collect(),
            Some(Err(_)) | None => Vec::new(),
        };
        let lens = |header: Span, title: String, command: &str| {
            let arguments = vec![Value::String(document.uri.as_str().to_owned())];
            let command = Some(Command::new(title, command.to_owned(), Some(arguments)));
            CodeLens { range: document.lines.range(header), command, data: None }
        };
        let mut lenses = Vec::new();
        for (number, (header, is_rule)) in headers.iter().enumerate() {
            let (title, command) = match result {
                _ if running => ("checking … (stop)".to_owned(), STOP),
                Some(Ok(report)) => (title(report, line(*header), *is_rule), CHECK),
                Some(Err(message)) => (message.lines().next().unwrap_or("").to_owned(), CHECK),
                None => ("check now".to_owned(), CHECK),
            };
            lenses.push(lens(*header, title, command));
            if !running && wrong.contains(&number) {
                lenses.push(lens(*header, "show counterexample".to_owned(), COUNTEREXAMPLE));
            }
            lenses.push(lens(*header, "explore".to_owned(), EXPLORE));
        }
        lenses
    }

    /// The errors of the last check, underlined.
    pub fn errors(&self, document: &Document) -> Vec<Shown> {
        match self.result(document) {
            Some(Ok(report)) => report.errors.iter().map(|error| shown(error, &document.lines)).collect(),
            Some(Err(_)) | None => Vec::new(),
        }
    }
}

fn collect(rule: &RuleItem, headers: &mut Vec<(Span, bool)>) {
    match rule {
        RuleItem::Rule(rule) => headers.push((rule.header, true)),
        RuleItem::Property(property) => headers.push((property.header, false)),
        RuleItem::StartState(_) => {}
        RuleItem::Ruleset { rules, .. }
        | RuleItem::Alias { rules, .. }
        | RuleItem::Choose { rules, .. }
        | RuleItem::Unparsed { rules, .. } => rules.iter().for_each(|rule| collect(rule, headers)),
    }
}

/// What a check found out about the rule or property in this line.
fn title(report: &Report, line: u32, is_rule: bool) -> String {
    let searched = format!("{} in {:.1} s", plural(report.states, "state"), report.seconds);
    let searched = match report.verdict {
        Verdict::Verified | Verdict::Violated => searched,
        Verdict::Inconclusive => format!("{searched}, not all"),
    };
    if is_rule {
        return match report.rule_reports.iter().find(|rule| rule.line == line) {
            Some(rule) if rule.fired == 0 => format!("never fired ({searched})"),
            Some(rule) => format!("fired {} times ({searched})", grouped(rule.fired)),
            None => format!("{} ({searched})", report.verdict),
        };
    }
    match report.properties.iter().find(|property| property.line == line) {
        Some(property) => format!("{} ({searched})", property.status),
        None => format!("{} ({searched})", report.verdict),
    }
}

fn shown(error: &ErrorReport, lines: &Lines) -> Shown {
    let line = error.line.unwrap_or(1).saturating_sub(1);
    let from = lines.offset(lsp_types::Position::new(line, 0));
    let text = lines.text.get(from..).unwrap_or("").lines().next().unwrap_or("");
    let start = from + text.len() - text.trim_start().len();
    let end = from + text.trim_end().len();
    Shown {
        range: Range { start: lines.position(start), end: lines.position(end.max(start)) },
        severity: Some(DiagnosticSeverity::ERROR),
        code: Some(NumberOrString::String(error.kind.clone())),
        source: Some(format!("{ORIGIN} check")),
        message: error.to_string().trim_end().to_owned(),
        ..Shown::default()
    }
}
