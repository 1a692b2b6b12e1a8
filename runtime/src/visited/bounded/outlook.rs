//! Whether a cache along a path is about to be too small.
//!
//! A search that evicts states which it will find again runs for very long: each of them is
//! explored once more with all that lies behind it, and finds other evicted states there. The
//! paper's signs of it, before it happens, are the share of rules that lead to known states, each
//! of which could have been evicted, and a path that is long compared with the cache.

use super::PathCacheStats;

/// More visits of each state than this, in hundredths, are a sign …
const SOME_VISITS: u64 = 150;
/// … and these are what was to be avoided.
const MANY_VISITS: u64 = 400;
/// Percentage of rules that lead to known states from which on the cache is nearly too small.
const MANY_MATCHED: u64 = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// Evicted states are hardly ever found again.
    Well,
    /// Evicted states may soon be found again and again.
    Near,
    /// Most visits are to states that were visited before.
    Blown,
}

impl Outlook {
    /// The outlook after `visits` visits and `rules` rules, `matched` of which led to known states.
    pub fn of(bounds: &PathCacheStats, visits: u64, rules: u64, matched: u64, longest: u64) -> Self {
        if bounds.evicted == 0 {
            return Outlook::Well;
        }
        let repeated = 100 * visits / bounds.distinct.max(1);
        let long = longest > bounds.capacity.max(1) && repeated > 110;
        if repeated >= MANY_VISITS {
            Outlook::Blown
        } else if repeated >= SOME_VISITS || long || 100 * matched >= MANY_MATCHED * rules.max(1) {
            Outlook::Near
        } else {
            Outlook::Well
        }
    }

    /// For machines.
    pub fn name(self) -> &'static str {
        match self {
            Outlook::Well => "well",
            Outlook::Near => "near",
            Outlook::Blown => "blown up",
        }
    }

    /// For a line of progress.
    pub fn words(self) -> &'static str {
        match self {
            Outlook::Well => "the cache is large enough so far",
            Outlook::Near => "the cache is nearly too small",
            Outlook::Blown => "the cache is too small: stop, and give it more",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visited::bounded::choice::Eviction;

    #[test]
    fn signs_come_before_what_they_warn_of() {
        let of = |evicted, distinct, visits, matched, longest| {
            let bounds = PathCacheStats {
                eviction: Eviction::Random,
                capacity: 500,
                bytes_per_state: 64,
                most: 600,
                most_beside: 500,
                evicted,
                hits: 0,
                distinct,
            };
            Outlook::of(&bounds, visits, 10_000, matched, longest)
        };
        assert_eq!(of(0, 10_000, 10_000, 9_000, 10_000), Outlook::Well);
        assert_eq!(of(9_000, 10_000, 10_050, 100, 90), Outlook::Well);
        assert_eq!(of(9_000, 10_000, 10_050, 3_000, 90), Outlook::Near);
        assert_eq!(of(9_000, 10_000, 12_000, 100, 900), Outlook::Near);
        assert_eq!(of(9_000, 10_000, 16_000, 100, 90), Outlook::Near);
        assert_eq!(of(90_000, 10_000, 41_000, 100, 90), Outlook::Blown);
    }
}
