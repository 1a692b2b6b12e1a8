//! Going through the states of a model: the loops, and what comes out of them.
//!
//! There is one loop, [`worker`], for every order, visited set, frontier and number of threads;
//! [`explore`] says who goes through it, [`partners`] is what they say to each other, and
//! [`together`] are threads that do. [`descent`] goes
//! depth first along one path. A random walk has its own, [`simulation`].

pub mod descent;
pub mod errors;
pub mod explore;
#[cfg(test)]
mod faulty_disk;
pub mod fired;
pub mod inserter;
#[cfg(test)]
mod killed;
#[cfg(test)]
mod large_numbers;
#[cfg(test)]
#[path = "../../tests/models/mod.rs"]
pub mod models;
pub mod observer;
pub mod outcome;
pub mod partners;
pub mod saving;
pub mod sets;
pub mod settling;
pub mod simulation;
pub mod site;
pub mod sleeping;
mod teamwork;
pub mod together;
pub mod walking;
pub mod worker;

pub use observer::{CheckpointFailed, Observer};
pub use outcome::{Counts, Ending, Outcome, Repeated};
