//! Packing whole batches of states to the bit, and taking them apart again.
//!
//! Bytes mostly have bits to spare, so two words are laid over each other where that is possible,
//! and their bits gathered at once: such a pair, or a single word, is a *piece*. The loops go piece
//! by piece, and for each of them through some states that lie in the nearest cache: what is to be
//! done with a piece is then the same for all of them, and no state waits for the one before.

use super::compress::{Gather, has_fast_instructions};

/// Words of the states that are worked on together, about.
const NEAR: usize = 2048;
/// And how many states, at least and at most.
const FEWEST: usize = 8;
const MOST: usize = 64;

#[derive(Debug)]
pub struct Packing {
    /// Words of a state as models see it, and packed.
    aligned: usize,
    stored: usize,
    bits: u32,
    pieces: Vec<Piece>,
    /// Aligned words in which no bit is ever set.
    zeros: Vec<usize>,
    fast: bool,
}

/// The bits that two aligned words, or a single one, add to the packed state.
#[derive(Debug)]
struct Piece {
    gather: Gather,
    /// The bits of the first word, and of the second where that is another one.
    first: u64,
    second: u64,
    /// The aligned words. A single one is laid over itself.
    from: [usize; 2],
    /// How far the second is moved.
    above: u32,
    /// The packed word in which its bits begin, and where in it.
    to: usize,
    shift: u32,
    /// They reach into the packed word behind.
    reaches: bool,
}

/// How bits are gathered and scattered.
trait Bits {
    fn gather(piece: &Piece, word: u64) -> u64;
    fn scatter(piece: &Piece, word: u64) -> u64;
}

/// In several steps.
struct Portable;

impl Bits for Portable {
    #[inline(always)]
    fn gather(piece: &Piece, word: u64) -> u64 {
        piece.gather.compress(word)
    }

    #[inline(always)]
    fn scatter(piece: &Piece, word: u64) -> u64 {
        piece.gather.expand(word)
    }
}

/// By instructions that the processor has. Only what is marked so may use it.
#[cfg(target_arch = "x86_64")]
struct Fast;

#[cfg(target_arch = "x86_64")]
impl Bits for Fast {
    #[inline(always)]
    fn gather(piece: &Piece, word: u64) -> u64 {
        // SAFETY: used where the processor has the instruction.
        unsafe { std::arch::x86_64::_pext_u64(word, piece.gather.mask) }
    }

    #[inline(always)]
    fn scatter(piece: &Piece, word: u64) -> u64 {
        // SAFETY: as above.
        unsafe { std::arch::x86_64::_pdep_u64(word, piece.gather.mask) }
    }
}

impl Packing {
    /// For states of words in which these bits can be set.
    pub fn new(masks: &[u64]) -> Self {
        Self::with(masks, has_fast_instructions())
    }

    pub fn with(masks: &[u64], fast: bool) -> Self {
        let mut bits = 0u32;
        let mut pieces = Vec::new();
        let mut words = masks.iter().copied().enumerate().filter(|(_, mask)| *mask != 0).peekable();
        while let Some((from, first)) = words.next() {
            let over = words.peek().and_then(|&(other, second)| Some((other, second, above(first, second)?)));
            let (other, second, above) = match over {
                Some(over) => {
                    words.next();
                    over
                }
                None => (from, first, 0),
            };
            let gather = Gather::new(first | second << above);
            let shift = bits % 64;
            pieces.push(Piece {
                gather,
                first,
                second,
                from: [from, other],
                above,
                to: (bits / 64) as usize,
                shift,
                reaches: shift + gather.bits() > 64,
            });
            bits += gather.bits();
        }
        let stored = (bits.div_ceil(64) as usize).max(1);
        let zeros = masks.iter().enumerate().filter(|(_, mask)| **mask == 0).map(|(word, _)| word).collect();
        Packing { aligned: masks.len(), stored, bits, pieces, zeros, fast }
    }

    /// Words of a packed state.
    pub fn stored(&self) -> usize {
        self.stored
    }

    /// Bits of a packed state.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// How many states are worked on together.
    fn together(&self) -> usize {
        (NEAR / self.aligned.max(1)).clamp(FEWEST, MOST)
    }

    /// Packs states. Each word of `packed` is written, whatever was in it.
    pub fn encode(&self, states: &[u64], packed: &mut [u64]) {
        if self.pieces.is_empty() {
            return packed.fill(0);
        }
        let together = self.together();
        for (states, packed) in
            states.chunks(together * self.aligned).zip(packed.chunks_mut(together * self.stored))
        {
            #[cfg(target_arch = "x86_64")]
            if self.fast {
                // SAFETY: `fast` says that the processor has the instructions.
                unsafe { self.encode_fast(states, packed) };
                continue;
            }
            self.encode_some::<Portable>(states, packed);
        }
    }

    /// Takes states apart. Each word of `states` is written, whatever was in it.
    pub fn decode(&self, packed: &[u64], states: &mut [u64]) {
        for &word in &self.zeros {
            states.chunks_exact_mut(self.aligned).for_each(|state| state[word] = 0);
        }
        let together = self.together();
        for (packed, states) in
            packed.chunks(together * self.stored).zip(states.chunks_mut(together * self.aligned.max(1)))
        {
            #[cfg(target_arch = "x86_64")]
            if self.fast {
                // SAFETY: `fast` says that the processor has the instructions.
                unsafe { self.decode_fast(packed, states) };
                continue;
            }
            self.decode_some::<Portable>(packed, states);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn encode_fast(&self, states: &[u64], packed: &mut [u64]) {
        self.encode_some::<Fast>(states, packed);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn decode_fast(&self, packed: &[u64], states: &mut [u64]) {
        self.decode_some::<Fast>(packed, states);
    }

    #[inline(always)]
    fn encode_some<B: Bits>(&self, states: &[u64], packed: &mut [u64]) {
        for piece in &self.pieces {
            let Piece { from: [first, second], above, to, shift, .. } = *piece;
            let both = states.chunks_exact(self.aligned).zip(packed.chunks_exact_mut(self.stored));
            let gathered =
                both.map(|(state, packed)| (B::gather(piece, state[first] | state[second] << above), packed));
            if shift == 0 {
                gathered.for_each(|(bits, packed)| packed[to] = bits);
            } else if piece.reaches {
                gathered.for_each(|(bits, packed)| {
                    packed[to] |= bits << shift;
                    packed[to + 1] = bits >> (64 - shift);
                });
            } else {
                gathered.for_each(|(bits, packed)| packed[to] |= bits << shift);
            }
        }
    }

    #[inline(always)]
    fn decode_some<B: Bits>(&self, packed: &[u64], states: &mut [u64]) {
        for piece in &self.pieces {
            let Piece { from: [one, other], above, to, shift, first, second, .. } = *piece;
            let both = packed.chunks_exact(self.stored).zip(states.chunks_exact_mut(self.aligned));
            let scatter = |bits, state: &mut [u64]| {
                let both = B::scatter(piece, bits);
                state[one] = both & first;
                state[other] = both >> above & second;
            };
            if piece.reaches {
                both.for_each(|(packed, state)| {
                    scatter(packed[to] >> shift | packed[to + 1] << (64 - shift), state);
                });
            } else {
                both.for_each(|(packed, state)| scatter(packed[to] >> shift, state));
            }
        }
    }
}

/// How far a word must be moved to be laid over another one without bits of the two falling
/// together, if it can be.
fn above(first: u64, second: u64) -> Option<u32> {
    (0..8).find(|&above| first & second << above == 0 && second << above >> above == second)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More states than are worked on together, words without bits between others, and buffers that
    /// are not empty.
    #[test]
    fn words_without_bits_take_no_room_and_come_back() {
        let masks = [0, 0xff, 0, u64::MAX, 0x0101_0101_0101_0101, 0, 0x3fff, 1 << 63, 0];
        let mut number = 1u64;
        let count = if cfg!(miri) { 70 } else { 500 };
        let states: Vec<u64> = (0..count * masks.len())
            .map(|at| {
                number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (number ^ number >> 29) & masks[at % masks.len()]
            })
            .collect();
        let mut packed = Vec::new();
        for fast in [false, has_fast_instructions()] {
            let packing = Packing::with(&masks, fast);
            assert_eq!(packing.bits(), masks.iter().map(|mask| mask.count_ones()).sum::<u32>());
            let mut encoded = vec![u64::MAX; count * packing.stored()];
            packing.encode(&states, &mut encoded);
            let mut decoded = vec![u64::MAX; states.len()];
            packing.decode(&encoded, &mut decoded);
            assert_eq!(decoded, states);
            packed.push(encoded);
        }
        assert_eq!(packed[0], packed[1]);
    }
}
