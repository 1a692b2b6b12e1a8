//! Fuzzes the compiler's front end: whatever the text, it must not panic, overflow the stack or be
//! slow. `README.md` says how to use it.

pub mod campaign;
pub mod examine;
pub mod growth;
pub mod service;
pub mod subject;

mod features;
mod generate;
mod minimise;
mod mutate;
mod random;
mod seeds;
mod tokens;
