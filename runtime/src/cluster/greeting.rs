//! How the two ends of a new connection come to trust each other.
//!
//! Each end sends [`MAGIC`]. The end that connected begins the Noise handshake
//! `NNpsk0_25519_ChaChaPoly_BLAKE2s`, whose first message can be made and read only with the
//! secret; the other answers. What follows is encrypted: each end sends a [`Hello`], compares what
//! the other sent with its own, and names what differs.

use super::channel::{Keys, Receiver, Sender};
use super::secret::{KEY_BYTES, Secret};
use crate::checkpoint::Identity;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

/// The first bytes of each end: name and version of the protocol.
const MAGIC: &[u8; 16] = b"mcc-cluster/0004";
const NOISE: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// Bytes of a handshake message without contents: a key and a tag.
const HANDSHAKE: usize = 48;
/// A stranger may be silent for so long.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of a greeting, at most.
const LONGEST: usize = 1 << 20;

/// What the end that was connected to answers to one that does not know the secret. It is as long
/// as a message of the handshake, and cannot be taken for one.
const REFUSAL: &[u8; HANDSHAKE] = b"the secret is another one than that of this end!";
const OTHER_SECRET: &str = "it does not know the secret";

/// What the end of a connection takes the other for that accepted it.
pub const ANYBODY: usize = usize::MAX;

/// What a process says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Which search it is: version, model, options.
    pub identity: Identity,
    /// Its own number, and the number that it takes the other end for.
    pub process: usize,
    pub to: usize,
    /// The processes, one after the other, as the list names them.
    pub list: Vec<String>,
    pub threads: usize,
    pub memory: u64,
    /// Messages are not encrypted after the greeting.
    pub plain: bool,
    /// Where it listens, if the list does not say it.
    pub port: u16,
}

/// Why a connection is not used.
#[derive(Debug)]
pub enum GreetingError {
    /// It is no process of ours, or the connection broke: others may still come.
    Stranger(String),
    /// It is a process of ours that was started for another search.
    Different(Vec<String>),
}

impl GreetingError {
    /// Whether it is certain that the two ends have different secrets.
    pub fn is_other_secret(&self) -> bool {
        matches!(self, GreetingError::Stranger(why) if why == OTHER_SECRET)
    }
}

impl From<io::Error> for GreetingError {
    fn from(error: io::Error) -> Self {
        GreetingError::Stranger(match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "it says nothing".to_owned(),
            io::ErrorKind::UnexpectedEof => "it closed the connection".to_owned(),
            _ => error.to_string(),
        })
    }
}

/// A connection with a process that knows the secret.
pub struct Greeted {
    pub hello: Hello,
    pub stream: TcpStream,
    pub sender: Sender,
    pub receiver: Receiver,
}

/// Greets the other end of a connection. `is_initiator`: this end has connected.
pub fn greet(
    mut stream: TcpStream,
    secret: Option<&Secret>,
    is_initiator: bool,
    mine: &Hello,
) -> Result<Greeted, GreetingError> {
    stream.set_nonblocking(false)?;
    // A socket of this machine (`unix:`) sends at once anyway, and does not know this.
    let _ = stream.set_nodelay(true);
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(MAGIC)?;
    let mut magic = [0; MAGIC.len()];
    stream.read_exact(&mut magic)?;
    if magic != *MAGIC {
        let why = match magic.starts_with(b"mcc-cluster/") {
            true => "it speaks another version of the protocol",
            false => "what it sends is not of this program",
        };
        return Err(GreetingError::Stranger(why.to_owned()));
    }
    let keys: Keys = Some(Arc::new(handshake(&mut stream, secret, is_initiator)?));
    let mut sender = Sender::new(stream.try_clone()?, keys.clone());
    let mut receiver = Receiver::new(stream.try_clone()?, keys);
    sender.send(&serde_json::to_vec(mine).map_err(io::Error::other)?)?;
    let mut message = Vec::new();
    receiver.receive(&mut message, LONGEST)?;
    let theirs: Hello = serde_json::from_slice(&message)
        .map_err(|_| GreetingError::Stranger("its greeting makes no sense".to_owned()))?;
    let differences = differences(mine, &theirs);
    if !differences.is_empty() {
        return Err(GreetingError::Different(differences));
    }
    if mine.plain {
        sender.change_keys(None);
        receiver.change_keys(None);
    }
    Ok(Greeted { hello: theirs, stream, sender, receiver })
}

fn handshake(
    stream: &mut TcpStream,
    secret: Option<&Secret>,
    is_initiator: bool,
) -> Result<snow::StatelessTransportState, GreetingError> {
    let unable = |error: snow::Error| GreetingError::Stranger(format!("no handshake: {error}"));
    let other_secret = |_| GreetingError::Stranger(OTHER_SECRET.to_owned());
    let none = [0; KEY_BYTES];
    let key = secret.map_or(&none, |secret| &secret.0);
    let builder = snow::Builder::new(NOISE.parse().map_err(unable)?).psk(0, key).map_err(unable)?;
    let builder = builder.prologue(MAGIC).map_err(unable)?;
    let built = if is_initiator { builder.build_initiator() } else { builder.build_responder() };
    let mut noise = built.map_err(unable)?;
    let (mut message, mut contents) = ([0; HANDSHAKE], [0; HANDSHAKE]);
    for is_mine in [is_initiator, !is_initiator] {
        if is_mine {
            let length = noise.write_message(&[], &mut message).map_err(unable)?;
            stream.write_all(&message[..length])?;
        } else {
            stream.read_exact(&mut message).map_err(|error| match error.kind() {
                // The other end could not read what this one began with.
                io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset if is_initiator => {
                    GreetingError::Stranger(
                        "it closed the connection, as it does if it has another secret".to_owned(),
                    )
                }
                _ => error.into(),
            })?;
            let read = noise.read_message(&message, &mut contents);
            if read.is_err() && !is_initiator {
                let _ = stream.write_all(REFUSAL);
            }
            read.map_err(other_secret)?;
        }
    }
    noise.into_stateless_transport_mode().map_err(unable)
}

/// In what two processes differ that should work on one search.
fn differences(mine: &Hello, theirs: &Hello) -> Vec<String> {
    let found = theirs.identity.differences(&mine.identity);
    let mut lines: Vec<String> = found
        .iter()
        .map(|found| format!("{}: {} there, {} here", found.what, found.there, found.here))
        .collect();
    if theirs.list != mine.list {
        let show = |list: &[String]| crate::text::printable(&list.join(" ")).into_owned();
        lines.push(format!("list of processes: {} there, {} here", show(&theirs.list), show(&mine.list)));
    } else if theirs.to != mine.process && theirs.to != ANYBODY {
        lines.push(format!("number of this process: {} there, {} here", theirs.to, mine.process));
    } else if theirs.process >= mine.list.len() || theirs.process == mine.process {
        lines.push(format!("number of that process: {} there, which it cannot be", theirs.process));
    } else if mine.to < mine.list.len() && theirs.process != mine.to {
        lines.push(format!("number of that process: {} there, {} here", theirs.process, mine.to));
    }
    if theirs.plain != mine.plain {
        let show = |plain: bool| if plain { "on" } else { "off" };
        lines.push(format!("--plain: {} there, {} here", show(theirs.plain), show(mine.plain)));
    }
    if theirs.threads == 0 {
        lines.push("threads: 0 there".to_owned());
    }
    lines
}
