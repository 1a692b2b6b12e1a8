//! `mcc-conventions`: lists what breaks the conventions of comments and pages.
//!
//! Exit codes: 0 nothing above the counts of `ratchet.txt` · 1 more than that · 2 the command line
//! is wrong.

use clap::Parser;
use mcc_conventions::checks::{CHECKS, Check};
use mcc_conventions::files::{collect, root};
use mcc_conventions::ratchet::{Ratchet, path};
use std::io;
use std::process::ExitCode;

/// Checks the comments and pages of this repository
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// List all findings of this check
    check: Option<Check>,
    /// Only of files whose path begins like this
    #[arg(requires = "check")]
    folder: Option<String>,
    /// Lower the counts of `ratchet.txt` to what there is
    #[arg(long)]
    lower: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("mcc-conventions: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<bool> {
    let files = collect(&root())?;
    let mut ratchet = Ratchet::parse(&std::fs::read_to_string(path())?);
    let mut holds = true;
    for check in CHECKS {
        let findings = check.run(&files, &root());
        if options.check == Some(check) {
            let folder = options.folder.as_deref().unwrap_or("");
            for finding in findings.iter().filter(|finding| finding.path.starts_with(folder)) {
                println!("{}:{}: {}", finding.path, finding.line, finding.message);
            }
        } else if options.check.is_none() {
            println!("{}: {} findings", check.name(), findings.len());
        }
        if let Err(above) = ratchet.judge(check, &findings) {
            eprint!("{above}");
            holds = false;
        }
        if options.lower {
            ratchet = ratchet.lowered(check, &findings);
        }
    }
    if options.lower {
        std::fs::write(path(), ratchet.render())?;
    }
    Ok(holds)
}
