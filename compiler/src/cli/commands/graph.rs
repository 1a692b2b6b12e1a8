//! `mcc graph`: the states and labelled transitions of a model, for bisimulation tools and
//! drawings.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use mcc_runtime::embedding::{Graph as Transitions, Walker};
use mcc_runtime::host::Target;
use mcc_runtime::host::graph::{FORMS, Form, GraphSize, GraphWriter};
use mcc_runtime::host::text::plural;
use mcc_runtime::model::Model as _;

use super::super::options::Options;
use super::super::{Stop, on_large_stack, report, say};
use super::Subcommand;
use super::shared::OneModel;
use crate::diagnostics::Diagnostic;
use crate::interpret::Interpreter;
use crate::source::Source;
use crate::{Reading, has_errors, input};

/// Writes all states and labelled transitions of a model, without any reduction
#[derive(Clone, Debug, Parser)]
#[command(name = "graph")]
pub struct Graph {
    #[command(flatten)]
    model: OneModel,

    /// The file to write: `.aut` (Aldebaran), `.dot` (Graphviz) or `.json` (JSON lines); `-` is
    /// standard output
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The format, whatever the name of the file
    #[arg(long, value_name = "FORM", value_parser = PossibleValuesParser::new(["aut", "dot", "json"]))]
    form: Option<String>,

    /// The largest number of states; larger graphs are not written
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    limit: usize,
}

impl Subcommand for Graph {
    fn run(self) -> Result<ExitCode, Stop> {
        let Graph { model, file, form, limit } = self;
        let named = form.map_or_else(|| file.clone(), |form| Path::new("graph").with_extension(form));
        let Some(form) = Form::of(&named) else {
            let message = format!("{}: {FORMS}", file.display());
            return Err(Stop::Message { message, help: Some("--form FORM says it for any name") });
        };
        let unwritten = |error: io::Error| {
            let message = format!("cannot write {}: {error}", file.display());
            Stop::Message { message, help: None }
        };
        // Before the work, so that a mistake is found out then.
        let target = Target::open(&file).map_err(unwritten)?;
        let options = model.options();
        let stop = |message| Stop::Message { message, help: None };
        let (source, noticed) = input::read(&options.model).map_err(stop)?;
        let source = source.with_definitions(options.define.clone());
        let work = move |source: &Source| text(source, &noticed, &options, limit, form);
        let text = on_large_stack(source, work)?.1?;
        target.write(&text, &mut io::stdout().lock()).map_err(unwritten)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The graph of a model as it is written: variables with which formulas are watched are left out.
fn text(
    source: &Source,
    noticed: &[Diagnostic],
    options: &Options,
    limit: usize,
    form: Form,
) -> Result<Vec<u8>, Stop> {
    let Reading { model, diagnostics, .. } = crate::read(source);
    let all: Vec<Diagnostic> = noticed.iter().cloned().chain(diagnostics).collect();
    report(source, &all, options)?;
    if has_errors(&all) {
        return Err(Stop::Reported);
    }
    let interpreter = Interpreter::new(model, source);
    let mut walker = Walker::new(&interpreter);
    let graph = walker.graph(limit).map_err(|error| Stop::Message {
        message: error.to_string(),
        help: Some("--limit N allows more; a verifier writes large graphs faster (--graph)"),
    })?;
    if walker.failed() > 0 {
        let failed = plural(walker.failed(), "transition");
        say(&format!("warning: {failed} of rules that fail are not in the graph; a search reports them"));
    }
    let mut text = Vec::new();
    write(&interpreter, &graph, form, &mut text)
        .map_err(|error| Stop::Message { message: error.to_string(), help: None })?;
    Ok(text)
}

fn write(interpreter: &Interpreter, graph: &Transitions, form: Form, out: &mut dyn Write) -> io::Result<()> {
    let starts: Vec<usize> = graph.starts().collect();
    let mut writer = GraphWriter::new(form, interpreter.description(), out);
    let (states, edges) = (graph.states().len() as u64, graph.edges().len() as u64);
    writer.begin(GraphSize { states, starts: starts.len() as u64, edges })?;
    for (number, found) in graph.states().enumerate() {
        let start = starts.binary_search(&number).is_ok().then_some(found.instance);
        writer.state(number as u64, start, &found.words)?;
    }
    for (from, found, to) in graph.edges() {
        writer.edge(from as u64, found.instance, to as u64)?;
    }
    writer.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    const MODEL: &str = "var x: 0..2; startstate \"zero\" x := 0; end; startstate \"two\" x := 2; end;
        ruleset d: 1..2 do rule \"up \\\"d\\\"\" x + d <= 2 ==> x := x + d; end; end;";

    fn written(form: Form, limit: usize) -> Result<String, Stop> {
        let options = Graph::command().try_get_matches_from(["graph", "a.m", "a.aut"]).unwrap();
        let options = <Graph as clap::FromArgMatches>::from_arg_matches(&options).unwrap();
        let text = text(&Source::new("a.m", MODEL), &[], &options.model.options(), limit, form)?;
        Ok(String::from_utf8(text).unwrap())
    }

    #[test]
    fn three_forms_of_one_graph() {
        let written = |form, limit| written(form, limit).map_err(|_| ());
        let aut = written(Form::Aldebaran, 10).unwrap();
        let heading = aut.lines().next().unwrap();
        assert_eq!(heading, "des (0, 5, 4)");
        assert_eq!(aut.lines().count(), 6, "as many transitions as the heading says:\n{aut}");
        let dot = written(Form::Graphviz, 10).unwrap();
        assert_eq!(dot.matches(" -> ").count(), 3, "{dot}");
        assert_eq!(dot.matches("style=bold").count(), 2, "{dot}");
        let lines: Vec<serde_json::Value> = written(Form::JsonLines, 10)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0]["variables"]["x"], 0);
        assert!(written(Form::Aldebaran, 2).is_err(), "there are three states");
    }
}
