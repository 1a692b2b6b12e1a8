//! The bounds of a search whose signatures are on disk.
//!
//! The formulas are those of Stern and Dill, "Using magnetic disk instead of main memory in the
//! Murphi verifier" (1998). A state is compared with all others there, not with a few of them as in
//! a hash table, so more bits are needed.

use super::advice::Expected;
use super::{OmissionBounds, Probability, Sum, logarithm_of_right};
use crate::hashing::signature::Bits;

/// What a search on disk has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found<'a> {
    /// States in all.
    pub states: u64,
    /// States that were on disk at the end of each level.
    pub level_ends: &'a [u64],
}

/// Formula (1) and what it is made of, with one check for each level.
///
/// A level that is checked more often, and by segments at times of their own, has the same bound,
/// see [`bounds`]: so it depends neither on the memory for candidates nor on the number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    /// 1 - ∏ (1 - k(i)/l), for i from 2 to t: the bound on missing any particular state that was
    /// within reach. The paper has k(i) - 1, but a state that was missed is not one of the k(i).
    pub bound: Probability,
    /// t: one for each level, and one for the successors of the last.
    pub checks: u64,
    /// The sum of all k(i).
    pub compared: u64,
    /// n t/2l: about what it comes to where the table grows evenly.
    pub estimate: Probability,
}

/// The bound of the paper for what a search did, if its signatures had this many bits.
pub fn formula(found: Found<'_>, bits: Bits) -> Formula {
    let ends = ends(found);
    let checks = ends.len() as u64 + 1;
    Formula {
        bound: bounds(found, bits).seen,
        checks,
        compared: ends.iter().sum(),
        estimate: estimate(found.states, checks, bits.get()),
    }
}

/// States that were found up to the end of each level in which there were new ones.
fn ends(found: Found<'_>) -> Vec<u64> {
    // What was found in a level that did not end was compared with as many as there are.
    let mut ends: Vec<u64> = found.level_ends.iter().copied().chain([found.states]).collect();
    ends.dedup();
    ends.retain(|&end| end > 0);
    ends
}

/// n t/2l.
fn estimate(states: u64, checks: u64, bits: u32) -> Probability {
    (states as f64 * checks as f64 / 2.0 * 2f64.powi(-(bits as i32))).min(1.0)
}

/// About what the bound will be for what is expected: a check for each level, the start states' and
/// that of the last successors included.
pub fn expected(expected: Expected, bits: u32) -> Probability {
    estimate(expected.states, expected.depth + 2, bits)
}

/// The fewest bits with which the bound should come to `target` at most.
pub fn bits_for(wanted: Expected, target: Probability) -> u32 {
    (Bits::LEAST..64).find(|&bits| expected(wanted, bits) <= target).unwrap_or(64)
}

/// Our bounds, which go by levels rather than by checks.
///
/// On a path s0 … sd there is one state of each level. If s(i-1) was expanded, s(i) was compared
/// with states that were found up to the end of level i, and with no others: K(i) at most, however
/// often the table was read in that level. (If s(i) was missed it is none of them.) A state beyond
/// everything that was found is missed only together with the first one beyond, which was compared
/// with all n.
pub fn bounds(found: Found<'_>, bits: Bits) -> OmissionBounds {
    let (mut path, mut everywhere) = (Sum::default(), Sum::default());
    let missed = |stored: u64| logarithm_of_right(stored as f64 * bits.likeliest());
    let mut before = 0;
    for stored in ends(found) {
        path.add(missed(stored));
        everywhere.add(missed(stored) * (stored - before) as f64);
        before = stored;
    }
    let last = missed(found.states);
    OmissionBounds {
        seen: -path.get().exp_m1(),
        any: -(path.get() + last).exp_m1(),
        even_one: -(everywhere.get() + last).exp_m1(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(bits: u32) -> Bits {
        Bits::new(bits).unwrap()
    }

    fn close(found: f64, expected: f64, precision: f64) {
        assert!((found / expected - 1.0).abs() < precision, "{found:e}, not {expected:e}");
    }

    /// Table 1 of the paper, as far as its digits go.
    #[test]
    fn the_estimates_of_the_paper() {
        let printed = [
            (40, [(200, 0.091), (500, 0.23), (1000, 0.45)]),
            (48, [(200, 0.00036), (500, 0.00089), (1000, 0.0018)]),
        ];
        for (bits, row) in printed {
            for (checks, printed) in row {
                close(estimate(1_000_000_000, checks, bits), printed, 0.02);
            }
        }
        let wanted = Expected { states: 1_000_000_000, depth: 998 };
        assert_eq!(bits_for(wanted, 0.002), 48);
        assert_eq!(bits_for(wanted, 0.0017), 49);
        assert_eq!(bits_for(wanted, 1e-30), 64);
    }

    /// By hand: 1, 3 and 7 states, and a check of the last successors, none of which is new.
    #[test]
    fn formula_1_has_the_read_after_the_last_level() {
        let small = Found { states: 7, level_ends: &[1, 3, 7, 7] };
        let each = bits(8).likeliest();
        let by_hand = 1.0 - (1.0 - each) * (1.0 - 3.0 * each) * (1.0 - 7.0 * each);
        let found = formula(small, bits(8));
        close(found.bound, by_hand, 1e-12);
        assert_eq!((found.checks, found.compared), (4, 11));
        close(found.estimate, 7.0 * 4.0 / 512.0, 1e-12);
        let ours = bounds(small, bits(8));
        close(ours.seen, by_hand, 1e-12);
        close(ours.any, 1.0 - (1.0 - by_hand) * (1.0 - 7.0 * each), 1e-12);
        assert!(ours.even_one > ours.any);
        assert_eq!(bounds(Found::default(), bits(8)), OmissionBounds::default());
    }

    /// The tree of the paper's companion, 2^18 - 1 states in 18 levels, with 24 bits.
    #[test]
    fn formula_1_of_the_tree() {
        let level_ends: Vec<u64> = (1..=18).map(|level| (1 << level) - 1).collect();
        let tree = Found { states: 262_143, level_ends: &level_ends };
        let found = formula(tree, bits(24)).bound;
        assert!((0.0308..0.0310).contains(&found), "{found}");
    }

    #[test]
    fn a_level_that_was_cut_off_counts_as_one() {
        let whole = Found { states: 7_000_000, level_ends: &[1, 3_000_000, 7_000_000, 7_000_000] };
        let cut = Found { states: 9_000_000, ..whole };
        assert!(bounds(cut, bits(48)).seen > 1.5 * bounds(whole, bits(48)).seen);
        assert_eq!(formula(cut, bits(48)).checks, formula(whole, bits(48)).checks + 1);
        assert_eq!(bounds(whole, bits(8)).any, 1.0);
    }
}
