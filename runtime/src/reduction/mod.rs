//! Which states need not be told apart: renaming the elements of scalarsets.

pub mod canonical;
pub mod check;
pub mod extent;
pub mod form;
pub mod tables;
mod usual;
pub mod variants;
