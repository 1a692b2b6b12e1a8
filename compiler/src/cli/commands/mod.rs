//! The subcommands of `mcc`, one file each. They stand beside the options of the plain command line
//! (`mcc model.m -o verifier`), which stay.
//!
//! A new one is a struct that derives [`clap::Parser`] and implements [`Subcommand`], in a file of
//! its own, and a line in [`ALL`].

mod build;
mod cache;
mod check;
mod completions;
mod explain;
mod explore;
mod fmt;
mod graph;
mod independence;
mod interpret;
mod lsp;
mod man;
mod prefetch;
mod replay;
mod run;
mod shared;
mod simulate;
mod verify;

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use clap::{ArgMatches, Command, Parser};

use super::{Stop, answer};
use crate::suggestions::nearest;

/// The arguments of a subcommand, and what it does with them.
pub trait Subcommand: Parser {
    fn run(self) -> Result<ExitCode, Stop>;
}

/// One line of the table.
pub struct Entry {
    command: fn() -> Command,
    run: fn(&ArgMatches) -> Result<ExitCode, Stop>,
}

static ALL: &[Entry] = &[
    entry::<build::Build>(),
    entry::<cache::Cache>(),
    entry::<check::Check>(),
    entry::<completions::Completions>(),
    entry::<explain::Explain>(),
    entry::<fmt::Fmt>(),
    entry::<explore::Explore>(),
    entry::<graph::Graph>(),
    entry::<independence::Independence>(),
    entry::<interpret::Interpret>(),
    entry::<man::Man>(),
    entry::<prefetch::Prefetch>(),
    entry::<lsp::Lsp>(),
    entry::<replay::Replay>(),
    entry::<run::Run>(),
    entry::<simulate::Simulate>(),
    entry::<verify::Verify>(),
];

const fn entry<S: Subcommand>() -> Entry {
    let run = |matches: &ArgMatches| match S::from_arg_matches(matches) {
        Ok(subcommand) => subcommand.run(),
        Err(refusal) => answer(&refusal),
    };
    Entry { command: S::command, run }
}

/// The whole command line: the options of `mcc` without a subcommand, and all subcommands.
pub fn command_line(plain: Command) -> Command {
    plain
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
        .subcommand_help_heading("Subcommands")
        .arg(explain::option())
        .subcommands(ALL.iter().map(|entry| (entry.command)()))
}

/// Runs the subcommand that was named, if one was, or answers `--explain`.
pub fn run(matches: &ArgMatches) -> Option<Result<ExitCode, Stop>> {
    let Some((name, matches)) = matches.subcommand() else { return explain::by_option(matches) };
    let entry = ALL.iter().find(|entry| (entry.command)().get_name() == name)?;
    Some((entry.run)(matches))
}

/// What is wrong, and what to try, where the first argument is neither a subcommand nor a file, and
/// looks as if it was meant as one of these: a word without a dot.
pub fn mistaken(first: Option<&OsStr>) -> Option<(String, String)> {
    let word = first?.to_str()?;
    let is_word = word.starts_with(|one: char| one.is_ascii_alphabetic())
        && word.chars().all(|one| one.is_ascii_alphanumeric() || one == '-');
    let names: Vec<String> = ALL.iter().map(|entry| (entry.command)().get_name().to_owned()).collect();
    let is_known = word == "help" || names.iter().any(|name| name == word);
    if !is_word || is_known || Path::new(word).exists() {
        return None;
    }
    let help = match nearest(word, names.iter().map(String::as_str)) {
        Some(name) => format!("did you mean `mcc {name}`? `mcc help` lists all subcommands"),
        None => format!("the subcommands are {}; `mcc --help` says what they do", names.join(", ")),
    };
    Some((format!("there is no subcommand and no file {word}"), help))
}

#[cfg(test)]
mod tests {
    use super::super::options::Options;
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn parse(line: &str) -> Result<ArgMatches, ErrorKind> {
        command_line(Options::command()).try_get_matches_from(line.split(' ')).map_err(|error| error.kind())
    }

    #[test]
    fn the_definitions_are_consistent() {
        command_line(Options::command()).debug_assert();
    }

    #[test]
    fn subcommands_stand_beside_the_plain_command_line() {
        for (line, name) in [
            ("mcc a.m -o v", None),
            ("mcc --run a.m -- -b", None),
            ("mcc ./run", None),
            ("mcc build a.m -o v", Some("build")),
            ("mcc check -D N=3 a.m --json -", Some("check")),
            ("mcc run a.m -- -b -m200", Some("run")),
            ("mcc interpret -q a.m -- --max-depth 3", Some("interpret")),
            ("mcc fmt --check a.m b.m", Some("fmt")),
            ("mcc fmt --lines 3:9 -", Some("fmt")),
            ("mcc explore -D N=3 a.m --port 8000 --no-open", Some("explore")),
            ("mcc lsp --stdio", Some("lsp")),
            ("mcc simulate a.m", Some("simulate")),
            ("mcc explain unknown-name", Some("explain")),
            ("mcc --explain unknown-name", None),
            ("mcc replay report.json a.m", Some("replay")),
            ("mcc cache", Some("cache")),
            ("mcc cache clean -q", Some("cache")),
            ("mcc prefetch", Some("prefetch")),
            ("mcc --prefetch -q", Some("prefetch")),
            ("mcc completions zsh", Some("completions")),
            ("mcc man pages/", Some("man")),
            ("mcc independence a.m --test -- --max-states 9", Some("independence")),
        ] {
            let matches = parse(line).unwrap();
            assert_eq!(matches.subcommand_name(), name, "{line}");
        }
        let help = |word: &str| mistaken(Some(OsStr::new(word))).map(|(_, help)| help);
        assert!(help("fmtt").is_some_and(|help| help.contains("`mcc fmt`")));
        assert!(help("simulte").is_some_and(|help| help.contains("`mcc simulate`")));
        assert!(help("frobnicate").is_some_and(|help| help.contains("build, cache, check")));
        for other in ["a.m", "-o", "./run", "help", "lsp", "/"] {
            assert_eq!(help(other), None, "{other}");
        }
        assert_eq!(parse("mcc").unwrap_err(), ErrorKind::MissingRequiredArgument);
        assert_eq!(parse("mcc a.m --explain syntax").unwrap_err(), ErrorKind::ArgumentConflict);
        assert_eq!(parse("mcc run").unwrap_err(), ErrorKind::MissingRequiredArgument);
        assert_eq!(parse("mcc --run run a.m").unwrap_err(), ErrorKind::UnknownArgument);
    }
}
