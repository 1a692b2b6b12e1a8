//! `worker-table`: how much of their time the workers of a server work.

use clap::Parser;
use mcc_experiments::shared::{Compiler, ExperimentError, exit_code};
use mcc_experiments::workers::table::{HEAD, row, runs};
use mcc_experiments::workers::{DATA_BASE_8, DATA_BASE_9};
use std::process::ExitCode;

/// Measures how much of their time the workers of a server work
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    compiler: Compiler,
    /// Numbers of equal workers
    #[arg(long, value_delimiter = ',', default_value = "1,2,3,4,5,6,7,8,9,10,11,12")]
    workers: Vec<usize>,
    /// Microseconds for each rule of the model with few successors
    #[arg(long, default_value_t = 4000, value_name = "MICROSECONDS")]
    link_pace: u64,
    /// Microseconds for each rule of the data base
    #[arg(long, default_value_t = 1000, value_name = "MICROSECONDS")]
    data_base_pace: u64,
    /// Measure the data base with 9 nodes as well
    #[arg(long)]
    nine: bool,
}

fn main() -> ExitCode {
    exit_code("worker-table", run(&Options::parse()))
}

fn run(options: &Options) -> Result<bool, ExperimentError> {
    let data_bases = if options.nine { vec![DATA_BASE_8, DATA_BASE_9] } else { vec![DATA_BASE_8] };
    println!("{HEAD}");
    let mut all = true;
    for run in runs(&options.workers, &data_bases, options.link_pace, options.data_base_pace) {
        match run.measure(&options.compiler.find()) {
            Ok(measured) => println!("{}", row(&run, &measured)),
            Err(error) => {
                eprintln!("worker-table: {error}");
                all = false;
            }
        }
    }
    Ok(all)
}
