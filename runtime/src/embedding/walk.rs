//! Going through a model by hand: start states, successors, random walks, and all edges of its
//! graph. Elements of scalarsets keep their names here, as in a search without symmetry reduction;
//! multisets are sorted, as there.

use super::value::State;
use crate::contract::context::Context;
use crate::contract::model::Model;
use crate::contract::values::instance;
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::random::Random;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

/// Words of successors that are made at a time.
const PIECE: usize = 16 << 10;

/// A rule or a start state with the values of its parameters, and the state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Move {
    /// The name of the rule, or of the start state.
    pub rule: String,
    /// The number of the instance.
    pub instance: u32,
    /// Parameters and their values, as they print.
    pub parameters: BTreeMap<String, String>,
    /// The state after it, in words of the byte-aligned layout.
    pub words: Vec<u64>,
}

/// Goes through a model.
pub struct Walker<'a> {
    expander: Expander<'a>,
    failed: u64,
}

impl<'a> Walker<'a> {
    /// Rules with priorities are tried by their priorities, as in a search.
    pub fn new(model: &'a dyn Model) -> Walker<'a> {
        let description = model.description();
        let context = Context::new(description.counters());
        Walker { expander: Expander::new(model, context, PIECE), failed: 0 }
    }

    /// How often a rule was met that is enabled and fails: such a rule leads nowhere.
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// The values of the variables after a move.
    pub fn state(&self, after: &Move) -> State {
        State::of_words(self.expander.model().description(), &after.words)
    }

    /// All start states.
    pub fn starts(&mut self) -> Vec<Move> {
        let description = self.expander.model().description();
        let mut found = Vec::new();
        let mut starts = Starts::default();
        loop {
            let more = self.expander.start(&mut starts, |_| ControlFlow::Continue(()));
            let successors = self.expander.successors();
            for (at, start) in successors.rules().iter().enumerate() {
                found.push(named(description.starts, start.0, successors.state(at).to_vec()));
            }
            if !more {
                return found;
            }
        }
    }

    /// All rules that are enabled in a state and do not fail, in the order of the text, also those
    /// that change nothing.
    pub fn successors(&mut self, words: &[u64]) -> Vec<Move> {
        let description = self.expander.model().description();
        let mut moves: Vec<(u32, Vec<u64>)> = Vec::new();
        let mut failed = 0;
        self.expander.each_piece(&mut words.to_vec(), |successors| {
            let rules = successors.rules().iter().enumerate();
            moves.extend(rules.map(|(at, rule)| (rule.0, successors.state(at).to_vec())));
            moves.extend(successors.unchanged().iter().map(|rule| (rule.0, words.to_vec())));
            failed += successors.faults().len() as u64;
            ControlFlow::<()>::Continue(())
        });
        self.failed += failed;
        moves.sort_by_key(|(rule, _)| *rule);
        moves.into_iter().map(|(rule, words)| named(description.rules, rule, words)).collect()
    }

    /// A walk of at most `length` steps behind its start state, with chance from a seed.
    pub fn random_walk(&mut self, seed: u64, length: usize) -> Vec<Move> {
        let mut random = Random(seed);
        let mut walk: Vec<Move> = Vec::new();
        let mut choices = self.starts();
        while !choices.is_empty() && walk.len() <= length {
            let chosen = choices.swap_remove(random.below(choices.len() as u64) as usize);
            choices = self.successors(&chosen.words);
            walk.push(chosen);
        }
        walk
    }

    /// All states that can be reached, and all edges between them.
    pub fn graph(&mut self, most_states: usize) -> Result<Graph, TooLarge> {
        let mut graph = Graph { states: Vec::new(), edges: Vec::new() };
        let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
        for start in self.starts() {
            graph.add(&mut numbers, None, start, most_states)?;
        }
        let mut next = 0;
        while next < graph.states.len() {
            for found in self.successors(&graph.states[next].0.words.clone()) {
                graph.add(&mut numbers, Some(next), found, most_states)?;
            }
            next += 1;
        }
        Ok(graph)
    }
}

fn named(families: &'static [crate::contract::model::Family], number: u32, words: Vec<u64>) -> Move {
    let found = instance(families, number);
    Move {
        rule: found.as_ref().map_or(String::new(), |found| found.family.name.to_owned()),
        instance: number,
        parameters: found.map_or(BTreeMap::new(), |found| {
            let arguments = found.arguments.iter();
            arguments.map(|one| (one.parameter.name.to_owned(), one.label().into_owned())).collect()
        }),
        words,
    }
}

/// The graph has more states than the limit that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The limit.
    pub most_states: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "the graph has more than {} states", self.most_states)
    }
}

impl std::error::Error for TooLarge {}

/// The states of a model and the edges between them.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Each state as the move that found it first, and the number of the state before.
    states: Vec<(Move, Option<usize>)>,
    /// From, the rule, and to.
    edges: Vec<(usize, Move, usize)>,
}

impl Graph {
    fn add(
        &mut self,
        numbers: &mut HashMap<Vec<u64>, usize>,
        from: Option<usize>,
        found: Move,
        most_states: usize,
    ) -> Result<(), TooLarge> {
        let number = match numbers.get(&found.words) {
            Some(number) => *number,
            None if self.states.len() == most_states => return Err(TooLarge { most_states }),
            None => {
                numbers.insert(found.words.clone(), self.states.len());
                self.states.push((found.clone(), from));
                self.states.len() - 1
            }
        };
        if let Some(from) = from {
            self.edges.push((from, found, number));
        }
        Ok(())
    }

    /// Each state, as the move by which it was found first.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &Move> {
        self.states.iter().map(|(found, _)| found)
    }

    /// The numbers of the start states.
    pub fn starts(&self) -> impl Iterator<Item = usize> {
        self.states.iter().enumerate().filter(|(_, (_, from))| from.is_none()).map(|(number, _)| number)
    }

    /// Each edge: the number of the state before, the rule, the number of the state after.
    pub fn edges(&self) -> impl ExactSizeIterator<Item = (usize, &Move, usize)> {
        self.edges.iter().map(|(from, found, to)| (*from, found, *to))
    }

    /// A shortest path from a start state to a state.
    pub fn path(&self, state: usize) -> Vec<&Move> {
        let mut path = Vec::new();
        let mut at = Some(state);
        while let Some((found, from)) = at.and_then(|number| self.states.get(number)) {
            path.push(found);
            at = *from;
        }
        path.reverse();
        path
    }
}
