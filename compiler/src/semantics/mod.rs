//! Syntax tree in, typed model out: names, types, constants, and every check that needs no run.

pub mod model;
