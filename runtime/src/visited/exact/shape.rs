//! How states lie in memory: cut to whole bytes, in chunks, each after the numbers of the
//! predecessors.
//!
//! ```text
//! chunk:  predecessors (4 bytes each, the lowest of six) | states (`bytes` each, without gaps) | a few spare bytes
//! ```
//! The more states a segment has, the larger are the chunks that are added: whenever their number
//! has doubled, the chunks become twice as large. So there are few chunks, and little of the last
//! one is unused.
//!
//! States are read and written in words of eight bytes. The last word is read together with the
//! bytes before it, which are shifted out, so that no byte is touched that is not the state's or
//! stands before it. Writing the last word may reach into the state behind, which was not written
//! yet, or into the spare bytes.

/// Chunks of one size, except for the smallest: `1 << SAME`.
const SAME: u32 = 5;
/// States of the first chunks, at most: `1 << MOST` …
const MOST: u32 = 4;
/// … and bytes of one, about, where states are large.
const LARGE: usize = 4096;

#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Bytes from one state to the next.
    bytes: usize,
    bits: u32,
    words: usize,
    /// Bits of the last word that are read but are not the state's.
    surplus: u32,
    /// The first chunks have `1 << smallest` states.
    smallest: u32,
}

/// Where a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub chunk: usize,
    /// Which of the chunk's states it is.
    pub within: usize,
    /// The chunk has `1 << shift` states.
    pub shift: u32,
}

impl Shape {
    /// The shape of states of `bytes` bytes, of which `bits` bits are significant.
    pub fn new(bytes: usize, bits: u32) -> Self {
        let bytes = bytes.max(1);
        let words = bytes.div_ceil(8);
        let surplus = (64 * words - 8 * bytes) as u32;
        let smallest = (LARGE / bytes).max(1).ilog2().min(MOST);
        Shape { bytes, bits, words, surplus, smallest }
    }

    /// Bytes of a state.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bits of a state that mean something.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// Bytes of a chunk of `1 << shift` states.
    pub fn chunk_bytes(&self, shift: u32) -> usize {
        let spare = if self.bytes.is_multiple_of(8) { 0 } else { 8 };
        ((self.bytes + size_of::<u32>()) << shift) + spare
    }

    /// In which chunk a state is, and where in it.
    #[inline(always)]
    pub fn spot(&self, place: u32) -> Spot {
        let shift = (place | 1).ilog2().saturating_sub(SAME).max(self.smallest);
        let chunk = ((shift - self.smallest) << SAME) + (place >> shift);
        Spot { chunk: chunk as usize, within: place as usize & ((1 << shift) - 1), shift }
    }

    /// A chunk has `1 << shift` states.
    pub fn shift_of(&self, chunk: usize) -> u32 {
        self.smallest + (chunk as u32 >> SAME).saturating_sub(1)
    }

    /// Where in its chunk a state begins.
    #[inline(always)]
    pub fn offset(&self, spot: Spot) -> usize {
        (size_of::<u32>() << spot.shift) + spot.within * self.bytes
    }

    /// Reads word `at` of `words` of a state.
    ///
    /// # Safety
    /// `state` is a state in a chunk of this shape, `words` is the shape's number of them, and `at`
    /// is below that.
    #[inline(always)]
    pub unsafe fn read(&self, state: *const u8, at: usize, words: usize) -> u64 {
        let offset = if at + 1 == words { self.bytes as isize - 8 } else { at as isize * 8 };
        // SAFETY: the word lies inside the chunk, by the caller's promise: a state that is
        // shorter than this word has those of the predecessors before it.
        let word = u64::from_le(unsafe { state.offset(offset).cast::<u64>().read_unaligned() });
        if at + 1 == words { word >> self.surplus } else { word }
    }

    /// Writes a state.
    ///
    /// # Safety
    /// `state` is the place of a state in a chunk of this shape; nobody else uses the chunk, the
    /// state behind this one was not written yet, and `words` are as many as the shape says.
    #[inline(always)]
    pub unsafe fn write(&self, state: *mut u8, words: &[u64]) {
        for (at, word) in words.iter().enumerate() {
            // SAFETY: the word lies inside the chunk, by the caller's promise and the spare bytes.
            unsafe { state.add(at * 8).cast::<u64>().write_unaligned(word.to_le()) };
        }
    }

    /// Whether a state in memory has these words.
    ///
    /// # Safety
    /// As for [`Shape::read`].
    #[inline(always)]
    pub unsafe fn equals(&self, state: *const u8, words: &[u64]) -> bool {
        let mut differences = 0;
        for (at, word) in words.iter().enumerate() {
            // SAFETY: the caller's promise.
            differences |= unsafe { self.read(state, at, words.len()) } ^ word;
        }
        differences == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_follow_each_other_and_are_filled_to_the_end() {
        for bytes in [1, 7, 10, 300, 5000, 100_000] {
            let shape = Shape::new(bytes, 8 * bytes as u32);
            let mut expected = Spot { chunk: 0, within: 0, shift: shape.smallest };
            for place in 0..if cfg!(miri) { 300 } else { 300_000 } {
                let spot = shape.spot(place);
                if spot != expected {
                    assert_eq!((spot.chunk, spot.within), (expected.chunk, expected.within), "{place}");
                    assert_eq!((spot.shift, place), (expected.shift + 1, 1 << (spot.shift + SAME)));
                }
                assert_eq!(shape.shift_of(spot.chunk), spot.shift);
                assert!(shape.offset(spot) + bytes <= shape.chunk_bytes(spot.shift));
                assert!(shape.offset(spot) + bytes >= 8);
                expected = spot;
                expected.within += 1;
                if expected.within == 1 << spot.shift {
                    expected.within = 0;
                    expected.chunk += 1;
                }
            }
        }
    }
}
