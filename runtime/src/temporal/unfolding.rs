//! From a path through the graph of a reduced search to a run of the model.
//!
//! Where elements of scalarsets are renamed or multisets sorted, a state of the graph stands for
//! its orbit. The properties distinguish no elements that are renamed, so the states of an orbit
//! fulfil the same conditions and lead to the same orbits: each path of the graph is the path of a
//! run, and the other way round. That run is found by going along the path from a start state: in
//! each state some rule leads to a state of the next orbit, and is `fired` for the formula if that
//! of the graph is.
//!
//! A loop of the graph need not close in the run: it may come back under other names, as `g s` in
//! place of `s`. The same steps under the names of `g` lead on to `g g s`, and so at last back to
//! `s`. The fewest rounds that come back to it are looked for. Where that takes too long, some rule
//! is taken in each step: what happens in a round is then a function of the state in which it
//! begins, and an orbit is finite, so a round begins at last as an earlier one did.

use super::Undecided;
use super::build::States;
use super::deciding::fired_masks;
use super::graph::Graph;
use super::propositions::Obligation;
use crate::contract::model::{RuleId, StartId};
use crate::contract::problem::{Finding, Lasso, Path, Untraced};
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::reduction::form::Form;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// States that are looked at for the fewest rounds of a loop.
const MOST_TRIED: usize = 1 << 16;

impl States<'_> {
    /// A finding whose path is one of the model: it was one of the graph, in which this part was
    /// decided.
    pub(super) fn unfold(
        &self,
        graph: &Graph,
        found: Finding,
        part: &Obligation,
    ) -> Result<Finding, Undecided> {
        let explored = self.explored();
        let description = explored.model.description();
        let Some(path) = &found.path else { return Ok(found) };
        if !explored.settings.extent().is_reduction(description) {
            return Ok(found);
        }
        let numbers = numbers(graph, path).ok_or(Undecided::Contradiction)?;
        let context = explored.settings.trace_context(description);
        let mut walk = Walk {
            expander: Expander::for_trace(explored.model, &context),
            form: explored.settings.form(explored.model),
            fired: fired_masks(part, description.rule_instances()),
        };
        let orbits = self.words_of(&numbers);
        // No rule leads to the first.
        let fired = std::iter::once(0).chain(path.rules.iter().map(|&rule| walk.fired(rule)));
        let fired: Vec<u64> = fired.collect();
        let orbits = orbits.iter().zip(fired).map(|(words, fired)| (walk.form.of(words), fired));
        let orbits: Vec<Place> = orbits.map(|(orbit, fired)| Place { orbit, fired }).collect();
        let stem = found.lasso.as_ref().map(|lasso| lasso.stem);
        let interrupted = || explored.interrupted.is_requested();
        match walk.run(&orbits, stem, &interrupted) {
            Ok((path, stem)) => {
                let lasso = stem.map(|stem| Lasso { stem, fair: Vec::new() });
                Ok(Finding { path: Some(path), lasso, ..found })
            }
            Err(Undecided::Contradiction) if walk.form.gave_up() => {
                Ok(Finding { path: None, lasso: None, untraced: Some(Untraced::Symmetry), ..found })
            }
            Err(undecided) => Err(undecided),
        }
    }
}

/// The states on a path of the graph.
fn numbers(graph: &Graph, path: &Path) -> Option<Vec<u32>> {
    let first = graph.starts.iter().find(|(_, start)| *start == path.start)?.0;
    let mut numbers = vec![first];
    for rule in &path.rules {
        let from = *numbers.last()?;
        numbers.push(graph.edges(from).find(|edge| edge.rule == rule.0)?.to);
    }
    Some(numbers)
}

/// Where a path of the graph comes to.
struct Place {
    orbit: Vec<u64>,
    /// Which propositions about steps are true for the rule that leads there.
    fired: u64,
}

struct Walk<'m> {
    expander: Expander<'m>,
    form: Form<'m>,
    /// Which propositions about steps are true for each instance of a rule; empty where there are
    /// none.
    fired: Vec<u64>,
}

impl Walk<'_> {
    fn fired(&self, rule: RuleId) -> u64 {
        self.fired.get(rule.0 as usize).copied().unwrap_or(0)
    }

    /// A run along these orbits, of which those behind `stem` are repeated for ever; and where its
    /// loop begins.
    fn run(
        &mut self,
        orbits: &[Place],
        stem: Option<usize>,
        interrupted: &dyn Fn() -> bool,
    ) -> Result<(Path, Option<usize>), Undecided> {
        let first = orbits.first().ok_or(Undecided::Contradiction)?;
        let (start, mut state) = self.start(&first.orbit).ok_or(Undecided::Contradiction)?;
        let mut rules = Vec::new();
        let looped = stem.unwrap_or(orbits.len() - 1) + 1;
        for orbit in orbits.get(1..looped).unwrap_or_default() {
            rules.push(self.step(&mut state, orbit, &|_| false).ok_or(Undecided::Contradiction)?);
        }
        let Some(round) = orbits.get(looped..).filter(|round| stem.is_some() && !round.is_empty()) else {
            let stem = stem.map(|_| rules.len());
            return Ok((Path { start, rules }, stem));
        };
        if let Some(around) = self.closed(&state, round, interrupted) {
            let stem = rules.len();
            rules.extend(around);
            return Ok((Path { start, rules }, Some(stem)));
        }
        let mut begun = HashMap::from([(state.clone(), rules.len())]);
        loop {
            if interrupted() {
                return Err(Undecided::Interrupted);
            }
            for (at, orbit) in round.iter().enumerate() {
                let closes = |next: &[u64]| at + 1 == round.len() && begun.contains_key(next);
                rules.push(self.step(&mut state, orbit, &closes).ok_or(Undecided::Contradiction)?);
            }
            if let Some(&stem) = begun.get(&state) {
                return Ok((Path { start, rules }, Some(stem)));
            }
            begun.insert(state.clone(), rules.len());
        }
    }

    /// The fewest rounds along these orbits that come back to a state, breadth first. `None`: it
    /// would take too long to find them.
    fn closed(
        &mut self,
        first: &[u64],
        round: &[Place],
        interrupted: &dyn Fn() -> bool,
    ) -> Option<Vec<RuleId>> {
        // The states after each number of steps, each with the one before it and the rule.
        let mut layers: Vec<Vec<(Vec<u64>, usize, RuleId)>> = vec![vec![(first.to_vec(), 0, RuleId(0))]];
        let mut met: Vec<HashSet<Vec<u64>>> = vec![HashSet::new(); round.len()];
        let mut tried = 0;
        loop {
            let at = (layers.len() - 1) % round.len();
            let (orbit, met) = (round.get(at)?, met.get_mut(at)?);
            let mut layer = Vec::new();
            for (before, (state, ..)) in layers.last()?.iter().enumerate() {
                let following = self.following(state, orbit);
                let new = following.into_iter().filter(|(_, next)| met.insert(next.clone()));
                layer.extend(new.map(|(rule, next)| (next, before, rule)));
            }
            tried += layer.len();
            if tried > MOST_TRIED || interrupted() {
                return None;
            }
            let back = layer.iter().position(|(state, ..)| at + 1 == round.len() && state == first);
            layers.push(layer);
            let Some(mut place) = back else { continue };
            let mut rules = Vec::new();
            for layer in layers.iter().skip(1).rev() {
                let (_, before, rule) = layer.get(place)?;
                rules.push(*rule);
                place = *before;
            }
            rules.reverse();
            return Some(rules);
        }
    }

    fn start(&mut self, orbit: &[u64]) -> Option<(StartId, Vec<u64>)> {
        let mut starts = Starts::default();
        loop {
            let more = self.expander.start_again(&mut starts);
            let made = self.expander.successors();
            let found = (0..made.len()).find(|&at| self.form.of(made.state(at)) == orbit);
            if let Some((at, rule)) = found.and_then(|at| Some((at, made.rules().get(at)?))) {
                return Some((StartId(rule.0), made.state(at).to_vec()));
            }
            if !more {
                return None;
            }
        }
    }

    /// Goes on to a state of an orbit, if possible to one that is wanted.
    fn step(
        &mut self,
        state: &mut Vec<u64>,
        orbit: &Place,
        wanted: &dyn Fn(&[u64]) -> bool,
    ) -> Option<RuleId> {
        let following = self.following(state, orbit);
        let best = following.iter().position(|(_, next)| wanted(next)).unwrap_or(0);
        let (rule, next) = following.into_iter().nth(best)?;
        *state = next;
        Some(rule)
    }

    /// The states of an orbit that a state leads to by such a rule, each with the rule.
    fn following(&mut self, state: &[u64], place: &Place) -> Vec<(RuleId, Vec<u64>)> {
        let Walk { expander, form, fired } = self;
        let suits = |rule: RuleId| fired.get(rule.0 as usize).copied().unwrap_or(0) == place.fired;
        let (mut found, mut idle) = (Vec::new(), None);
        expander.each_piece::<()>(&mut state.to_vec(), |piece| {
            for (at, &rule) in piece.rules().iter().enumerate() {
                if suits(rule) && form.of(piece.state(at)) == place.orbit {
                    found.push((rule, piece.state(at).to_vec()));
                }
            }
            idle = idle.or(piece.unchanged().iter().copied().find(|&rule| suits(rule)));
            ControlFlow::Continue(())
        });
        // Staying where it is, is a step as well where a rule fires.
        if let Some(idle) = idle.filter(|_| form.of(state) == place.orbit) {
            found.push((idle, state.to_vec()));
        }
        found
    }
}
