//! Ascending keys in a block, in little space and ready to be searched (the code of Elias and
//! Fano).
//!
//! What a key has more than the first one is divided into low bits, as many as make the rest count
//! from 0 to about twice the number of keys, and that rest. The rests are a string of bits: a one
//! for each key, and a zero whenever the rest grows by one. So the keys with a certain rest lie
//! behind the zero of that number, and the number of ones before it says which keys of the block
//! they are. The low bits follow, each with the same number of bits:
//!
//! ```text
//! ones and zeros (words) | low bits (to the byte) | 16 bytes of zero
//! ```
//! That takes two bits a key more than its low bits.

/// Keys of a block.
pub const KEYS: usize = 512;
/// Bytes behind the low bits, so that they can be read by words.
const PAD: usize = 16;
/// Words of ones and zeros, at most: a rest is below three times the number of keys.
const MOST: usize = KEYS * 4 / 64 + 1;
/// Low bits that are within a word, wherever in a byte they begin.
const NARROW: u32 = u64::BITS - 7;
/// Bytes of the code of a block, at most.
pub const MOST_BYTES: usize = MOST * 8 + KEYS * 8 + PAD;

/// Appends the code of some keys, of which the lowest `below` bits are zero; returns the number of
/// low bits.
pub fn encode(keys: &[u64], below: u32, bytes: &mut Vec<u8>) -> u32 {
    let (Some(&first), Some(&last)) = (keys.first(), keys.last()) else { return 0 };
    let range = (last - first) >> below;
    let width = (range / keys.len() as u64).checked_ilog2().unwrap_or(0);
    let mut words = [0u64; MOST];
    let all = (range >> width) as usize + keys.len();
    for (at, key) in keys.iter().enumerate() {
        let place = (((key - first) >> below) >> width) as usize + at;
        words[place / 64] |= 1 << (place % 64);
    }
    words[..=all / 64].iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    let mask = (1u64 << width) - 1;
    let (mut bits, mut filled) = (0u128, 0);
    for key in keys {
        bits |= u128::from(((key - first) >> below) & mask) << filled;
        filled += width;
        if filled >= 64 {
            bytes.extend_from_slice(&(bits as u64).to_le_bytes());
            bits >>= 64;
            filled -= 64;
        }
    }
    bytes.extend_from_slice(&(bits as u64).to_le_bytes()[..filled.div_ceil(8) as usize]);
    bytes.resize(bytes.len() + PAD, 0);
    width
}

/// A block whose keys can be searched.
#[derive(Debug)]
pub struct Keys {
    first: u64,
    below: u32,
    width: u32,
    count: usize,
    words: usize,
    ones: [u64; MOST],
    /// Zeros before each word, and in all.
    zeros: [u32; MOST + 1],
}

/// How far a search in ascending order has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    word: usize,
}

impl Keys {
    pub fn empty() -> Self {
        Keys { first: 0, below: 0, width: 0, count: 0, words: 0, ones: [0; MOST], zeros: [0; MOST + 1] }
    }

    /// Takes in the code of `count` keys; `None`: that is no such code.
    pub fn read(&mut self, first: u64, below: u32, width: u32, count: usize, data: &[u8]) -> Option<()> {
        if width >= u64::BITS {
            return None;
        }
        let bytes = data.len().checked_sub((count * width as usize).div_ceil(8) + PAD)?;
        let words = bytes / 8;
        if words > MOST || words * 8 != bytes {
            return None;
        }
        (self.first, self.below, self.width) = (first, below, width);
        (self.count, self.words) = (count, words);
        let mut zeros = 0;
        for (at, bytes) in data[..bytes].as_chunks::<8>().0.iter().enumerate() {
            self.ones[at] = u64::from_le_bytes(*bytes);
            self.zeros[at] = zeros;
            zeros += self.ones[at].count_zeros();
        }
        self.zeros[words] = zeros;
        (zeros as usize + count == words * 64).then_some(())
    }

    /// The low bits of a key.
    #[inline(always)]
    fn low(&self, data: &[u8], at: usize) -> u64 {
        let bit = at * self.width as usize;
        let from = self.words * 8 + bit / 8;
        let Some(bytes) = data.get(from..).and_then(|bytes| bytes.first_chunk::<16>()) else { return 0 };
        (u128::from_le_bytes(*bytes) >> (bit % 8)) as u64 & ((1 << self.width) - 1)
    }

    /// The keys of the block that are equal to `key`: the place of the first, and their number.
    /// `key` is not smaller than the first key, nor than those that were looked for before from
    /// this position.
    #[inline(always)]
    pub fn find(&self, data: &[u8], key: u64, position: &mut Position) -> (usize, usize) {
        let offset = (key - self.first) >> self.below;
        let (wanted, low) = (offset >> self.width, offset & ((1 << self.width) - 1));
        if wanted >= u64::from(self.zeros[self.words]) {
            return (0, 0);
        }
        let wanted = wanted as u32;
        // The keys wanted come after `wanted` zeros.
        let mut place = 0;
        if wanted > 0 {
            while self.zeros[position.word + 1] < wanted {
                position.word += 1;
            }
            let within = wanted - 1 - self.zeros[position.word];
            place = position.word * 64 + select(!self.ones[position.word], within) as usize + 1;
        }
        let (mut from, mut same) = (0, 0);
        let mut at = place - wanted as usize;
        while at < self.count && self.ones[place / 64] >> (place % 64) & 1 == 1 {
            let found = self.low(data, at);
            if found >= low {
                if found > low {
                    break;
                }
                from = if same == 0 { at } else { from };
                same += 1;
            }
            place += 1;
            at += 1;
        }
        (from, same)
    }

    /// All keys in their order.
    pub fn decode(&self, data: &[u8], keys: &mut Vec<u64>) {
        keys.resize(self.count, 0);
        let lows = data.get(self.words * 8..).unwrap_or_default();
        let width = self.width as usize;
        let mask = (1u64 << width) - 1;
        if self.width <= NARROW {
            self.decode_by(keys, |at| {
                let bit = at * width;
                let word = lows.get(bit / 8..).and_then(|bytes| bytes.first_chunk::<8>());
                word.map_or(0, |word| u64::from_le_bytes(*word) >> (bit % 8) & mask)
            });
        } else {
            self.decode_by(keys, |at| self.low(data, at));
        }
    }

    /// Decodes all keys, with `low` for the low bits of each.
    #[inline(always)]
    fn decode_by(&self, keys: &mut [u64], low: impl Fn(usize) -> u64) {
        let mut keys = keys.iter_mut().enumerate();
        for (number, word) in self.ones[..self.words].iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let place = number * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let Some((at, key)) = keys.next() else { return };
                let offset = ((place - at) as u64) << self.width | low(at);
                *key = self.first.wrapping_add(offset << self.below);
            }
        }
    }
}

/// The place of the one that has `before` ones before it.
#[inline(always)]
fn select(word: u64, before: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    // Each byte has the number of ones in it and in all bytes below.
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    let passed = ((u64::from(before) * ONES) | 0x8080_8080_8080_8080) - sums;
    let byte = ((((passed & 0x8080_8080_8080_8080) >> 7).wrapping_mul(ONES)) >> 56) as u32;
    if byte >= 8 {
        return 63;
    }
    let mut left = (word >> (8 * byte)) & 255;
    for _ in 0..u64::from(before) - ((sums << 8) >> (8 * byte) & 255) {
        left &= left.wrapping_sub(1);
    }
    8 * byte + left.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn ones_are_counted() {
        let mut random = Random(5);
        for word in [1, u64::MAX, 1 << 63, 0x8000_0000_0000_0001].into_iter().chain(
            (0..500)
                .map(|round| random.number() & if round % 2 == 0 { u64::MAX } else { 0x1111_0000_8421_0001 }),
        ) {
            let places: Vec<u32> = (0..64).filter(|place| word >> place & 1 == 1).collect();
            for (before, place) in places.iter().enumerate() {
                assert_eq!(select(word, before as u32), *place, "{word:x}");
            }
        }
    }

    #[test]
    fn keys_are_found_where_they_are() {
        let mut random = Random(9);
        for round in 0..400 {
            let count = [1, 2, 3, 60, 511, KEYS][round % 6];
            let below = [0, 16, 40][round % 3];
            let spread = [3, 600, 1 << 20, u64::MAX >> below][round % 4];
            let mut keys: Vec<u64> = (0..count).map(|_| random.below(spread) << below).collect();
            keys.sort_unstable();
            let mut data = Vec::new();
            let width = encode(&keys, below, &mut data);
            let mut block = Keys::empty();
            block.read(keys[0], below, width, count, &data).unwrap();
            let mut decoded = Vec::new();
            block.decode(&data, &mut decoded);
            assert_eq!(decoded, keys);
            let mut asked: Vec<u64> = keys.clone();
            asked.extend((0..300).map(|_| random.below(spread) << below).filter(|key| *key >= keys[0]));
            asked.extend(keys.iter().map(|key| key.saturating_add(1 << below)));
            asked.sort_unstable();
            let mut position = Position::default();
            for key in asked {
                let first = keys.partition_point(|other| *other < key);
                let same = keys.partition_point(|other| *other <= key) - first;
                let found = block.find(&data, key, &mut position);
                assert_eq!(found.1, same, "{round} {key}");
                assert!(same == 0 || found.0 == first, "{round} {key}");
            }
            // It is not much more than the low bits.
            assert!(data.len() <= count * (width as usize + 4) / 8 + 8 + 1 + PAD + 8);
            assert!(block.read(keys[0], below, width, count + 64, &data).is_none());
            assert!(block.read(keys[0], below, 64, count, &data).is_none());
        }
    }
}
