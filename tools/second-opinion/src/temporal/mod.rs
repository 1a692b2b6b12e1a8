//! Properties of runs: random models of few states with random formulas, decided by the search and
//! by Spin, which shares nothing with it.
//!
//! A model is drawn as a table of rules ([`drawing`]), and written down twice: as a Murphi model
//! ([`murphi`]), and as a graph of positions in Promela ([`promela`]). A position is a state with
//! the step that is taken next, so that `fired` is a proposition like any other. Fairness becomes
//! part of the formula for Spin, and `next` becomes an `until` over a bit that changes with each
//! step. Each loop that the search reports is checked on the table as well ([`lasso`]).

pub mod drawing;
pub mod formula;
pub mod lasso;
pub mod murphi;
pub mod orbits;
pub mod pairs;
pub mod promela;
pub mod spin;
