//! A shorter path to the error that a random walk found.
//!
//! A walk goes in circles and does much that has nothing to do with its error. First, circles are
//! cut out: what lies between two visits of one state. Then parts of the path are left out, halves
//! first and single steps last, as long as the rest can be replayed and ends in the same error.
//! What is left is a path of the model, shown to be one by replaying it, and no step of it can be
//! left out alone, unless the work was cut off ([`MOST_FIRED`], [`PATIENCE`]).

use crate::contract::context::Context;
use crate::contract::model::{Firing, Model};
use crate::contract::problem::{Path, Problem, problem_of};
use crate::expansion::Expander;
use crate::settings::Settings;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Rules that are fired for it, at most.
const MOST_FIRED: usize = 200_000;
/// It takes no longer: of a slow model, a trace that is shown is better than a short one.
const PATIENCE: Duration = Duration::from_secs(3);
/// Words of states that are kept to find circles, at most: 128 MiB.
const MOST_WORDS: usize = 16 << 20;

/// The shorter path, if there is one. `context` is one for traces.
pub fn shortened(
    model: &dyn Model,
    settings: &Settings,
    context: &Context,
    path: &Path,
    problem: Problem,
) -> Option<Path> {
    let mut shortener = Shortener {
        model,
        settings,
        expander: Expander::for_trace(model, context),
        problem,
        left: MOST_FIRED,
        until: Instant::now() + PATIENCE,
    };
    let mut best = shortener.without_circles(path).filter(|path| shortener.leads_there(path));
    let mut current = best.clone().unwrap_or_else(|| path.clone());
    let mut size = current.rules.len() / 2;
    while size > 0 {
        let mut at = 0;
        let mut shorter = false;
        while at < current.rules.len() {
            let end = (at + size).min(current.rules.len());
            let mut rules = current.rules.clone();
            rules.drain(at..end);
            let candidate = Path { start: current.start, rules };
            if shortener.left < candidate.rules.len() || Instant::now() > shortener.until {
                return best;
            }
            if shortener.leads_there(&candidate) {
                best = Some(candidate.clone());
                current = candidate;
                shorter = true;
            } else {
                at = end;
            }
        }
        // A step may have been needed only by another one, which has gone since.
        size = if shorter && size == 1 { 1 } else { size / 2 };
    }
    best
}

struct Shortener<'a> {
    model: &'a dyn Model,
    settings: &'a Settings,
    expander: Expander<'a>,
    problem: Problem,
    /// Rules that may still be fired.
    left: usize,
    until: Instant,
}

impl Shortener<'_> {
    fn start(&self, path: &Path) -> Option<Vec<u64>> {
        let mut state = vec![0; self.model.description().words];
        match self.model.start(self.expander.context(), path.start, &mut state) {
            Firing::Fired => Some(state),
            Firing::Disabled | Firing::Pruned | Firing::Faulted(_) => None,
        }
    }

    /// The path without what lies between two visits of one state.
    fn without_circles(&mut self, path: &Path) -> Option<Path> {
        let mut state = self.start(path)?;
        if path.rules.len().saturating_add(1).saturating_mul(state.len().max(1)) > MOST_WORDS {
            return None;
        }
        let mut rules = Vec::new();
        // For each state on the path, how many rules lead to it.
        let mut met: HashMap<Vec<u64>, usize> = HashMap::from([(state.clone(), 0)]);
        let mut states = vec![state.clone()];
        for &rule in &path.rules {
            self.left = self.left.checked_sub(1)?;
            if self.model.fire(self.expander.context(), rule, &mut state) != Firing::Fired {
                return None;
            }
            match met.get(&state) {
                Some(&before) => {
                    for left in states.drain(before + 1..) {
                        met.remove(&left);
                    }
                    rules.truncate(before);
                }
                None => {
                    rules.push(rule);
                    met.insert(state.clone(), rules.len());
                    states.push(state.clone());
                }
            }
        }
        (rules.len() < path.rules.len()).then_some(Path { start: path.start, rules })
    }

    /// Whether all rules of a path fire, no state on it is wrong, and it ends in the error.
    fn leads_there(&mut self, path: &Path) -> bool {
        let Some(mut state) = self.start(path) else { return false };
        for &rule in &path.rules {
            if self.left == 0 || self.expander.check(&mut state).is_err() {
                return false;
            }
            self.left -= 1;
            if self.model.fire(self.expander.context(), rule, &mut state) != Firing::Fired {
                return false;
            }
        }
        self.problem_in(&mut state) == Some(self.problem)
    }

    /// What a walk finds wrong in a state.
    fn problem_in(&mut self, state: &mut [u64]) -> Option<Problem> {
        if let Err(violation) = self.expander.check(state) {
            return Some(problem_of(violation));
        }
        let (mut successors, mut excluded) = (false, false);
        let faulty = self.expander.each_piece(state, |piece| {
            successors |= !piece.is_empty();
            excluded |= !piece.excluded().is_empty();
            match piece.faults().first() {
                Some(&faulty) => ControlFlow::Break(Problem::from(faulty)),
                None => ControlFlow::Continue(()),
            }
        });
        if faulty.is_some() {
            return faulty;
        }
        let stuck = !successors && !excluded && self.settings.deadlock;
        stuck.then(|| self.expander.deadlock_in(state)).flatten()
    }
}
