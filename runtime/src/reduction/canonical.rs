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
    /// The elements of each scalarset.
    groups: Vec<Range<usize>>,
    /// States for which the search for the smallest form was given up: another of their orbit may stand beside them.
    pub unfinished: u64,

    colours: Vec<u64>,
    next: Vec<u64>,
    named: Vec<bool>,
    /// The elements of each group, sorted by colour.
    order: Vec<u16>,
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
            groups,
            unfinished: 0,
            colours: vec![0; elements],
            next: vec![0; elements],
            named: vec![false; elements],
            order: (0..elements).map(|element| element as u16).collect(),
            to: vec![0; elements],
            renamed: vec![0; description.words],
        }
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

    /// One round of refinement.
    fn look(&mut self, state: &mut [u64]) {
        self.next.copy_from_slice(&self.colours);
        let mut looking = Looking { colours: &self.colours, into: &mut self.next, named: &mut self.named };
        self.symmetry.links(state, &mut looking);
        std::mem::swap(&mut self.colours, &mut self.next);
    }

    /// Sorts the elements of each group by colour and counts the different ones.
    fn sort(&mut self) -> usize {
        let mut cells = 0;
        for group in &self.groups {
            let Some(order) = self.order.get_mut(group.clone()) else { continue };
            cells += sort_by_colour(order, &self.colours);
        }
        cells
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
        self.colours.get(element).copied().unwrap_or(0)
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

/// Sorts by insertion: there are few elements. Returns how many different colours there are.
#[inline]
fn sort_by_colour(order: &mut [u16], colours: &[u64]) -> usize {
    let colour = |element: u16| colours.get(element as usize).copied().unwrap_or(0);
    if order.len() > 24 {
        order.sort_by_key(|&element| colour(element));
    } else {
        for sorted in 1..order.len() {
            let mut at = sorted;
            while let Some([left, right]) = at.checked_sub(1).and_then(|from| order.get_mut(from..=at)) {
                if colour(*left) <= colour(*right) {
                    break;
                }
                std::mem::swap(left, right);
                at -= 1;
            }
        }
    }
    let changes = order.windows(2).filter(|pair| match pair {
        [left, right] => colour(*left) != colour(*right),
        _ => false,
    });
    usize::from(!order.is_empty()) + changes.count()
}

/// A colour of its own for an element that a branch singles out.
fn singled_out(colour: u64, depth: usize) -> u64 {
    mix(colour, 0x517c_c1b7_2722_0a95 ^ depth as u64)
}
