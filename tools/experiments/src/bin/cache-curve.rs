//! `cache-curve`: how few states must be kept?
//!
//! Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::shared::{
    Drawing, ExperimentError, Output, Seed, Timing, Verifiers, exit_code, parse_fraction, sorted_down,
};
use mcc_experiments::sleep_study::curve::{self, POLICIES, Plan};
use mcc_experiments::sleep_study::svg::{self, Axis};
use std::path::PathBuf;
use std::process::ExitCode;

/// Searches models depth first with smaller and smaller caches beside the path, with and without
/// sleep sets and for each rule of eviction, and reports transitions and time: Figures 4 and 5 of
/// the paper on state-space caching.
#[derive(Parser)]
#[command(version, max_term_width = 100, mut_arg("repeat", |repeat| repeat.default_value("1")))]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    /// States beside the path, as parts of all states
    #[arg(long, value_delimiter = ',', value_parser = parse_fraction, value_name = "F,…")]
    #[arg(default_value = "1.0,0.75,0.5,0.35,0.25,0.15,0.1,0.05,0.02,0.01,0.005,0.002,0.001")]
    fractions: Vec<f64>,
    /// The rules of eviction
    #[arg(long, value_delimiter = ',', value_name = "HOW,…", default_value = "random,type,oldest,small")]
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(POLICIES))]
    replace: Vec<String>,
    /// Stop a search after N visits for each state
    #[arg(long, default_value_t = 10, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    most: u64,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    timing: Timing,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawing: Drawing,
    /// Draw the time as well
    #[arg(long, value_name = "FILE")]
    svg_time: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit_code("cache-curve", run(&Options::parse()))
}

/// Whether all models were measured; those that were are reported in any case.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let plan = Plan {
        fractions: sorted_down(&options.fractions),
        policies: options.replace.clone(),
        most: options.most,
        seed: options.seed.seed,
    };
    let measured = options.verifiers.measure("cache-curve", options.timing, |runs| {
        curve::measure(runs, &plan, |text| eprintln!("{text}"))
    });
    let models = measured.models;
    options.output.publish("cache-curve", &curve::render(&models), &models)?;
    let draw = |axis: Axis| -> Vec<(&str, String)> {
        models.iter().map(|figures| (figures.name.as_str(), svg::draw(figures, axis))).collect()
    };
    options.output.draw(&options.drawing.svg, "cache-curve.svg", &draw(Axis::Rules))?;
    options.output.draw(&options.svg_time, "cache-curve-time.svg", &draw(Axis::Time))?;
    Ok(measured.all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_in_order() {
        let options = Options::try_parse_from(["cache-curve", "a.m", "--replace", "small"]).unwrap();
        assert_eq!((options.replace, options.timing.repeat), (vec!["small".to_owned()], 1));
    }
}
