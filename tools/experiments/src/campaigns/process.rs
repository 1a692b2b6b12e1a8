//! A verifier as a process: with a deadline, and with a judgement of how it ended.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// `None`: it was still running at the deadline, and was killed.
    pub status: Option<ExitStatus>,
    pub out: String,
    pub err: String,
}

/// Starts a program with these words.
pub fn start(program: &Path, words: &[String], directory: &Path) -> std::io::Result<Child> {
    Command::new(program)
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Waits for a process, and kills it if it takes too long.
pub fn finish(mut child: Child, patience: Duration) -> std::io::Result<Ended> {
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let read = |stream: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                let _ = stream.read_to_end(&mut bytes);
            }
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(out.map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let err = read(err.map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let deadline = Instant::now() + patience;
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    Ok(Ended { status, out: out.join().unwrap_or_default(), err: err.join().unwrap_or_default() })
}

impl Ended {
    /// The exit code, if the process ended by itself.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    /// What must never happen, whatever the verifier was given.
    pub fn trouble(&self) -> Option<String> {
        let trouble = match self.status {
            None => "it does not end".to_owned(),
            Some(_) if self.err.contains("panicked") || self.out.contains("panicked") => {
                "it panics".to_owned()
            }
            Some(status) => match status.code() {
                Some(0..=3) if self.escapes() => "it prints escape sequences".to_owned(),
                Some(0..=3) => return None,
                _ => format!("it ends with {status}"),
            },
        };
        let err: String = self.err.chars().take(600).collect();
        Some(format!("{trouble}: {err}"))
    }

    fn escapes(&self) -> bool {
        let steers = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
        self.out.contains(steers) || self.err.contains(steers)
    }
}
