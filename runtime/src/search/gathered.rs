//! What the states of a batch lead to, each successor once, as a worker gathers it for its server.
//!
//! Only successors of the same batch are compared. The first of equal ones stays, which is the one
//! that the server would store, so an answer means what it would mean with all of them. It does not
//! depend on earlier answers of the worker: those may have been dropped.

use crate::hashing::words::hash;

/// Places of the table for each state, at least.
const ROOM: usize = 2;
/// Places of the table at first.
const FEWEST: usize = 1 << 10;

/// Different stored states, in the order in which they came.
#[derive(Debug)]
pub struct Gathered {
    /// Words of a state.
    width: usize,
    words: Vec<u64>,
    /// For each place 0, or the high half of a state's hash and, below it, its number plus one.
    places: Vec<u64>,
}

impl Gathered {
    pub fn new(width: usize) -> Self {
        Gathered { width, words: Vec::new(), places: vec![0; FEWEST] }
    }

    pub fn clear(&mut self) {
        self.words.clear();
        self.places.fill(0);
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Bytes of its memory.
    pub fn bytes(&self) -> u64 {
        8 * (self.words.capacity() + self.places.capacity()) as u64
    }

    /// A state, by its number.
    pub fn state(&self, number: usize) -> &[u64] {
        self.words.get(number * self.width..(number + 1) * self.width).unwrap_or_default()
    }

    /// All states, one after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a state, which has this hash. False: it is there already.
    pub fn add(&mut self, state: &[u64], hash: u64) -> bool {
        if (self.len() + 1) * ROOM > self.places.len() {
            self.grow();
        }
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while let Some(&held) = self.places.get(place).filter(|held| **held != 0) {
            let number = (held as u32 - 1) as usize;
            let is_like = held >> u32::BITS == hash >> u32::BITS;
            if is_like && self.words.get(number * self.width..(number + 1) * self.width) == Some(state) {
                return false;
            }
            place = (place + 1) & mask;
        }
        self.hold(place, hash, self.len());
        self.words.extend_from_slice(state);
        true
    }

    fn hold(&mut self, place: usize, hash: u64, number: usize) {
        if let Some(held) = self.places.get_mut(place) {
            *held = hash >> u32::BITS << u32::BITS | (number as u64 + 1);
        }
    }

    fn grow(&mut self) {
        let places = 2 * self.places.len();
        self.places = vec![0; places];
        for number in 0..self.len() {
            let hash = hash(&self.words[number * self.width..(number + 1) * self.width]);
            let mut place = hash as usize & (places - 1);
            while self.places[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.hold(place, hash, number);
        }
    }
}

/// States that were found to be valid lately, so that they need not be checked again: the last one
/// for each place. They are compared in full, so a state that is not valid is never taken for one
/// of them.
#[derive(Debug)]
pub struct Checked {
    width: usize,
    /// For each place 0, or the hash of a state, its last bit set.
    hashes: Vec<u64>,
    words: Vec<u64>,
}

impl Checked {
    /// Takes about this number of bytes.
    pub fn new(width: usize, bytes: u64) -> Self {
        let places = (bytes / (8 * (width as u64 + 1))).clamp(1, 1 << 20) as usize;
        let places = if places.is_power_of_two() { places } else { places.next_power_of_two() / 2 };
        Checked { width, hashes: vec![0; places], words: vec![0; places * width] }
    }

    pub fn bytes(&self) -> u64 {
        8 * (self.hashes.capacity() + self.words.capacity()) as u64
    }

    fn place(&self, hash: u64) -> usize {
        (hash >> 1) as usize & (self.hashes.len() - 1)
    }

    /// Whether the state, which has this hash, was found to be valid.
    pub fn has(&self, state: &[u64], hash: u64) -> bool {
        let place = self.place(hash);
        self.hashes.get(place) == Some(&(hash | 1))
            && self.words.get(place * self.width..(place + 1) * self.width) == Some(state)
    }

    /// Takes note of a valid state.
    pub fn add(&mut self, state: &[u64], hash: u64) {
        let place = self.place(hash);
        if let Some(words) = self.words.get_mut(place * self.width..(place + 1) * self.width) {
            words.copy_from_slice(state);
            self.hashes[place] = hash | 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashSet;

    #[test]
    fn only_what_was_noted_was_checked() {
        let mut random = Random(9);
        for width in 1..4 {
            let mut checked = Checked::new(width, 4 << 10);
            let (mut noted, mut kept) = (HashSet::new(), 0);
            for _ in 0..20_000 {
                let state: Vec<u64> = (0..width).map(|_| random.number() % 13).collect();
                // Like hashes of different states.
                let hash = hash(&state) >> 60;
                if checked.has(&state, hash) {
                    assert!(noted.contains(&state), "{state:?}");
                    kept += 1;
                } else if random.number().is_multiple_of(2) {
                    checked.add(&state, hash);
                    noted.insert(state);
                }
            }
            assert!(kept > 0);
        }
    }

    #[test]
    fn each_state_is_there_once_and_in_its_order() {
        let mut random = Random(5);
        for width in 1..4 {
            let mut gathered = Gathered::new(width);
            for round in 0..3 {
                gathered.clear();
                let (mut known, mut expected) = (HashSet::new(), Vec::new());
                for _ in 0..5000 * round {
                    let state: Vec<u64> = (0..width).map(|_| random.number() % 17).collect();
                    let is_new = known.insert(state.clone());
                    assert_eq!(gathered.add(&state, hash(&state)), is_new);
                    if is_new {
                        expected.extend(state);
                    }
                }
                assert_eq!((gathered.words(), gathered.len()), (&expected[..], known.len()));
            }
        }
    }
}
