//! What a state is made of: cells that generated code reads and writes, and packed words.

pub mod cells;
