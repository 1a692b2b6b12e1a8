//! One state for all that differ only in the names of scalarset elements.
//!
//! The elements are coloured by what the state says about them, and the partition by colour is refined until
//! it does not become finer (see [`super::look`]). Sorted by colour, elements get new names. Elements of one colour
//! that can be exchanged without changing the state may be named in any order. Where others are left, one element after the other of the first such
//! set is given a colour of its own, the refinement goes on, and of the states at the ends of these branches the
//! smallest is the canonical one. Branches that a known automorphism of the state maps to one that has been
//! followed are left out. This is how tools for graph isomorphism work; no list of permutations is ever tried.
//!
//! Whether the form is canonical does not depend on the quality of colours: they decide in what order
//! things are tried, and states are compared as they are.

mod branches;
mod partition;
mod quick;
mod sorting;

use super::look::{Looking, mix};
use crate::model::{Description, Symmetry};
use partition::Partition;
use std::ops::Range;

/// Refinements for one state, at most: so many where states have up to `SMALL` words, and fewer where refining takes longer.
const PATIENCE: usize = 20_000;
const SMALL: usize = 64;
const LEAST_PATIENCE: usize = 200;
/// How much more there is for each state of a trace.
const FOR_TRACES: usize = 10;

/// How much states are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// One state for each orbit.
    Exact,
    /// Colours alone: now and then several states for an orbit.
    Fast,
}

/// Brings states into their canonical form; one for each thread.
pub struct Canonicaliser<'m> {
    symmetry: &'m dyn Symmetry,
    reduction: Reduction,
    keep_slots: bool,
    /// Refinements for one state, at most. Beyond that the best form so far is taken, and counted as unfinished.
    patience: usize,
    /// What places hold that a look may pass over, see [`super::usual`].
    usual: Vec<u8>,
    /// States for which the search for the smallest form was given up: another of their orbit may stand beside them.
    pub unfinished: u64,

    /// For each element, the first of its scalarset.
    group_starts: Vec<u16>,
    partition: Partition,
    colours: Vec<u64>,
    /// What the last look at the links said.
    links: Vec<u64>,
    named: Vec<bool>,
    to: Vec<u16>,
    /// A state before or after a renaming.
    other: Vec<u64>,
}

impl<'m> Canonicaliser<'m> {
    pub fn new(
        symmetry: &'m dyn Symmetry,
        description: &Description,
        reduction: Reduction,
        keep_slots: bool,
        usual: Vec<u8>,
    ) -> Self {
        let groups: Vec<Range<usize>> = description
            .scalarsets
            .iter()
            .map(|scalarset| scalarset.first as usize..(scalarset.first + scalarset.size) as usize)
            .collect();
        let elements = description.elements();
        Canonicaliser {
            symmetry,
            reduction,
            keep_slots,
            patience: (PATIENCE * SMALL / description.words.max(SMALL)).max(LEAST_PATIENCE),
            usual,
            unfinished: 0,
            group_starts: groups
                .iter()
                .flat_map(|group| std::iter::repeat_n(group.start as u16, group.len()))
                .collect(),
            partition: Partition::new(groups),
            colours: vec![0; elements],
            links: vec![0; elements],
            named: vec![false; elements],
            to: vec![0; elements],
            other: vec![0; description.words],
        }
    }

    /// The same with more patience, for the few states of a trace.
    pub fn patient(self) -> Self {
        Canonicaliser { patience: FOR_TRACES * self.patience, ..self }
    }

    /// Replaces a state by the one that stands for its orbit.
    pub fn canonicalise(&mut self, state: &mut [u64]) {
        let done = match self.to.len() {
            2 => self.quick::<2>(state),
            3 => self.quick::<3>(state),
            4 => self.quick::<4>(state),
            5 => self.quick::<5>(state),
            6 => self.quick::<6>(state),
            7 => self.quick::<7>(state),
            quick::MOST => self.quick::<{ quick::MOST }>(state),
            _ => false,
        };
        if !done {
            self.canonicalise_any(state);
        }
    }

    /// The same for any number of elements.
    fn canonicalise_any(&mut self, state: &mut [u64]) {
        self.symmetry.rows(state, &mut self.colours);
        self.partition.begin(&self.colours);
        if !self.partition.is_discrete() {
            loop {
                self.look(state);
                let finer = self.partition.split(&self.colours);
                if self.partition.is_discrete() || self.ties_are_alike(state) {
                    break;
                }
                if !finer {
                    if self.reduction == Reduction::Exact {
                        return self.branch(state);
                    }
                    break;
                }
            }
        }
        self.apply(state);
    }

    /// One round of refinement: new colours for elements that are tied. What the others look like now does not matter, since
    /// their colours tell them apart.
    fn look(&mut self, state: &mut [u64]) {
        let mut looking = Looking {
            colours: &self.colours,
            into: &mut self.links,
            named: &mut self.named,
            usual: &self.usual,
            address: state.as_ptr().addr(),
        };
        self.symmetry.links(state, &mut looking);
        for tie in self.partition.ties() {
            let place = tie.start as u64;
            for element in self.partition.at(tie) {
                if let (Some(colour), Some(links)) = (self.colours.get_mut(element), self.links.get(element))
                {
                    *colour = links.wrapping_add(place << 48);
                }
            }
        }
    }

    /// Whether all elements of one colour can be exchanged, as far as that is easy to tell.
    fn ties_are_alike(&self, state: &mut [u64]) -> bool {
        self.partition.ties().all(|tie| {
            let mut members = self.partition.at(tie);
            let Some(mut left) = members.next() else { return true };
            !self.is_named(left)
                && members.all(|right| {
                    let alike = !self.is_named(right) && self.symmetry.alike(state, left, right);
                    left = right;
                    alike
                })
        })
    }

    fn is_named(&self, element: usize) -> bool {
        self.named.get(element).copied().unwrap_or(true)
    }

    /// Names the elements in the order that was found.
    fn apply(&mut self, state: &mut [u64]) {
        if self.partition.elements().enumerate().any(|(place, element)| place != element) {
            self.name_by_place();
            self.other.copy_from_slice(state);
            self.symmetry.rename(&mut self.other, &self.to, self.keep_slots, state);
        }
    }

    fn name_by_place(&mut self) {
        for (place, element) in self.partition.elements().enumerate() {
            if let Some(to) = self.to.get_mut(element) {
                *to = place as u16;
            }
        }
    }
}

/// A colour of its own for an element that a branch singles out.
fn singled_out(colour: u64, depth: usize) -> u64 {
    mix(colour, 0x517c_c1b7_2722_0a95 ^ depth as u64)
}
