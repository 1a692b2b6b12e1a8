//! `cache-sweep`: what does it cost to remember fewer and fewer states?
//!
//! ```text
//! options ─► measure (exact runs, then runs with smaller and smaller caches) ─► figures (ratios, means) ─► table, json, svg
//! ```
//! Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

mod figures;
mod measure;
mod svg;
mod table;

use clap::Parser;
use experiments::exit_code;
use experiments::files::{plot_path, write};
use experiments::verifier::find_mcc;
use figures::{Report, means};
use measure::{Experiment, Whole};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a model's verifier with caches of 1.0, 0.9 … 0.1 of the memory that an exact search needs, with both ways of replacing, and tells
/// how many states and rules and how much time that takes: the experiments of Figures 4 to 6 of the paper on transition locality.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    models: Vec<PathBuf>,
    /// Fractions of the memory, the largest first
    #[arg(long, value_delimiter = ',', value_parser = parse_fraction, default_value = "1.0,0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2,0.1", value_name = "F,…")]
    fractions: Vec<f64>,
    /// What they are fractions of
    #[arg(long, value_enum, default_value = "states", value_name = "WHAT")]
    of: Whole,
    /// Stop a search when its collision rate is above this; 0 never does
    #[arg(long, default_value_t = 0.9, value_parser = parse_rate, value_name = "P")]
    max_collisions: f64,
    /// Stop a search at so many times the depth of the exact one; 0 never does
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1_000_000), value_name = "N")]
    max_depth: u32,
    /// Run everything so many times; the shortest time counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    repeat: u32,
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
    /// Draw the times; with several models, the model's name goes into the file's
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn parse_fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|fraction| *fraction > 0.0 && *fraction <= 10.0);
    fraction.ok_or_else(|| "a number above 0 and up to 10, such as 0.5".to_owned())
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
    rate.ok_or_else(|| "a number from 0 to 1, such as 0.9".to_owned())
}

fn main() -> ExitCode {
    let options = Options::parse();
    exit_code("cache-sweep", run(&options))
}

/// Whether all models were measured; those that were are told in any case.
fn run(options: &Options) -> Result<bool, String> {
    let mcc = find_mcc(options.mcc.clone());
    let mut fractions = options.fractions.clone();
    fractions.sort_by(|left, right| right.total_cmp(left));
    fractions.dedup();
    let mut models = Vec::new();
    for model in &options.models {
        let experiment = Experiment {
            mcc: &mcc,
            model,
            fractions: &fractions,
            whole: options.of,
            max_collisions: options.max_collisions,
            max_depth: options.max_depth,
            repeat: options.repeat,
            extra: &options.verifier_option,
        };
        match experiment.measure(|text| eprintln!("{text}")) {
            Ok(figures) => models.push(figures),
            Err(message) => eprintln!("cache-sweep: {message}"),
        }
    }
    let all = models.len() == options.models.len();
    let report = Report { means: means(&models, &fractions), fractions, models };
    let text = table::render(&report);
    println!("{text}");
    if let Some(path) = &options.markdown {
        write(path, &text)?;
    }
    if let Some(path) = &options.json {
        let json = serde_json::to_string_pretty(&report).map_err(|error| error.to_string())?;
        write(path, &(json + "\n"))?;
    }
    if let Some(path) = &options.svg {
        for figures in &report.models {
            write(&plot_path(path, &figures.name, options.models.len()), &svg::draw(figures))?;
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read() {
        assert_eq!(parse_fraction("0.35"), Ok(0.35));
        assert_eq!(parse_rate("0"), Ok(0.0));
        for wrong in ["", "0", "-1", "11", "NaN", "half"] {
            assert!(parse_fraction(wrong).is_err(), "{wrong}");
        }
        assert!(parse_rate("1.1").is_err() && parse_rate("NaN").is_err());
    }

    #[test]
    fn the_command_line_is_in_order() {
        let options = Options::try_parse_from(["cache-sweep", "a.m", "--fractions", "0.5,1"]).unwrap();
        assert_eq!(options.fractions, [0.5, 1.0]);
        assert_eq!(Options::try_parse_from(["cache-sweep", "a.m"]).unwrap().fractions.len(), 10);
    }
}
