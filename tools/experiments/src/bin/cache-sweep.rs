//! `cache-sweep`: what does it cost to keep fewer and fewer states?
//!
//! Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::cache_sweep::figures::{Report, means};
use mcc_experiments::cache_sweep::measure::{Plan, Whole, measure};
use mcc_experiments::cache_sweep::{svg, table};
use mcc_experiments::shared::{
    Drawing, ExperimentError, Output, Seed, Timing, Verifiers, exit_code, parse_fraction, sorted_down,
};
use std::process::ExitCode;

/// Runs a model's verifier with caches of 1.0, 0.9 … 0.1 of the memory that an exact search needs,
/// with both rules of eviction, and reports how many states and rules and how much time that takes:
/// the experiments of Figures 4 to 6 of the paper on transition locality.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    /// Fractions of the memory, the largest first
    #[arg(long, value_delimiter = ',', value_parser = parse_fraction, value_name = "F,…")]
    #[arg(default_value = "1.0,0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1")]
    fractions: Vec<f64>,
    /// What they are fractions of
    #[arg(long, value_enum, default_value = "states", value_name = "WHAT")]
    of: Whole,
    /// Stop a search when its collision rate is above this; 0 never does
    #[arg(long, default_value_t = 0.9, value_parser = parse_rate, value_name = "P")]
    max_collisions: f64,
    /// Stop a search at N times the depth of the exact one; 0 never does
    #[arg(long, default_value_t = 10, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    max_depth: u32,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    timing: Timing,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawing: Drawing,
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| "a number from 0 to 1, such as 0.9".to_owned())
}

fn main() -> ExitCode {
    exit_code("cache-sweep", run(&Options::parse()))
}

/// Whether all models were measured; those that were are reported in any case.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let plan = Plan {
        fractions: sorted_down(&options.fractions),
        whole: options.of,
        max_collisions: options.max_collisions,
        max_depth: options.max_depth,
        seed: options.seed.seed,
    };
    let measured = options
        .verifiers
        .measure("cache-sweep", options.timing, |runs| measure(runs, &plan, |text| eprintln!("{text}")));
    let models = measured.models;
    let report = Report { means: means(&models, &plan.fractions), fractions: plan.fractions, models };
    options.output.publish("cache-sweep", &table::render(&report), &report)?;
    let drawings: Vec<(&str, String)> =
        report.models.iter().map(|figures| (figures.name.as_str(), svg::draw(figures))).collect();
    options.output.draw(&options.drawing.svg, "cache-sweep.svg", &drawings)?;
    Ok(measured.all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read() {
        assert_eq!(parse_rate("0"), Ok(0.0));
        assert!(parse_rate("1.1").is_err() && parse_rate("NaN").is_err());
    }

    #[test]
    fn the_command_line_is_in_order() {
        let options = Options::try_parse_from(["cache-sweep", "a.m", "--fractions", "0.5,1"]).unwrap();
        assert_eq!(options.fractions, [0.5, 1.0]);
        let usual = Options::try_parse_from(["cache-sweep", "a.m"]).unwrap();
        assert_eq!((usual.fractions.len(), usual.timing.repeat, usual.timing.threads), (10, 3, 1));
    }
}
