//! Random numbers that are the same everywhere for the same seed. The version of `fastrand` is
//! fixed in the manifest, for another one may count otherwise.

pub struct Random(fastrand::Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    pub fn byte(&mut self) -> u8 {
        self.0.u8(..)
    }

    /// A number less than `bound`, or 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { self.0.usize(..bound) }
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// A number of repetitions: mostly small, sometimes thousands.
    pub fn repetitions(&mut self) -> usize {
        let magnitude = self.below(15);
        1 + self.below(1 << magnitude)
    }
}
