//! `sleep-table`: how much do sleep sets leave out?
//!
//! Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::shared::{ExperimentError, Output, Timing, Verifiers, exit_code};
use mcc_experiments::sleep_study::table;
use std::process::ExitCode;

/// Searches models with and without sleep sets, depth first and breadth first, and reports states,
/// matched states, transitions, depth and time: Table 2 of the paper on state-space caching.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    #[command(flatten)]
    timing: Timing,
    #[command(flatten)]
    output: Output,
}

fn main() -> ExitCode {
    exit_code("sleep-table", run(&Options::parse()))
}

/// Whether all models were measured; those that were are reported in any case.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let measured = options
        .verifiers
        .measure("sleep-table", options.timing, |runs| table::measure(runs, |text| eprintln!("{text}")));
    options.output.publish("sleep-table", &table::render(&measured.models), &measured.models)?;
    Ok(measured.all)
}
