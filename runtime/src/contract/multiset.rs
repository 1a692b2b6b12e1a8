//! Multisets in the byte-aligned layout: slots, and the one order that stands for a bag.

use super::cells::Storage;
use super::fault::Fault;
use super::sorting;
use std::cell::Cell;

/// `multiset [N] of T`: a bag of at most `N` elements.
///
/// While a rule runs, an element stays in its slot. At the end of the rule [`Multiset::sort`]
/// brings the slots into the one order that stands for the bag.
#[repr(transparent)]
#[derive(Debug)]
pub struct Multiset<T, const N: usize>([Slot<T>; N]);

/// An element of a multiset, or an empty place for one.
#[repr(C)]
#[derive(Debug)]
pub struct Slot<T> {
    occupied: Cell<u8>,
    element: T,
}

// SAFETY: a byte in a cell, then such a type; alignment 1, so no padding.
unsafe impl<T: Storage> Storage for Slot<T> {
    fn clear(&self) {
        self.undefine();
    }
}
// SAFETY: an array of such types.
unsafe impl<T: Storage, const N: usize> Storage for Multiset<T, N> {
    fn clear(&self) {
        self.undefine();
    }

    #[inline]
    fn normalise(&self) {
        self.0.iter().filter(|slot| slot.occupied.get() != 0).for_each(|slot| slot.element.normalise());
        self.sort();
    }

    #[inline]
    fn tidy(&self) {
        for slot in &self.0 {
            match slot.occupied.get() {
                0 => slot.undefine(),
                _ => slot.element.tidy(),
            }
        }
    }
}

impl<T: Storage, const N: usize> Multiset<T, N> {
    /// The elements in occupied slots.
    #[inline]
    pub fn elements(&self) -> impl Iterator<Item = &T> {
        self.0.iter().filter(|slot| slot.occupied.get() != 0).map(|slot| &slot.element)
    }

    /// The elements of all slots, whether occupied or not.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|slot| &slot.element)
    }

    /// Takes an empty slot and returns its element, all undefined, to be filled in.
    #[inline]
    pub fn add(&self, site: u32) -> Result<&T, Fault> {
        match self.0.iter().find(|slot| slot.occupied.get() == 0) {
            Some(slot) => {
                slot.occupied.set(1);
                Ok(&slot.element)
            }
            None => Err(Fault::with(site, N as i64)),
        }
    }

    /// Whether there is such a slot and something is in it.
    #[inline]
    pub fn occupied(&self, slot: i64) -> bool {
        self.0.get(slot as usize).is_some_and(|slot| slot.occupied.get() != 0)
    }

    /// The element in an occupied slot.
    #[inline]
    pub fn at(&self, slot: i64, site: u32) -> Result<&T, Fault> {
        match self.0.get(slot as usize) {
            Some(found) if found.occupied.get() != 0 => Ok(&found.element),
            _ => Err(Fault::with(site, slot)),
        }
    }

    /// Empties a slot; the others stay where they are.
    #[inline]
    pub fn remove(&self, slot: i64, site: u32) -> Result<(), Fault> {
        match self.0.get(slot as usize) {
            Some(found) if found.occupied.get() != 0 => {
                found.undefine();
                Ok(())
            }
            _ => Err(Fault::with(site, slot)),
        }
    }

    /// Brings the slots into the order of their bytes, largest first, so that empty ones come last.
    /// Whatever was written to an element through an alias after it was removed is gone. Bags
    /// inside the elements must have been sorted before.
    pub fn sort(&self) {
        sorting::sort(&self.0);
    }
}
