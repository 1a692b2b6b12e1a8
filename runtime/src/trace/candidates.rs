//! Finding the states on a path again, of which only short signatures are known.
//!
//! In step i, all states that may be the i-th of the path are known, the *candidates*: those among
//! the successors of the candidates before them that have the signature of the record. When the
//! last step is made, the state at the end, which is known, is looked for among them, and the path
//! to it goes back from there. Why it is there, and why each such path is a counterexample, is in
//! `visited/records.rs`.
//!
//! Only the states of two steps are in memory. Of the others eight bytes are: the candidate from
//! which it came, and its place among that one's successors. The states are made once more when the
//! path is known. If there is not enough memory for the candidates, there is no path, and the error
//! is reported without a trace.

use super::TraceError;
use super::rerun::Rerun;
use crate::hashing::words::hash;
use crate::memory::{Allowance, MemoryError};
use crate::visited::Visited;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What a candidate takes beside its words: its link, its hash and number in a table, and room to
/// grow.
const BESIDE: u64 = 64;

/// A state by its place among the successors of the one before it, or among the start states.
#[derive(Clone, Copy, Debug)]
pub struct Choice(u32);

impl Choice {
    /// The state in this step of the path, made from the one before it.
    pub fn state(self, step: usize, rerun: &mut Rerun<'_>, before: &[u64]) -> Result<Vec<u64>, TraceError> {
        let mut at = 0;
        let pick = |state: &[u64]| {
            let found = at == self.0;
            at += 1;
            if found { ControlFlow::Break(state.to_vec()) } else { ControlFlow::Continue(()) }
        };
        let state = match step {
            0 => rerun.starts(pick),
            _ => rerun.successors(before, pick),
        };
        state.ok_or(TraceError::new(step, "a state has other successors than before"))
    }
}

/// Where a candidate came from: the number of the one before it, and what it is of that.
#[derive(Clone, Copy, Debug)]
struct Link {
    parent: u32,
    choice: Choice,
}

/// The candidates of a step.
#[derive(Debug, Default)]
struct Layer {
    words: Vec<u64>,
    count: u32,
    /// By their hashes. Two with the same hash and different words are both candidates, and only
    /// one of them is here: the other may be there twice, which costs time alone.
    numbers: HashMap<u64, u32>,
}

impl Layer {
    fn state(&self, number: u32, words: usize) -> &[u64] {
        let number = number as usize;
        self.words.get(number * words..(number + 1) * words).unwrap_or_default()
    }

    /// Whether this is a new candidate.
    fn add(&mut self, state: &[u64], memory: &mut Allowance) -> Result<bool, MemoryError> {
        let hash = hash(state);
        if let Some(&number) = self.numbers.get(&hash)
            && self.state(number, state.len()) == state
        {
            return Ok(false);
        }
        memory.take(8 * state.len() as u64 + BESIDE)?;
        self.words.extend_from_slice(state);
        self.numbers.entry(hash).or_insert(self.count);
        self.count = self.count.checked_add(1).ok_or(MemoryError)?;
        Ok(true)
    }
}

/// A path from a start state whose states have these signatures; the last one is `end`, or leads
/// there by a walk.
pub fn find(
    rerun: &mut Rerun<'_>,
    visited: &dyn Visited,
    signatures: &[u64],
    end: &[u64],
    memory: &mut Allowance,
) -> Result<Vec<Choice>, TraceError> {
    let (words, codec) = (end.len(), rerun.codec);
    // Of all steps, one after the other, and where those of each begin.
    let (mut links, mut begins): (Vec<Link>, Vec<usize>) = Default::default();
    memory.take((signatures.len() * size_of::<usize>()) as u64)?;
    begins.reserve_exact(signatures.len());
    let others = memory.taken();
    let mut layer = Layer { count: 1, ..Layer::default() };
    for (step, &signature) in signatures.iter().enumerate() {
        begins.push(links.len());
        let mut next = Layer::default();
        for parent in 0..layer.count {
            let mut position = 0;
            let keep = |state: &[u64]| {
                let link = Link { parent, choice: Choice(position) };
                position += 1;
                if visited.signature(&codec.encode_one(state)) != Some(signature) {
                    return ControlFlow::Continue(());
                }
                match next.add(state, memory) {
                    Ok(true) => links.push(link),
                    Ok(false) => {}
                    Err(error) => return ControlFlow::Break(error),
                }
                ControlFlow::Continue(())
            };
            let failed = match step {
                0 => rerun.starts(keep),
                _ => rerun.successors(layer.state(parent, words), keep),
            };
            if let Some(error) = failed {
                return Err(error.into());
            }
        }
        if next.count == 0 {
            return Err(TraceError::new(step, "no state has the signature of the next record"));
        }
        layer = next;
        // The states of the step before are no longer needed.
        let states = layer.words.len() as u64 * 8 + u64::from(layer.count) * BESIDE;
        memory.shrink_to(others + 2 * (links.len() * size_of::<Link>()) as u64 + states);
    }
    let mut number = end_among(rerun, &layer, end)?;
    let mut choices = Vec::with_capacity(begins.len());
    for &begin in begins.iter().rev() {
        let Some(&Link { parent, choice }) = links.get(begin + number as usize) else { break };
        choices.push(choice);
        number = parent;
    }
    choices.reverse();
    Ok(choices)
}

/// The candidate of the last step that is the state at the end, or leads there by a walk.
fn end_among(rerun: &mut Rerun<'_>, layer: &Layer, end: &[u64]) -> Result<u32, TraceError> {
    for number in 0..layer.count {
        if rerun.walk(layer.state(number, end.len()), end, &mut |_| Ok(()))? {
            return Ok(number);
        }
    }
    Err(TraceError::new(0, "no path leads to the state that was found"))
}
