//! Gathering the bits under a mask at the low end of a word, and scattering them back.
//!
//! Processors with BMI2 have an instruction for each. The portable form moves bits in six steps
//! that are worked out once per mask (the parallel suffix method); both give the same bits.

/// The bits of a word that count, and how to bring them together.
#[derive(Clone, Copy, Debug)]
pub struct Gather {
    pub mask: u64,
    /// `moves[i]`: the bits that move down by `1 << i`.
    moves: [u64; 6],
}

impl Gather {
    pub fn new(mask: u64) -> Self {
        let mut moves = [0; 6];
        let mut left = mask;
        // For each bit: how many zeros of the mask lie below it; in each step, the parity of that.
        let mut zeros = !mask << 1;
        for (step, moved) in moves.iter_mut().enumerate() {
            let mut parity = zeros;
            for shift in 0..6 {
                parity ^= parity << (1 << shift);
            }
            *moved = parity & left;
            left = (left ^ *moved) | (*moved >> (1 << step));
            zeros &= !parity;
        }
        Gather { mask, moves }
    }

    /// As the instruction `pext`.
    #[inline(always)]
    pub fn compress(&self, word: u64) -> u64 {
        let mut word = word & self.mask;
        for (step, moves) in self.moves.iter().enumerate() {
            let moved = word & moves;
            word = (word ^ moved) | (moved >> (1 << step));
        }
        word
    }

    /// As [`Gather::compress`], by the processor's instruction if it is to be `FAST`.
    ///
    /// # Safety
    /// [`has_fast_instructions`] must hold where it is `FAST`.
    #[inline(always)]
    pub unsafe fn compress_by<const FAST: bool>(&self, word: u64) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if FAST {
            // SAFETY: the caller says that the processor has it.
            return unsafe { std::arch::x86_64::_pext_u64(word, self.mask) };
        }
        self.compress(word)
    }

    /// As the instruction `pdep`.
    #[inline(always)]
    pub fn expand(&self, word: u64) -> u64 {
        let mut word = word;
        for (step, moves) in self.moves.iter().enumerate().rev() {
            let moved = word << (1 << step);
            word = (word & !moves) | (moved & moves);
        }
        word & self.mask
    }

    pub fn bits(&self) -> u32 {
        self.mask.count_ones()
    }
}

/// Whether this processor gathers bits fast in hardware.
pub fn has_fast_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("bmi2") && !is_slow_amd()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// AMD's processors before Zen 3 (family 19h) know the instructions but take hundreds of cycles for
/// them.
#[cfg(target_arch = "x86_64")]
fn is_slow_amd() -> bool {
    use std::arch::x86_64::__cpuid;
    let vendor = __cpuid(0);
    let signature = __cpuid(1).eax;
    let family = ((signature >> 8) & 0xf) + ((signature >> 20) & 0xff);
    vendor.ebx == u32::from_le_bytes(*b"Auth") && family < 0x19
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_hand(word: u64, mask: u64) -> u64 {
        let mut result = 0;
        let mut to = 0;
        for from in 0..64 {
            if mask >> from & 1 == 1 {
                result |= (word >> from & 1) << to;
                to += 1;
            }
        }
        result
    }

    #[test]
    fn gathers_and_scatters() {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = move || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        let masks = (0..if cfg!(miri) { 8 } else { 2000 }).map(|round| match round {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << 63,
            3 => 0x0103_0107_0f01_ff01,
            _ if round % 2 == 0 => next() & next(),
            _ => next() | next(),
        });
        for mask in masks.collect::<Vec<_>>() {
            let gather = Gather::new(mask);
            for _ in 0..20 {
                let word = next();
                let packed = gather.compress(word);
                assert_eq!(packed, by_hand(word, mask), "{mask:x}");
                assert_eq!(gather.expand(packed), word & mask, "{mask:x}");
            }
        }
    }
}
