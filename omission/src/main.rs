//! `omission`: how often does hash compaction miss a state, and what does the bound say?
//!
//! ```text
//! options ─► measure (one exact run, then many compact ones) ─► figures (rates, intervals, bounds) ─► table, json, svg
//! ```
//! Exit codes: 0 the bounds hold · 1 a rate lies above its bound with its whole interval, or a run failed · 2 the
//! command line is wrong.

mod confidence;
mod figures;
mod measure;
mod svg;

use clap::Parser;
use experiments::exit_code;
use experiments::files::{plot_path, write};
use experiments::verifier::find_mcc;
use figures::{Figures, Report};
use measure::Experiment;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a model's verifier many times with hash compaction, each time with functions of its own, and tells how often the last state
/// of the exact breadth-first search was missed, next to the bound on that: the experiments of Figures 3 to 5 of Stern and Dill's
/// paper.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    models: Vec<PathBuf>,
    /// Runs for each number of bits
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000), value_name = "N")]
    runs: u64,
    /// Bits of a signature, from and to
    #[arg(long, default_value = "8..24", value_parser = parse_bits, value_name = "FROM..TO")]
    bits: (u32, u32),
    /// Slots of the table [default: the smallest prime number above that of states]
    #[arg(long, value_name = "N")]
    slots: Option<u64>,
    /// The seed of the first run; the others count on from it
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Verifiers that run at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256), value_name = "N")]
    jobs: u64,
    /// The mcc that builds the verifiers [default: beside this program, or on PATH]
    #[arg(long, value_name = "PATH")]
    mcc: Option<PathBuf>,
    /// One more argument for the verifiers, such as -nosym; may be repeated. Deadlocks are no errors, whatever it says
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    verifier_option: Vec<OsString>,
    /// Write all figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to a file as well
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw the figures; with several models, the model's name goes into the file's
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
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
    let options = Options::parse();
    exit_code("omission", run(&options))
}

fn run(options: &Options) -> Result<bool, String> {
    let mcc = find_mcc(options.mcc.clone());
    let mut report = Report { runs: options.runs, first_seed: options.seed, models: Vec::new() };
    let mut text = String::new();
    for model in &options.models {
        let experiment = Experiment {
            mcc: &mcc,
            model,
            runs: options.runs,
            bits: options.bits,
            slots: options.slots,
            seed: options.seed,
            jobs: options.jobs as usize,
            extra: &options.verifier_option,
        };
        let figures = experiment.measure(|bits, missed| {
            eprintln!("{}: {bits} bits, {missed} of {} missed it", model.display(), options.runs);
        })?;
        let table = figures.table();
        println!("{table}");
        text.push_str(&table);
        text.push('\n');
        if let Some(path) = &options.svg {
            write(&plot_path(path, &figures.name, options.models.len()), &svg::draw(&figures))?;
        }
        report.models.push(figures);
    }
    if let Some(path) = &options.markdown {
        write(path, &text)?;
    }
    if let Some(path) = &options.json {
        let json = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        write(path, &(json + "\n"))?;
    }
    Ok(report.models.iter().all(Figures::bounds_hold))
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
