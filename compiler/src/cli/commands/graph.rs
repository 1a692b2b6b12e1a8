//! `mcc graph`: the states and labelled transitions of a model, for bisimulation tools and
//! drawings.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use mcc_runtime::embedding::{Graph as Transitions, Move, Walker};
use mcc_runtime::host::Target;
use serde_json::json;

use super::super::Stop;
use super::Subcommand;
use super::shared::OneModel;
use crate::library::{Error, Model};

/// Writes the states and labelled transitions of a model: all of them, without any reduction
#[derive(Clone, Debug, Parser)]
#[command(name = "graph")]
pub struct Graph {
    #[command(flatten)]
    model: OneModel,

    /// Where to write, and how: `.aut` (Aldebaran), `.dot` (Graphviz) or `.json` (JSON lines)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Give up when there are more states than this
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    limit: usize,
}

type Form = fn(&Walker<'_>, &Transitions) -> String;

impl Subcommand for Graph {
    fn run(self) -> Result<ExitCode, Stop> {
        let stop = |message: String, help| Stop::Message { message, help };
        let form: Form = match self.file.extension().and_then(|extension| extension.to_str()) {
            Some("aut") => aldebaran,
            Some("dot") => graphviz,
            Some("json") => json_lines,
            _ => {
                let message =
                    format!("{}: the name of a graph ends in .aut, .dot or .json", self.file.display());
                return Err(stop(message, None));
            }
        };
        let text = self.text(form).map_err(|error| match error {
            Error::Refused(message) => stop(message, Some("--limit N allows more")),
            other => stop(other.to_string(), None),
        })?;
        Target::open(&self.file)
            .and_then(|target| target.write(text.as_bytes(), &mut io::stdout().lock()))
            .map_err(|error| stop(format!("cannot write {}: {error}", self.file.display()), None))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Graph {
    fn text(&self, form: Form) -> Result<String, Error> {
        let model = Model::from_path(&self.model.model)?;
        let model = self.model.define.iter().fold(model, |model, one| model.define(&one.name, &one.value));
        model.with_interpreter(|interpreter| {
            let walker = Walker::new(interpreter);
            let graph = walker.graph(self.limit).map_err(|error| Error::Refused(error.to_string()))?;
            Ok(form(&walker, &graph))
        })
    }
}

/// `rule, parameter: value`
fn label(found: &Move) -> String {
    let mut label = found.rule.clone();
    for (name, value) in &found.parameters {
        let _ = write!(label, ", {name}: {value}");
    }
    label
}

fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|one| match one {
            '"' | '\\' => vec!['\\', one],
            '\n' => vec!['\\', 'n'],
            other => vec![other],
        })
        .collect();
    format!("\"{escaped}\"")
}

/// This format has one initial state: it is number 0, and leads to the start states.
fn aldebaran(_: &Walker<'_>, graph: &Transitions) -> String {
    let states: Vec<&Move> = graph.states().collect();
    let starts: Vec<usize> = graph.starts().collect();
    let mut text = format!("des (0, {}, {})\n", starts.len() + graph.edges().len(), states.len() + 1);
    for start in starts {
        let name = states.get(start).map_or(String::new(), |found| label(found));
        let _ = writeln!(text, "(0, {}, {})", quoted(&name), start + 1);
    }
    for (from, found, to) in graph.edges() {
        let _ = writeln!(text, "({}, {}, {})", from + 1, quoted(&label(found)), to + 1);
    }
    text
}

fn graphviz(walker: &Walker<'_>, graph: &Transitions) -> String {
    let starts: Vec<usize> = graph.starts().collect();
    let mut text = "digraph model {\n  node [shape=box];\n".to_owned();
    for (number, found) in graph.states().enumerate() {
        let bold = if starts.contains(&number) { ", style=bold" } else { "" };
        let state = walker.state(found).to_string();
        let _ = writeln!(text, "  s{number} [label={}{bold}];", quoted(state.trim_end()));
    }
    for (from, found, to) in graph.edges() {
        let _ = writeln!(text, "  s{from} -> s{to} [label={}];", quoted(&label(found)));
    }
    text + "}\n"
}

fn json_lines(walker: &Walker<'_>, graph: &Transitions) -> String {
    let starts: Vec<usize> = graph.starts().collect();
    let mut text = String::new();
    for (number, found) in graph.states().enumerate() {
        let line =
            json!({ "state": number, "start": starts.contains(&number), "variables": walker.state(found) });
        let _ = writeln!(text, "{line}");
    }
    for (from, found, to) in graph.edges() {
        let line = json!({ "from": from, "rule": found.rule, "parameters": found.parameters, "to": to });
        let _ = writeln!(text, "{line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "var x: 0..2; startstate \"zero\" x := 0; end; startstate \"two\" x := 2; end;
        ruleset d: 1..2 do rule \"up \\\"d\\\"\" x + d <= 2 ==> x := x + d; end; end;";

    fn written(form: Form, limit: usize) -> Result<String, Error> {
        Model::from_text("a.m", MODEL).with_interpreter(|interpreter| {
            let walker = Walker::new(interpreter);
            let graph = walker.graph(limit).map_err(|error| Error::Refused(error.to_string()))?;
            Ok(form(&walker, &graph))
        })
    }

    #[test]
    fn three_forms_of_one_graph() {
        let aut = written(aldebaran, 10).unwrap();
        let heading = aut.lines().next().unwrap();
        assert_eq!(heading, "des (0, 5, 4)");
        assert_eq!(aut.lines().count(), 6, "as many transitions as the heading says:\n{aut}");
        let dot = written(graphviz, 10).unwrap();
        assert_eq!(dot.matches(" -> ").count(), 3, "{dot}");
        assert_eq!(dot.matches("style=bold").count(), 2, "{dot}");
        let lines: Vec<serde_json::Value> = written(json_lines, 10)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0]["variables"]["x"], 0);
        assert!(matches!(written(aldebaran, 2), Err(Error::Refused(_))), "there are three states");
    }
}
