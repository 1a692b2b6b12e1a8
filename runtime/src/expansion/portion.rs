//! How much is made at a time, so that what a thread works on stays small beside the memory limit.
//!
//! A thread holds the states that it has taken, their successors, and what goes with each of these.
//! All that together is a *portion*. A state with more successors than a portion has room for is
//! expanded in pieces ([`crate::contract::successors`]).

use crate::contract::model::Description;
use crate::settings::Settings;

/// Of the memory limit, the successors of a portion have one part in this many …
const PART: u64 = 256;
/// … but at least `LEAST` bytes, and at most `MOST`.
const LEAST: u64 = 64 << 10;
const MOST: u64 = 4 << 20;
/// Words that go with each successor: hash, signature, origin, rule, owner, and what the visited
/// set says of it.
const BESIDE: usize = 8;
/// How much one thread makes at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portion {
    /// Words of successors, at least those of one.
    pub words: usize,
    /// States taken, at most.
    pub states: usize,
}

impl Portion {
    /// For a search in which `sets` more words go with each successor.
    pub fn new(settings: &Settings, description: &Description, sets: usize) -> Self {
        let words = (settings.memory / PART).clamp(LEAST, MOST) as usize / size_of::<u64>();
        let states = (words / (description.words + BESIDE + sets)).max(1);
        Portion { words: (states * description.words).max(1), states }
    }

    /// With this many words of successors no other state is expanded before they are dealt with.
    /// Well below the bound, so that states with few successors are not cut.
    pub fn enough(&self) -> usize {
        (self.words / 4).max(1)
    }
}

/// Bytes of a list's memory.
pub fn bytes_of<T>(list: &Vec<T>) -> u64 {
    (list.capacity() * size_of::<T>()) as u64
}
