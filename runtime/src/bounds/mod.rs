//! How likely it is that a search with signatures instead of states has missed something.
//!
//! The formulas are those of Stern and Dill, "A new scheme for memory-efficient probabilistic
//! verification" (1996). They are written for one table of m slots in which k states are, and for
//! signatures of which each has probability 1/l. All is computed as the probability of going wrong,
//! or the logarithm of that of not going wrong: probabilities of 1e-15 and less keep all their
//! digits.

pub(crate) mod advice;
pub(crate) mod assurance;
pub(crate) mod extrapolation;
pub(crate) mod harmonic;
pub(crate) mod on_disk;

use harmonic::difference;

/// A probability from 0 to 1, or a bound on one.
pub type Probability = f64;

/// What the formulas need to know about a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Slots.
    pub slots: u64,
    /// The probability of the likeliest signature; 1/l if all are equally likely.
    pub collision: Probability,
}

impl Shape {
    /// Formula (2), as the probability of the opposite: that a state is taken for another when it
    /// is looked up in an ordered hash table that holds `stored` others.
    pub fn omission(self, stored: u64) -> Probability {
        let stored = stored.min(self.slots - 1);
        let (m, k) = (self.slots as f64, stored as f64);
        let left = (self.slots - stored) as f64;
        let harmonic = difference(self.slots - stored, self.slots + 1);
        let probes = 2.0 * harmonic - (2.0 * m + k * left) / (m * (left + 1.0));
        // Rounding must not make it negative where it is nothing.
        (probes.max(0.0) * self.collision).min(1.0)
    }

    /// The previous scheme (open addressing without order, Stern and Dill 1995): the probability
    /// that even one of `states` insertions into an empty table goes wrong. The mean number of
    /// taken slots that are probed with k states in the table is k/(m-k+1).
    pub fn previous_scheme(self, states: u64) -> Probability {
        let states = states.min(self.slots);
        let m = self.slots as f64;
        let probes = (m + 1.0) * difference(self.slots + 1 - states, self.slots + 1) - states as f64;
        // As many wrong insertions are expected at most, so this is a bound whether or not they
        // depend on each other.
        (probes.max(0.0) * self.collision).min(1.0)
    }
}

/// The logarithm of the probability that something does not go wrong; finite, so that sums of it
/// are numbers.
fn logarithm_of_right(wrong: Probability) -> f64 {
    (-wrong.min(1.0)).ln_1p().max(-1e4)
}

/// A sum that keeps the digits that additions lose (Neumaier).
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, term: f64) {
        let next = self.sum + term;
        self.lost +=
            if self.sum.abs() >= term.abs() { (self.sum - next) + term } else { (term - next) + self.sum };
        self.sum = next;
    }

    fn get(self) -> f64 {
        self.sum + self.lost
    }
}

/// Bounds on what a search may have missed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OmissionBounds {
    /// On missing any particular state up to the depth that was reached.
    pub seen: Probability,
    /// On missing any particular state at all. A state that lies deeper than everything that was
    /// found can be missed only if the first state beyond, on the way to it, was.
    pub any: Probability,
    /// On missing even one state.
    pub even_one: Probability,
}

impl OmissionBounds {
    /// What is left if several searches with functions of their own must all miss the same.
    #[must_use]
    pub fn and(self, other: OmissionBounds) -> OmissionBounds {
        OmissionBounds {
            seen: self.seen * other.seen,
            any: self.any * other.any,
            even_one: self.even_one * other.even_one,
        }
    }

    pub const CERTAIN: OmissionBounds = OmissionBounds { seen: 1.0, any: 1.0, even_one: 1.0 };
}

/// The bounds of a breadth-first search, level by level.
///
/// Of a path s0 … sd to a state, each s(i) was looked up, if s(i-1) was expanded, among the k(i-1)
/// states of all levels before it: states of its own level are distinguished by all their bits
/// (127, see `Levels::CONFUSED`). So formula (3) holds with k(i-1) where the paper, in which a
/// level's states may hide each other, has k(i) - 1.
#[derive(Clone, Debug)]
pub struct Levels {
    shape: Shape,
    stored: u64,
    /// The probability of taking a state for another in the next level.
    next: Probability,
    /// Logarithms of the probability that nothing was missed on the way to a state, and anywhere.
    path: Sum,
    everywhere: Sum,
    /// New states of each level, the start states first.
    found: Vec<u64>,
}

impl Levels {
    /// The probability that two states of one level have the same 127 bits.
    const CONFUSED: Probability = 5.9e-39;

    pub fn new(shape: Shape) -> Self {
        let (path, everywhere) = (Sum::default(), Sum::default());
        Levels { shape, stored: 0, next: 0.0, path, everywhere, found: Vec::new() }
    }

    /// Ends a level with `new` new states, which are in the table from now on.
    pub fn finish(&mut self, new: u64) {
        self.finish_with(new, self.stored + new);
    }

    /// Ends a level after which a state is looked up among `stored` others.
    pub fn finish_with(&mut self, new: u64, stored: u64) {
        // A last level without new states is no level.
        if new == 0 {
            return;
        }
        let missed = self.next + new as f64 * Self::CONFUSED;
        let logarithm = logarithm_of_right(missed);
        self.path.add(logarithm);
        self.everywhere.add(logarithm * new as f64);
        self.stored = stored;
        self.next = self.shape.omission(self.stored);
        self.found.push(new);
    }

    pub fn found(&self) -> &[u64] {
        &self.found
    }

    pub fn stored(&self) -> u64 {
        self.stored
    }

    pub fn bounds(&self) -> OmissionBounds {
        let next = logarithm_of_right(self.next);
        let beyond = self.path.get() + next;
        OmissionBounds {
            seen: -self.path.get().exp_m1(),
            any: -beyond.exp_m1(),
            // Nothing at all was missed only if the first state beyond was not either.
            even_one: -(self.everywhere.get() + next).exp_m1(),
        }
    }
}

/// The bounds of a depth-first search that probes at most `probes` slots: on each step of a path,
/// at most that number of values can be equal. `depth` is the largest depth that occurred,
/// `stored` how many states were found.
pub fn depth_first(shape: Shape, probes: u64, depth: u64, stored: u64) -> OmissionBounds {
    // There are never more values than states.
    let each = (probes.min(stored) as f64 * shape.collision).min(1.0);
    let path = |states: u64| -(states as f64 * logarithm_of_right(each)).exp_m1();
    // A start state is at depth 0, and may be missed like any other.
    let (seen, any) = (path(depth + 1), path(depth + 2));
    let by_limit = path(stored + 1);
    OmissionBounds { seen, any, even_one: shape.previous_scheme(stored + 1).min(by_limit) }
}

/// The bounds of a search whose set of visited states is a cache of signatures: a state is compared
/// with those of `ways` entries and no others, each time that it is looked up.
///
/// On a path s0 … sd, let s(i) be the first state that was never expanded. Then s(i-1) was, and
/// when that happened for the first time, s(i) was looked up, was not there, and had the signature
/// of one of the entries. For each i that has at most the probability of `ways` signatures. States
/// evicted in between do not matter: they make the search expand more. `depth` is the
/// largest level, which is not smaller than the depth of any state found; `stored` counts all
/// insertions, which are not fewer than the states.
pub fn cached(shape: Shape, ways: u64, depth: u64, stored: u64) -> OmissionBounds {
    let each = (ways.min(stored) as f64 * shape.collision).min(1.0);
    let path = |states: u64| -(states as f64 * logarithm_of_right(each)).exp_m1();
    OmissionBounds { seen: path(depth + 1), any: path(depth + 2), even_one: path(stored + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(slots: u64, bits: u32) -> Shape {
        Shape { slots, collision: 1.0 / (2f64.powi(bits as i32) - 1.0) }
    }

    fn close(found: f64, expected: f64, precision: f64) {
        assert!((found / expected - 1.0).abs() < precision, "{found:e}, not {expected:e}");
    }

    /// Formula (2), computed with fractions and with forty decimals.
    #[test]
    fn omission_is_formula_2() {
        let probes = |slots, stored| Shape { slots, collision: 1e-3 }.omission(stored) * 1e3;
        assert!(probes(11, 0) < 1e-15);
        close(probes(11, 1), 61.0 / 726.0, 1e-13);
        close(probes(11, 5), 8747.0 / 13860.0, 1e-14);
        close(probes(11, 10), 38141.0 / 13860.0, 1e-14);
        close(probes(101, 37), 0.534_913_134_980_585_7, 1e-14);
        close(probes(1009, 1008), 11.491_328_025_239_67, 1e-14);
        close(probes(100_003, 3), 2.999_940_001_899_922e-5, 1e-10);
        close(probes(262_147, 131_071), 0.886_258_122_630_881_5, 1e-14);
        close(probes(262_147, 262_143), 20.741_109_702_167_914, 1e-14);
        // More than there can be is as many as there can be.
        assert_eq!(probes(101, 500), probes(101, 100));
        assert_eq!(Shape { slots: 101, collision: 1.0 }.omission(100), 1.0);
    }

    /// The formula against a table with random contents.
    #[test]
    fn omission_is_what_a_table_does() {
        use crate::hashing::signature::Bits;
        use crate::memory::Budget;
        use crate::random::Random;
        use crate::visited::compact::table::Table;
        let bits = Bits::new(12).unwrap();
        let mut random = Random(3);
        for load in [0.5, 0.9, 0.995] {
            let (mut hits, mut expected) = (0u64, 0.0);
            for _ in 0..10 {
                let table = Table::new(bits, 10_007, std::sync::Arc::new(Budget::new(1 << 20))).unwrap();
                let stored = (table.slots() as f64 * load) as u64;
                for _ in 0..stored {
                    table.add::<false>(random.number(), bits.signature(random.number()));
                }
                let searches = 100_000;
                for _ in 0..searches {
                    hits += u64::from(table.contains(random.number(), bits.signature(random.number())));
                }
                let shape = Shape { slots: table.slots(), collision: bits.likeliest() };
                expected += shape.omission(stored) * searches as f64;
            }
            let ratio = hits as f64 / expected;
            // Some hundreds of hits, or thousands.
            assert!((0.8..1.15).contains(&ratio), "load {load}: {hits} hits, {expected} expected");
        }
    }

    /// The paper's tree of 262,143 states and depth 17 in 262,147 slots, with sixty decimals.
    #[test]
    fn bounds_of_the_tree() {
        let cases = [
            (8, 5.809_741_130_514_726e-3, 8.667_487_534_243_123e-2, 1.0),
            (20, 1.415_255_231_475_923e-6, 2.119_550_971_799_706e-5, 1.279_864_984_824_200_5e-1),
            (40, 1.349_691_835_519_107_3e-12, 2.021_362_121_852_36e-11, 1.306_058_709_592_851_5e-7),
            (64, 8.044_790_241_231_985e-20, 1.204_825_712_354_851e-18, 7.784_717_052_463_736e-15),
        ];
        for (bits, seen, any, even_one) in cases {
            let mut levels = Levels::new(shape(262_147, bits));
            (0..18).for_each(|level| levels.finish(1 << level));
            let bounds = levels.bounds();
            close(bounds.seen, seen, 1e-10);
            close(bounds.any, any, 1e-12);
            close(bounds.even_one, even_one, 1e-10);
            // Nothing new changes nothing.
            levels.finish(0);
            assert_eq!(levels.bounds(), bounds);
            assert_eq!((levels.stored(), levels.found().len()), (262_143, 18));
        }
    }

    #[test]
    fn the_worst_is_certainty() {
        let mut levels = Levels::new(Shape { slots: 11, collision: 1.0 });
        assert_eq!(levels.bounds(), OmissionBounds::default());
        levels.finish(9);
        levels.finish(1);
        assert_eq!(levels.bounds(), OmissionBounds::CERTAIN);
        let half = OmissionBounds { seen: 0.5, any: 0.5, even_one: 1.0 };
        assert_eq!(half.and(half), OmissionBounds { seen: 0.25, any: 0.25, even_one: 1.0 });
    }

    #[test]
    fn the_previous_scheme() {
        // With exact fractions: 3612.112… probes.
        close(
            Shape { slots: 1009, collision: 1e-18 }.previous_scheme(1000),
            3.612_112_468_468_027e-15,
            1e-12,
        );
        // "80 million states in a hash table of size 400 megabytes with an omission probability
        // smaller than 0.13 %".
        let found = shape(80_000_000, 40).previous_scheme(80_000_000);
        assert!((0.0011..0.0013).contains(&found), "{found}");
        assert!(shape(80_000_000, 8).previous_scheme(80_000_000) <= 1.0);
    }

    /// A bound on the probability of any of some events is not smaller than what they come to if
    /// they are independent.
    #[test]
    fn the_previous_scheme_is_not_below_the_product() {
        for (slots, bits, states) in [(1009, 8, 1000), (1009, 16, 1000), (10_007, 20, 9000), (101, 24, 101)] {
            let shape = shape(slots, bits);
            // Insertion after insertion: with k states in the table, k/(m-k+1) taken slots are
            // probed on average.
            let right: f64 = (0..states)
                .map(|stored| {
                    let probes = stored as f64 / (slots - stored + 1) as f64;
                    (1.0 - probes * shape.collision).max(0.0)
                })
                .product();
            let found = shape.previous_scheme(states);
            assert!(found >= (1.0 - right) * (1.0 - 1e-12), "{slots} {bits}: {found} {}", 1.0 - right);
        }
    }

    #[test]
    fn depth_first_bounds_are_steps_times_probes() {
        let bounds = depth_first(shape(1_000_003, 40), 100, 999, 900_000);
        close(bounds.seen, 1000.0 * 100.0 / (2f64.powi(40) - 1.0), 1e-6);
        assert!(bounds.any > bounds.seen && bounds.any < bounds.seen * 1.01);
        assert!(bounds.even_one > bounds.any);
        assert_eq!(depth_first(shape(101, 8), 400, 10_000_000, 100).seen, 1.0);
        // There is nothing to be taken for before something is stored.
        assert_eq!(depth_first(shape(101, 8), 5, 0, 0).seen, 0.0);
    }
}
