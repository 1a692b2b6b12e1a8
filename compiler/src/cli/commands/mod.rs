//! The subcommands of `mcc`, one file each. They stand beside the options of the plain command line
//! (`mcc model.m -o verifier`), which stay.
//!
//! A new one is a struct that derives [`clap::Parser`] and implements [`Subcommand`], in a file of
//! its own, and a line in [`ALL`].

mod build;
mod check;
mod graph;
mod independence;
mod interpret;
mod replay;
mod run;
mod shared;
mod simulate;
mod verify;

use std::process::ExitCode;

use clap::{ArgMatches, Command, Parser};

use super::{Stop, answer};

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
    entry::<check::Check>(),
    entry::<graph::Graph>(),
    entry::<independence::Independence>(),
    entry::<interpret::Interpret>(),
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
        .subcommands(ALL.iter().map(|entry| (entry.command)()))
}

/// Runs the subcommand that was named, if one was.
pub fn run(matches: &ArgMatches) -> Option<Result<ExitCode, Stop>> {
    let (name, matches) = matches.subcommand()?;
    let entry = ALL.iter().find(|entry| (entry.command)().get_name() == name)?;
    Some((entry.run)(matches))
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
            ("mcc simulate a.m", Some("simulate")),
            ("mcc replay report.json a.m", Some("replay")),
            ("mcc independence a.m --test -- --max-states 9", Some("independence")),
        ] {
            let matches = parse(line).unwrap();
            assert_eq!(matches.subcommand_name(), name, "{line}");
        }
        assert_eq!(parse("mcc").unwrap_err(), ErrorKind::MissingRequiredArgument);
        assert_eq!(parse("mcc run").unwrap_err(), ErrorKind::MissingRequiredArgument);
        assert_eq!(parse("mcc --run run a.m").unwrap_err(), ErrorKind::UnknownArgument);
    }
}
