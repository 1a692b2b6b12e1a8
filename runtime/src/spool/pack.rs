//! How entries are packed on their way to the disk.
//!
//! States that wait one behind the other have a predecessor in common, or predecessors that have;
//! so most of their bytes are the same. Each word is taken as its difference (exclusive or) to the
//! word at the same place of the entry before, and what is zero is left out:
//!
//! - for every eight words a byte, whose bits say which of them are not zero, the lowest bit for
//!   the first;
//! - then for each of these a byte, whose bits say which bytes of it are not zero, the lowest bit
//!   for the lowest byte;
//! - then these bytes.
//!
//! It takes some nanoseconds a word, and states shrink to a half or a sixth, which is about what
//! general methods come to that take much longer.

/// Bytes that a word takes at most: all of its own, and one that says so.
const MOST: usize = 9;

/// Which bytes of a word are not zero, the lowest bit for the lowest byte.
#[inline(always)]
fn present(word: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The top bit of each byte, and then all eight of them side by side.
    let tops = (((word & LOW) + LOW) | word) & !LOW;
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Appends the words, packed, to `bytes`. False: they would not become shorter, and are there as
/// they were.
pub fn pack(words: &[u64], stride: usize, bytes: &mut Vec<u8>) -> bool {
    let start = bytes.len();
    let plain = size_of_val(words);
    // Room for the worst case, so that nothing grows in the loop.
    bytes.resize(start + words.len().div_ceil(8) + words.len() * MOST, 0);
    let mut at = start;
    for (group, some) in words.chunks(8).enumerate() {
        let mask_at = at;
        let mut mask = 0u8;
        at += 1;
        for (bit, &word) in some.iter().enumerate() {
            let before = (8 * group + bit).checked_sub(stride).map_or(0, |before| words[before]);
            let difference = word ^ before;
            if difference == 0 {
                continue;
            }
            mask |= 1 << bit;
            let mut present = present(difference);
            bytes[at] = present;
            at += 1;
            while present != 0 {
                bytes[at] = (difference >> (8 * present.trailing_zeros())) as u8;
                at += 1;
                present &= present - 1;
            }
        }
        bytes[mask_at] = mask;
    }
    if at - start < plain {
        bytes.truncate(at);
        return true;
    }
    bytes.truncate(start);
    words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    false
}

/// Unpacks into `words`. `None`: the bytes are not those of `words.len()` words.
pub fn unpack(bytes: &[u8], stride: usize, words: &mut [u64]) -> Option<()> {
    let mut rest = bytes;
    let mut mask = 0;
    for position in 0..words.len() {
        if position % 8 == 0 {
            mask = *rest.split_off_first()?;
        }
        let before = position.checked_sub(stride).map_or(0, |before| words[before]);
        let mut difference = 0;
        if mask & 1 == 1 {
            let mut present = *rest.split_off_first()?;
            while present != 0 {
                difference |= u64::from(*rest.split_off_first()?) << (8 * present.trailing_zeros());
                present &= present - 1;
            }
        }
        mask >>= 1;
        words[position] = before ^ difference;
    }
    rest.is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn words_come_back() {
        let mut random = Random(3);
        for round in 0..2000u64 {
            let stride = 1 + random.below(5) as usize;
            let length = random.below(100) as usize;
            let keep = random.number() & random.number();
            let mut words = vec![0; length];
            for at in 0..length {
                let before = if at < stride { 0 } else { words[at - stride] };
                words[at] = match round % 4 {
                    0 => random.number(),
                    1 => before,
                    2 => before ^ (random.number() & keep & 0xff00_0001),
                    _ => random.below(3),
                };
            }
            let mut bytes = vec![7; round as usize % 3];
            let front = bytes.len();
            let packed = pack(&words, stride, &mut bytes);
            assert!(bytes.len() - front <= 8 * length);
            let mut found = vec![1; length];
            if packed {
                assert_eq!(unpack(&bytes[front..], stride, &mut found), Some(()));
                assert_eq!(found, words);
                assert_eq!(unpack(&bytes[front..bytes.len() - 1], stride, &mut found), None);
                bytes.push(0);
                assert_eq!(unpack(&bytes[front..], stride, &mut found), None);
            } else {
                let plain: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                assert_eq!(&bytes[front..], plain);
            }
        }
    }

    #[test]
    fn bytes_that_are_not_zero() {
        let mut random = Random(1);
        for _ in 0..10_000 {
            let word = random.number() & random.number() & random.number();
            let slow = word.to_le_bytes().iter().rev().fold(0, |mask, &byte| mask << 1 | u8::from(byte != 0));
            assert_eq!(present(word), slow);
        }
    }

    #[test]
    fn neighbours_become_small() {
        let words: Vec<u64> = (0..8000u64).map(|at| 0x0101_0101_0101_0101 ^ (at % 5) << (at % 64)).collect();
        let mut bytes = Vec::new();
        assert!(pack(&words, 2, &mut bytes));
        assert!(bytes.len() < 4 * words.len(), "{}", bytes.len());
    }
}
