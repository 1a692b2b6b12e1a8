//! Random numbers that are the same on every machine, so that a seed names a model.
//!
//! The version of `fastrand` is fixed in the manifest, for another one may count otherwise.

#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Self {
        // Seeds that follow each other are not to begin alike.
        Random(fastrand::Rng::with_seed(fastrand::Rng::with_seed(seed).u64(..)))
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.usize(..bound.max(1))
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.0.i64(low..=high)
    }

    /// True with a probability of `percent`.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_for_ever() {
        let mut random = Random::new(17);
        let numbers: Vec<usize> = (0..8).map(|_| random.below(1000)).collect();
        assert_eq!(numbers, [877, 757, 756, 478, 808, 650, 142, 868]);
    }
}
