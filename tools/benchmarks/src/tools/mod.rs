//! What a benchmark needs to know of a verifier generator: how it builds, how its verifiers run,
//! and how to read what they print.

mod cmurphi;
mod mcc;
mod rumur;
mod spin;

pub use cmurphi::Cmurphi;
pub use mcc::Mcc;
pub use rumur::Rumur;
pub use spin::Spin;

use crate::process::{self, Finished};
use serde::Serialize;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ToolName {
    Mcc,
    Cmurphi,
    Rumur,
    Spin,
}

impl ToolName {
    /// The name as its authors write it.
    pub fn label(self) -> &'static str {
        match self {
            ToolName::Mcc => "mcc",
            ToolName::Cmurphi => "CMurphi",
            ToolName::Rumur => "Rumur",
            ToolName::Spin => "Spin",
        }
    }
}

/// What a tool reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Murphi,
    Promela,
}

impl Language {
    pub fn extension(self) -> &'static str {
        match self {
            Language::Murphi => "m",
            Language::Promela => "pml",
        }
    }

    pub fn comment(self, words: &str) -> String {
        match self {
            Language::Murphi => format!("-- {words}\n"),
            Language::Promela => format!("/* {words} */\n"),
        }
    }

    /// Built once by every tool before the first timed build, so that caches are warm.
    pub fn smallest_model(self) -> &'static str {
        match self {
            Language::Murphi => {
                "var x: 0..1;\nstartstate begin x := 0; end;\nrule \"flip\" begin x := 1 - x; end;\n"
            }
            Language::Promela => "byte x;\nactive proctype flip() {\n\tdo :: x = 1 - x od\n}\n",
        }
    }
}

/// How a model is to be explored, the same for all tools that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    pub symmetry: bool,
    pub threads: u32,
}

/// When the number of threads of a tool is chosen, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadChoice {
    /// It has one.
    Never,
    WhenBuilt,
    WhenRun,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Verified,
    Violated,
}

/// What two tools must agree on before their times may be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    pub verdict: Verdict,
    pub states: u64,
    pub rules: u64,
}

/// How one run of a verifier ended.
#[derive(Clone, Debug)]
pub enum Outcome {
    Answered(Answer),
    ReachedLimit,
    OutOfMemory,
    Failed(String),
}

pub trait Tool {
    fn name(&self) -> ToolName;

    fn language(&self) -> Language {
        Language::Murphi
    }

    fn thread_choice(&self) -> ThreadChoice;

    /// A tool without symmetry reduction stays out where it is asked for.
    fn reduces_symmetry(&self) -> bool {
        true
    }

    /// The commands that turn `model` into the executable `verifier`, in order.
    fn build_steps(&self, task: Task, model: &Path, verifier: &Path) -> Vec<Command>;

    /// The arguments for the timed runs of `verifier`. A tool may try some out first, untimed; it
    /// gives the outcome of its last trial where no arguments lead to an answer.
    fn run_arguments(
        &self,
        task: Task,
        verifier: &Path,
        limit: Duration,
    ) -> io::Result<Result<Vec<OsString>, Outcome>>;

    /// Reads the answer from a run that ended by itself.
    fn interpret(&self, finished: &Finished) -> Outcome;
}

/// Runs the build steps one after the other: their seconds together, or why the tool rejected the
/// model.
pub fn build(
    tool: &dyn Tool,
    task: Task,
    model: &Path,
    verifier: &Path,
    limit: Duration,
) -> io::Result<Result<f64, String>> {
    // What an earlier build left must not pass for the work of this one.
    match fs::remove_file(verifier) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut seconds = 0.0;
    for mut step in tool.build_steps(task, model, verifier) {
        let finished = process::run(&mut step, limit)?;
        if finished.reached_limit {
            return Ok(Err("the build reached the time limit".to_owned()));
        }
        if !finished.succeeded() {
            let program = Path::new(step.get_program()).file_name().unwrap_or_default().display().to_string();
            return Ok(Err(format!("{program}: {}", finished.complaint())));
        }
        seconds += finished.seconds;
    }
    Ok(if verifier.is_file() { Ok(seconds) } else { Err("the build left no executable".to_owned()) })
}

/// Runs a verifier once.
pub fn run(
    tool: &dyn Tool,
    verifier: &Path,
    arguments: &[OsString],
    limit: Duration,
) -> io::Result<(Outcome, Finished)> {
    let mut command = Command::new(verifier);
    // Some verifiers leave files where they run.
    command.current_dir(verifier.parent().unwrap_or(Path::new("."))).args(arguments);
    let finished = process::run(&mut command, limit)?;
    let outcome = if finished.reached_limit { Outcome::ReachedLimit } else { tool.interpret(&finished) };
    Ok((outcome, finished))
}

/// Looks a program up as a shell would, in the folders of PATH.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// A compiler named by the environment, or the one that a Unix machine usually has.
fn compiler(variable: &str, usual: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| OsStr::new(usual).to_owned())
}

/// The memory that a peer may be given, in megabytes: most of what the machine could give now
/// without swapping.
fn spare_megabytes() -> u64 {
    let available = || {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes / 1024)
    };
    available().map_or(1024, |megabytes| megabytes / 10 * 8)
}

/// Finds `… N states, M rules fired …`, the line in which CMurphi and Rumur both sum up a search.
fn counts(output: &str) -> Option<(u64, u64)> {
    let line = output.lines().rev().find(|line| line.contains(" rules fired in "))?;
    let (states, rest) = line.trim().split_once(" states, ")?;
    let (rules, _) = rest.split_once(" rules fired in ")?;
    Some((states.parse().ok()?, rules.parse().ok()?))
}

/// Reads a summary in the form that CMurphi and Rumur share.
fn interpret_summary(finished: &Finished) -> Outcome {
    match counts(&finished.stdout) {
        Some((states, rules)) => {
            let clean = finished.stdout.contains("No error found.");
            let verdict = if clean { Verdict::Verified } else { Verdict::Violated };
            Outcome::Answered(Answer { verdict, states, rules })
        }
        None => Outcome::Failed(finished.complaint()),
    }
}
