//! An array that grows at its end without ever moving what is in it.
//!
//! It is made of chunks of equal size, so an address is a shift, a mask and a look-up in a small table.
//! Memory is taken from the budget in small steps as it is used; the rest of a chunk is address space only.

use super::{Budget, Exhausted, Pages};
use std::marker::PhantomData;
use std::sync::Arc;

/// Bytes that are taken from the budget at a time.
const STEP: usize = 16 << 10;
/// Bytes of a chunk, at least.
const CHUNK: usize = 2 << 20;
/// Chunks of one array, about, if it fills all the memory there is.
const MANY: u64 = 8192;

/// Numbers for which all bytes zero is a value.
pub trait Plain: Copy {}
impl Plain for u8 {}
impl Plain for u32 {}
impl Plain for u64 {}

/// A growing array of entries, each of `stride` numbers.
#[derive(Debug)]
pub struct Chunks<T> {
    chunks: Vec<Pages>,
    /// A chunk has `1 << shift` entries.
    shift: u32,
    stride: usize,
    /// Entries for which memory was taken from the budget.
    ready: u64,
    /// Entries that one step makes ready.
    step: u64,
    budget: Arc<Budget>,
    kind: PhantomData<T>,
}

impl<T: Plain> Chunks<T> {
    pub fn new(stride: usize, budget: Arc<Budget>) -> Self {
        let entry = (stride * size_of::<T>()).max(1);
        let share = usize::try_from(budget.limit() / MANY).unwrap_or(CHUNK);
        let entries = (CHUNK.max(share) / entry).max(1).next_power_of_two();
        let step = (STEP / entry).max(1).min(entries);
        // Steps divide chunks, so that a step never crosses from one into the next.
        let step = if step.is_power_of_two() { step } else { step.next_power_of_two() / 2 };
        Chunks {
            chunks: Vec::new(),
            shift: entries.trailing_zeros(),
            stride,
            ready: 0,
            step: step as u64,
            budget,
            kind: PhantomData,
        }
    }

    /// How many entries may be used.
    #[inline(always)]
    pub fn ready(&self) -> u64 {
        self.ready
    }

    /// Makes some more entries usable; they are zero.
    #[cold]
    pub fn extend(&mut self) -> Result<(), Exhausted> {
        let bytes = self.step * (self.stride * size_of::<T>()) as u64;
        self.budget.take(bytes)?;
        if self.ready >> self.shift == self.chunks.len() as u64 {
            let chunk = (self.stride * size_of::<T>()).checked_shl(self.shift).and_then(Pages::zeroed);
            match chunk {
                Some(chunk) => self.chunks.push(chunk),
                None => {
                    self.budget.give_back(bytes);
                    return Err(Exhausted);
                }
            }
        }
        self.ready += self.step;
        Ok(())
    }

    /// The address of an entry.
    ///
    /// # Safety
    /// `index < self.ready()`.
    #[inline(always)]
    pub unsafe fn entry(&self, index: u64) -> *mut T {
        let within = (index & ((1 << self.shift) - 1)) as usize;
        debug_assert!(index < self.ready);
        // SAFETY: every ready entry lies in a chunk that exists, by the caller's promise.
        unsafe {
            self.chunks
                .get_unchecked((index >> self.shift) as usize)
                .start()
                .cast::<T>()
                .add(within * self.stride)
        }
    }
}

impl<T> Drop for Chunks<T> {
    fn drop(&mut self) {
        self.budget.give_back(self.ready * (self.stride * size_of::<T>()) as u64);
    }
}

/// A growing list on top of [`Chunks`].
#[derive(Debug)]
pub struct List<T> {
    chunks: Chunks<T>,
    length: u64,
}

impl<T: Plain> List<T> {
    pub fn new(budget: Arc<Budget>) -> Self {
        List { chunks: Chunks::new(1, budget), length: 0 }
    }

    #[inline]
    pub fn push(&mut self, value: T) -> Result<(), Exhausted> {
        if self.length == self.chunks.ready() {
            self.chunks.extend()?;
        }
        // SAFETY: the entry is ready, and only this list writes it.
        unsafe { self.chunks.entry(self.length).write(value) };
        self.length += 1;
        Ok(())
    }

    /// Takes the last value off; its memory stays for the next one.
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        self.length = self.length.checked_sub(1)?;
        // SAFETY: it was below the length, so it was written.
        Some(unsafe { self.chunks.entry(self.length).read() })
    }

    #[inline]
    pub fn get(&self, index: u64) -> Option<T> {
        // SAFETY: below the length, so it was written.
        (index < self.length).then(|| unsafe { self.chunks.entry(index).read() })
    }

    /// Puts another value in the place of one that is there.
    pub fn set(&mut self, index: u64, value: T) {
        if index < self.length {
            // SAFETY: below the length, and only this list writes it.
            unsafe { self.chunks.entry(index).write(value) };
        }
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_what_is_pushed() {
        let budget = Arc::new(Budget::new(64 << 20));
        let mut list = List::new(budget.clone());
        for value in 0..600_000u32 {
            list.push(value).unwrap();
        }
        assert!((0..600_000).all(|at| list.get(u64::from(at)) == Some(at)));
        assert_eq!(list.get(600_000), None);
        assert_eq!(list.pop(), Some(599_999));
        assert!(budget.used() >= 2_400_000 && budget.used() < 2_500_000);
        drop(list);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn odd_strides_stay_apart() {
        for stride in 1..20 {
            let mut chunks = Chunks::<u64>::new(stride, Arc::new(Budget::new(64 << 20)));
            for index in 0..40_000u64 / stride as u64 {
                if index == chunks.ready() {
                    chunks.extend().unwrap();
                }
                // SAFETY: just made ready.
                unsafe { std::slice::from_raw_parts_mut(chunks.entry(index), stride) }.fill(index);
            }
            for index in 0..40_000u64 / stride as u64 {
                // SAFETY: written above.
                let entry = unsafe { std::slice::from_raw_parts(chunks.entry(index), stride) };
                assert!(entry.iter().all(|&word| word == index));
            }
        }
    }

    #[test]
    fn the_budget_ends_it() {
        let mut list = List::new(Arc::new(Budget::new(100_000)));
        let pushed = (0..).take_while(|&value| list.push(value as u64).is_ok()).count();
        assert!((10_000..=12_500).contains(&pushed), "{pushed}");
    }
}
