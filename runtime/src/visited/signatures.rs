//! How signatures take the place of states (`-c`), whatever kind of set they are kept in.

use crate::bounds::advice::{Expected, estimate};
use crate::bounds::assurance::at_most;
use crate::bounds::{Probability, on_disk};
use crate::datum::Datum;
use crate::hashing::signature::Bits;
use crate::text::{grouped, plural};

/// Signatures instead of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignatureConfig {
    pub bits: Bits,
    /// The hash functions are drawn with it.
    pub seed: u64,
    pub target: Option<Target>,
}

/// The bound that the user wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    pub bound: Probability,
    /// The search for which it is wanted.
    pub expected: Expected,
}

impl SignatureConfig {
    /// How states are compacted, and what may be expected of it. `probes`: a signature is looked
    /// for in at most this number of slots. `on_disk`: it is compared with all others.
    pub fn heading(&self, probes: Option<u64>, on_disk: bool) -> String {
        let SignatureConfig { bits, seed, target } = self;
        let bits = bits.get();
        let how = probes.map_or(String::new(), |probes| format!(", at most {}", plural(probes, "probe")));
        let estimate = target.map(|Target { bound, expected }| {
            format!(
                "; with {} and depth {} about {} is to be expected, and {bound} is wanted",
                plural(expected.states, "state"),
                grouped(expected.depth),
                at_most(if on_disk { on_disk::expected(expected, bits) } else { estimate(expected, bits) })
            )
        });
        format!("Hash compaction to {bits} bits{how}, --seed {seed}{}", estimate.unwrap_or_default())
    }

    /// Keys of the report's `options`.
    pub fn options(&self) -> [(&'static str, Datum); 3] {
        let target = self.target.map(|target| target.bound);
        [("bits", self.bits.get().into()), ("seed", self.seed.into()), ("target", target.into())]
    }

    /// What a checkpoint has to agree with; `slots` is what the user said about the table.
    pub fn identity(&self, slots: Option<u64>) -> [(&'static str, String); 4] {
        let slots = slots.map_or("as many as fit".to_owned(), |slots| slots.to_string());
        [
            ("--compact", "on".to_owned()),
            ("--bits", self.bits.get().to_string()),
            ("--seed", self.seed.to_string()),
            ("--slots", slots),
        ]
    }
}
