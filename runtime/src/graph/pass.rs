//! Going over the states of a finished search: once to number them, breadth first, and once to
//! write. So the file does not depend on the order of the search or on its threads.

use super::GraphError;
use super::form::{Form, GraphSize, GraphWriter};
use crate::contract::model::RuleId;
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::memory::allocator::fallible;
use crate::memory::{Account, MemoryError};
use crate::search::Ending;
use crate::search::explore::Explored;
use crate::visited::{Find, StateIndex};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// The number of a state that was not met yet.
const UNKNOWN: u64 = u64::MAX;

/// Writes the graph of what a search has explored, if that is everything and not more than `limit`
/// states.
pub fn write(explored: Explored<'_>, limit: u64, form: Form, out: &mut dyn Write) -> io::Result<GraphSize> {
    let states = whole(explored, limit).map_err(io::Error::other)?;
    // Numbers, and states in the order of these.
    let bytes = states.len() * size_of::<(u64, StateIndex)>() as u64;
    let mut account = Account::new(explored.budget.clone());
    let no_memory = |MemoryError| io::Error::other(GraphError::Memory(bytes));
    account.set(bytes).map_err(no_memory)?;
    let mut pass = Pass::new(explored, states).map_err(no_memory)?;
    let size = pass.number()?;
    pass.write(size, form, out)?;
    Ok(size)
}

/// The states, if they are all there.
fn whole(explored: Explored<'_>, limit: u64) -> Result<&dyn Find, GraphError> {
    match explored.states {
        _ if *explored.ending != Ending::Complete => Err(GraphError::Incomplete),
        _ if !explored.is_all => Err(GraphError::Unexpanded),
        Some(states) if states.len() > limit => Err(GraphError::TooLarge { states: states.len(), limit }),
        Some(states) => Ok(states),
        None => Err(GraphError::Unkept),
    }
}

struct Pass<'a> {
    explored: Explored<'a>,
    states: &'a dyn Find,
    expander: Expander<'a>,
    /// For each segment, how many states there are in those before it.
    offsets: Vec<usize>,
    /// The number of each state, by its segment and its place there.
    numbers: Vec<u64>,
    order: Vec<StateIndex>,
    /// Which start rule leads to a state first.
    starts: HashMap<u64, u32>,
}

impl<'a> Pass<'a> {
    fn new(explored: Explored<'a>, states: &'a dyn Find) -> Result<Pass<'a>, MemoryError> {
        let mut count = 0;
        let mut offsets = Vec::new();
        for length in states.lengths() {
            offsets.push(count);
            count += usize::try_from(length).map_err(|_| MemoryError)?;
        }
        let (mut numbers, mut order) = (Vec::new(), Vec::new());
        fallible(|| numbers.try_reserve_exact(count)).map_err(|_| MemoryError)?;
        fallible(|| order.try_reserve_exact(count)).map_err(|_| MemoryError)?;
        numbers.resize(count, UNKNOWN);
        let expander = Expander::for_rerun(explored.model, explored.settings);
        Ok(Pass { explored, states, expander, offsets, numbers, order, starts: HashMap::new() })
    }

    /// Numbers all states by breadth-first search, and counts transitions.
    fn number(&mut self) -> io::Result<GraphSize> {
        let mut starts = Starts::default();
        loop {
            let more = self.expander.start_again(&mut starts);
            let found = self.look_up();
            let rules: Vec<RuleId> = self.expander.successors().rules().to_vec();
            for (state, rule) in found.into_iter().zip(rules) {
                let number = self.meet(state)?;
                self.starts.entry(number).or_insert(rule.0);
            }
            if !more {
                break;
            }
        }
        let mut edges = 0;
        let mut next = 0;
        while let Some(&state) = self.order.get(next) {
            self.edges(next as u64, state, &mut |_, _, _| {
                edges += 1;
                Ok(())
            })?;
            next += 1;
        }
        if self.order.len() != self.numbers.len() {
            return Err(io::Error::other(GraphError::Contradiction));
        }
        Ok(GraphSize { states: self.order.len() as u64, starts: self.starts.len() as u64, edges })
    }

    fn write(&mut self, size: GraphSize, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = GraphWriter::new(form, self.explored.model.description(), out);
        writer.begin(size)?;
        for number in 0..self.order.len() {
            let words = self.load(self.order[number]);
            let number = number as u64;
            writer.state(number, self.starts.get(&number).copied(), &words)?;
        }
        for number in 0..self.order.len() {
            let state = self.order[number];
            self.edges(number as u64, state, &mut |from, rule, to| writer.edge(from, rule.0, to))?;
        }
        writer.end()
    }

    /// All transitions from a state, also those that change nothing.
    fn edges(
        &mut self,
        from: u64,
        state: StateIndex,
        each: &mut dyn FnMut(u64, RuleId, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.explored.interrupted.is_requested() {
            return Err(io::Error::other(GraphError::Interrupted));
        }
        let mut found: Vec<(RuleId, Option<StateIndex>)> = Vec::new();
        let (codec, states) = (self.explored.codec, self.states);
        let (mut encoded, mut indices) = (Vec::new(), Vec::new());
        let mut words = self.load(state);
        self.expander.each_piece_again(&mut words, |successors| {
            let stored = codec.encode(successors.words(), successors.len(), &mut encoded);
            indices.clear();
            states.find(stored, &mut indices);
            found.extend(successors.rules().iter().copied().zip(indices.iter().copied()));
            found.extend(successors.unchanged().iter().map(|rule| (*rule, Some(state))));
            ControlFlow::<()>::Continue(())
        });
        found.sort_by_key(|(rule, _)| rule.0);
        for (rule, to) in found {
            let to = self.meet(to)?;
            each(from, rule, to)?;
        }
        Ok(())
    }

    /// Finds the numbers of start states.
    fn look_up(&mut self) -> Vec<Option<StateIndex>> {
        let successors = self.expander.successors();
        let (mut encoded, mut found) = (Vec::new(), Vec::new());
        let stored = self.explored.codec.encode(successors.words(), successors.len(), &mut encoded);
        self.states.find(stored, &mut found);
        found
    }

    /// The number of a state, which is the next one if it was not met yet.
    fn meet(&mut self, state: Option<StateIndex>) -> io::Result<u64> {
        let contradiction = || io::Error::other(GraphError::Contradiction);
        let state = state.ok_or_else(contradiction)?;
        let segmentation = self.states.segmentation();
        let offset = self.offsets.get(segmentation.of_index(state)).ok_or_else(contradiction)?;
        let number =
            self.numbers.get_mut(offset + segmentation.place(state) as usize).ok_or_else(contradiction)?;
        if *number == UNKNOWN {
            *number = self.order.len() as u64;
            self.order.push(state);
        }
        Ok(*number)
    }

    /// The words of a state, byte-aligned.
    fn load(&self, state: StateIndex) -> Vec<u64> {
        let mut stored = Vec::new();
        self.states.load(state, &mut stored);
        self.explored.codec.decode_one(&stored)
    }
}
