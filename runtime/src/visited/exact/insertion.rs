//! How the states of a batch are looked up, and stored where they are new: some dozens at a time,
//! so that the memory that one of them needs comes while the others are worked on.
//!
//! 1. The lines of the tables are asked for.
//! 2. Each line is looked at. Where no entry has the tag of the state, the state is new, and is
//!    stored at once; so a second one like it in the same window finds it. Where one has, the state
//!    behind it is asked for. Where the line is full, the next one is.
//! 3. These next lines are looked at in the same way. Until then no other state of that segment is
//!    stored.
//! 4. The states are compared. Nearly always they are the same. Otherwise the search starts again
//!    for that state alone.
//!
//! Whether a state is new is decided by one branch, which is unpredictable; the others nearly
//! always go the same way.
//!
//! New states of a segment get their places in the order of their positions, so that the order of a
//! search does not depend on how full its tables are. Hence the waiting in step 3. One that step 4
//! finds to be new changes places with those behind it.
//!
//! Where steps are noted (`NOTES`), the number of each state of the batch is, when all that change
//! places have done so.

use super::line::{Anywhere, Scan};
use super::segment::{Look, Probe};
use super::{ExactShare, WINDOW, make_room, state};
use crate::memory::prefetch;
use crate::state::stride::Stride;
use crate::visited::{Batch, Fresh, InsertError};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// What is left to do of a window.
struct Later {
    /// States with the tag of the one at this position.
    alike: Notes<*const u8>,
    /// The places of these, where steps are noted.
    places: Notes<u32>,
    /// Positions whose search goes on in this line.
    further: Notes<NonNull<u32>>,
    /// The segments of these: a bit for each, or for some of them together.
    waiting: u64,
}

impl Later {
    /// Whether an earlier state of this segment is searched for further.
    #[inline(always)]
    fn waits(&self, segment: usize) -> bool {
        self.waiting >> (segment % u64::BITS as usize) & 1 == 1
    }

    #[inline(always)]
    fn go_on(&mut self, position: u32, line: NonNull<u32>, segment: usize) {
        self.further.push(position, line);
        self.waiting |= 1 << (segment % u64::BITS as usize);
    }
}

/// Something about some positions of a window, one note for each at most. They are not cleared
/// before they are written: there is a window for every few states.
struct Notes<T> {
    notes: [MaybeUninit<(u32, T)>; WINDOW],
    count: usize,
}

impl<T: Copy> Notes<T> {
    #[inline(always)]
    fn new() -> Self {
        Notes { notes: [const { MaybeUninit::uninit() }; WINDOW], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, position: u32, note: T) {
        self.notes[self.count].write((position, note));
        self.count += 1;
    }

    #[inline(always)]
    fn get(&self, at: usize) -> (u32, T) {
        assert!(at < self.count);
        // SAFETY: all below the count were written.
        unsafe { self.notes[at].assume_init() }
    }
}

impl<S: Stride> ExactShare<'_, S> {
    /// Stores the states at these positions, as far as they are new, which are appended to `fresh`
    /// in the order of the positions.
    pub fn insert_all(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        if self.log.as_mut().is_some_and(|log| log.is_lost()) {
            self.log = None;
        }
        if self.log.is_none() {
            return self.insert_by::<false>(batch, positions, fresh);
        }
        let before = fresh.len();
        self.log.iter_mut().for_each(|log| log.begin(batch.origins.len()));
        let inserted = self.insert_by::<true>(batch, positions, fresh);
        if let Some(log) = &mut self.log {
            fresh[before..].iter().for_each(|fresh| log.met(fresh.position, fresh.index));
            match inserted {
                Ok(()) => log.append(batch, positions),
                Err(_) => _ = log.give_up(),
            }
        }
        inserted
    }

    fn insert_by<const NOTES: bool>(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        #[cfg(target_arch = "x86_64")]
        if super::line::Wide::is_there() {
            // SAFETY: just asked.
            return unsafe { self.insert_wide::<NOTES>(batch, positions, fresh) };
        }
        // SAFETY: it needs no instructions that are not everywhere.
        unsafe { self.insert_windows::<Anywhere, NOTES>(batch, positions, fresh) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,bmi2")]
    fn insert_wide<const NOTES: bool>(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        // SAFETY: the caller has checked that the processor has them.
        unsafe { self.insert_windows::<super::line::Wide, NOTES>(batch, positions, fresh) }
    }

    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    unsafe fn insert_windows<X: Scan, const NOTES: bool>(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        for window in positions.chunks(WINDOW) {
            let before = fresh.len();
            // SAFETY: the caller's promise.
            let ordered = unsafe { self.insert_window::<X, NOTES>(batch, window, fresh) }?;
            put_in_order(&mut fresh[before..], ordered - before);
        }
        Ok(())
    }

    /// Gives how many of all that are fresh are in order; the few behind come from anywhere in the
    /// window.
    ///
    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    unsafe fn insert_window<X: Scan, const NOTES: bool>(
        &mut self,
        batch: &Batch<'_>,
        positions: &[u32],
        fresh: &mut Vec<Fresh>,
    ) -> Result<usize, InsertError> {
        let bits = self.segmentation.bits;
        let mut lines = [NonNull::dangling(); WINDOW];
        for (&position, line) in positions.iter().zip(&mut lines) {
            let hash = batch.hashes[position as usize];
            *line = self.segment(hash).ask(hash, bits);
        }
        let mut later =
            Later { alike: Notes::new(), places: Notes::new(), further: Notes::new(), waiting: 0 };
        let before = fresh.len();
        let mut looked = 0;
        for (&position, &line) in positions.iter().zip(&lines) {
            // SAFETY: no table has changed since it gave the line.
            if !unsafe { self.look_at::<X, NOTES>(line, batch, position, &mut later, fresh) } {
                break;
            }
            looked += 1;
        }
        let ordered = fresh.len();
        // SAFETY: as above.
        unsafe { self.follow::<X, NOTES>(batch, &mut later, fresh) }?;
        let mut moved = false;
        for at in 0..later.alike.count {
            let (position, candidate) = later.alike.get(at);
            // SAFETY: the candidate is a state of this set; states never move.
            if !unsafe { self.stock.shape.equals(candidate, state(batch, position, self.stride.words())) } {
                let known = fresh.len();
                self.insert_one(batch, position, fresh)?;
                if fresh.len() > known {
                    self.move_up(batch, &mut fresh[before..]);
                    moved = true;
                }
            } else if NOTES {
                self.note(batch, position, later.places.get(at).1);
            }
        }
        // If there were any left, a table has to grow, and then these lines are no longer what they
        // were.
        for &position in &positions[looked..] {
            self.insert_one(batch, position, fresh)?;
        }
        if NOTES && moved {
            self.note_again(batch, positions);
        }
        Ok(ordered)
    }

    /// Goes on with those whose lines were full.
    ///
    /// # Safety
    /// No table has changed since it gave the lines, and the processor has the instructions that
    /// `X` needs.
    #[inline(always)]
    unsafe fn follow<X: Scan, const NOTES: bool>(
        &mut self,
        batch: &Batch<'_>,
        later: &mut Later,
        fresh: &mut Vec<Fresh>,
    ) -> Result<(), InsertError> {
        let mut stale = false;
        while later.further.count > 0 {
            let further = std::mem::replace(&mut later.further, Notes::new());
            later.waiting = 0;
            for at in 0..further.count {
                let (position, line) = further.get(at);
                let segment = self.segmentation.of_hash(batch.hashes[position as usize]);
                if stale && later.waits(segment) {
                    later.go_on(position, line, segment);
                    continue;
                }
                // SAFETY: the caller's promise, and `stale` says whether it still holds.
                if stale || !unsafe { self.look_at::<X, NOTES>(line, batch, position, later, fresh) } {
                    stale |= self.insert_one(batch, position, fresh)?;
                }
            }
        }
        Ok(())
    }

    /// What the line says about a state: it is stored if it is new, and otherwise noted for later.
    /// False: there is no room for it.
    ///
    /// # Safety
    /// The search for the state leads to this line of the table as it is, and the processor has the
    /// instructions that `X` needs.
    #[inline(always)]
    unsafe fn look_at<X: Scan, const NOTES: bool>(
        &mut self,
        line: NonNull<u32>,
        batch: &Batch<'_>,
        position: u32,
        later: &mut Later,
        fresh: &mut Vec<Fresh>,
    ) -> bool {
        let hash = batch.hashes[position as usize];
        let number = self.segmentation.of_hash(hash);
        let segment = &mut self.segments[number - self.first];
        let shape = &self.stock.shape;
        // SAFETY: the caller's promise.
        match unsafe { segment.look::<X>(line, hash) } {
            Look::Place(place) => {
                // SAFETY: entries hold places of states that exist.
                let candidate = unsafe { segment.state(place, shape) };
                prefetch(candidate);
                // It may reach into another cache line.
                prefetch(candidate.wrapping_add(shape.bytes() - 1));
                later.alike.push(position, candidate);
                if NOTES {
                    later.places.push(position, place);
                }
            }
            Look::Missing(_) if later.waits(number) => later.go_on(position, line, number),
            Look::Missing(entry) => {
                let origin = batch.origins[position as usize];
                if segment.length == segment.ready || !segment.takes(origin) {
                    // Where only a chunk is full, all lines stay what they are.
                    let room = segment.table_has_room()
                        && make_room(segment, origin, self.segmentation, number, self.stride, self.stock)
                            .is_ok();
                    if !room {
                        return false;
                    }
                }
                let index = self.segmentation.index(number, segment.length.into());
                let words = state(batch, position, self.stride.words());
                // SAFETY: there is room, and the entry was just found.
                unsafe { segment.push(entry, words, hash, origin, shape) };
                fresh.push(Fresh { position, index });
            }
            Look::Further(next) => later.go_on(position, next, number),
        }
        true
    }

    /// The last of these new states was found later than others of its segment that come after it:
    /// it takes their places, and they move back.
    #[cold]
    #[inline(never)]
    fn move_up(&mut self, batch: &Batch<'_>, fresh: &mut [Fresh]) {
        let segmentation = self.segmentation;
        let Some((last, others)) = fresh.split_last_mut() else { return };
        let number = segmentation.of_index(last.index);
        let segment = &mut self.segments[number - self.first];
        loop {
            let place = segmentation.place(last.index);
            let before = others.iter_mut().find(|other| {
                other.position > last.position
                    && segmentation.of_index(other.index) == number
                    && segmentation.place(other.index) + 1 == place
            });
            let Some(other) = before else { return };
            let hashes = [other.position, last.position].map(|position| batch.hashes[position as usize]);
            if !segment.exchange(place as u32 - 1, hashes, segmentation.bits, &self.stock.shape) {
                return;
            }
            std::mem::swap(&mut last.index, &mut other.index);
        }
    }

    /// Looks for one state from the beginning, and stores it if it is new. True: the table may be
    /// another one now.
    #[cold]
    #[inline(never)]
    fn insert_one(
        &mut self,
        batch: &Batch<'_>,
        position: u32,
        fresh: &mut Vec<Fresh>,
    ) -> Result<bool, InsertError> {
        let bits = self.segmentation.bits;
        let shape = self.stock.shape;
        let state = state(batch, position, self.stride.words());
        let hash = batch.hashes[position as usize];
        let number = self.segmentation.of_hash(hash);
        let segment = &mut self.segments[number - self.first];
        let mut entry = match segment.probe(state, hash, bits, &shape) {
            Probe::Missing(entry) => entry,
            Probe::Known(place) => {
                self.note(batch, position, place);
                return Ok(false);
            }
        };
        let origin = batch.origins[position as usize];
        let grows = segment.length == segment.ready || !segment.takes(origin);
        if grows {
            let (segmentation, stride, stock) = (self.segmentation, self.stride, self.stock);
            let made = make_room(segment, origin, segmentation, number, stride, stock);
            // States come before their steps.
            let again =
                made == Err(InsertError::Memory) && self.log.as_mut().is_some_and(|log| log.give_up());
            match again {
                true => make_room(segment, origin, segmentation, number, stride, stock)?,
                false => made?,
            }
            // The table may be another one now.
            match segment.probe(state, hash, bits, &shape) {
                Probe::Missing(found) => entry = found,
                Probe::Known(place) => {
                    self.note(batch, position, place);
                    return Ok(true);
                }
            }
        }
        let index = self.segmentation.index(number, segment.length.into());
        // SAFETY: there is room, and the entry was just found.
        unsafe { segment.push(entry, state, hash, origin, &shape) };
        fresh.push(Fresh { position, index });
        Ok(grows)
    }
}

/// Noting steps.
impl<S: Stride> ExactShare<'_, S> {
    /// Notes that the state at this position of a batch is known, at this place of its segment.
    #[inline(always)]
    fn note(&mut self, batch: &Batch<'_>, position: u32, place: u32) {
        if let Some(log) = &mut self.log {
            let segment = self.segmentation.of_hash(batch.hashes[position as usize]);
            log.met(position, self.segmentation.index(segment, place.into()));
        }
    }

    /// Notes the numbers of states once more, because some have changed places.
    #[cold]
    fn note_again(&mut self, batch: &Batch<'_>, positions: &[u32]) {
        for &position in positions {
            let state = state(batch, position, self.stride.words());
            let found = self.find(state, batch.hashes[position as usize]);
            if let (Some(index), Some(log)) = (found, &mut self.log) {
                log.met(position, index);
            }
        }
    }
}

/// Brings new states into the order of their positions. Those from `ordered` on are few, so each is
/// moved to its place.
#[inline(always)]
fn put_in_order(fresh: &mut [Fresh], ordered: usize) {
    for mut at in ordered..fresh.len() {
        while at > 0 && fresh[at - 1].position > fresh[at].position {
            fresh.swap(at - 1, at);
            at -= 1;
        }
    }
}
