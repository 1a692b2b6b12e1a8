//! Everything a verifier does that is not the model: search engines, traces, reports, the command line.
//!
//! A model fulfils [`model::Model`], and its `main` function calls [`main`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

// Models written for tests name this crate as others do.
#[cfg(test)]
extern crate self as mcc_runtime;

pub mod bounds;
pub mod checkpoint;
pub mod cli;
pub mod context;
pub mod fault;
pub mod frontier;
pub mod generated;
pub mod independence;
pub mod locality;
pub mod memory;
pub mod model;
pub mod random;
pub mod reduction;
pub mod report;
pub mod run;
pub mod search;
pub mod selection;
pub mod spool;
pub mod stack;
pub mod state;
pub mod storage;
pub mod successors;
pub mod sync;
pub mod trace;
pub mod undefined;
pub mod visited;

pub use run::run;

use report::console::Console;
use report::verdict::Exit;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The whole program of a verifier.
pub fn main(model: &dyn model::Model) -> ExitCode {
    main_with(model, std::env::args_os())
}

/// The same with other arguments than the program's own; the first is the name to show.
pub fn main_with(model: &dyn model::Model, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // What the report says without a verdict.
    memory::allocator::set_exit_code(Exit::Inconclusive as u8);
    storage::limit::ignore_signal();
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    // Without a handler an interruption kills, as everywhere; there is nothing to tell the user.
    let _ = ctrlc::set_handler(move || {
        // The second time, the user does not want to wait for the report.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let exit = stack::with_room(model.stack_use(), context::RECURSION_LIMIT, &|| {
        let mut out = std::io::stdout();
        let mut err = std::io::stderr();
        let console = Console {
            out_is_terminal: out.is_terminal(),
            err_is_terminal: err.is_terminal(),
            out: &mut out,
            err: &mut err,
        };
        run(model, arguments.iter().cloned(), console, &interrupted)
    });
    ExitCode::from(exit as u8)
}
