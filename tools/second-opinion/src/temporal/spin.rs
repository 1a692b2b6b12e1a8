//! Spin's decisions, where it is installed.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// After that its verifier, or the compiler, is stopped: there is no opinion.
const PATIENCE: Duration = Duration::from_secs(60);
/// A formula whose automaton takes Spin longer than this is left out.
const SHORT: Duration = Duration::from_secs(2);

pub fn is_installed() -> bool {
    Command::new("spin").arg("-V").output().is_ok_and(|output| output.status.success())
}

/// Whether each property of a Promela model holds; `None` where Spin does not say.
pub fn ask(promela: &str, properties: &[String], folder: &Path) -> io::Result<Vec<Option<bool>>> {
    fs::create_dir_all(folder)?;
    let printed = folder.join("printed.txt");
    let mut text = promela.to_owned();
    let mut taken = Vec::new();
    for (at, property) in properties.iter().enumerate() {
        let mut spin = Command::new("spin");
        spin.arg("-f").arg(format!("!{property}")).current_dir(folder);
        if within(&mut spin, &printed, SHORT)?.is_some_and(|status| status.success()) {
            text += &format!("ltl f{at} {{ {property} }}\n");
            taken.push(at);
        }
    }
    let mut verdicts = vec![None; properties.len()];
    if taken.is_empty() {
        return Ok(verdicts);
    }
    fs::write(folder.join("runs.pml"), text)?;
    let mut spin = Command::new("spin");
    spin.args(["-a", "runs.pml"]).current_dir(folder);
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-w", "-DNOREDUCE", "-DMEMLIM=1000", "-o", "pan", "pan.c"]).current_dir(folder);
    for command in [&mut spin, &mut compiler] {
        if !within(command, &printed, PATIENCE)?.is_some_and(|status| status.success()) {
            return Ok(verdicts);
        }
    }
    for at in taken {
        let mut pan = Command::new("./pan");
        pan.args(["-a", "-n", "-N", &format!("f{at}")]).current_dir(folder);
        let ended = within(&mut pan, &printed, PATIENCE)?;
        verdicts[at] = ended.and(verdict(&fs::read_to_string(&printed)?));
    }
    Ok(verdicts)
}

/// What its verifier prints: the number of errors, if it searched all states or found one.
fn verdict(text: &str) -> Option<bool> {
    let incomplete = ["out of memory", "max search depth too small", "aborting"];
    let (_, errors) = text.split_once("errors: ")?;
    let errors = errors.split_whitespace().next()?;
    match errors {
        "0" if incomplete.iter().any(|words| text.contains(words)) => None,
        "0" => Some(true),
        _ => Some(false),
    }
}

/// Runs a command, at most for this time.
fn within(command: &mut Command, printed: &Path, most: Duration) -> io::Result<Option<ExitStatus>> {
    let file = File::create(printed)?;
    let mut child = command.stdout(file.try_clone()?).stderr(file).stdin(Stdio::null()).spawn()?;
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if started.elapsed() > most {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
