//! How new states get to the thread that owns them: in blocks, each from one thread to one other.

use super::meeting::Meeting;
use super::ring::{Receiver, Ring, Sender};
use crate::visited::batch::SetBuffer;
use crate::visited::{Batch, Origin, Segmentation};

/// Blocks under way from one thread to another, at most.
const BLOCKS: usize = 16;
/// States of a block, at most …
const MOST: usize = 256;
/// … and bytes of one, about, where states are large.
const LARGE: usize = 64 << 10;

/// Bytes of a state under way.
fn record(words: usize) -> usize {
    words * size_of::<u64>() + 2 * size_of::<u64>() + size_of::<Origin>()
}

/// States of a block. With more threads there are more blocks, so they are smaller.
fn capacity(threads: usize, words: usize) -> usize {
    (MOST * 8 / threads).clamp(16, MOST).min(LARGE / record(words)).max(1)
}

/// States on their way.
#[derive(Debug, Default)]
pub struct Block {
    states: Vec<u64>,
    hashes: Vec<u64>,
    /// None, where the visited set has no use for them.
    signatures: Vec<u64>,
    origins: Vec<Origin>,
    /// None, where no rule sleeps.
    sets: SetBuffer,
    /// The sender has sent everything of this level.
    last: bool,
}

impl Block {
    fn append(&mut self, batch: &Batch<'_>, positions: &[u32], words: usize) {
        for &position in positions {
            self.hashes.push(batch.hashes[position as usize]);
            self.signatures.extend(batch.signatures.get(position as usize));
            self.origins.push(batch.origins[position as usize]);
            if batch.sets.width > 0 {
                self.sets.push(batch.sets.get(position as usize).iter().copied());
            }
        }
        // Where the compiler knows the number of words, copying them is no call.
        match words {
            1 => self.append_states::<1>(batch, positions),
            2 => self.append_states::<2>(batch, positions),
            3 => self.append_states::<3>(batch, positions),
            4 => self.append_states::<4>(batch, positions),
            _ => positions.iter().for_each(|&position| {
                self.states.extend_from_slice(&batch.states[position as usize * words..][..words]);
            }),
        }
    }

    fn append_states<const WORDS: usize>(&mut self, batch: &Batch<'_>, positions: &[u32]) {
        let (states, _) = batch.states.as_chunks::<WORDS>();
        positions.iter().for_each(|&position| self.states.extend_from_slice(&states[position as usize]));
    }
}

/// All the ways between some threads.
#[derive(Debug)]
pub struct Exchange {
    threads: usize,
    /// States of a block.
    capacity: usize,
    /// From thread `at / threads` to thread `at % threads`.
    rings: Vec<Ring<Block>>,
}

impl Exchange {
    /// Rings for states of `words` words, with sleep sets of `sets` words.
    pub fn new(threads: usize, words: usize, sets: usize) -> Self {
        let capacity = capacity(threads, words + sets);
        let block = || Block {
            states: Vec::with_capacity(capacity * words),
            hashes: Vec::with_capacity(capacity),
            signatures: Vec::with_capacity(capacity),
            origins: Vec::with_capacity(capacity),
            sets: SetBuffer::default(),
            last: false,
        };
        let ring = |at: usize| {
            let used = at / threads != at % threads;
            Ring::new((0..if used { BLOCKS } else { 0 }).map(|_| block()))
        };
        Exchange { threads, capacity, rings: (0..threads * threads).map(ring).collect() }
    }

    /// Bytes of all blocks, for states of `words` words with sleep sets of `sets` words.
    pub fn bytes(threads: usize, words: usize, sets: usize) -> u64 {
        let blocks = threads * threads.saturating_sub(1) * BLOCKS;
        (blocks * capacity(threads, words + sets) * record(words + sets)) as u64
    }

    /// What each thread needs to send and to receive.
    pub fn posts<'a>(&'a mut self, segmentation: Segmentation, meeting: &'a Meeting) -> Vec<Post<'a>> {
        let threads = self.threads;
        let mut posts: Vec<Post<'a>> = (0..threads)
            .map(|me| Post {
                me,
                segmentation,
                capacity: self.capacity,
                meeting,
                senders: Vec::with_capacity(threads),
                receivers: Vec::with_capacity(threads),
                ended: 0,
            })
            .collect();
        for (at, ring) in self.rings.iter_mut().enumerate() {
            let (sender, receiver) = ring.ends();
            posts[at / threads].senders.push(sender);
            posts[at % threads].receivers.push(receiver);
        }
        posts
    }
}

/// One thread's way to and from all others.
#[derive(Debug)]
pub struct Post<'a> {
    pub me: usize,
    pub meeting: &'a Meeting,
    segmentation: Segmentation,
    capacity: usize,
    /// To each thread; that to itself has no slots.
    senders: Vec<Sender<'a, Block>>,
    /// From each thread.
    receivers: Vec<Receiver<'a, Block>>,
    /// Threads that have sent everything of this level.
    ended: usize,
}

impl Post<'_> {
    pub fn threads(&self) -> usize {
        self.senders.len()
    }

    /// The thread that owns the states with this hash.
    #[inline(always)]
    pub fn owner(&self, hash: u64) -> usize {
        self.segmentation.owner(hash, self.senders.len())
    }

    /// Puts states of a batch into the block for their owner, as many as there is room for, and
    /// returns their number. If that is 0 there is no room until the owner has worked.
    pub fn put(&mut self, owner: usize, batch: &Batch<'_>, positions: &[u32], words: usize) -> usize {
        let capacity = self.capacity;
        let filled = self.senders[owner].fill(|block| {
            let count = positions.len().min(capacity - block.hashes.len());
            block.append(batch, &positions[..count], words);
            (count, block.hashes.len() == capacity)
        });
        let Some((count, full)) = filled else { return 0 };
        if full {
            self.senders[owner].send();
            self.meeting.ring(owner);
        }
        count
    }

    /// Sends what is left of this level to a thread. False: there is no room until that thread has
    /// worked.
    pub fn finish(&mut self, other: usize) -> bool {
        let filled = self.senders[other].fill(|block| block.last = true);
        if filled.is_some() {
            self.senders[other].send();
            self.meeting.ring(other);
        }
        filled.is_some()
    }

    pub fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let me = self.me;
        (0..self.senders.len()).filter(move |&thread| thread != me)
    }

    /// Works on every block that has come in.
    pub fn receive<E>(&mut self, mut work: impl FnMut(&Batch<'_>) -> Result<(), E>) -> Result<(), E> {
        for (from, receiver) in self.receivers.iter_mut().enumerate() {
            while receiver.has_mail() {
                let worked = receiver.receive(|block| {
                    let Block { states, hashes, signatures, origins, sets, last } = block;
                    let worked = work(&Batch { states, hashes, signatures, origins, sets: sets.as_sets() });
                    states.clear();
                    hashes.clear();
                    signatures.clear();
                    origins.clear();
                    sets.clear();
                    worked.map(|()| std::mem::take(last))
                });
                self.meeting.ring(from);
                match worked {
                    Some(Ok(last)) => self.ended += usize::from(last),
                    Some(Err(error)) => return Err(error),
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// Whether all others have sent everything of this level, and it was received.
    pub fn level_is_over(&mut self) -> bool {
        let over = self.ended + 1 == self.senders.len();
        if over {
            self.ended = 0;
        }
        over
    }

    /// Waits for mail.
    pub fn wait(&mut self) {
        let receivers = &mut self.receivers;
        self.meeting.wait(self.me, || receivers.iter_mut().any(Receiver::has_mail));
    }

    /// Waits for mail, or for room on the way to a thread.
    pub fn wait_for_room(&mut self, other: usize) {
        let (receivers, sender) = (&mut self.receivers, &mut self.senders[other]);
        self.meeting.wait(self.me, || sender.has_room() || receivers.iter_mut().any(Receiver::has_mail));
    }
}
