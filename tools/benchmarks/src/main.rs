//! `mcc-benchmarks`: builds and runs models with `mcc` and with the peers that are at hand, and
//! compares.
//!
//! ```text
//! options ─► tools (what is at hand) ─► measure (samples) ─► report (medians, ratios) ─► markdown, json, svg
//! ```
//! Exit codes: 0 the figures stand · 1 answers differ, or `mcc` gave none · 2 the command line is
//! wrong.

mod define;
mod markdown;
mod measure;
mod models;
mod process;
mod report;
mod svg;
mod tools;

use clap::Parser;
use measure::Plan;
use models::{Definition, Model};
use report::Report;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use tools::{Cmurphi, Mcc, Rumur, Spin, Tool, ToolName};

/// Measures mcc side by side with the peers at hand: CMurphi if MCC_CMURPHI names its folder (or
/// MCC_CMURPHI_MU and MCC_CMURPHI_INCLUDE its two parts), Rumur and Spin if they are on PATH. Spin
/// takes part where a MODEL.pml stands beside MODEL.m.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// The models to measure without symmetry reduction
    #[arg(required_unless_present = "with_symmetry", value_name = "MODEL.m")]
    models: Vec<PathBuf>,
    /// A model to measure with every tool's own symmetry reduction; may be repeated
    #[arg(long, value_name = "MODEL.m")]
    with_symmetry: Vec<PathBuf>,
    /// Another value for a constant of the models that declare it. With several values each is
    /// measured, and how the costs grow; may be repeated
    #[arg(long, value_name = "NAME=VALUE,…")]
    define: Vec<Definition>,
    /// How often to build and to run; tables show the medians
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..), value_name = "N")]
    repeat: u32,
    /// Seconds that a single build or run may take
    #[arg(long, default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..), value_name = "SECONDS")]
    limit: u64,
    /// Measure the builds and run nothing
    #[arg(long)]
    build_only: bool,
    /// Threads of each run, for the tools that have a choice; several numbers show the speed-up
    #[arg(long, default_value = "1", value_delimiter = ',', value_name = "N,…")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    threads: Vec<u32>,
    /// Runs that take a peer less than this stay out of the mean ratios
    #[arg(long, default_value_t = 0.2, value_name = "SECONDS")]
    floor: f64,
    /// The mcc to measure [default: beside this program, or on PATH]
    #[arg(long, value_name = "PATH")]
    mcc: Option<PathBuf>,
    /// One more argument for the verifiers that mcc builds; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    verifier_option: Vec<OsString>,
    /// One more argument for the verifiers of CMurphi; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    cmurphi_option: Vec<OsString>,
    /// One more argument for rumur; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    rumur_option: Vec<OsString>,
    /// One more argument for the C compiler that builds Spin's verifiers; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    spin_option: Vec<OsString>,
    /// Leave out a peer; may be repeated
    #[arg(long, value_name = "PEER")]
    skip: Vec<ToolName>,
    /// Write all figures and samples as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to a file as well
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw speed, memory and build times
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

fn main() -> ExitCode {
    let mut options = Options::parse();
    let wrong = |message: String| {
        eprintln!("mcc-benchmarks: {message}");
        ExitCode::from(2)
    };
    let models = match models::read(&options.models, &options.with_symmetry, &options.define) {
        Ok(models) => models,
        Err(message) => return wrong(message),
    };
    let tools = match find_tools(&mut options) {
        Ok(tools) => tools,
        Err(message) => return wrong(message),
    };
    match benchmark(&options, &models, &tools) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            for fault in faults {
                eprintln!("mcc-benchmarks: {fault}");
            }
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("mcc-benchmarks: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and writes everything that was asked for; gives the faults found.
fn benchmark(
    options: &Options,
    models: &[Model],
    tools: &[Box<dyn Tool>],
) -> Result<Vec<String>, Box<dyn Error>> {
    let mut threads = options.threads.clone();
    threads.sort_unstable();
    threads.dedup();
    let plan = Plan {
        repeat: options.repeat,
        limit: Duration::from_secs(options.limit),
        build_only: options.build_only,
        threads,
    };
    let folder = tempfile::Builder::new().prefix("mcc-benchmarks-").tempdir()?;
    let measured = measure::measure(&plan, models, tools, folder.path())?;
    let report = Report::new(&plan, options.floor, models, measured);

    let tables = markdown::render(&report);
    println!("{tables}");
    if let Some(file) = &options.json {
        write(file, serde_json::to_string_pretty(&report)? + "\n")?;
    }
    if let Some(file) = &options.markdown {
        write(file, tables)?;
    }
    if let Some(file) = &options.svg {
        write(file, svg::render(&report))?;
    }
    Ok(report.faults())
}

fn write(file: &Path, text: String) -> Result<(), String> {
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

fn find_tools(options: &mut Options) -> Result<Vec<Box<dyn Tool>>, String> {
    let mcc = Mcc::find(options.mcc.take(), std::mem::take(&mut options.verifier_option))
        .ok_or("no mcc there; build it (`cargo build --release -p mcc-murphi`) or name it with --mcc PATH")?;
    let mut tools: Vec<Box<dyn Tool>> = vec![Box::new(mcc)];
    if !options.skip.contains(&ToolName::Cmurphi) {
        let found = Cmurphi::find(std::mem::take(&mut options.cmurphi_option))?;
        tools.extend(found.map(|tool| Box::new(tool) as Box<dyn Tool>));
    }
    if !options.skip.contains(&ToolName::Rumur) {
        let found = Rumur::find(std::mem::take(&mut options.rumur_option));
        tools.extend(found.map(|tool| Box::new(tool) as Box<dyn Tool>));
    }
    if !options.skip.contains(&ToolName::Spin) {
        let found = Spin::find(std::mem::take(&mut options.spin_option));
        tools.extend(found.map(|tool| Box::new(tool) as Box<dyn Tool>));
    }
    Ok(tools)
}
