//! The command line, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    // A file beyond the limit of the shell is an error to be reported, not the end of the process.
    mcc_runtime::host::storage::ignore_signal();
    mcc_murphi::cli::main()
}
