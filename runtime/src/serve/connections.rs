//! The threads of a server that talk to workers: one listens, and two serve each connection.

use super::addresses::Listener;
use super::batches::Errand;
use super::messages::{Answer, Head, Job, Message, parse, unpack};
use super::pool::Pool;
use crate::cluster::channel::{LONGEST, Receiver, Sender};
use crate::cluster::greeting::{Greeted, GreetingError, Hello, greet};
use crate::cluster::secret::Secret;
use crate::contract::model::Description;
use crate::serve::messages::pack;
use crate::state::codec::Codec;
use crate::state::validity::Inspector;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Heartbeats come this often …
pub(crate) const PULSE: Duration = Duration::from_secs(1);
/// … and an end that is silent for this long is lost.
pub(crate) const SILENCE: Duration = Duration::from_secs(7);
const PAUSE: Duration = Duration::from_millis(5);
/// Connections at a time, at most.
const CROWD: usize = 1024;

/// Whether these words are an error of a model that a worker may find; the last is whether workers
/// walk through states.
pub(crate) type Knows = fn([u64; 5], &Description, bool) -> bool;

/// What all connections use.
pub(crate) struct Serving {
    pub pool: Arc<Pool>,
    pub description: &'static Description,
    pub packed: bool,
    pub job: Job,
    pub hello: Hello,
    pub secret: Option<Secret>,
    pub knows: Knows,
    pub crowd: AtomicUsize,
}

/// Accepts workers until the pool is closed.
pub(crate) fn accept(listener: &Listener, serving: &Arc<Serving>) {
    while !serving.pool.is_closed() {
        let Ok((stream, from)) = listener.accept() else {
            serving.pool.wait_for_the_end(PAUSE);
            continue;
        };
        if serving.crowd.fetch_add(1, Ordering::Relaxed) >= CROWD {
            serving.crowd.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let connection = serving.clone();
        let work = move || {
            connection.serve(stream, &from);
            connection.crowd.fetch_sub(1, Ordering::Relaxed);
        };
        // Without a thread the worker is turned away, and comes again.
        if std::thread::Builder::new().name("worker".to_owned()).spawn(work).is_err() {
            serving.crowd.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Serving {
    /// Greets a connection, and brings in what it answers until it ends.
    fn serve(self: &Arc<Self>, stream: TcpStream, from: &str) {
        let Greeted { stream, mut sender, receiver, .. } =
            match greet(stream, self.secret.as_ref(), false, &self.hello) {
                Ok(greeted) => greeted,
                Err(GreetingError::Stranger(why)) => {
                    return self.pool.notice(format!("a connection from {from} was refused: {why}"));
                }
                Err(GreetingError::Different(differences)) => {
                    let what = differences.join("; ");
                    return self.pool.notice(format!("a worker from {from} was refused: {what}"));
                }
            };
        let job = serde_json::to_vec(&self.job).unwrap_or_default();
        if stream.set_read_timeout(Some(SILENCE)).is_err() || sender.send(&job).is_err() {
            return self.pool.notice(format!("a worker from {from} is lost"));
        }
        let seat = self.pool.enter(from.to_owned());
        let (writer, closing) = (self.clone(), stream.try_clone());
        let send = move || {
            let is_over = writer.send(seat, &mut sender);
            // At the end the worker closes: what it still sends is read until then, so that the
            // system does not take the farewell back.
            if let (false, Ok(stream)) = (is_over, closing) {
                let _ = stream.shutdown(Shutdown::Both);
            }
        };
        match std::thread::Builder::new().name("batches".to_owned()).spawn(send) {
            Ok(thread) => {
                let why = self.receive(seat, receiver);
                self.pool.leave(seat, &why);
                let _ = stream.shutdown(Shutdown::Both);
                let _ = thread.join();
            }
            Err(error) => self.pool.leave(seat, &format!("cannot be served: {error}")),
        }
    }

    /// Sends a worker what it is given, until it is gone or the search is over, which is true then.
    fn send(&self, seat: u64, sender: &mut Sender) -> bool {
        let codec = self.codec();
        let mut bytes = Vec::new();
        loop {
            let sent = match self.pool.errand(seat, PULSE) {
                Errand::Batch { number, words } => {
                    bytes.clear();
                    pack(&words, &codec, &mut bytes);
                    sender.send(&Message::Batch { number, states: &bytes }.bytes())
                }
                Errand::Heartbeat => sender.send(&Message::Heartbeat.bytes()),
                Errand::End => {
                    let _ = sender.send(&Message::End.bytes());
                    sender.close();
                    return true;
                }
                Errand::Gone => return false,
            };
            if sent.is_err() {
                self.pool.leave(seat, "is lost");
                return false;
            }
        }
    }

    /// Takes answers. Returns why there are no more.
    fn receive(&self, seat: u64, mut receiver: Receiver) -> String {
        let codec = self.codec();
        let mut inspector = Inspector::new(self.description, &codec);
        let mut message = Vec::new();
        loop {
            if let Err(error) = receiver.receive(&mut message, LONGEST) {
                return match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => "is silent".to_owned(),
                    io::ErrorKind::InvalidData => format!("is sent away: {error}"),
                    _ => "is lost".to_owned(),
                };
            }
            self.pool.heard(seat);
            match parse(&message) {
                Some(Message::Heartbeat) => {}
                Some(Message::Leave) => return "has left".to_owned(),
                Some(Message::Unable(why)) => {
                    self.pool.fail(crate::text::printable(&why).into_owned());
                }
                Some(Message::Answer { number, head, states }) => {
                    let Some(count) = self.pool.given(seat, number) else {
                        return "is sent away: it answers what it was not given".to_owned();
                    };
                    let Some(answer) = self.check(head, states, count, &codec, &mut inspector) else {
                        return "is sent away: its answer makes no sense".to_owned();
                    };
                    self.pool.answered(seat, number, answer);
                }
                Some(Message::Batch { .. } | Message::End) | None => {
                    return "is sent away: what it sends is not a message of a worker".to_owned();
                }
            }
        }
    }

    /// Whether an answer can be one to a batch of `count` states.
    fn check(
        &self,
        head: Head,
        states: &[u8],
        count: usize,
        codec: &Codec,
        inspector: &mut Inspector<'_>,
    ) -> Option<Answer> {
        let rules = self.description.rules;
        let states = unpack(states, codec)?;
        let found = states.len() / codec.stored_words();
        let expanded = head.ends.len();
        let fits = expanded > 0
            && expanded <= count
            && head.ends.is_sorted()
            && head.ends.last().is_some_and(|last| *last as usize == found)
            && head.fired.len() == rules.len()
            && head.fired.iter().try_fold(0, |sum: u64, fired| sum.checked_add(*fired)) == Some(head.rules)
            && head.rules >= found as u64
            && head.rules <= 1 << 40
            && head.covered.len() == self.description.counters()
            && head.covered.iter().all(|count| *count <= 1 << 40)
            && head.unreduced <= 2 * head.rules
            && (head.walked == [0; 3] || self.job.compress_paths)
            && head.walked.iter().all(|count| *count <= head.rules)
            && (head.put.is_empty() || self.job.put)
            && (head.doubtful.is_empty() || self.job.check)
            && head.doubtful.is_sorted_by(|one, next| one < next)
            && head.doubtful.last().is_none_or(|last| (*last as usize) < found)
            && head.undefined_compared.len() <= self.description.sites.len().div_ceil(64)
            && head.problems.iter().all(|trouble| {
                let is_state = match trouble.state.len() {
                    0 => true,
                    length => {
                        self.job.compress_paths
                            && length == codec.stored_words()
                            && inspector.accepts(&trouble.state)
                    }
                };
                let is_known = (self.knows)(trouble.problem, self.description, self.job.compress_paths);
                (trouble.from as usize) < expanded && is_state && is_known
            })
            && states.chunks_exact(codec.stored_words()).all(|state| inspector.accepts(state));
        fits.then_some(Answer { head, states })
    }

    fn codec(&self) -> Codec {
        match self.packed {
            true => Codec::packed(self.description),
            false => Codec::aligned(self.description),
        }
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
