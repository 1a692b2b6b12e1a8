//! How sure the result of a search with signatures is, and how sure it could be.

use super::advice::Expected;
use super::advice::bits_for;
use super::{Levels, OmissionBounds, Probability, Shape, cached, depth_first, on_disk};
use crate::hashing::signature::Bits;
use crate::visited::cache::CacheStats;
use crate::visited::cache::kept::WAYS;
use crate::visited::compact::{CompactStats, Probing};
use crate::visited::disk::figures::DiskStats;

/// What several searches, or one, guarantee together.
#[derive(Clone, Debug, PartialEq)]
pub struct Assurance {
    /// All runs together.
    pub bounds: OmissionBounds,
    /// Each run with its seed.
    pub runs: Vec<(u64, OmissionBounds)>,
    /// The bounds of the last run with one more bit a slot.
    pub one_more_bit: Option<OmissionBounds>,
    /// The bits that would have been enough for the bound that was wanted, by what is known now.
    pub enough_bits: Option<u32>,
    /// The bound that was wanted.
    pub target: Option<Probability>,
}

impl Assurance {
    /// After the first run. `depth` is the largest depth of a state.
    pub fn new(compacted: &CompactStats, depth: u64, target: Option<Probability>) -> Self {
        Self::of(compacted.bits, compacted.seed, target, |bits| bounds(compacted, depth, bits))
    }

    /// The same for a cache; `None` if it kept whole states.
    pub fn of_cache(cache: &CacheStats, depth: u64, target: Option<Probability>) -> Option<Self> {
        let (bits, seed) = cache.signatures?;
        let (slots, stored) = (cache.plan.entries(), cache.all().insertions);
        Some(Self::of(bits, seed, target, |bits| {
            cached(Shape { slots, collision: bits.likeliest() }, WAYS as u64, depth, stored)
        }))
    }

    /// The same for a set on disk; `None` if it has whole states.
    pub fn of_disk(figures: &DiskStats, target: Option<Probability>) -> Option<Self> {
        let (bits, seed) = figures.signatures?;
        Some(Self::of(bits, seed, target, |bits| on_disk::bounds(figures, bits)))
    }

    /// Of a search with this many bits, whose bounds would be other ones with others.
    fn of(
        bits: Bits,
        seed: u64,
        target: Option<Probability>,
        bounds: impl Fn(Bits) -> OmissionBounds,
    ) -> Self {
        Assurance {
            bounds: bounds(bits),
            runs: vec![(seed, bounds(bits))],
            one_more_bit: Bits::new(bits.get() + 1).map(&bounds),
            enough_bits: target.and_then(|target| {
                let enough = |bits: &Bits| bounds(*bits).any <= target;
                (Bits::LEAST..=Bits::MOST).filter_map(Bits::new).find(enough).map(Bits::get)
            }),
            target,
        }
    }

    /// After another run, with other functions.
    #[must_use]
    pub fn after(mut self, before: Option<Assurance>) -> Self {
        if let Some(before) = before {
            self.bounds = self.bounds.and(before.bounds);
            let mut runs = before.runs;
            runs.append(&mut self.runs);
            self.runs = runs;
        }
        self
    }

    /// Whether the bound is as small as was wanted.
    pub fn is_enough(&self) -> bool {
        self.target.is_none_or(|target| self.bounds.any <= target)
    }
}

/// The bounds of a search if its slots had this many bits.
fn bounds(compacted: &CompactStats, depth: u64, bits: Bits) -> OmissionBounds {
    let shape = Shape { slots: compacted.slots, collision: bits.likeliest() };
    match compacted.probing {
        Probing::Ordered => {
            let mut levels = Levels::new(shape);
            compacted.levels.iter().for_each(|&new| levels.finish(new));
            levels.bounds()
        }
        Probing::Limited(probes) => depth_first(shape, probes, depth, compacted.states),
    }
}

/// The bits to begin with, if the user wants a bound and says no number of bits.
pub fn first_bits(expected: Expected, target: Probability, disk: bool) -> Bits {
    let bits = match disk {
        true => on_disk::bits_for(expected, target),
        false => bits_for(expected, target),
    };
    Bits::new(bits).unwrap_or(Bits::DEFAULT)
}

/// A bound as text with two digits, rounded up so that it stays a bound.
pub fn at_most(bound: Probability) -> String {
    if bound >= 1.0 {
        return "1".to_owned();
    }
    if bound <= 0.0 {
        return "0".to_owned();
    }
    let mut power = bound.log10().floor() as i32;
    // A little less before rounding up, so that 0.2 does not become 0.21.
    let mut digits = (bound * 10f64.powi(1 - power) * (1.0 - 1e-12)).ceil();
    if digits >= 100.0 {
        (digits, power) = (10.0, power + 1);
    }
    match power {
        -4.. => format!("{:.*}", (1 - power) as usize, digits * 10f64.powi(power - 1)),
        _ => format!("{:.1}e{power}", digits / 10.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(bits: u32) -> CompactStats {
        CompactStats {
            bits: Bits::new(bits).unwrap(),
            slots: 262_147,
            probing: Probing::Ordered,
            seed: 5,
            states: 262_143,
            levels: (0..18).map(|level| 1 << level).collect(),
            table_bytes: 0,
            record_bytes: 0,
        }
    }

    #[test]
    fn a_bit_halves_and_runs_multiply() {
        let once = Assurance::new(&tree(20), 17, Some(1e-6));
        assert!((once.bounds.any / 2.119_55e-5 - 1.0).abs() < 1e-4);
        assert!((once.one_more_bit.unwrap().any / once.bounds.any - 0.5).abs() < 1e-3);
        assert!(!once.is_enough());
        assert_eq!(once.enough_bits, Some(25));
        assert!(Assurance::new(&tree(25), 17, Some(1e-6)).is_enough());
        let twice =
            Assurance::new(&CompactStats { seed: 6, ..tree(20) }, 17, Some(1e-6)).after(Some(once.clone()));
        assert_eq!(twice.bounds.any, once.bounds.any * once.bounds.any);
        assert_eq!(twice.runs.iter().map(|run| run.0).collect::<Vec<_>>(), [5, 6]);
        assert!(twice.is_enough());
        assert_eq!(Assurance::new(&tree(64), 17, None).one_more_bit, None);
    }

    #[test]
    fn depth_first_has_its_own() {
        let limited = CompactStats { probing: Probing::Limited(100), levels: Vec::new(), ..tree(40) };
        let bounds = Assurance::new(&limited, 999, None).bounds;
        assert!((bounds.seen / (1000.0 * 100.0 / 2f64.powi(40)) - 1.0).abs() < 1e-6);
    }

    /// By hand: 16 entries for each of the states on a path of 100, and of one beyond.
    #[test]
    fn a_cache_has_the_bound_of_its_sets() {
        let bounds = cached(Shape { slots: 1 << 20, collision: 2f64.powi(-40) }, 16, 99, 5_000_000);
        assert!((bounds.seen / (1600.0 * 2f64.powi(-40)) - 1.0).abs() < 1e-6);
        assert!((bounds.any / (1616.0 * 2f64.powi(-40)) - 1.0).abs() < 1e-6);
        assert!((bounds.even_one / (16.0 * 5_000_001.0 * 2f64.powi(-40)) - 1.0).abs() < 1e-4);
        // The first state is compared with nothing but itself.
        assert!(cached(Shape { slots: 16, collision: 0.5 }, 16, 0, 1).seen <= 0.5);
    }

    #[test]
    fn bounds_are_rounded_up() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (0.2, "0.20"),
            (0.2001, "0.21"),
            (0.999, "1.0"),
            (0.0093, "0.0093"),
            (0.000_123_4, "0.00013"),
            (2.3e-7, "2.3e-7"),
            (2.301e-7, "2.4e-7"),
            (9.95e-12, "1.0e-11"),
            (1e-300, "1.0e-300"),
        ];
        for (bound, text) in cases {
            assert_eq!(at_most(bound), text, "{bound}");
        }
    }
}
