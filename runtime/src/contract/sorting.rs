//! The order of a multiset's slots: by their bytes, largest first, so that empty ones come last.
//!
//! A slot of up to sixteen bytes is loaded as one number that is ordered like its bytes. The slots
//! were in order before a rule displaced one or two of them, so insertion is what fits, and only
//! slots that get other contents are written: the code that reads the state next, many bytes at a
//! time, has to wait for each write. For the same reason sorting without branches (by passes that
//! carry the largest and the smallest, or by counting) is slower, although it never guesses wrong.

use crate::contract::cells::Storage;
use std::mem::size_of;
use std::ptr;

/// More slots than this are not loaded at once.
const MOST_KEYS: usize = 32;

/// The bytes of a slot as a number that is ordered as they are.
trait Key: Copy + Ord + Default {
    fn load<S: Storage>(slot: &S) -> Self;

    /// The smallest number of a slot whose first byte is not 0.
    fn least<S: Storage>() -> Self;

    fn store<S: Storage>(self, slot: &S);
}

/// The first and the last `HALF` bytes of a slot, which are all of its bytes; where they overlap,
/// they agree. So the pair is ordered as the bytes are.
#[inline(always)]
fn ends<S: Storage, const HALF: usize>(slot: &S) -> ([u8; HALF], [u8; HALF]) {
    // SAFETY: the slice is gone when this returns, and nothing is written before.
    let bytes = unsafe { slot.bytes() };
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (*first, *last),
        _ => ([0; HALF], [0; HALF]),
    }
}

/// Writes what [`ends`] has read.
#[inline(always)]
fn put<S: Storage, const HALF: usize>(slot: &S, first: [u8; HALF], last: [u8; HALF]) {
    if let Some(rest) = size_of::<S>().checked_sub(HALF) {
        let start = ptr::from_ref(slot).cast_mut().cast::<u8>();
        // SAFETY: both lie inside the slot, whose bytes are all in `UnsafeCell`s, have alignment 1,
        // and may be anything.
        unsafe {
            start.cast::<[u8; HALF]>().write(first);
            start.add(rest).cast::<[u8; HALF]>().write(last);
        }
    }
}

macro_rules! load_halves {
    ($slot:ident, $half:ty) => {{
        let (first, last) = ends($slot);
        Self::from(<$half>::from_be_bytes(first)) << <$half>::BITS | Self::from(<$half>::from_be_bytes(last))
    }};
}

macro_rules! store_halves {
    ($key:ident, $slot:ident, $half:ty) => {
        put($slot, (($key >> <$half>::BITS) as $half).to_be_bytes(), ($key as $half).to_be_bytes())
    };
}

/// Slots of up to eight bytes.
impl Key for u64 {
    #[inline(always)]
    fn load<S: Storage>(slot: &S) -> Self {
        match size_of::<S>() {
            0..=2 => load_halves!(slot, u8),
            3..=4 => load_halves!(slot, u16),
            _ => load_halves!(slot, u32),
        }
    }

    #[inline(always)]
    fn least<S: Storage>() -> Self {
        match size_of::<S>() {
            0..=2 => 1 << 8,
            3..=4 => 1 << 24,
            _ => 1 << 56,
        }
    }

    #[inline(always)]
    fn store<S: Storage>(self, slot: &S) {
        match size_of::<S>() {
            0..=2 => store_halves!(self, slot, u8),
            3..=4 => store_halves!(self, slot, u16),
            _ => store_halves!(self, slot, u32),
        }
    }
}

/// Slots of nine to sixteen bytes.
impl Key for u128 {
    #[inline(always)]
    fn load<S: Storage>(slot: &S) -> Self {
        load_halves!(slot, u64)
    }

    #[inline(always)]
    fn least<S: Storage>() -> Self {
        1 << 120
    }

    #[inline(always)]
    fn store<S: Storage>(self, slot: &S) {
        store_halves!(self, slot, u64);
    }
}

/// Brings slots into their order. One whose first byte is 0 is empty, and all of its bytes
/// become 0.
#[inline]
pub fn sort<S: Storage, const N: usize>(slots: &[S; N]) {
    match size_of::<S>() {
        1..=8 if N <= MOST_KEYS => sort_keys::<u64, S, N>(slots),
        9..=16 if N <= MOST_KEYS => sort_keys::<u128, S, N>(slots),
        _ => sort_bytes(slots),
    }
}

fn sort_keys<K: Key, S: Storage, const N: usize>(slots: &[S; N]) {
    let nothing = K::default();
    let mut keys = [nothing; N];
    for (key, slot) in keys.iter_mut().zip(slots) {
        *key = K::load(slot);
        if *key < K::least::<S>() && *key != nothing {
            slot.undefine();
            *key = nothing;
        }
    }
    for sorted in 1..N {
        let key = keys[sorted];
        let mut at = sorted;
        while at > 0 && keys[at - 1] < key {
            keys[at] = keys[at - 1];
            keys[at].store(&slots[at]);
            at -= 1;
        }
        if at < sorted {
            keys[at] = key;
            key.store(&slots[at]);
        }
    }
}

fn sort_bytes<S: Storage, const N: usize>(slots: &[S; N]) {
    // SAFETY: each slice is gone when its slot was looked at, and nothing is written before.
    let is_empty = |slot: &S| unsafe { slot.bytes() }.first() == Some(&0);
    // SAFETY: both slices are gone when they were compared, and nothing is written before.
    let is_less = |left: &S, right: &S| unsafe { left.bytes() < right.bytes() };
    slots.iter().filter(|slot| is_empty(slot)).for_each(S::undefine);
    for sorted in 1..N {
        let mut at = sorted;
        while at > 0 && is_less(&slots[at - 1], &slots[at]) {
            let moved = slots[at].duplicate();
            slots[at].copy_from(&slots[at - 1]);
            slots[at - 1].copy_from(&moved);
            at -= 1;
        }
    }
}

#[cfg(test)]
#[path = "sorting_tests.rs"]
mod tests;
