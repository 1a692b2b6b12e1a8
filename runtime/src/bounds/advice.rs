//! How many bits a search should use.

use super::Probability;
use crate::hashing::signature::Bits;

/// States and depth that a search is expected to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub states: u64,
    pub depth: u64,
}

/// Formula (4): about what the bound on missing any particular state will be, if the table fills
/// up.
pub fn estimate(expected: Expected, bits: u32) -> Probability {
    (weight(expected) / (2f64.powi(bits as i32) - 1.0)).min(1.0)
}

/// The bound that formula (4) gives for one single signature: d (ln n - 1.2).
fn weight(expected: Expected) -> f64 {
    // For a handful of states the formula is not made; it does not get below one probe a level.
    let probes = ((expected.states.max(1) as f64).ln() - 1.2).max(1.0);
    expected.depth.max(1) as f64 * probes
}

/// The fewest bits with which the bound should come to `target` at most.
pub fn bits_for(expected: Expected, target: Probability) -> u32 {
    (Bits::LEAST..64).find(|&bits| estimate(expected, bits) <= target).unwrap_or(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Table 2 of the paper, as far as its digits go.
    #[test]
    fn the_estimates_of_the_paper() {
        let printed = [
            (16, [(100, 0.030), (200, 0.060), (500, 0.15)]),
            (20, [(100, 0.0019), (200, 0.0037), (500, 0.0093)]),
            (24, [(100, 0.00012), (200, 0.00023), (500, 0.00058)]),
        ];
        for (bits, row) in printed {
            for (depth, printed) in row {
                let found = estimate(Expected { states: 1_000_000_000, depth }, bits);
                assert!((found / printed - 1.0).abs() < 0.04, "{bits} {depth}: {found}, not {printed}");
            }
        }
    }

    #[test]
    fn bits_for_a_target() {
        let expected = Expected { states: 1_000_000_000, depth: 500 };
        assert_eq!(bits_for(expected, 0.01), 20);
        assert_eq!(bits_for(expected, 0.0093), 21);
        assert_eq!(bits_for(expected, 0.5), 15);
        assert_eq!(bits_for(expected, 1e-30), 64);
        assert_eq!(bits_for(Expected { states: 0, depth: 0 }, 1.0), 8);
    }
}
