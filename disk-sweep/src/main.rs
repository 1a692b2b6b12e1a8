//! `disk-sweep`: how much slower is a search whose visited states are on disk, with less and less memory for them?
//!
//! ```text
//! options ─► measure (runs in memory, then on disk with smaller and smaller tables) ─► figures (slowdowns, means) ─► table, json, svg
//! ```
//! Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

mod figures;
mod measure;
mod svg;
mod table;

use clap::Parser;
use experiments::exit_code;
use experiments::files::write;
use experiments::verifier::find_mcc;
use figures::{Report, Way, means};
use measure::Experiment;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a model's verifier with its visited states on disk and 1/1, 1/2 … 1/100 of the memory that the exact search in memory needs, with
/// whole states and with signatures, in sorted tables and in the plain one of the paper, and tells how much longer that takes: the
/// experiments of Figures 3 and 4 of Stern and Dill's paper on magnetic disk.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    models: Vec<PathBuf>,
    /// Memory savings factors
    #[arg(long, value_delimiter = ',', value_parser = parse_factor, default_value = "1,2,5,10,20,50,100", value_name = "F,…")]
    factors: Vec<f64>,
    /// Where the states go
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "signatures,signatures-plain,states,states-plain",
        value_name = "WAY,…"
    )]
    ways: Vec<Way>,
    /// A directory on the disk in question [default: the system's temporary one]
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// Run everything so many times, by turns; the shortest time counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "N")]
    repeat: u32,
    /// The mcc that builds the verifiers [default: beside this program, or on PATH]
    #[arg(long, value_name = "PATH")]
    mcc: Option<PathBuf>,
    /// One more argument for the verifiers, such as -b or -j2; may be repeated. Deadlocks are no errors, whatever it says
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    verifier_option: Vec<OsString>,
    /// One more argument for the searches on disk alone, such as --queue-memory; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    disk_option: Vec<OsString>,
    /// Write all figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to a file as well
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw the slowdowns
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn parse_factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| (0.1..=1e6).contains(factor));
    factor.ok_or_else(|| "a number from 0.1 to 1000000, such as 50".to_owned())
}

fn main() -> ExitCode {
    let options = Options::parse();
    exit_code("disk-sweep", run(&options))
}

/// Whether all models were measured; those that were are told in any case.
fn run(options: &Options) -> Result<bool, String> {
    let mcc = find_mcc(options.mcc.clone());
    let directory = options.disk.clone().unwrap_or_else(std::env::temp_dir);
    let mut factors = options.factors.clone();
    factors.sort_by(f64::total_cmp);
    factors.dedup();
    let mut models = Vec::new();
    for model in &options.models {
        let experiment = Experiment {
            mcc: &mcc,
            model,
            factors: &factors,
            ways: &options.ways,
            directory: &directory,
            repeat: options.repeat,
            extra: &options.verifier_option,
            disk_extra: &options.disk_option,
        };
        match experiment.measure(|text| eprintln!("{text}")) {
            Ok(figures) => models.push(figures),
            Err(message) => eprintln!("disk-sweep: {message}"),
        }
    }
    let all = models.len() == options.models.len();
    let report = Report { means: means(&models, &options.ways, &factors), factors, models };
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
        write(path, &svg::draw(&report))?;
    }
    Ok(all)
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
