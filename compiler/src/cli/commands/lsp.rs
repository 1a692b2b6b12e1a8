//! `mcc lsp`: the language server for editors.

use std::process::ExitCode;

use clap::Parser;

use super::super::{Stop, internal};
use super::Subcommand;

/// Runs the language server for editors, on standard input and output
#[derive(Clone, Debug, Parser)]
#[command(name = "lsp")]
pub struct Lsp {
    /// Use standard input and output: the default, and the only transport
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Subcommand for Lsp {
    fn run(self) -> Result<ExitCode, Stop> {
        // Models may nest deeply, and so does the code that walks them.
        let served = crate::library::on_large_stack(crate::lsp::serve_standard_streams);
        let served = served.map_err(|error| internal(&error.to_string()))?;
        served.map_err(|message| Stop::Message { message, help: None })?;
        Ok(ExitCode::SUCCESS)
    }
}
