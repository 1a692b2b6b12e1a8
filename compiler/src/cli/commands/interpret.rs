//! `mcc interpret`: runs a model without building anything.

use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::{OneModel, VerifierOptions};

/// Runs a model in the interpreter: at once, but slower than `mcc run`
#[derive(Clone, Debug, Parser)]
#[command(name = "interpret")]
pub struct Interpret {
    #[command(flatten)]
    model: OneModel,

    #[command(flatten)]
    verifier: VerifierOptions,
}

impl Subcommand for Interpret {
    fn run(self) -> Result<ExitCode, Stop> {
        plain(&Options {
            interpret: true,
            verifier_options: self.verifier.verifier_options,
            ..self.model.options()
        })
    }
}
