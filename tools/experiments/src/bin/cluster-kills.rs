//! `cluster-kills`: kills one process of several at random, and lets another number go on.
//!
//! Exit codes: 0 the reports are the same · 1 something differs, or it could not be run · 2 the
//! command line is wrong.

use clap::Parser;
use mcc_experiments::cluster::kills::{Killed, Plan, run};
use mcc_experiments::shared::{Compiler, ExperimentError, Seed, Verifier, exit_code};
use std::path::PathBuf;
use std::process::ExitCode;

/// Kills a random process of a search of several at a random time, resumes it from its checkpoint
/// with another number of processes, and compares the reports with that of a search left alone
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// The model
    #[arg(value_name = "MODEL.m")]
    model: PathBuf,
    #[command(flatten)]
    compiler: Compiler,
    #[command(flatten)]
    seed: Seed,
    /// Give a constant of the model another value; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// How often a process is killed
    #[arg(long, default_value_t = 20, value_name = "N")]
    kills: u32,
    /// Processes of the search that is disturbed
    #[arg(long, default_value_t = 4, value_name = "N")]
    processes: u32,
    /// Numbers of processes that go on, by turns
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "2,3,5")]
    resume: Vec<u32>,
    /// One more argument for all searches, such as -c; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    option: Vec<String>,
}

fn main() -> ExitCode {
    exit_code("cluster-kills", kills(&Options::parse()))
}

/// Whether nothing was found.
fn kills(options: &Options) -> Result<bool, ExperimentError> {
    let Options { model, compiler, seed, define, kills, processes, resume, option } = options;
    let verifier = Verifier::build_with(&compiler.find(), model, define)?;
    let place = tempfile::tempdir()?;
    let plan = Plan {
        kills: *kills,
        processes: *processes,
        resumed_by: resume.clone(),
        options: option.clone(),
        seed: seed.seed,
    };
    let done = run(&verifier, &plan, place.path(), &|line| println!("{line}"))?;
    let Killed { seconds, kills, resumed, begun_anew, noticed, findings } = &done;
    println!(
        "{}: {seconds:.1} s undisturbed; {kills} processes of {processes} killed, {resumed} searches resumed and \
         {begun_anew} begun anew; noticed by all within {noticed:.2} s; {} findings",
        verifier.name,
        findings.len()
    );
    findings.iter().for_each(|finding| println!("{finding}"));
    Ok(findings.is_empty())
}
