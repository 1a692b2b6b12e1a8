//! Going through the states of a model: the loops, and what comes out of them.
//!
//! There is one loop, [`worker`], for every order, visited set, frontier and number of threads;
//! [`explore`] says who goes through it, [`partners`] is what they say to each other, and
//! [`together`] are threads that do. [`descent`] goes
//! depth first along one path. A random walk has its own, [`simulation`].

pub(crate) mod across;
pub(crate) mod descent;
pub(crate) mod errors;
pub(crate) mod explore;
#[cfg(test)]
mod faulty_disk;
pub(crate) mod fired;
mod gathered;
pub(crate) mod inserter;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod large_numbers;
#[cfg(test)]
#[path = "../../tests/models/mod.rs"]
pub(crate) mod models;
pub(crate) mod observer;
pub(crate) mod outcome;
pub(crate) mod partners;
pub(crate) mod remote;
pub(crate) mod sampling;
pub(crate) mod saving;
mod served;
pub(crate) mod serving;
pub(crate) mod sets;
pub(crate) mod settling;
#[cfg(test)]
mod short_signatures;
mod shortening;
pub(crate) mod simulation;
pub(crate) mod site;
pub(crate) mod sleeping;
mod teamwork;
pub(crate) mod together;
pub(crate) mod walking;
pub(crate) mod worker;

pub use observer::{CheckpointFailed, Observer};
pub use outcome::{Counts, Ending, Outcome, Repeated};
