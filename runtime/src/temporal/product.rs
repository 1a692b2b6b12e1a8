//! The product of the graph of states with an automaton, and the search for a fair run in it.
//!
//! A node is a state and a state of the automaton. A run that breaks the property is an infinite
//! path of the product on which each `until` is fulfilled again and again and which is fair; there
//! is one exactly if there is a strongly connected component, or a part of one, with these
//! properties ([`Product::fair_part`]):
//! - it has an edge, and for each `until` an edge that fulfils it;
//! - each weakly fair rule is fired by an edge of it, or not enabled in one of its states;
//! - each strongly fair rule is fired by an edge of it, or enabled in none of its states.
//!
//! Where only the last one fails, states in which such a rule is enabled are taken away, and what
//! is left is looked at again (Emerson and Lei). An instance of a rule counts as enabled where it
//! changes the state, and as fired where it does.

use super::automaton::Automaton;
use super::graph::{Edge, Graph};
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

    /// Places of a part that is as it must be, in order; `None`: there is none. `goes_on` is asked
    /// now and then, with the number of places seen.
    pub fn find(&self, goes_on: &mut dyn FnMut(u64) -> bool) -> Result<Option<Vec<Place>>, Stopped> {
        let mut depth_first = DepthFirst::new(self)?;
        for start in self.starts() {
            let found = depth_first.visit(start, goes_on, &mut |part| self.fair_part(part))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The part of a strongly connected component that is as it must be.
    fn fair_part(&self, mut places: Vec<Place>) -> Option<Vec<Place>> {
        places.sort_unstable();
        let mut waiting = vec![places];
        while let Some(places) = waiting.pop() {
            match self.judge(&places) {
                Judged::Good => return Some(places),
                Judged::Bad => {}
                Judged::Without(rules) => {
                    let rest: Vec<Place> = places
                        .iter()
                        .copied()
                        .filter(|&place| !self.enabled(place).any(|rule| rules.binary_search(&rule).is_ok()))
                        .collect();
                    waiting.extend(self.components(&rest));
                }
            }
        }
        None
    }

    /// What there is to say of a strongly connected part.
    fn judge(&self, places: &[Place]) -> Judged {
        let inside = |place: Place| places.binary_search(&place).is_ok();
        let (mut has_edge, mut fulfilled) = (false, 0);
        let mut taken = Vec::new();
        let mut enabled: Vec<u32> = Vec::new();
        for &place in places {
            for step in self.steps(place).filter(|step| inside(step.to)) {
                has_edge = true;
                fulfilled |= step.fulfils;
                if step.changes && self.fairness_of(step.rule) != Fairness::None {
                    taken.push(step.rule);
                }
            }
            enabled.extend(self.enabled(place));
            if taken.len() > 1 << 16 {
                taken.sort_unstable();
                taken.dedup();
            }
        }
        if !has_edge || fulfilled & self.automaton.untils != self.automaton.untils {
            return Judged::Bad;
        }
        taken.sort_unstable();
        taken.dedup();
        enabled.sort_unstable();
        let mut starved = Vec::new();
        for same in enabled.chunk_by(|left, right| left == right) {
            let rule = same[0];
            if taken.binary_search(&rule).is_ok() {
                continue;
            }
            match self.fairness_of(rule) {
                Fairness::None => {}
                Fairness::Weak if same.len() == places.len() => return Judged::Bad,
                Fairness::Weak => {}
                Fairness::Strong => starved.push(rule),
            }
        }
        if starved.is_empty() { Judged::Good } else { Judged::Without(starved) }
    }

    /// The strongly connected components of some places, in order.
    fn components(&self, places: &[Place]) -> Vec<Vec<Place>> {
        // Kosaraju's two passes would need edges backwards; Tarjan's one does not.
        let number = |place: Place| places.binary_search(&place).ok();
        let mut search = Tarjan::new(places.len());
        let mut found = Vec::new();
        for root in 0..places.len() {
            search.run(
                root,
                &mut |at, first| {
                    self.steps_from(places[at], first).find_map(|(next, step)| Some((next, number(step.to)?)))
                },
                &mut |component| {
                    let mut component: Vec<Place> = component.iter().map(|&at| places[at]).collect();
                    component.sort_unstable();
                    found.push(component);
                    true
                },
            );
        }
        found
    }
}

enum Judged {
    Good,
    Bad,
    /// It is not fair to these rules, which are strongly fair; where they are not enabled it may
    /// be.
    Without(Vec<u32>),
}

/// Why a search was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    Interrupted,
    Memory,
}

/// Tarjan's algorithm over all places, without recursion.
struct DepthFirst<'a, 'p> {
    product: &'a Product<'p>,
    tarjan: Tarjan,
}

impl<'a, 'p> DepthFirst<'a, 'p> {
    fn new(product: &'a Product<'p>) -> Result<Self, Stopped> {
        if u32::try_from(product.size()).is_err() {
            return Err(Stopped::Memory);
        }
        Ok(DepthFirst { product, tarjan: Tarjan::new(product.size()) })
    }

    fn visit(
        &mut self,
        start: Place,
        goes_on: &mut dyn FnMut(u64) -> bool,
        judge: &mut dyn FnMut(Vec<Place>) -> Option<Vec<Place>>,
    ) -> Result<Option<Vec<Place>>, Stopped> {
        let product = self.product;
        let (mut found, mut stopped, mut asked) = (None, false, 0u64);
        self.tarjan.run(
            start,
            &mut |place, first| product.steps_from(place, first).next().map(|(next, step)| (next, step.to)),
            &mut |component| {
                asked += component.len() as u64;
                if asked > 1 << 14 {
                    stopped = !goes_on(asked);
                    asked = 0;
                }
                // One place without an edge to itself is the commonest, and nothing.
                let alone =
                    component.len() == 1 && !product.steps(component[0]).any(|step| step.to == component[0]);
                if !alone {
                    found = judge(component.to_vec());
                }
                found.is_none() && !stopped
            },
        );
        if stopped { Err(Stopped::Interrupted) } else { Ok(found) }
    }
}

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

/// Strongly connected components, found in one go; the caller says what follows what.
struct Tarjan {
    /// In which order places were met.
    order: Vec<u32>,
    met: u32,
    open: Vec<usize>,
}

impl Tarjan {
    fn new(size: usize) -> Self {
        Tarjan { order: vec![UNSEEN; size], met: 0, open: Vec::new() }
    }

    /// Finds the components that can be reached from a place, those behind others first. `next`
    /// gives what follows a place, from the step with this number on; `found` says whether to go
    /// on.
    fn run(
        &mut self,
        root: usize,
        next: &mut dyn FnMut(usize, usize) -> Option<(usize, usize)>,
        found: &mut dyn FnMut(&[usize]) -> bool,
    ) {
        if self.order[root] != UNSEEN {
            return;
        }
        // Each with the number of its next step, and the earliest place that it leads back to.
        let mut path: Vec<(usize, usize, u32)> = Vec::new();
        self.met += 1;
        self.order[root] = self.met;
        self.open.push(root);
        path.push((root, 0, self.met));
        while let Some((place, step, low)) = path.last_mut() {
            if let Some((following, to)) = next(*place, *step) {
                *step = following;
                match self.order[to] {
                    DONE => {}
                    UNSEEN => {
                        self.met += 1;
                        self.order[to] = self.met;
                        self.open.push(to);
                        path.push((to, 0, self.met));
                    }
                    met => *low = (*low).min(met),
                }
                continue;
            }
            let (place, low) = (*place, *low);
            path.pop();
            if let Some((_, _, above)) = path.last_mut() {
                *above = (*above).min(low);
            }
            if low == self.order[place] {
                let from = self.open.iter().rposition(|&one| one == place).unwrap_or(0);
                let goes_on = found(&self.open[from..]);
                self.open.drain(from..).for_each(|one| self.order[one] = DONE);
                if !goes_on {
                    return;
                }
            }
        }
    }
}
