//! The command line, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A file that may not be so large is an error that can be told, and not the end of the process.
    mcc_runtime::storage::limit::ignore_signal();
    mcc_murphi::cli::main()
}
