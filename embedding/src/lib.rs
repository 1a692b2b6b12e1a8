//! Murphi models inside a crate.
//!
//! A build script compiles a model ([`Config`]), the crate includes it ([`include_model!`]), and
//! its tests verify it ([`Verification`]) and drive the real implementation along its traces
//! ([`replay`]).
//!
//! In `build.rs`:
//!
//! ```no_run
//! # #[cfg(feature = "compile")]
//! mcc_build::Config::new().define("N", 3).compile("models/lock.m");
//! ```
//!
//! In a test: `mcc_build::include_model!(lock);` and `lock::verify()?.verified()?;`.
#![deny(missing_docs)]

#[cfg(feature = "compile")]
mod config;
mod decode;
#[cfg(feature = "compile")]
mod generate;
mod replay;
mod verification;

#[cfg(feature = "compile")]
pub use config::{CompileError, Config};
pub use decode::{Decode, DecodeError};
#[doc(hidden)]
pub use mcc_runtime as runtime;
pub use mcc_runtime::embedding::{
    Cancellation, ErrorReport, Options, Progress, Report, TooLarge, Value, Verdict, VerifyError,
};
pub use replay::{Difference, Implementation, replay};
pub use verification::{EdgesError, Step, Verification, Violated, edges, random_walk, verify};

/// Includes the module of a model that the build script has compiled. The name is that of the
/// model's file, without `.m`.
#[macro_export]
macro_rules! include_model {
    ($name:ident) => {
        include!(concat!(env!("OUT_DIR"), "/", stringify!($name), ".mcc.rs"));
    };
}
