//! Sums over all states, and the mean and the deviation that follow from them.
//!
//! What is summed are whole numbers, apart for states with different numbers of transitions, so the
//! result is the same to the last digit in whatever order the states came and however many threads
//! counted.

use super::{Profile, Row};
use std::collections::{BTreeMap, BTreeSet};

/// How many levels on a transition leads: 1 at most, and back if it is negative.
pub type Difference = i64;

/// Bytes that an entry of the sums takes, about.
pub const ENTRY_BYTES: u64 = 64;

/// What some states have said.
#[derive(Debug, Default)]
pub struct Tally {
    /// For each number of transitions, how many states have as many.
    states: BTreeMap<u64, u64>,
    /// For each difference, over the states with one number of transitions.
    sums: BTreeMap<(Difference, u64), TransitionSums>,
}

/// Over some states: of the transitions that lead so far, and of their squares.
#[derive(Clone, Copy, Debug, Default)]
struct TransitionSums {
    transitions: u64,
    squares: u128,
}

impl Tally {
    /// One more state: how far its transitions lead, in any order.
    pub fn add(&mut self, differences: &mut [Difference]) {
        let transitions = differences.len() as u64;
        *self.states.entry(transitions).or_default() += 1;
        differences.sort_unstable();
        for alike in differences.chunk_by(|left, right| left == right) {
            let (difference, count) = (alike[0], alike.len() as u64);
            let sums = self.sums.entry((difference, transitions)).or_default();
            sums.transitions += count;
            sums.squares += u128::from(count) * u128::from(count);
        }
    }

    /// The states of another tally as well.
    pub fn join(&mut self, other: &Tally) {
        for (&transitions, count) in &other.states {
            *self.states.entry(transitions).or_default() += count;
        }
        for (&key, more) in &other.sums {
            let sums = self.sums.entry(key).or_default();
            sums.transitions += more.transitions;
            sums.squares += more.squares;
        }
    }

    /// Sums that are kept.
    pub fn entries(&self) -> u64 {
        self.sums.len() as u64
    }

    /// Transitions that were counted.
    pub fn transitions(&self) -> u64 {
        self.states.iter().map(|(transitions, count)| transitions * count).sum()
    }

    pub fn profile(&self) -> Profile {
        let differences = self.sums.keys().map(|&(difference, _)| difference);
        let rows: BTreeSet<Difference> = differences.chain([-1, 0, 1]).collect();
        Profile {
            states: self.states.values().sum(),
            transitions: self.transitions(),
            stuck: self.states.get(&0).copied().unwrap_or(0),
            rows: rows.into_iter().rev().map(|difference| self.row(difference)).collect(),
        }
    }

    /// The variance is that of the means of the groups, and the mean of those within the groups.
    /// Nothing is lost by taking the difference of two large sums: within a group it is taken of
    /// whole numbers.
    fn row(&self, difference: Difference) -> Row {
        let all = self.states.values().sum::<u64>().max(1) as f64;
        let group = |transitions: u64| self.sums.get(&(difference, transitions)).copied().unwrap_or_default();
        // A state without transitions has none that lead anywhere: its fraction is 0.
        let share =
            |transitions: u64, sum: f64| if transitions == 0 { 0.0 } else { sum / transitions as f64 };
        let mean = self.states.keys().map(|&of| share(of, group(of).transitions as f64)).sum::<f64>() / all;
        let spread = self.states.iter().map(|(&of, &count)| {
            let TransitionSums { transitions, squares } = group(of);
            let within = u128::from(count) * squares - u128::from(transitions) * u128::from(transitions);
            let within = share(of, share(of, within as f64)) / count as f64;
            let off = share(of, transitions as f64) / count as f64 - mean;
            within + count as f64 * off * off
        });
        let deviation = (spread.sum::<f64>() / all).sqrt();
        let transitions = self.states.keys().map(|&of| group(of).transitions).sum();
        Row { difference, mean, deviation, transitions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(states: &[&[Difference]]) -> Tally {
        let mut tally = Tally::default();
        states.iter().for_each(|differences| tally.add(&mut differences.to_vec()));
        tally
    }

    /// Fractions of 1: a whole, a third, a half, none.
    #[test]
    fn means_and_deviations_follow_the_definition() {
        let profile = tally(&[&[1, 1], &[1, -3, 0], &[0, 1], &[]]).profile();
        assert_eq!((profile.states, profile.transitions, profile.stuck), (4, 7, 1));
        let differences: Vec<Difference> = profile.rows.iter().map(|row| row.difference).collect();
        assert_eq!(differences, [1, 0, -1, -3]);
        let fractions = [1.0, 1.0 / 3.0, 0.5, 0.0];
        let mean = fractions.iter().sum::<f64>() / 4.0;
        let variance =
            fractions.iter().map(|fraction| (fraction - mean) * (fraction - mean)).sum::<f64>() / 4.0;
        assert!((profile.rows[0].mean - mean).abs() < 1e-15);
        assert!((profile.rows[0].deviation - variance.sqrt()).abs() < 1e-15);
        assert!((profile.local() - 2.0 / 3.0).abs() < 1e-15);
    }

    /// Where all states are alike there is no deviation at all, whatever the fraction.
    #[test]
    fn nothing_is_lost_by_cancellation() {
        let mut tally = Tally::default();
        (0..1_000_000).for_each(|_| tally.add(&mut [1, 0, -1]));
        let profile = tally.profile();
        assert!(profile.rows.iter().all(|row| row.deviation == 0.0), "{profile:?}");
        assert!((profile.local() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn parts_are_joined_in_any_order() {
        let parts = [tally(&[&[1], &[0, 1, -2]]), tally(&[&[], &[-2, -2]]), tally(&[&[1, 1, 0]])];
        let join = |order: [usize; 3]| {
            let mut all = Tally::default();
            order.iter().for_each(|&part| all.join(&parts[part]));
            all.profile()
        };
        assert_eq!(join([0, 1, 2]), join([2, 0, 1]));
        assert_eq!(join([0, 1, 2]).states, 5);
    }

    #[test]
    fn without_states_there_is_nothing_to_tell() {
        let profile = Tally::default().profile();
        assert_eq!((profile.states, profile.local()), (0, 0.0));
    }
}
