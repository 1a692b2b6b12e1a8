//! The command line, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcc::cli::main()
}
