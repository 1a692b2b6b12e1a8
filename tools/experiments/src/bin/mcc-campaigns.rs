//! `mcc-campaigns`: attacks verifiers for as long as one likes.
//!
//! Exit codes: 0 nothing was found · 1 there are findings, or it could not be run · 2 the command
//! line is wrong.

use clap::{Parser, ValueEnum};
use mcc_experiments::campaigns::{corruption, kills, subject};
use mcc_experiments::shared::{Compiler, ExperimentError, Seed, exit_code};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Attacks verifiers: kills them, or corrupts their checkpoints
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    campaign: Campaign,
    /// How long to run
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    compiler: Compiler,
    /// Models to attack instead of the usual ones
    #[arg(value_name = "MODEL.m")]
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
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let place = tempfile::tempdir()?;
    let subjects = subject::build(&options.compiler, &options.models)?;
    let time = Duration::try_from_secs_f64(options.minutes * 60.0).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let deadline = began.checked_add(time).ok_or("--minutes is too large")?;
    let seed = options.seed.seed;
    let findings = match options.campaign {
        Campaign::Kills => {
            let killed = kills::run(&subjects, seed, deadline, place.path())?;
            println!(
                "{} searches killed {} times and resumed {} times",
                killed.searches, killed.kills, killed.resumed
            );
            killed.findings
        }
        Campaign::Corruption => {
            let found = corruption::run(&subjects, seed, deadline, place.path())?;
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
