//! The compact visited set (`-c`).

pub mod h3;
mod newcomers;
pub mod prime;
pub mod table;
mod waiting;
