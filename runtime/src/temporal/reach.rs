//! From which states can a condition be reached? Backwards from the states in which it holds.

use super::components::{Poll, STEPS, Stopped};
use super::graph::{Edge, Graph};
use crate::contract::model::StartId;
use std::collections::VecDeque;

/// For each state, whether one can be reached from it in which the bit `good` of its label is set,
/// or of which not all successors are known.
/// `poll` is asked from time to time, and ends it.
pub fn reaching(graph: &Graph, labels: &[u64], good: u64, poll: &mut Poll<'_>) -> Result<Vec<bool>, Stopped> {
    let mut reaches: Vec<bool> = labels.iter().map(|label| label & good != 0).collect();
    graph.unexpanded().for_each(|state| reaches[state as usize] = true);
    if sweep(graph, &mut reaches, poll)? == 0 {
        return Ok(reaches);
    }
    // The edges backwards, of states of which it is not known yet.
    let unknown = |reaches: &[bool]| {
        let states = 0..graph.states as u32;
        states.filter(|&state| !reaches[state as usize]).collect::<Vec<u32>>()
    };
    let waiting = unknown(&reaches);
    let mut ends = vec![0u32; graph.states + 1];
    for (at, &state) in waiting.iter().enumerate() {
        if at % STEPS as usize == 0 {
            poll(0)?;
        }
        graph.edges(state).for_each(|edge| ends[edge.to as usize + 1] += 1);
    }
    for at in 1..ends.len() {
        ends[at] += ends[at - 1];
    }
    let mut sources = vec![0u32; ends.last().map_or(0, |&all| all as usize)];
    let mut next = ends.clone();
    for (at, &state) in waiting.iter().enumerate() {
        if at % STEPS as usize == 0 {
            poll(0)?;
        }
        for edge in graph.edges(state) {
            let place = &mut next[edge.to as usize];
            sources[*place as usize] = state;
            *place += 1;
        }
    }
    drop(next);
    let mut queue: Vec<u32> = (0..graph.states as u32).filter(|&state| reaches[state as usize]).collect();
    let mut taken = 0usize;
    while let Some(state) = queue.pop() {
        taken += 1;
        if taken.is_multiple_of(STEPS as usize) {
            poll(0)?;
        }
        let (from, to) = (ends[state as usize] as usize, ends[state as usize + 1] as usize);
        for &source in &sources[from..to] {
            if !std::mem::replace(&mut reaches[source as usize], true) {
                queue.push(source);
            }
        }
    }
    Ok(reaches)
}

/// Decides states by their successors, in sweeps over all edges in the order of memory, as long as
/// each decides half of those that are left; returns how many are left. Successors mostly have
/// larger numbers, so a sweep from the last state to the first decides whole paths, and needs no
/// edges backwards.
fn sweep(graph: &Graph, reaches: &mut [bool], poll: &mut Poll<'_>) -> Result<usize, Stopped> {
    let mut left = reaches.iter().filter(|reaches| !**reaches).count();
    let mut before = usize::MAX;
    while left > 0 && left <= before / 2 {
        before = left;
        for state in (0..graph.states as u32).rev() {
            if state % STEPS == 0 {
                poll(0)?;
            }
            if !reaches[state as usize] && graph.edges(state).any(|edge| reaches[edge.to as usize]) {
                reaches[state as usize] = true;
                left -= 1;
            }
        }
    }
    Ok(left)
}

/// The shortest way from a start state to a state that is wanted, as rules.
///
/// `poll` is asked from time to time, and ends it.
pub fn way_to(
    graph: &Graph,
    wanted: impl Fn(u32) -> bool,
    poll: &mut Poll<'_>,
) -> Result<Option<(StartId, Vec<u32>)>, Stopped> {
    const UNSEEN: u32 = u32::MAX;
    let mut before = vec![UNSEEN; graph.states];
    let mut queue = VecDeque::new();
    for &(state, _) in &graph.starts {
        before[state as usize] = state;
        queue.push_back(state);
    }
    let mut taken = 0usize;
    while let Some(state) = queue.pop_front() {
        taken += 1;
        if taken.is_multiple_of(STEPS as usize) {
            poll(0)?;
        }
        if wanted(state) {
            let (mut rules, mut at) = (Vec::new(), state);
            // A start state is its own predecessor.
            while before[at as usize] != at {
                let from = before[at as usize];
                let Some(edge) = graph.edges(from).find(|edge| edge.to == at) else { return Ok(None) };
                rules.push(edge.rule);
                at = from;
            }
            rules.reverse();
            let start = graph.starts.iter().find(|(start, _)| *start == at);
            return Ok(start.map(|(_, start)| (*start, rules)));
        }
        for Edge { to, .. } in graph.edges(state) {
            if before[to as usize] == UNSEEN {
                before[to as usize] = state;
                queue.push_back(to);
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Paths in either order of numbers, and states from which nothing good is reached.
    #[test]
    fn sweeps_and_edges_backwards_agree() {
        const PATH: u32 = 1_000;
        for backwards in [false, true] {
            // The last state is good, or the first; beside the path is a circle of two.
            let next = |state: u32| match backwards {
                true => state.saturating_sub(1),
                false => (state + 1).min(PATH - 1),
            };
            let mut edges: Vec<Vec<Edge>> =
                (0..PATH).map(|state| vec![Edge { to: next(state), rule: 0 }]).collect();
            edges.push(vec![Edge { to: PATH + 1, rule: 0 }]);
            edges.push(vec![Edge { to: PATH, rule: 0 }]);
            let graph = Graph::from_edges(&edges, vec![(0, StartId(0))]);
            let mut labels = vec![0; edges.len()];
            labels[if backwards { 0 } else { PATH as usize - 1 }] = 1;
            let reaches = reaching(&graph, &labels, 1, &mut |_| Ok(())).unwrap();
            let expected: Vec<bool> = (0..PATH + 2).map(|state| state < PATH).collect();
            assert_eq!(reaches, expected, "{backwards}");
        }
    }

    #[test]
    fn what_takes_long_can_be_interrupted() {
        let states = 3 * STEPS;
        let edge = |state: u32| vec![Edge { to: (state + 1) % states, rule: 0 }];
        let edges: Vec<Vec<Edge>> = (0..states).map(edge).collect();
        let graph = Graph::from_edges(&edges, vec![(0, StartId(0))]);
        let mut labels = vec![0; states as usize];
        labels[0] = 1;
        let last = |state: u32| state == states - 1;
        let all = reaching(&graph, &labels, 1, &mut |_| Ok(()));
        assert!(all.is_ok_and(|all| all.iter().all(|reaches| *reaches)));
        let way = way_to(&graph, last, &mut |_| Ok(())).unwrap().unwrap();
        assert_eq!(way.1.len(), states as usize - 1);
        for turn in 0..3 {
            let mut left = turn;
            let mut poll = |_| {
                left -= 1;
                if left < 0 { Err(Stopped::Interrupted) } else { Ok(()) }
            };
            assert_eq!(reaching(&graph, &labels, 1, &mut poll), Err(Stopped::Interrupted));
        }
        let stopped = way_to(&graph, last, &mut |_| Err(Stopped::Interrupted));
        assert_eq!(stopped, Err(Stopped::Interrupted));
    }
}
