//! Which states need not be told apart: renaming the elements of scalarsets.

pub mod tables;
