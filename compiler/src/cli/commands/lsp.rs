//! `mcc lsp`: the language server for editors.

use std::process::ExitCode;

use clap::Parser;

use super::super::{Stop, internal};
use super::Subcommand;

/// Answers the questions of an editor about models, on standard input and output, in the Language
/// Server Protocol
#[derive(Clone, Debug, Parser)]
#[command(name = "lsp")]
pub struct Lsp {
    /// What most clients pass, and the only way there is
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
