//! `mcc build`: compiles a model into a verifier.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::OneModel;

/// Compiles a model into a standalone verifier
#[derive(Clone, Debug, Parser)]
#[command(name = "build")]
pub struct Build {
    #[command(flatten)]
    model: OneModel,

    /// Write the verifier to FILE [default: the name of the model without `.m`, in the current
    /// directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the generated crate to DIR; without -o, build nothing
    #[arg(long, value_name = "DIR")]
    emit: Option<PathBuf>,

    /// Build a verifier that counts how often statements and properties are evaluated, and reports
    /// it with its own option --coverage
    #[arg(long)]
    coverage: bool,
}

impl Subcommand for Build {
    fn run(self) -> Result<ExitCode, Stop> {
        let Build { model, output, emit, coverage } = self;
        plain(&Options { output, emit, coverage, ..model.options() })
    }
}
