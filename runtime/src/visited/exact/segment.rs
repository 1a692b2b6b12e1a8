//! One segment of the set: its states, in chunks that never move, and the table that finds them.
//!
//! The table has 32-bit entries in lines of sixteen, one cache line each. The low bits of an entry
//! are the state's place plus one (0: empty), as many as the table's size needs; the others are a
//! *tag* from the hash, so that states are compared only where tags agree. A line is filled from
//! its beginning, and what finds its line full goes to the next one.
//!
//! The table can be rebuilt from the states alone, one after the other as they lie in memory, so
//! growing needs no second copy of anything but the table of this one segment.

mod growth;
mod saved;
mod wide;

#[cfg(target_arch = "x86_64")]
use super::line::Wide;
use super::line::{Anywhere, LINE, Scan};
use super::policy::Policy;
use super::shape::Shape;
use super::stock::{Stock, Supplies};
use crate::hashing::words::hash_of;
use crate::memory::{MemoryError, prefetch};
use crate::state::stride::Stride;
use crate::visited::Origin;
use std::ptr::NonNull;
use wide::Upper;

/// States of a segment, at most: an entry of the table has 32 bits.
pub const MOST: u32 = u32::MAX - 1;
/// States that are hashed together while a table is rebuilt.
const WINDOW: usize = 32;

#[derive(Debug)]
pub struct Segment {
    /// The first line; there are `lines` of them.
    table: NonNull<u32>,
    lines: u64,
    /// The bits of an entry that are a place plus one.
    places: u32,
    pub length: u32,
    /// As long as there are fewer states than this, one more fits.
    pub ready: u32,
    /// Where the next state and the number of its predecessor will be, if there are fewer states
    /// than are ready.
    next: NonNull<u8>,
    next_origin: NonNull<u32>,
    /// States that the table may hold.
    limit: u32,
    /// Chunks whose addresses were taken from the budget.
    accounted: u32,
    chunks: Vec<NonNull<u8>>,
    /// The largest predecessor for which there is a place in the chunk at work.
    widest: u64,
    upper: Option<Box<Upper>>,
}

// SAFETY: the addresses are those of blocks and chunks that were handed out to this segment alone.
unsafe impl Send for Segment {}
// SAFETY: as above; a shared reference only reads.
unsafe impl Sync for Segment {}

/// What a line of the table says about a hash.
pub enum Look {
    /// The state at this place has it, or one that looks the same to the table.
    Place(u32),
    /// No state has it. This is the entry that it would get.
    Missing(NonNull<u32>),
    /// The line is full: the search goes on in this one.
    Further(NonNull<u32>),
}

/// What a search for a state comes to.
pub enum Probe {
    /// The place of the state.
    Known(u32),
    /// The entry that the state would get.
    Missing(NonNull<u32>),
}

impl Segment {
    /// An empty segment with a table of `lines` lines.
    pub fn new(lines: usize, supplies: &mut Supplies, policy: &Policy) -> Result<Self, MemoryError> {
        let table = supplies.tables.take(lines * LINE * size_of::<u32>())?.cast();
        let chunks = Vec::new();
        let (next, next_origin) = (NonNull::dangling(), NonNull::dangling());
        let mut segment = Segment {
            table,
            lines: 0,
            places: 0,
            length: 0,
            ready: 0,
            next,
            next_origin,
            limit: 0,
            accounted: 0,
            chunks,
            widest: Origin::NARROW,
            upper: None,
        };
        segment.adopt(table, lines, policy);
        Ok(segment)
    }

    fn adopt(&mut self, table: NonNull<u32>, lines: usize, policy: &Policy) {
        let entries = lines * LINE;
        self.table = table;
        self.lines = lines as u64;
        self.places = (1u64 << (entries.ilog2() + 1)).wrapping_sub(1) as u32;
        self.limit = policy.limit(entries).min(MOST as usize) as u32;
    }

    fn table_bytes(&self) -> usize {
        self.lines as usize * LINE * size_of::<u32>()
    }

    /// Where the search for a state with this hash begins. `bits` of the hash have already been
    /// used for finding the segment.
    #[inline(always)]
    fn home(&self, hash: u64, bits: u32) -> u64 {
        ((u128::from(hash << bits) * u128::from(self.lines)) >> 64) as u64
    }

    /// The address of a line.
    ///
    /// # Safety
    /// `line` is below the number of lines.
    #[inline(always)]
    unsafe fn line(&self, line: u64) -> NonNull<u32> {
        debug_assert!(line < self.lines);
        // SAFETY: the caller's promise.
        unsafe { self.table.add(line as usize * LINE) }
    }

    /// Asks for the line where the search for this hash begins, and gives it.
    #[inline(always)]
    pub fn ask(&self, hash: u64, bits: u32) -> NonNull<u32> {
        // SAFETY: a home is a line.
        let line = unsafe { self.line(self.home(hash, bits)) };
        prefetch(line.as_ptr());
        line
    }

    /// What a line says about the state with this hash. A line where the search goes on is asked
    /// for.
    ///
    /// # Safety
    /// [`Segment::ask`] or this gave the line since the table was last exchanged for another one,
    /// and the processor has the instructions that `X` needs.
    #[inline(always)]
    pub unsafe fn look<X: Scan>(&self, line: NonNull<u32>, hash: u64) -> Look {
        // SAFETY: a line has sixteen entries.
        let found = unsafe { X::matches(line, hash as u32, !self.places) };
        if found != 0 {
            // SAFETY: as above, and a bit of `found` is set for one of the entries.
            let entry = unsafe { line.add(found.trailing_zeros() as usize) };
            // SAFETY: as above.
            let place = unsafe { *entry.as_ptr() } & self.places;
            // An empty entry looks like a tag of zeros. A line is filled from its beginning, so
            // there is no other behind it.
            return if place == 0 { Look::Missing(entry) } else { Look::Place(place - 1) };
        }
        // SAFETY: as above.
        let empty = unsafe { X::matches(line, 0, u32::MAX) };
        if empty != 0 {
            // SAFETY: as above.
            return Look::Missing(unsafe { line.add(empty.trailing_zeros() as usize) });
        }
        // SAFETY: what lies behind a line of the table is one, or the table's end.
        let next = unsafe { line.add(LINE) };
        // SAFETY: as above.
        let end = unsafe { self.table.add(self.lines as usize * LINE) };
        let next = if next == end { self.table } else { next };
        prefetch(next.as_ptr());
        Look::Further(next)
    }

    /// The address of a state.
    ///
    /// # Safety
    /// There is a chunk for this place.
    #[inline(always)]
    pub unsafe fn state(&self, place: u32, shape: &Shape) -> *mut u8 {
        let spot = shape.spot(place);
        debug_assert!(spot.chunk < self.chunks.len());
        // SAFETY: the caller's promise.
        unsafe { self.chunks.get_unchecked(spot.chunk).as_ptr().add(shape.offset(spot)) }
    }

    /// Asks for a state.
    #[inline(always)]
    pub fn prefetch(&self, place: u32, shape: &Shape) {
        if place < self.length {
            // SAFETY: just checked.
            prefetch(unsafe { self.state(place, shape) });
        }
    }

    /// Looks for a state.
    #[inline(always)]
    pub fn probe(&self, words: &[u64], hash: u64, bits: u32, shape: &Shape) -> Probe {
        let mut at = self.home(hash, bits);
        loop {
            // SAFETY: homes are lines, and so is what follows one.
            let line = unsafe { self.line(at) };
            // SAFETY: a line has sixteen entries.
            let mut found = unsafe { Anywhere::matches(line, hash as u32, !self.places) };
            while found != 0 {
                // SAFETY: a line has sixteen entries, and a bit of `found` is set for one of them.
                let entry = unsafe { *line.add(found.trailing_zeros() as usize).as_ptr() } & self.places;
                // An empty entry looks like a tag of zeros.
                if entry == 0 {
                    break;
                }
                // SAFETY: entries hold places of states that exist, plus one.
                if unsafe { shape.equals(self.state(entry - 1, shape), words) } {
                    return Probe::Known(entry - 1);
                }
                found &= found - 1;
            }
            // SAFETY: a line has sixteen entries.
            let empty = unsafe { Anywhere::matches(line, 0, u32::MAX) };
            if empty != 0 {
                // SAFETY: as above.
                return Probe::Missing(unsafe { line.add(empty.trailing_zeros() as usize) });
            }
            at = if at + 1 == self.lines { 0 } else { at + 1 };
        }
    }

    /// Writes a new state behind the others.
    ///
    /// # Safety
    /// There are fewer states than are ready, the segment takes the origin, and [`Segment::probe`]
    /// gave this entry for the words and the hash since the segment was last changed.
    #[inline(always)]
    pub unsafe fn push(
        &mut self,
        entry: NonNull<u32>,
        words: &[u64],
        hash: u64,
        origin: Origin,
        shape: &Shape,
    ) {
        debug_assert!(self.length < self.ready && self.takes(origin));
        let place = self.length;
        // SAFETY: the place is ready, so `next` is where it is in a chunk, and nothing behind it
        // was written; the entry is one of the table's. What is ready lies in one chunk.
        unsafe {
            debug_assert_eq!(self.next.as_ptr(), self.state(place, shape));
            shape.write(self.next.as_ptr(), words);
            self.next_origin.write(origin.halves().0);
            if self.upper.is_some() {
                self.push_upper(origin.halves().1);
            }
            entry.write((hash as u32 & !self.places) | (place + 1));
            self.next = self.next.add(shape.bytes());
            self.next_origin = self.next_origin.add(1);
        }
        self.length += 1;
    }

    /// Exchanges the state at this place and the one behind it, which have these hashes. False:
    /// they stay where they are.
    pub fn exchange(&mut self, place: u32, hashes: [u64; 2], bits: u32, shape: &Shape) -> bool {
        let places = [place, place + 1];
        let fits = self.origin(place + 1, shape).is_some_and(|origin| self.takes_at(place, origin, shape));
        let entries = [0, 1].map(|at| self.entry_of(places[at], hashes[at], bits));
        let [Some(one), Some(other)] = entries else { return false };
        if !fits {
            return false;
        }
        // SAFETY: both states exist, and are two different ones; the entries are the table's.
        unsafe {
            let [first, second] = places.map(|place| self.state(place, shape));
            std::ptr::swap_nonoverlapping(first, second, shape.bytes());
            std::ptr::swap(self.origin_address(places[0], shape), self.origin_address(places[1], shape));
            self.exchange_upper(places, shape);
            one.write((one.read() & !self.places) | (places[1] + 1));
            other.write((other.read() & !self.places) | (places[0] + 1));
        }
        true
    }

    /// The entry for a place whose state has this hash.
    fn entry_of(&self, place: u32, hash: u64, bits: u32) -> Option<NonNull<u32>> {
        let mut at = self.home(hash, bits);
        for _ in 0..self.lines {
            // SAFETY: homes are lines, and so is what follows one.
            let line = unsafe { self.line(at) };
            // SAFETY: a line has sixteen entries.
            let found = unsafe { Anywhere::matches(line, place + 1, self.places) };
            if found != 0 {
                // SAFETY: as above, and a bit of `found` is set for one of them.
                return Some(unsafe { line.add(found.trailing_zeros() as usize) });
            }
            at = if at + 1 == self.lines { 0 } else { at + 1 };
        }
        None
    }

    /// # Safety
    /// There is a chunk for this place.
    #[inline(always)]
    unsafe fn origin_address(&self, place: u32, shape: &Shape) -> *mut u32 {
        let spot = shape.spot(place);
        // SAFETY: the caller's promise; chunks begin with the predecessors, and are aligned.
        unsafe { self.chunks.get_unchecked(spot.chunk).cast::<u32>().add(spot.within).as_ptr() }
    }

    pub fn origin(&self, place: u32, shape: &Shape) -> Option<Origin> {
        if place >= self.length {
            return None;
        }
        // SAFETY: below the length, so it was written.
        let low = unsafe { *self.origin_address(place, shape) };
        // SAFETY: as above.
        let high = self.upper_address(place, shape).map_or(0, |upper| unsafe { upper.read() });
        Some(Origin::from_halves(low, high))
    }

    /// Appends a state's words; nothing if there is no such state.
    #[inline(always)]
    pub fn load<S: Stride>(&self, place: u32, stride: S, shape: &Shape, into: &mut Vec<u64>) {
        if place < self.length {
            // SAFETY: just checked.
            let state = unsafe { self.state(place, shape) };
            let words = stride.words();
            into.reserve(words);
            for (at, word) in into.spare_capacity_mut()[..words].iter_mut().enumerate() {
                // SAFETY: a state that was written.
                word.write(unsafe { shape.read(state, at, words) });
            }
            // SAFETY: `words` words were just written.
            unsafe { into.set_len(into.len() + words) };
        }
    }

    /// Whether there can be one more state without another table.
    #[inline(always)]
    pub fn table_has_room(&self) -> bool {
        self.length < self.limit
    }

    /// Bytes taken from the budget directly, which are given back when the segment is dropped.
    pub fn own_bytes(&self) -> u64 {
        let upper = self.upper.as_ref().map_or(0, |upper| upper.own_bytes());
        u64::from(self.accounted) * size_of::<NonNull<u8>>() as u64 + upper
    }
}
