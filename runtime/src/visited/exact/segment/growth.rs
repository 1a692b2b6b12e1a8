//! How a segment grows: one more chunk of states, or a larger table made from the states alone.

use super::*;

impl Segment {
    /// Makes room for one more state at least, with this predecessor.
    #[cold]
    #[inline(never)]
    pub fn make_room<S: Stride>(
        &mut self,
        origin: Origin,
        stride: S,
        bits: u32,
        group: usize,
        stock: &Stock,
    ) -> Result<(), MemoryError> {
        let next = stock.shape.spot(self.length);
        if next.chunk == self.chunks.len() {
            self.add_chunk(next.shift, stock)?;
        }
        if !self.takes(origin) {
            self.widen(next.chunk, stock)?;
        }
        self.extend_upper(stock)?;
        if self.length == self.limit {
            self.grow(stride, bits, group, stock)?;
        }
        let left_in_chunk = (1 << next.shift) - next.within as u32;
        self.ready = self.limit.min(self.length.saturating_add(left_in_chunk));
        let chunk = self.chunks[next.chunk];
        // SAFETY: the chunk has a place for this state and for its predecessor.
        unsafe {
            self.next = chunk.add(stock.shape.offset(next));
            self.next_origin = chunk.cast::<u32>().add(next.within);
        }
        self.aim_upper(self.length, &stock.shape);
        Ok(())
    }

    /// A chunk for `1 << shift` more states.
    pub(super) fn add_chunk(&mut self, shift: u32, stock: &Stock) -> Result<(), MemoryError> {
        if self.chunks.len() == self.accounted as usize {
            let more = self.chunks.len() / 4 + 1;
            stock.budget.take((more * size_of::<NonNull<u8>>()) as u64)?;
            self.accounted += more as u32;
            self.chunks.reserve_exact(more);
        }
        self.chunks.push(stock.supplies().chunks.take(stock.shape.chunk_bytes(shift))?);
        Ok(())
    }

    /// Gets a larger table, or fills the one there is further.
    pub(super) fn grow<S: Stride>(
        &mut self,
        stride: S,
        bits: u32,
        group: usize,
        stock: &Stock,
    ) -> Result<(), MemoryError> {
        let policy = &stock.policy;
        let mut lines = policy.next(self.lines as usize, group);
        // A table that was filled to the brim may hold more than the next size likes to.
        while policy.limit(lines * LINE) <= self.length as usize {
            lines = policy.next(lines, group);
        }
        let taken = stock.supplies().tables.take(lines * LINE * size_of::<u32>());
        let Ok(table) = taken else {
            let furthest = Policy::furthest(self.lines as usize * LINE).min(MOST as usize) as u32;
            if self.limit >= furthest {
                return Err(MemoryError);
            }
            self.limit = furthest;
            return Ok(());
        };
        let (old, bytes) = (self.table, self.table_bytes());
        self.adopt(table.cast(), lines, policy);
        self.rebuild(stride, bits, &stock.shape);
        stock.supplies().tables.give_back(old.cast(), bytes);
        Ok(())
    }

    /// Fills an empty table with the states of this segment.
    pub(super) fn rebuild<S: Stride>(&mut self, stride: S, bits: u32, shape: &Shape) {
        #[cfg(target_arch = "x86_64")]
        if Wide::is_there() {
            // SAFETY: just asked.
            return unsafe { self.rebuild_wide(stride, bits, shape) };
        }
        // SAFETY: it needs no instructions that are not everywhere.
        unsafe { self.rebuild_with::<S, Anywhere>(stride, bits, shape) };
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,bmi2")]
    fn rebuild_wide<S: Stride>(&mut self, stride: S, bits: u32, shape: &Shape) {
        // SAFETY: the caller has checked that the processor has them.
        unsafe { self.rebuild_with::<S, Wide>(stride, bits, shape) };
    }

    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    unsafe fn rebuild_with<S: Stride, X: Scan>(&mut self, stride: S, bits: u32, shape: &Shape) {
        let words = stride.words();
        let mut place = 0;
        let mut hashes = [0u64; WINDOW];
        while place < self.length {
            let spot = shape.spot(place);
            // SAFETY: below the length, so it was written.
            let mut state = unsafe { self.state(place, shape) };
            let left = (1usize << spot.shift) - spot.within;
            let count = left.min((self.length - place) as usize).min(WINDOW);
            for mixed in &mut hashes[..count] {
                // SAFETY: these states lie in one chunk, and were written.
                *mixed = hash_of(words, |at| unsafe { shape.read(state, at, words) });
                state = state.wrapping_add(shape.bytes());
                self.ask(*mixed, bits);
            }
            for &mixed in &hashes[..count] {
                let mut at = self.home(mixed, bits);
                place += 1;
                loop {
                    // SAFETY: homes are lines, and so is what follows one.
                    let line = unsafe { self.line(at) };
                    // SAFETY: a line has sixteen entries.
                    let empty = unsafe { X::matches(line, 0, u32::MAX) };
                    if empty != 0 {
                        let entry = (mixed as u32 & !self.places) | place;
                        // SAFETY: as above.
                        unsafe { line.add(empty.trailing_zeros() as usize).write(entry) };
                        break;
                    }
                    at = if at + 1 == self.lines { 0 } else { at + 1 };
                }
            }
        }
    }
}
