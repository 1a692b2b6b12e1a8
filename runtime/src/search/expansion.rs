//! The loop of every exhaustive search.
//!
//! It takes a batch of states off the frontier, lets the model expand each into one buffer, stores the whole
//! buffer's successors at once, and checks and queues those that are new. What differs between searches is
//! behind [`Visited`] and [`Frontier`]. States are processed in the order in which the frontier gives them out and
//! successors in the order of their rules, so results do not depend on the size of the batches.

use super::problem::{Finding, Problem};
use super::{Counts, Ending, Observer, Order, Outcome, Settings, never_covered};
use crate::context::{Context, Put};
use crate::fault::Fault;
use crate::frontier::queue::Queue;
use crate::frontier::stack::Stack;
use crate::frontier::{Found, Frontier, Level, Taken};
use crate::memory::chunks::List;
use crate::memory::{Budget, Exhausted};
use crate::model::{Firing, Model, RuleId, StartId, Violation};
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::check::SymmetryCheck;
use crate::reduction::form::{Form, canonicaliser};
use crate::state::codec::Codec;
use crate::successors::Successors;
use crate::trace::log::{Log, Origin};
use crate::trace::{Broken, Path};
use crate::visited::{self, Full, StateIndex, Visited};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// About so many successors are gathered before the visited set is asked.
const GATHER: u64 = 128;
/// With so many, the visited set is asked before the next state is expanded.
const MANY: usize = 1024;
/// States expanded together, at most.
const BATCH: usize = 64;
/// Progress is told every so many batches.
const PULSE: u64 = 8;

/// Explores every state of the model, as far as the settings allow.
pub fn explore(
    model: &dyn Model,
    settings: &Settings,
    interrupted: &AtomicBool,
    observer: &mut dyn Observer,
) -> Outcome {
    let description = model.description();
    let codec = settings.codec(description);
    let budget = Arc::new(Budget::new(settings.memory));
    let bits_per_state = codec.bits_per_state();
    let context = settings.context(description);
    let mut counts = Counts::default();
    let mut fired = vec![0; description.rule_instances() as usize];
    let mut findings = Vec::new();
    let mut unreduced = 0;
    let ending = match visited::exact(codec.stored_words(), &budget) {
        Err(Exhausted) => Ending::Memory,
        Ok(mut visited) => {
            let mut frontier: Box<dyn Frontier> = match settings.order {
                Order::BreadthFirst => Box::new(Queue::default()),
                Order::DepthFirst => Box::new(Stack::new(budget.clone())),
            };
            let mut expansion = Expansion {
                model,
                settings,
                context: &context,
                quiet: settings.trace_context(description),
                codec: &codec,
                visited: visited.as_mut(),
                canonicaliser: canonicaliser(model, settings.symmetry, settings.keep_slots),
                symmetry_check: settings.symmetry_check.filter(|_| !description.scalarsets.is_empty()).map(
                    |seed| {
                        let mut context = settings.context(description);
                        context.put = Put::Nowhere;
                        SymmetryCheck::new(description, context, seed)
                    },
                ),
                unreduced: &mut unreduced,
                frontier: frontier.as_mut(),
                log: List::new(budget.clone()),
                budget: &budget,
                observer,
                counts: &mut counts,
                fired: &mut fired,
                findings: &mut findings,
                successors: Successors::new(description.words),
                first: 0,
                ends: Vec::new(),
                taken: Taken::default(),
                encoded: Vec::new(),
                fresh: Vec::new(),
                problems: Vec::new(),
                beyond_depth: false,
            };
            match expansion.run(interrupted) {
                Ok(()) => Ending::Complete,
                Err(ending) => ending,
            }
        }
    };
    let covered: Vec<u64> = context.covered().collect();
    let peak_memory = budget.peak();
    let mut outcome =
        Outcome { ending, findings, counts, fired, covered, bits_per_state, peak_memory, unreduced };
    if outcome.explored_all() {
        let uncovered = never_covered(model, &outcome.covered);
        uncovered.iter().for_each(|finding| observer.found(finding));
        outcome.findings.extend(uncovered);
    }
    outcome
}

struct Expansion<'a> {
    model: &'a dyn Model,
    settings: &'a Settings,
    context: &'a Context,
    /// For replaying: the same, but silent and with counters of its own.
    quiet: Context,
    codec: &'a Codec,
    visited: &'a mut dyn Visited,
    /// Brings states into the form in which they are stored, if that is not the one they have.
    canonicaliser: Option<Canonicaliser<'a>>,
    symmetry_check: Option<SymmetryCheck>,
    unreduced: &'a mut u64,
    frontier: &'a mut dyn Frontier,
    /// The predecessor of each state.
    log: Log,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    counts: &'a mut Counts,
    fired: &'a mut [u64],
    findings: &'a mut Vec<Finding>,

    // The batch at work.
    taken: Taken,
    successors: Successors,
    /// The first state taken whose successors are in the buffer.
    first: usize,
    /// For each state from there on, where its successors end.
    ends: Vec<usize>,
    encoded: Vec<u64>,
    /// The positions of the new successors.
    fresh: Vec<u32>,
    problems: Vec<Pending>,
    /// Something was left out because it lies too deep.
    beyond_depth: bool,
}

/// A problem whose path is not known yet.
struct Pending {
    /// The position of the state taken from which it came.
    from: usize,
    state: Option<StateIndex>,
    problem: Problem,
}

impl Expansion<'_> {
    fn run(&mut self, interrupted: &AtomicBool) -> Result<(), Ending> {
        self.start()?;
        let (mut stored, mut buffer) = (Vec::new(), Vec::new());
        let mut expanded = 0u64;
        let mut most = 1;
        let mut batches = 0u64;
        loop {
            self.taken.clear();
            let Some(level) = self.frontier.take(&*self.visited, most, &mut self.taken) else {
                break;
            };
            // Out of `self` while they are at work: for the byte-aligned layout these words are the states.
            std::mem::swap(&mut stored, &mut self.taken.words);
            let states = self.codec.decode(&mut stored, self.taken.indices.len(), &mut buffer);
            self.first = 0;
            while self.first < self.taken.indices.len() {
                self.expand(states)?;
                self.absorb(level.next())?;
                self.first += self.ends.len();
            }

            expanded += self.taken.indices.len() as u64;
            most = ((GATHER * expanded) / self.counts.rules.max(1)).clamp(1, BATCH as u64) as usize;
            batches += 1;
            if batches.is_multiple_of(PULSE) {
                self.pulse();
            }
            if interrupted.load(Ordering::Relaxed) {
                self.pulse();
                return Err(Ending::Interrupted);
            }
        }
        self.pulse();
        match self.settings.max_depth {
            Some(depth) if self.beyond_depth => Err(Ending::Depth(depth)),
            _ => Ok(()),
        }
    }

    fn pulse(&mut self) {
        self.counts.queue = self.frontier.len();
        self.counts.memory = self.budget.used();
        self.observer.progress(self.counts);
    }

    /// Makes the start states the first batch.
    fn start(&mut self) -> Result<(), Ending> {
        let description = self.model.description();
        self.successors.clear();
        self.ends.clear();
        let mut state = vec![0; description.words];
        for start in (0..description.start_instances()).map(StartId) {
            state.fill(0);
            match self.model.start(self.context, start, &mut state) {
                Firing::Fired => self.successors.push(RuleId(start.0), &state),
                Firing::Disabled | Firing::Pruned => {}
                Firing::Faulted(fault) => {
                    let problem = Problem::StartFault { start, fault, value: Fault::value() };
                    self.problems.push(Pending { from: 0, state: None, problem });
                }
            }
        }
        if self.successors.is_empty() && self.problems.is_empty() {
            return Err(Ending::NoStart);
        }
        if let Some(canonicaliser) = &mut self.canonicaliser {
            reduce(canonicaliser, &mut self.successors, 0);
        }
        self.absorb(Level::default())
    }

    /// Fires all rules in the states taken, from the first that is still to do, until there are many successors.
    fn expand(&mut self, states: &mut [u64]) -> Result<(), Ending> {
        self.successors.clear();
        self.ends.clear();
        let width = self.codec.aligned_words();
        let mut rest = states.get_mut(self.first * width..).unwrap_or(&mut []);
        for (from, &index) in self.taken.indices.iter().enumerate().skip(self.first) {
            if self.successors.len() >= MANY {
                break;
            }
            let (state, others) = rest.split_at_mut(width.min(rest.len()));
            rest = others;
            let first = self.successors.len();
            let faults = self.successors.faults().len();
            let excluded = self.successors.excluded().len();
            self.model.expand(self.context, state, &mut self.successors);
            self.ends.push(self.successors.len());

            if self.successors.faults().len() > faults {
                // A state is told of once, with the first rule that goes wrong in it.
                if let Some(faulty) = self.successors.faults().get(faults) {
                    let problem = Problem::RuleFault {
                        rule: faulty.rule,
                        fault: faulty.fault,
                        value: faulty.value,
                        in_guard: faulty.in_guard,
                    };
                    self.problems.push(Pending { from, state: Some(index), problem });
                }
            } else if self.settings.deadlock
                && self.successors.excluded().len() == excluded
                && self.successors.len() == first
            {
                self.problems.push(Pending { from, state: Some(index), problem: Problem::Deadlock });
            }
            if let Some(check) = &mut self.symmetry_check {
                check.examine(self.model, state).map_err(Ending::Asymmetric)?;
            }
            if let Some(canonicaliser) = &mut self.canonicaliser {
                reduce(canonicaliser, &mut self.successors, first);
            }
        }
        self.count_rules();
        *self.unreduced = self.canonicaliser.as_ref().map_or(0, |canonicaliser| canonicaliser.unfinished);
        Ok(())
    }

    fn count_rules(&mut self) {
        let successors = &self.successors;
        let faulted = successors.faults().iter().filter(|faulty| !faulty.in_guard).map(|faulty| &faulty.rule);
        let rare = faulted.chain(successors.excluded()).chain(successors.unchanged());
        let mut rules = successors.len() as u64;
        for rule in successors.rules() {
            if let Some(count) = self.fired.get_mut(rule.0 as usize) {
                *count += 1;
            }
        }
        for rule in rare {
            rules += 1;
            if let Some(count) = self.fired.get_mut(rule.0 as usize) {
                *count += 1;
            }
        }
        self.counts.rules += rules;
    }

    /// Stores the successors, which belong to `level`, and queues those that are new and right.
    fn absorb(&mut self, level: Level) -> Result<(), Ending> {
        let count = self.successors.len();
        let first = self.visited.len();
        let too_deep = self.settings.max_depth.is_some_and(|depth| level.0 > depth);
        let room = match self.settings.max_states {
            _ if too_deep => 0,
            Some(most) => most.saturating_sub(first),
            None => u64::MAX,
        };
        self.fresh.clear();
        let stored = self.codec.encode(self.successors.words(), count, &mut self.encoded);
        let full = self.visited.insert(stored, count, room, &mut self.fresh);
        if !self.fresh.is_empty() {
            self.counts.states = self.visited.len();
            self.counts.depth = self.counts.depth.max(level);
            self.admit(level, first)?;
        }
        if !self.problems.is_empty() {
            self.tell_problems()?;
        }
        match full {
            Ok(()) => Ok(()),
            Err(Full::Room) if too_deep => {
                self.beyond_depth = true;
                Ok(())
            }
            Err(full) => {
                self.pulse();
                Err(match full {
                    Full::Room => Ending::States(self.counts.states),
                    Full::Memory => Ending::Memory,
                    Full::Numbers => Ending::Numbers,
                })
            }
        }
    }

    /// Checks the new states, remembers where they come from, and queues them.
    fn admit(&mut self, level: Level, first: u64) -> Result<(), Ending> {
        let mut from = self.first;
        // New states up to here are queued.
        let mut queued = 0;
        let mut nth = 0;
        while let Some(position) = self.fresh.get(nth).map(|&position| position as usize) {
            while self.ends.get(from - self.first).is_some_and(|&end| end <= position) {
                from += 1;
            }
            let predecessor = self.taken.indices.get(from).copied();
            let index = StateIndex((first + nth as u64) as u32);
            self.log.push(Origin::of(predecessor)).map_err(|Exhausted| Ending::Memory)?;
            if self.settings.show_states {
                let predecessor = predecessor.map(|index| u64::from(index.0));
                self.observer.state(self.successors.state(position), u64::from(index.0), predecessor);
            }
            let checked = self.model.check(self.context, self.successors.state_mut(position));
            if let Some(problem) = checked.err().map(problem_of) {
                self.problems.push(Pending { from, state: Some(index), problem });
                self.queue(level, first, queued..nth)?;
                queued = nth + 1;
            }
            nth += 1;
        }
        self.queue(level, first, queued..self.fresh.len())
    }

    #[inline]
    fn queue(&mut self, level: Level, first: u64, range: std::ops::Range<usize>) -> Result<(), Ending> {
        let first = StateIndex((first + range.start as u64) as u32);
        match self.fresh.get(range) {
            Some(positions) if !positions.is_empty() => {
                let states = match self.codec.converts() {
                    true => &self.encoded,
                    false => self.successors.words(),
                };
                let found = Found { level, first, positions, states };
                self.frontier.push(found).map_err(|Exhausted| Ending::Memory)
            }
            _ => Ok(()),
        }
    }

    /// The path to a problem, and the problem as it is at the end of that path.
    fn locate(&self, pending: &Pending, form: &mut Form) -> Result<(Option<Path>, Problem), Broken> {
        let path = match pending.state {
            None => None,
            Some(index) => Some(crate::trace::log::reconstruct(
                self.model,
                &self.quiet,
                self.codec,
                &*self.visited,
                &self.log,
                form,
                index,
            )?),
        };
        let problem = crate::trace::relocate(self.model, &self.quiet, path.as_ref(), pending.problem)?;
        Ok((path, problem))
    }

    /// Finds the paths to the problems of this batch, in the order of the states that they came from.
    #[cold]
    fn tell_problems(&mut self) -> Result<(), Ending> {
        let mut problems = std::mem::take(&mut self.problems);
        problems.sort_by_key(|pending| pending.from);
        let mut form = self.settings.form(self.model);
        for pending in problems {
            let (path, problem) = self.locate(&pending, &mut form).map_err(|broken| match self.canonicaliser {
                // Where the elements are as alike as the model says, each stored step can be taken again.
                Some(_) => Ending::Asymmetric(format!(
                    "There is an error, but no way to it with the same names from beginning to end:\n{broken}"
                )),
                None => broken.into(),
            })?;
            let finding = Finding { problem, path };
            self.observer.found(&finding);
            self.findings.push(finding);
            if self.settings.max_errors.is_some_and(|most| self.findings.len() as u64 >= most) {
                self.pulse();
                return Err(Ending::Errors);
            }
        }
        Ok(())
    }
}

/// Brings the successors from `first` on into the form in which states are stored.
fn reduce(canonicaliser: &mut Canonicaliser, successors: &mut Successors, first: usize) {
    for at in first..successors.len() {
        canonicaliser.canonicalise(successors.state_mut(at));
    }
}

/// What a violation is to the user.
pub fn problem_of(violation: Violation) -> Problem {
    match violation {
        Violation { property, fault: None } => Problem::Violated { property },
        Violation { property, fault: Some(fault) } => {
            Problem::PropertyFault { property, fault, value: Fault::value() }
        }
    }
}
