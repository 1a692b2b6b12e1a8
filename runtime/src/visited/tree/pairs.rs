//! The numbers of the pairs at one inner node of the tree: all threads look them up and add to
//! them.
//!
//! Pairs are in the order of their numbers ([`Places`]), in chunks that never move ([`Chunks`]): a
//! number gives its pair with one access to memory. An *index* gives the number of a pair. It is a
//! hash table of numbers, each with as many bits of the pair's hash as 32 bits leave room for, in
//! lines of a cache line each; what finds its line full goes to the next line. The index has a few
//! *stripes*, each with a lock, and the hash says to which a pair belongs. A stripe grows by a
//! quarter or less: its lines stay where they are, more are added, and its numbers are put into
//! their new places. So a table takes 4 or 8 bytes a pair and 5 to 6 for the index, with little
//! more while it grows.
//!
//! **A pair that is found has this number.** The place of a number is written once, before the
//! number gets into the index, and never changes. A look-up takes no lock: it reads entries of the
//! index, and believes none of them before it has read that pair at the number's place. So it does
//! not matter whether an entry belongs to the stripe's present form, to an earlier one, or to one
//! that is being made: what is found is true, and a place that was not written yet is 0, which is
//! no pair.
//!
//! **One number for each pair.** A look-up may miss what is there, because a stripe is growing. So
//! a pair that is missed is looked for once more under the lock of its stripe, and gets a number if
//! it is missing then. Under the lock the stripe is whole: no other thread writes to its lines, and
//! the lock brings everything that was written to them. Each pair belongs to one stripe, so no
//! other thread adds it.
//!
//! **Relaxed accesses** are enough for places. A thread that has a number has read its place
//! itself, or written it, or received the number from a thread that had; reads of one location
//! never go back in time, so the place is not empty for it. This holds for all numbers below a
//! root, because the thread that folds a state looks up every part of it, or has done so before.
//!
//! The crate `interleavings` tries every order in which threads can meet here, and so nothing that
//! they share is used but through `crate::sync`, `chunks` and `slots`.

use super::chunks::{Chunks, total};
use super::places::Places;
use super::slots::{ENTRIES, Element, FIRST_LINES, FIRST_PAIRS, Line, STRIPES};
use crate::memory::allocator::fallible;
use crate::memory::{Budget, MemoryError};
use crate::sync::{AtomicU32, AtomicU64, Mutex, Ordering};
use std::sync::{Arc, PoisonError};

/// Odd numbers that spread the bits of a pair.
pub(super) const SPREAD: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];
/// Numbers are below this one: so no pair is `u64::MAX`, and a number and one fit into 32 bits.
const MOST: u64 = u32::MAX as u64;
/// One entry of the index in this number of them stays empty: without, looking for what is not
/// there takes long.
const EMPTY: u64 = 12;

/// Why a pair has no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairError {
    /// There is no memory for it.
    Memory,
    /// All 2^32 numbers are used.
    Numbers,
}

impl std::fmt::Display for PairError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            PairError::Memory => "out of memory",
            PairError::Numbers => "a node of the tree has no more numbers",
        })
    }
}

impl std::error::Error for PairError {}

impl From<MemoryError> for PairError {
    fn from(MemoryError: MemoryError) -> Self {
        PairError::Memory
    }
}

/// The pairs at one node.
#[derive(Debug)]
pub struct Pairs {
    /// The pairs by their numbers.
    all: Places,
    /// How many numbers are given away.
    length: AtomicU64,
    /// Line `n` of stripe `s` is the element `n * STRIPES + s`.
    index: Chunks<Line>,
    stripes: [Stripe; STRIPES],
    budget: Arc<Budget>,
}

#[derive(Debug)]
struct Stripe {
    /// Its [`Form`]; 0: it has no lines yet.
    form: AtomicU64,
    /// How many numbers it has.
    filled: Mutex<u64>,
}

/// How many lines a stripe has, and how many bits of an entry are for the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    lines: u32,
    width: u32,
}

/// What a stripe knows of a pair.
enum Found<'a> {
    At(u32),
    /// It is not there, and belongs into this entry.
    Missing(&'a AtomicU32),
    /// It is not there, and there is no room for it.
    Full,
}

/// A hash of a pair: the stripe from its top bits, the line from those below, and what an entry
/// keeps of it from the lowest.
#[inline(always)]
fn spread(pair: u64) -> u64 {
    let mixed = pair.wrapping_mul(SPREAD[0]);
    (mixed ^ mixed >> 32).wrapping_mul(SPREAD[1])
}

#[inline(always)]
fn stripe_of(hash: u64) -> usize {
    // The top half, so that there may be one stripe only.
    (((hash >> 32) * STRIPES as u64) >> 32) as usize
}

impl Form {
    #[inline(always)]
    fn unpack(packed: u64) -> Self {
        Form { lines: packed as u32, width: (packed >> 32) as u32 }
    }

    fn pack(self) -> u64 {
        u64::from(self.lines) | u64::from(self.width) << 32
    }

    #[inline(always)]
    fn line(self, hash: u64) -> u32 {
        // The bits below those of the stripe.
        let below = (hash >> 32).wrapping_mul(STRIPES as u64) as u32;
        ((u64::from(below) * u64::from(self.lines)) >> 32) as u32
    }

    /// The bits of an entry that are not its number.
    #[inline(always)]
    fn tag(self, hash: u64) -> u64 {
        (hash & u64::from(u32::MAX)) >> self.width << self.width
    }

    /// The number of an entry, and one: never 0 in an entry of this form.
    #[inline(always)]
    fn number(self, entry: u32) -> u64 {
        u64::from(entry) & ((1 << self.width) - 1)
    }

    fn holds(self, number: u64) -> bool {
        number + 1 < 1 << self.width
    }

    /// Numbers that it has room for: with more of them, looking for one takes longer.
    fn room(self) -> u64 {
        let entries = u64::from(self.lines) * ENTRIES as u64;
        entries - entries.div_ceil(EMPTY)
    }
}

/// Bytes of the tables of a node with this number of pairs, all of them small or none.
pub(super) fn bytes_for(pairs: u64, are_small: bool) -> u64 {
    let chunks = |first: u32, wanted: u64| {
        (0..).map(|chunks| total(first, chunks) as u64).find(|&total| total >= wanted).unwrap_or(wanted)
    };
    let in_line = ENTRIES as u64 - (ENTRIES as u64).div_ceil(EMPTY);
    let each = if are_small { AtomicU32::BYTES } else { AtomicU64::BYTES };
    chunks(FIRST_PAIRS, pairs) * each as u64
        + chunks(FIRST_LINES, pairs.div_ceil(in_line)) * Line::BYTES as u64
}

impl Pairs {
    /// No pairs; [`Places::new`] says what `right` is.
    pub fn new(right: u32, budget: Arc<Budget>) -> Self {
        Pairs {
            all: Places::new(right, &budget),
            length: AtomicU64::new(0),
            index: Chunks::new(FIRST_LINES, budget.clone()),
            stripes: std::array::from_fn(|_| Stripe { form: AtomicU64::new(0), filled: Mutex::new(0) }),
            budget,
        }
    }

    /// The number of a pair, if it has one.
    #[inline]
    pub fn find(&self, pair: u64) -> Option<u32> {
        let hash = spread(pair);
        self.glance(pair, hash).or_else(|| {
            let at = stripe_of(hash);
            let stripe = self.stripes.get(at)?;
            let _whole = stripe.filled.lock().unwrap_or_else(PoisonError::into_inner);
            self.glance(pair, hash)
        })
    }

    /// The number of a pair, which gets one if it has none.
    #[inline]
    pub fn number(&self, pair: u64) -> Result<u32, PairError> {
        let hash = spread(pair);
        match self.glance(pair, hash) {
            Some(number) => Ok(number),
            None => self.add(pair, hash),
        }
    }

    /// The number of a pair. `None`: it has none, or its stripe is growing.
    #[inline(always)]
    fn glance(&self, pair: u64, hash: u64) -> Option<u32> {
        let at = stripe_of(hash);
        let form = Form::unpack(self.stripes.get(at)?.form.load(Ordering::Acquire));
        match self.search(at, form, pair, hash) {
            Found::At(number) => Some(number),
            Found::Missing(_) | Found::Full => None,
        }
    }

    /// What is in the lines of a stripe in which a pair may be.
    #[inline(always)]
    fn search(&self, stripe: usize, form: Form, pair: u64, hash: u64) -> Found<'_> {
        let mut line = form.line(hash);
        let tag = form.tag(hash);
        // Entries fill a line from a place that the hash says, so that few are looked at.
        let start = hash as usize;
        for _ in 0..form.lines {
            let Some(entries) = self.index.get(line as usize * STRIPES + stripe) else { break };
            for at in 0..ENTRIES {
                let slot = &entries[(start + at) % ENTRIES];
                let entry = slot.load(Ordering::Relaxed);
                if entry == 0 {
                    return Found::Missing(slot);
                }
                let number = form.number(entry);
                if u64::from(entry) - number == tag && self.is_at(number.wrapping_sub(1), pair) {
                    return Found::At((number - 1) as u32);
                }
            }
            line = if line + 1 == form.lines { 0 } else { line + 1 };
        }
        Found::Full
    }

    /// Whether a pair has this number.
    #[inline(always)]
    fn is_at(&self, number: u64, pair: u64) -> bool {
        number < MOST && self.all.get(number as usize) == Some(pair)
    }

    /// Adds a pair, unless it is there.
    #[cold]
    fn add(&self, pair: u64, hash: u64) -> Result<u32, PairError> {
        let at = stripe_of(hash);
        let stripe = &self.stripes[at];
        let mut filled = stripe.filled.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let form = Form::unpack(stripe.form.load(Ordering::Relaxed));
            match self.search(at, form, pair, hash) {
                Found::At(number) => return Ok(number),
                Found::Missing(slot) if *filled < form.room() => {
                    if let Some(number) = self.take_number(pair, form)? {
                        let entry = form.tag(hash) | (u64::from(number) + 1);
                        slot.store(entry as u32, Ordering::Relaxed);
                        *filled += 1;
                        return Ok(number);
                    }
                }
                Found::Missing(_) | Found::Full => {}
            }
            self.grow(at, form, *filled)?;
        }
    }

    /// Writes a pair to the place of the next number. `None`: the number does not fit into an entry
    /// of this form.
    fn take_number(&self, pair: u64, form: Form) -> Result<Option<u32>, PairError> {
        loop {
            let next = self.length.load(Ordering::Relaxed);
            if next >= MOST {
                return Err(PairError::Numbers);
            }
            if !form.holds(next) {
                return Ok(None);
            }
            if !self.all.make_room(next as usize, pair)? {
                return Err(PairError::Numbers);
            }
            // What there is a number for has a place, so no number is without a pair.
            let taken = self.length.compare_exchange(next, next + 1, Ordering::Relaxed, Ordering::Relaxed);
            if taken.is_ok() {
                self.all.write(next as usize, pair);
                return Ok(Some(next as u32));
            }
        }
    }

    /// Gives a stripe more lines if it is full, and entries with room for the numbers to come. The
    /// caller has its lock. On an error nothing has changed.
    fn grow(&self, at: usize, old: Form, filled: u64) -> Result<(), PairError> {
        let length = self.length.load(Ordering::Relaxed);
        // Numbers up to twice as large, so that this is rare.
        let width = (u64::BITS - (2 * length + 16).leading_zeros()).clamp(old.width, u32::BITS);
        let mut lines = old.lines;
        if filled >= old.room() {
            let next = lines as usize * STRIPES + at;
            if !self.index.begin(next)? {
                return Err(PairError::Numbers);
            }
            lines = (self.index.up_to(next) / STRIPES) as u32;
        }
        let form = Form { lines, width };
        let bytes = filled * size_of::<u32>() as u64;
        self.budget.take(bytes)?;
        let mut numbers: Vec<u32> = Vec::new();
        if fallible(|| numbers.try_reserve_exact(filled as usize)).is_err() {
            return Err(self.budget.refuse(bytes).into());
        }
        for line in self.lines(at, old) {
            for slot in line {
                let number = old.number(slot.load(Ordering::Relaxed));
                slot.store(0, Ordering::Relaxed);
                numbers.extend(number.checked_sub(1).map(|number| number as u32));
            }
        }
        self.stripes[at].form.store(form.pack(), Ordering::Release);
        for some in numbers.chunks(ENTRIES) {
            for &number in some {
                self.all.ask(number as usize);
            }
            for &number in some {
                let pair = self.pair(number);
                let hash = spread(pair);
                // Never full: there is room, and all pairs are different.
                if let Found::Missing(slot) = self.search(at, form, pair, hash) {
                    slot.store((form.tag(hash) | (u64::from(number) + 1)) as u32, Ordering::Relaxed);
                }
            }
        }
        drop(numbers);
        self.budget.give_back(bytes);
        Ok(())
    }

    /// The lines of a stripe.
    fn lines(&self, stripe: usize, form: Form) -> impl Iterator<Item = &Line> {
        (0..form.lines as usize).filter_map(move |line| self.index.get(line * STRIPES + stripe))
    }

    /// The pair with this number, which must be that of one.
    #[inline]
    pub fn pair(&self, number: u32) -> u64 {
        debug_assert!(self.has(number), "no pair has the number {number}");
        self.all.get(number as usize).unwrap_or_default()
    }

    /// Whether a pair has this number.
    pub fn has(&self, number: u32) -> bool {
        u64::from(number) < MOST && self.all.get(number as usize).is_some()
    }

    /// All pairs, each with its number, from 0 on.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        (0..self.len() as u32).map(|number| (number, self.pair(number)))
    }

    /// Gives a pair this number, where a set is made again that was saved. False: it is not the
    /// next number, or the pair has one already.
    pub fn put(&self, number: u32, pair: u64) -> Result<bool, PairError> {
        if u64::from(number) != self.len() || pair == u64::MAX {
            return Ok(false);
        }
        Ok(self.number(pair)? == number)
    }

    /// How many pairs there are.
    pub fn len(&self) -> u64 {
        self.length.load(Ordering::Relaxed)
    }

    /// Bytes of the tables.
    pub fn bytes(&self) -> u64 {
        self.all.bytes() + self.index.bytes()
    }
}
