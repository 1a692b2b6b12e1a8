//! What is found when a process of several is killed at a moment that nobody chose, and another
//! number of them goes on from the checkpoint.

use super::{children, differences, figures, is_there, kill, report};
use crate::shared::{ExperimentError, Verifier};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Processes that take longer than that to notice that one is lost have not noticed it.
const NOTICED: Duration = Duration::from_secs(10);

/// What is done.
#[derive(Clone, Debug)]
pub struct Plan {
    pub kills: u32,
    pub processes: u32,
    /// Numbers of processes that go on, by turns.
    pub resumed_by: Vec<u32>,
    /// Options for all searches.
    pub options: Vec<String>,
    pub seed: u64,
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Killed {
    /// Seconds of the search that was left alone.
    pub seconds: f64,
    pub kills: u32,
    /// Searches that went on from a checkpoint, and that began anew because there was none yet.
    pub resumed: u32,
    pub begun_anew: u32,
    /// Seconds until all other processes had ended, at most.
    pub noticed: f64,
    pub findings: Vec<String>,
}

/// Kills, resumes and compares.
pub fn run(
    verifier: &Verifier,
    plan: &Plan,
    place: &Path,
    say: &dyn Fn(&str),
) -> Result<Killed, ExperimentError> {
    let cluster = |processes: u32| ["--cluster".to_owned(), format!("local:{processes}")];
    let undisturbed: Value = report(verifier, &[&cluster(plan.processes)[..], &plan.options].concat())?;
    let expected = figures(&undisturbed);
    let seconds = undisturbed["seconds"].as_f64().unwrap_or(1.0);
    let mut killed = Killed { seconds, ..Killed::default() };
    let mut random = fastrand::Rng::with_seed(plan.seed);
    for number in 0..plan.kills {
        let saved = place.join(format!("saved{number}"));
        let begun = Instant::now();
        let mut first = start(verifier, &cluster(plan.processes), &saved, &plan.options)?;
        let at = Duration::from_secs_f64(random.f64() * seconds);
        std::thread::sleep(at);
        let others = children(first.id());
        let victim = random.usize(..plan.processes as usize);
        let process = match victim.checked_sub(1).and_then(|at| others.get(at)) {
            Some(&other) => other,
            None => first.id(),
        };
        let was_there = kill(process)?;
        let at_kill = Instant::now();
        let code = first.wait()?.code();
        while others.iter().any(|&other| is_there(other)) && at_kill.elapsed() < NOTICED {
            std::thread::sleep(Duration::from_millis(10));
        }
        let noticed = at_kill.elapsed();
        killed.noticed = killed.noticed.max(noticed.as_secs_f64());
        let mut finding = |what: String| killed.findings.push(format!("kill {number}: {what}"));
        if noticed >= NOTICED {
            finding(format!("process {victim} was killed, and others go on"));
        }
        // Process 0 is the victim, or has noticed it, or was at its end already.
        if !matches!(code, None | Some(3)) && was_there && begun.elapsed().as_secs_f64() < seconds {
            finding(format!("process 0 ended with exit code {code:?}"));
        }
        killed.kills += u32::from(was_there);
        let go_on = plan.resumed_by[number as usize % plan.resumed_by.len()];
        let mut arguments = [&cluster(go_on)[..], &plan.options].concat();
        if saved.join("manifest").exists() {
            arguments.extend(["--resume".to_owned(), saved.display().to_string()]);
            killed.resumed += 1;
        } else {
            killed.begun_anew += 1;
        }
        let found = report(verifier, &arguments)?;
        let differ = differences(&expected, &figures(&found));
        if !differ.is_empty() {
            killed.findings.push(format!("kill {number}, resumed by {go_on}: {differ}"));
        }
        say(&format!(
            "kill {number}: process {victim} after {:.1} s, noticed by all within {:.2} s, resumed by {go_on}: {}",
            at.as_secs_f64(),
            noticed.as_secs_f64(),
            if differ.is_empty() { "the same" } else { &differ }
        ));
        std::fs::remove_dir_all(&saved).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
    }
    Ok(killed)
}

fn start(
    verifier: &Verifier,
    cluster: &[String],
    saved: &Path,
    options: &[String],
) -> Result<Child, ExperimentError> {
    let mut command = Command::new(verifier.path());
    command.arg("--quiet").args(cluster).args(options);
    command.args(["--checkpoint", "0", "--checkpoint-directory"]).arg(saved);
    Ok(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
}
