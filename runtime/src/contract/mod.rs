//! The contract between a model and the search engines: what each side may ask of the other.
//!
//! Everything above this folder knows a model by these files alone, and these files know nothing of
//! what is above them. Generated code imports them through [`crate::generated`].

pub mod bags;
pub mod cells;
pub mod choice;
pub mod context;
pub mod coverage;
pub mod deadlock;
pub mod dependencies;
mod description;
pub mod explanation;
pub mod fault;
pub mod independence;
pub mod model;
mod multiset;
pub mod print;
pub mod problem;
pub mod selection;
mod sorting;
pub mod stack;
pub mod successors;
pub mod symmetry;
pub mod temporal;
pub mod undefined;
pub mod values;
