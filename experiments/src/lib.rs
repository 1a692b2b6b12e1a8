//! What the experiments share: a verifier that is built once and run many times, and files that come out in the end.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

pub mod files;
pub mod svg;
pub mod verifier;

use std::process::ExitCode;

/// Success if all went well; otherwise failure, and the reason is told if there is one.
pub fn exit_code(command: &str, ran: Result<bool, String>) -> ExitCode {
    match ran {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{command}: {message}");
            ExitCode::FAILURE
        }
    }
}
