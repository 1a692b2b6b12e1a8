//! From which states can a condition be reached? Backwards from the states in which it holds.

use super::graph::{Edge, Graph};
use crate::contract::model::StartId;
use std::collections::VecDeque;

/// For each state, whether one can be reached from it in which the bit `good` of its label is set.
pub fn reaching(graph: &Graph, labels: &[u64], good: u64) -> Vec<bool> {
    let mut reaches: Vec<bool> = labels.iter().map(|label| label & good != 0).collect();
    // The edges backwards, of states of which it is not known yet.
    let unknown = |reaches: &[bool]| {
        let states = 0..graph.states as u32;
        states.filter(|&state| !reaches[state as usize]).collect::<Vec<u32>>()
    };
    let waiting = unknown(&reaches);
    let mut ends = vec![0u32; graph.states + 1];
    for &state in &waiting {
        graph.edges(state).for_each(|edge| ends[edge.to as usize + 1] += 1);
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let mut sources = vec![0u32; ends.last().map_or(0, |&all| all as usize)];
    let mut next = ends.clone();
    for &state in &waiting {
        for edge in graph.edges(state) {
            let place = &mut next[edge.to as usize];
            sources[*place as usize] = state;
            *place += 1;
        }
    }
    drop(next);
    let mut queue: Vec<u32> = (0..graph.states as u32).filter(|&state| reaches[state as usize]).collect();
    while let Some(state) = queue.pop() {
        let (from, to) = (ends[state as usize] as usize, ends[state as usize + 1] as usize);
        for &source in &sources[from..to] {
            if !std::mem::replace(&mut reaches[source as usize], true) {
                queue.push(source);
            }
        }
    }
    reaches
}

/// The shortest way from a start state to a state that is wanted, as rules.
pub fn way_to(graph: &Graph, wanted: impl Fn(u32) -> bool) -> Option<(StartId, Vec<u32>)> {
    const UNSEEN: u32 = u32::MAX;
    let mut before = vec![UNSEEN; graph.states];
    let mut queue = VecDeque::new();
    for &(state, _) in &graph.starts {
        before[state as usize] = state;
        queue.push_back(state);
    }
    while let Some(state) = queue.pop_front() {
        if wanted(state) {
            let (mut rules, mut at) = (Vec::new(), state);
            // A start state is its own predecessor.
            while before[at as usize] != at {
                let from = before[at as usize];
                rules.push(graph.edges(from).find(|edge| edge.to == at)?.rule);
                at = from;
            }
            rules.reverse();
            let start = graph.starts.iter().find(|(start, _)| *start == at)?.1;
            return Some((start, rules));
        }
        for Edge { to, .. } in graph.edges(state) {
            if before[to as usize] == UNSEEN {
                before[to as usize] = state;
                queue.push_back(to);
            }
        }
    }
    None
}
