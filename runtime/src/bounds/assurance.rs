//! How sure the result of a search with signatures is, and how sure it could be.

use super::advice::Expected;
use super::advice::bits_for;
use super::{OmissionBounds, Probability, on_disk};
use crate::datum::Datum;
use crate::hashing::signature::Bits;

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
    /// After the first run, with signatures of this many bits. `bounds` are those that the search
    /// would have with another number of bits.
    pub fn of(
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

    /// For machines.
    pub fn figures(&self) -> [(&'static str, Datum); 4] {
        let runs = self
            .runs
            .iter()
            .map(|&(seed, bounds)| Datum::record([("seed", seed.into()), ("bounds", bounds.into())]));
        [
            ("bounds", self.bounds.into()),
            ("one_more_bit", self.one_more_bit.into()),
            ("enough_bits", self.enough_bits.into()),
            ("runs", Datum::List(runs.collect())),
        ]
    }

    /// A line for people.
    pub fn line(&self) -> String {
        let OmissionBounds { seen, any, even_one } = self.bounds;
        format!(
            "probability of having missed any one state at most {}, up to the depth reached {}, even one {}",
            at_most(any),
            at_most(seen),
            at_most(even_one)
        )
    }

    /// Whether the bound is as small as was wanted.
    pub fn is_enough(&self) -> bool {
        self.target.is_none_or(|target| self.bounds.any <= target)
    }
}

impl From<OmissionBounds> for Datum {
    fn from(OmissionBounds { seen, any, even_one }: OmissionBounds) -> Self {
        Datum::record([
            ("missed_error", any.into()),
            ("missed_state_up_to_depth", seen.into()),
            ("missed_any", even_one.into()),
        ])
    }
}

/// The bits to begin with, if the user wants a bound and says no number of bits.
pub fn first_bits(expected: Expected, target: Probability, disk: bool) -> Bits {
    let bits = if disk { on_disk::bits_for(expected, target) } else { bits_for(expected, target) };
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
    use super::super::{Shape, cached};
    use super::*;

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
