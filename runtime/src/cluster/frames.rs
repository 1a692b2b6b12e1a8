//! What processes say to each other once they are connected: kinds of messages, and their bytes.
//!
//! A message is a byte for its kind and then numbers, least significant byte first:
//!
//! | kind | then |
//! |---|---|
//! | 1 states | search (4), to thread (2), 1 if these are the sender's last of the level (1), states |
//! | 2 room | messages of states that were stored (4) |
//! | 3 sums | search (4), four numbers (8 each) |
//! | 4 stop | search (4) |
//! | 5 heartbeat | states, rules, waiting states, bytes in use (8 each) |
//! | 6 lost | process (2), why, as text |
//! | 7 letter | bytes for the conference between levels (`search/across/letters.rs`) |
//! | 8 farewell | exit code (1) |
//!
//! States are written as `search/across/records.rs` says. Their hashes are not sent: the owner
//! computes them again, and so knows that it owns the states.

/// The numbers of a heartbeat: states, rules, waiting states, bytes in use.
pub type Progress = [u64; 4];

/// What processes add up at the end of a level.
pub type Sums = [u64; 4];

/// A message, as it is received.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<'a> {
    States { search: u32, thread: u16, last: bool, states: &'a [u8] },
    Room(u32),
    Sums { search: u32, sums: Sums },
    Stop { search: u32 },
    Heartbeat(Progress),
    Lost { process: u16, why: &'a str },
    Letter(&'a [u8]),
    Farewell(u8),
}

/// Bytes of a message of states before its states.
pub const STATES_HEAD: usize = 8;

/// Begins a message of states.
pub fn begin_states(message: &mut Vec<u8>, search: u32, thread: u16) {
    message.clear();
    message.push(1);
    message.extend_from_slice(&search.to_le_bytes());
    message.extend_from_slice(&thread.to_le_bytes());
    message.push(0);
}

/// Says in a message of states that it is the sender's last one of the level.
pub fn mark_last(message: &mut [u8]) {
    if let Some(last) = message.get_mut(STATES_HEAD - 1) {
        *last = 1;
    }
}

impl Frame<'_> {
    /// The bytes of a message.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match *self {
            Frame::States { search, thread, last, states } => {
                begin_states(&mut bytes, search, thread);
                if last {
                    mark_last(&mut bytes);
                }
                bytes.extend_from_slice(states);
            }
            Frame::Room(count) => {
                bytes.push(2);
                bytes.extend_from_slice(&count.to_le_bytes());
            }
            Frame::Sums { search, sums } => {
                bytes.push(3);
                bytes.extend_from_slice(&search.to_le_bytes());
                sums.iter().for_each(|sum| bytes.extend_from_slice(&sum.to_le_bytes()));
            }
            Frame::Stop { search } => {
                bytes.push(4);
                bytes.extend_from_slice(&search.to_le_bytes());
            }
            Frame::Heartbeat(progress) => {
                bytes.push(5);
                progress.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
            }
            Frame::Lost { process, why } => {
                bytes.push(6);
                bytes.extend_from_slice(&process.to_le_bytes());
                bytes.extend_from_slice(why.as_bytes());
            }
            Frame::Letter(letter) => {
                bytes.push(7);
                bytes.extend_from_slice(letter);
            }
            Frame::Farewell(code) => bytes.extend([8, code]),
        }
        bytes
    }
}

fn number(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// What a message says; `None`: no process of ours writes such a message.
pub fn parse(message: &[u8]) -> Option<Frame<'_>> {
    let (kind, rest) = message.split_first()?;
    Some(match kind {
        1 => {
            let (head, states) = rest.split_at_checked(STATES_HEAD - 1)?;
            let (search, head) = head.split_at_checked(4)?;
            let (thread, last) = head.split_at_checked(2)?;
            let last = match last {
                [0] => false,
                [1] => true,
                _ => return None,
            };
            let search = u32::from_le_bytes(search.try_into().ok()?);
            Frame::States { search, thread: u16::from_le_bytes(thread.try_into().ok()?), last, states }
        }
        2 => Frame::Room(u32::from_le_bytes(rest.try_into().ok()?)),
        3 => {
            let (search, sums) = rest.split_at_checked(4)?;
            let [a, b, c, d] = sums.as_chunks::<8>().0 else { return None };
            if sums.len() != size_of::<Sums>() {
                return None;
            }
            let search = u32::from_le_bytes(search.try_into().ok()?);
            Frame::Sums { search, sums: [number(a)?, number(b)?, number(c)?, number(d)?] }
        }
        4 => Frame::Stop { search: u32::from_le_bytes(rest.try_into().ok()?) },
        5 => {
            let [a, b, c, d] = rest.as_chunks::<8>().0 else { return None };
            if rest.len() != 32 {
                return None;
            }
            Frame::Heartbeat([number(a)?, number(b)?, number(c)?, number(d)?])
        }
        6 => {
            let (process, why) = rest.split_at_checked(2)?;
            let process = u16::from_le_bytes(process.try_into().ok()?);
            Frame::Lost { process, why: std::str::from_utf8(why).ok()? }
        }
        7 => Frame::Letter(rest),
        8 => match rest {
            [code] => Frame::Farewell(*code),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for frame in [
            Frame::States { search: 7, thread: 3, last: true, states: &[1, 2, 3] },
            Frame::States { search: 1, thread: 0, last: false, states: &[] },
            Frame::Room(5),
            Frame::Sums { search: 2, sums: [1, u64::MAX, 3, 4] },
            Frame::Stop { search: 9 },
            Frame::Heartbeat([1, 2, 3, u64::MAX]),
            Frame::Lost { process: 4, why: "it is gone" },
            Frame::Letter(b"{}"),
            Frame::Farewell(3),
        ] {
            let bytes = frame.bytes();
            assert_eq!(parse(&bytes), Some(frame));
            // Whatever is cut off, there is an answer.
            for end in 0..bytes.len() {
                let _ = parse(&bytes[..end]);
            }
        }
    }

    #[test]
    fn what_nobody_writes_is_nothing() {
        for bytes in
            [&[][..], &[0], &[9, 1], &[2, 1], &[3, 0, 0, 0, 0, 1], &[8], &[8, 1, 2], &[6, 0, 0, 0xff]]
        {
            assert_eq!(parse(bytes), None, "{bytes:?}");
        }
        let mut states = Frame::States { search: 1, thread: 1, last: false, states: &[] }.bytes();
        states[STATES_HEAD - 1] = 2;
        assert_eq!(parse(&states), None);
    }
}
