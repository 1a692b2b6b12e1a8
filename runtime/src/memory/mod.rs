//! Where the memory of a search comes from: a budget that the user sets, big zeroed pages, and what is made
//! of them: arrays that grow without moving, and blocks for tables that grow by moving.

pub mod budget;
pub mod chunks;
pub mod pages;
pub mod pool;
pub mod slabs;

pub use budget::{Budget, Exhausted};
pub use chunks::Chunks;
pub use pages::Pages;
pub use pool::Pool;
pub use slabs::Slabs;
