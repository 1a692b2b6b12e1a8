//! The errors that were reported: those that are kept, with their paths, and what is known of all.

use crate::contract::model::{PropertyId, RuleId};
use crate::contract::problem::{Finding, Problem};
use crate::memory::{Allowance, Budget};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an allocation takes beside its contents.
const ALLOCATION: u64 = 16;

/// What is known of errors, also of those that are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorStats {
    pub found: u64,
    /// Whether one of them is in a state whose successors were not explored.
    pub hides_states: bool,
    /// Whether some may have been counted more than once: those of states that were found again
    /// when there was no room to remember what was reported.
    pub repeated: bool,
    /// The properties that are violated.
    pub violated: BTreeSet<PropertyId>,
}

impl ErrorStats {
    /// Of these errors.
    pub fn of<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let mut stats = ErrorStats::default();
        findings.into_iter().for_each(|finding| stats.add(&finding.problem));
        stats
    }

    pub fn add(&mut self, problem: &Problem) {
        self.found += 1;
        self.hides_states |= problem.hides_states();
        self.violated.extend(problem.property());
    }

    pub fn join(&mut self, other: &ErrorStats) {
        self.found += other.found;
        self.hides_states |= other.hides_states;
        self.repeated |= other.repeated;
        self.violated.extend(&other.violated);
    }
}

/// The errors that a search has reported.
#[derive(Debug)]
pub struct Findings {
    kept: Vec<Finding>,
    all: ErrorStats,
    allowance: Allowance,
}

impl Findings {
    pub fn new(budget: &Arc<Budget>) -> Self {
        Findings { kept: Vec::new(), all: ErrorStats::default(), allowance: Allowance::kept(budget) }
    }

    /// Counts an error, and keeps it if there is room; the first one always.
    pub fn keep(&mut self, finding: Finding) {
        self.all.add(&finding.problem);
        let path = finding.path.as_ref().map_or(0, |path| path.rules.capacity() * size_of::<RuleId>());
        // The list doubles when it is full.
        let bytes = 2 * size_of::<Finding>() as u64 + path as u64 + ALLOCATION;
        if self.allowance.take(bytes).is_ok() || self.kept.is_empty() {
            self.kept.push(finding);
        }
    }

    /// Counts errors that are not reported one by one.
    pub fn count(&mut self, others: &ErrorStats) {
        self.all.join(others);
    }

    pub fn kept(&self) -> &[Finding] {
        &self.kept
    }

    pub fn all(&self) -> &ErrorStats {
        &self.all
    }

    pub fn into_parts(self) -> (Vec<Finding>, ErrorStats) {
        let Findings { kept, all, .. } = self;
        (kept, all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::model::StartId;
    use crate::contract::problem::Path;

    fn finding(property: u32, steps: usize) -> Finding {
        let path = Path { start: StartId(0), rules: vec![RuleId(1); steps] };
        Finding::traced(Problem::Violated { property: PropertyId(property) }, path)
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let budget = Arc::new(Budget::new(16 << 20));
        let mut findings = Findings::new(&budget);
        for property in 0..100 {
            findings.keep(finding(property % 7, 10_000));
        }
        let fit = (1 << 20) / 40_000;
        assert!((fit - 1..=fit).contains(&findings.kept().len()), "{}", findings.kept().len());
        assert!(budget.used() <= 1 << 20);
        findings.count(&ErrorStats { found: 5, ..ErrorStats::default() });
        assert_eq!(findings.all().found, 105);
        assert_eq!(findings.all().violated.len(), 7);
        assert!(findings.all().hides_states);
        let (kept, all) = findings.into_parts();
        assert!((kept.len() as u64) < all.found);
        assert_eq!(budget.used(), 0);
    }

    /// Whatever it takes: a verdict needs one to rest on.
    #[test]
    fn the_first_is_always_kept() {
        let mut findings = Findings::new(&Arc::new(Budget::new(1 << 10)));
        findings.keep(finding(0, 10_000_000));
        findings.keep(finding(0, 10_000_000));
        assert_eq!((findings.kept().len(), findings.all().found), (1, 2));
    }
}
