//! A verifier that was built, and its runs.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use mcc_runtime::embedding::{self, Options, Report, Verdict};

use super::error::Error;
use crate::package::{Built, Destination};

/// How often a run looks whether it was cancelled.
const PATIENCE: Duration = Duration::from_millis(20);

/// An executable in the build cache. It stays there while this value lives.
#[derive(Debug)]
pub struct Verifier {
    built: Built,
}

impl Verifier {
    pub(super) fn new(built: Built) -> Verifier {
        Verifier { built }
    }

    /// Where the executable is.
    pub fn path(&self) -> &Path {
        &self.built.executable
    }

    /// Puts a copy of the executable somewhere else, to run by itself.
    pub fn install(&self, path: impl Into<PathBuf>) -> Result<(), Error> {
        let destination = Destination::check(&path.into(), None)?;
        Ok(self.built.install(&destination)?)
    }

    /// Runs the verifier to its end. A verdict is believed only if the exit code and the report
    /// agree.
    pub fn run(&self, options: &Options) -> Result<Report, Error> {
        let mut command = Command::new(self.path());
        command.args(options.arguments()).stdin(Stdio::null());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(Error::Start)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let mut listener = options.listener();
        let (document, said, status) = thread::scope(|scope| {
            let document = scope.spawn(move || {
                let mut document = Vec::new();
                let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut document));
                read.map(|_| document)
            });
            let said = scope.spawn(move || {
                if let Some(mut stderr) = stderr {
                    // What cannot be read is missing in a message.
                    let _ = io::copy(&mut stderr, &mut listener).and_then(|_| listener.flush());
                }
                listener.said()
            });
            let status = wait(&mut child, options);
            let document = document.join().unwrap_or_else(|_| Ok(Vec::new()));
            (document, said.join().unwrap_or_default(), status)
        });
        let (document, status) = (document.map_err(Error::Start)?, status.map_err(Error::Start)?);
        if document.is_empty() && status.code() != Some(2) {
            return Err(Error::NoVerdict(format!("{status}\n{}", said.trim_end())));
        }
        let report = embedding::read(&document, said)?;
        let expected = match report.verdict {
            Verdict::Verified => 0,
            Verdict::Violated => 1,
            Verdict::Inconclusive => 3,
        };
        match status.code() {
            // A model without a start state.
            Some(2) => Err(Error::NoVerdict(report.reason)),
            Some(code) if code == expected => Ok(report),
            _ => Err(Error::NoVerdict(format!("its report says {}, but {status}", report.verdict))),
        }
    }
}

/// Waits for the end of a verifier, and interrupts it when the caller cancels: it reports then what
/// it has found so far.
fn wait(child: &mut Child, options: &Options) -> io::Result<ExitStatus> {
    let mut interrupted = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if options.is_cancelled() && !interrupted {
            interrupted = true;
            interrupt(child)?;
        }
        thread::sleep(PATIENCE);
    }
}

#[cfg(unix)]
fn interrupt(child: &Child) -> io::Result<()> {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // It has not been waited for, so its number is still its own.
    let process = i32::try_from(child.id()).map(Pid::from_raw).map_err(io::Error::other)?;
    Ok(kill(process, Signal::SIGINT)?)
}

#[cfg(not(unix))]
fn interrupt(child: &mut Child) -> io::Result<()> {
    child.kill()
}
