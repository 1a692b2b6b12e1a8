//! The errors of a search, and the memory that they may take.
//!
//! A thread finds an error and lets it wait ([`waiting`]) until its path can be followed back. Then
//! it is reported, and kept for the report and for checkpoints ([`kept`]). A search that may find a
//! state again knows what it has reported ([`reported`]).
//!
//! All three are part of the search's budget, and each may take a fixed part of the limit, together
//! an eighth: a model in which nearly every state is violating must not end the search for want of
//! memory, and tens of thousands of errors are more than anybody reads. What does not fit is
//! counted, and the report says how many. A little may be taken even where the search has used up
//! the limit, so that an error is never lost because the visited set has taken everything.

pub(crate) mod kept;
pub(crate) mod reported;
pub(crate) mod waiting;
