//! Where the memory of a search comes from: a budget that the user sets, big zeroed pages, and arrays that
//! grow without moving.

pub mod budget;
pub mod chunks;
pub mod pages;

pub use budget::{Budget, Exhausted};
pub use chunks::Chunks;
pub use pages::Pages;
