//! Compares a model inside a program (`mcc-build`) with its standalone verifier.
//!
//! `cargo run --release -p mcc-example-speed [REPETITIONS]` builds the verifiers, and then runs
//! each search in turn as a process of its own: this program once more, and the verifier. Both get
//! the same options, and must find the same numbers of states and rules. Reported is the processor
//! time of each process (user and system), the least of all repetitions.
//!
//! Exit codes: 0 the figures stand · 1 answers differ, or there is none · 2 the command line is
//! wrong.

use mcc_build::{Options, Report, Verdict};
use mcc_murphi::Model;
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

mcc_build::include_model!(german);
mcc_build::include_model!(odometers);

type Search = fn(&Options) -> Result<Report, mcc_build::VerifyError>;

/// A model of this repository, its constants, and the search for it in this program.
struct Subject {
    name: &'static str,
    define: &'static [(&'static str, u32)],
    search: Search,
}

const SUBJECTS: [Subject; 2] = [
    Subject { name: "german", define: &[], search: |options| Ok(german::verify_with(options)?.report) },
    Subject {
        name: "odometers",
        define: &[("N", 16)],
        search: |options| Ok(odometers::verify_with(options)?.report),
    },
];

/// The word by which this program asks itself for a search.
const SEARCH: &str = "--search";
const REPETITIONS: u32 = 12;
/// In a second, on every architecture that Linux runs on.
const TICKS: f64 = 100.0;

fn options() -> Options {
    Options::new().packed().without_symmetry().without_deadlocks().threads(1)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        [SEARCH, name] => search(name),
        [] => compare(REPETITIONS),
        [number] => match number.parse() {
            Ok(repetitions @ 1..) => compare(repetitions),
            _ => return wrong(),
        },
        _ => return wrong(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mcc-example-speed: {error}");
            ExitCode::FAILURE
        }
    }
}

fn wrong() -> ExitCode {
    eprintln!("mcc-example-speed: the only argument is the number of repetitions, at least 1");
    ExitCode::from(2)
}

/// One search in this process: prints its counts.
fn search(name: &str) -> Result<(), Box<dyn Error>> {
    let subject = SUBJECTS.iter().find(|one| one.name == name).ok_or("there is no such model")?;
    let report = (subject.search)(&options())?;
    if report.verdict != Verdict::Verified {
        return Err(report.to_string().into());
    }
    println!("{} {}", report.states, report.rules);
    Ok(())
}

fn compare(repetitions: u32) -> Result<(), Box<dyn Error>> {
    println!("| model | states | rules | embedded s | standalone s | ratio |\n|---|--:|--:|--:|--:|--:|");
    for subject in &SUBJECTS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../models").join(subject.name);
        let model = Model::from_path(path.with_extension("m"))?;
        let model = subject.define.iter().fold(model, |model, (name, value)| model.define(name, value));
        let verifier = model.build(&Options::new())?;
        let (mut embedded, mut standalone) = (f64::INFINITY, f64::INFINITY);
        let mut counts = None;
        for _ in 0..repetitions {
            let mut ours = Command::new(env::current_exe()?);
            let (seconds, said) = timed(ours.args([SEARCH, subject.name]))?;
            embedded = embedded.min(seconds);
            let found = said.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
            let mut theirs = Command::new(verifier.path());
            let (seconds, document) = timed(theirs.args(options().arguments()))?;
            standalone = standalone.min(seconds);
            let report = Report::from_json(document.as_bytes())?;
            if report.verdict != Verdict::Verified || found != [report.states, report.rules] {
                return Err(format!("{}: {found:?} embedded, but {report}", subject.name).into());
            }
            counts = Some((report.states, report.rules));
        }
        let (states, rules) = counts.ok_or("nothing was run")?;
        println!(
            "| {} | {states} | {rules} | {embedded:.2} | {standalone:.2} | {:.2} |",
            subject.name,
            embedded / standalone
        );
    }
    Ok(())
}

/// Runs a process to its end: its processor time, and what it printed.
fn timed(command: &mut Command) -> Result<(f64, String), Box<dyn Error>> {
    let before = processor_seconds()?;
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", output.status).into());
    }
    Ok((processor_seconds()? - before, String::from_utf8(output.stdout)?))
}

/// User and system time of all processes that have been waited for, as Linux counts it.
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name of the program, in parentheses, may have blanks in it.
    let (_, fields) = text.rsplit_once(')').ok_or("/proc/self/stat has another form")?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    Ok(ticks.sum::<Result<u64, _>>()? as f64 / TICKS)
}
