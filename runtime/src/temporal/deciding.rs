//! Deciding the parts of all claims, some at a time: their conditions are evaluated in one go over
//! the states, with all threads, and then each part has a thread of its own.

use super::Undecided;
use super::automaton::Automaton;
use super::build::{Condition, States, Unevaluated};
use super::components::Stopped;
use super::graph::Graph;
use super::judging::Effort;
use super::product::Product;
use super::propositions::{Obligation, Proposition};
use super::reach::{reaching, way_to};
use super::treatment::treated;
use crate::contract::model::{RuleId, StartId};
use crate::contract::problem::{Finding, Lasso, Path, Problem};
use crate::contract::temporal::{ClaimKind, Fairness};
use crate::memory::Account;
use crate::search::Observer;
use crate::search::explore::Explored;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// A part of a claim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task<'a> {
    pub kind: ClaimKind,
    pub part: &'a Obligation,
}

/// A violation, if there is one; and the size of the product.
pub(super) type Decided = Result<(Option<Finding>, u64), Undecided>;

/// What deciding is done on.
#[derive(Clone, Copy)]
pub(super) struct Deciding<'a> {
    pub explored: Explored<'a>,
    pub graph: &'a Graph,
    /// Of each instance of a rule; empty where no rule is treated fairly.
    pub fairness: &'a [Fairness],
}

/// A part whose conditions are evaluated.
struct Ready<'a> {
    task: Task<'a>,
    account: Account,
    size: u64,
    labels: Result<Vec<u64>, Unevaluated>,
}

impl Deciding<'_> {
    /// Decides the first of these parts, as many as there are threads and memory for.
    pub fn first(
        &self,
        tasks: &[Task<'_>],
        states: &States<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Decided>, Undecided> {
        let threads = self.explored.settings.threads_in_use().max(1);
        let mut accounts = Vec::new();
        for task in tasks.iter().take(threads) {
            let size = self.size(*task);
            let mut account = Account::new(self.explored.budget.clone());
            match account.add(size) {
                Ok(()) => accounts.push((*task, account, size)),
                Err(_) if accounts.is_empty() => return Err(Undecided::Memory),
                Err(_) => break,
            }
        }
        let conditions: Vec<_> = accounts.iter().map(|(task, _, _)| conditions(task.part)).collect();
        let labels = states.labels(&conditions, observer)?;
        let ready = accounts.into_iter().zip(labels).map(|((task, account, size), labels)| Ready {
            task,
            account,
            size,
            labels,
        });
        Ok(self.together(ready.collect()))
    }

    /// Decides parts, each with a thread of its own.
    fn together(&self, ready: Vec<Ready<'_>>) -> Vec<Decided> {
        let count = ready.len();
        let threads = self.explored.settings.threads_in_use() / count.max(1);
        let effort = Effort::of(threads.max(1));
        let ready: Vec<Mutex<Option<Ready<'_>>>> =
            ready.into_iter().map(|one| Mutex::new(Some(one))).collect();
        let decided: Mutex<Vec<(usize, Decided)>> = Mutex::new(Vec::with_capacity(count));
        let next = AtomicUsize::new(0);
        // Those behind this one need not be decided.
        let last = AtomicUsize::new(usize::MAX);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = ready.get(at) else { return };
                let Some(one) = slot.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
                let found = self.decide(one, effort, &|| last.load(Ordering::Relaxed) < at);
                if !matches!(found, Ok((None, _))) {
                    last.fetch_min(at, Ordering::Relaxed);
                }
                decided.lock().unwrap_or_else(PoisonError::into_inner).push((at, found));
            }
        };
        std::thread::scope(|scope| {
            // Where the system has no more threads, those that there are do it all.
            let helper = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let helpers: Vec<_> = (1..count).map_while(helper).collect();
            work();
            for helper in helpers {
                if let Err(panic) = helper.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
        let mut decided = decided.into_inner().unwrap_or_else(PoisonError::into_inner);
        decided.sort_unstable_by_key(|(at, _)| *at);
        decided.into_iter().map(|(_, found)| found).collect()
    }

    /// Bytes that deciding a part takes beside the graph and the stacks of a search, about.
    fn size(&self, task: Task<'_>) -> u64 {
        let (states, edges) = (self.graph.states as u64, self.graph.edge_count());
        let labels = states * 8;
        match task.kind {
            ClaimKind::Liveness => labels + states * 10 + edges * 4,
            ClaimKind::Ltl | ClaimKind::Deadlock | ClaimKind::Safety => {
                let width = Automaton::new(&task.part.formulas, task.part.negation)
                    .map_or(1, |automaton| automaton.states.len() as u64);
                labels + states * width * 4
            }
        }
    }

    fn decide(&self, ready: Ready<'_>, effort: Effort, is_needless: &dyn Fn() -> bool) -> Decided {
        let Ready { task: Task { kind, part }, mut account, size, labels } = ready;
        let labels = match labels {
            Ok(labels) => labels,
            Err(unevaluated) => {
                let Unevaluated { state, fault, value } = unevaluated;
                let problem = Problem::PropertyFault { property: part.property, fault, value };
                let found = self.finding(problem, |one| one == state)?;
                return found.map(|found| (Some(found), 0)).ok_or(Undecided::Incomplete);
            }
        };
        let interrupted = self.explored.interrupted;
        let mut poll = |bytes: u64| match account.set(size + bytes) {
            _ if interrupted.is_requested() || is_needless() => Err(Stopped::Interrupted),
            Ok(()) => Ok(()),
            Err(_) => Err(Stopped::Memory),
        };
        match kind {
            ClaimKind::Liveness => Ok((self.lost(&labels, part)?, 0)),
            ClaimKind::Ltl | ClaimKind::Deadlock | ClaimKind::Safety => {
                self.ltl(&labels, part, effort, &mut poll)
            }
        }
    }

    fn ltl(
        &self,
        labels: &[u64],
        part: &Obligation,
        effort: Effort,
        poll: &mut dyn FnMut(u64) -> Result<(), Stopped>,
    ) -> Decided {
        let Deciding { graph, fairness, .. } = *self;
        let automaton = Automaton::new(&part.formulas, part.negation).map_err(|_| Undecided::Formula)?;
        let fired = fired_masks(part, self.explored.model.description().rule_instances());
        let product = Product { graph, labels, fired: &fired, automaton: &automaton, fairness };
        let size = product.size() as u64;
        let Some(places) = product.find(effort, poll)? else { return Ok((None, size)) };
        let run = product.run_into(&places, poll)?.ok_or(Undecided::Contradiction)?;
        let (rules, stem) = run.rules();
        let first = product.state(run.start);
        let start = graph.starts.iter().find(|(state, _)| *state == first);
        let start = start.map_or(StartId(0), |(_, start)| *start);
        let fair = treated(graph, fairness, first, &rules, stem).ok_or(Undecided::Contradiction)?;
        let path = Path { start, rules: rules.into_iter().map(RuleId).collect() };
        let problem = Problem::Temporal { property: part.property };
        Ok((Some(Finding::looping(problem, path, Lasso { stem, fair })), size))
    }

    /// Ends what takes long when the user interrupts; what it needs is counted before.
    fn poll(&self) -> impl FnMut(u64) -> Result<(), Stopped> + use<'_> {
        let interrupted = self.explored.interrupted;
        move |_| if interrupted.is_requested() { Err(Stopped::Interrupted) } else { Ok(()) }
    }

    /// A problem of a state, with the shortest way to one. `None`: none can be reached by states of
    /// which all successors are known.
    fn finding(&self, problem: Problem, wanted: impl Fn(u32) -> bool) -> Result<Option<Finding>, Undecided> {
        Ok(match way_to(self.graph, wanted, &mut self.poll())? {
            Some((start, rules)) => {
                let rules = rules.into_iter().map(RuleId).collect();
                Some(Finding::traced(problem, Path { start, rules }))
            }
            None if self.graph.unexpanded().next().is_some() => None,
            None => Some(Finding::pathless(problem)),
        })
    }

    /// The way to a state from which the condition cannot be reached again.
    fn lost(&self, labels: &[u64], part: &Obligation) -> Result<Option<Finding>, Undecided> {
        // The negation of the condition is a literal, or a constant.
        let good = match part.propositions.is_empty() {
            true if part.formulas.node(part.negation) == super::ltl::Node::False => return Ok(None),
            true => 0,
            false => 1,
        };
        let reaches = reaching(self.graph, labels, good, &mut self.poll())?;
        if reaches.iter().all(|reaches| *reaches) {
            return Ok(None);
        }
        let problem = Problem::Temporal { property: part.property };
        self.finding(problem, |state| !reaches[state as usize])
    }
}

impl From<Stopped> for Undecided {
    fn from(stopped: Stopped) -> Undecided {
        match stopped {
            Stopped::Interrupted => Undecided::Interrupted,
            Stopped::Memory => Undecided::Memory,
        }
    }
}

/// The conditions that a part speaks of, each with its bit.
pub(super) fn conditions(part: &Obligation) -> Vec<Condition<'_>> {
    let numbered = part.propositions.iter().zip(0..);
    let conditions = numbered.filter_map(|(proposition, bit)| match proposition {
        Proposition::Atom { atom, values } => Some((bit, *atom, values.as_slice())),
        Proposition::Fired(_) => None,
    });
    conditions.collect()
}

/// Which propositions about steps are true for each instance of a rule.
pub(super) fn fired_masks(part: &Obligation, instances: u32) -> Vec<u64> {
    if !part.propositions.iter().any(|one| matches!(one, Proposition::Fired(_))) {
        return Vec::new();
    }
    let mut masks = vec![0; instances as usize];
    for (bit, proposition) in part.propositions.iter().enumerate() {
        if let Proposition::Fired(rules) = proposition {
            rules.clone().for_each(|rule| masks[rule as usize] |= 1 << bit);
        }
    }
    masks
}
