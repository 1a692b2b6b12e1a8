//! States on their way to another process, one behind the other in a message.
//!
//! A state is written as the difference to the one before it in the message, the first to zeros:
//! successors of one state, and of its neighbours, have most of their bytes in common. What is
//! compared are words, by exclusive or:
//!
//! - the origin, as the difference to that of the state before: zigzag and base 128, seven bits in
//!   each byte from the lowest on, the highest bit says that there are more;
//! - a bit for each word that differs, the lowest bit of the first byte for the first word;
//! - for each of these words a byte, and then those of its eight bytes from the first to the last
//!   that differs. The byte has the number of the first in its low four bits and how many there are
//!   in its high four.

use crate::visited::Origin;

/// Bytes of an origin, at most: seven bits each of 49.
const ORIGIN: usize = 7;
/// Bits of an origin.
const ORIGIN_BITS: u32 = 48;
/// Bytes of a word that differs, at most. A message needs room for this number of bytes behind its
/// last state: they are written to and do not count.
pub const WORD: usize = 1 + size_of::<u64>();
/// Bytes of all states of a message in memory, about.
const UNPACKED: usize = 256 << 10;

/// The form of states on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Records {
    /// Words of a stored state, and the bytes of it that can be anything but zero.
    pub words: usize,
    bytes: usize,
}

/// The state and the origin that were put into a message last.
#[derive(Clone, Debug)]
pub struct Before {
    words: Vec<u64>,
    origin: u64,
}

impl Before {
    /// There is nothing in the message yet.
    pub fn clear(&mut self) {
        self.words.fill(0);
        self.origin = 0;
    }
}

impl Records {
    pub fn new(words: usize, bytes: usize) -> Self {
        Records { words, bytes }
    }

    pub fn before(&self) -> Before {
        Before { words: vec![0; self.words], origin: 0 }
    }

    /// Bytes of a state, at most.
    pub fn longest(&self) -> usize {
        ORIGIN + self.words.div_ceil(8) + WORD * self.words
    }

    /// States of a message, at most.
    pub fn most(&self) -> usize {
        (UNPACKED / (8 * self.words).max(1)).max(1)
    }

    /// Appends a state behind that of the same message that was appended last.
    #[inline(always)]
    pub fn write(&self, before: &mut Before, state: &[u64], origin: Origin, message: &mut Vec<u8>) {
        let start = message.len();
        message.resize(start + self.longest() + WORD, 0);
        let written = self.write_into(before, state, origin, &mut message[start..]);
        message.truncate(start + written);
    }

    /// Returns the number of bytes.
    #[inline(always)]
    fn write_into(&self, before: &mut Before, state: &[u64], origin: Origin, into: &mut [u8]) -> usize {
        let step = origin.0.wrapping_sub(before.origin) as i64;
        before.origin = origin.0;
        let mut rest = ((step << 1) ^ (step >> 63)) as u64;
        let mut at = 0;
        while rest >= 0x80 {
            into[at] = rest as u8 | 0x80;
            rest >>= 7;
            at += 1;
        }
        into[at] = rest as u8;
        let bits = at + 1;
        at = bits + self.words.div_ceil(8);
        for (bits_at, (states, befores)) in (bits..).zip(state.chunks(8).zip(before.words.chunks_mut(8))) {
            let mut bits = 0;
            for (number, (word, before)) in states.iter().zip(befores).enumerate() {
                let changed = word ^ *before;
                *before = *word;
                let first = changed.trailing_zeros() / 8 % 8;
                let count = 8 - changed.leading_zeros() / 8 - first;
                // Without a branch, which nothing could predict: if nothing has changed, the next
                // word is written over it.
                let differs = changed != 0;
                into[at] = (first | count << 4) as u8;
                into[at + 1..at + 9].copy_from_slice(&(changed >> (8 * first)).to_le_bytes());
                at += if differs { 1 + count as usize } else { 0 };
                bits |= u8::from(differs) << number;
            }
            into[bits_at] = bits;
        }
        at
    }

    /// Reads all states of a message. False: they make no sense.
    pub fn read(&self, mut sent: &[u8], states: &mut Vec<u64>, origins: &mut Vec<Origin>) -> bool {
        states.clear();
        origins.clear();
        let mut origin = 0;
        while !sent.is_empty() {
            let Some(rest) = self.read_origin(sent, &mut origin) else { return false };
            let Some(rest) = self.read_state(rest, states) else { return false };
            origins.push(Origin(origin));
            sent = rest;
            if origins.len() > self.most() {
                return false;
            }
        }
        true
    }

    #[inline(always)]
    fn read_origin<'s>(&self, mut sent: &'s [u8], origin: &mut u64) -> Option<&'s [u8]> {
        let mut zigzag = 0;
        for place in 0..ORIGIN {
            let (byte, rest) = sent.split_first()?;
            sent = rest;
            zigzag |= u64::from(byte & 0x7f) << (7 * place);
            if byte & 0x80 == 0 {
                let step = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
                *origin = origin.wrapping_add(step);
                return (*origin >> ORIGIN_BITS == 0).then_some(sent);
            }
        }
        None
    }

    #[inline(always)]
    fn read_state<'s>(&self, sent: &'s [u8], states: &mut Vec<u64>) -> Option<&'s [u8]> {
        let (bits, mut rest) = sent.split_at_checked(self.words.div_ceil(8))?;
        let start = states.len();
        match start.checked_sub(self.words) {
            Some(before) => states.extend_from_within(before..),
            None => states.resize(self.words, 0),
        }
        let state = &mut states[start..];
        for (words, &bits) in state.chunks_mut(8).zip(bits) {
            let mut bits = bits;
            while bits != 0 {
                let word = words.get_mut(bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                let (&head, behind) = rest.split_first()?;
                let (first, count) = (u32::from(head & 15), usize::from(head >> 4));
                if !(1..=8).contains(&count) || first as usize + count > 8 {
                    return None;
                }
                let changed = match behind.first_chunk::<8>() {
                    Some(bytes) => u64::from_le_bytes(*bytes) & (u64::MAX >> (64 - 8 * count)),
                    None => {
                        let mut bytes = [0; 8];
                        bytes[..count].copy_from_slice(behind.get(..count)?);
                        u64::from_le_bytes(bytes)
                    }
                };
                *word ^= changed << (8 * first);
                rest = behind.get(count..)?;
            }
        }
        // What lies beyond the bytes of a state is zero.
        let beyond = self.words * 8 - self.bytes;
        let last = state.last().copied().unwrap_or(0);
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
            let (mut before, mut message) = (records.before(), Vec::new());
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
        // A word that is not there, bytes that a word does not have, none, and a byte beyond those
        // of a state; and an origin that is too large, or too long.
        let records = Records::new(4, 27);
        let (mut states, mut origins) = (Vec::new(), Vec::new());
        assert!(records.read(&[0, 1 << 3, 0x30, 1, 2, 3], &mut states, &mut origins));
        for message in [
            &[0, 1 << 4, 0x10, 1][..],
            &[0, 1, 0x17, 1, 0x28, 1, 1],
            &[0, 1, 0x27, 1, 1],
            &[0, 1, 0x90, 1, 1, 1, 1, 1, 1, 1, 1, 1],
            &[0, 1, 0, 1],
            &[0, 1 << 3, 0x13, 1],
            &[1, 0],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0],
        ] {
            assert!(!records.read(message, &mut states, &mut origins), "{message:?}");
        }
    }

    /// The largest origins, one after the other, and the longest states.
    #[test]
    fn a_state_has_no_more_bytes_than_the_longest() {
        for words in [1, 7, 8, 9, 17] {
            let records = Records::new(words, words * 8);
            let (mut before, mut message) = (records.before(), Vec::new());
            let (mut states, mut origins) = (Vec::new(), Vec::new());
            for number in 0..4 {
                let start = message.len();
                let state = vec![if number % 2 == 0 { u64::MAX } else { 0 }; words];
                let origin = Origin(if number % 2 == 0 { (1 << ORIGIN_BITS) - 1 } else { 0 });
                records.write(&mut before, &state, origin, &mut message);
                assert!((message.len() - start).abs_diff(records.longest()) <= 1);
                states.extend_from_slice(&state);
                origins.push(origin);
            }
            let (mut read_states, mut read_origins) = (Vec::new(), Vec::new());
            assert!(records.read(&message, &mut read_states, &mut read_origins));
            assert_eq!((read_states, read_origins), (states, origins));
        }
    }
}
