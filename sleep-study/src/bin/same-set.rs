//! `same-set`: do searches that leave something out find the same? Exit codes: 0 they do · 1 something differs, or a model could not be
//! searched · 2 the command line is wrong.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

use clap::Parser;
use experiments::exit_code;
use sleep_study::command::{Common, parse_fraction};
use sleep_study::curve::POLICIES;
use sleep_study::same::{self, Plan};
use std::process::ExitCode;

/// Searches models with and without sleep sets, with and without a cache along the path and with and without path compression, and compares
/// with a plain breadth-first search: the set of states, the verdict, and in how many states there is which error.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// States beside the path, as parts of all states
    #[arg(long, value_delimiter = ',', value_parser = parse_fraction, default_value = "0.75,0.25", value_name = "F,…")]
    fractions: Vec<f64>,
    /// The ways of replacing
    #[arg(long, value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(POLICIES), default_value = "random,type,oldest,small", value_name = "HOW,…")]
    replace: Vec<String>,
    /// A model of so many states or more is not compared
    #[arg(long, default_value_t = 2_000_000, value_name = "N")]
    states: u64,
    /// A search that forgets is given up after so many visits for each state
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1_000_000), value_name = "N")]
    most: u64,
    /// With symmetry reduction, and without the ways that refuse it
    #[arg(long)]
    symmetry: bool,
}

fn main() -> ExitCode {
    exit_code("same-set", run(&Options::parse()))
}

/// Whether all models were searched and nothing differs.
fn run(options: &Options) -> Result<bool, String> {
    let plan = Plan {
        fractions: options.fractions.clone(),
        policies: options.replace.clone(),
        states: options.states,
        most: options.most,
        symmetry: options.symmetry,
    };
    let common = &options.common;
    let models = common.measure("same-set", 1, |runs| same::compare(runs, &plan, |text| eprintln!("{text}")));
    common.tell(&same::render(&models), &models)?;
    let same = models.iter().all(|figures| figures.differences().next().is_none());
    Ok(same && models.len() == common.models.len())
}
