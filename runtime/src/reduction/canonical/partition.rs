//! The elements of all scalarsets in the order of their colours, and the places where that order leaves ties.
//!
//! A tie is only ever split: elements that have been told apart stay in their order, and are not sorted again. So the
//! order of a state's elements and of its successors' have much in common, and a second look has little to sort.

use super::sorting::sort;
use std::ops::Range;

/// The bits of a key by which elements are sorted; the others hold the element.
const COLOUR: u64 = !0xffff;

#[derive(Clone, Debug)]
pub struct Partition {
    /// The elements of each scalarset.
    groups: Vec<Tie>,
    /// For each place the colour of the element there, with the element itself in its last bits.
    keys: Vec<u64>,
    /// Where elements of one colour are, in order.
    ties: Vec<Tie>,
    /// The same before the last split.
    before: Vec<Tie>,
}

/// The places of two or more elements that have the same colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tie {
    start: u32,
    end: u32,
}

impl Tie {
    pub fn places(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Partition {
    pub fn new(groups: impl Iterator<Item = Range<usize>>) -> Self {
        let groups: Vec<Tie> =
            groups.map(|group| Tie { start: group.start as u32, end: group.end as u32 }).collect();
        let elements = groups.last().map_or(0, |group| group.end as usize);
        Partition { groups, keys: vec![0; elements], ties: Vec::new(), before: Vec::new() }
    }

    /// Forgets what there was, and sorts all elements.
    #[inline]
    pub fn begin(&mut self, colours: &[u64]) {
        for (element, (key, colour)) in self.keys.iter_mut().zip(colours).enumerate() {
            *key = colour & COLOUR | element as u64;
        }
        self.ties.clear();
        for group in &self.groups {
            let Some(keys) = self.keys.get_mut(group.places()) else { continue };
            sort(keys);
            gather(keys, group.start, &mut self.ties);
        }
    }

    /// Sorts the elements that are tied, and says whether that told any of them apart.
    #[inline]
    pub fn split(&mut self, colours: &[u64]) -> bool {
        std::mem::swap(&mut self.ties, &mut self.before);
        self.ties.clear();
        for tie in &self.before {
            let Some(keys) = self.keys.get_mut(tie.places()) else { continue };
            for key in &mut *keys {
                let colour = colours.get(element(*key)).copied().unwrap_or(0);
                *key = colour & COLOUR | *key & !COLOUR;
            }
            sort(keys);
            gather(keys, tie.start, &mut self.ties);
        }
        self.ties != self.before
    }

    /// Whether all elements have been told apart.
    #[inline]
    pub fn is_discrete(&self) -> bool {
        self.ties.is_empty()
    }

    pub fn ties(&self) -> &[Tie] {
        &self.ties
    }

    /// The elements in the order of their places.
    #[inline]
    pub fn elements(&self) -> impl Iterator<Item = usize> {
        self.keys.iter().map(|&key| element(key))
    }

    /// The elements that are tied.
    #[inline]
    pub fn members(&self, tie: Tie) -> impl Iterator<Item = usize> {
        self.keys.get(tie.places()).unwrap_or(&[]).iter().map(|&key| element(key))
    }
}

#[inline(always)]
fn element(key: u64) -> usize {
    (key & !COLOUR) as usize
}

/// Appends the ties among sorted keys, of which the first is at place `start`.
#[inline(always)]
fn gather(keys: &[u64], start: u32, ties: &mut Vec<Tie>) {
    let tied = |left: u64, right: u64| (left ^ right) & COLOUR == 0;
    // Most often there are none: that is seen without a branch for each.
    if !keys.iter().zip(keys.get(1..).unwrap_or(&[])).fold(false, |any, (&left, &right)| any | tied(left, right)) {
        return;
    }
    let mut first = 0;
    for cell in keys.chunk_by(|&left, &right| tied(left, right)) {
        let after = first + cell.len() as u32;
        if cell.len() > 1 {
            ties.push(Tie { start: start + first, end: start + after });
        }
        first = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_split_and_nothing_else_moves() {
        let colours = |all: &[u64]| all.iter().map(|colour| colour << 16).collect::<Vec<_>>();
        let mut partition = Partition::new([0..4, 4..6].into_iter());
        partition.begin(&colours(&[5, 3, 5, 5, 1, 1]));
        assert_eq!(partition.elements().collect::<Vec<_>>(), [1, 0, 2, 3, 4, 5]);
        assert_eq!(partition.ties(), [Tie { start: 1, end: 4 }, Tie { start: 4, end: 6 }]);
        assert!(!partition.split(&colours(&[7, 9, 7, 7, 0, 0])));
        // The colour of element 1 does not matter any more.
        assert!(partition.split(&colours(&[2, 9, 1, 2, 0, 0])));
        assert_eq!(partition.elements().collect::<Vec<_>>(), [1, 2, 0, 3, 4, 5]);
        assert_eq!(partition.ties(), [Tie { start: 2, end: 4 }, Tie { start: 4, end: 6 }]);
        assert!(partition.split(&colours(&[2, 9, 1, 1, 1, 0])));
        assert!(partition.is_discrete());
        assert_eq!(partition.elements().collect::<Vec<_>>(), [1, 2, 3, 0, 5, 4]);
    }
}
