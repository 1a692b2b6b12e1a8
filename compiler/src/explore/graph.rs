//! The neighbourhood of a state: what can be reached from it in a few steps, level by level, and
//! never more than can be read.

use std::collections::HashMap;

use serde::Serialize;

use super::explorer::{Explorer, Failure, Reached, Way};
use super::view::{self, Change, Name};
use crate::walk::{Effect, Walker, is_stuck};

/// States of one picture.
const MOST_NODES: usize = 60;
const MOST_LEVELS: usize = 8;

/// Changes that stand in one node.
const MOST_CHANGES: usize = 3;

#[derive(Debug, Serialize)]
pub struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Other states that these lead to, which are not shown.
    pub states_left_out: usize,
    /// Rules that lead to them.
    pub edges_left_out: usize,
}

#[derive(Debug, Serialize)]
pub struct Node {
    pub level: usize,
    /// The rules that lead to it from the first state.
    pub rules: Vec<u32>,
    /// How it differs from the first state.
    pub changes: Vec<Change>,
    pub changes_left_out: usize,
    /// A property is broken here, or no rule changes the state.
    pub wrong: bool,
    /// Whether all that it leads to is shown.
    pub complete: bool,
}

#[derive(Debug, Serialize)]
pub struct Edge {
    pub from: usize,
    /// None where the rule ends in an error.
    pub to: Option<usize>,
    pub name: Name,
}

struct Picture<'w> {
    walker: &'w Walker<'w>,
    first: Vec<u64>,
    states: Vec<Vec<u64>>,
    numbers: HashMap<Vec<u64>, usize>,
    graph: Graph,
    left_out: HashMap<Vec<u64>, ()>,
}

pub fn neighbourhood(explorer: &Explorer, way: &Way, levels: usize) -> Result<Graph, Failure> {
    let walker = explorer.walker();
    let Reached::State(first) = explorer.reach(&walker, way)? else {
        return Err(Failure::new("the rule ends in an error, so no state follows it"));
    };
    let graph = Graph { nodes: Vec::new(), edges: Vec::new(), states_left_out: 0, edges_left_out: 0 };
    let mut picture = Picture {
        walker: &walker,
        first: first.clone(),
        states: Vec::new(),
        numbers: HashMap::new(),
        graph,
        left_out: HashMap::new(),
    };
    picture.add(first, 0, Vec::new());
    let levels = levels.clamp(1, MOST_LEVELS);
    let mut at = 0;
    while at < picture.states.len() {
        let expanded = picture.graph.nodes.get(at).is_some_and(|node| node.level < levels);
        picture.expand(at, expanded);
        at += 1;
    }
    picture.graph.states_left_out = picture.left_out.len();
    Ok(picture.graph)
}

impl Picture<'_> {
    fn add(&mut self, state: Vec<u64>, level: usize, rules: Vec<u32>) -> usize {
        let mut changes = view::changes(self.walker.description(), &self.first, &state);
        let more = changes.changes.len().saturating_sub(MOST_CHANGES);
        changes.changes.truncate(MOST_CHANGES);
        let (wrong, complete) = (self.walker.violation(&state).is_some(), true);
        let changes_left_out = changes.changes_left_out + more;
        let changes = changes.changes;
        self.graph.nodes.push(Node { level, rules, changes, changes_left_out, wrong, complete });
        let number = self.states.len();
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        number
    }

    /// Adds what a state leads to. Of a state on the last level only what is shown already.
    fn expand(&mut self, from: usize, expanded: bool) {
        let Some(state) = self.states.get(from).cloned() else { return };
        let Some((level, rules)) = self.graph.nodes.get(from).map(|node| (node.level, node.rules.clone()))
        else {
            return;
        };
        let moves = self.walker.moves(&state);
        if self.walker.settings.deadlock
            && is_stuck(&state, &moves)
            && let Some(node) = self.graph.nodes.get_mut(from)
        {
            node.wrong = true;
        }
        for found in moves {
            let to = match found.effect {
                Effect::Excluded => continue,
                Effect::Fault(_) => None,
                Effect::To(next) if next == state => continue,
                Effect::To(next) => match self.numbers.get(&next) {
                    Some(known) => Some(*known),
                    None if expanded && self.states.len() < MOST_NODES => {
                        let way = rules.iter().copied().chain([found.number]).collect();
                        Some(self.add(next, level + 1, way))
                    }
                    None => {
                        self.left_out.insert(next, ());
                        self.graph.edges_left_out += 1;
                        if let Some(node) = self.graph.nodes.get_mut(from) {
                            node.complete = false;
                        }
                        continue;
                    }
                },
            };
            let name = view::rule_name(self.walker, found.number, &state);
            self.graph.edges.push(Edge { from, to, name });
        }
    }
}
