//! Everything a verifier does that is not the model: search engines, traces, reports, the command
//! line.
//!
//! A model fulfils [`model::Model`], and its `main` function calls [`main`].

// Models written for tests name this crate as others do.
#[cfg(test)]
extern crate self as mcc_runtime;

pub mod bounds;
pub mod checkpoint;
pub mod cli;
pub mod contract;
pub mod datum;
pub mod embedding;
pub mod expansion;
pub mod frontier;
pub mod generated;
pub mod hashing;
pub mod interruption;
pub mod locality;
pub mod memory;
pub mod random;
pub mod reduction;
pub mod refusal;
pub mod report;
pub mod run;
pub mod search;
pub mod settings;
pub mod spool;
pub mod state;
pub mod storage;
pub mod sync;
pub mod temporal;
pub mod text;
pub mod trace;
pub mod visited;

pub use contract::{context, fault, independence, model, successors};

pub use run::run;

use interruption::Interruption;
use report::console::Console;
use report::output::Watched;
use report::verdict::Exit;
use run::announcement::Announcement;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A signal that arrives this soon after the first is taken for the same one: one Ctrl-C reaches a
/// verifier twice that `mcc --run` has started, from the terminal and from `mcc`.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// The whole program of a verifier.
pub fn main(model: &dyn model::Model) -> ExitCode {
    let announcement = match Announcement::from_environment() {
        Ok(announcement) => announcement,
        Err(message) => return refuse(&message, Exit::Wrong),
    };
    let exit = run_program(model, std::env::args_os());
    match announcement.map_or(Ok(()), |announcement| announcement.announce(exit)) {
        Ok(()) => ExitCode::from(exit.code()),
        Err(message) => refuse(&message, Exit::Inconclusive),
    }
}

/// Runs a model's verifier with other arguments than the program's own; the first is the name to
/// show.
pub fn main_with(model: &dyn model::Model, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::from(run_program(model, arguments).code())
}

fn refuse(message: &str, exit: Exit) -> ExitCode {
    // If standard error is gone as well, the exit code is all that is left.
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(exit.code())
}

fn run_program(model: &dyn model::Model, arguments: impl IntoIterator<Item = OsString>) -> Exit {
    // What the report says without a verdict.
    memory::allocator::set_exit_code(Exit::Inconclusive.code());
    storage::limit::ignore_signal();
    let interrupted = Arc::new(Interruption::none());
    let request = interrupted.clone();
    let mut first = None;
    // Without a handler an interruption kills, as everywhere; there is nothing to report.
    let _ = ctrlc::set_handler(move || {
        request.request();
        // The second time, the user does not want to wait for the report.
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL {
            std::process::exit(130);
        }
    });
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    contract::stack::with_room(model.stack_use(), contract::context::RECURSION_LIMIT, &|| {
        let mut out = Watched::new(std::io::stdout());
        let mut err = std::io::stderr();
        let console = Console {
            out_is_terminal: std::io::stdout().is_terminal(),
            err_is_terminal: err.is_terminal(),
            out: &mut out,
            err: &mut err,
        };
        let exit = run(model, arguments.iter().cloned(), console, &interrupted);
        let Err(error) = out.finish() else { return exit };
        let _ = writeln!(err, "error: cannot write to standard output: {error}");
        match exit {
            // Nobody has read that.
            Exit::Verified | Exit::Answered => Exit::Inconclusive,
            Exit::Violated | Exit::Wrong | Exit::Inconclusive => exit,
        }
    })
}
