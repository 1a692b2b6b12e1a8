//! What server and worker send to each other once they have greeted: kinds, and their bytes.
//!
//! | from | kind | then |
//! |---|---|---|
//! | server | | the first message: a [`Job`], as JSON |
//! | server | 1 batch | its number (8), stored states |
//! | both | 2 heartbeat | |
//! | server | 3 end | |
//! | worker | 4 answer | number of the batch (8), bytes of the head (4), states expanded (4), head (JSON), where the successors of each state end (4 each), stored states, each once |
//! | worker | 5 leave | |
//! | worker | 6 unable | why, as text |
//!
//! Numbers are least significant byte first. A stored state is its first bytes, as many as can be
//! anything but zero ([`Codec::stored_bytes`]).

use crate::state::codec::Codec;
use serde::{Deserialize, Serialize};

const BATCH: u8 = 1;
const HEARTBEAT: u8 = 2;
const END: u8 = 3;
const ANSWER: u8 = 4;
const LEAVE: u8 = 5;
const UNABLE: u8 = 6;

/// The options that decide what successors a state has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub packed: bool,
    pub deadlock: bool,
    pub loop_limit: u64,
    pub strict_undefined: bool,
    pub is_reduced: bool,
    pub is_fast: bool,
    pub trust: bool,
    pub keep_slots: bool,
    pub priorities: bool,
    /// Workers walk through states with one successor.
    pub compress_paths: bool,
    /// Workers check the invariants of successors.
    pub check: bool,
    /// What rules print is wanted.
    pub put: bool,
    pub memory: u64,
    /// How states are stored and rules numbered, as the server has it.
    pub layout: String,
    /// Hashes of the places of the model where something can fail, in the order of the server.
    /// Programs of one model, compiled or interpreted, may have different ones.
    pub sites: Vec<u64>,
}

/// What a worker found out about a batch, or about the first states of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// For each state that was expanded, where its successors end. Sent beside the JSON.
    #[serde(skip)]
    pub ends: Vec<u32>,
    /// Rules fired, and how often each rule as written.
    pub rules: u64,
    pub fired: Vec<u64>,
    /// How often each property and `cover` statement was reached.
    pub covered: Vec<u64>,
    /// Places where undefined values were compared.
    pub undefined_compared: Vec<u64>,
    /// States whose canonical form was given up.
    pub unreduced: u64,
    /// What is wrong.
    pub problems: Vec<Trouble>,
    /// Which successors, in ascending order, the server has to check itself, because they violate
    /// something. None of the others does, if workers check.
    pub doubtful: Vec<u32>,
    /// What was walked through: states, the longest walk, cycles.
    pub walked: [u64; 3],
    /// What rules printed.
    pub put: String,
    /// How long it took.
    pub microseconds: u64,
}

/// What is wrong with a state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The position in the batch of the state that led there.
    pub from: u32,
    /// The problem, as in checkpoints.
    pub problem: [u64; 5],
    /// The state in stored form, if it is one that was walked through.
    pub state: Vec<u64>,
}

/// An answer with its successors, as stored words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub head: Head,
    pub states: Vec<u64>,
}

impl Answer {
    /// Words that it takes, about.
    pub fn words(&self) -> usize {
        let Head { ends, problems, put, doubtful, .. } = &self.head;
        self.states.len() + (ends.len() + doubtful.len()) / 2 + 16 * problems.len() + put.len() / 8
    }
}

/// A message, as it is received.
#[derive(Debug, PartialEq, Eq)]
// There is one at a time, and most are answers.
#[allow(clippy::large_enum_variant)]
pub enum Message<'a> {
    Batch { number: u64, states: &'a [u8] },
    Heartbeat,
    End,
    Answer { number: u64, head: Head, states: &'a [u8] },
    Leave,
    Unable(String),
}

impl Message<'_> {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Message::Batch { number, states } => [&[BATCH], &number.to_le_bytes()[..], states].concat(),
            Message::Heartbeat => vec![HEARTBEAT],
            Message::End => vec![END],
            Message::Answer { number, head, states } => {
                // There is nothing in a head that JSON does not have.
                let json = serde_json::to_vec(head).unwrap_or_default();
                let (length, count) = (json.len() as u32, head.ends.len() as u32);
                let ends: Vec<u8> = head.ends.iter().flat_map(|end| end.to_le_bytes()).collect();
                let number = number.to_le_bytes();
                [&[ANSWER], &number[..], &length.to_le_bytes(), &count.to_le_bytes(), &json, &ends, states]
                    .concat()
            }
            Message::Leave => vec![LEAVE],
            Message::Unable(why) => [&[UNABLE], why.as_bytes()].concat(),
        }
    }
}

/// What a message says; `None`: neither server nor worker writes such a message.
pub fn parse(message: &[u8]) -> Option<Message<'_>> {
    let (kind, rest) = message.split_first()?;
    let number = |bytes: &[u8]| Some(u64::from_le_bytes(bytes.try_into().ok()?));
    let short = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    Some(match (*kind, rest) {
        (BATCH, _) => {
            let (id, states) = rest.split_at_checked(8)?;
            Message::Batch { number: number(id)?, states }
        }
        (HEARTBEAT, []) => Message::Heartbeat,
        (END, []) => Message::End,
        (ANSWER, _) => {
            let (id, rest) = rest.split_at_checked(8)?;
            let (length, rest) = rest.split_at_checked(4)?;
            let (count, rest) = rest.split_at_checked(4)?;
            let (head, rest) = rest.split_at_checked(short(length)? as usize)?;
            let (ends, states) = rest.split_at_checked((short(count)? as usize).checked_mul(4)?)?;
            let mut head: Head = serde_json::from_slice(head).ok()?;
            head.ends = ends.chunks_exact(4).map(short).collect::<Option<_>>()?;
            Message::Answer { number: number(id)?, head, states }
        }
        (LEAVE, []) => Message::Leave,
        (UNABLE, why) => Message::Unable(std::str::from_utf8(why).ok()?.to_owned()),
        _ => return None,
    })
}

/// The bytes of stored states.
pub fn pack(states: &[u64], codec: &Codec, bytes: &mut Vec<u8>) {
    for state in states.chunks_exact(codec.stored_words()) {
        let start = bytes.len();
        state.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        bytes.truncate(start + codec.stored_bytes());
    }
}

/// The words of stored states; `None`: these are no whole states.
pub fn unpack(bytes: &[u8], codec: &Codec) -> Option<Vec<u64>> {
    if !bytes.len().is_multiple_of(codec.stored_bytes()) {
        return None;
    }
    let width = codec.stored_words();
    let mut words = Vec::with_capacity(bytes.len() / codec.stored_bytes() * width);
    for state in bytes.chunks_exact(codec.stored_bytes()) {
        let (whole, part) = state.as_chunks::<8>();
        words.extend(whole.iter().map(|word| u64::from_le_bytes(*word)));
        if !part.is_empty() {
            let mut last = [0; 8];
            last.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
            words.push(u64::from_le_bytes(last));
        }
        words.resize(words.len().next_multiple_of(width), 0);
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let trouble = Trouble { from: 1, problem: [3, 2, 1, 0, 1], state: vec![7] };
        let put = "a line\n".to_owned();
        let head = Head { ends: vec![1, 3], rules: 7, problems: vec![trouble], put, ..Head::default() };
        for message in [
            Message::Batch { number: 9, states: &[1, 2, 3] },
            Message::Heartbeat,
            Message::End,
            Message::Answer { number: u64::MAX, head, states: &[4, 5] },
            Message::Leave,
            Message::Unable("why".to_owned()),
        ] {
            let bytes = message.bytes();
            assert_eq!(parse(&bytes), Some(message));
            // Whatever is cut off, there is an answer.
            for end in 0..bytes.len() {
                let _ = parse(&bytes[..end]);
            }
        }
        for bytes in [
            &[][..],
            &[0],
            &[7, 1],
            &[1, 1],
            &[2, 0],
            &[4, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 1],
        ] {
            assert_eq!(parse(bytes), None, "{bytes:?}");
        }
    }
}
