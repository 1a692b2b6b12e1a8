//! The parent's side of the child: hands it inputs, judges its answers, and replaces it when it
//! dies.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::examine::{Examination, Phase};

/// Microseconds of processor time that parsing and checking may take for every 100 kB, and at
/// least.
const CHECK_LIMIT: u64 = 1_000_000;
/// Generated code is some twenty times as long as its model, and is parsed and formatted.
const COMPILE_LIMIT: u64 = 10_000_000;
/// Without optimisation everything is slower; such a build finds panics, not slowness.
const SLACK: u64 = if cfg!(debug_assertions) { 40 } else { 1 };
/// Time after which a child without output counts as hung.
const PATIENCE: Duration = Duration::from_secs(if cfg!(debug_assertions) { 300 } else { 90 });

/// Why an input is a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Trouble {
    Panic {
        phase: Phase,
        message: String,
    },
    /// The process died: a stack overflow, or more memory than it may have.
    Death {
        message: String,
    },
    Hang,
    Slow {
        phase: Phase,
        microseconds: u64,
    },
}

impl Trouble {
    /// What findings of one cause have in common, as a name for a file.
    pub fn kind(&self) -> String {
        match self {
            Trouble::Panic { message, .. } => {
                let place =
                    message.split_whitespace().find(|word| word.contains(".rs:")).unwrap_or("somewhere");
                let place = place.rsplit('/').next().unwrap_or(place);
                format!("panic-{}", place.trim_end_matches(':').replace([':', '.'], "-"))
            }
            Trouble::Death { message } if message.contains("stack") => "stack-overflow".into(),
            Trouble::Death { message } if message.contains("memory") => "memory".into(),
            Trouble::Death { .. } => "death".into(),
            Trouble::Hang => "hang".into(),
            Trouble::Slow { phase, .. } => format!("slow-{phase:?}").to_lowercase(),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Panic { phase, message } => write!(to, "panic in {phase:?}: {message}"),
            Trouble::Death { message } => write!(to, "the process died: {message}"),
            Trouble::Hang => write!(to, "no answer within {} s", PATIENCE.as_secs()),
            Trouble::Slow { phase, microseconds } => {
                write!(to, "{phase:?} took {:.1} s", *microseconds as f64 / 1e6)
            }
        }
    }
}

/// How long a phase may take for an input of this length.
fn limit(phase: Phase, length: usize) -> u64 {
    let base = match phase {
        Phase::Check | Phase::Render => CHECK_LIMIT,
        Phase::Compile | Phase::Interpret => COMPILE_LIMIT,
    };
    SLACK * base.max(base * length as u64 / 100_000)
}

/// What is wrong with this answer, if anything is.
pub fn judge(examination: &Examination, length: usize) -> Option<Trouble> {
    if let Some((phase, message)) = examination.panic.clone() {
        return Some(Trouble::Panic { phase, message });
    }
    let phases = [Phase::Check, Phase::Render, Phase::Compile, Phase::Interpret];
    phases.into_iter().find_map(|phase| {
        let microseconds = examination.time(phase);
        (microseconds > limit(phase, length)).then_some(Trouble::Slow { phase, microseconds })
    })
}

struct Running {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
}

/// The front end in a process of its own.
pub struct Subject {
    program: PathBuf,
    running: Option<Running>,
}

impl Subject {
    /// `program` is this crate's own command.
    pub fn new(program: &Path) -> Subject {
        Subject { program: program.to_path_buf(), running: None }
    }

    /// Examines an input in the child. An error is one of the fuzzer, not of the front end.
    pub fn examine(&mut self, input: &[u8], deeply: bool) -> io::Result<Result<Examination, Trouble>> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let length = u32::try_from(input.len()).map_err(io::Error::other)?.to_le_bytes();
        let request = [&[u8::from(deeply)], &length[..], input].concat();
        // If the child died while idle, the answer that does not come says so.
        let _ = running.requests.write_all(&request).and_then(|()| running.requests.flush());
        match running.answers.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.running = Some(running);
                serde_json::from_str(&line).map(Ok).map_err(io::Error::other)
            }
            Err(RecvTimeoutError::Timeout) => {
                running.child.kill()?;
                running.child.wait()?;
                Ok(Err(Trouble::Hang))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = running.child.wait()?;
                let mut message = match status.signal() {
                    Some(signal) => format!("signal {signal}: "),
                    None => format!("{status}: "),
                };
                if let Some(mut said) = running.child.stderr.take() {
                    said.read_to_string(&mut message)?;
                }
                Ok(Err(Trouble::Death { message: message.trim().replace('\n', " ") }))
            }
        }
    }

    fn start(&self) -> io::Result<Running> {
        let mut child = Command::new(&self.program)
            .arg("--serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let lost = || io::Error::other("the child has no pipes");
        let requests = child.stdin.take().ok_or_else(lost)?;
        let output = child.stdout.take().ok_or_else(lost)?;
        let (sender, answers) = channel();
        // Reads ahead, so that waiting for an answer can be given up. Ends with the child.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Running { child, requests, answers })
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        if let Some(Running { mut child, requests, .. }) = self.running.take() {
            drop(requests);
            // It ends when its input does; nothing is left to be done if that fails.
            let _ = child.wait();
        }
    }
}
