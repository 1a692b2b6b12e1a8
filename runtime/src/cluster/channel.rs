//! Messages over one connection: whole, in order, of any length up to a limit, and encrypted.
//!
//! On the wire a message is one or more pieces. A piece is its length, two bytes, least significant
//! first, and bytes of that length: sealed by the keys of the connection, or as they are
//! (`--plain`). Unsealed, the first byte is 1 if the message goes on in the next piece and 0
//! otherwise; the rest belongs to the message. Noise numbers the pieces of each direction, so none
//! can be left out, repeated or moved unnoticed.

use snow::StatelessTransportState;
use std::io::{self, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

/// Bytes of a sealed piece, at most.
const PIECE: usize = u16::MAX as usize;
/// Bytes by which sealing makes a piece longer.
const TAG: usize = 16;
/// Bytes of a message in one piece.
const CONTENTS: usize = PIECE - TAG - 1;

/// Bytes of a message, at most: who sends more is no process of ours.
pub const LONGEST: usize = 256 << 20;

/// The keys of a connection; `None`: what is sent is not encrypted.
pub type Keys = Option<Arc<StatelessTransportState>>;

/// The end of a connection that sends.
pub struct Sender {
    stream: TcpStream,
    keys: Keys,
    sent: u64,
    piece: Vec<u8>,
    wire: Vec<u8>,
}

impl Sender {
    pub fn new(stream: TcpStream, keys: Keys) -> Self {
        Sender { stream, keys, sent: 0, piece: Vec::new(), wire: vec![0; 2 + PIECE] }
    }

    /// Sends from now on with these keys.
    pub fn change_keys(&mut self, keys: Keys) {
        self.keys = keys;
    }

    /// Sends a message. Returns its bytes on the wire.
    pub fn send(&mut self, message: &[u8]) -> io::Result<u64> {
        let mut rest = message;
        let mut bytes = 0;
        loop {
            let (now, later) = rest.split_at(rest.len().min(CONTENTS));
            rest = later;
            self.piece.clear();
            self.piece.push(u8::from(!rest.is_empty()));
            self.piece.extend_from_slice(now);
            let length = match &self.keys {
                Some(keys) => {
                    keys.write_message(self.sent, &self.piece, &mut self.wire[2..]).map_err(broken)?
                }
                None => {
                    self.wire[2..2 + self.piece.len()].copy_from_slice(&self.piece);
                    self.piece.len()
                }
            };
            self.sent += 1;
            self.wire[..2].copy_from_slice(&(length as u16).to_le_bytes());
            self.stream.write_all(&self.wire[..2 + length])?;
            bytes += 2 + length as u64;
            if rest.is_empty() {
                return Ok(bytes);
            }
        }
    }

    /// Nothing more is sent.
    pub fn close(&self) {
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
    }
}

/// The end of a connection that receives.
pub struct Receiver {
    stream: BufReader<TcpStream>,
    keys: Keys,
    received: u64,
    wire: Vec<u8>,
    piece: Vec<u8>,
}

impl Receiver {
    pub fn new(stream: TcpStream, keys: Keys) -> Self {
        let stream = BufReader::with_capacity(PIECE + 2, stream);
        Receiver { stream, keys, received: 0, wire: vec![0; PIECE], piece: vec![0; PIECE] }
    }

    pub fn change_keys(&mut self, keys: Keys) {
        self.keys = keys;
    }

    /// Waits for a message of at most `longest` bytes, and puts it into `message`.
    pub fn receive(&mut self, message: &mut Vec<u8>, longest: usize) -> io::Result<()> {
        message.clear();
        loop {
            let mut length = [0; 2];
            self.stream.read_exact(&mut length)?;
            let length = usize::from(u16::from_le_bytes(length));
            let wire = &mut self.wire[..length];
            self.stream.read_exact(wire)?;
            let piece = match &self.keys {
                Some(keys) => {
                    let length = keys.read_message(self.received, wire, &mut self.piece).map_err(broken)?;
                    &self.piece[..length]
                }
                None => &*wire,
            };
            self.received += 1;
            let Some((goes_on, contents)) = piece.split_first() else { return Err(nonsense()) };
            if *goes_on > 1 || message.len() + contents.len() > longest {
                return Err(nonsense());
            }
            message.extend_from_slice(contents);
            if *goes_on == 0 {
                return Ok(());
            }
        }
    }
}

/// What arrived is no message of ours.
pub fn nonsense() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "what it sends is not a message of this program")
}

fn broken(_: snow::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "what it sends was changed on the way")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Time of a processor that this thread has taken.
    fn processor_time() -> Duration {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the time is written to a place of its own.
        unsafe {
            libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        }
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }

    fn nanoseconds(times: u64, bytes: usize, mut work: impl FnMut(u64)) -> f64 {
        let once = |_| {
            let before = processor_time();
            (0..times).for_each(&mut work);
            processor_time() - before
        };
        let least = (0..5).map(once).min().unwrap_or_default();
        least.as_secs_f64() * 1e9 / (times as f64 * bytes as f64)
    }

    /// `cargo test --release -p mcc-runtime what_sealing_costs -- --ignored --nocapture`
    #[test]
    #[ignore = "it measures"]
    fn what_sealing_costs() {
        let name = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
        let builder = || snow::Builder::new(name.parse().unwrap()).psk(0, &[7; 32]).unwrap();
        let mut ends = [builder().build_initiator().unwrap(), builder().build_responder().unwrap()];
        let (mut message, mut contents) = ([0; 100], [0; 100]);
        for from in [0, 1] {
            let length = ends[from].write_message(&[], &mut message).unwrap();
            ends[1 - from].read_message(&message[..length], &mut contents).unwrap();
        }
        let [from, to] = ends.map(|end| end.into_stateless_transport_mode().unwrap());
        for bytes in [64, 1 << 10, 16 << 10, CONTENTS] {
            let (plain, mut wire, mut piece) = (vec![3; bytes], vec![0; PIECE], vec![0; PIECE]);
            let times = (20 << 20) / bytes.max(512) as u64;
            let sealing = nanoseconds(times, bytes, |number| {
                from.write_message(number, &plain, &mut wire).unwrap();
            });
            let length = from.write_message(0, &plain, &mut wire).unwrap();
            let opening = nanoseconds(times, bytes, |_| {
                to.read_message(0, &wire[..length], &mut piece).unwrap();
            });
            println!("{name}: {bytes} bytes, {sealing:.2} ns a byte to seal, {opening:.2} to open");
        }
    }
}
