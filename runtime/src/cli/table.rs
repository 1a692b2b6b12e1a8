//! The table of options: one row for each, from which the command line, its help, the report, the
//! heading and the identity of a checkpoint follow.
//!
//! A new option is a field of [`Options`], a row in one of the groups below, and what it does.

mod field;
mod limits;
mod machines;
mod output;
mod search;
mod sets;

use super::{AFTER_HELP, Options, SearchOrder, heading};
use crate::contract::model::Model;
use crate::datum::Datum;
use crate::settings::Settings;
use clap::{Arg, ArgMatches, Command};
use field::Field;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// What the user has chosen, with what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    pub model: &'a dyn Model,
    pub options: &'a Options,
    pub settings: &'a Settings,
    /// Of all random choices.
    pub seed: u64,
    pub arguments: &'a [OsString],
}

/// All options, in the order of the help.
const GROUPS: &[Group] = &[
    search::SEARCH,
    sets::HASH_COMPACTION,
    sets::CACHE,
    sets::DISK,
    limits::ERRORS,
    limits::LIMITS,
    limits::CHECKPOINTS,
    machines::CLUSTER,
    machines::WORKERS,
    output::OUTPUT,
    output::PROGRAM,
];

/// Options that stand under one title of the help.
struct Group {
    title: Option<&'static str>,
    options: &'static [OptionSpec],
}

/// An option, and what is said about it.
struct OptionSpec {
    /// As typed, without the dashes.
    long: &'static str,
    /// Where its value is kept.
    field: fn(&mut Options) -> &mut dyn Field,
    help: &'static str,
    /// What the command line says of it beyond its name, the type of its value and the help.
    argument: fn(Arg) -> Arg,
    /// Keys of the report's `options`, with their values, where the option matters.
    report: fn(&Chosen<'_>) -> Vec<(&'static str, Datum)>,
    /// What a checkpoint has to agree with, if the option decides what is found.
    identity: fn(&Settings) -> Option<String>,
    /// Lines above a search, and which of all of them come first: those with the smallest number.
    heading: (u8, Lines),
}

/// Lines of the heading.
type Lines = fn(&Chosen<'_>) -> Vec<String>;

/// A row: an option that changes neither what is found nor what is reported, unless it goes on.
impl OptionSpec {
    const fn new(long: &'static str, field: fn(&mut Options) -> &mut dyn Field) -> Self {
        OptionSpec {
            long,
            field,
            help: "",
            argument: |argument| argument,
            report: |_| Vec::new(),
            identity: |_| None,
            heading: (u8::MAX, |_| Vec::new()),
        }
    }

    const fn help(self, help: &'static str) -> Self {
        OptionSpec { help, ..self }
    }

    const fn argument(self, argument: fn(Arg) -> Arg) -> Self {
        OptionSpec { argument, ..self }
    }

    const fn report(self, report: fn(&Chosen<'_>) -> Vec<(&'static str, Datum)>) -> Self {
        OptionSpec { report, ..self }
    }

    const fn identity(self, identity: fn(&Settings) -> Option<String>) -> Self {
        OptionSpec { identity, ..self }
    }

    const fn heading(self, place: u8, lines: Lines) -> Self {
        OptionSpec { heading: (place, lines), ..self }
    }
}

fn switch(on: bool) -> Option<String> {
    Some(if on { "on" } else { "off" }.to_owned())
}

/// A row of a switch for a set that keeps all states and has nothing to choose.
const fn exact_set(long: &'static str, field: fn(&mut Options) -> &mut dyn Field) -> OptionSpec {
    const OTHERS: [&str; 5] = ["simulate", "compact", "cache", "cache-states", "disk"];
    // Only one of a group is accepted.
    let alone = |argument: Arg| argument.conflicts_with_all(OTHERS).group("exact-set");
    OptionSpec::new(long, field).argument(alone).identity(|_| switch(false))
}

fn all() -> impl Iterator<Item = &'static OptionSpec> {
    GROUPS.iter().flat_map(|group| group.options)
}

/// The command line of a verifier.
pub(super) fn command() -> Command {
    let mut options = Options::default();
    let about =
        "Explores every state that the model can reach, and reports the first error with a trace to it.";
    let mut command = Command::new(env!("CARGO_PKG_NAME"))
        .disable_version_flag(true)
        .args_override_self(true)
        .about(about)
        .after_help(AFTER_HELP)
        .max_term_width(100);
    for group in GROUPS {
        for option in group.options {
            let named = Arg::new(option.long).long(option.long).help_heading(group.title);
            let typed = (option.field)(&mut options).declare(named);
            let described = if option.help.is_empty() { typed } else { typed.help(option.help) };
            command = command.arg((option.argument)(described));
        }
    }
    command
}

/// The values of a command line that [`command`] has accepted.
pub(super) fn read(mut matches: ArgMatches) -> Options {
    let mut options = Options::default();
    for option in all() {
        (option.field)(&mut options).read(&mut matches, option.long);
    }
    options
}

impl Chosen<'_> {
    /// The name of the search in reports.
    pub fn search(&self) -> &'static str {
        match self.options.search {
            _ if self.options.simulate => "simulation",
            SearchOrder::Bfs => "bfs",
            SearchOrder::Dfs => "dfs",
        }
    }

    /// The options in force, for the report.
    pub fn report(&self) -> BTreeMap<&'static str, Datum> {
        let typed: Vec<String> =
            self.arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        let in_force = all().flat_map(|option| (option.report)(self));
        let of_set = if self.options.simulate { Vec::new() } else { self.settings.set.plugin().options() };
        in_force.chain(of_set).chain([("arguments", typed.into())]).collect()
    }

    /// The lines above a search, or above a random walk.
    pub fn heading(&self) -> Vec<String> {
        let first = heading::first(self);
        if self.options.simulate {
            return vec![first];
        }
        let mut parts: Vec<(u8, Lines)> = all().map(|option| option.heading).collect();
        parts.sort_by_key(|(place, _)| *place);
        [first].into_iter().chain(parts.into_iter().flat_map(|(_, lines)| lines(self))).collect()
    }
}

/// The options that decide what a search finds, as a checkpoint keeps them.
pub(crate) fn identity(settings: &Settings) -> BTreeMap<String, String> {
    let decisive = all().filter_map(|option| {
        let value = (option.identity)(settings)?;
        Some((format!("--{}", option.long), value))
    });
    let of_set = settings.set.plugin().identity().into_iter();
    decisive.chain(of_set.map(|(option, value)| (option.to_owned(), value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::parser::ValueSource;
    use std::collections::BTreeSet;

    /// A field without a row would keep its first value, whatever the user types.
    #[test]
    fn each_option_has_one_row() {
        let mut options = Options::default();
        let fields = format!("{options:#?}").lines().filter(|line| line.starts_with("    ")).count();
        let address = |option: &OptionSpec| std::ptr::from_mut((option.field)(&mut options)).addr();
        let rows: Vec<usize> = all().map(address).collect();
        let distinct: BTreeSet<usize> = rows.iter().copied().collect();
        assert_eq!((rows.len(), distinct.len()), (fields, fields));
    }

    #[test]
    fn the_command_line_is_sound() {
        command().debug_assert();
    }

    /// Parsers and fields have the same types: clap finds out when a value is read.
    #[test]
    fn each_value_is_read() {
        let lines = [
            "--search dfs --threads 1 --compact --bits 40 --slots 100 --target 0.1 --expect-states 10 \
             --expect-depth 5 --runs 2 --probes 7 --symmetry fast --threads-from 3 --sleep=path",
            "--cache 1M --replace direct --max-collisions 0.5 --queue disk --queue-memory 1M \
             --cluster local:2 --process 0 --secret s --checkpoint 1 --checkpoint-directory d",
            "--disk d --table-memory 1M --resume r --serve s --memory 1G --max-depth 9 --max-states 8 \
             --loop-limit 7 --max-errors 3 --fairness weak --watch last",
            "--cache-states 5 --work w --retry 3 --work-for 1 --pace 4 --directory d",
            "--simulate --steps 5 --seed 4 --json j --html h --sequence s --graph g --graph-limit 5 \
             --lanes l --messages m --locality --locality-svg f --trace full --progress 3 --color never",
        ];
        let mut typed = BTreeSet::new();
        for line in lines {
            let arguments = ["verifier"].into_iter().chain(line.split_whitespace());
            let matches = command().try_get_matches_from(arguments).unwrap();
            let given = |name: &&str| matches.value_source(name) == Some(ValueSource::CommandLine);
            typed.extend(matches.ids().map(|id| id.as_str()).filter(given).map(str::to_owned));
            read(matches);
        }
        let command = command();
        let valued = command.get_arguments().filter(|option| option.get_action().takes_values());
        let valued: Vec<&str> = valued.map(|option| option.get_id().as_str()).collect();
        assert_eq!(valued.into_iter().filter(|option| !typed.contains(*option)).collect::<Vec<_>>(), [""; 0]);
    }
}
