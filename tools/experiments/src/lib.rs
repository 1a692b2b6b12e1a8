//! The experiments of the papers behind mcc, and attacks on its verifiers. `src/bin/` has a command
//! for each.
//!
//! ```text
//! options ─► verifiers, built once ─► runs ─► figures ─► output (tables, JSON, drawings)
//!     shared/                         one folder each         shared/
//! ```

pub mod cache_sweep;
pub mod campaigns;
pub mod cluster;
pub mod disk_sweep;
pub mod omission;
pub mod shared;
pub mod sleep_study;
pub mod workers;
