//! The threads of all processes, as one of them sees the others.

use super::dealing::Dealing;
use super::lately::Lately;
use super::records::{Before, Records, WORD};
use crate::cluster::frames::{Frame, STATES_HEAD, begin_states, mark_last};
use crate::cluster::hub::Hub;
use crate::cluster::link::WINDOW;
use crate::interruption::Interruption;
use crate::search::Counts;
use crate::search::partners::{LevelSums, Partners, Work};
use crate::search::site::Halt;
use crate::search::together::channels::ThreadPartners;
use crate::state::codec::Codec;
use crate::visited::batch::Sets;
use crate::visited::{Batch, Origin};
use std::sync::atomic::Ordering;

/// Bytes of a message of states, about, at most and at least …
const LARGE: usize = 63 << 10;
const SMALL: usize = 1 << 10;
/// A state that was sent lately is looked for this many states ahead.
const AHEAD: usize = 8;
/// … and of all that may be under way, as a part of the memory.
const PART: u64 = 16;

/// How large messages of states are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcels {
    records: Records,
    /// Bytes of a message, and states in it, at most.
    size: usize,
    most: usize,
    /// Messages that may be there at once.
    count: u64,
    /// Threads of this process, and states that each of them does not send again.
    threads: u64,
    lately: u64,
}

impl Parcels {
    /// For states of this form, between these partners, in a process with this much memory, where
    /// none has less than `least`.
    pub fn new(codec: &Codec, dealing: &Dealing, me: usize, memory: u64, least: u64) -> Self {
        let (words, bytes) = (codec.stored_words(), codec.stored_bytes());
        let own = dealing.seats.iter().filter(|seat| seat.process == me).count();
        let processes = dealing.seats.last().map_or(1, |seat| seat.process + 1);
        // One is filled for each thread elsewhere; a window of them is sent to each process, and
        // comes from each.
        let filled = own * (dealing.seats.len() - own);
        let count = (filled + 2 * WINDOW * (processes - 1)) as u64;
        let fits = (memory / PART).checked_div(count).unwrap_or(u64::MAX);
        let size = usize::try_from(fits).unwrap_or(usize::MAX).clamp(SMALL, LARGE);
        let records = Records::new(words, bytes);
        // There is room for one state in any case.
        let size = size.max(STATES_HEAD + records.longest());
        let lately = if filled == 0 { 0 } else { Lately::places(words, own, memory) };
        // What was received is unpacked, also by the process that has the least memory.
        let unpacked = usize::try_from(least / PART / 4).unwrap_or(usize::MAX);
        let most = records.most().min(unpacked / (8 * words).max(1)).max(1);
        Parcels { records, size, most, count, threads: own as u64, lately }
    }

    /// Bytes of all messages that may be there at once.
    pub fn memory(&self) -> u64 {
        let Parcels { records: Records { words, .. }, size, most, count, threads, lately } = *self;
        let unpacked = (most * (8 * words + size_of::<Origin>())) as u64;
        count * (size + WORD) as u64 + threads * (unpacked + Lately::bytes(words, lately))
    }
}

/// What all threads of a process use.
#[derive(Clone, Copy)]
pub struct Common<'a> {
    pub hub: &'a Hub,
    pub dealing: &'a Dealing,
    pub parcels: Parcels,
    /// The number of the search.
    pub search: u32,
    pub interrupted: &'a Interruption,
}

/// The threads of all processes, as one of them sees the others.
pub struct ClusterPartners<'a> {
    common: Common<'a>,
    /// Those of this process, and the number of the first of them.
    near: ThreadPartners<'a>,
    first: usize,
    /// What goes to each partner of another process.
    filling: Vec<Vec<u8>>,
    filled: Vec<usize>,
    /// What was put into each message last.
    before: Vec<Before>,
    /// What was sent to other processes lately.
    lately: Lately,
    /// Partners of other processes that have sent everything of this level.
    ended: usize,
    far: usize,
    // What was received last.
    states: Vec<u64>,
    origins: Vec<Origin>,
}

impl<'a> ClusterPartners<'a> {
    pub fn new(common: Common<'a>, near: ThreadPartners<'a>) -> Self {
        let all = common.dealing.seats.len();
        let far = all - near.count();
        let first = common.dealing.first(common.hub.me);
        let filling = (0..all).map(|_| Vec::new()).collect();
        let (filled, ended) = (vec![0; all], 0);
        ClusterPartners {
            common,
            near,
            first,
            filling,
            filled,
            before: vec![common.parcels.records.before(); all],
            lately: Lately::new(common.parcels.records.words, common.parcels.lately),
            ended,
            far,
            states: Vec::new(),
            origins: Vec::new(),
        }
    }

    /// The number that a partner has among those of this process.
    fn is_near(&self, partner: usize) -> Option<usize> {
        partner.checked_sub(self.first).filter(|&near| near < self.near.count())
    }

    /// Sends what was filled for a partner. False: there is no room.
    fn dispatch(&mut self, to: usize, is_last: bool) -> bool {
        let Common { hub, dealing, search, .. } = self.common;
        let seat = dealing.seats[to];
        let Some(link) = hub.link(seat.process) else { return false };
        if !link.take_room() {
            return false;
        }
        let mut message = std::mem::take(&mut self.filling[to]);
        if message.is_empty() {
            begin_states(&mut message, search, seat.thread as u16);
        }
        if is_last {
            mark_last(&mut message);
        }
        link.states.fetch_add(std::mem::take(&mut self.filled[to]) as u64, Ordering::Relaxed);
        link.send(message);
        true
    }
}

impl Partners for ClusterPartners<'_> {
    fn count(&self) -> usize {
        self.common.dealing.seats.len()
    }

    fn me(&self) -> usize {
        self.first + self.near.me()
    }

    fn deal(&self, hashes: &[u64], by_owner: &mut [Vec<u32>]) {
        for (at, &hash) in hashes.iter().enumerate() {
            by_owner[self.common.dealing.owner(hash)].push(at as u32);
        }
    }

    fn send(&mut self, to: usize, batch: &Batch<'_>, positions: &[u32]) -> usize {
        if let Some(near) = self.is_near(to) {
            return self.near.send(near, batch, positions);
        }
        let Common { hub, dealing, parcels, search, .. } = self.common;
        let Parcels { records, size, most, .. } = parcels;
        let (mut taken, mut repeated) = (0, 0);
        for (at, &position) in positions.iter().enumerate() {
            if let Some(&soon) = positions.get(at + AHEAD) {
                self.lately.prefetch(batch.hashes[soon as usize]);
            }
            let is_full = self.filling[to].len() + records.longest() > size || self.filled[to] == most;
            if is_full && !self.dispatch(to, false) {
                break;
            }
            taken += 1;
            let state = &batch.states[position as usize * records.words..][..records.words];
            if self.lately.is_there(batch.hashes[position as usize], state) {
                repeated += 1;
                continue;
            }
            let (message, before) = (&mut self.filling[to], &mut self.before[to]);
            if message.is_empty() {
                *message = hub.spare();
                message.reserve(size + WORD);
                begin_states(message, search, dealing.seats[to].thread as u16);
                before.clear();
            }
            records.write(before, state, batch.origins[position as usize], message);
            self.filled[to] += 1;
        }
        if let Some(link) = hub.link(dealing.seats[to].process) {
            link.repeated.fetch_add(repeated, Ordering::Relaxed);
        }
        taken
    }

    fn receive(&mut self, work: Work<'_>) -> Result<(), Halt> {
        self.near.receive(work)?;
        let hub = self.common.hub;
        while let Some(parcel) = hub.parcel(self.me() - self.first) {
            let Common { parcels: Parcels { records, .. }, .. } = self.common;
            if !records.read(parcel.states(), &mut self.states, &mut self.origins) {
                hub.accuse(parcel.from);
                return Err(Halt::Stopped);
            }
            let (states, origins) = (&self.states[..], &self.origins[..]);
            if !origins.is_empty() {
                // Without hashes: the owner computes them, and knows that the states are its own.
                work(&Batch { states, hashes: &[], signatures: &[], origins, sets: Sets::default() })?;
            }
            self.ended += usize::from(parcel.is_last);
            hub.stored(parcel);
        }
        Ok(())
    }

    fn finish_level(&mut self, to: usize) -> bool {
        match self.is_near(to) {
            Some(near) => self.near.finish_level(near),
            None => self.dispatch(to, true),
        }
    }

    fn level_is_over(&mut self) -> bool {
        let is_over = self.ended == self.far && self.near.level_is_over();
        if is_over {
            self.ended = 0;
        }
        is_over
    }

    fn wait(&mut self, room: Option<usize>) {
        let Common { hub, dealing, interrupted, .. } = self.common;
        let near = room.and_then(|to| self.is_near(to));
        let link = room.filter(|_| near.is_none()).and_then(|to| hub.link(dealing.seats[to].process));
        let thread = self.me() - self.first;
        self.near.wait_or(near, || {
            link.is_some_and(|link| link.has_room())
                || hub.has_parcel(thread)
                || hub.has_stopped()
                || interrupted.is_requested()
        });
    }

    fn agree(&mut self, brought: LevelSums) -> Option<LevelSums> {
        let Common { hub, search, interrupted, .. } = self.common;
        let here = self.near.agree(brought)?;
        let mut all = LevelSums::default();
        if self.near.me() == 0 {
            let LevelSums { waiting, problems, saves, states } = here;
            hub.send_to_all(&Frame::Sums { search, sums: [waiting, problems, saves, states] });
            let mut elsewhere = None;
            self.near.wait_or(None, || {
                elsewhere = elsewhere.or_else(|| hub.take_sums(search));
                elsewhere.is_some() || hub.has_stopped() || interrupted.is_requested()
            });
            let Some([more_waiting, more_problems, more_saves, more_states]) = elsewhere else {
                // So that the other threads of this process do not wait for this one.
                self.stop();
                return None;
            };
            all = LevelSums {
                waiting: waiting.saturating_add(more_waiting),
                problems: problems.saturating_add(more_problems),
                saves: saves.saturating_add(more_saves),
                states: states.saturating_add(more_states),
            };
        }
        self.near.agree(all)
    }

    fn stop(&self) {
        self.common.hub.stop(self.common.search);
        self.near.stop();
    }

    fn stopped(&self) -> bool {
        self.near.stopped() || self.common.hub.has_stopped() || self.common.interrupted.is_requested()
    }

    fn fewest(&self) -> u64 {
        0
    }

    fn publish(&self, here: &mut Counts) {
        let hub = self.common.hub;
        hub.publish([here.states, here.rules, here.queue, here.memory]);
        let [states, rules, queue, memory] = hub.elsewhere();
        here.states += states;
        here.rules += rules;
        here.queue += queue;
        here.memory += memory;
    }
}
