//! `cache-curve`: how few states must be kept? Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

use clap::Parser;
use experiments::exit_code;
use experiments::files::{plot_path, write};
use sleep_study::command::{Common, parse_fraction};
use sleep_study::curve::{self, POLICIES, Plan};
use sleep_study::svg::{self, Axis};
use std::path::PathBuf;
use std::process::ExitCode;

/// Searches models depth first with smaller and smaller caches beside the path, with and without sleep sets and for each way of replacing, and
/// tells transitions and time: Figures 4 and 5 of the paper on state-space caching.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// States beside the path, as parts of all states
    #[arg(long, value_delimiter = ',', value_parser = parse_fraction, default_value = "1.0,0.75,0.5,0.35,0.25,0.15,0.1,0.05,0.02,0.01,0.005,0.002,0.001", value_name = "F,…")]
    fractions: Vec<f64>,
    /// The ways of replacing
    #[arg(long, value_delimiter = ',', value_parser = clap::builder::PossibleValuesParser::new(POLICIES), default_value = "random,type,oldest,small", value_name = "HOW,…")]
    replace: Vec<String>,
    /// Stop a search after so many visits for each state
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000), value_name = "N")]
    most: u64,
    /// Run everything so many times; the shortest time counts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    repeat: u32,
    /// Draw the rules fired; with several models, the model's name goes into the file's
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same for the time
    #[arg(long, value_name = "FILE")]
    svg_time: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit_code("cache-curve", run(&Options::parse()))
}

/// Whether all models were measured; those that were are told in any case.
fn run(options: &Options) -> Result<bool, String> {
    let mut fractions = options.fractions.clone();
    fractions.sort_by(|left, right| right.total_cmp(left));
    fractions.dedup();
    let plan = Plan { fractions, policies: options.replace.clone(), most: options.most };
    let common = &options.common;
    let models = common.measure("cache-curve", options.repeat, |runs| {
        curve::measure(runs, &plan, |text| eprintln!("{text}"))
    });
    common.tell(&curve::render(&models), &models)?;
    for (path, axis) in [(&options.svg, Axis::Rules), (&options.svg_time, Axis::Time)] {
        if let Some(path) = path {
            for figures in &models {
                write(&plot_path(path, &figures.name, common.models.len()), &svg::draw(figures, axis))?;
            }
        }
    }
    Ok(models.len() == common.models.len())
}
