//! The upper halves of predecessors, in a segment whose states come from states beyond 2^32.
//!
//! A chunk has four bytes for each predecessor. From the first chunk on for which that is not
//! enough, two more bytes for each lie in memory beside it. So a search that stays below 2^32
//! states pays nothing, and a larger one only for what it finds from there on.

use super::{Segment, Shape, Stock};
use crate::memory::MemoryError;
use crate::visited::Origin;
use std::ptr::NonNull;

#[derive(Debug)]
pub struct Upper {
    /// The first chunk that has them.
    first: usize,
    /// Two bytes for each state of the chunks from there on.
    chunks: Vec<NonNull<u16>>,
    /// Where the upper half of the next state's predecessor goes.
    next: NonNull<u16>,
}

/// Bytes taken for the address of one: a list may be half empty.
const ADDRESS: u64 = 2 * size_of::<NonNull<u16>>() as u64;

impl Upper {
    pub fn own_bytes(&self) -> u64 {
        self.chunks.len() as u64 * ADDRESS
    }
}

impl Segment {
    /// Whether the predecessor of the next state has a place to go to.
    #[inline(always)]
    pub fn takes(&self, origin: Origin) -> bool {
        origin.0 <= self.widest
    }

    /// From the chunk with this number on, predecessors have six bytes.
    pub(super) fn widen(&mut self, first: usize, stock: &Stock) -> Result<(), MemoryError> {
        let upper = Upper { first, chunks: Vec::new(), next: NonNull::dangling() };
        self.upper = Some(Box::new(upper));
        let widened = self.extend_upper(stock);
        match &widened {
            Ok(()) => self.widest = u64::MAX,
            // It stays as it was; the pieces that were taken belong to the pool.
            Err(MemoryError) => {
                stock.budget.give_back(self.upper.take().map_or(0, |upper| upper.own_bytes()));
            }
        }
        widened
    }

    /// Gets the upper halves of all chunks that should have them.
    pub(super) fn extend_upper(&mut self, stock: &Stock) -> Result<(), MemoryError> {
        let Some(upper) = &mut self.upper else { return Ok(()) };
        while upper.first + upper.chunks.len() < self.chunks.len() {
            let states = 1 << stock.shape.shift_of(upper.first + upper.chunks.len());
            stock.budget.take(ADDRESS)?;
            let piece = stock.supplies().chunks.take(states * size_of::<u16>());
            match piece {
                Ok(piece) => upper.chunks.push(piece.cast()),
                Err(MemoryError) => {
                    stock.budget.give_back(ADDRESS);
                    return Err(MemoryError);
                }
            }
        }
        Ok(())
    }

    /// The next state has this place, and there is a chunk for it.
    pub(super) fn aim_upper(&mut self, place: u32, shape: &Shape) {
        if let Some(address) = self.upper_address(place, shape)
            && let Some(upper) = &mut self.upper
        {
            upper.next = address;
        }
    }

    /// Writes the upper half of the next state's predecessor.
    ///
    /// # Safety
    /// There are fewer states than are ready.
    #[cold]
    pub(super) unsafe fn push_upper(&mut self, high: u16) {
        if let Some(upper) = &mut self.upper {
            // SAFETY: what is ready lies in one chunk, and this is the place of the next state in
            // the piece that belongs to it.
            unsafe {
                upper.next.write(high);
                upper.next = upper.next.add(1);
            }
        }
    }

    /// Where the upper half of a predecessor is, if it has one. There is a chunk for this place.
    pub(super) fn upper_address(&self, place: u32, shape: &Shape) -> Option<NonNull<u16>> {
        let upper = self.upper.as_ref()?;
        let spot = shape.spot(place);
        let chunk = upper.chunks.get(spot.chunk.checked_sub(upper.first)?)?;
        // SAFETY: a piece has two bytes for each state of its chunk.
        Some(unsafe { chunk.add(spot.within) })
    }

    /// Whether a predecessor has a place to go to with the state at this place. In the first chunks
    /// it may have none.
    pub(super) fn takes_at(&self, place: u32, origin: Origin, shape: &Shape) -> bool {
        origin.0 <= Origin::NARROW || self.upper_address(place, shape).is_some()
    }

    /// Exchanges the upper halves at two places. Where one place has none, the other's is 0.
    ///
    /// # Safety
    /// Both states exist, and nobody else uses them.
    pub(super) unsafe fn exchange_upper(&mut self, places: [u32; 2], shape: &Shape) {
        if let [Some(first), Some(second)] = places.map(|place| self.upper_address(place, shape)) {
            // SAFETY: the caller's promise.
            unsafe { std::ptr::swap(first.as_ptr(), second.as_ptr()) };
        }
    }

    /// Writes where a state comes from.
    ///
    /// # Safety
    /// There is a chunk for this place, and nobody else uses it.
    pub(super) unsafe fn set_origin(
        &mut self,
        place: u32,
        origin: Origin,
        stock: &Stock,
    ) -> Result<(), MemoryError> {
        let (low, high) = origin.halves();
        if !self.takes(origin) {
            self.widen(stock.shape.spot(place).chunk, stock)?;
        }
        // SAFETY: the caller's promise.
        unsafe { self.origin_address(place, &stock.shape).write(low) };
        if let Some(upper) = self.upper_address(place, &stock.shape) {
            // SAFETY: as above.
            unsafe { upper.write(high) };
        }
        Ok(())
    }
}
