//! The states that a search takes for the same as another one: with other names for elements, and
//! with elements of multisets in other slots.
//!
//! Where there are few ways to rename and to rearrange, all of them are tried; otherwise some are
//! drawn at random, never the one that leaves everything as it is.

use super::extent::Extent;
use super::tables::rename;
use crate::contract::bags::Bags;
use crate::contract::model::{Description, Type};
use crate::random::Random;
use std::ops::Range;

/// Variants up to which all are tried: the permutations of six elements.
const MOST: usize = 720;
/// Variants that are drawn for each state where there are more.
const DRAWN: usize = 8;

/// A permutation of the scalarset elements and of the multiset slots of a state.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Element `e` is called `to[e]`.
    pub to: Vec<u16>,
    /// For each multiset that may be rearranged, from which slot each of its slots is filled.
    slots: Vec<Vec<usize>>,
}

/// A multiset in a state whose slots may be exchanged.
#[derive(Clone, Debug)]
struct Bag {
    offset: usize,
    stride: usize,
    capacity: usize,
}

/// All that differs between states that the search takes for one.
#[derive(Debug)]
pub struct Variants {
    identity: Vec<u16>,
    /// The elements of each scalarset whose elements may be renamed.
    groups: Vec<Range<usize>>,
    /// Those inside of elements come before the multisets that these are in.
    bags: Vec<Bag>,
    /// All ways but the one that changes nothing, if there are few.
    all: Option<Vec<Variant>>,
    order: Bags,
}

impl Variants {
    /// `None` where the search takes no two states for one.
    pub fn new(description: &Description, extent: &Extent) -> Option<Self> {
        let renamed = description.scalarsets.iter().map(|scalarset| extent.renamed(scalarset));
        let groups: Vec<_> = renamed.filter(|elements| !elements.is_empty()).collect();
        let mut bags = Vec::new();
        for variable in description.variables {
            find_bags(variable.ty, variable.offset, extent.bags(), &mut bags);
        }
        let mut variants = Variants {
            identity: (0..description.elements()).map(|element| element as u16).collect(),
            groups,
            bags,
            all: None,
            order: extent.bags(),
        };
        if variants.groups.is_empty() && variants.bags.is_empty() {
            return None;
        }
        variants.all = variants.enumerate();
        Some(variants)
    }

    /// Whether all ways are tried in each state.
    pub fn is_exhaustive(&self) -> bool {
        self.all.is_some()
    }

    /// The ways to try in the next state.
    pub fn draw(&self, random: &mut Random) -> Vec<Variant> {
        match &self.all {
            Some(all) => all.clone(),
            None => (0..DRAWN).map(|_| self.draw_one(random)).collect(),
        }
    }

    fn draw_one(&self, random: &mut Random) -> Variant {
        let mut variant = self.unchanged();
        for group in &self.groups {
            shuffle(variant.to.get_mut(group.clone()).unwrap_or(&mut []), random);
        }
        variant.slots.iter_mut().for_each(|slots| shuffle(slots, random));
        if variant.to == self.identity && variant.slots.iter().all(|slots| slots.is_sorted()) {
            // Chance has changed nothing, which would show nothing.
            let which = random.below((self.groups.len() + self.bags.len()) as u64) as usize;
            match (self.groups.get(which), which.checked_sub(self.groups.len())) {
                (Some(group), _) => variant.to.swap(group.start, group.start + 1),
                (None, Some(bag)) => {
                    variant.slots.get_mut(bag).into_iter().for_each(|slots| slots.swap(0, 1))
                }
                (None, None) => {}
            }
        }
        variant
    }

    fn unchanged(&self) -> Variant {
        Variant {
            to: self.identity.clone(),
            slots: self.bags.iter().map(|bag| (0..bag.capacity).collect()).collect(),
        }
    }

    /// All ways but the first, which changes nothing; `None` where there are too many.
    fn enumerate(&self) -> Option<Vec<Variant>> {
        let sizes = self.groups.iter().map(Range::len).chain(self.bags.iter().map(|bag| bag.capacity));
        let count = sizes.flat_map(|size| 1..=size).try_fold(1usize, usize::checked_mul)?;
        if count > MOST {
            return None;
        }
        let mut all = vec![self.unchanged()];
        for group in &self.groups {
            let orders = permutations(group.len());
            all = combine(&all, &orders, |variant, order| {
                for (element, &to) in group.clone().zip(order) {
                    variant.to[element] = (group.start + to) as u16;
                }
            });
        }
        for bag in 0..self.bags.len() {
            let orders = permutations(self.bags[bag].capacity);
            all = combine(&all, &orders, |variant, order| variant.slots[bag] = order.to_vec());
        }
        Some(all.split_off(1))
    }

    /// Makes `into` the state as it is in that way.
    pub fn apply(&self, description: &Description, variant: &Variant, state: &[u64], into: &mut [u64]) {
        rename(description, &variant.to, self.order, state, into);
        if self.bags.is_empty() {
            return;
        }
        let mut bytes: Vec<u8> = into.iter().flat_map(|word| word.to_ne_bytes()).collect();
        for (bag, order) in self.bags.iter().zip(&variant.slots) {
            let range = bag.offset..bag.offset + bag.capacity * bag.stride;
            let Some(place) = bytes.get_mut(range) else { continue };
            let slots: Vec<Vec<u8>> = place.chunks_exact(bag.stride).map(<[u8]>::to_vec).collect();
            for (slot, &from) in place.chunks_exact_mut(bag.stride).zip(order) {
                slot.copy_from_slice(&slots[from]);
            }
        }
        for (word, bytes) in into.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = bytes.try_into().map_or(0, u64::from_ne_bytes);
        }
    }

    /// Brings a state into the order of slots in which the search stores it, after renaming its
    /// elements if `variant` is given.
    pub fn settle(&self, description: &Description, variant: Option<&Variant>, state: &[u64]) -> Vec<u64> {
        let mut into = vec![0; state.len()];
        let to = variant.map_or(&self.identity, |variant| &variant.to);
        rename(description, to, self.order, state, &mut into);
        into
    }
}

/// Each of `all` with each of the orders, so that what was first stays first.
fn combine(all: &[Variant], orders: &[Vec<usize>], change: impl Fn(&mut Variant, &[usize])) -> Vec<Variant> {
    let mut combined = Vec::with_capacity(all.len() * orders.len());
    for order in orders {
        for variant in all {
            let mut variant = variant.clone();
            change(&mut variant, order);
            combined.push(variant);
        }
    }
    combined
}

/// All permutations of `size` numbers, the identity first.
fn permutations(size: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..size {
        all = all
            .iter()
            .flat_map(|order: &Vec<usize>| {
                let rest = (0..size).filter(|next| !order.contains(next));
                rest.map(|next| order.iter().copied().chain([next]).collect()).collect::<Vec<Vec<usize>>>()
            })
            .collect();
    }
    all
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at as u64 + 1) as usize);
    }
}

/// The multisets of two slots or more that the search sorts.
fn find_bags(ty: &Type, offset: usize, order: Bags, bags: &mut Vec<Bag>) {
    match ty {
        Type::Simple(_) => {}
        Type::Array { element, stride, .. } => {
            if has_bags(element) {
                (0..ty.bytes() / (*stride).max(1))
                    .for_each(|at| find_bags(element, offset + at * stride, order, bags));
            }
        }
        Type::Record { fields } => {
            fields.iter().for_each(|field| find_bags(field.ty, offset + field.offset, order, bags));
        }
        Type::Multiset { capacity, element, stride, doubt } => {
            if has_bags(element) {
                (0..*capacity).for_each(|at| find_bags(element, offset + at * stride + 1, order, bags));
            }
            if *capacity > 1 && order.sorts(doubt.is_some()) {
                bags.push(Bag { offset, stride: *stride, capacity: *capacity });
            }
        }
    }
}

fn has_bags(ty: &Type) -> bool {
    match ty {
        Type::Simple(_) => false,
        Type::Array { element, .. } => has_bags(element),
        Type::Record { fields } => fields.iter().any(|field| has_bags(field.ty)),
        Type::Multiset { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_complete_and_begin_with_the_sorted_one() {
        for (size, count) in [(1, 1), (2, 2), (3, 6), (4, 24)] {
            let mut all = permutations(size);
            assert_eq!(all[0], (0..size).collect::<Vec<_>>());
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count);
        }
    }

    fn variants(groups: Vec<Range<usize>>, capacities: &[usize]) -> Variants {
        let elements = groups.last().map_or(0, |group| group.end);
        let bags =
            capacities.iter().map(|&capacity| Bag { offset: 0, stride: 1, capacity }).collect::<Vec<_>>();
        let identity = (0..elements as u16).collect();
        let mut variants = Variants { identity, groups, bags, all: None, order: Bags::All };
        variants.all = variants.enumerate();
        variants
    }

    #[test]
    fn few_ways_are_all_tried_and_none_changes_nothing() {
        let few = variants(vec![0..2, 2..5], &[2]);
        let all = few.draw(&mut Random(1));
        assert_eq!(all.len(), 2 * 6 * 2 - 1);
        let is_identity = |variant: &Variant| {
            variant.to == few.identity && variant.slots.iter().all(|slots| slots.is_sorted())
        };
        assert!(!all.iter().any(is_identity));
        assert!(few.is_exhaustive());
    }

    #[test]
    fn drawn_ways_always_change_something() {
        // Two elements are left as they are by every other shuffle; there are too many ways to try
        // all.
        let many = variants((0..10).map(|at| 2 * at..2 * at + 2).collect(), &[]);
        assert!(!many.is_exhaustive());
        let mut random = Random(1);
        for _ in 0..2_000 {
            assert!(many.draw(&mut random).iter().all(|variant| variant.to != many.identity));
        }
        let one = Variants { all: None, ..variants(std::iter::once(0..2).collect(), &[]) };
        for _ in 0..100 {
            assert!(one.draw(&mut random).iter().all(|variant| variant.to == [1, 0]));
        }
        let bag = Variants { all: None, ..variants(Vec::new(), &[2]) };
        for _ in 0..100 {
            assert!(bag.draw(&mut random).iter().all(|variant| variant.slots == [[1, 0]]));
        }
    }
}
