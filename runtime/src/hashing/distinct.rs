//! Estimates how many different things there were, without keeping them (HyperLogLog, Flajolet and
//! others 2007).
//!
//! Among n random numbers the most zeros that one begins with are about log n. That is noted in
//! 4096 registers, each for its part of the numbers, and their harmonic mean gives n within two
//! percent, mostly. What was seen before changes nothing.

/// Registers: `1 << BITS`.
const BITS: u32 = 12;
const REGISTERS: usize = 1 << BITS;

#[derive(Clone, Debug)]
pub struct Distinct {
    most: Box<[u8; REGISTERS]>,
}

impl Default for Distinct {
    fn default() -> Self {
        Distinct { most: Box::new([0; REGISTERS]) }
    }
}

impl Distinct {
    /// What an estimate takes in memory.
    pub const BYTES: u64 = REGISTERS as u64;

    /// Something with this hash was there.
    #[inline(always)]
    pub fn see(&mut self, hash: u64) {
        // The top bits of a hash may be the same for all.
        let mixed = (hash ^ hash >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let register = &mut self.most[(mixed >> (64 - BITS)) as usize];
        let zeros = (mixed << BITS).leading_zeros().min(64 - BITS) as u8 + 1;
        *register = (*register).max(zeros);
    }

    /// All that it remembers.
    pub fn registers(&self) -> &[u8] {
        &*self.most
    }

    pub fn registers_mut(&mut self) -> &mut [u8] {
        &mut *self.most
    }

    /// Takes in what another one saw.
    pub fn join(&mut self, other: &Distinct) {
        self.most.iter_mut().zip(other.most.iter()).for_each(|(most, other)| *most = (*most).max(*other));
    }

    /// About how many different hashes there were.
    pub fn estimate(&self) -> u64 {
        let registers = REGISTERS as f64;
        let empty = self.most.iter().filter(|most| **most == 0).count();
        let sum: f64 = self.most.iter().map(|most| 2f64.powi(-i32::from(*most))).sum();
        let raw = 0.7213 / (1.0 + 1.079 / registers) * registers * registers / sum;
        // For few it is more precise to count the registers that saw nothing.
        match empty {
            1.. if raw <= 2.5 * registers => (registers * (registers / empty as f64).ln()).round() as u64,
            _ => raw.round() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn within_five_percent_however_often_they_come() {
        for skipped in [0, 4] {
            for count in [0u64, 1, 50, 3000, 12_000, 200_000, 3_000_000] {
                let mut parts = [Distinct::default(), Distinct::default()];
                for round in 0..2 {
                    let mut random = Random(count);
                    for at in 0..count {
                        parts[((at + round) % 2) as usize].see(random.number() >> skipped);
                    }
                }
                let [mut all, other] = parts;
                all.join(&other);
                let apart = all.estimate().abs_diff(count);
                assert!(apart <= count / 20 + 1, "{count}: {}", all.estimate());
            }
        }
    }
}
