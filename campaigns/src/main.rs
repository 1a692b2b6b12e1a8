//! The command: which campaign, and for how long.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

use clap::{Parser, ValueEnum};
use experiments::exit_code;
use mcc_campaigns::{corruption, kills, subject};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Attacks verifiers: kills them, or corrupts their checkpoints
#[derive(Parser)]
struct Options {
    campaign: Campaign,
    /// How long to run
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Where the random numbers start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The compiler [default: the one beside this program, or on PATH]
    #[arg(long)]
    mcc: Option<PathBuf>,
    /// Models to attack instead of the usual ones
    models: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Campaign {
    /// `kill -9` at random moments, and resume
    Kills,
    /// Checkpoints that are damaged, or forged with right checksums
    Corruption,
}

fn main() -> ExitCode {
    exit_code("mcc-campaigns", run(&Options::parse()))
}

/// Whether nothing was found.
fn run(options: &Options) -> Result<bool, String> {
    let told = |error: std::io::Error| error.to_string();
    let place = tempfile::tempdir().map_err(told)?;
    let subjects = subject::build(options.mcc.clone(), &options.models, place.path())?;
    let time = Duration::try_from_secs_f64(options.minutes * 60.0).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let deadline = began.checked_add(time).ok_or("--minutes is too large")?;
    let findings = match options.campaign {
        Campaign::Kills => {
            let killed = kills::run(&subjects, options.seed, deadline, place.path()).map_err(told)?;
            println!(
                "{} searches killed {} times and resumed {} times",
                killed.searches, killed.kills, killed.resumed
            );
            killed.findings
        }
        Campaign::Corruption => {
            let found = corruption::run(&subjects, options.seed, deadline, place.path()).map_err(told)?;
            println!(
                "{} checkpoints: {} times damaged, {} times forged; refused {} times, went on {} times",
                found.checkpoints, found.damaged, found.forged, found.refused, found.went_on
            );
            found.findings
        }
    };
    println!("{} findings in {:.1} minutes", findings.len(), began.elapsed().as_secs_f64() / 60.0);
    Ok(findings.is_empty())
}
