//! Making the graph of states from the visited set of a finished search, and evaluating conditions
//! in all states: with all threads, some states at a time.

use super::Undecided;
use super::graph::{CHUNK, Chunk, Graph, STUTTER};
use crate::contract::context::RECURSION_LIMIT;
use crate::contract::fault::Fault;
use crate::contract::model::StartId;
use crate::contract::stack;
use crate::contract::temporal::AtomId;
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::memory::Account;
use crate::search::Observer;
use crate::search::explore::Explored;
use crate::sync::{AtomicBool, Ordering};
use crate::visited::{Find, Segmentation, StateIndex};
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, PoisonError};

/// The states of a finished search, numbered from 0 without gaps.
#[derive(Clone, Copy)]
pub struct States<'a> {
    explored: Explored<'a>,
    pub(super) states: &'a dyn Find,
    pub(super) numbering: &'a Numbering,
    /// Whether the search came to its end. Otherwise successors may be missing.
    pub(super) is_whole: bool,
}

/// No number of a state: it is not among those that were found.
const MISSING: u32 = u32::MAX;

/// Successors that are looked up at a time.
const TOGETHER: usize = 512;

/// Where the states of each segment begin.
pub struct Numbering {
    segmentation: Segmentation,
    offsets: Vec<usize>,
    pub(super) count: usize,
}

impl Numbering {
    pub fn new(states: &dyn Find) -> Self {
        let (mut count, mut offsets) = (0, Vec::new());
        for length in states.lengths() {
            offsets.push(count);
            count += length as usize;
        }
        Numbering { segmentation: states.segmentation(), offsets, count }
    }

    fn number(&self, state: StateIndex) -> u32 {
        let before = self.offsets[self.segmentation.of_index(state)];
        (before + self.segmentation.place(state) as usize) as u32
    }

    pub(super) fn index(&self, number: usize) -> StateIndex {
        let segment = self.offsets.partition_point(|&offset| offset <= number) - 1;
        self.segmentation.index(segment, (number - self.offsets[segment]) as u64)
    }
}

/// A condition with the values of its parameters, and its bit in a label.
pub type Condition<'c> = (u32, AtomId, &'c [i64]);

/// A condition that cannot be evaluated in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unevaluated {
    pub state: u32,
    pub fault: Fault,
    pub value: i64,
}

impl<'a> States<'a> {
    pub fn new(
        explored: Explored<'a>,
        states: &'a dyn Find,
        numbering: &'a Numbering,
        is_whole: bool,
    ) -> Self {
        States { explored, states, numbering, is_whole }
    }

    pub(super) fn explored(&self) -> Explored<'a> {
        self.explored
    }

    /// The words of these states, byte-aligned.
    pub(super) fn words_of(&self, numbers: &[u32]) -> Vec<Vec<u64>> {
        let mut worker = Worker::new(*self);
        let of = |number: &u32| {
            worker.load(*number as usize);
            worker.decoded.clone()
        };
        numbers.iter().map(of).collect()
    }

    /// The whole graph. With `all_idle` each rule that changes nothing is an edge, otherwise one of
    /// them in each state. Where the search did not come to its end, a state without all of its
    /// successors has no edges.
    pub fn graph(
        &self,
        account: &mut Account,
        all_idle: bool,
        observer: &mut dyn Observer,
    ) -> Result<Graph, Undecided> {
        // States are numbered with 32 bits here.
        u32::try_from(self.numbering.count).map_err(|_| Undecided::Memory)?;
        let mut graph = Graph { chunks: Vec::new(), states: self.numbering.count, starts: Vec::new() };
        graph.starts = self.starts()?;
        let account = Mutex::new(account);
        graph.chunks = self.together(observer, &|worker, numbers| {
            let mut chunk = Chunk::default();
            for number in numbers {
                worker.edges(number, all_idle, &mut chunk)?;
            }
            worker.settle(&mut chunk)?;
            chunk.targets.shrink_to_fit();
            chunk.rules.shrink_to_fit();
            let mut account = account.lock().unwrap_or_else(PoisonError::into_inner);
            account.add(chunk.bytes()).map_err(|_| Undecided::Memory)?;
            Ok(chunk)
        })?;
        Ok(graph)
    }

    pub(super) fn starts(&self) -> Result<Vec<(u32, StartId)>, Undecided> {
        let mut worker = Worker::new(*self);
        let mut starts = Starts::default();
        let mut found = Vec::new();
        loop {
            let more = worker.expander.start_again(&mut starts);
            worker.look_up()?;
            let made = worker.expander.successors().rules().iter().map(|rule| StartId(rule.0));
            let numbered = worker.found.iter().copied().zip(made);
            found.extend(numbered.filter(|(number, _)| *number != MISSING));
            if self.explored.interrupted.is_requested() {
                return Err(Undecided::Interrupted);
            }
            if !more {
                break;
            }
        }
        found.sort_unstable();
        found.dedup_by_key(|(state, _)| *state);
        Ok(found)
    }

    /// For each of these lists of conditions and each state, which conditions hold there: the bit
    /// of each one. Or the first state in which one cannot be evaluated.
    pub fn labels(
        &self,
        lists: &[Vec<Condition<'_>>],
        observer: &mut dyn Observer,
    ) -> Result<Vec<Result<Vec<u64>, Unevaluated>>, Undecided> {
        let chunks = self.together(observer, &|worker, numbers| {
            let mut all: Vec<Result<Vec<u64>, Unevaluated>> =
                lists.iter().map(|_| Ok(Vec::with_capacity(numbers.len()))).collect();
            for number in numbers {
                worker.load(number);
                for (list, found) in lists.iter().zip(&mut all) {
                    let Ok(labels) = found else { continue };
                    match worker.label(number, list) {
                        Ok(label) => labels.push(label),
                        Err(unevaluated) => *found = Err(unevaluated),
                    }
                }
            }
            Ok(all)
        })?;
        let count = self.numbering.count;
        let mut all: Vec<Result<Vec<u64>, Unevaluated>> =
            lists.iter().map(|_| Ok(Vec::with_capacity(count))).collect();
        for chunk in chunks {
            for (labels, more) in all.iter_mut().zip(chunk) {
                match (more, labels.is_ok()) {
                    (Ok(more), _) => labels.iter_mut().for_each(|labels| labels.extend(&more)),
                    (Err(unevaluated), true) => *labels = Err(unevaluated),
                    (Err(_), false) => {}
                }
            }
        }
        Ok(all)
    }

    /// All threads work on the states, a chunk at a time; what comes of the chunks is in their
    /// order.
    pub(super) fn together<T: Send>(
        &self,
        observer: &mut dyn Observer,
        work: &Work<'_, T>,
    ) -> Result<Vec<T>, Undecided> {
        let count = self.numbering.count;
        let chunks = count.div_ceil(CHUNK);
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(chunks));
        let run = |mut observer: Option<&mut dyn Observer>| -> Result<(), Undecided> {
            let mut worker = Worker::new(*self);
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || stopped.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(count);
                let end = numbers.end;
                let worked = match self.explored.interrupted.is_requested() {
                    true => Err(Undecided::Interrupted),
                    false => work(&mut worker, numbers),
                };
                match worked {
                    Ok(made) => {
                        done.lock().unwrap_or_else(PoisonError::into_inner).push((chunk, made));
                    }
                    Err(undecided) => {
                        stopped.store(true, Ordering::Relaxed);
                        return Err(undecided);
                    }
                }
                if let Some(observer) = &mut observer {
                    observer.checked_runs(end as u64, count as u64);
                }
            }
        };
        let threads = self.explored.settings.threads_in_use().min(chunks.max(1));
        std::thread::scope(|scope| {
            let need = self.explored.model.stack_use();
            // Where the system has no more threads, those that there are do it all.
            let helpers: Vec<_> = (1..threads)
                .map_while(|_| stack::spawn(scope, need, RECURSION_LIMIT, || run(None)))
                .collect();
            let mut result = run(Some(observer));
            for helper in helpers {
                match helper.join() {
                    Ok(other) => result = result.and(other),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        })?;
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(chunk, _)| *chunk);
        Ok(done.into_iter().map(|(_, made)| made).collect())
    }
}

/// What is done with the states of a chunk, by their numbers.
pub(super) type Work<'w, T> =
    dyn Fn(&mut Worker<'_>, std::ops::Range<usize>) -> Result<T, Undecided> + Sync + 'w;

/// What a thread needs.
pub(super) struct Worker<'a> {
    of: States<'a>,
    expander: Expander<'a>,
    stored: Vec<u64>,
    decoded: Vec<u64>,
    encoded: Vec<u64>,
    indices: Vec<Option<StateIndex>>,
    found: Vec<u32>,
    /// Successors that are to be looked up together, in stored form, and the places of their
    /// numbers among the targets of a chunk.
    waiting: Vec<u64>,
    places: Vec<usize>,
}

impl<'a> Worker<'a> {
    fn new(of: States<'a>) -> Self {
        let Explored { model, settings, .. } = of.explored;
        Worker {
            of,
            expander: Expander::for_rerun(model, settings),
            stored: Vec::new(),
            decoded: Vec::new(),
            encoded: Vec::new(),
            indices: Vec::new(),
            found: Vec::new(),
            waiting: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The words of a state, byte-aligned.
    pub(super) fn load(&mut self, number: usize) {
        self.stored.clear();
        self.of.states.load(self.of.numbering.index(number), &mut self.stored);
        let codec = self.of.explored.codec;
        if codec.converts() {
            codec.decode(&mut self.stored, 1, &mut self.decoded);
        } else {
            self.decoded.clone_from(&self.stored);
        }
    }

    /// Adds the edges of a state to a chunk.
    fn edges(&mut self, number: usize, all_idle: bool, chunk: &mut Chunk) -> Result<(), Undecided> {
        self.load(number);
        let first = chunk.targets.len();
        let (mut has_excluded, mut is_whole) = (false, true);
        self.expander.begin();
        loop {
            self.expander.successors_mut().clear();
            self.expander.expand_again(&mut self.decoded);
            match self.of.is_whole {
                true => self.postpone(chunk)?,
                false => {
                    self.look_up()?;
                    is_whole &= !self.found.contains(&MISSING);
                    chunk.targets.extend_from_slice(&self.found);
                }
            }
            let successors = self.expander.successors();
            chunk.rules.extend(successors.rules().iter().map(|rule| rule.0));
            let idle = successors.unchanged();
            let idle = if all_idle { idle } else { idle.get(..1).unwrap_or_default() };
            chunk.targets.extend(idle.iter().map(|_| number as u32));
            chunk.rules.extend(idle.iter().map(|rule| rule.0));
            has_excluded |= !successors.excluded().is_empty();
            is_whole &= successors.faults().is_empty();
            if !self.expander.go_on() {
                break;
            }
        }
        if !is_whole {
            if self.of.is_whole {
                return Err(Undecided::Incomplete);
            }
            // What is enabled here is not known, so no run is looked for that comes here.
            chunk.targets.truncate(first);
            chunk.rules.truncate(first);
            chunk.unexpanded.push(number as u32);
        } else if chunk.targets.len() == first && !has_excluded {
            chunk.targets.push(number as u32);
            chunk.rules.push(STUTTER);
        }
        chunk.ends.push(u32::try_from(chunk.targets.len()).map_err(|_| Undecided::Memory)?);
        Ok(())
    }

    /// Leaves places for the numbers of the successors, which are looked up with those of other
    /// states: the set fetches memory for many of them at a time.
    fn postpone(&mut self, chunk: &mut Chunk) -> Result<(), Undecided> {
        let successors = self.expander.successors();
        let codec = self.of.explored.codec;
        self.waiting.extend_from_slice(codec.encode(successors.words(), successors.len(), &mut self.encoded));
        let (first, end) = (chunk.targets.len(), chunk.targets.len() + successors.len());
        self.places.extend(first..end);
        chunk.targets.resize(end, MISSING);
        if self.places.len() >= TOGETHER { self.settle(chunk) } else { Ok(()) }
    }

    /// Looks up the successors that wait.
    fn settle(&mut self, chunk: &mut Chunk) -> Result<(), Undecided> {
        self.indices.clear();
        self.of.states.find(&self.waiting, &mut self.indices);
        for (&place, index) in self.places.iter().zip(&self.indices) {
            chunk.targets[place] = self.of.numbering.number(index.ok_or(Undecided::Contradiction)?);
        }
        self.waiting.clear();
        self.places.clear();
        Ok(())
    }

    /// Finds the numbers of the successors.
    fn look_up(&mut self) -> Result<(), Undecided> {
        let codec = self.of.explored.codec;
        let successors = self.expander.successors();
        let stored = codec.encode(successors.words(), successors.len(), &mut self.encoded);
        self.indices.clear();
        self.of.states.find(stored, &mut self.indices);
        self.found.clear();
        for index in &self.indices {
            self.found.push(match index {
                Some(index) => self.of.numbering.number(*index),
                None if self.of.is_whole => return Err(Undecided::Contradiction),
                None => MISSING,
            });
        }
        Ok(())
    }

    /// The label of the state that was loaded.
    pub(super) fn label(&mut self, number: usize, atoms: &[Condition<'_>]) -> Result<u64, Unevaluated> {
        let mut label = 0;
        for &(bit, atom, values) in atoms {
            match self.expander.atom(atom, values, &mut self.decoded) {
                Ok(true) => label |= 1 << bit,
                // What it assumes does not hold: it says nothing about the state.
                Ok(false) | Err(Fault::PRUNED) => {}
                Err(fault) => {
                    return Err(Unevaluated { state: number as u32, fault, value: Fault::value() });
                }
            }
        }
        Ok(label)
    }
}
