//! Errors that a thread has found, and whose paths are not known yet.
//!
//! A thread that works alone reports them after each batch, in the order in which it found them.
//! Several threads gather them until the level is over; they are reported by level and then in the
//! order of their states, so of those that do not fit the last in that order go.

use super::kept::ErrorStats;
use crate::contract::fault::Fault;
use crate::contract::model::{Description, Family};
use crate::contract::problem::{Problem, problem_of};
use crate::expansion::Expander;
use crate::frontier::Level;
use crate::memory::{Allowance, Budget};
use crate::settings::Settings;
use crate::visited::StateIndex;
use std::cmp::Ordering;
use std::sync::Arc;

/// What an allocation with its counters takes beside its contents.
const ALLOCATION: u64 = 32;

/// A problem whose path is not known yet.
#[derive(Clone, Debug)]
pub struct Pending {
    /// Where in its batch is the state from which it came.
    pub from: usize,
    pub level: Level,
    pub state: Option<StateIndex>,
    /// The words of the state, in the form that the model computes on. Problems of one state share
    /// them.
    pub words: Arc<[u64]>,
    pub problem: Problem,
}

impl Pending {
    /// The order in which the problems of several threads are reported. Those of one state stay as
    /// they are.
    pub fn order(&self, other: &Pending) -> Ordering {
        (self.level, &self.words).cmp(&(other.level, &other.words))
    }

    /// Bytes that it takes, after the one before it.
    fn bytes(&self, before: Option<&Pending>) -> u64 {
        let shared = before.is_some_and(|before| Arc::ptr_eq(&before.words, &self.words));
        let words = if shared { 0 } else { ALLOCATION + 8 * self.words.len() as u64 };
        // The list doubles when it is full.
        2 * size_of::<Pending>() as u64 + words
    }
}

/// The problems that wait with one thread.
#[derive(Debug)]
pub struct Problems {
    waiting: Vec<Pending>,
    /// What did not fit.
    dropped: ErrorStats,
    allowance: Allowance,
    /// Whether they are reported in the order in which they were found.
    in_order: bool,
    /// How many are wanted at most, if each of them is certainly new.
    most: Option<usize>,
    /// Whether more than one error is wanted at all.
    several: bool,
    rules: &'static [Family],
    /// The guards of the last state that could not be evaluated: the rule as written, and where.
    guards: Vec<(usize, Fault)>,
    guards_of: Arc<[u64]>,
}

impl Problems {
    pub fn new(description: &Description, settings: &Settings, budget: &Arc<Budget>) -> Self {
        let threads = settings.threads_in_use();
        let most = settings.max_errors.filter(|_| !settings.finds_again());
        Problems {
            waiting: Vec::new(),
            dropped: ErrorStats::default(),
            allowance: Allowance::waiting(budget, threads),
            in_order: settings.works_alone(),
            most: most.map(|most| usize::try_from(most).unwrap_or(usize::MAX).max(1)),
            several: settings.max_errors != Some(1),
            rules: description.rules,
            guards: Vec::new(),
            guards_of: Arc::default(),
        }
    }

    /// Whether there is nothing to report, nor to count.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.dropped.found == 0
    }

    /// How many there are, those that did not fit included.
    pub fn len(&self) -> usize {
        self.waiting.len() + self.dropped.found as usize
    }

    /// Lets all properties wait that a state violates, of which one is known.
    pub fn violated(&mut self, expander: &Expander<'_>, first: Pending) {
        if !self.several {
            return self.push(first);
        }
        let mut state = first.words.to_vec();
        let mut others = Vec::new();
        expander.violations(&mut state, &mut |violation| {
            let problem = problem_of(violation);
            if problem.property() != first.problem.property() {
                others.push(problem);
            }
        });
        self.push(first.clone());
        for problem in others {
            self.push(Pending { problem, ..first.clone() });
        }
    }

    /// Lets a problem wait. Of a rule as written whose guard cannot be evaluated at some place it
    /// is one error, for however many parameters.
    pub fn push(&mut self, mut pending: Pending) {
        if self.is_known_guard(&pending) {
            return;
        }
        let last = self.waiting.last();
        if let Some(last) = last.filter(|last| last.words == pending.words) {
            pending.words = last.words.clone();
        }
        let fits = self.allowance.take(pending.bytes(last)).is_ok();
        // One is always kept, so that there is something to report.
        if fits || self.waiting.is_empty() {
            self.waiting.push(pending);
        } else if self.in_order {
            self.dropped.add(&pending.problem);
        } else {
            self.waiting.push(pending);
            self.shrink(self.allowance.most() / 2);
        }
        if let (Some(most), false) = (self.most, self.in_order)
            && self.waiting.len() >= most.saturating_mul(2)
        {
            self.shrink(u64::MAX);
        }
    }

    fn is_known_guard(&mut self, pending: &Pending) -> bool {
        let Problem::RuleFault { rule, fault, in_guard: true, .. } = pending.problem else { return false };
        if self.guards_of != pending.words {
            self.guards.clear();
            self.guards_of = pending.words.clone();
        }
        let family = self.rules.partition_point(|family| family.first <= rule.0);
        let known = self.guards.contains(&(family, fault));
        if !known {
            self.guards.push((family, fault));
        }
        known
    }

    /// Keeps as many of the first ones as are wanted and fit into `bytes` bytes, in the order in
    /// which they are reported. What that leaves does not depend on when it is done, so neither do
    /// the errors that a search reports.
    fn shrink(&mut self, bytes: u64) {
        self.waiting.sort_by(Pending::order);
        let wanted = self.most.unwrap_or(usize::MAX).min(self.waiting.len());
        let (mut fit, mut taken) = (0, 0);
        for at in 0..wanted {
            let (before, rest) = self.waiting.split_at_mut(at);
            let (before, Some(pending)) = (before.last(), rest.first_mut()) else { break };
            if let Some(before) = before.filter(|before| before.words == pending.words) {
                pending.words = before.words.clone();
            }
            let more = pending.bytes(before);
            if at > 0 && taken + more > bytes {
                break;
            }
            taken += more;
            fit += 1;
        }
        // Those that are not wanted anyway need not be counted.
        self.waiting.truncate(wanted);
        let dropped = &mut self.dropped;
        self.waiting.drain(fit..).for_each(|pending| dropped.add(&pending.problem));
        self.allowance.shrink_to(taken);
    }

    /// Puts the problems of a batch into the order of the states that they came from.
    pub fn order(&mut self) {
        if !self.waiting.is_empty() {
            // What is wrong with a state comes before what is wrong with its successors.
            self.waiting.sort_by_key(|pending| (pending.from, pending.level));
        }
    }

    /// Hands them over to be reported, with what did not fit. [`Problems::release`] when that is
    /// done.
    pub fn take(&mut self) -> (Vec<Pending>, ErrorStats) {
        if !self.in_order && self.dropped.found > 0 {
            self.shrink(self.allowance.most() / 2);
        }
        (std::mem::take(&mut self.waiting), std::mem::take(&mut self.dropped))
    }

    /// Those that were handed over are gone.
    pub fn release(&mut self) {
        self.allowance.shrink_to(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;
    use crate::contract::model::{Model, PropertyId, RuleId};
    use crate::random::Random;
    use crate::search::models::wheels::Wheels;

    const WORDS: usize = 1 << 10;

    fn settings(line: &str) -> Settings {
        let arguments = std::iter::once("verifier").chain(line.split_whitespace()).map(Into::into);
        cli::parse(arguments).unwrap().settings()
    }

    fn problems(line: &str, budget: &Arc<Budget>) -> Problems {
        Problems::new(Wheels::Right.description(), &settings(line), budget)
    }

    fn pending(number: u64, problem: Problem) -> Pending {
        let mut words = vec![0; WORDS];
        words[0] = number;
        Pending { from: 0, level: Level(3), state: None, words: words.into(), problem }
    }

    fn numbers(waiting: &[Pending]) -> Vec<u64> {
        waiting.iter().map(|pending| pending.words[0]).collect()
    }

    /// Several threads report the first ones in order, whenever they are found; all others are
    /// counted.
    #[test]
    fn the_first_in_order_stay_whatever_comes_first() {
        let budget = Arc::new(Budget::new(64 << 20));
        let mut kept = Vec::new();
        for seed in 0..3 {
            let mut order: Vec<u64> = (0..3000).collect();
            let mut random = Random(seed);
            (1..order.len()).rev().for_each(|at| order.swap(at, random.below(at as u64 + 1) as usize));
            let mut problems = problems("--max-errors 0 --threads 2", &budget);
            for number in order {
                problems.push(pending(number, Problem::Violated { property: PropertyId(0) }));
                assert!(budget.used() <= 1 << 20, "{}", budget.used());
            }
            assert_eq!(problems.len(), 3000);
            let (waiting, dropped) = problems.take();
            assert_eq!(numbers(&waiting), (0..waiting.len() as u64).collect::<Vec<_>>());
            assert_eq!(waiting.len() as u64 + dropped.found, 3000);
            assert!(dropped.hides_states);
            kept.push(waiting.len());
            problems.release();
            assert_eq!(budget.used(), 0);
        }
        assert_eq!(kept, [kept[0]; 3]);
        assert!(kept[0] > 50, "{kept:?}");
    }

    /// One thread reports what it finds as it finds it.
    #[test]
    fn alone_the_first_ones_stay() {
        let budget = Arc::new(Budget::new(64 << 20));
        let mut problems = problems("--max-errors 0 --threads 1", &budget);
        (0..3000).rev().for_each(|number| problems.push(pending(number, Problem::Deadlock)));
        let (waiting, dropped) = problems.take();
        assert_eq!(numbers(&waiting), (3000 - waiting.len() as u64..3000).rev().collect::<Vec<_>>());
        assert!(waiting.len() > 200, "{}", waiting.len());
        assert_eq!(waiting.len() as u64 + dropped.found, 3000);
        assert!(!dropped.hides_states);
    }

    /// With a number of errors that is wanted, no more than some more than that wait, and none is
    /// counted as lost.
    #[test]
    fn no_more_than_wanted_wait() {
        let budget = Arc::new(Budget::new(1 << 30));
        let mut problems = problems("--max-errors 5 --threads 4", &budget);
        for number in (0..1000).rev() {
            problems.push(pending(number, Problem::Deadlock));
            assert!(problems.len() <= 10);
        }
        let (waiting, dropped) = problems.take();
        assert_eq!(numbers(&waiting)[..5], [0, 1, 2, 3, 4]);
        assert_eq!(dropped.found, 0);
    }

    /// Problems of one state share its words, so more of them fit.
    #[test]
    fn a_state_is_there_once() {
        let budget = Arc::new(Budget::new(64 << 20));
        let mut problems = problems("--max-errors 0 --threads 1", &budget);
        for rule in 0..2000 {
            let problem =
                Problem::RuleFault { rule: RuleId(rule), fault: Fault::at(1), value: 0, in_guard: false };
            problems.push(pending(7, problem));
        }
        let (waiting, dropped) = problems.take();
        assert_eq!((waiting.len(), dropped.found), (2000, 0));
    }

    /// A part of a guard that several instances have in common may be evaluated once for all of
    /// them or for each.
    #[test]
    fn a_guard_is_one_error_for_each_place() {
        let budget = Arc::new(Budget::new(64 << 20));
        let mut problems = problems("--max-errors 0 --threads 1", &budget);
        let guard = |rule, site| Problem::RuleFault {
            rule: RuleId(rule),
            fault: Fault::at(site),
            value: 0,
            in_guard: true,
        };
        for state in 0..2 {
            for (rule, site) in [(0, 1), (1, 1), (1, 2), (2, 1), (3, 2)] {
                problems.push(pending(state, guard(rule, site)));
            }
        }
        assert_eq!(problems.len(), 4);
    }
}
