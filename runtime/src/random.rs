//! Numbers that look random and are the same for the same seed.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound - 1`.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.number()) * u128::from(bound)) >> 64) as u64
    }
}

/// A seed from the clock, for choices that nobody wants to repeat yet. It has few digits, so that
/// it is easy to type again.
pub fn seed_from_clock() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| Random(now.as_nanos() as u64).number() % 1_000_000_000)
}

/// A number that other processes cannot predict, for names and nonces: keyed by the entropy of the
/// system.
pub fn unpredictable() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpredictable_numbers_differ() {
        let drawn: std::collections::HashSet<u64> = (0..1000).map(|_| unpredictable()).collect();
        assert_eq!(drawn.len(), 1000);
    }
}
