//! A line of a table: sixteen entries, one cache line, compared with one value at once.
//!
//! How that is done depends on the processor, and the caller, who looks up many states, decides
//! once for all of them. So the ways are types, and what uses them is generic: a function that may
//! use an instruction must be marked so, and everything that it calls must become a part of it.

pub use crate::visited::wide::Anywhere;
#[cfg(target_arch = "x86_64")]
pub use crate::visited::wide::Wide;
use std::ptr::NonNull;

/// Entries of a line.
pub const LINE: usize = 16;

/// A way to compare.
pub trait Scan {
    /// Which entries of a line agree with `wanted` in the bits of `mask`: one bit for each.
    ///
    /// # Safety
    /// `line` is the address of sixteen entries, aligned to 64 bytes, and the processor has the
    /// instructions.
    unsafe fn matches(line: NonNull<u32>, wanted: u32, mask: u32) -> u32;
}

impl Scan for Anywhere {
    #[inline(always)]
    unsafe fn matches(line: NonNull<u32>, wanted: u32, mask: u32) -> u32 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 has SSE2; the loads stay inside the line.
        unsafe {
            use std::arch::x86_64::{
                __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_load_si128, _mm_movemask_epi8, _mm_packs_epi16,
                _mm_packs_epi32, _mm_set1_epi32,
            };
            let line: *const __m128i = line.as_ptr().cast_const().cast();
            let masks = _mm_set1_epi32(mask as i32);
            let wanted = _mm_set1_epi32((wanted & mask) as i32);
            let quarter = |at| _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(line.add(at)), masks), wanted);
            let low = _mm_packs_epi32(quarter(0), quarter(1));
            let high = _mm_packs_epi32(quarter(2), quarter(3));
            _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            // SAFETY: the caller's promise.
            let entries = unsafe { line.cast::<[u32; LINE]>().as_ref() };
            let wanted = wanted & mask;
            (0..LINE).fold(0, |found, at| found | u32::from(entries[at] & mask == wanted) << at)
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Scan for Wide {
    #[inline(always)]
    unsafe fn matches(line: NonNull<u32>, wanted: u32, mask: u32) -> u32 {
        // SAFETY: the caller's promise; the load stays inside the line.
        unsafe {
            use std::arch::x86_64::{
                _mm512_and_si512, _mm512_cmpeq_epi32_mask, _mm512_load_si512, _mm512_set1_epi32,
            };
            let entries = _mm512_load_si512(line.as_ptr().cast_const().cast());
            let masked = _mm512_and_si512(entries, _mm512_set1_epi32(mask as i32));
            u32::from(_mm512_cmpeq_epi32_mask(masked, _mm512_set1_epi32((wanted & mask) as i32)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Line([u32; LINE]);

    /// # Safety
    /// The processor has the instructions.
    unsafe fn compares_entry_by_entry<X: Scan>() {
        let mut line = Line([0; LINE]);
        for at in 0..LINE {
            line.0[at] = 0xabcd_0000 + at as u32;
        }
        let start = NonNull::from(&mut line.0).cast::<u32>();
        // SAFETY: sixteen aligned entries; and the caller's promise.
        unsafe {
            assert_eq!(X::matches(start, 0xabcd_1234, 0xffff_0000), 0xffff);
            assert_eq!(X::matches(start, 0xabcd_0005, u32::MAX), 1 << 5);
            assert_eq!(X::matches(start, 7, 0xf), 1 << 7);
            assert_eq!(X::matches(start, 0, u32::MAX), 0);
        }
    }

    #[test]
    fn lines_are_compared_entry_by_entry() {
        // SAFETY: it needs nothing.
        unsafe { compares_entry_by_entry::<Anywhere>() };
        #[cfg(target_arch = "x86_64")]
        if Wide::is_there() {
            // SAFETY: it is there.
            unsafe { compares_entry_by_entry::<Wide>() };
        }
    }
}
