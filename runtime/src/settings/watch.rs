//! Whether a search finds a certain state, and how many different ones: for experiments on missed
//! and evicted states.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A state to look out for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    #[default]
    Off,
    /// Remember the last new state.
    Last,
    /// See whether this one is found: its words, as the model computes on them.
    State(Box<[u64]>),
    /// Keep all states beside the visited set: a search that evicts states does not know how many
    /// different ones it has visited.
    Distinct,
    /// Keep all states beside the visited set, and list them.
    States,
}

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    pub words: Box<[u64]>,
    pub found: bool,
    pub distinct: HashSet<Box<[u64]>>,
    /// Whether the states are listed.
    pub listed: bool,
}

impl Watch {
    /// `last`, `distinct`, `states`, or the words of a state in hexadecimal.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text == "last" {
            return Ok(Watch::Last);
        }
        if text == "distinct" {
            return Ok(Watch::Distinct);
        }
        if text == "states" {
            return Ok(Watch::States);
        }
        let word =
            |at: usize| text.get(16 * at..16 * at + 16).and_then(|word| u64::from_str_radix(word, 16).ok());
        let words: Option<Box<[u64]>> = (0..text.len() / 16).map(word).collect();
        let words = words.filter(|words| words.len() * 16 == text.len() && !words.is_empty());
        words.map(Watch::State).ok_or_else(|| {
            "\"last\", \"distinct\", \"states\", or sixteen hexadecimal digits for each word of a state"
                .to_owned()
        })
    }

    /// A new state was found.
    #[inline(always)]
    pub fn see(&self, state: &[u64], watched: &mut Watched) {
        match self {
            Watch::Off => {}
            Watch::Last => (watched.words, watched.found) = (state.into(), true),
            Watch::State(words) => watched.found |= **words == *state,
            Watch::Distinct => watched.remember(state),
            Watch::States => {
                watched.listed = true;
                watched.remember(state);
            }
        }
    }
}

impl Watched {
    #[cold]
    fn remember(&mut self, state: &[u64]) {
        if !self.distinct.contains(state) {
            self.distinct.insert(state.into());
        }
    }

    /// What another thread has seen as well.
    pub fn join(&mut self, other: &Watched) {
        if other.found {
            (self.words, self.found) = (other.words.clone(), true);
        }
        self.listed |= other.listed;
        self.distinct.extend(other.distinct.iter().cloned());
    }

    /// As [`Watch::parse`] reads it.
    pub fn text(&self) -> String {
        hexadecimal(&self.words)
    }

    /// A digest of 128 bits of the set of states, which does not depend on the order in which they
    /// were found.
    pub fn digest(&self) -> u128 {
        let half = |state: &[u64], half: u8| {
            let mut hasher = DefaultHasher::new();
            (half, state).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        let of_state = |state: &[u64]| half(state, 0) << 64 | half(state, 1);
        self.distinct.iter().fold(0, |sum: u128, state| sum.wrapping_add(of_state(state)))
    }

    /// All states that were seen, in some order that depends on nothing else.
    pub fn states(&self) -> Vec<String> {
        let mut states: Vec<String> = self.distinct.iter().map(|words| hexadecimal(words)).collect();
        states.sort_unstable();
        states
    }
}

fn hexadecimal(words: &[u64]) -> String {
    words.iter().map(|word| format!("{word:016x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_again() {
        let watched = Watched { words: [1, u64::MAX, 0xabc].into(), found: true, ..Watched::default() };
        assert_eq!(Watch::parse(&watched.text()), Ok(Watch::State(watched.words)));
        assert_eq!(Watch::parse("last"), Ok(Watch::Last));
        assert_eq!(Watch::parse("distinct"), Ok(Watch::Distinct));
        assert_eq!(Watch::parse("states"), Ok(Watch::States));
        for wrong in ["", "first", "12", "00000000000000zz", "000000000000000é", "00000000000000001"] {
            assert!(Watch::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn states_are_counted_once_whoever_sees_them() {
        let mut threads = [Watched::default(), Watched::default()];
        for (thread, state) in [(0, 7), (0, 8), (0, 7), (1, 8), (1, 9)] {
            Watch::Distinct.see(&[state], &mut threads[thread]);
        }
        let mut all = Watched::default();
        threads.iter().for_each(|watched| all.join(watched));
        assert_eq!((all.distinct.len(), all.found), (3, false));
    }

    #[test]
    fn sets_are_told_apart_whatever_the_order() {
        let seen = |states: &[[u64; 2]]| {
            let mut watched = Watched::default();
            states.iter().for_each(|state| Watch::States.see(state, &mut watched));
            watched
        };
        let set = seen(&[[1, 2], [3, 4], [5, 6]]);
        let again = seen(&[[5, 6], [1, 2], [3, 4], [1, 2]]);
        assert_eq!((set.digest(), set.states()), (again.digest(), again.states()));
        assert!(set.listed);
        assert_eq!(set.states()[2], "00000000000000050000000000000006");
        for other in [&[[1, 2], [3, 4]][..], &[[1, 2], [3, 4], [6, 5]], &[[1, 4], [3, 2], [5, 6]], &[]] {
            assert_ne!(set.digest(), seen(other).digest(), "{other:?}");
        }
    }
}
