//! The hash of a stored state.

/// Odd numbers without a pattern: digits of pi.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
const FIRST: u64 = 0x1319_8a2e_0370_7345;
const SECOND: u64 = 0xa409_3822_299f_31d1;

/// Mixes the words by folded multiplication, two of them at a time. All 64 bits are good: engines
/// take the position in their table from the top and tags from the bottom.
#[inline(always)]
pub fn hash(words: &[u64]) -> u64 {
    hash_of(words.len(), |at| words[at])
}

/// The hash of words that are fetched one by one.
#[inline(always)]
pub fn hash_of(words: usize, word: impl Fn(usize) -> u64) -> u64 {
    let mut mixed = SEED;
    for pair in 0..words / 2 {
        mixed = fold(word(2 * pair) ^ mixed, word(2 * pair + 1) ^ FIRST);
    }
    if words % 2 == 1 {
        mixed = fold(word(words - 1) ^ mixed, SECOND);
    }
    let last = (mixed ^ (mixed >> 32)).wrapping_mul(FIRST);
    last ^ (last >> 29)
}

/// 128 bits of words that are fetched one by one, in the place of states that are too large to be
/// kept: that two of some million have the same is less likely than a fault of the machine. It is
/// part of checkpoints.
pub fn wide_hash_of(words: usize, word: impl Fn(usize) -> u64) -> u128 {
    let forward = hash_of(words, &word);
    let backward = hash_of(words, |at| !word(words - 1 - at).rotate_left(23));
    u128::from(forward) << 64 | u128::from(backward)
}

#[inline(always)]
fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Counters in any byte of any word must not collide in either half more than chance allows.
    #[test]
    #[cfg_attr(miri, ignore = "too many states for Miri")]
    fn both_halves_spread() {
        for words in 1..4 {
            for byte in 0..words * 8 {
                let mut tops = HashSet::new();
                let mut bottoms = HashSet::new();
                let many = 8_000u64;
                for count in 0..many {
                    let mut state = vec![0u64; words];
                    state[byte / 8] = count.rotate_left(byte as u32 % 8 * 8);
                    let hash = hash(&state);
                    tops.insert(hash >> 32);
                    bottoms.insert(hash as u32);
                }
                assert!(many as usize - tops.len() < 10, "{words} {byte} top");
                assert!(many as usize - bottoms.len() < 10, "{words} {byte} bottom");
            }
        }
    }
}
