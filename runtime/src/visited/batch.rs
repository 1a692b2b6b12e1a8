//! States on their way into a visited set, with what is known about each.

use super::numbers::{Origin, StateIndex};

/// States in stored form, with what is known about each.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Their words, one state after the other.
    pub states: &'a [u64],
    pub hashes: &'a [u64],
    /// Empty where the set has no use for them.
    pub signatures: &'a [u64],
    pub origins: &'a [Origin],
    /// Which rules sleep in them.
    pub sets: Sets<'a>,
}

/// A state that was not there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// Its position in the batch.
    pub position: u32,
    pub index: StateIndex,
}

/// What goes with the states of a batch, one after the other: a row of the rules that sleep, and
/// one of rules that are not enabled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sets<'a> {
    pub words: &'a [u64],
    /// Words for each state. None: no rule sleeps, and nothing is known.
    pub width: usize,
}

impl<'a> Sets<'a> {
    #[inline(always)]
    pub fn get(self, position: usize) -> &'a [u64] {
        self.words.get(position * self.width..(position + 1) * self.width).unwrap_or_default()
    }
}

/// The sleep sets of the states of a batch, as they are made.
#[derive(Clone, Debug, Default)]
pub struct SetBuffer {
    words: Vec<u64>,
    width: usize,
}

impl SetBuffer {
    pub fn clear(&mut self) {
        self.words.clear();
        self.width = 0;
    }

    /// Bytes of its memory.
    pub fn bytes(&self) -> u64 {
        (self.words.capacity() * size_of::<u64>()) as u64
    }

    pub fn as_sets(&self) -> Sets<'_> {
        Sets { words: &self.words, width: self.width }
    }

    /// What goes with the next state.
    #[inline(always)]
    pub fn push(&mut self, words: impl Iterator<Item = u64>) {
        let before = self.words.len();
        self.words.extend(words);
        self.width = self.words.len() - before;
    }
}
