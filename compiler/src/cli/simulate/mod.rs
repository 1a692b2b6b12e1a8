//! `--simulate`: a walk through the model by hand. Commands come line by line from a terminal, a
//! file or a pipe.
//!
//! The terminal stays as it is (nothing here changes its mode), so there is nothing to restore.

mod commands;
mod session;
mod show;

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcc_runtime::Paint;
use mcc_runtime::host::random::seed_from_clock;

use super::options::Options;
use super::print::check;
use super::replay::verifier_options;
use super::{Stop, WRONG, say, wants_color};
use crate::interpret::Interpreter;
use commands::Reply;
use session::Session;

/// No command is longer.
const LONGEST_LINE: u64 = 1 << 16;

pub fn simulate(interpreter: &Interpreter, options: &Options) -> Result<ExitCode, Stop> {
    let chosen = verifier_options(&options.verifier_options)?;
    let is_terminal = io::stdin().is_terminal();
    let signals = Signals::default();
    if is_terminal {
        signals.listen();
    }
    let paint = Paint { on: wants_color(options.color, io::stdout().is_terminal()) };
    let seed = chosen.seed.unwrap_or_else(seed_from_clock);
    let mut session = Session::new(interpreter, chosen.settings(), paint, seed, signals.interrupted.clone());
    let mut wrong = false;
    let mut reply = session.begin();
    loop {
        if let Some(message) = &reply.wrong {
            wrong = true;
            print(&reply.text)?;
            say(&format!("error: {message}"));
        } else if !print(&reply.text)? {
            break;
        }
        if reply.quit {
            break;
        }
        match next_line(&session, is_terminal, &signals) {
            Ok(Some(line)) => reply = session.command(&line),
            Ok(None) => break,
            Err(error) => {
                let message = format!("cannot read standard input: {error}");
                return Err(Stop::Message { message, help: None });
            }
        }
    }
    // At a terminal the user has seen what was wrong, and typed it again.
    Ok(if wrong && !is_terminal { ExitCode::from(WRONG) } else { ExitCode::SUCCESS })
}

/// Whether the output is still read.
fn print(text: &str) -> Result<bool, Stop> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    let read = written.is_ok();
    check("standard output", written)?;
    Ok(read)
}

/// The next command, or `None` at the end of the input.
fn next_line(session: &Session, is_terminal: bool, signals: &Signals) -> io::Result<Option<String>> {
    if is_terminal {
        let _ = print(&session.prompt());
    }
    signals.waiting.store(true, Ordering::Relaxed);
    let mut line = Vec::new();
    let count = io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut line);
    signals.waiting.store(false, Ordering::Relaxed);
    // The user went on after all.
    signals.interrupted.store(false, Ordering::Relaxed);
    match count? {
        0 => {
            if is_terminal {
                let _ = print("\n");
            }
            Ok(None)
        }
        _ => Ok(Some(String::from_utf8_lossy(&line).trim().to_owned())),
    }
}

/// Ctrl-C stops a long random walk; while a command is waited for, it leaves the second time.
#[derive(Clone, Default)]
struct Signals {
    interrupted: Arc<AtomicBool>,
    waiting: Arc<AtomicBool>,
}

impl Signals {
    fn listen(&self) {
        let signals = self.clone();
        // Without a handler Ctrl-C leaves at once, which is fine too.
        let _ = ctrlc::set_handler(move || {
            if signals.interrupted.swap(true, Ordering::Relaxed) {
                let _ = print("\n");
                std::process::exit(130);
            }
            if signals.waiting.load(Ordering::Relaxed) {
                let _ = print("\n(Ctrl-C again, Ctrl-D or `quit` leaves) ");
            }
        });
    }
}

impl Reply {
    fn said(text: String) -> Reply {
        Reply { text, ..Reply::default() }
    }

    fn wrong(message: impl Into<String>) -> Reply {
        Reply { wrong: Some(message.into()), ..Reply::default() }
    }
}
