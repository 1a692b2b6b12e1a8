//! The options of `mcc`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, ColorChoice, Parser};

use crate::source::Definition;

/// What `-h` says below the options.
const MORE: &str = "`mcc --help` describes each option in full, with examples and exit codes.";

const EXAMPLES: &str = "\
Examples:
  mcc interpret peterson.m -- -vdfs         run a model without building anything
  mcc run peterson.m -- -b --max-depth 50   compile it and run it
  mcc run -D process_count=3 peterson.m     with another value of a constant
  mcc peterson.m -o verifier                write the verifier, to run anywhere
  mcc check peterson.m                      find errors in a model, and possible improvements
  mcc simulate peterson.m                   step through a model
  mcc replay report.json peterson.m         check the counterexample of a report
  mcc independence peterson.m               show which rules are independent
  mcc --emit crate/ peterson.m              write the generated crate

Exit codes:
  0  success
  2  the command line or the model is wrong, the build failed, or a file could not be written
  With --simulate: 2 if a command from a file or a pipe is invalid
  With --replay: 0 the trace and its error are real, 1 they are not, 2 unreadable, 3 undecided
  With --check-independence: 1 if two rules are not independent that should be
  With --run or --interpret, that of the verifier: 0 verified, 1 violated, 2 wrong options, 3 inconclusive
  With --run also: 3 if the verifier ends without announcing a verdict, 128 + N if signal N ends it

Environment:
  MCC_CACHE  the directory of the build cache [default: `mcc` in the user's cache directory]; no other user
             may have write permission
  CARGO      the cargo to build with
  NO_COLOR   no colours, unless --color says otherwise";

/// Compiles a Murphi model into a standalone verifier.
#[derive(Clone, Debug, Parser)]
#[command(name = "mcc", version = env!("MCC_VERSION"), after_help = MORE, after_long_help = EXAMPLES)]
#[command(group(ArgGroup::new("finds").args(["check", "independence"])))]
#[command(group(ArgGroup::new("runs").args(["run", "interpret", "simulate", "check_independence"])))]
pub struct Options {
    /// The model; `-` reads it from standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Write the verifier to FILE [default: the name of the model without `.m`, in the current
    /// directory]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Set the constant NAME to VALUE, which is a number, `true`, `false` or an enum member; repeat
    /// it for several constants
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub define: Vec<Definition>,

    /// Write the generated crate to DIR; without -o or --run, build nothing
    #[arg(long, value_name = "DIR")]
    pub emit: Option<PathBuf>,

    /// Report errors, warnings and lints of the model, and types that could be scalarsets; build
    /// nothing
    #[arg(long, conflicts_with_all = ["output", "emit", "run"])]
    pub check: bool,

    /// Build a verifier that counts how often statements and properties are evaluated, and reports
    /// it with its own option --coverage
    #[arg(long, conflicts_with_all = ["check", "interpret"])]
    pub coverage: bool,

    /// Build the verifier in the cache and run it at once
    #[arg(long)]
    pub run: bool,

    /// Run the model at once in the interpreter: no cargo, no waiting, but slower than --run
    #[arg(long, conflicts_with_all = ["output", "emit", "run", "check"])]
    pub interpret: bool,

    /// Step through the model in the interpreter: choose rules by number; `help` lists the commands
    #[arg(long, conflicts_with_all = ["output", "emit", "run", "check", "interpret"])]
    pub simulate: bool,

    /// Replay the trace of a report (verifier --json FILE) or of a saved walk in the interpreter,
    /// and check each step and the error; `-` is standard input
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["output", "emit", "run", "check", "interpret", "simulate"]
    )]
    pub replay: Option<PathBuf>,

    /// With --replay: the number of the error in the report [default: 1]
    #[arg(long, value_name = "N", requires = "replay")]
    pub error: Option<usize>,

    /// With --replay: also replay the trace of another model, such as an earlier version
    #[arg(long, requires = "replay")]
    pub force: bool,

    /// Print which rules are independent, and which variables couple the others
    #[arg(
        long,
        conflicts_with_all = ["output", "emit", "run", "check", "interpret", "simulate", "replay"]
    )]
    pub independence: bool,

    /// With --check or --independence: write the result to FILE as JSON; `-` is standard output
    #[arg(long, value_name = "FILE", requires = "finds")]
    pub json: Option<PathBuf>,

    /// Test the result of --independence in the interpreter, state by state; `-- --max-states N`
    /// sets the number of states [default: 100000]
    #[arg(
        long,
        conflicts_with_all =
            ["output", "emit", "run", "check", "interpret", "simulate", "replay", "independence"]
    )]
    pub check_independence: bool,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,

    /// Print only errors, and with --run or --interpret the verdict
    #[arg(short, long)]
    pub quiet: bool,

    /// Show the output of cargo, and the time of each step
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,

    /// Options of the verifier, with --run or --interpret; some of them also with --simulate and
    /// --check-independence
    #[arg(last = true, requires = "runs", value_name = "VERIFIER-OPTIONS")]
    pub verifier_options: Vec<OsString>,
}

impl Options {
    /// Whether the verifier is to count what it evaluates.
    pub fn counts_coverage(&self) -> bool {
        self.coverage || self.verifier_options.iter().any(|option| option == "--coverage")
    }

    /// The options for a verifier: it is quiet if mcc is.
    pub fn for_verifier(&self) -> impl Iterator<Item = OsString> + '_ {
        let quiet = self.quiet.then(|| OsString::from("--quiet"));
        let says = self.verifier_options.iter().any(|option| option == "--coverage");
        let coverage = (self.coverage && !says).then(|| OsString::from("--coverage"));
        quiet.into_iter().chain(coverage).chain(self.verifier_options.iter().cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn parse(line: &str) -> Result<Options, ErrorKind> {
        Options::try_parse_from(line.split(' ')).map_err(|error| error.kind())
    }

    #[test]
    fn the_definition_is_consistent() {
        Options::command().debug_assert();
    }

    #[test]
    fn actions_combine_where_it_makes_sense() {
        for line in [
            "mcc a.m",
            "mcc a.m -o v",
            "mcc -o v --emit d a.m",
            "mcc --emit d --run a.m",
            "mcc -",
            "mcc --run a.m -- -b -m200 --json -",
            "mcc --check --color never a.m",
            "mcc --simulate a.m -- --no-priorities",
            "mcc --replay t.json --error 2 --force a.m",
            "mcc --independence --json - a.m",
            "mcc --check --json found.json a.m",
            "mcc -D N=4 -DM=-1 --define on=true --run a.m -- -ndl",
            "mcc --check-independence a.m -- --max-states 100",
        ] {
            assert!(parse(line).is_ok(), "{line}");
        }
        for line in [
            "mcc --check -o v a.m",
            "mcc --check --emit d a.m",
            "mcc --check --run a.m",
            "mcc -q -v a.m",
            "mcc --simulate --replay t.json a.m",
            "mcc --independence --check-independence a.m",
            "mcc --independence -o v a.m",
        ] {
            assert_eq!(parse(line).unwrap_err(), ErrorKind::ArgumentConflict, "{line}");
        }
        assert_eq!(parse("mcc a.m -- -b").unwrap_err(), ErrorKind::MissingRequiredArgument);
        for line in ["mcc a.m --json f", "mcc --interpret a.m --json f", "mcc --run --json f a.m"] {
            assert_eq!(parse(line).unwrap_err(), ErrorKind::MissingRequiredArgument, "{line}");
        }
        assert_eq!(parse("mcc").unwrap_err(), ErrorKind::MissingRequiredArgument);
    }
}
