//! Annotations as GitHub Actions reads them from standard output: `::error file=…,line=…::…`.

use std::fmt::Write as _;

use super::{Outcome, Said, Status};
use crate::library::{Message, Severity};

pub fn text(outcomes: &[Outcome]) -> String {
    let (mut text, mut said) = (String::new(), Said::default());
    for outcome in outcomes {
        let wrong = match &outcome.run {
            Some(Err(crate::library::Error::Wrong(messages))) => messages.as_slice(),
            _ => &[],
        };
        for message in outcome.messages.iter().chain(wrong).filter(|one| said.is_new(one)) {
            annotate(&mut text, message);
        }
        if matches!(outcome.status(), Status::Passed) || !wrong.is_empty() || outcome.run.is_none() {
            continue;
        }
        let error = match &outcome.run {
            Some(Ok(report)) => report.errors.first(),
            _ => None,
        };
        let line = error.and_then(|error| error.line).unwrap_or(1);
        let title = error.map_or("mcc", |error| error.kind.as_str());
        let place = format!("file={},line={line},title={}", property(&outcome.path), property(title));
        let _ = writeln!(text, "::error {place}::{}", data(&outcome.explanation()));
    }
    text
}

fn annotate(text: &mut String, message: &Message) {
    let word = match message.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let _ = write!(text, "::{word} file={}", property(&message.file));
    if let Some(place) = message.places.first() {
        let _ = write!(text, ",line={},col={},endLine={}", place.line, place.column, place.end_line);
        if place.end_line == place.line {
            let _ = write!(text, ",endColumn={}", place.end_column);
        }
    }
    let help = message.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    let _ = writeln!(text, ",title={}::{}", property(message.code), data(&(message.message.clone() + &help)));
}

/// Text behind the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
