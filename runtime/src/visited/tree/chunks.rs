//! An array that grows while threads read it: by chunks, four of each size, and then four of twice
//! that size. Elements are never moved, and live as long as the array.
//!
//! A chunk is zeroed before its address is stored, and what it holds is atomic. So a thread that
//! sees the address may read all of it, whatever other threads do.

use super::slots::{CHUNKS, EQUAL, Element, Slots};
use crate::memory::{Budget, MemoryError};
use crate::sync::{AtomicPtr, Mutex, Ordering};
use std::sync::{Arc, PoisonError};

#[derive(Debug)]
pub struct Chunks<T: Element> {
    /// Where each chunk begins; null: it is not there.
    starts: [AtomicPtr<T>; CHUNKS],
    /// The chunks, in the order in which they were begun, and their bytes.
    owned: Mutex<(Vec<Slots<T>>, u64)>,
    /// The first chunks have `1 << first` elements.
    first: u32,
    budget: Arc<Budget>,
}

const EQUAL_BITS: u32 = EQUAL.ilog2();

/// Elements of a chunk.
#[inline(always)]
pub fn size(first: u32, chunk: usize) -> usize {
    1 << (first as usize + chunk / EQUAL)
}

/// Elements of this number of chunks, which is the place of the first element of the next one.
#[inline(always)]
pub fn total(first: u32, chunks: usize) -> usize {
    let size = size(first, chunks);
    EQUAL * (size - (1 << first)) + chunks % EQUAL * size
}

/// The chunk of an element, and its place there.
#[inline(always)]
pub fn place(first: u32, element: usize) -> (usize, usize) {
    let shifted = element as u64 + ((EQUAL as u64) << first);
    let bits = shifted.ilog2() - EQUAL_BITS;
    let chunk = EQUAL * (bits - first) as usize + (shifted >> bits) as usize - EQUAL;
    (chunk, (shifted & ((1 << bits) - 1)) as usize)
}

impl<T: Element> Chunks<T> {
    pub fn new(first: u32, budget: Arc<Budget>) -> Self {
        let starts = std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut()));
        Chunks { starts, owned: Mutex::new((Vec::new(), 0)), first, budget }
    }

    /// An element, if its chunk is there.
    #[inline(always)]
    pub fn get(&self, element: usize) -> Option<&T> {
        let (chunk, at) = place(self.first, element);
        let start = self.starts.get(chunk)?.load(Ordering::Acquire);
        if start.is_null() {
            return None;
        }
        // SAFETY: `begin` made this number of elements before it stored the address, and keeps
        // them as long as `self` lives; `place` is below that number. They are atomics.
        Some(unsafe { &*start.add(at) })
    }

    /// How many elements there are, at least, when this one and all before it are: those of whole
    /// chunks.
    pub fn up_to(&self, element: usize) -> usize {
        total(self.first, place(self.first, element).0 + 1)
    }

    /// Makes the chunk of an element, unless it is there. `false`: there are no more.
    #[cold]
    pub fn begin(&self, element: usize) -> Result<bool, MemoryError> {
        let (chunk, _) = place(self.first, element);
        let Some(start) = self.starts.get(chunk) else { return Ok(false) };
        let mut owned = self.owned.lock().unwrap_or_else(PoisonError::into_inner);
        if !start.load(Ordering::Relaxed).is_null() {
            return Ok(true);
        }
        let count = size(self.first, chunk);
        let bytes = (count * T::BYTES) as u64;
        self.budget.take(bytes)?;
        let Some(slots) = Slots::new(count) else { return Err(self.budget.refuse(bytes)) };
        start.store(slots.start(), Ordering::Release);
        owned.0.push(slots);
        owned.1 += bytes;
        Ok(true)
    }

    /// Bytes of the chunks.
    pub fn bytes(&self) -> u64 {
        self.owned.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

impl<T: Element> Drop for Chunks<T> {
    fn drop(&mut self) {
        self.budget.give_back(self.bytes());
    }
}
