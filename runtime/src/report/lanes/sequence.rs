//! A chart as text for documents: Mermaid, or PlantUML.

use super::{Chart, Collector, Message, Wanted};
use crate::contract::problem::Problem;
use crate::contract::values::instance;
use crate::report::counterexample::{each_step, rule_title};
use crate::report::document::{Findings, Report};
use std::fmt::Write;
use std::io;
use std::path::Path;

/// A language for sequence diagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Mermaid,
    PlantUml,
}

impl Language {
    /// The language that a file's name asks for: PlantUML for `.puml` and its like.
    pub fn of(path: &Path) -> Self {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "puml" | "plantuml" | "pu" | "iuml" => Language::PlantUml,
            _ => Language::Mermaid,
        }
    }
}

/// Writes the diagram of the first error that has a trace; where there is none, the title says so.
pub fn write(
    report: &Report<'_>,
    wanted: &Wanted,
    language: Language,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let Findings { model, context, kept } = report.findings;
    let mut collector = Collector::new(report.model, model.choices(), wanted);
    let found = kept.iter().find_map(|finding| Some((finding, finding.path.as_ref()?)));
    let title = match found {
        None => "there is no trace".to_owned(),
        Some((finding, path)) => {
            let last = each_step(model, context, path, |step| collector.add(step))
                .map_err(|error| io::Error::other(error.to_string()))?;
            if let Problem::RuleFault { rule, .. } = finding.problem
                && let Some(failing) = instance(report.model.rules, rule.0)
            {
                collector.fail(path.rules.len() + 1, &failing, &rule_title(model, rule, &last));
            }
            finding.problem.message(report.model)
        }
    };
    let chart = collector.chart().unwrap_or_default();
    out.write_all(diagram(&chart, &title, language).as_bytes())
}

/// The diagram of a chart: a note for each step, an arrow where a message is received.
pub fn diagram(chart: &Chart, title: &str, language: Language) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_diagram(&mut text, chart, title, language);
    text
}

fn write_diagram(text: &mut String, chart: &Chart, title: &str, language: Language) -> std::fmt::Result {
    let clean = |words: &str| escaped(words, language);
    let (begin, end) = match language {
        Language::Mermaid => ("sequenceDiagram\n", ""),
        Language::PlantUml => ("@startuml\n", "@enduml\n"),
    };
    text.push_str(begin);
    match language {
        Language::Mermaid => writeln!(text, "    %% {}", clean(title))?,
        Language::PlantUml => writeln!(text, "title {}", clean(title))?,
    }
    for (number, name) in chart.lanes.iter().enumerate() {
        match language {
            Language::Mermaid => writeln!(text, "    participant L{number} as {}", clean(name))?,
            Language::PlantUml => writeln!(text, "participant \"{}\" as L{number}", clean(name))?,
        }
    }
    for action in &chart.actions {
        for message in chart.messages.iter().filter(|message| message.received == Some(action.step)) {
            write_arrow(text, message, language, &format!("sent in step {}", message.sent))?;
        }
        let (lane, step, title) = (action.lane, action.step, clean(&action.title));
        let ends = if chart.failing == Some(step) { " (ends in the error)" } else { "" };
        match language {
            Language::Mermaid => writeln!(text, "    Note over L{lane}: {step}. {title}{ends}")?,
            Language::PlantUml => writeln!(text, "note over L{lane}: {step}. {title}{ends}")?,
        }
    }
    for message in chart.messages.iter().filter(|message| message.received.is_none()) {
        let note = format!("sent in step {}, not received", message.sent);
        write_arrow(text, message, language, &note)?;
    }
    text.push_str(end);
    Ok(())
}

fn write_arrow(text: &mut String, message: &Message, language: Language, note: &str) -> std::fmt::Result {
    let Message { from, to, label, received, .. } = message;
    let label = escaped(label, language);
    match (language, received.is_some()) {
        (Language::Mermaid, true) => writeln!(text, "    L{from}->>L{to}: {label} ({note})"),
        (Language::Mermaid, false) => writeln!(text, "    L{from}-xL{to}: {label} ({note})"),
        (Language::PlantUml, true) => writeln!(text, "L{from} -> L{to}: {label} ({note})"),
        (Language::PlantUml, false) => writeln!(text, "L{from} ->x L{to}: {label} ({note})"),
    }
}

/// Text of a model that means nothing in the language.
fn escaped(text: &str, language: Language) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        let plain = character.is_alphanumeric() || " _-.,=()[]".contains(character);
        match language {
            _ if plain => escaped.push(character),
            _ if character.is_control() => escaped.push(' '),
            Language::Mermaid => escaped.push_str(&format!("#{};", u32::from(character))),
            Language::PlantUml => escaped.push_str(&format!("<U+{:04X}>", u32::from(character))),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::Action;
    use super::*;

    #[test]
    fn a_name_cannot_end_its_line_or_begin_another_statement() {
        let chart = Chart {
            lanes: vec!["a\"\nend".to_owned(), "b;c".to_owned()],
            actions: vec![Action { step: 1, lane: 0, title: "x: <y>\nL0->>L1: z".to_owned() }],
            messages: vec![Message { label: "k".to_owned(), from: 0, to: 1, sent: 1, received: None }],
            failing: None,
        };
        let mermaid = diagram(&chart, "t", Language::Mermaid);
        assert_eq!(mermaid.lines().count(), 6, "{mermaid}");
        assert!(mermaid.contains("participant L1 as b#59;c\n"), "{mermaid}");
        assert!(mermaid.contains("L0-xL1: k (sent in step 1, not received)"), "{mermaid}");
        let plantuml = diagram(&chart, "t", Language::PlantUml);
        assert_eq!(plantuml.lines().count(), 7, "{plantuml}");
    }
}
