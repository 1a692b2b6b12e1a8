//! A line of digests: four of them, one cache line, compared with one digest at once.
//!
//! Which of the four it is is unpredictable, so there is no branch for each. How that is done
//! depends on the processor, and whoever looks up many digests decides once for all of them: the
//! ways are types, as they are in the exact set.

use crate::hashing::h3::Digest;
pub use crate::visited::wide::Anywhere;
#[cfg(target_arch = "x86_64")]
pub use crate::visited::wide::Wide;

/// Entries of a line.
pub const LINE: usize = 4;

/// Lines that are gone through together, and their entries.
pub const MANY: usize = 16;
pub const GATHERED: usize = MANY * LINE;

/// An entry whose place is 0 is empty; places of states are odd. Entries are taken from the front.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub struct Line(pub [Digest; LINE]);

/// What a line says about a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned {
    /// It is one of the entries.
    pub found: bool,
    /// How many entries are taken, which is also the number of the first empty one.
    pub taken: usize,
}

/// A way to compare.
pub trait Scan {
    /// Compares a digest of a state with all entries.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn scan(line: &Line, digest: Digest) -> Scanned;
}

impl Scan for Anywhere {
    #[inline(always)]
    unsafe fn scan(line: &Line, digest: Digest) -> Scanned {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE2; a digest is 16 bytes, aligned to as many, and there are
        // four in a line.
        unsafe {
            use std::arch::x86_64::{
                __m128i, _mm_cmpeq_epi32, _mm_load_si128, _mm_movemask_epi8, _mm_packs_epi16,
                _mm_packs_epi32, _mm_setzero_si128,
            };
            let entries: *const __m128i = line.0.as_ptr().cast();
            // Four bits for each entry, one for each quarter of it.
            let equals = |wanted: __m128i| {
                let quarters = |at| _mm_cmpeq_epi32(_mm_load_si128(entries.add(at)), wanted);
                let low = _mm_packs_epi32(quarters(0), quarters(1));
                let high = _mm_packs_epi32(quarters(2), quarters(3));
                _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
            };
            let same = equals(_mm_load_si128((&raw const digest).cast()));
            let pairs = same & same >> 1;
            // A place that is odd has a first quarter that is not zero.
            let empty = equals(_mm_setzero_si128()) & 0x1111;
            let taken = (empty | 1 << 16).trailing_zeros() as usize / 4;
            Scanned { found: pairs & pairs >> 2 & 0x1111 != 0, taken }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let same = |entry: &Digest| (entry.place ^ digest.place) | (entry.signature ^ digest.signature);
            let found = line.0.iter().fold(false, |found, entry| found | (same(entry) == 0));
            Scanned { found, taken: line.0.iter().map(|entry| usize::from(entry.place != 0)).sum() }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Scan for Wide {
    #[inline(always)]
    unsafe fn scan(line: &Line, digest: Digest) -> Scanned {
        // SAFETY: the caller's promise; the loads stay inside the line, and the digest.
        unsafe {
            use std::arch::x86_64::{
                _mm_load_si128, _mm512_broadcast_i32x4, _mm512_cmpeq_epi64_mask, _mm512_load_si512,
                _mm512_testn_epi64_mask,
            };
            let entries = _mm512_load_si512(line.0.as_ptr().cast());
            let wanted = _mm512_broadcast_i32x4(_mm_load_si128((&raw const digest).cast()));
            // Two bits for each entry: one for the place and one for the signature.
            let same = u32::from(_mm512_cmpeq_epi64_mask(entries, wanted));
            let empty = u32::from(_mm512_testn_epi64_mask(entries, entries)) & 0x55;
            let taken = (empty | 1 << 8).trailing_zeros() as usize / 2;
            Scanned { found: same & same >> 1 & 0x55 != 0, taken }
        }
    }
}

impl Line {
    /// How many entries are taken.
    #[inline(always)]
    pub fn taken(&self) -> usize {
        self.0.iter().map(|entry| usize::from(entry.place != 0)).sum()
    }

    /// Takes the next entry for a digest. False: there is none.
    #[inline(always)]
    pub fn push(&mut self, digest: Digest) -> bool {
        let taken = self.taken();
        match self.0.get_mut(taken) {
            Some(entry) => *entry = digest,
            None => return false,
        }
        true
    }
}

/// The digests of up to [`MANY`] lines, and how many there are. Which entries are empty is
/// unpredictable, so there is no branch on it.
#[inline(always)]
pub fn gather(lines: &[Line]) -> ([Digest; GATHERED], usize) {
    let mut digests = [Digest::default(); GATHERED];
    let mut count = 0;
    for entry in lines.iter().take(MANY).flat_map(|line| &line.0) {
        // At most as many come before it as there are entries before it.
        digests[count % GATHERED] = *entry;
        count += usize::from(entry.place != 0);
    }
    (digests, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_empty_is_left_out() {
        let mut lines = [Line::default(); MANY];
        let mut expected = Vec::new();
        for (at, line) in lines.iter_mut().enumerate() {
            for number in 0..at % (LINE + 1) {
                let digest = Digest { place: 2 * at as u64 + 1, signature: number as u64 };
                line.push(digest);
                expected.push(digest);
            }
        }
        let (digests, count) = gather(&lines);
        assert_eq!(&digests[..count], &expected[..]);
        let digest = Digest { place: 1, signature: 2 };
        assert_eq!(gather(&[Line([digest; LINE]); MANY]), ([digest; GATHERED], GATHERED));
        assert_eq!(gather(&[]).1, 0);
    }

    /// # Safety
    /// The processor has the instructions.
    unsafe fn compares_whole_digests<X: Scan>() {
        // Halves and quarters of them occur several times.
        let parts = [1, 3, 1 << 32 | 1, 3 << 32 | 1, u64::MAX];
        let digest = |number: usize| Digest { place: parts[number % 5], signature: parts[number / 5] & !1 };
        for filled in 0..=LINE {
            for first in 0..25 {
                let mut line = Line::default();
                (0..filled).for_each(|at| assert!(line.push(digest((first + 7 * at) % 25))));
                for wanted in (0..25).map(digest) {
                    let expected = Scanned { found: line.0.contains(&wanted), taken: filled };
                    // SAFETY: the caller's promise.
                    assert_eq!(unsafe { X::scan(&line, wanted) }, expected, "{line:?} {wanted:?}");
                }
                assert_eq!((line.taken(), line.push(digest(0))), (filled, filled < LINE));
            }
        }
        // A signature may be zero.
        let mut line = Line::default();
        line.push(Digest { place: 5, signature: 0 });
        // SAFETY: the caller's promise.
        let scanned = |digest| unsafe { X::scan(&line, digest) };
        assert_eq!(scanned(Digest { place: 5, signature: 0 }), Scanned { found: true, taken: 1 });
        assert_eq!(scanned(Digest { place: 7, signature: 0 }), Scanned { found: false, taken: 1 });
    }

    #[test]
    fn lines_are_compared_digest_by_digest() {
        // SAFETY: it needs nothing.
        unsafe { compares_whole_digests::<Anywhere>() };
        #[cfg(target_arch = "x86_64")]
        if Wide::is_there() {
            // SAFETY: it is there.
            unsafe { compares_whole_digests::<Wide>() };
        }
    }
}
