//! `mcc prefetch`: everything that needs a network or takes a minute, beforehand.

use std::process::ExitCode;

use clap::Parser;

use super::super::{Notes, Stop, internal, on_large_stack, say};
use super::Subcommand;
use crate::package;
use crate::source::Source;

/// The smallest model there is: its verifier links the whole runtime.
const MODEL: &str = "var x: boolean; startstate x := false; end; rule x := !x; end;";

/// Downloads and builds the dependencies of verifiers, so that later builds need no network and
/// take a second
#[derive(Clone, Debug, Parser)]
#[command(name = "prefetch", long_flag = "prefetch")]
pub struct Prefetch {
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,

    /// Show the output of cargo
    #[arg(short, long, conflicts_with = "quiet")]
    verbose: bool,
}

impl Subcommand for Prefetch {
    fn run(self) -> Result<ExitCode, Stop> {
        let source = Source::new("prefetch.m", MODEL);
        let (source, compilation) = on_large_stack(source, crate::compile)?;
        let Some(generated) = compilation.generated else {
            return Err(internal("the compiler gave no code for the model of `mcc prefetch`"));
        };
        let mut observer = Notes { quiet: self.quiet, verbose: self.verbose };
        let built = package::build(&source.name, &generated.model_rs, &mut observer)?;
        if !self.quiet {
            let cache = built.private_directory().display();
            say(&format!("mcc: the runtime is in {cache}; models build without a network now"));
        }
        built.finish();
        Ok(ExitCode::SUCCESS)
    }
}
