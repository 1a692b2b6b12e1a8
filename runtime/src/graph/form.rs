//! Graphs as text: Aldebaran for bisimulation tools, Graphviz for drawings, JSON lines for scripts.
//! States come first, numbered from 0 on, then the transitions.

use crate::contract::model::{Description, Family};
use crate::contract::values::{State, instance, variables};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

/// How a graph is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Aldebaran,
    Graphviz,
    JsonLines,
}

/// What a name that fits no form is refused with.
pub const FORMS: &str = "the name of a graph ends in .aut (Aldebaran), .dot (Graphviz) or .json (JSON lines)";

impl Form {
    /// The form that a file's name asks for.
    pub fn of(path: &Path) -> Option<Form> {
        match path.extension()?.to_str()? {
            "aut" => Some(Form::Aldebaran),
            "dot" => Some(Form::Graphviz),
            "json" => Some(Form::JsonLines),
            _ => None,
        }
    }
}

/// How large a graph is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphSize {
    pub states: u64,
    pub starts: u64,
    pub edges: u64,
}

/// Writes a graph piece by piece: [`GraphWriter::begin`], all states, all transitions,
/// [`GraphWriter::end`].
pub struct GraphWriter<'a> {
    form: Form,
    description: &'a Description,
    out: &'a mut dyn Write,
}

/// A line of JSON for a state.
#[derive(Serialize)]
struct StateLine {
    state: u64,
    start: bool,
    variables: State,
}

/// A line of JSON for a transition.
#[derive(Serialize)]
struct EdgeLine {
    from: u64,
    rule: &'static str,
    parameters: BTreeMap<&'static str, String>,
    to: u64,
}

impl<'a> GraphWriter<'a> {
    pub fn new(form: Form, description: &'a Description, out: &'a mut dyn Write) -> GraphWriter<'a> {
        GraphWriter { form, description, out }
    }

    pub fn begin(&mut self, size: GraphSize) -> io::Result<()> {
        let GraphSize { states, starts, edges } = size;
        match self.form {
            // This form has one initial state: it is number 0, and leads to the start states.
            Form::Aldebaran => writeln!(self.out, "des (0, {}, {})", starts + edges, states + 1),
            Form::Graphviz => writeln!(self.out, "digraph model {{\n  node [shape=box];"),
            Form::JsonLines => Ok(()),
        }
    }

    /// A state; if it is a start state, with the start rule that leads to it first.
    pub fn state(&mut self, number: u64, start: Option<u32>, words: &[u64]) -> io::Result<()> {
        let description = self.description;
        match (self.form, start) {
            (Form::Aldebaran, Some(start)) => {
                let label = quoted(&visible(label(description.starts, start)));
                writeln!(self.out, "(0, {label}, {})", number + 1)
            }
            (Form::Aldebaran, None) => Ok(()),
            (Form::Graphviz, start) => {
                let mut text = String::new();
                for (name, value) in variables(description, words) {
                    let _ = writeln!(text, "{name}: {value}");
                }
                let bold = if start.is_some() { ", style=bold" } else { "" };
                writeln!(self.out, "  s{number} [label={}{bold}];", quoted(text.trim_end()))
            }
            (Form::JsonLines, start) => {
                let variables = State(variables(description, words));
                self.line(&StateLine { state: number, start: start.is_some(), variables })
            }
        }
    }

    /// A transition by a rule between two states.
    pub fn edge(&mut self, from: u64, rule: u32, to: u64) -> io::Result<()> {
        let families = self.description.rules;
        match self.form {
            Form::Aldebaran => {
                let label = quoted(&visible(label(families, rule)));
                writeln!(self.out, "({}, {label}, {})", from + 1, to + 1)
            }
            Form::Graphviz => {
                writeln!(self.out, "  s{from} -> s{to} [label={}];", quoted(&label(families, rule)))
            }
            Form::JsonLines => {
                let (rule, parameters) = named(families, rule);
                self.line(&EdgeLine { from, rule, parameters, to })
            }
        }
    }

    pub fn end(&mut self) -> io::Result<()> {
        match self.form {
            Form::Aldebaran | Form::JsonLines => Ok(()),
            Form::Graphviz => writeln!(self.out, "}}"),
        }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut *self.out, line)?;
        self.out.write_all(b"\n")
    }
}

/// The name of a rule or start rule, and its parameters.
fn named(families: &'static [Family], number: u32) -> (&'static str, BTreeMap<&'static str, String>) {
    instance(families, number).map_or(("", BTreeMap::new()), |found| {
        let arguments = found.arguments.iter();
        let parameters = arguments.map(|one| (one.parameter.name, one.label().into_owned())).collect();
        (found.family.name, parameters)
    })
}

/// `rule, parameter: value`
fn label(families: &'static [Family], number: u32) -> String {
    let (rule, parameters) = named(families, number);
    let mut label = rule.to_owned();
    for (name, value) in parameters {
        let _ = write!(label, ", {name}: {value}");
    }
    label
}

/// A label that tools for bisimulation do not take for a step that cannot be seen, which is `i` in
/// CADP and `tau` in mCRL2.
fn visible(label: String) -> String {
    match label.as_str() {
        "i" | "tau" => format!("rule {label}"),
        _ => label,
    }
}

/// A text between quotes, on one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for one in text.chars() {
        match one {
            '"' | '\\' => quoted.extend(['\\', one]),
            '\n' => quoted.push_str("\\n"),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rule_is_an_invisible_step() {
        for (name, expected) in [("i", "rule i"), ("tau", "rule tau"), ("I", "I"), ("i, p: 1", "i, p: 1")] {
            assert_eq!(visible(name.to_owned()), expected);
        }
    }
}
