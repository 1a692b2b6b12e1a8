//! `mcc replay`: follows the trace of a report.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::OneModel;

/// Replays the trace of a report or of a saved walk in the interpreter, and checks each step and
/// the error
#[derive(Clone, Debug, Parser)]
#[command(name = "replay")]
pub struct Replay {
    /// The report (verifier --json FILE) or the saved walk; `-` is standard input
    #[arg(value_name = "REPORT")]
    report: PathBuf,

    #[command(flatten)]
    model: OneModel,

    /// The number of the error in the report [default: 1]
    #[arg(long, value_name = "N")]
    error: Option<usize>,

    /// Also replay the trace of another model, such as an earlier version
    #[arg(long)]
    force: bool,
}

impl Subcommand for Replay {
    fn run(self) -> Result<ExitCode, Stop> {
        let Replay { report, model, error, force } = self;
        plain(&Options { replay: Some(report), error, force, ..model.options() })
    }
}
