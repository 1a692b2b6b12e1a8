//! A second opinion on everything: random models, run by the compiled verifier, by the interpreter
//! and by Rumur, which must agree on each. See `README.md` beside this crate's manifest.

pub mod census;
pub mod clusters;
pub mod compiled;
pub mod generate;
pub mod harness;
pub mod independence;
pub mod interpreted;
pub mod layout;
pub mod opinion;
pub mod optimisations;
pub mod orbits;
pub mod random;
pub mod rumur;
pub mod searches;
pub mod shrink;
pub mod sleep;
pub mod survey;
pub mod symmetry;
pub mod temporal;
pub mod tree;
