//! How large a model may grow: each construct is doubled until `mcc --check` refuses it, and what
//! is not refused has to build, run, and be verified, in bounded memory and in time that grows with
//! the text.

pub mod constructs;
mod judge;
pub mod limited;
pub mod table;
pub mod trial;

pub use judge::complaint;
