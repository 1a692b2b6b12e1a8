//! `same-set`: do searches that leave something out find the same?
//!
//! Exit codes: 0 they do · 1 something differs, or a model could not be searched · 2 the command
//! line is wrong.

use clap::Parser;
use mcc_experiments::shared::{ExperimentError, Output, Seed, Timing, Verifiers, exit_code, parse_fraction};
use mcc_experiments::sleep_study::curve::POLICIES;
use mcc_experiments::sleep_study::same::{self, Plan};
use std::process::ExitCode;

/// Searches models with and without sleep sets, with and without a cache along the path and with
/// and without path compression, and compares with a plain breadth-first search: the set of states,
/// the verdict, and in how many states there is which error.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    /// States beside the path, as parts of all states
    #[arg(long, value_delimiter = ',', value_parser = parse_fraction, value_name = "F,…")]
    #[arg(default_value = "0.75,0.25")]
    fractions: Vec<f64>,
    /// The rules of eviction
    #[arg(long, value_delimiter = ',', value_name = "HOW,…", default_value = "random,type,oldest,small")]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(POLICIES))]
    replace: Vec<String>,
    /// A model with N states or more is not compared
    #[arg(long, default_value_t = 2_000_000, value_name = "N")]
    states: u64,
    /// A search that evicts states is given up after N visits for each state
    #[arg(long, default_value_t = 4, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    most: u64,
    /// With symmetry reduction, and without the searches that refuse it
    #[arg(long)]
    symmetry: bool,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    output: Output,
}

fn main() -> ExitCode {
    exit_code("same-set", run(&Options::parse()))
}

/// Whether all models were searched and nothing differs.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let plan = Plan {
        fractions: options.fractions.clone(),
        policies: options.replace.clone(),
        states: options.states,
        most: options.most,
        symmetry: options.symmetry,
        seed: options.seed.seed,
    };
    let measured = options
        .verifiers
        .measure("same-set", Timing::ONCE, |runs| same::compare(runs, &plan, |text| eprintln!("{text}")));
    let models = measured.models;
    options.output.publish("same-set", &same::render(&models), &models)?;
    let same = models.iter().all(|figures| figures.differences().next().is_none());
    Ok(same && measured.all)
}
