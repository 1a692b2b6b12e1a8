//! `server-rate`: how many batches, states and bytes a second one processor of a server carries.
//!
//! Exit codes: 0 measured · 1 it could not be · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::shared::{Compiler, ExperimentError, Verifier, exit_code};
use mcc_experiments::workers::rate::{Carried, HEAD, MODEL, measure};
use std::process::ExitCode;

/// Measures how much processor time of a server a state costs, for states of several sizes, and
/// computes how many workers one processor keeps busy. Of several runs the one that took the server
/// least counts
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    compiler: Compiler,
    /// Bytes of a state
    #[arg(long, value_delimiter = ',', default_value = "16,50,370", value_name = "N,…")]
    bytes: Vec<u64>,
    /// Values of each of the four counters of the model: it has as many states as their fourth
    /// power
    #[arg(long, default_value_t = 40, value_name = "N")]
    values: u32,
    /// Workers of one thread
    #[arg(long, default_value_t = 1, value_name = "N")]
    workers: u32,
    #[arg(long, default_value_t = 3, value_name = "N")]
    repeat: u32,
    /// One more argument for the server, such as -c; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    option: Vec<String>,
}

fn main() -> ExitCode {
    exit_code("server-rate", run(&Options::parse()))
}

fn run(options: &Options) -> Result<bool, ExperimentError> {
    let Options { compiler, bytes, values, workers, repeat, option } = options;
    let directory = tempfile::tempdir()?;
    let model = directory.path().join("bytes.m");
    std::fs::write(&model, MODEL)?;
    println!("{HEAD}");
    for &bytes in bytes {
        let constants = [format!("Bytes={bytes}"), format!("Values={values}")];
        let verifier = Verifier::build_with(&compiler.find(), &model, &constants)?;
        let mut least: Option<Carried> = None;
        for _ in 0..(*repeat).max(1) {
            let carried = measure(&verifier, *workers, bytes, option, directory.path())?;
            let is_less = least.is_none_or(|least| carried.processor < least.processor);
            least = if is_less { Some(carried) } else { least };
        }
        least.iter().for_each(|carried| println!("{}", carried.row()));
    }
    Ok(true)
}
