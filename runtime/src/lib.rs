//! Everything a verifier does that is not the model: search engines, traces, reports, the command line.

pub mod context;
pub mod fault;
pub mod generated;
pub mod model;
pub mod state;
pub mod successors;
