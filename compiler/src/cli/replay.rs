//! `--replay`: reads a report or a saved walk, follows its trace in the interpreter, and says what
//! came of it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use mcc_runtime::Paint;
use mcc_runtime::host::Watched;
use mcc_runtime::host::cli;
use mcc_runtime::host::text::{plural, printable};
use mcc_runtime::host::{write_place, write_reasons};

use super::options::Options;
use super::print::finish;
use super::{Stop, say, wants_color};
use crate::interpret::Interpreter;
use crate::walk::Walker;
use crate::walk::document::{self, Trace};
use crate::walk::replay::{Event, Refused, Shown, name, replay as follow};

/// Longer files are refused: they would not fit into memory twice.
const MOST_BYTES: u64 = 1 << 30;

/// The trace is wrong, or the error is not real.
const REFUSED: u8 = 1;
const UNSETTLED: u8 = 3;

/// The bytes of a report or a walk, or why there are none.
pub fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.display();
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file {name}"),
        io::ErrorKind::IsADirectory => format!("{name} is a directory"),
        _ => format!("cannot read {name}: {error}"),
    };
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        Err(format!("{name} is larger than {} MiB", MOST_BYTES >> 20))
    } else {
        Ok(bytes)
    }
}

/// The options of a verifier, as far as they matter here.
pub fn verifier_options(arguments: &[OsString]) -> Result<cli::Options, Stop> {
    let name = OsString::from("mcc simulate --");
    cli::parse(std::iter::once(name).chain(arguments.iter().cloned())).map_err(|error| {
        let text = error.to_string();
        let message = text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned();
        Stop::Message { message, help: None }
    })
}

pub fn replay(interpreter: &Interpreter, options: &Options) -> Result<ExitCode, Stop> {
    let path = options.replay.as_deref().unwrap_or(Path::new("-"));
    let stop = |message: String, help| Stop::Message { message, help };
    let refuse = |message: String| stop(format!("{}: {message}", path.display()), None);
    let bytes = read_file(path).map_err(|message| stop(message, None))?;
    let trace = document::read(&bytes, options.error).map_err(refuse)?;
    drop(bytes);
    let mut settings = verifier_options(&[])?.settings();
    trace.apply_options(&mut settings);
    let walker = Walker::new(interpreter, settings);
    if let Some(message) = trace.foreign(walker.description()) {
        if !options.force {
            let help = "--force follows it all the same";
            return Err(stop(format!("{}: {message}", path.display()), Some(help)));
        }
        say(&format!("warning: {message}"));
    }

    let mut out = Watched::new(io::BufWriter::new(io::stdout().lock()));
    let paint = Paint { on: wants_color(options.color, io::stdout().is_terminal()) };
    let quiet = options.quiet;
    if !quiet {
        let _ = writeln!(out, "{}", heading(&trace, path));
    }
    let result = follow(&walker, &trace, &mut |event| {
        let _ = match event {
            _ if quiet => Ok(()),
            Event::Allowed { step, number } => {
                writeln!(out, "step {step}: {}: as recorded", name(&walker, step, number))
            }
            Event::Note(text) => writeln!(out, "   note: {text}"),
            Event::Exploring => {
                let _ = writeln!(out, "There is no trace: exploring all states.");
                out.flush()
            }
        };
    });
    let code = match result {
        Ok(Shown::Steps) => {
            let _ = writeln!(out, "{} No error is claimed.", paint.green("The trace is right."));
            ExitCode::SUCCESS
        }
        Ok(Shown::Error(problem, reasons)) => {
            let message = problem.message(walker.description());
            let _ = writeln!(out, "{} {}", paint.green("The error is real:"), printable(&message));
            if let (Some(position), false) = (problem.position(walker.description()), quiet) {
                let mut place = Vec::new();
                write_place(&mut place, walker.description(), paint, position);
                write_reasons(&mut place, paint, &reasons);
                let _ = out.write_all(&place);
            }
            ExitCode::SUCCESS
        }
        Err(Refused::Step(step, reason)) => {
            let named = trace.steps.as_ref().and_then(|steps| steps.get(step));
            let rule = named.map_or(String::new(), |step| format!(" ({})", step.shown()));
            let heading = paint.red(&format!("Step {step} is wrong{rule}:"));
            let _ = writeln!(out, "{heading} {reason}");
            ExitCode::from(REFUSED)
        }
        Err(Refused::Error(reason)) => {
            let _ = writeln!(out, "{} {reason}", paint.red("The error is not real:"));
            ExitCode::from(REFUSED)
        }
        Err(Refused::Unsettled(reason)) => {
            let _ = writeln!(out, "{} {reason}", paint.yellow("It cannot be told:"));
            ExitCode::from(UNSETTLED)
        }
        Err(Refused::Malformed(reason)) => return Err(refuse(reason)),
    };
    finish(&mut out)?;
    Ok(code)
}

/// What is going to be followed.
fn heading(trace: &Trace, path: &Path) -> String {
    let file = path.display().to_string();
    let length = trace
        .steps
        .as_ref()
        .map_or("without a trace".to_owned(), |steps| plural(steps.len().saturating_sub(1) as u64, "step"));
    let place = match trace.place {
        Some((number, count)) => format!("error {number} of {count}"),
        None => "a walk".to_owned(),
    };
    let claim = match &trace.claim {
        Some(claim) => format!(": {}", printable(&claim.message)),
        None => String::new(),
    };
    format!("Following {place} in {}, {}{claim}", printable(&file), length)
}
