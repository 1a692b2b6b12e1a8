//! Table 2 of the paper: each kind of search with and without sleep sets.

use super::{Details, Report};
use crate::shared::{ExperimentError, Runs};
use serde::Serialize;
use std::fmt::Write;

/// How a row is searched, and its name.
struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Along a path, with room for all states beside it: that is the paper's first algorithm.
    keeps_path: bool,
}

const WAYS: [Way; 5] = [
    Way { name: "depth first", arguments: &["-vdfs"], keeps_path: true },
    Way { name: "depth first, `--sleep=path`", arguments: &["-vdfs", "--sleep=path"], keeps_path: false },
    Way { name: "depth first, `--sleep`", arguments: &["-vdfs", "--sleep"], keeps_path: false },
    Way { name: "breadth first", arguments: &[], keeps_path: false },
    Way { name: "breadth first, `--sleep`", arguments: &["--sleep"], keeps_path: false },
];

/// One search.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub way: &'static str,
    pub states: u64,
    /// Rules that led to no new state.
    pub matched: u64,
    /// As a part of those of the search of the same kind without sleep sets.
    pub matched_part: f64,
    pub transitions: u64,
    pub transitions_per_state: f64,
    /// The most states on the path, or the last level.
    pub depth: u64,
    pub seconds: f64,
}

/// A model's rows.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    pub name: String,
    pub rows: Vec<Row>,
}

/// Runs everything. `progress` is called with what was done.
pub fn measure(runs: &Runs, progress: impl Fn(&str)) -> Result<Figures, ExperimentError> {
    let run =
        |arguments: &[&str]| -> Result<Report, ExperimentError> { runs.verified(runs.best(arguments)?) };
    let plain = run(&[])?;
    // What is left when nothing may be fired.
    let starts = runs.once::<Details>(&["--max-depth", "0"])?.states;
    let room = (2 * plain.states).to_string();
    let mut rows: Vec<Row> = Vec::new();
    let mut without = 1;
    for way in WAYS {
        let mut arguments = way.arguments.to_vec();
        if way.keeps_path {
            arguments.extend(["--cache-states", &room]);
        }
        let report = run(&arguments)?;
        if report.states != plain.states {
            return Err(format!("{}: {} states, and not {}", way.name, report.states, plain.states).into());
        }
        let matched = matched(&report, starts);
        if !way.arguments.iter().any(|argument| argument.starts_with("--sleep")) {
            without = matched;
        }
        progress(&format!("{}, {}: {} rules", runs.verifier.name, way.name, report.rules));
        rows.push(Row {
            way: way.name,
            states: report.states,
            matched,
            matched_part: matched as f64 / without.max(1) as f64,
            transitions: report.rules,
            transitions_per_state: report.rules as f64 / report.states.max(1) as f64,
            depth: report.details.path.map_or(report.depth, |path| path.longest_path),
            seconds: report.seconds,
        });
    }
    Ok(Figures { name: runs.verifier.name.clone(), rows })
}

/// Each state but the start states was new once.
fn matched(report: &Report, starts: u64) -> u64 {
    (report.rules + starts).saturating_sub(report.states)
}

pub fn render(models: &[Figures]) -> String {
    let mut text = String::from(
        "| model | search | states | matched | of those without | transitions | per state | depth | time |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for figures in models {
        for (at, row) in figures.rows.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {:.1} % | {} | {:.3} | {} | {:.3} s |",
                if at == 0 { figures.name.as_str() } else { "" },
                row.way,
                row.states,
                row.matched,
                100.0 * row.matched_part,
                row.transitions,
                row.transitions_per_state,
                row.depth,
                row.seconds
            );
        }
    }
    text + "\nMatched: rules that led to no new state. Depth: the most states on the path, or the last level.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_what_was_measured() {
        let row = Row {
            way: "breadth first",
            states: 100,
            matched: 5,
            matched_part: 0.05,
            transitions: 104,
            transitions_per_state: 1.04,
            depth: 7,
            seconds: 0.25,
        };
        let text = render(&[Figures { name: "ring".into(), rows: vec![row.clone(), row] }]);
        assert!(
            text.contains("| ring | breadth first | 100 | 5 | 5.0 % | 104 | 1.040 | 7 | 0.250 s |"),
            "{text}"
        );
        assert!(text.contains("\n|  | breadth first |"), "{text}");
    }

    #[test]
    fn start_states_are_matched_by_no_rule() {
        let report = Report {
            verdict: String::new(),
            reason: String::new(),
            states: 10,
            rules: 15,
            depth: 0,
            seconds: 0.0,
            details: Details { path: None },
        };
        assert_eq!(matched(&report, 2), 7);
    }
}
