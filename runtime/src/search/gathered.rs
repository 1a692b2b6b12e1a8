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

    /// All states, one after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a state. False: it is there already.
    pub fn add(&mut self, state: &[u64]) -> bool {
        if (self.len() + 1) * ROOM > self.places.len() {
            self.grow();
        }
        let hash = hash(state);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashSet;

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
                    assert_eq!(gathered.add(&state), is_new);
                    if is_new {
                        expected.extend(state);
                    }
                }
                assert_eq!((gathered.words(), gathered.len()), (&expected[..], known.len()));
            }
        }
    }
}
