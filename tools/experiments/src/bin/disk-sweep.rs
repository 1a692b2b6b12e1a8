//! `disk-sweep`: how much slower is a search whose visited states are on disk, with less and less
//! memory for them?
//!
//! Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::disk_sweep::figures::{Report, Way, means};
use mcc_experiments::disk_sweep::measure::{Plan, measure};
use mcc_experiments::disk_sweep::{svg, table};
use mcc_experiments::shared::{Drawing, ExperimentError, Output, Seed, Timing, Verifiers, exit_code};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a model's verifier with its visited states on disk and 1/1, 1/2 … 1/100 of the memory that
/// the exact search in memory needs, with whole states and with signatures, in sorted tables and in
/// the plain one of the paper, and reports how much longer that takes: the experiments of Figures 3
/// and 4 of Stern and Dill's paper on magnetic disk.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    /// Memory savings factors
    #[arg(long, value_delimiter = ',', value_parser = parse_factor, value_name = "F,…")]
    #[arg(default_value = "1,2,5,10,20,50,100")]
    factors: Vec<f64>,
    /// Where the states go
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WAY,…")]
    #[arg(default_value = "signatures,signatures-plain,states,states-plain")]
    ways: Vec<Way>,
    /// A directory on the disk in question [default: the system's temporary one]
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// One more argument for the searches on disk alone, such as --queue-memory; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    disk_option: Vec<OsString>,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    timing: Timing,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawing: Drawing,
}

fn parse_factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| (0.1..=1e6).contains(factor));
    factor.ok_or_else(|| "a number from 0.1 to 1000000, such as 50".to_owned())
}

fn main() -> ExitCode {
    exit_code("disk-sweep", run(&Options::parse()))
}

/// Whether all models were measured; those that were are reported in any case.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let mut factors = options.factors.clone();
    factors.sort_by(f64::total_cmp);
    factors.dedup();
    let plan = Plan {
        factors,
        ways: options.ways.clone(),
        directory: options.disk.clone().unwrap_or_else(std::env::temp_dir),
        seed: options.seed.seed,
        disk_extra: options.disk_option.clone(),
    };
    let measured = options
        .verifiers
        .measure("disk-sweep", options.timing, |runs| measure(runs, &plan, |text| eprintln!("{text}")));
    let models = measured.models;
    let report = Report { means: means(&models, &plan.ways, &plan.factors), factors: plan.factors, models };
    options.output.publish("disk-sweep", &table::render(&report), &report)?;
    options.output.draw(&options.drawing.svg, "disk-sweep.svg", &[("", svg::draw(&report))])?;
    Ok(measured.all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_in_order() {
        let options =
            Options::try_parse_from(["disk-sweep", "a.m", "--factors", "50,1", "--ways", "states"]).unwrap();
        assert_eq!((options.factors, options.ways), (vec![50.0, 1.0], vec![Way::States]));
        let usual = Options::try_parse_from(["disk-sweep", "a.m"]).unwrap();
        assert_eq!((usual.factors.len(), usual.ways.len()), (7, 4));
        for wrong in ["", "0", "-1", "NaN", "many"] {
            assert!(parse_factor(wrong).is_err(), "{wrong}");
        }
    }
}
