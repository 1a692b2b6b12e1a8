//! Options of what is printed and written, and of the program itself.

use super::{Group, OptionSpec};
use crate::cli::values::parse_progress;

pub(super) const OUTPUT: Group = Group {
    title: Some("Output"),
    options: &[
        OptionSpec::new("trace", |options| &mut options.trace)
            .help("What a trace shows of its states")
            .argument(|argument| argument.value_name("HOW").default_value("diff")),
        OptionSpec::new("violating-trace", |options| &mut options.violating_trace)
            .help("Print the trace to an error: the default")
            .argument(|argument| argument.hide(true).conflicts_with("show-states")),
        OptionSpec::new("show-states", |options| &mut options.show_states)
            .help("Print every state when it is found"),
        OptionSpec::new("locality", |options| &mut options.locality).help(
            "Measure how far transitions lead: for each k, the fraction that leads k levels \
                 forward",
        ),
        OptionSpec::new("locality-svg", |options| &mut options.locality_svg)
            .help("With --locality: write a histogram (SVG); - is standard output")
            .argument(|argument| argument.value_name("FILE").requires("locality")),
        OptionSpec::new("rule-statistics", |options| &mut options.rule_statistics)
            .help("List how often each rule fired"),
        OptionSpec::new("coverage", |options| &mut options.coverage).help(
            "Count how often statements and properties are evaluated, and in the interpreter guards, \
                 and list the lines that never are; mcc builds a verifier that counts",
        ),
        OptionSpec::new("progress", |options| &mut options.progress)
            .help(
                "A line of progress every 10^N states, or \"off\" [default: a live line on a \
                 terminal, otherwise 6]",
            )
            .argument(|argument| argument.value_name("N|off").value_parser(parse_progress)),
        OptionSpec::new("verbose", |options| &mut options.verbose).help("With --simulate: print each step"),
        OptionSpec::new("quiet", |options| &mut options.quiet).help("Print only the verdict"),
        OptionSpec::new("json", |options| &mut options.json)
            .help("Write a report as JSON; - is standard output")
            .argument(|argument| argument.value_name("FILE")),
        OptionSpec::new("html", |options| &mut options.html)
            .help(
                "Write a page for a browser: verdict, figures, traces, charts and the model's \
                 text in one file; - is standard output",
            )
            .argument(|argument| argument.value_name("FILE")),
        OptionSpec::new("sequence", |options| &mut options.sequence)
            .help(
                "Write the trace of the first error as a sequence diagram: Mermaid, or PlantUML \
                 if FILE ends in .puml; - is standard output",
            )
            .argument(|argument| argument.value_name("FILE")),
        OptionSpec::new("graph", |options| &mut options.graph)
            .help(
                "Write the graph of all states and labelled transitions: .aut (Aldebaran), .dot \
                 (Graphviz) or .json (JSON lines)",
            )
            .argument(|argument| argument.value_name("FILE")),
        OptionSpec::new("graph-limit", |options| &mut options.graph_limit)
            .help("With --graph: the largest number of states; larger graphs are not written")
            .argument(|argument| argument.value_name("N").default_value("100000").requires("graph")),
        OptionSpec::new("lanes", |options| &mut options.lanes)
            .help(
                "With --html or --sequence: the type whose values have lanes [default: guessed \
                 from the rules]",
            )
            .argument(|argument| argument.value_name("TYPE")),
        OptionSpec::new("messages", |options| &mut options.messages)
            .help(
                "With --html or --sequence: the variable with the messages [default: all \
                 multisets of records]",
            )
            .argument(|argument| argument.value_name("VARIABLE")),
        OptionSpec::new("color", |options| &mut options.color)
            .argument(|argument| argument.value_name("WHEN").default_value("auto")),
        OptionSpec::new("directory", |options| &mut options.directory)
            .help(
                "The directory for temporary files: records for the traces of --compact and \
                 --cache, and the queue of --queue disk [default: the temporary directory of the \
                 system]",
            )
            .argument(|argument| argument.value_name("DIR")),
    ],
};

pub(super) const PROGRAM: Group = Group {
    title: None,
    options: &[
        OptionSpec::new("licence", |options| &mut options.licence)
            .help("Print the licence")
            .argument(|argument| argument.alias("license")),
        OptionSpec::new("version", |options| &mut options.version)
            .help("Print the version and the name of the model")
            .argument(|argument| argument.short('V')),
    ],
};
