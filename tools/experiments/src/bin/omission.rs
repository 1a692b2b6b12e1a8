//! `omission`: how often does hash compaction miss a state, and what does the bound say?
//!
//! Exit codes: 0 the bounds hold · 1 a rate lies above its bound with its whole interval, or a run
//! failed · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::omission::figures::{Figures, Report};
use mcc_experiments::omission::measure::{Plan, measure};
use mcc_experiments::omission::svg;
use mcc_experiments::shared::{Drawing, ExperimentError, Output, Seed, Timing, Verifiers, exit_code};
use std::process::ExitCode;

/// Runs a model's verifier many times with hash compaction, each time with functions of its own,
/// and reports how often the last state of the exact breadth-first search was missed, next to the
/// bound on that: the experiments of Figures 3 to 5 of Stern and Dill's paper.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    #[command(flatten)]
    verifiers: Verifiers,
    /// Runs for each number of bits
    #[arg(long, default_value_t = 100, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Bits of a signature, from and to
    #[arg(long, default_value = "8..24", value_parser = parse_bits, value_name = "FROM..TO")]
    bits: (u32, u32),
    /// Slots of the table [default: the smallest prime number above that of states]
    #[arg(long, value_name = "N")]
    slots: Option<u64>,
    /// Verifiers that run at a time
    #[arg(long, default_value_t = 1, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: u64,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawing: Drawing,
}

fn parse_bits(text: &str) -> Result<(u32, u32), String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.parse().ok().filter(|bits| (8..=64).contains(bits));
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok((from, to)),
        _ => Err("two numbers from 8 to 64, such as 8..24".to_owned()),
    }
}

fn main() -> ExitCode {
    exit_code("omission", run(&Options::parse()))
}

/// Whether all models were measured and all bounds hold.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    let plan = Plan {
        runs: options.runs,
        bits: options.bits,
        slots: options.slots,
        seed: options.seed.seed,
        jobs: options.jobs as usize,
    };
    let measured = options.verifiers.measure("omission", Timing::ONCE, |runs| {
        let name = &runs.verifier.name;
        measure(runs, &plan, |bits, missed| {
            eprintln!("{name}: {bits} bits, {missed} of {} missed it", plan.runs);
        })
    });
    let report = Report { runs: plan.runs, first_seed: plan.seed, models: measured.models };
    let tables: Vec<String> = report.models.iter().map(|figures| figures.table() + "\n").collect();
    options.output.publish("omission", &tables.concat(), &report)?;
    let drawings: Vec<(&str, String)> =
        report.models.iter().map(|figures| (figures.name.as_str(), svg::draw(figures))).collect();
    options.output.draw(&options.drawing.svg, "omission.svg", &drawings)?;
    Ok(measured.all && report.models.iter().all(Figures::bounds_hold))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read() {
        assert_eq!(parse_bits("8..24"), Ok((8, 24)));
        assert_eq!(parse_bits("40"), Ok((40, 40)));
        for wrong in ["", "24..8", "7..9", "8..65", "8..", "a..b"] {
            assert!(parse_bits(wrong).is_err(), "{wrong}");
        }
    }
}
