//! `mcc cache`: how much the build cache takes, and emptying it.

use std::process::ExitCode;

use clap::{Parser, Subcommand as Choice};
use mcc_runtime::host::text::{bytes, plural};

use super::super::print::print;
use super::super::{Stop, say};
use super::Subcommand;
use crate::package;

/// Shows the size of the build cache, or empties it
#[derive(Clone, Debug, Parser)]
#[command(name = "cache")]
pub struct Cache {
    #[command(subcommand)]
    action: Option<Action>,

    /// Print only the size or the path
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, Choice)]
enum Action {
    /// Print the contents of the cache and its size (the default)
    Size,
    /// Print the directory of the cache, for scripts that keep it between runs
    Path,
    /// Remove everything that no other mcc is using; the next build takes a minute longer
    Clean,
}

impl Subcommand for Cache {
    fn run(self) -> Result<ExitCode, Stop> {
        match self.action.unwrap_or(Action::Size) {
            Action::Size => {
                let package::Usage { root, engines, models, bytes: size } = package::usage()?;
                if self.quiet {
                    print(&format!("{size}\n"))?;
                } else {
                    let root = root.display();
                    let versions = plural(engines as u64, "version");
                    let models = plural(models as u64, "model");
                    print(&format!("{root}: {}, {models} of {versions} of mcc\n", bytes(size)))?;
                }
            }
            Action::Path => print(&format!("{}\n", package::usage()?.root.display()))?,
            Action::Clean => {
                let cleaned = package::clean()?;
                if !self.quiet {
                    print(&format!("{}: {} removed\n", cleaned.root.display(), bytes(cleaned.bytes)))?;
                }
                if cleaned.in_use > 0 {
                    say("warning: another mcc is building there: what it uses was left");
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
