//! `worker-chaos`: disturbs workers and servers at random, and compares what is found.
//!
//! Exit codes: 0 nothing was found · 1 there are findings, or it could not be run · 2 the command
//! line is wrong.

use clap::Parser;
use mcc_experiments::shared::{Compiler, ExperimentError, Seed, exit_code};
use mcc_experiments::workers::chaos::{Plan, run};
use mcc_experiments::workers::{DATA_BASE_6, DATA_BASE_8};
use std::process::ExitCode;

/// Kills, stops, continues, starts and cuts off workers, and kills and resumes servers
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    compiler: Compiler,
    #[command(flatten)]
    seed: Seed,
    /// Disturbances of workers
    #[arg(long, default_value_t = 200)]
    disturbances: u32,
    /// Kills of servers
    #[arg(long, default_value_t = 50)]
    server_kills: u32,
    /// Milliseconds between two of them, on average
    #[arg(long, default_value_t = 300)]
    apart: u64,
    /// Microseconds that a worker takes for a rule
    #[arg(long, default_value_t = 200)]
    pace: u64,
    /// A small model
    #[arg(long)]
    small: bool,
}

fn main() -> ExitCode {
    exit_code("worker-chaos", chaos(&Options::parse()))
}

/// Whether nothing was found.
fn chaos(options: &Options) -> Result<bool, ExperimentError> {
    let Options { disturbances, server_kills, apart, pace, .. } = *options;
    let model = if options.small { DATA_BASE_6 } else { DATA_BASE_8 };
    let seed = options.seed.seed;
    let plan = Plan { model, seed, disturbances, server_kills, apart, pace };
    let done = run(&options.compiler.find(), plan)?;
    println!(
        "{} searches; workers killed {} times, stopped {}, continued {}, started {}, cut off {}; servers \
         killed and resumed {} times; {} findings",
        done.searches,
        done.killed,
        done.stopped,
        done.continued,
        done.started,
        done.cut,
        done.server_kills,
        done.findings.len()
    );
    done.findings.iter().for_each(|finding| println!("{finding}"));
    Ok(done.findings.is_empty())
}
