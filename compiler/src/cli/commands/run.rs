//! `mcc run`: builds a verifier in the cache and runs it at once.

use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::{OneModel, VerifierOptions};

/// Compiles a model to a verifier in the cache, and runs it
#[derive(Clone, Debug, Parser)]
#[command(name = "run")]
pub struct Run {
    #[command(flatten)]
    model: OneModel,

    #[command(flatten)]
    verifier: VerifierOptions,
}

impl Subcommand for Run {
    fn run(self) -> Result<ExitCode, Stop> {
        plain(&Options {
            run: true,
            verifier_options: self.verifier.verifier_options,
            ..self.model.options()
        })
    }
}
