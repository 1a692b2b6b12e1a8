//! What the parser makes of each construct.
