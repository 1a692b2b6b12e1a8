//! The product of the graph of states with an automaton, and the search for a fair run in it.
//!
//! A node is a state and a state of the automaton. A run that breaks the property is an infinite
//! path of the product on which each `until` is fulfilled again and again and which is fair; there
//! is one exactly if there is a strongly connected component, or a part of one, with these
//! properties (`Product::fair_part`):
//! - it has an edge, and for each `until` an edge that fulfils it;
//! - each weakly fair rule is fired by an edge of it, or not enabled in one of its states;
//! - each strongly fair rule is fired by an edge of it, or enabled in none of its states.
//!
//! Where only the last one fails, states in which such a rule is enabled are taken away, and what
//! is left is looked at again (Emerson and Lei). An instance of a rule counts as enabled where it
//! changes the state, and as fired where it does.

use super::automaton::Automaton;
use super::components::{Poll, STEPS, Stopped, Tarjan};
use super::graph::{Edge, Graph};
use super::judging::{Effort, Judged};
use super::layers::Layers;
use super::trimming::Dead;
use crate::contract::temporal::Fairness;

/// The number of a node: state by state, all states of the automaton.
pub type Place = usize;

/// A step of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub to: Place,
    /// [`STUTTER`](super::graph::STUTTER): none.
    pub rule: u32,
    /// Whether the state changes.
    pub changes: bool,
    pub fulfils: u64,
}

/// A graph with an automaton that runs beside it.
#[derive(Clone, Copy)]
pub struct Product<'a> {
    pub graph: &'a Graph,
    /// Which propositions about states are true in each state.
    pub labels: &'a [u64],
    /// Which propositions are true for a step that fires an instance; empty where there are none.
    pub fired: &'a [u64],
    pub automaton: &'a Automaton,
    /// Of each instance of a rule; empty where no rule is to be treated fairly.
    pub fairness: &'a [Fairness],
}

impl Product<'_> {
    pub fn size(&self) -> usize {
        self.graph.states * self.automaton.states.len()
    }

    pub fn state(&self, place: Place) -> u32 {
        (place / self.automaton.states.len()) as u32
    }

    fn place(&self, state: u32, within: u32) -> Place {
        state as usize * self.automaton.states.len() + within as usize
    }

    pub fn starts(&self) -> impl Iterator<Item = Place> + '_ {
        self.graph.starts.iter().map(|(state, _)| self.place(*state, 0))
    }

    /// The step by one edge and one transition, if it can be taken.
    fn step(&self, place: Place, edge: usize, transition: usize) -> Option<Step> {
        let state = self.state(place);
        let Edge { to, rule } = self.graph.edge(state, edge);
        let transition = &self.automaton.states[place % self.automaton.states.len()][transition];
        let of_step = self.fired.get(rule as usize).copied().unwrap_or(0);
        let propositions = self.labels[state as usize] | of_step;
        transition.reads(propositions).then(|| Step {
            to: self.place(to, transition.to),
            rule,
            changes: to != state,
            fulfils: transition.fulfils,
        })
    }

    /// The steps from a place on, from this one on; the number of the next one with each.
    fn steps_from(&self, place: Place, first: usize) -> impl Iterator<Item = (usize, Step)> + '_ {
        let width = self.automaton.states[place % self.automaton.states.len()].len();
        let all = self.graph.degree(self.state(place)) * width;
        (first..all).filter_map(move |at| Some((at + 1, self.step(place, at / width, at % width)?)))
    }

    pub fn steps(&self, place: Place) -> impl Iterator<Item = Step> + '_ {
        self.steps_from(place, 0).map(|(_, step)| step)
    }

    pub fn fairness_of(&self, rule: u32) -> Fairness {
        self.fairness.get(rule as usize).copied().unwrap_or_default()
    }

    /// The fair rules that are enabled in the state of a place.
    pub fn enabled(&self, place: Place) -> impl Iterator<Item = u32> + '_ {
        let state = self.state(place);
        self.graph
            .edges(state)
            .filter(move |edge| edge.to != state && self.fairness_of(edge.rule) != Fairness::None)
            .map(|edge| edge.rule)
    }

    /// Places of a part that is as it must be, in order; `None`: there is none. It does not depend
    /// on how the work is divided. `poll` is asked
    /// regularly, with the bytes that are held beside four for each place.
    pub fn find(&self, effort: Effort, poll: &mut Poll<'_>) -> Result<Option<Vec<Place>>, Stopped> {
        let layers = Layers::new(self.automaton)?;
        let tarjan = Tarjan::new(self.size())?;
        let dead = self.dead(&layers, effort.threads, poll)?;
        let held = dead.bytes();
        let mut poll = |bytes: u64| poll(held + bytes);
        let poll: &mut Poll<'_> = &mut poll;
        let mut search = Search { tarjan, waiting: Vec::new(), found: None, dead, effort };
        if layers.stays_first && self.graph.unexpanded().next().is_none() {
            // Each state can be reached, with the automaton in its first state.
            let states = 0..self.graph.states as u32;
            states.clone().for_each(|state| _ = search.tarjan.pass(self.place(state, 0)));
            for state in states {
                if state % STEPS == 0 {
                    poll(size_of_val(&search.waiting[..]) as u64)?;
                }
                self.go_on(self.place(state, 0), &layers, &mut search, poll)?;
                if search.found.is_some() {
                    return Ok(search.found);
                }
            }
        }
        for start in self.starts() {
            self.arrive(start, &layers, &mut search, poll)?;
        }
        let mut steps = 0;
        while search.found.is_none() {
            let Some(place) = search.waiting.pop() else { break };
            steps += 1;
            if steps == STEPS {
                steps = 0;
                poll(size_of_val(&search.waiting[..]) as u64)?;
            }
            self.go_on(place, &layers, &mut search, poll)?;
        }
        Ok(search.found)
    }

    fn within(&self, place: Place) -> usize {
        place % self.automaton.states.len()
    }

    /// Goes from a place to what follows outside of its component of the automaton.
    fn go_on(
        &self,
        place: Place,
        layers: &Layers,
        search: &mut Search,
        poll: &mut Poll<'_>,
    ) -> Result<(), Stopped> {
        self.steps(place).try_for_each(|step| self.arrive(step.to, layers, search, poll))
    }

    /// Searches what is strongly connected from a place on, if runs can be accepted there (see
    /// [`Layers`]), and notes from where to go on.
    fn arrive(
        &self,
        place: Place,
        layers: &Layers,
        search: &mut Search,
        poll: &mut Poll<'_>,
    ) -> Result<(), Stopped> {
        let Search { tarjan, waiting, found, dead, effort } = search;
        let Some(core) = layers.core(self.within(place)) else {
            if tarjan.pass(place) {
                waiting.push(place);
            }
            return Ok(());
        };
        let is_last = !layers.leaves(self.within(place));
        let is_dead = |place: Place| is_last && dead.has(place);
        if found.is_some() || !tarjan.is_unseen(place) || is_dead(place) {
            return Ok(());
        }
        let is_core = |place: Place| layers.core(self.within(place)) == Some(core);
        let mut left = Vec::new();
        tarjan.run(
            place,
            &mut |bytes| poll(bytes + size_of_val(&waiting[..]) as u64),
            &mut |place, first| {
                let steps = self.steps_from(place, first);
                let mut follows = steps.filter(|(_, step)| is_core(step.to) && !is_dead(step.to));
                follows.next().map(|(next, step)| (next, step.to))
            },
            &mut |component, held, poll| {
                // One place without an edge to itself is the commonest, and nothing.
                let alone =
                    component.len() == 1 && !self.steps(component[0]).any(|step| step.to == component[0]);
                if !alone {
                    *found = self.fair_part(component.to_vec(), *effort, &mut |bytes| poll(held + bytes))?;
                }
                if !is_last {
                    left.extend_from_slice(component);
                }
                Ok(found.is_none())
            },
        )?;
        waiting.extend(left);
        Ok(())
    }

    /// The part of a strongly connected component that is as it must be.
    fn fair_part(
        &self,
        mut places: Vec<Place>,
        effort: Effort,
        poll: &mut Poll<'_>,
    ) -> Result<Option<Vec<Place>>, Stopped> {
        places.sort_unstable();
        // The places themselves, and those that are left of them in parts.
        let held = 2 * size_of_val(&places[..]) as u64;
        let mut waiting = vec![places];
        while let Some(places) = waiting.pop() {
            match self.judge(&places, effort, &mut |bytes| poll(held + bytes))? {
                Judged::Good => return Ok(Some(places)),
                Judged::Bad => {}
                Judged::Without(rules) => {
                    let rest: Vec<Place> = places
                        .iter()
                        .copied()
                        .filter(|&place| !self.enabled(place).any(|rule| rules.binary_search(&rule).is_ok()))
                        .collect();
                    let order = 4 * rest.len() as u64;
                    waiting.extend(self.components(&rest, &mut |bytes| poll(held + order + bytes))?);
                }
            }
        }
        Ok(None)
    }

    /// The strongly connected components of some places, in order.
    fn components(&self, places: &[Place], poll: &mut Poll<'_>) -> Result<Vec<Vec<Place>>, Stopped> {
        // Kosaraju's two passes would need edges backwards; Tarjan's one does not.
        let number = |place: Place| places.binary_search(&place).ok();
        let mut search = Tarjan::new(places.len())?;
        let mut found = Vec::new();
        for root in 0..places.len() {
            search.run(
                root,
                poll,
                &mut |at, first| {
                    self.steps_from(places[at], first).find_map(|(next, step)| Some((next, number(step.to)?)))
                },
                &mut |component, _, _| {
                    let mut component: Vec<Place> = component.iter().map(|&at| places[at]).collect();
                    component.sort_unstable();
                    found.push(component);
                    Ok(true)
                },
            )?;
        }
        Ok(found)
    }
}

/// A search for a part that is as it must be.
struct Search {
    tarjan: Tarjan,
    /// Places to go on from: outside of all cores, or in components that were judged.
    waiting: Vec<Place>,
    found: Option<Vec<Place>>,
    dead: Dead,
    effort: Effort,
}
