//! `mcc simulate`: a walk through a model by hand.

use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::{OneModel, VerifierOptions};

/// Steps through a model in the interpreter: choose rules by number
#[derive(Clone, Debug, Parser)]
#[command(name = "simulate")]
pub struct Simulate {
    #[command(flatten)]
    model: OneModel,

    #[command(flatten)]
    verifier: VerifierOptions,
}

impl Subcommand for Simulate {
    fn run(self) -> Result<ExitCode, Stop> {
        plain(&Options {
            simulate: true,
            verifier_options: self.verifier.verifier_options,
            ..self.model.options()
        })
    }
}
