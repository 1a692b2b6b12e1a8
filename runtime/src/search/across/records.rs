//! States on their way to another process, one behind the other in a message.
//!
//! A state has six bytes for its origin, and before them, in one of two forms that both ends know
//! from its size: its stored bytes; or, where it has [`LEAST`] words or more, a bit for each word
//! that differs from the state before it in the message (the first is compared with zeros), the
//! lowest bit of the first byte for the first word, and then these words, eight bytes each.
//! Successors of one state, and of its neighbours, have most of their words in common.

use crate::visited::Origin;

/// Bytes of an origin on its way.
const ORIGIN: usize = 6;
/// States of fewer words are sent as they are.
const LEAST: usize = 4;
/// Bytes of all states of a message in memory, about.
const UNPACKED: usize = 256 << 10;

/// The form of states on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Records {
    /// Words and bytes of a stored state.
    pub words: usize,
    bytes: usize,
}

impl Records {
    pub fn new(words: usize, bytes: usize) -> Self {
        Records { words, bytes }
    }

    fn differs(&self) -> bool {
        self.words >= LEAST
    }

    /// Bytes of a state, at most.
    pub fn longest(&self) -> usize {
        ORIGIN
            + match self.differs() {
                true => self.words.div_ceil(8) + 8 * self.words,
                false => self.bytes,
            }
    }

    /// States of a message, at most.
    pub fn most(&self) -> usize {
        (UNPACKED / (8 * self.words).max(1)).max(1)
    }

    /// Appends a state behind that of the same message that was appended last.
    pub fn write(&self, before: &mut [u64], state: &[u64], origin: Origin, message: &mut Vec<u8>) {
        if self.differs() {
            let start = message.len();
            message.resize(start + self.words.div_ceil(8), 0);
            for (at, (word, before)) in state.iter().zip(before).enumerate() {
                if word != before {
                    message[start + at / 8] |= 1 << (at % 8);
                    message.extend_from_slice(&word.to_le_bytes());
                    *before = *word;
                }
            }
        } else {
            let whole = self.bytes / 8;
            state[..whole].iter().for_each(|word| message.extend_from_slice(&word.to_le_bytes()));
            if let Some(last) = state.get(whole) {
                message.extend_from_slice(&last.to_le_bytes()[..self.bytes % 8]);
            }
        }
        message.extend_from_slice(&origin.0.to_le_bytes()[..ORIGIN]);
    }

    /// Reads all states of a message. False: they make no sense.
    pub fn read(&self, mut sent: &[u8], states: &mut Vec<u64>, origins: &mut Vec<Origin>) -> bool {
        states.clear();
        origins.clear();
        while !sent.is_empty() {
            let rest = match self.differs() {
                true => self.read_difference(sent, states),
                false => self.read_bytes(sent, states),
            };
            let Some((origin, rest)) = rest.and_then(|rest| rest.split_at_checked(ORIGIN)) else {
                return false;
            };
            let mut number = [0; 8];
            number[..ORIGIN].copy_from_slice(origin);
            origins.push(Origin(u64::from_le_bytes(number)));
            sent = rest;
            if origins.len() > self.most() {
                return false;
            }
        }
        states.len() == origins.len() * self.words
    }

    fn read_bytes<'s>(&self, sent: &'s [u8], states: &mut Vec<u64>) -> Option<&'s [u8]> {
        let (state, rest) = sent.split_at_checked(self.bytes)?;
        let (whole, part) = state.as_chunks::<8>();
        states.extend(whole.iter().map(|word| u64::from_le_bytes(*word)));
        if !part.is_empty() {
            let mut last = [0; 8];
            last[..part.len()].copy_from_slice(part);
            states.push(u64::from_le_bytes(last));
        }
        Some(rest)
    }

    fn read_difference<'s>(&self, sent: &'s [u8], states: &mut Vec<u64>) -> Option<&'s [u8]> {
        let (bits, mut rest) = sent.split_at_checked(self.words.div_ceil(8))?;
        let start = states.len();
        match start.checked_sub(self.words) {
            Some(before) => states.extend_from_within(before..),
            None => states.resize(self.words, 0),
        }
        for (byte, &bits) in bits.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let at = byte * 8 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let (word, behind) = rest.split_first_chunk::<8>()?;
                if at >= self.words {
                    return None;
                }
                states[start + at] = u64::from_le_bytes(*word);
                rest = behind;
            }
        }
        // What lies beyond the bytes of a state is zero.
        let beyond = self.words * 8 - self.bytes;
        let last = states.last().copied().unwrap_or(0);
        (beyond == 0 || last.leading_zeros() as usize >= beyond * 8).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_refused() {
        let mut random = Random(3);
        for (words, bytes) in [(1, 3), (1, 8), (3, 20), (4, 27), (9, 72), (17, 130)] {
            let records = Records::new(words, bytes);
            let (mut before, mut message) = (vec![0; words], Vec::new());
            let (mut states, mut origins) = (Vec::new(), Vec::new());
            let mut state = vec![0u64; words];
            for number in 0..20 {
                // Some words change, and now and then all of them, or none.
                for word in &mut state {
                    if number % 7 == 0 || random.number().is_multiple_of(4) {
                        *word = random.number();
                    }
                }
                let beyond = (words * 8 - bytes) * 8;
                state[words - 1] = state[words - 1] << beyond >> beyond;
                let origin = Origin(random.number() >> 16);
                let start = message.len();
                records.write(&mut before, &state, origin, &mut message);
                assert!(message.len() - start <= records.longest());
                states.extend_from_slice(&state);
                origins.push(origin);
            }
            let (mut read_states, mut read_origins) = (Vec::new(), Vec::new());
            assert!(records.read(&message, &mut read_states, &mut read_origins));
            assert_eq!((&read_states, &read_origins), (&states, &origins));
            for end in 0..message.len() {
                if records.read(&message[..end], &mut read_states, &mut read_origins) {
                    assert!(states.starts_with(&read_states) && origins.starts_with(&read_origins));
                }
            }
        }
        // A word that is not there, and a byte beyond those of a state.
        let records = Records::new(4, 27);
        let (mut states, mut origins) = (Vec::new(), Vec::new());
        let message = [&[1 << 4][..], &[1; 8], &[0; ORIGIN]].concat();
        assert!(!records.read(&message, &mut states, &mut origins));
        let message = [&[1 << 3][..], &[1; 8], &[0; ORIGIN]].concat();
        assert!(!records.read(&message, &mut states, &mut origins));
    }
}
