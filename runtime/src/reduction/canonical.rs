//! One state for all that differ only in the names of scalarset elements.
//!
//! The elements are coloured by what the state says about them, and the partition by colour is
//! refined until it does not become finer (see [`crate::contract::symmetry`]). Sorted by colour,
//! elements get new names. Elements of one colour that can be exchanged without changing the state
//! may be named in any order. Where others are left, one element after the other of the first such
//! set is given a colour of its own, the refinement goes on, and of the states at the ends of these
//! branches the smallest is the canonical one. Branches that a known automorphism of the state maps
//! to one that has been followed are left out. This is how tools for graph isomorphism work; no
//! list of permutations is ever tried.
//!
//! Whether the form is canonical does not depend on the quality of colours: they decide in what
//! order things are tried, and states are compared as they are.
//!
//! # Elements that are not renamed
//! Elements of a scalarset that was not proved to be symmetric are *pinned*, and so are elements
//! that a property of runs distinguishes from the others of their scalarset, the first ones. Only
//! the renamings that leave every pinned element alone identify states; they are a subgroup `H` of
//! all renamings, and the form must be the same for all states of one orbit of `H`, and a member of
//! that orbit. It is:
//!
//! - Each pinned element is a group of its own in the partition, so it is never tied, never a
//!   candidate of a branch, and keeps the place that is its number. So every renaming that is
//!   applied or compared belongs to `H`, and the form is in the orbit of the state.
//! - All the rest rests on colours that are the same for `e` in a state `s` and for `h(e)` in
//!   `h(s)`. Rows and links are so for every renaming `h`, since they look at contents only; a
//!   pinned element's first colour is a function of its number, and `h(e) = e`. Links spread these
//!   colours as they spread all others. So elements that have to do with different pinned elements
//!   are distinguished, and the partition, the ties and the leaves of the branches of `h(s)` are
//!   those of `s`, renamed by `h`.
//! - Exchanges of tied elements and automorphisms found at leaves are tested on states, and fix
//!   what is pinned by the first point.
//!
//! With every element pinned there is nothing to rename, and no canonicaliser (see
//! [`super::form`]).
//!
//! A multiset that is not sorted is compared slot by slot where states are compared. Looks add up
//! what they see in its slots, in whatever order, which is the same for all states of an orbit; so
//! it may leave more ties to the branches, and nothing else changes.

mod branches;
mod partition;
mod quick;
mod sorting;

use super::extent::Extent;
use crate::contract::bags::Bags;
use crate::contract::model::{Description, Symmetry};
use crate::contract::symmetry::{Looking, mix};
use partition::Partition;
use std::ops::Range;

/// Largest number of refinements for one state of up to `SMALL` words; larger states, whose
/// refinement takes longer, have fewer.
const PATIENCE: usize = 20_000;
const SMALL: usize = 64;
const LEAST_PATIENCE: usize = 200;
/// Makes colours of numbers of elements.
const PINNED: u64 = 0x2545_f491_4f6c_dd1d;
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
    bags: Bags,
    /// Refinements for one state, at most. Beyond that the best form so far is taken, and counted
    /// as unfinished.
    patience: usize,
    /// What places hold that a look may pass over, see [`super::usual`].
    usual: Vec<u8>,
    /// States for which the search for the smallest form was given up: another of their orbit may
    /// stand beside them.
    pub unfinished: u64,

    /// The elements that keep their names.
    pinned: Vec<Range<usize>>,
    /// For each element, the first of its scalarset; itself, if it keeps its name.
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
        (reduction, extent): (Reduction, &Extent),
        usual: Vec<u8>,
    ) -> Self {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut pinned = Vec::new();
        for scalarset in description.scalarsets {
            let elements = scalarset.first as usize..(scalarset.first + scalarset.size) as usize;
            let renamed = extent.renamed(scalarset);
            let kept = match renamed.is_empty() {
                true => elements,
                false => elements.start..renamed.start,
            };
            groups.extend(kept.clone().map(|element| element..element + 1));
            groups.extend((!renamed.is_empty()).then_some(renamed));
            pinned.extend((!kept.is_empty()).then_some(kept));
        }
        let elements = description.elements();
        Canonicaliser {
            symmetry,
            reduction,
            bags: extent.bags(),
            pinned,
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

    /// Allows more refinements for each state, for the few states of a trace.
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

    /// The canonical form of a state, for any number of elements.
    fn canonicalise_any(&mut self, state: &mut [u64]) {
        self.symmetry.rows(state, &mut self.colours);
        pin(&self.pinned, &mut self.colours);
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

    /// One round of refinement: new colours for elements that are tied. What the others look like
    /// now does not matter, since their colours distinguish them.
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

    /// Whether all elements of one colour can be exchanged, as far as that is cheap to decide.
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
            self.symmetry.rename(&mut self.other, &self.to, self.bags, state);
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

/// Gives each element that keeps its name a colour of its own, the same in all states.
#[inline(always)]
fn pin(pinned: &[Range<usize>], colours: &mut [u64]) {
    for element in pinned.iter().cloned().flatten() {
        if let Some(colour) = colours.get_mut(element) {
            *colour = mix(element as u64, PINNED);
        }
    }
}

/// A colour of its own for an element that a branch singles out.
fn singled_out(colour: u64, depth: usize) -> u64 {
    mix(colour, 0x517c_c1b7_2722_0a95 ^ depth as u64)
}
