//! How new states get to the thread that owns them: in blocks, each from one thread to one other.

use super::meeting::Meeting;
use super::ring::{Receiver, Ring, Sender};
use crate::search::partners::{LevelSums, Partners, Work};
use crate::search::site::Halt;
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
    /// Words of a state.
    words: usize,
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
        Exchange { threads, capacity, words, rings: (0..threads * threads).map(ring).collect() }
    }

    /// Bytes of all blocks, for states of `words` words with sleep sets of `sets` words.
    pub fn bytes(threads: usize, words: usize, sets: usize) -> u64 {
        let blocks = threads * threads.saturating_sub(1) * BLOCKS;
        (blocks * capacity(threads, words + sets) * record(words + sets)) as u64
    }

    /// The partners, as each thread sees them. With fewer states than `fewest` they part.
    pub fn partners<'a>(
        &'a mut self,
        segmentation: Segmentation,
        meeting: &'a Meeting,
        fewest: u64,
    ) -> Vec<ThreadPartners<'a>> {
        let threads = self.threads;
        let mut partners: Vec<ThreadPartners<'a>> = (0..threads)
            .map(|me| ThreadPartners {
                me,
                segmentation,
                capacity: self.capacity,
                words: self.words,
                fewest,
                meeting,
                senders: Vec::with_capacity(threads),
                receivers: Vec::with_capacity(threads),
                ended: 0,
            })
            .collect();
        for (at, ring) in self.rings.iter_mut().enumerate() {
            let (sender, receiver) = ring.ends();
            partners[at / threads].senders.push(sender);
            partners[at % threads].receivers.push(receiver);
        }
        partners
    }
}

impl ThreadPartners<'_> {
    /// Waits as [`Partners::wait`] does, or until `ready` says so. Whoever makes it so must ring.
    pub fn wait_or(&mut self, room: Option<usize>, mut ready: impl FnMut() -> bool) {
        let ThreadPartners { receivers, senders, meeting, me, .. } = self;
        let mut sender = room.and_then(|to| senders.get_mut(to));
        meeting.wait(*me, || {
            sender.as_mut().is_some_and(|sender| sender.has_room())
                || receivers.iter_mut().any(Receiver::has_mail)
                || ready()
        });
    }
}

/// The threads of one process, as one of them sees the others.
#[derive(Debug)]
pub struct ThreadPartners<'a> {
    me: usize,
    meeting: &'a Meeting,
    segmentation: Segmentation,
    capacity: usize,
    words: usize,
    fewest: u64,
    /// To each thread; that to itself has no slots.
    senders: Vec<Sender<'a, Block>>,
    /// From each thread.
    receivers: Vec<Receiver<'a, Block>>,
    /// Threads that have sent everything of this level.
    ended: usize,
}

impl Partners for ThreadPartners<'_> {
    fn count(&self) -> usize {
        self.senders.len()
    }

    fn me(&self) -> usize {
        self.me
    }

    fn deal(&self, hashes: &[u64], by_owner: &mut [Vec<u32>]) {
        let (segmentation, threads) = (self.segmentation, self.senders.len());
        for (at, &hash) in hashes.iter().enumerate() {
            by_owner[segmentation.owner(hash, threads)].push(at as u32);
        }
    }

    fn send(&mut self, to: usize, batch: &Batch<'_>, positions: &[u32]) -> usize {
        let (capacity, words) = (self.capacity, self.words);
        let filled = self.senders[to].fill(|block| {
            let count = positions.len().min(capacity - block.hashes.len());
            block.append(batch, &positions[..count], words);
            (count, block.hashes.len() == capacity)
        });
        let Some((count, full)) = filled else { return 0 };
        if full {
            self.senders[to].send();
            self.meeting.ring(to);
        }
        count
    }

    fn receive(&mut self, work: Work<'_>) -> Result<(), Halt> {
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

    fn finish_level(&mut self, to: usize) -> bool {
        let filled = self.senders[to].fill(|block| block.last = true);
        if filled.is_some() {
            self.senders[to].send();
            self.meeting.ring(to);
        }
        filled.is_some()
    }

    fn level_is_over(&mut self) -> bool {
        let over = self.ended + 1 == self.senders.len();
        if over {
            self.ended = 0;
        }
        over
    }

    fn wait(&mut self, room: Option<usize>) {
        self.wait_or(room, || false);
    }

    fn agree(&mut self, brought: LevelSums) -> Option<LevelSums> {
        let LevelSums { waiting, problems, saves, states } = brought;
        let [waiting, problems, saves, states] =
            self.meeting.meet(self.me, [waiting, problems, saves, states])?;
        Some(LevelSums { waiting, problems, saves, states })
    }

    fn stop(&self) {
        self.meeting.stop();
    }

    fn stopped(&self) -> bool {
        self.meeting.stopped()
    }

    fn fewest(&self) -> u64 {
        self.fewest
    }
}

/// Whoever unwinds stops the others.
impl Drop for ThreadPartners<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.meeting.stop();
        }
    }
}
