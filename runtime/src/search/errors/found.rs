//! What is wrong with a state that was expanded, or a piece of it.

use crate::contract::problem::Problem;
use crate::contract::successors::Successors;
use crate::settings::Settings;

/// What was in a buffer before a state was expanded into it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Before {
    pub successors: usize,
    pub faults: usize,
    pub excluded: usize,
    pub unchanged: usize,
    pub slept: u64,
}

impl Before {
    pub fn new(successors: &Successors) -> Self {
        Before {
            successors: successors.len(),
            faults: successors.faults().len(),
            excluded: successors.excluded().len(),
            unchanged: successors.unchanged().len(),
            slept: successors.slept(),
        }
    }
}

/// What is wrong with a state of which a piece was expanded: each rule that goes wrong in it, and,
/// when all of it was expanded, that there is no way out. `has_way_out` says whether one was found
/// in this piece or in those before it.
pub fn problems_in(
    successors: &Successors,
    before: Before,
    settings: &Settings,
    has_way_out: &mut bool,
    mut note: impl FnMut(Problem),
) {
    for &faulty in successors.faults().get(before.faults..).unwrap_or_default() {
        note(faulty.into());
    }
    // A rule that goes wrong is told of instead, and one that sleeps would change the state.
    *has_way_out |= successors.len() > before.successors
        || successors.faults().len() > before.faults
        || successors.excluded().len() > before.excluded
        || successors.slept() > before.slept;
    if settings.deadlock && !*has_way_out && !successors.is_cut() {
        note(Problem::Deadlock);
    }
}
