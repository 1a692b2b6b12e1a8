//! What the subcommands on one model have in common.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ColorChoice};

use super::super::options::Options;
use crate::source::Definition;

/// A model, and how mcc speaks about it.
#[derive(Clone, Debug, Args)]
pub struct OneModel {
    /// The model; `-` reads it from standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,

    /// Set the constant NAME to VALUE, which is a number, `true`, `false` or an enum member; repeat
    /// it for several constants
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub define: Vec<Definition>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorChoice,

    /// Print only errors, and the verdict of a search
    #[arg(short, long)]
    pub quiet: bool,

    /// Show the output of cargo, and the time of each step
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
}

impl OneModel {
    /// The options of the plain command line, none of which asks for anything yet.
    pub fn options(self) -> Options {
        let OneModel { model, define, color, quiet, verbose } = self;
        Options {
            model,
            output: None,
            define,
            emit: None,
            check: false,
            coverage: false,
            run: false,
            interpret: false,
            simulate: false,
            replay: None,
            error: None,
            force: false,
            independence: false,
            json: None,
            check_independence: false,
            color,
            quiet,
            verbose,
            verifier_options: Vec::new(),
        }
    }
}

/// What follows `--`.
#[derive(Clone, Debug, Args)]
pub struct VerifierOptions {
    /// Options of the verifier
    #[arg(last = true, value_name = "VERIFIER-OPTIONS")]
    pub verifier_options: Vec<OsString>,
}
