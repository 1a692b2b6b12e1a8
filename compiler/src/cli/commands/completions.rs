//! `mcc completions`: what a shell has to know to complete command lines of mcc.

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use clap_complete::Shell;

use super::super::options::Options;
use super::super::print::print;
use super::super::{Stop, internal};
use super::{Subcommand, command_line};

const EXAMPLES: &str = "\
Examples:
  mcc completions bash > ~/.local/share/bash-completion/completions/mcc
  mcc completions zsh > ~/.zfunc/_mcc
  mcc completions fish > ~/.config/fish/completions/mcc.fish";

/// Prints completions of mcc for a shell
#[derive(Clone, Debug, Parser)]
#[command(name = "completions", after_help = EXAMPLES)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Subcommand for Completions {
    fn run(self) -> Result<ExitCode, Stop> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command_line(Options::command()), "mcc", &mut script);
        let script = String::from_utf8(script).map_err(|error| internal(&error.to_string()))?;
        print(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
