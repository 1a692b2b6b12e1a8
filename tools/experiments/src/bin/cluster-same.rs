//! `cluster-same`: do several processes find what one finds?
//!
//! Exit codes: 0 they do · 1 something differs, or a model could not be searched · 2 the command
//! line is wrong.

use clap::Parser;
use mcc_experiments::cluster::same::{Compared, Plan, compare};
use mcc_experiments::shared::{ExperimentError, Timing, Verifiers, exit_code};
use std::process::ExitCode;

/// Searches models with several numbers of processes (--cluster local:N) and threads, and compares
/// verdict, states, rules, depth, rules fired, errors and lengths of traces with one process
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    /// Numbers of processes
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "1,2,3,5")]
    processes: Vec<u32>,
    /// Numbers of threads of each
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "1,2,3")]
    threads: Vec<u32>,
    /// A model with N states or more is not compared
    #[arg(long, default_value_t = 2_000_000, value_name = "N")]
    states: u64,
    /// One more argument for all searches, such as --tree; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    option: Vec<String>,
}

fn main() -> ExitCode {
    exit_code("cluster-same", run(&Options::parse()))
}

/// Whether all models were searched and nothing differs.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let Options { verifiers, processes, threads, states, option } = options;
    let plan = Plan {
        processes: processes.clone(),
        threads: threads.clone(),
        options: option.clone(),
        states: *states,
    };
    let measured = verifiers.measure("cluster-same", Timing::ONCE, |runs| {
        let Compared { states, searches, findings, left_out } = compare(runs.verifier, &plan)?;
        let name = &runs.verifier.name;
        match &left_out {
            Some(why) => println!("{name}: left out, {why}"),
            None => println!("{name}: {states} states, {searches} searches, {} differ", findings.len()),
        }
        findings.iter().for_each(|finding| println!("{name}: {finding}"));
        Ok((searches, findings.len()))
    });
    let searches: u32 = measured.models.iter().map(|(searches, _)| searches).sum();
    let differ: usize = measured.models.iter().map(|(_, differ)| differ).sum();
    println!("{} models, {searches} searches of several processes, {differ} differ", measured.models.len());
    Ok(measured.all && differ == 0)
}
