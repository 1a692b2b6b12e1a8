//! How the states of a batch are looked up breadth first, and kept where they are new: some dozens
//! at a time, so that the memory that one of them needs comes while the others are worked on.
//!
//! 1. The slots of the table where each search begins are asked for.
//! 2. Each slot is looked at. It says that the state is known, or that it is not, or that the next
//!    slot of its sequence must be looked at. That is unpredictable, so there is no branch on
//!    it: what is missing is noted in a number, and where the search goes on in a list.
//! 3. The next slots on the list are asked for, and the lines of the newcomers for those that are
//!    missing. This and the step before it are repeated until the list is empty.
//! 4. What is missing is looked up among the newcomers, in the order of the batch, and added to
//!    them.
//!
//! As long as a search is small, only the last step is left.

use super::filling::Slots;
use super::line::{Anywhere, Scan};
use super::{CompactShare, WINDOW};
use crate::visited::{Batch, Fresh, InsertError};

/// Without the table, states by which prefetching runs ahead.
const AHEAD: usize = 16;

impl CompactShare<'_> {
    /// Keeps the states at these positions, as far as they are new, which are appended to `fresh`
    /// in the order of the positions.
    pub fn insert_all(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        #[cfg(target_arch = "x86_64")]
        if super::line::Wide::is_there() {
            // SAFETY: just asked.
            return unsafe { self.insert_wide(batch, positions, fresh) };
        }
        // SAFETY: it needs no instructions that are not everywhere.
        unsafe { self.insert_by::<Anywhere>(batch, positions, fresh) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,bmi1,bmi2")]
    fn insert_wide(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        // SAFETY: whoever calls this knows that the processor has them.
        unsafe { self.insert_by::<super::line::Wide>(batch, positions, fresh) }
    }

    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    unsafe fn insert_by<X: Scan>(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        if self.small {
            // SAFETY: the caller's promise.
            return unsafe { self.insert_small::<X>(batch, positions, fresh) };
        }
        for window in positions.chunks(WINDOW) {
            let mut missing = self.missing(batch, window);
            while missing != 0 {
                let position = window[missing.trailing_zeros() as usize];
                missing &= missing - 1;
                // SAFETY: the caller's promise.
                unsafe { self.insert_newcomer::<X>(batch, position, fresh) }?;
            }
        }
        Ok(())
    }

    /// Without the table: what is not among the newcomers is new.
    ///
    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    unsafe fn insert_small<X: Scan>(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        let ask = |part: &Self, position: u32| part.ask_newcomers(batch.hashes[position as usize]);
        positions.iter().take(AHEAD).for_each(|&position| ask(self, position));
        for (at, &position) in positions.iter().enumerate() {
            if let Some(&next) = positions.get(at + AHEAD) {
                ask(self, next);
            }
            // SAFETY: the caller's promise.
            unsafe { self.insert_newcomer::<X>(batch, position, fresh) }?;
        }
        Ok(())
    }

    /// Which of the states at these positions the table does not know: one bit for each.
    #[inline(always)]
    fn missing(&self, batch: &Batch<'_>, positions: &[u32]) -> u64 {
        let table = &self.common.table;
        let (mut slots, mut values) = ([0; WINDOW], [0; WINDOW]);
        let mut list: [u8; WINDOW] = std::array::from_fn(|at| at as u8);
        for ((&position, slot), value) in positions.iter().zip(&mut slots).zip(&mut values) {
            let digest = Self::digest(batch, position);
            *slot = table.home(digest.place);
            table.prefetch(*slot);
            *value = table.bits().signature(digest.signature);
        }
        let mut missing = 0u64;
        let mut left = positions.len().min(WINDOW);
        while left > 0 {
            let before = missing;
            let mut on = 0;
            for at in 0..left {
                let searched = list[at];
                let number = searched as usize % WINDOW;
                let (found, value) = (table.get(slots[number]), values[number]);
                missing |= u64::from(found < value) << number;
                list[on] = searched;
                on += usize::from(found > value);
            }
            left = on;
            for &searched in &list[..left] {
                let number = searched as usize % WINDOW;
                slots[number] = table.after(slots[number], values[number]);
                table.prefetch(slots[number]);
            }
            let mut new = missing ^ before;
            while new != 0 {
                self.ask_newcomers(batch.hashes[positions[new.trailing_zeros() as usize] as usize]);
                new &= new - 1;
            }
        }
        missing
    }

    /// Asks for the memory where the search for a newcomer begins.
    #[inline(always)]
    fn ask_newcomers(&self, place: u64) {
        self.segments[self.number_of(place)].newcomers.prefetch(place);
    }

    /// A state that the table does not know.
    ///
    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    unsafe fn insert_newcomer<X: Scan>(
        &mut self,
        batch: &Batch<'_>,
        position: u32,
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        let digest = Self::digest(batch, position);
        let number = self.number_of(digest.place);
        let newcomers = &mut self.segments[number].newcomers;
        newcomers.make_room()?;
        // SAFETY: the caller's promise.
        if unsafe { newcomers.add_by::<X>(digest) } {
            let index = self.keep(number, batch, position)?;
            fresh.push(Fresh { position, index });
        }
        Ok(())
    }
}
