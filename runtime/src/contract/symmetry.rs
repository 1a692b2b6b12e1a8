//! What a state says about the elements of its scalarsets: the vocabulary of generated code.
//!
//! Every element has a *colour*, a number that does not depend on what the elements are called:
//! elements that a renaming turns into one another have the same. Colours come from what the state
//! says about an element (the *row* of an array that it indexes) and from the colours of those that
//! it is *linked* to (as values, and as indices of the same place). Different colours for elements
//! that differ are wanted, not needed: where they fail, the canonical form takes longer.

use crate::contract::cells::Storage;
use std::ptr;

const LEFT: u64 = 0x9e37_79b9_7f4a_7c15;
const RIGHT: u64 = 0xd6e8_feb8_6659_fd93;

/// Two numbers in an order become one.
#[inline(always)]
pub fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ LEFT) * u128::from(right ^ RIGHT);
    (product as u64) ^ ((product >> 64) as u64)
}

/// The colours before a look at the links between elements, and those after it.
#[derive(Debug)]
pub struct Looking<'a> {
    pub colours: &'a [u64],
    pub into: &'a mut [u64],
    /// Which elements are the value of some part of the state.
    pub named: &'a mut [bool],
    /// What the places of a state hold most of the time, see `super::usual`.
    pub usual: &'a [u8],
    /// Where the state is whose places are looked at.
    pub address: usize,
}

impl Looking<'_> {
    /// Resets all colours and marks; all scalarsets together have `ELEMENTS` elements.
    #[inline(always)]
    pub fn begin<const ELEMENTS: usize>(&mut self) {
        match (self.into.first_chunk_mut::<ELEMENTS>(), self.named.first_chunk_mut::<ELEMENTS>()) {
            (Some(into), Some(named)) => (*into, *named) = ([0; ELEMENTS], [false; ELEMENTS]),
            _ => self.begin_all(),
        }
    }

    /// Resets all colours and marks, for any number of elements.
    pub fn begin_all(&mut self) {
        self.into.fill(0);
        self.named.fill(false);
    }

    /// Element `element` is a value in a place that `tie` and `salt` stand for. Returns what that
    /// says about whatever else has to do with the place.
    #[inline(always)]
    pub fn value<const SPREAD: bool>(&mut self, element: usize, tie: u64, salt: u64) -> u64 {
        if SPREAD {
            if let Some(into) = self.into.get_mut(element) {
                *into = into.wrapping_add(mix(tie, salt));
            }
            if let Some(named) = self.named.get_mut(element) {
                *named = true;
            }
        }
        mix(self.colour(element), salt)
    }

    /// Element `element` is the index of a place whose contents look like `shape`.
    #[inline(always)]
    pub fn index<const SPREAD: bool>(&mut self, element: usize, tie: u64, salt: u64, shape: u64) -> u64 {
        if SPREAD && let Some(into) = self.into.get_mut(element) {
            *into = into.wrapping_add(mix(tie ^ salt, shape));
        }
        mix(self.colour(element) ^ salt, shape)
    }

    /// Whether a place of the state is as usual, so that there is nothing to be said about it.
    #[inline(always)]
    pub fn is_usual<T: Storage>(&self, place: &T) -> bool {
        let offset = ptr::from_ref(place).addr().wrapping_sub(self.address);
        match self.usual.get(offset..offset.wrapping_add(size_of::<T>())) {
            Some(usual) => same(place, usual),
            None => nothing(place),
        }
    }

    #[inline(always)]
    pub fn colour(&self, element: usize) -> u64 {
        self.colours.get(element).copied().unwrap_or(0)
    }
}

/// The colours of all elements before anything is known about them. How many there are is known
/// when this is compiled: fewer are a mistake of the engines, and panic.
#[inline(always)]
pub fn start_colours<const ELEMENTS: usize>(colours: &mut [u64]) -> &mut [u64; ELEMENTS] {
    let (all, _) = colours.as_chunks_mut();
    let colours = &mut all[0];
    *colours = [0; ELEMENTS];
    colours
}

/// The new names of all elements. How many there are is known when this is compiled: fewer are a
/// mistake of the engines, and panic.
#[inline(always)]
pub fn new_names<const ELEMENTS: usize>(to: &[u16]) -> &[u16; ELEMENTS] {
    let (all, _) = to.as_chunks();
    &all[0]
}

/// The bytes of a value that have nothing to do with scalarsets, as one number; `masks` leaves out
/// the others.
#[inline(always)]
pub fn plain<T: Storage, const CHUNKS: usize>(value: &T, masks: &[u64; CHUNKS]) -> u64 {
    let mut sum = 0u64;
    for (at, mask) in masks.iter().enumerate() {
        if *mask != 0 {
            let chunk = chunk_of(value, at) & mask;
            let salt = (at as u64).wrapping_mul(RIGHT);
            sum = sum.wrapping_add(mix(chunk, salt));
        }
    }
    sum
}

/// The significant bits of a value of at most eight bytes, unhashed.
#[inline(always)]
pub fn short<T: Storage>(value: &T, masks: &[u64; 1]) -> u64 {
    let [mask] = masks;
    chunk_of(value, 0) & mask
}

/// Whether something in a value that has to do with scalarsets is defined; the masks are those of
/// [`plain`].
#[inline(always)]
pub fn linked<T: Storage, const CHUNKS: usize>(value: &T, masks: &[u64; CHUNKS]) -> bool {
    let mut all = 0;
    for (at, mask) in masks.iter().enumerate() {
        if *mask != u64::MAX {
            all |= chunk_of(value, at) & !mask;
        }
    }
    all != 0
}

/// Whether nothing in a value is defined.
#[inline(always)]
pub fn nothing<T: Storage>(value: &T) -> bool {
    let mut all = 0;
    for at in 0..size_of::<T>().div_ceil(8) {
        all |= chunk_of(value, at);
    }
    all == 0
}

/// Whether a value has these bytes. Small ones are compared here and now: most often they are the
/// same, and a call would have to find out first how many bytes there are.
#[inline(always)]
fn same<T: Storage>(value: &T, bytes: &[u8]) -> bool {
    if size_of::<T>() > 256 {
        // SAFETY: the slice does not outlive the expression, in which nothing is written.
        return unsafe { value.bytes() } == bytes;
    }
    let mut differences = 0;
    for at in 0..size_of::<T>().div_ceil(8) {
        differences |= chunk_of(value, at) ^ chunk(bytes, size_of::<T>(), at);
    }
    differences == 0
}

/// [`chunk`] of a value's own bytes.
#[inline(always)]
fn chunk_of<T: Storage>(value: &T, at: usize) -> u64 {
    // SAFETY: the slice does not outlive the expression, in which nothing is written.
    chunk(unsafe { value.bytes() }, size_of::<T>(), at)
}

/// Eight bytes of a value; fewer, filled up with zeros, at its end. How many is known when this is
/// compiled, so that nothing but one or two loads is left of it.
#[inline(always)]
fn chunk(bytes: &[u8], size: usize, at: usize) -> u64 {
    let eight = |from: usize| match bytes.get(from..from + 8) {
        Some(bytes) => bytes.try_into().map_or(0, u64::from_le_bytes),
        None => 0,
    };
    let four = |from: usize| match bytes.get(from..from + 4) {
        Some(bytes) => bytes.try_into().map_or(0, |bytes| u64::from(u32::from_le_bytes(bytes))),
        None => 0,
    };
    let one = |from: usize| bytes.get(from).map_or(0, |&byte| u64::from(byte));
    match size {
        _ if (at + 1) * 8 <= size => eight(at * 8),
        // The last eight bytes, without those that the chunk before has.
        9.. => eight(size - 8) >> (8 * (8 - size % 8)),
        4.. => four(0) | four(size - 4) << (8 * (size - 4)),
        3 => one(0) | one(1) << 8 | one(2) << 16,
        2 => one(0) | one(1) << 8,
        1 => one(0),
        0 => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::cells::{Array, One, SimpleCell};

    fn chunks_are_the_bytes<const N: usize>() {
        let value = Array::<One<0>, N, 0>::undefined();
        for at in 0..N {
            value.item(at as i64).set(at as i64 * 3);
        }
        // SAFETY: copied at once.
        let mut expected = unsafe { value.bytes() }.to_vec();
        expected.resize(N.div_ceil(8) * 8, 0);
        for (at, bytes) in expected.chunks(8).enumerate() {
            assert_eq!(chunk_of(&value, at).to_le_bytes(), bytes, "{N} {at}");
        }
        assert_eq!(nothing(&value), N == 0);
        assert!(nothing(&Array::<One<0>, N, 0>::undefined()));
    }

    #[test]
    fn chunks_of_all_sizes() {
        chunks_are_the_bytes::<1>();
        chunks_are_the_bytes::<2>();
        chunks_are_the_bytes::<3>();
        chunks_are_the_bytes::<4>();
        chunks_are_the_bytes::<5>();
        chunks_are_the_bytes::<7>();
        chunks_are_the_bytes::<8>();
        chunks_are_the_bytes::<9>();
        chunks_are_the_bytes::<15>();
        chunks_are_the_bytes::<16>();
        chunks_are_the_bytes::<21>();
        chunks_are_the_bytes::<40>();
    }
}
