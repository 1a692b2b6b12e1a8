//! This project's own compiler and verifiers.

use super::{Answer, Outcome, Task, ThreadChoice, Tool, ToolName, Verdict, on_path};
use crate::process::{self, Finished};
use serde::Deserialize;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub struct Mcc {
    command: PathBuf,
    /// What the user wants to have measured in addition, passed to the verifier as it stands.
    extra: Vec<OsString>,
}

impl Mcc {
    /// Takes the command given, or else looks beside this executable and then on PATH.
    pub fn find(given: Option<PathBuf>, extra: Vec<OsString>) -> Option<Mcc> {
        let beside = || {
            let file = env::current_exe().ok()?.with_file_name("mcc");
            file.is_file().then_some(file)
        };
        let command = given.or_else(beside).or_else(|| on_path("mcc"))?;
        // Builds run in another folder, where a relative path would mean something else.
        Some(Mcc { command: command.canonicalize().ok()?, extra })
    }
}

impl Tool for Mcc {
    fn name(&self) -> ToolName {
        ToolName::Mcc
    }

    fn thread_choice(&self) -> ThreadChoice {
        ThreadChoice::WhenRun
    }

    fn build_steps(&self, _: Task, model: &Path, verifier: &Path) -> Vec<Command> {
        let mut step = Command::new(&self.command);
        step.arg(model).arg("-o").arg(verifier);
        vec![step]
    }

    /// Verifiers of early versions have neither threads nor symmetry, so the options that say so
    /// are passed to those whose help names them; one that does not know them has no other way to
    /// run.
    fn run_arguments(
        &self,
        task: Task,
        verifier: &Path,
        limit: Duration,
    ) -> io::Result<Result<Vec<OsString>, Outcome>> {
        let help = process::run(Command::new(verifier).arg("--help"), limit)?.stdout;
        let mut arguments: Vec<OsString> = ["-ndl", "-b", "--quiet", "--json", "-"].map(Into::into).into();
        if help.contains("--threads") {
            arguments.extend(["--threads".into(), task.threads.to_string().into()]);
        }
        if !task.symmetry && help.contains("-nosym") {
            arguments.push("-nosym".into());
        }
        arguments.extend(self.extra.iter().cloned());
        Ok(Ok(arguments))
    }

    fn interpret(&self, finished: &Finished) -> Outcome {
        let report: Report = match serde_json::from_str(&finished.stdout) {
            Ok(report) => report,
            Err(error) => {
                return Outcome::Failed(format!("no JSON report ({error}); {}", finished.complaint()));
            }
        };
        let verdict = match report.verdict.as_str() {
            "verified" => Verdict::Verified,
            "violated" => Verdict::Violated,
            other => return Outcome::Failed(format!("{other}: {}", report.reason.unwrap_or_default())),
        };
        Outcome::Answered(Answer { verdict, states: report.states, rules: report.rules })
    }
}

/// The part of a verifier's JSON report that is compared. Times and memory are measured from
/// outside.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    #[serde(default)]
    reason: Option<String>,
    states: u64,
    rules: u64,
}
