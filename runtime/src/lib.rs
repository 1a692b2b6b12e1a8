//! Everything a verifier does that is not the model: search engines, traces, reports, the command
//! line.
//!
//! A model fulfils [`model::Model`], and its `main` function calls [`main`].
//!
//! Modules are private, so that the compiler finds what nobody uses. What others may use is here:
//! the contract and [`generated`] for models, [`embedding`] for models inside other programs,
//! [`host`] for programs that run models which are not compiled, and [`internals`] for the
//! experiments of this repository.

// Models written for tests name this crate as others do.
#[cfg(test)]
extern crate self as mcc_runtime;

mod bounds;
mod checkpoint;
mod cli;
mod cluster;
pub mod contract;
mod datum;
pub mod embedding;
mod expansion;
mod frontier;
pub mod generated;
mod graph;
mod hashing;
mod interruption;
mod locality;
mod memory;
mod random;
mod reduction;
mod refusal;
mod report;
mod run;
mod search;
mod serve;
mod settings;
mod spool;
mod state;
mod storage;
mod sync;
/// Properties of runs, for the replay of counterexamples and its tests. Not for others.
#[doc(hidden)]
pub mod temporal;
mod text;
mod trace;
mod visited;

pub use contract::{context, fault, independence, model, successors};
pub use interruption::Interruption;
pub use report::console::{Console, Paint};
pub use report::verdict::Exit;
pub use run::run;

/// What a program needs that runs models of its own, steps through them or reads their reports, as
/// the interpreter and the commands of `mcc` do.
pub mod host {
    pub use crate::reduction::tables::TableSymmetry;
    pub use crate::report::finding::{write_place, write_reasons};
    pub use crate::report::output::Watched;
    pub use crate::report::target::Target;
    pub use crate::search::explore::explore;
    pub use crate::search::{Counts, Observer};
    pub use crate::settings::Settings;

    /// The command line of verifiers.
    pub mod cli {
        pub use crate::cli::{Options, parse};
    }

    /// Graphs as text.
    pub mod graph {
        pub use crate::graph::form::{FORMS, Form, GraphSize, GraphWriter};
    }

    /// Parts of the JSON report.
    pub mod json {
        pub use crate::report::json::{ErrorFigures, ModelFigures, Trace, error, parameters};
    }

    /// How a verifier passes its verdict to the program that started it.
    pub mod announcement {
        pub use crate::run::announcement::{NONCE, PLACE, line};
    }

    /// Random numbers.
    pub mod random {
        pub use crate::random::{Random, seed_from_clock, unpredictable};
    }

    /// Files that are whole or not there.
    pub mod storage {
        pub use crate::storage::limit::ignore_signal;
        pub use crate::storage::{Partial, is_partial, sync_directory};
    }

    /// Text for people.
    pub mod text {
        pub use crate::text::{bytes, grouped, plural, printable};
    }
}

/// What the experiments and the second opinion of this repository look at. Not for others: it may
/// change at any time.
#[doc(hidden)]
pub mod internals {
    pub use crate::bounds::{Levels, Shape};
    pub use crate::checkpoint::manifest::FORMAT;
    pub use crate::checkpoint::stream::checksum;
    pub use crate::checkpoint::{Entry, Reader, Writer};
    pub use crate::hashing::signature::Bits;
    pub use crate::memory::allocator::set_exit_code;
    pub use crate::reduction::tables::rename;
    pub use crate::search::{Ending, Outcome};
    pub use crate::storage::{Archive, File, Purpose, StorageError, SystemArchive};
    pub use crate::trace::Replay;
    pub use crate::visited::compact::prime::at_least as prime_at_least;
}

use report::output::Watched;
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
    cluster::local::allow_starting();
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
