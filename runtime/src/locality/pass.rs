//! Going over the states of a finished search, breadth first, whatever its own order was.
//!
//! All threads work on a level together. Whoever comes to a state first gives it its level; who
//! comes later sees that level, and it is the same whoever was first. So there is nothing to agree
//! on but that a level is over.

use super::tally::{Difference, ENTRY_BYTES, Tally};
use super::{Profile, ProfileError};
use crate::contract::context::RECURSION_LIMIT;
use crate::contract::stack;
use crate::expansion::Expander;
use crate::expansion::portion::{Portion, bytes_of};
use crate::expansion::starts::Starts;
use crate::memory::allocator::fallible;
use crate::memory::{Account, MemoryError, counted};
use crate::search::Observer;
use crate::search::explore::Explored;
use crate::sync::{AtomicBool, Ordering};
use crate::visited::{Find, Segmentation, StateIndex};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Mutex, PoisonError};

/// States that a thread takes at a time.
const BATCH: usize = 64;
/// The level of a state that nobody has come to yet.
const UNKNOWN: u32 = u32::MAX;

/// The profile of all states.
pub(super) fn measure(
    explored: Explored<'_>,
    states: &dyn Find,
    observer: &mut dyn Observer,
) -> Result<Profile, ProfileError> {
    let bytes = Map::bytes(states);
    let mut account = Account::new(explored.budget.clone());
    account.set(bytes).map_err(|MemoryError| ProfileError::Memory(bytes))?;
    let map = Map::new(states).map_err(|MemoryError| ProfileError::Memory(bytes))?;
    let threads = explored.settings.threads_in_use();
    let walkers: Vec<Mutex<LevelWorker>> =
        (0..threads).map(|_| Mutex::new(LevelWorker::new(explored, states, &map))).collect();
    lock(&walkers[0]).start()?;
    let (mut from, mut level) = (0, 0);
    loop {
        let to = map.found.load(Ordering::Relaxed);
        if from == to {
            break;
        }
        let work = LevelWork { level, next: AtomicUsize::new(from), to, stopped: AtomicBool::new(false) };
        together(&walkers, &work, observer)?;
        (from, level) = (to, level + 1);
    }
    drop(account);
    if from != map.levels.len() {
        return Err(ProfileError::Contradiction);
    }
    let mut all = Tally::default();
    walkers.iter().for_each(|walker| all.join(&lock(walker).tally));
    Ok(all.profile())
}

/// All threads work on one level, if it is worth it.
fn together(
    walkers: &[Mutex<LevelWorker>],
    work: &LevelWork,
    observer: &mut dyn Observer,
) -> Result<(), ProfileError> {
    let [first, others @ ..] = walkers else { return Ok(()) };
    let explored = lock(first).explored;
    let many = (work.to - work.next.load(Ordering::Relaxed)) as u64 >= explored.settings.threads_from;
    let others = if many { others } else { &[] };
    std::thread::scope(|scope| {
        // Where the system has no more threads, those that there are do it all.
        let threads: Vec<_> = others
            .iter()
            .map_while(|walker| {
                let help = move || lock(walker).run(work, None);
                stack::spawn(scope, explored.model.stack_use(), RECURSION_LIMIT, help)
            })
            .collect();
        let mut result = lock(first).run(work, Some(observer));
        for thread in threads {
            match thread.join() {
                Ok(other) => result = result.and(other),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        result
    })
}

fn lock<'a, 'w>(walker: &'a Mutex<LevelWorker<'w>>) -> std::sync::MutexGuard<'a, LevelWorker<'w>> {
    walker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which level each state belongs to.
struct Map {
    segmentation: Segmentation,
    /// For each segment, how many states there are in those before it.
    offsets: Vec<usize>,
    levels: Vec<AtomicU32>,
    /// The numbers of the states that somebody came to, level after level.
    order: Order,
    /// How many there are.
    found: AtomicUsize,
}

impl Map {
    /// Bytes that it takes.
    fn bytes(states: &dyn Find) -> u64 {
        let number = if is_narrow(states) { size_of::<AtomicU32>() } else { size_of::<AtomicU64>() };
        states.len() * (size_of::<AtomicU32>() + number) as u64
    }

    fn new(states: &dyn Find) -> Result<Self, MemoryError> {
        let mut count = 0;
        let mut offsets = Vec::new();
        for length in states.lengths() {
            offsets.push(count);
            count += usize::try_from(length).map_err(|_| MemoryError)?;
        }
        let segmentation = states.segmentation();
        let levels = slots(count, || AtomicU32::new(UNKNOWN))?;
        let order = if is_narrow(states) {
            Order::Narrow(slots(count, AtomicU32::default)?)
        } else {
            Order::Wide(slots(count, AtomicU64::default)?)
        };
        Ok(Map { segmentation, offsets, levels, order, found: AtomicUsize::new(0) })
    }

    /// The level of a state, which is `level` if nobody has come to it yet; then it goes to `new`.
    fn level(&self, state: StateIndex, level: u32, new: &mut Vec<StateIndex>) -> u32 {
        let at = self.offsets[self.segmentation.of_index(state)] + self.segmentation.place(state) as usize;
        match self.levels[at].compare_exchange(UNKNOWN, level, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => {
                new.push(state);
                level
            }
            Err(known) => known,
        }
    }

    /// These states are expanded when their level's turn comes.
    fn append(&self, new: &mut Vec<StateIndex>) {
        let from = self.found.fetch_add(new.len(), Ordering::Relaxed);
        new.drain(..).zip(from..).for_each(|(state, place)| self.order.set(place, state));
    }
}

/// Numbers of states, in four bytes each if that is enough.
enum Order {
    Narrow(Vec<AtomicU32>),
    Wide(Vec<AtomicU64>),
}

impl Order {
    fn set(&self, place: usize, state: StateIndex) {
        match self {
            Order::Narrow(numbers) => numbers[place].store(state.0 as u32, Ordering::Relaxed),
            Order::Wide(numbers) => numbers[place].store(state.0, Ordering::Relaxed),
        }
    }

    fn get(&self, place: usize) -> StateIndex {
        StateIndex(match self {
            Order::Narrow(numbers) => numbers[place].load(Ordering::Relaxed).into(),
            Order::Wide(numbers) => numbers[place].load(Ordering::Relaxed),
        })
    }
}

/// Whether all numbers have four bytes.
fn is_narrow(states: &dyn Find) -> bool {
    let segmentation = states.segmentation();
    let longest = states.lengths().into_iter().max().unwrap_or(0);
    segmentation.index(segmentation.segments() - 1, longest).0 <= u64::from(u32::MAX)
}

/// A list of this length.
fn slots<T>(count: usize, slot: impl Fn() -> T) -> Result<Vec<T>, MemoryError> {
    let mut slots = Vec::new();
    fallible(|| slots.try_reserve_exact(count)).map_err(|_| MemoryError)?;
    slots.resize_with(count, slot);
    Ok(slots)
}

/// A level that threads work on.
struct LevelWork {
    level: u32,
    /// Where in the order the next state is that nobody has taken, and where the level ends.
    next: AtomicUsize,
    to: usize,
    /// Somebody has given up.
    stopped: AtomicBool,
}

/// What a thread needs.
struct LevelWorker<'a> {
    explored: Explored<'a>,
    states: &'a dyn Find,
    map: &'a Map,
    expander: Expander<'a>,
    tally: Tally,
    /// Memory of the tally.
    account: Account,
    stored: Vec<u64>,
    decoded: Vec<u64>,
    portion: Portion,
    /// For each state of a batch, where its successors end.
    ends: Vec<usize>,
    encoded: Vec<u64>,
    found: Vec<Option<StateIndex>>,
    differences: Vec<Difference>,
    new: Vec<StateIndex>,
}

impl<'a> LevelWorker<'a> {
    fn new(explored: Explored<'a>, states: &'a dyn Find, map: &'a Map) -> Self {
        let Explored { model, settings, budget, .. } = explored;
        LevelWorker {
            explored,
            states,
            map,
            expander: Expander::for_rerun(model, settings),
            tally: Tally::default(),
            account: Account::new(budget.clone()),
            stored: Vec::new(),
            decoded: Vec::new(),
            portion: Portion::new(settings, model.description(), 0),
            ends: Vec::new(),
            encoded: Vec::new(),
            found: Vec::new(),
            differences: Vec::new(),
            new: Vec::new(),
        }
    }

    /// Finds the start states.
    fn start(&mut self) -> Result<(), ProfileError> {
        let mut starts = Starts::default();
        loop {
            let more = self.expander.start_again(&mut starts);
            self.look_up();
            for state in &self.found {
                self.map.level(state.ok_or(ProfileError::Contradiction)?, 0, &mut self.new);
            }
            self.map.append(&mut self.new);
            if self.explored.interrupted.is_requested() {
                return Err(ProfileError::Interrupted);
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Takes states of a level until there are none left.
    fn run(&mut self, work: &LevelWork, mut observer: Option<&mut dyn Observer>) -> Result<(), ProfileError> {
        loop {
            let from = work.next.fetch_add(BATCH, Ordering::Relaxed).min(work.to);
            let to = (from + BATCH).min(work.to);
            if from == to || work.stopped.load(Ordering::Relaxed) {
                return Ok(());
            }
            let worked = if self.explored.interrupted.is_requested() {
                Err(ProfileError::Interrupted)
            } else {
                self.batch(from..to, work.level)
            };
            if worked.is_err() {
                work.stopped.store(true, Ordering::Relaxed);
                return worked;
            }
            if let Some(observer) = &mut observer {
                observer.profiled(to as u64, self.map.levels.len() as u64);
            }
        }
    }

    /// Counts the transitions of the states at these places of the order.
    fn batch(&mut self, places: std::ops::Range<usize>, level: u32) -> Result<(), ProfileError> {
        self.stored.clear();
        let (codec, states) = (self.explored.codec, self.states);
        for place in places.clone() {
            states.load(self.map.order.get(place), &mut self.stored);
        }
        let mut stored = std::mem::take(&mut self.stored);
        let mut decoded = std::mem::take(&mut self.decoded);
        let words = codec.decode(&mut stored, places.len(), &mut decoded);
        let mut done = 0;
        let mut worked = Ok(());
        while done < places.len() && worked.is_ok() {
            done += self.expand(words.get_mut(done * codec.aligned_words()..).unwrap_or_default());
            worked = self.count(level);
        }
        (self.stored, self.decoded) = (stored, decoded);
        worked?;
        let buffers =
            self.expander.successors().bytes() + bytes_of(&self.encoded) + bytes_of(&self.differences);
        let bytes = self.tally.entries() * ENTRY_BYTES + counted(buffers);
        self.account.set(bytes).map_err(|MemoryError| ProfileError::Memory(bytes))
    }

    /// Fires all rules in states, until there are many successors. Returns how many of the states
    /// are done.
    fn expand(&mut self, states: &mut [u64]) -> usize {
        self.expander.successors_mut().clear();
        self.ends.clear();
        for state in states.chunks_exact_mut(self.explored.codec.aligned_words()) {
            if self.expander.successors().words().len() >= self.portion.enough() {
                break;
            }
            self.expander.expand_again(state);
            if self.expander.go_on() {
                // The rest of this one comes next.
                break;
            }
            self.ends.push(self.expander.successors().len());
        }
        self.ends.len()
    }

    /// Counts how far the transitions to the successors lead.
    fn count(&mut self, level: u32) -> Result<(), ProfileError> {
        self.look_up();
        let mut found = self.found.iter();
        let mut first = 0;
        for &end in &self.ends {
            for state in found.by_ref().take(end - first) {
                let state = state.ok_or(ProfileError::Contradiction)?;
                self.differences.push(difference(self.map, state, level, &mut self.new));
            }
            first = end;
            self.tally.add(&mut self.differences);
            self.differences.clear();
        }
        // What is left belongs to a state that is not done.
        for state in found {
            let state = state.ok_or(ProfileError::Contradiction)?;
            self.differences.push(difference(self.map, state, level, &mut self.new));
        }
        self.map.append(&mut self.new);
        Ok(())
    }

    /// Finds the numbers of the successors.
    fn look_up(&mut self) {
        let (codec, states) = (self.explored.codec, self.states);
        let successors = self.expander.successors();
        let stored = codec.encode(successors.words(), successors.len(), &mut self.encoded);
        self.found.clear();
        states.find(stored, &mut self.found);
    }
}

/// How far a transition to this state leads from a state of this level.
fn difference(map: &Map, state: StateIndex, level: u32, new: &mut Vec<StateIndex>) -> Difference {
    Difference::from(map.level(state, level + 1, new)) - Difference::from(level)
}
