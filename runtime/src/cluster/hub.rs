//! All connections of a process, and what has come in over them.
//!
//! Each connection has a thread that sends what waits and one that receives. A third thread sends a
//! heartbeat to every process once a second. A connection that breaks, or over which nothing comes
//! for [`SILENCE`], is a process that is lost: the search ends here, the others are informed, and
//! the message names the process. So it is from the greeting on, while others are still awaited.

mod receiving;
mod searches;

use super::channel::Sender;
use super::frames::{Frame, STATES_HEAD, Sums};
use super::greeting::Greeted;
use super::link::{Link, WINDOW};
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// A process that says nothing for so long is lost.
pub const SILENCE: Duration = Duration::from_secs(7);
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How often threads that wait look whether the user has interrupted the run.
const TICK: Duration = Duration::from_millis(100);
/// What is left to send when a process ends has this long to leave.
const CLOSING: Duration = Duration::from_secs(3);

/// What a process is like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub address: String,
    pub share: u32,
    pub threads: usize,
    pub memory: u64,
}

/// Bytes from which on a buffer is worth to be kept.
const LARGE: usize = 4 << 10;
/// Buffers of messages of states that are kept for the next ones, at most.
const SPARES: usize = WINDOW;

/// A message of states that another process sent.
#[derive(Debug)]
pub struct Parcel {
    pub from: usize,
    pub is_last: bool,
    /// The number of its search.
    search: u32,
    message: Vec<u8>,
}

impl Parcel {
    pub fn states(&self) -> &[u8] {
        self.message.get(STATES_HEAD..).unwrap_or_default()
    }
}

/// Whom something concerns that has come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    Thread(usize),
    All,
    Stop,
}

/// Wakes threads that wait.
pub type Waker = Arc<dyn Fn(Wake) + Send + Sync>;

/// What has come in and is not for a thread that expands states.
#[derive(Debug, Default)]
struct Incoming {
    /// From each process: sums, with the number of their search.
    sums: Vec<VecDeque<(u32, Sums)>>,
    letters: Vec<VecDeque<Vec<u8>>>,
    /// Why the processes cannot go on.
    failure: Option<String>,
    /// The exit code that process 0 has sent.
    farewell: Option<u8>,
}

/// The connections of this process.
pub struct Hub {
    pub me: usize,
    /// All processes, once all have come.
    places: OnceLock<Vec<Place>>,
    /// Where each process listens, for messages.
    addresses: Mutex<Vec<String>>,
    /// Whether messages are encrypted.
    pub is_encrypted: bool,
    /// To each other process, from its greeting on.
    links: Vec<OnceLock<Link>>,
    /// For each thread of this process.
    inboxes: Vec<Mutex<VecDeque<Parcel>>>,
    waiting: Vec<AtomicUsize>,
    incoming: Mutex<Incoming>,
    arrived: Condvar,
    failed: AtomicBool,
    /// The search at work, counted from 1 on, and the last one that was stopped.
    search: AtomicU32,
    stopped: AtomicU32,
    is_closing: AtomicBool,
    waker: Mutex<Option<Waker>>,
    progress: [AtomicU64; 4],
    threads: Mutex<Vec<JoinHandle<()>>>,
    /// Empty, and used again: the system would take large ones back, and clear them each time.
    spares: Mutex<Vec<Vec<u8>>>,
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Hub").field("me", &self.me).field("places", &self.places()).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    /// Of process `me` with this number of threads, among processes at these addresses, of which
    /// none has come yet.
    pub fn start(
        me: usize,
        threads: usize,
        addresses: Vec<String>,
        is_encrypted: bool,
    ) -> io::Result<Arc<Hub>> {
        let count = addresses.len();
        let hub = Arc::new(Hub {
            me,
            places: OnceLock::new(),
            addresses: Mutex::new(addresses),
            is_encrypted,
            links: (0..count).map(|_| OnceLock::new()).collect(),
            inboxes: (0..threads).map(|_| Mutex::default()).collect(),
            waiting: (0..threads).map(|_| AtomicUsize::new(0)).collect(),
            incoming: Mutex::new(Incoming {
                sums: (0..count).map(|_| VecDeque::new()).collect(),
                letters: (0..count).map(|_| VecDeque::new()).collect(),
                failure: None,
                farewell: None,
            }),
            arrived: Condvar::new(),
            failed: AtomicBool::new(false),
            search: AtomicU32::new(0),
            stopped: AtomicU32::new(0),
            is_closing: AtomicBool::new(false),
            waker: Mutex::new(None),
            progress: Default::default(),
            threads: Mutex::default(),
            spares: Mutex::default(),
        });
        let beats = hub.clone();
        let thread = Builder::new().name("heartbeat".to_owned()).spawn(move || beats.beats())?;
        lock(&hub.threads).push(thread);
        Ok(hub)
    }

    /// Begins to send and to receive over the connection with another process.
    pub fn connect(self: &Arc<Self>, process: usize, greeted: Greeted) -> io::Result<()> {
        let Greeted { stream, sender, receiver, .. } = greeted;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.set_write_timeout(Some(SILENCE))?;
        let place = self.links.get(process).filter(|_| process != self.me);
        if place.is_none_or(|place| place.set(Link::new(stream)).is_err()) {
            return Err(io::Error::other("there is a connection with that process already"));
        }
        let (to, from) = (self.clone(), self.clone());
        let sends = Builder::new().name("send".to_owned()).spawn(move || to.sends(process, sender))?;
        lock(&self.threads).push(sends);
        // It ends with the connection, and nothing waits for it.
        Builder::new().name("receive".to_owned()).spawn(move || from.receives(process, receiver))?;
        Ok(())
    }

    /// All processes have come.
    pub fn complete(&self, places: Vec<Place>) {
        let _ = self.places.set(places);
    }

    /// All processes, in the order of their numbers. None, until all have come.
    pub fn places(&self) -> &[Place] {
        self.places.get().map_or(&[], Vec::as_slice)
    }

    /// Where the processes listen, now that it is known.
    pub fn set_addresses(&self, addresses: Vec<String>) {
        *lock(&self.addresses) = addresses;
    }

    pub fn count(&self) -> usize {
        self.links.len()
    }

    /// The numbers of the other processes.
    pub fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.count()).filter(|&process| process != self.me)
    }

    pub fn link(&self, process: usize) -> Option<&Link> {
        self.links.get(process)?.get()
    }

    fn all_links(&self) -> impl Iterator<Item = (usize, &Link)> {
        self.links.iter().enumerate().filter_map(|(process, link)| Some((process, link.get()?)))
    }

    fn name(&self, process: usize) -> String {
        super::name(process, lock(&self.addresses).get(process).map_or("", String::as_str))
    }

    fn sends(&self, process: usize, mut sender: Sender) {
        let Some(link) = self.link(process) else { return };
        while let Some(message) = link.next() {
            match sender.send(&message) {
                Ok(bytes) => {
                    link.bytes.fetch_add(bytes, Ordering::Relaxed);
                    self.give_back(message);
                }
                Err(error) => return self.broken(process, &error),
            }
        }
        sender.close();
    }

    /// An empty buffer for a message of states.
    pub fn spare(&self) -> Vec<u8> {
        lock(&self.spares).pop().unwrap_or_default()
    }

    /// A message is not needed any more.
    pub fn give_back(&self, mut message: Vec<u8>) {
        let mut spares = lock(&self.spares);
        if message.capacity() >= LARGE && spares.len() < SPARES {
            message.clear();
            spares.push(message);
        }
    }

    /// Those states were stored.
    pub fn stored(&self, parcel: Parcel) {
        self.stored_one(parcel.from);
        self.give_back(parcel.message);
    }

    pub fn send(&self, to: usize, frame: &Frame<'_>) {
        if let Some(link) = self.link(to) {
            link.send(frame.bytes());
        }
    }

    pub fn send_to_all(&self, frame: &Frame<'_>) {
        self.all_links().for_each(|(_, link)| link.send(frame.bytes()));
    }

    fn beats(&self) {
        let mut next = Instant::now();
        while !self.is_closing.load(Ordering::Acquire) {
            if Instant::now() >= next {
                let progress = std::array::from_fn(|at| self.progress[at].load(Ordering::Relaxed));
                self.send_to_all(&Frame::Heartbeat(progress));
                next = Instant::now() + HEARTBEAT;
            }
            self.wake(Wake::All);
            std::thread::sleep(TICK);
        }
    }

    /// This process goes away before the search: the others end as well, and name it.
    pub fn give_up(&self) {
        if self.failure().is_none() {
            let why = "it ended before the search began";
            self.send_to_all(&Frame::Lost { process: self.me as u16, why });
        }
        self.end_connections();
    }

    /// Says farewell, and ends when all that waits was sent, or after a while.
    pub fn close(&self, code: u8) {
        if self.failure().is_none() {
            self.send_to_all(&Frame::Farewell(code));
        }
        self.end_connections();
    }

    /// What waits is still sent.
    fn end_connections(&self) {
        self.all_links().for_each(|(_, link)| link.close());
        self.is_closing.store(true, Ordering::Release);
        let threads = std::mem::take(&mut *lock(&self.threads));
        let until = Instant::now() + CLOSING;
        while threads.iter().any(|thread| !thread.is_finished()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[cfg(test)]
mod tests;
