//! The memory table: candidates, and states that were found not long ago, in one place.
//!
//! Keys lie in *lines* of eight, which is what a processor fetches at a time; the top bits of a key
//! say in which line it is, so the lines are in the order of keys. Rests, where there are any, lie
//! in a block of their own. A state that is not in its line becomes a candidate there, in the place
//! of one that is none, and stays until all candidates are settled. From then on it is a state that
//! is known, and gives way to another candidate when nobody asked for it for a while. Whether it
//! turned out to be new does not matter for that: either way it need not be checked again.
//!
//! So a candidate takes eight bytes, and all memory that candidates do not need is for known
//! states. Going through the lines gives the candidates in the order of their keys. A candidate
//! whose line has nothing but candidates is put *aside*.

use super::block::{append_words, same_words};
use super::identity::Shape;
use crate::memory::{Budget, MemoryError, Pages, prefetch};
use std::sync::Arc;

/// Keys of a line.
pub const WAYS: usize = 8;
/// Average number of candidates among the eight keys of a line, at most.
const PINNED: usize = 5;
/// Number of lines for each candidate that may be put aside.
const PER_ASIDE: usize = 4;
/// Candidates for which memory is asked at a time when there are more aside than there should be.
const MORE: usize = 256;
/// Candidates that are looked for together, about.
const TOGETHER: usize = 1024;
/// The mark of a candidate that is not new.
const OLD: u32 = 1 << 31;

type Line = [u64; WAYS];

/// What is known about the states of a line, a bit for each.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// It is a candidate.
    pinned: u8,
    /// It is one, but not new.
    struck: u8,
    /// It was asked for since the hand came by.
    asked: u8,
    /// Where the next state to give way is looked for.
    hand: u8,
}

impl Marks {
    /// The place of the state that gives way; `None`: all are candidates.
    #[inline(always)]
    fn victim(&mut self) -> Option<usize> {
        let others = !self.pinned;
        if others == 0 {
            return None;
        }
        if others & !self.asked == 0 {
            // All were asked for: now it counts who is asked for from here on.
            self.asked = self.pinned;
        }
        let hand = u32::from(self.hand);
        let ahead = (others & !self.asked).rotate_right(hand).trailing_zeros();
        // Those that the hand passes by are passed by once.
        self.asked &= !(((1u8 << ahead) - 1).rotate_left(hand) & others);
        self.hand = ((hand + ahead + 1) % WAYS as u32) as u8;
        Some(((hand + ahead) % WAYS as u32) as usize)
    }
}

/// A candidate that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    pub key: u64,
    /// Where it is, with a mark.
    slot: u32,
}

impl Query {
    #[inline(always)]
    pub fn slot(&self) -> u32 {
        self.slot & !OLD
    }

    #[inline(always)]
    pub fn is_new(&self) -> bool {
        self.slot & OLD == 0
    }

    #[inline(always)]
    pub fn strike(&mut self) {
        self.slot |= OLD;
    }
}

/// A position in the sequence of candidates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    line: usize,
    aside: usize,
}

#[derive(Debug)]
pub struct Pool {
    shape: Shape,
    /// Top bits that all keys have in common.
    common: u32,
    keys: Pages,
    marks: Vec<Marks>,
    /// A bit for each line that has candidates, or that one aside belongs to.
    busy: Vec<u64>,
    /// The bytes of the rest of each state.
    rests: Vec<u8>,
    /// Candidates in lines.
    pinned: usize,
    /// Candidates beside them, in the order in which they came, or by their keys; and their rests.
    aside: Vec<Query>,
    aside_rests: Vec<u8>,
    /// Bytes taken from the budget.
    taken: u64,
    budget: Arc<Budget>,
}

impl Pool {
    /// Bytes of a line with all that belongs to it.
    pub fn line_bytes(shape: Shape) -> u64 {
        (size_of::<Line>() + size_of::<Marks>() + 1 + WAYS * shape.rest_bytes) as u64
            + (Self::aside_bytes(shape) / PER_ASIDE) as u64
    }

    fn aside_bytes(shape: Shape) -> usize {
        size_of::<Query>() + shape.rest_bytes
    }

    /// Candidates that `lines` lines have room for.
    pub fn candidates(lines: u64) -> u64 {
        lines * PINNED as u64
    }

    /// Lines whose states have numbers of their own.
    pub const MOST: u64 = (OLD as u64 / 2) / WAYS as u64;

    /// A pool of `lines` lines of states whose keys have their top `common` bits in common.
    pub fn new(shape: Shape, common: u32, lines: u64, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        let count = usize::try_from(lines.clamp(1, Self::MOST)).map_err(|_| MemoryError)?;
        let taken = count as u64 * Self::line_bytes(shape);
        budget.take(taken)?;
        let Some(keys) = Pages::zeroed(count * size_of::<Line>()) else {
            return Err(budget.refuse(taken));
        };
        Ok(Pool {
            shape,
            common,
            keys,
            marks: vec![Marks::default(); count],
            busy: vec![0; count.div_ceil(64)],
            rests: vec![0; count * WAYS * shape.rest_bytes],
            pinned: 0,
            aside: Vec::with_capacity(count.div_ceil(PER_ASIDE)),
            aside_rests: Vec::with_capacity(count.div_ceil(PER_ASIDE) * shape.rest_bytes),
            taken,
            budget,
        })
    }

    /// Candidates.
    pub fn len(&self) -> usize {
        self.pinned + self.aside.len()
    }

    pub fn is_full(&self) -> bool {
        self.pinned >= PINNED * self.marks.len() || self.aside.len() * PER_ASIDE >= self.marks.len()
    }

    /// The line of a key. Greater keys have the same one or a later one.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        ((u128::from(key << self.common) * self.marks.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn line(&self, place: usize) -> &Line {
        debug_assert!(place < self.marks.len());
        // SAFETY: there are as many lines as marks; they are aligned, zeroed or written, and
        // nothing is written while `self` is shared.
        unsafe { &*self.keys.start().cast::<Line>().add(place) }
    }

    #[inline(always)]
    fn line_mut(&mut self, place: usize) -> &mut Line {
        debug_assert!(place < self.marks.len());
        // SAFETY: as above, and `self` is borrowed exclusively.
        unsafe { &mut *self.keys.start().cast::<Line>().add(place) }
    }

    /// Asks for the memory that a state will be looked for in.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        let place = self.place(key);
        prefetch(self.keys.start().cast::<Line>().wrapping_add(place));
        prefetch(self.marks.as_ptr().wrapping_add(place));
    }

    /// Asks for what else will be read of it.
    #[inline(always)]
    pub fn prefetch_rest(&self, key: u64) {
        if self.shape.rest_bytes > 0 {
            let place = self.place(key);
            let way = same(self.line(place), key).trailing_zeros() as usize;
            prefetch(self.rests.as_ptr().wrapping_add((place * WAYS + way) * self.shape.rest_bytes));
        }
    }

    /// Makes a state a candidate, and says where it is; `None`: it is known.
    #[inline(always)]
    pub fn insert(&mut self, key: u64, state: &[u64]) -> Result<Option<u32>, MemoryError> {
        let place = self.place(key);
        let bytes = self.shape.rest_bytes;
        let rest = self.shape.rest(state);
        let mut possible = same(self.line(place), key);
        // Where nothing was written there are zeros, so nobody knows a state with this key.
        if key == 0 {
            return self.put_aside(key, rest).map(Some);
        }
        while possible != 0 {
            let way = possible.trailing_zeros() as usize;
            if bytes == 0 || same_words(&self.rests[(place * WAYS + way) * bytes..][..bytes], rest) {
                let marks = &mut self.marks[place];
                // Mostly it was asked for already; then its line stays as it is.
                if marks.asked >> way & 1 == 0 {
                    marks.asked |= 1 << way;
                }
                return Ok(None);
            }
            possible &= possible - 1;
        }
        self.busy[place / 64] |= 1 << (place % 64);
        let marks = &mut self.marks[place];
        let Some(way) = marks.victim() else { return self.put_aside(key, rest).map(Some) };
        marks.pinned |= 1 << way;
        marks.asked |= 1 << way;
        self.line_mut(place)[way] = key;
        let slot = place * WAYS + way;
        if bytes > 0 {
            let words = self.rests[slot * bytes..][..bytes].chunks_mut(8).zip(rest);
            words.for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]));
        }
        self.pinned += 1;
        Ok(Some(slot as u32))
    }

    #[cold]
    fn put_aside(&mut self, key: u64, rest: &[u64]) -> Result<u32, MemoryError> {
        if self.aside.len() == self.aside.capacity() {
            let more = (MORE * Self::aside_bytes(self.shape)) as u64;
            if self.aside.len() + MORE > OLD as usize / 2 {
                return Err(MemoryError);
            }
            self.budget.take(more)?;
            self.taken += more;
            self.aside.reserve_exact(MORE);
            self.aside_rests.reserve_exact(MORE * self.shape.rest_bytes);
        }
        let slot = (self.marks.len() * WAYS + self.aside.len()) as u32;
        let place = self.place(key);
        self.busy[place / 64] |= 1 << (place % 64);
        self.aside.push(Query { key, slot });
        append_words(rest, self.shape.rest_bytes, &mut self.aside_rests);
        Ok(slot)
    }

    /// The bytes of the rest of a candidate.
    #[inline(always)]
    pub fn rest(&self, slot: u32) -> &[u8] {
        let bytes = self.shape.rest_bytes;
        match (slot as usize).checked_sub(self.marks.len() * WAYS) {
            None => &self.rests[slot as usize * bytes..][..bytes],
            Some(aside) => &self.aside_rests[aside * bytes..][..bytes],
        }
    }

    /// To be called before anybody goes through the candidates: sorts those aside, and strikes out
    /// all but the first of those that are the same.
    pub fn sort(&mut self) {
        let mut aside = std::mem::take(&mut self.aside);
        aside.sort_unstable_by_key(|query| (query.key, query.slot));
        let mut first = 0;
        for at in 1..aside.len() {
            if aside[at].key != aside[first].key {
                first = at;
                continue;
            }
            let (before, from) = aside.split_at_mut(at);
            if before[first..].iter().any(|other| self.rest(other.slot()) == self.rest(from[0].slot())) {
                from[0].strike();
            }
        }
        self.aside = aside;
    }

    /// The next candidates that were not struck out, in the order of their keys. False: there are
    /// no more.
    pub fn gather(&self, cursor: &mut Cursor, into: &mut Vec<Query>) -> bool {
        into.clear();
        while into.len() < TOGETHER {
            let Some(place) = self.next_busy(cursor.line) else { break };
            cursor.line = place + 1;
            let from = into.len();
            let marks = self.marks[place];
            let mut left = marks.pinned & !marks.struck;
            if left != 0 {
                let line = self.line(place);
                while left != 0 {
                    let way = left.trailing_zeros() as usize % WAYS;
                    left &= left - 1;
                    let query = Query { key: line[way], slot: (place * WAYS + way) as u32 };
                    into.push(query);
                    let mut at = into.len() - 1;
                    while at > from && into[at - 1].key > query.key {
                        into.swap(at - 1, at);
                        at -= 1;
                    }
                }
            }
            let some = into.len();
            while let Some(query) =
                self.aside.get(cursor.aside).filter(|query| self.place(query.key) == place)
            {
                cursor.aside += 1;
                if query.is_new() {
                    into.push(*query);
                }
            }
            if into.len() > some {
                into[from..].sort_unstable_by_key(|query| query.key);
            }
        }
        !into.is_empty()
    }

    /// The first line from this one on that has candidates.
    #[inline(always)]
    fn next_busy(&self, line: usize) -> Option<usize> {
        let (first, skip) = (line / 64, line % 64);
        let here = self.busy.get(first)? >> skip;
        if here != 0 {
            return Some(line + here.trailing_zeros() as usize);
        }
        let ahead = self.busy[first + 1..].iter().position(|&lines| lines != 0)?;
        let word = first + 1 + ahead;
        Some(word * 64 + self.busy[word].trailing_zeros() as usize)
    }

    /// Takes note of those that were struck out.
    pub fn note(&mut self, queries: &[Query]) {
        let lines = self.marks.len() * WAYS;
        for query in queries.iter().filter(|query| !query.is_new()) {
            match (query.slot() as usize).checked_sub(lines) {
                None => {
                    self.marks[query.slot() as usize / WAYS].struck |= 1 << (query.slot() as usize % WAYS)
                }
                Some(_) => {
                    let from = self.aside.partition_point(|other| other.key < query.key);
                    let found = self.aside[from..].iter_mut().find(|other| other.slot() == query.slot());
                    found.into_iter().for_each(Query::strike);
                }
            }
        }
    }

    /// To be called before [`Pool::verdict`].
    pub fn restore(&mut self) {
        self.aside.sort_unstable_by_key(Query::slot);
    }

    /// The key of a candidate, and whether it is new.
    #[inline(always)]
    pub fn verdict(&self, slot: u32) -> (u64, bool) {
        let (place, way) = (slot as usize / WAYS, slot as usize % WAYS);
        match self.marks.get(place) {
            Some(marks) => (self.line(place)[way], marks.struck >> way & 1 == 0),
            None => {
                let query = self.aside.get(slot as usize - self.marks.len() * WAYS);
                query.map_or((0, false), |query| (query.key, query.is_new()))
            }
        }
    }

    /// Candidates that were not struck out.
    pub fn fresh(&self) -> u64 {
        let mut count = self.aside.iter().filter(|query| query.is_new()).count() as u64;
        let mut line = 0;
        while let Some(place) = self.next_busy(line) {
            count += u64::from((self.marks[place].pinned & !self.marks[place].struck).count_ones());
            line = place + 1;
        }
        count
    }

    /// All candidates are settled: from now on they are states that are known.
    pub fn release(&mut self) {
        let mut line = 0;
        while let Some(place) = self.next_busy(line) {
            (self.marks[place].pinned, self.marks[place].struck) = (0, 0);
            line = place + 1;
        }
        self.busy.fill(0);
        self.pinned = 0;
        self.aside.clear();
        self.aside_rests.clear();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.budget.give_back(self.taken);
    }
}

/// Which keys of a line are this one, a bit for each.
#[inline(always)]
fn same(line: &Line, key: u64) -> u8 {
    let mut same = 0;
    for (way, &other) in line.iter().enumerate() {
        same |= u8::from(other == key) << way;
    }
    same
}
