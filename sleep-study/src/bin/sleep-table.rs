//! `sleep-table`: how much do sleep sets leave out? Exit codes: 0 done · 1 a model could not be measured · 2 the command line is wrong.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

use clap::Parser;
use experiments::exit_code;
use experiments::files::write;
use experiments::verifier::{Verifier, find_mcc};
use sleep_study::{Runs, table};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Searches models with and without sleep sets, depth first and breadth first, and tells states, matched states, transitions, depth and time:
/// Table 2 of the paper on state-space caching.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    models: Vec<PathBuf>,
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
    /// Write the table to a file as well
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit_code("sleep-table", run(&Options::parse()))
}

/// Whether all models were measured; those that were are told in any case.
fn run(options: &Options) -> Result<bool, String> {
    let mcc = find_mcc(options.mcc.clone());
    let mut models = Vec::new();
    for model in &options.models {
        let measured = Verifier::build(&mcc, model).and_then(|verifier| {
            let runs = Runs { verifier: &verifier, extra: &options.verifier_option, repeat: options.repeat };
            table::measure(&runs, |text| eprintln!("{text}"))
        });
        match measured {
            Ok(figures) => models.push(figures),
            Err(message) => eprintln!("sleep-table: {message}"),
        }
    }
    let text = table::render(&models);
    println!("{text}");
    if let Some(path) = &options.markdown {
        write(path, &text)?;
    }
    if let Some(path) = &options.json {
        let json = serde_json::to_string_pretty(&models).map_err(|error| error.to_string())?;
        write(path, &(json + "\n"))?;
    }
    Ok(models.len() == options.models.len())
}
