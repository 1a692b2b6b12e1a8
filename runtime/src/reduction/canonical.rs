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

use super::look::{Looking, mix};
use crate::model::{Description, Symmetry};
use std::ops::Range;

/// The bits of a colour by which elements are sorted; the others hold the element.
const COLOUR: u64 = !0xffff;

const PATIENCE: usize = 20_000;

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
    /// The elements of each scalarset.
    groups: Vec<Range<usize>>,
    /// States for which the search for the smallest form was given up: another of their orbit may stand beside them.
    pub unfinished: u64,

    colours: Vec<u64>,
    next: Vec<u64>,
    named: Vec<bool>,
    /// The number of each element's colour among all that there are, in the order of the elements sorted.
    cell: Vec<u16>,
    /// The elements of each group, sorted by colour.
    order: Vec<u16>,
    /// In the same order, their colours, each with the element itself in its last bits.
    keys: Vec<u64>,
    to: Vec<u16>,
    renamed: Vec<u64>,
}

impl<'m> Canonicaliser<'m> {
    pub fn new(
        symmetry: &'m dyn Symmetry,
        description: &Description,
        reduction: Reduction,
        keep_slots: bool,
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
            patience: PATIENCE,
            groups,
            unfinished: 0,
            colours: vec![0; elements],
            next: vec![0; elements],
            named: vec![false; elements],
            cell: vec![0; elements],
            order: (0..elements).map(|element| element as u16).collect(),
            keys: vec![0; elements],
            to: vec![0; elements],
            renamed: vec![0; description.words],
        }
    }

    /// The same with more patience, for the few states of a trace.
    pub fn patient(self) -> Self {
        Canonicaliser { patience: 100 * PATIENCE, ..self }
    }

    /// Replaces a state by the one that stands for its orbit.
    pub fn canonicalise(&mut self, state: &mut [u64]) {
        self.colours.fill(0);
        self.symmetry.rows(state, &mut self.colours);
        for (at, element) in self.order.iter_mut().enumerate() {
            *element = at as u16;
        }
        let elements = self.order.len();
        let mut cells = self.sort();
        if cells < elements {
            self.named.fill(false);
            loop {
                let before = cells;
                self.look(state);
                cells = self.sort();
                if cells == elements || self.ties_are_alike(state) {
                    break;
                }
                if cells <= before {
                    if self.reduction == Reduction::Exact {
                        return self.branch(state);
                    }
                    break;
                }
            }
        }
        self.apply(state);
    }

    /// One round of refinement. Elements whose colours differed stay in their order: what they look like now counts
    /// only among those that were alike. So the order of a state and that of its successors have much in common.
    fn look(&mut self, state: &mut [u64]) {
        self.number_cells();
        self.next.fill(0);
        let mut looking = Looking { colours: &self.colours, into: &mut self.next, named: &mut self.named };
        self.symmetry.links(state, &mut looking);
        for ((colour, next), cell) in self.colours.iter_mut().zip(&self.next).zip(&self.cell) {
            *colour = u64::from(*cell) << 48 | next >> 16;
        }
    }

    /// Sorts the elements of each group by colour and counts the different ones.
    fn sort(&mut self) -> usize {
        let mut cells = 0;
        for group in &self.groups {
            let (order, keys) = match (self.order.get_mut(group.clone()), self.keys.get_mut(group.clone())) {
                (Some(order), Some(keys)) => (order, keys),
                _ => continue,
            };
            for (key, &element) in keys.iter_mut().zip(&*order) {
                let colour = self.colours.get(element as usize).copied().unwrap_or(0);
                *key = colour & COLOUR | u64::from(element);
            }
            sort_keys(keys);
            let mut before = None;
            for (element, &key) in order.iter_mut().zip(&*keys) {
                *element = key as u16;
                cells += usize::from(before != Some(key & COLOUR));
                before = Some(key & COLOUR);
            }
        }
        cells
    }

    /// Numbers the colours in the order of the elements.
    fn number_cells(&mut self) {
        let mut cell = 0;
        let mut before = None;
        for (&element, &key) in self.order.iter().zip(&self.keys) {
            cell += u16::from(before != Some(key & COLOUR));
            before = Some(key & COLOUR);
            if let Some(of_element) = self.cell.get_mut(element as usize) {
                *of_element = cell;
            }
        }
    }

    /// Whether all elements of one colour can be exchanged, as far as that is easy to tell.
    fn ties_are_alike(&self, state: &mut [u64]) -> bool {
        self.groups.iter().all(|group| {
            let order = self.order.get(group.clone()).unwrap_or(&[]);
            order.windows(2).all(|pair| match *pair {
                [left, right] => {
                    let (left, right) = (left as usize, right as usize);
                    self.colour(left) != self.colour(right)
                        || (!self.is_named(left)
                            && !self.is_named(right)
                            && self.symmetry.alike(state, left, right))
                }
                _ => true,
            })
        })
    }

    fn colour(&self, element: usize) -> u64 {
        self.colours.get(element).copied().unwrap_or(0) & COLOUR
    }

    fn is_named(&self, element: usize) -> bool {
        self.named.get(element).copied().unwrap_or(true)
    }

    /// Names the elements in the order that was found.
    fn apply(&mut self, state: &mut [u64]) {
        let mut changed = false;
        for (place, &element) in self.order.iter().enumerate() {
            changed |= place != element as usize;
            if let Some(to) = self.to.get_mut(element as usize) {
                *to = place as u16;
            }
        }
        if changed {
            self.symmetry.rename(state, &self.to, self.keep_slots, &mut self.renamed);
            state.copy_from_slice(&self.renamed);
        }
    }
}

/// Sorts by insertion: there are few keys, and most are in order. (Counting for each how many are smaller has no branches to
/// guess wrong, and was slower.)
#[inline]
fn sort_keys(keys: &mut [u64]) {
    if keys.len() > 32 {
        keys.sort_unstable();
        return;
    }
    for sorted in 1..keys.len() {
        let Some(part) = keys.get_mut(..=sorted) else { return };
        let mut at = sorted;
        while at > 0 && part[at - 1] > part[at] {
            part.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// A colour of its own for an element that a branch singles out.
fn singled_out(colour: u64, depth: usize) -> u64 {
    mix(colour, 0x517c_c1b7_2722_0a95 ^ depth as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_whatever_their_number() {
        let mut random = crate::random::Random(7);
        for length in 0..70 {
            for _ in 0..50 {
                let mut keys: Vec<u64> = (0..length).map(|at| random.below(5) << 16 | at).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                sort_keys(&mut keys);
                assert_eq!(keys, expected);
            }
        }
    }
}
