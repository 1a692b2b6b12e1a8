//! The elements of all scalarsets in the order of their colours, and the places where that order
//! leaves ties.
//!
//! Refinement only splits ties: elements that have been distinguished keep their order, and are not
//! sorted again. So the orders of a state's elements and of its successors' agree in large part,
//! and the next refinement has little to sort.

use super::sorting::sort;
use std::ops::Range;

/// The bits of a key by which elements are sorted; the others hold the element.
const COLOUR: u64 = !0xffff;

#[derive(Clone, Debug)]
pub struct Partition {
    /// The elements of each scalarset.
    groups: Vec<Range<usize>>,
    /// For each place the colour of the element there, with the element itself in its last bits.
    keys: Vec<u64>,
    /// A bit for each place: its element has the same colour as the one before.
    tied: Vec<u64>,
}

impl Partition {
    pub fn new(groups: Vec<Range<usize>>) -> Self {
        let elements = groups.last().map_or(0, |group| group.end);
        Partition { groups, keys: vec![0; elements], tied: vec![0; elements.div_ceil(64)] }
    }

    /// Starts anew, and sorts all elements.
    #[inline]
    pub fn begin(&mut self, colours: &[u64]) {
        for (element, (key, colour)) in self.keys.iter_mut().zip(colours).enumerate() {
            *key = colour & COLOUR | element as u64;
        }
        for group in &self.groups {
            let Some(keys) = self.keys.get_mut(group.clone()) else { continue };
            sort(keys);
            tie(&mut self.tied, keys, group.start);
        }
    }

    /// Sorts the tied elements by their new colours. Returns whether any tie was split.
    #[inline]
    pub fn split(&mut self, colours: &[u64]) -> bool {
        let mut finer = false;
        let mut from = 0;
        while let Some(places) = next(&self.tied, from) {
            from = places.end;
            let start = places.start;
            let Some(keys) = self.keys.get_mut(places) else { break };
            for key in &mut *keys {
                let colour = colours.get(element(*key)).copied().unwrap_or(0);
                *key = colour & COLOUR | *key & !COLOUR;
            }
            sort(keys);
            finer |= tie(&mut self.tied, keys, start);
        }
        finer
    }

    /// Whether no ties are left.
    #[inline]
    pub fn is_discrete(&self) -> bool {
        self.tied.iter().fold(0, |any, tied| any | tied) == 0
    }

    /// The places of two or more elements that have the same colour, in order.
    #[inline]
    pub fn ties(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let places = next(&self.tied, from)?;
            from = places.end;
            Some(places)
        })
    }

    /// The elements in the order of their places.
    #[inline]
    pub fn elements(&self) -> impl Iterator<Item = usize> {
        self.keys.iter().map(|&key| element(key))
    }

    /// The elements at these places.
    #[inline]
    pub fn at(&self, places: Range<usize>) -> impl Iterator<Item = usize> {
        self.keys.get(places).unwrap_or(&[]).iter().map(|&key| element(key))
    }
}

#[inline(always)]
fn element(key: u64) -> usize {
    (key & !COLOUR) as usize
}

/// Marks the ties among sorted keys, of which the first is at place `start`. Returns whether some
/// are none.
#[inline(always)]
fn tie(tied: &mut [u64], keys: &[u64], start: usize) -> bool {
    let mut apart = false;
    for (at, (left, right)) in keys.iter().zip(keys.get(1..).unwrap_or(&[])).enumerate() {
        // Without branches: nobody can guess which elements are alike.
        let differ = (left ^ right) & COLOUR != 0;
        apart |= differ;
        let place = start + at + 1;
        if let Some(tied) = tied.get_mut(place / 64) {
            *tied = *tied & !(1 << (place % 64)) | u64::from(!differ) << (place % 64);
        }
    }
    apart
}

/// The first tie whose places begin at `from` or after it.
#[inline(always)]
fn next(tied: &[u64], from: usize) -> Option<Range<usize>> {
    let first = find(tied, from + 1, 0)?;
    let end = find(tied, first, u64::MAX).unwrap_or(64 * tied.len());
    Some(first - 1..end)
}

/// The first bit from `from` on that differs from those of `usual`.
#[inline(always)]
fn find(bits: &[u64], from: usize, usual: u64) -> Option<usize> {
    let mut at = from / 64;
    let mut word = (bits.get(at)? ^ usual) & u64::MAX << (from % 64);
    while word == 0 {
        at += 1;
        word = bits.get(at)? ^ usual;
    }
    Some(64 * at + word.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(all: &[u64]) -> Vec<u64> {
        all.iter().map(|colour| colour << 16).collect()
    }

    #[test]
    fn ties_are_split_and_nothing_else_moves() {
        let mut partition = Partition::new(vec![0..4, 4..6]);
        partition.begin(&colours(&[5, 3, 5, 5, 1, 1]));
        assert_eq!(partition.elements().collect::<Vec<_>>(), [1, 0, 2, 3, 4, 5]);
        assert_eq!(partition.ties().collect::<Vec<_>>(), [1..4, 4..6]);
        assert!(!partition.split(&colours(&[7, 9, 7, 7, 0, 0])));
        // The colour of element 1 does not matter any more.
        assert!(partition.split(&colours(&[2, 9, 1, 2, 0, 0])));
        assert_eq!(partition.elements().collect::<Vec<_>>(), [1, 2, 0, 3, 4, 5]);
        assert_eq!(partition.ties().collect::<Vec<_>>(), [2..4, 4..6]);
        assert!(partition.split(&colours(&[2, 9, 1, 1, 1, 0])));
        assert!(partition.is_discrete());
        assert_eq!(partition.elements().collect::<Vec<_>>(), [1, 2, 3, 0, 5, 4]);
    }

    /// Ties that begin or end where a word of bits does.
    #[test]
    fn ties_of_many_elements() {
        for elements in [63, 64, 65, 128, 200] {
            let whole = 0..elements;
            let mut partition = Partition::new(vec![whole.clone()]);
            partition.begin(&vec![1 << 16; elements]);
            assert_eq!(partition.ties().collect::<Vec<_>>(), [whole]);
            for split in 1..elements {
                let halves: Vec<u64> =
                    (0..elements).map(|element| u64::from(element >= split) << 16).collect();
                partition.begin(&halves);
                let expected: Vec<_> =
                    [0..split, split..elements].into_iter().filter(|places| places.len() > 1).collect();
                assert_eq!(partition.ties().collect::<Vec<_>>(), expected, "{elements} {split}");
            }
        }
    }
}
