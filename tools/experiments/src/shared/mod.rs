//! What the experiments share: options, a verifier that is built once and run many times, its
//! reports, and the files that come out in the end.

mod error;
mod options;
mod output;
mod runs;
pub mod svg;
mod verifier;

pub use error::ExperimentError;
pub use options::{Compiler, Measured, Seed, Timing, Verifiers, exit_code, parse_fraction, sorted_down};
pub use output::{Drawing, Output};
pub use runs::{Runs, SearchReport};
pub use verifier::Verifier;
