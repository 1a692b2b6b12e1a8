//! `sleep-table`: how much do sleep sets leave out? Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

use clap::Parser;
use experiments::exit_code;
use sleep_study::command::Common;
use sleep_study::table;
use std::process::ExitCode;

/// Searches models with and without sleep sets, depth first and breadth first, and tells states, matched states, transitions, depth and time:
/// Table 2 of the paper on state-space caching.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Run everything so many times; the shortest time counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    repeat: u32,
}

fn main() -> ExitCode {
    exit_code("sleep-table", run(&Options::parse()))
}

/// Whether all models were measured; those that were are told in any case.
fn run(options: &Options) -> Result<bool, String> {
    let common = &options.common;
    let models = common
        .measure("sleep-table", options.repeat, |runs| table::measure(runs, |text| eprintln!("{text}")));
    common.tell(&table::render(&models), &models)?;
    Ok(models.len() == common.models.len())
}
