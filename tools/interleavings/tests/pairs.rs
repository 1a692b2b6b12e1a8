//! Every interleaving of threads that give numbers to pairs of a tree together.

#![cfg(test)]
#![allow(unsafe_code)] // The code of the runtime.

/// What `runtime/src/sync.rs` is in the runtime, from loom.
mod sync {
    pub use loom::sync::Mutex;
    pub use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
}

/// A budget in bytes, in the place of the runtime's.
mod memory {
    use std::sync::atomic::{AtomicU64, Ordering};

    pub mod allocator {
        pub fn fallible<T>(work: impl FnOnce() -> T) -> T {
            work()
        }
    }

    pub fn prefetch<T>(_: *const T) {}

    #[derive(Debug)]
    pub struct MemoryError;

    #[derive(Debug)]
    pub struct Budget(pub AtomicU64);

    impl Budget {
        pub fn take(&self, bytes: u64) -> Result<(), MemoryError> {
            let less = |left: u64| left.checked_sub(bytes);
            let taken = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
            taken.map(drop).map_err(|_| MemoryError)
        }

        pub fn refuse(&self, bytes: u64) -> MemoryError {
            self.give_back(bytes);
            MemoryError
        }

        pub fn give_back(&self, bytes: u64) {
            self.0.fetch_add(bytes, Ordering::SeqCst);
        }
    }
}

/// Chunks of one pair and of one line with two entries, in memory that loom watches.
mod slots {
    use loom::sync::atomic::{AtomicU32, AtomicU64};

    pub const ENTRIES: usize = 2;
    pub const STRIPES: usize = 1;
    pub const FIRST_PAIRS: u32 = 0;
    pub const FIRST_LINES: u32 = 0;
    pub const EQUAL: usize = 4;
    pub const CHUNKS: usize = 8;

    pub trait Element: Sized {
        const BYTES: usize = 8;
        fn zero() -> Self;
    }

    impl Element for AtomicU64 {
        fn zero() -> Self {
            AtomicU64::new(0)
        }
    }

    impl Element for AtomicU32 {
        fn zero() -> Self {
            AtomicU32::new(0)
        }
    }

    pub type Line = [AtomicU32; ENTRIES];

    impl Element for Line {
        fn zero() -> Self {
            [AtomicU32::new(0), AtomicU32::new(0)]
        }
    }

    #[derive(Debug)]
    pub struct Slots<T>(Box<[T]>);

    impl<T: Element> Slots<T> {
        pub fn new(count: usize) -> Option<Self> {
            Some(Slots((0..count).map(|_| T::zero()).collect()))
        }

        pub fn start(&self) -> *mut T {
            self.0.as_ptr().cast_mut()
        }
    }
}

#[allow(dead_code)]
#[path = "../../../runtime/src/visited/tree/chunks.rs"]
mod chunks;
#[allow(dead_code)]
#[path = "../../../runtime/src/visited/tree/pairs.rs"]
mod pairs;
#[allow(dead_code)]
#[path = "../../../runtime/src/visited/tree/places.rs"]
mod places;

use loom::sync::Arc;
use loom::thread;
use memory::Budget;
use pairs::{PairError, Pairs};

/// Memory for all chunks.
const ENOUGH: u64 = 1 << 10;

/// A pair is small if its left half is 0 and its right half has 31 bits.
fn table(bytes: u64) -> Pairs {
    Pairs::new(31, std::sync::Arc::new(Budget(bytes.into())))
}

fn model(bound: usize, work: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(work);
}

/// Each thread gives numbers to some pairs, after some are there; then all must agree.
fn number_together(before: &'static [u64], parts: [&'static [u64]; 2]) {
    model(3, move || {
        let pairs = Arc::new(table(ENOUGH));
        before.iter().for_each(|&pair| assert!(pairs.number(pair).is_ok()));
        let other = {
            let pairs = pairs.clone();
            thread::spawn(move || {
                parts[1].iter().map(|&pair| pairs.number(pair).unwrap()).collect::<Vec<_>>()
            })
        };
        let mine: Vec<u32> = parts[0].iter().map(|&pair| pairs.number(pair).unwrap()).collect();
        let others = other.join().unwrap();
        let mut all: Vec<u64> = before.iter().chain(parts[0]).chain(parts[1]).copied().collect();
        for (pair, number) in parts[0].iter().zip(&mine).chain(parts[1].iter().zip(&others)) {
            assert_eq!((pairs.find(*pair), pairs.pair(*number)), (Some(*number), *pair));
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(pairs.len(), all.len() as u64);
        assert_eq!(pairs.iter().count(), all.len());
    });
}

#[test]
fn one_pair_gets_one_number() {
    number_together(&[], [&[5], &[5]]);
}

#[test]
fn different_pairs_get_different_numbers() {
    number_together(&[], [&[5, 6], &[6, 5]]);
}

/// One of two pairs is small, and they may get places in one chunk or in two, of either kind.
#[test]
fn small_and_large_pairs_get_different_numbers() {
    const LARGE: u64 = 1 << 40 | 5;
    number_together(&[], [&[5, LARGE], &[LARGE, 5]]);
    number_together(&[1], [&[LARGE], &[5]]);
    number_together(&[LARGE], [&[5], &[LARGE, 6]]);
}

/// The one line is full: both threads add a line, and both add a pair.
#[test]
fn one_pair_gets_one_number_while_the_table_grows() {
    number_together(&[1], [&[5], &[5]]);
}

/// One thread looks for what is there while the other has all numbers of the stripe put elsewhere.
#[test]
fn what_is_there_is_found_while_the_table_grows() {
    number_together(&[1], [&[5, 6], &[1, 5]]);
    number_together(&[1, 2], [&[5], &[2, 6]]);
    number_together(&[1, 2, 3], [&[5, 6], &[3]]);
}

/// Pairs of which an entry of the index keeps the same bits: the number's place says which it is.
#[test]
fn pairs_that_look_the_same_are_distinguished() {
    const fn undo(odd: u64, product: u64) -> u64 {
        let (mut inverse, mut steps) = (odd, 0);
        while steps < 6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
            steps += 1;
        }
        inverse.wrapping_mul(product)
    }
    const fn of_hash(hash: u64) -> u64 {
        let mixed = undo(pairs::SPREAD[1], hash);
        undo(pairs::SPREAD[0], mixed ^ mixed >> 32)
    }
    const SAME: [u64; 3] = [of_hash(1 << 32 | 5), of_hash(2 << 32 | 5), of_hash(3 << 32 | 5)];
    number_together(&[SAME[0]], [&[SAME[1]], &[SAME[2], SAME[0]]]);
}

/// There is memory for a few pairs only: what has a number keeps it.
#[test]
fn a_pair_without_memory_has_no_number() {
    model(3, || {
        // Two pairs and one line.
        let pairs = Arc::new(table(8 * 3));
        let add = |pairs: &Pairs, two: [u64; 2]| two.map(|pair| pairs.number(pair));
        let other = {
            let pairs = pairs.clone();
            thread::spawn(move || add(&pairs, [3, 4]))
        };
        let mine = add(&pairs, [1, 3]);
        let others = other.join().unwrap();
        let all = [(1, &mine[0]), (3, &mine[1]), (3, &others[0]), (4, &others[1])];
        assert!(all.iter().any(|(_, number)| number.is_ok()));
        assert!(all.iter().any(|(_, number)| number.is_err()));
        for (pair, number) in all {
            match number {
                Ok(number) => assert_eq!(pairs.find(pair), Some(*number)),
                Err(error) => assert_eq!(*error, PairError::Memory),
            }
        }
        assert_eq!(pairs.iter().count() as u64, pairs.len());
        assert!(pairs.iter().all(|(number, pair)| pairs.find(pair) == Some(number)));
    });
}

/// A thread that receives a number finds its pair, whoever added it: the sender may only have found
/// it.
#[test]
fn a_number_that_was_received_has_its_pair() {
    use loom::sync::atomic::{AtomicU64, Ordering};
    model(2, || {
        let pairs = Arc::new(table(ENOUGH));
        let sent = Arc::new(AtomicU64::new(u64::MAX));
        let adder = {
            let pairs = pairs.clone();
            thread::spawn(move || pairs.number(7).unwrap())
        };
        let receiver = {
            let (pairs, sent) = (pairs.clone(), sent.clone());
            thread::spawn(move || {
                if let Ok(number) = u32::try_from(sent.load(Ordering::Acquire)) {
                    assert_eq!(pairs.pair(number), 7);
                }
            })
        };
        if let Some(number) = pairs.find(7) {
            sent.store(u64::from(number), Ordering::Release);
        }
        adder.join().unwrap();
        receiver.join().unwrap();
    });
}
