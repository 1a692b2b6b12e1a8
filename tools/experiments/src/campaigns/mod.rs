//! Attacks on verifiers: processes that are killed, and checkpoints that are damaged or forged.
//!
//! - [`forge`]: edits a checkpoint and makes its checksums right again.
//! - [`process`]: runs a verifier with a deadline, and says what is wrong with how it ended.
//! - [`subject`]: the models, and the options with which they are searched.
//! - [`kills`] and [`corruption`]: the campaigns.

pub mod corruption;
pub mod forge;
pub mod kills;
pub mod process;
pub mod subject;
