//! Places of the product that lie on no loop, found by several threads before components are.
//!
//! Only layers are looked at from which no step leads to another one that matters: those that
//! accept, and that the automaton does not leave ([`Layers`]). A place there is *dead* if all of
//! its steps within the layer lead to dead places. So from a dead place no loop can be reached, and
//! it is in no component with an edge.
//!
//! Sweeps go over all places from the last to the first, as states mostly lead to states with
//! larger numbers, and stop when one has found little. Wherever they stop, all steps of a dead
//! place lead to dead places, since those were marked before it: a search that leaves out dead
//! places meets all others in the same order, and completes the same components with edges in the
//! same order, as one that does not. So what is found does not depend on the number of threads.

use super::components::{Poll, Stopped};
use super::graph::CHUNK;
use super::layers::Layers;
use super::marks::Marks;
use super::product::{Place, Product};
use super::threads::share;

/// Of the places that are left a sweep has to mark one in this number to be followed by another.
const WORTH: u64 = 16;

/// The dead places of a product.
#[derive(Debug)]
pub(super) struct Dead(Marks);

impl Dead {
    pub fn has(&self, place: Place) -> bool {
        self.0.has(place as u32)
    }

    pub fn bytes(&self) -> u64 {
        self.0.bytes()
    }
}

impl Product<'_> {
    pub(super) fn dead(&self, layers: &Layers, threads: usize, poll: &mut Poll<'_>) -> Result<Dead, Stopped> {
        let width = self.automaton.states.len();
        let last = |within: &usize| layers.core(*within).is_some() && !layers.leaves(*within);
        let within: Vec<usize> = (0..width).filter(last).collect();
        if within.is_empty() {
            return Ok(Dead(Marks::new(0)));
        }
        let dead = Marks::new(self.size());
        let bytes = dead.bytes();
        let chunks = self.graph.states.div_ceil(CHUNK);
        let mut left = (self.graph.states * within.len()) as u64;
        loop {
            let sweep = |found: &mut u64, at: usize| {
                let chunk = chunks - 1 - at;
                let states = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.graph.states);
                for state in states.rev() {
                    for &within in &within {
                        let place = state * width + within;
                        if !dead.has(place as u32) && !self.goes_on_within(place, layers, &dead) {
                            *found += u64::from(dead.set(place as u32));
                        }
                    }
                }
            };
            let found: u64 = share(chunks, threads, &|| 0, &sweep, &mut || poll(bytes))?.into_iter().sum();
            left -= found;
            if found <= left / WORTH {
                return Ok(Dead(dead));
            }
        }
    }

    /// Whether a step leads from a place to one of its layer that is not dead.
    fn goes_on_within(&self, place: Place, layers: &Layers, dead: &Marks) -> bool {
        let width = self.automaton.states.len();
        let core = layers.core(place % width);
        self.steps(place).any(|step| layers.core(step.to % width) == core && !dead.has(step.to as u32))
    }
}
