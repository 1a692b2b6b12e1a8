//! `mcc independence`: which rules are independent, and what couples the others.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::{OneModel, VerifierOptions};

/// Shows which rules are independent, and which variables couple the others
#[derive(Clone, Debug, Parser)]
#[command(name = "independence")]
pub struct Independence {
    #[command(flatten)]
    model: OneModel,

    /// Write the result to FILE as JSON; `-` is standard output
    #[arg(long, value_name = "FILE", conflicts_with = "test")]
    json: Option<PathBuf>,

    /// Test the result in the interpreter, state by state; `-- --max-states N` sets the number of
    /// states [default: 100000]
    #[arg(long)]
    test: bool,

    #[command(flatten)]
    verifier: VerifierOptions,
}

impl Subcommand for Independence {
    fn run(self) -> Result<ExitCode, Stop> {
        let Independence { model, json, test, verifier } = self;
        plain(&Options {
            independence: !test,
            check_independence: test,
            json,
            verifier_options: verifier.verifier_options,
            ..model.options()
        })
    }
}
