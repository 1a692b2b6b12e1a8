//! `mcc check`: reports what is wrong with a model, and what could be better.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::OneModel;

/// Reports what is wrong with a model, what is never used or decided beforehand, and which of its
/// types could be scalarsets
#[derive(Clone, Debug, Parser)]
#[command(name = "check")]
pub struct Check {
    #[command(flatten)]
    model: OneModel,

    /// Write what was found to FILE as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Subcommand for Check {
    fn run(self) -> Result<ExitCode, Stop> {
        plain(&Options { check: true, json: self.json, ..self.model.options() })
    }
}
