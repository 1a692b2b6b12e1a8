//! Rumur's opinion, where it is installed.

use crate::generate::Drawn;
use crate::opinion::Opinion;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A checker that runs longer than this on a model that was finished by others is stopped, and not
/// compared.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Verified {
        states: u64,
        rules: u64,
    },
    Violated(String),
    /// It does not take the model, or not in time: no opinion.
    None(String),
}

pub fn is_installed() -> bool {
    Command::new("rumur").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Builds the checker of a model in a folder and runs it. Several may be asked at once, each by a
/// number of its own: the models that one is shrunk to have all the same seed.
pub fn ask(drawn: &Drawn, number: usize, text: &str, folder: &Path) -> io::Result<Verdict> {
    fs::create_dir_all(folder)?;
    let path = |end: &str| folder.join(format!("model{number}{end}"));
    let (model, code, checker, printed) = (path(".m"), path(".c"), path(""), path(".txt"));
    fs::write(&model, text)?;
    // Rumur computes in the fast type of this name, which has 64 bits.
    let deadlock = if drawn.deadlock { "stuttering" } else { "off" };
    let output = Command::new("rumur")
        .args(["--symmetry-reduction", "off", "--threads", "1", "--value-type", "int32_t"])
        .args(["--deadlock-detection", deadlock, "--output"])
        .arg(&code)
        .arg(&model)
        .output()?;
    let verdict = if !output.status.success() {
        Verdict::None(format!("rumur rejects it: {}", String::from_utf8_lossy(&output.stderr)))
    } else {
        let output = Command::new("cc")
            .args(["-std=c11", "-O0", "-w", "-mcx16"])
            .arg(&code)
            .arg("-o")
            .arg(&checker)
            .arg("-lpthread")
            .output()?;
        match output.status.success() {
            true => run(&checker, &printed)?,
            false => Verdict::None(format!("cc rejects it: {}", String::from_utf8_lossy(&output.stderr))),
        }
    };
    for file in [model, code, checker, printed] {
        let _ = fs::remove_file(file);
    }
    Ok(verdict)
}

fn run(checker: &Path, printed: &Path) -> io::Result<Verdict> {
    let file = File::create(printed)?;
    let mut child = Command::new(checker).stdout(file).stderr(Stdio::null()).spawn()?;
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if started.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(Verdict::None("rumur does not end".into()));
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let text = String::from_utf8_lossy(&fs::read(printed)?).into_owned();
    Ok(match status.code() {
        Some(0) => match (number_before(&text, "states,"), number_before(&text, "rules fired")) {
            (Some(states), Some(rules)) => Verdict::Verified { states, rules },
            _ => Verdict::None(format!("no figures: {text}")),
        },
        Some(_) => Verdict::Violated(text.lines().take(12).collect::<Vec<_>>().join("\n")),
        None => Verdict::None(format!("rumur's checker crashed: {status}")),
    })
}

/// The number in front of a word in "123 states, 456 rules fired in 0s".
fn number_before(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().rev().find(|line| line.contains("rules fired in"))?;
    let before = line.split(word).next()?;
    before.trim_end().rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// In what the two differ; only a search that has ended is compared.
pub fn difference(ours: &Opinion, theirs: &Verdict) -> Option<String> {
    match (ours.verdict(), theirs) {
        ("verified", Verdict::Verified { states, rules }) => {
            if ours.number("states") != Some(*states) {
                Some("rumur: states".into())
            } else if ours.number("rules") != Some(*rules) {
                Some("rumur: rules".into())
            } else {
                None
            }
        }
        ("verified", Verdict::Violated(_)) => Some("rumur: violated".into()),
        ("violated", Verdict::Verified { .. }) => Some("rumur: verified".into()),
        _ => None,
    }
}
