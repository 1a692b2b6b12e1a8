//! Both tables on disk against a set in memory.

use super::candidates::Candidates;
use super::figures::Traffic;
use super::identity::Shape;
use super::members::Members;
use super::plain::Plain;
use super::pool::Pool;
use super::runs::Runs;
use crate::memory::Budget;
use crate::random::Random;
use crate::storage::ResourceError;
use crate::storage::faulty::{Fault, FaultyDirectory};
use crate::visited::{InsertError, Origin, StateIndex, StateSink};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Waits so often, and then no longer.
struct Patience(u64);

impl StateSink for Patience {
    fn found(&mut self, _: &[StateIndex]) -> Result<(), ResourceError> {
        Ok(())
    }

    fn goes_on(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

const SHAPES: [Shape; 4] = [
    Shape { key_bits: 64, rest_words: 0, rest_bytes: 0 },
    Shape { key_bits: 48, rest_words: 0, rest_bytes: 0 },
    Shape { key_bits: 64, rest_words: 1, rest_bytes: 3 },
    Shape { key_bits: 64, rest_words: 3, rest_bytes: 20 },
];

/// A random state with one of `keys` keys, so that states come again.
fn state(random: &mut Random, shape: Shape, keys: u64) -> (u64, Vec<u64>) {
    let number = random.below(keys);
    let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - shape.key_bits) << (64 - shape.key_bits);
    let mut rest = vec![0; shape.rest_words];
    if let Some(word) = rest.last_mut() {
        *word = random.below(if keys < 100 { 5000 } else { 2 });
    }
    (key, rest)
}

/// A pool for `candidates` candidates: sometimes one for all of them, so that nearly all are put
/// aside.
fn pool(shape: Shape, candidates: usize, budget: &Arc<Budget>) -> Pool {
    let lines = if candidates.is_multiple_of(3) { 1 } else { candidates / 5 + 1 };
    Pool::new(shape, 0, lines as u64, budget.clone()).unwrap()
}

/// Settles the candidates, and says which of them are new, in the order in which they came.
fn settle(
    runs: &mut Runs,
    pool: &mut Pool,
    slots: &[u32],
    numbers: &AtomicU64,
    directory: &FaultyDirectory,
) -> Result<Vec<bool>, InsertError> {
    let (mut traffic, sink) = (Traffic::default(), &mut Patience(u64::MAX));
    pool.sort();
    runs.strike(pool, &mut traffic, sink)?;
    runs.add(pool, numbers, directory, &mut traffic)?;
    runs.merge(numbers, directory, &mut traffic, sink)?;
    pool.restore();
    let new: Vec<bool> = slots.iter().map(|&slot| pool.verdict(slot).1).collect();
    assert_eq!(pool.fresh(), new.iter().filter(|new| **new).count() as u64);
    pool.release();
    Ok(new)
}

/// Which of some states are new, by sorted tables and by a set in memory, batch after batch.
fn agree(shape: Shape, keys: u64, sizes: &[usize]) {
    let budget = Arc::new(Budget::new(1 << 30));
    let directory = FaultyDirectory::new(Fault::Short, u64::MAX / 4);
    let mut random = Random(keys);
    let mut seen = HashSet::new();
    let numbers = AtomicU64::new(0);
    let mut runs = Runs::new(shape, 16 << 10, budget.clone());
    for &size in sizes {
        let mut pool = pool(shape, size, &budget);
        let (mut slots, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..size {
            let (key, rest) = state(&mut random, shape, keys);
            match pool.insert(key, &rest).unwrap() {
                Some(slot) => {
                    slots.push(slot);
                    expected.push(seen.insert((key, rest)));
                }
                None => assert!(seen.contains(&(key, rest))),
            }
        }
        assert_eq!(pool.len(), slots.len());
        let found = settle(&mut runs, &mut pool, &slots, &numbers, &directory).unwrap();
        assert!(found == expected, "{shape:?} {keys} {size}");
    }
    let merged = runs.merged() > 0 || sizes.len() < 10;
    assert!(runs.tables() < 20 && merged, "{} {}", runs.tables(), runs.merged());
    assert!(runs.peak() >= runs.bytes());
    drop(runs);
    assert_eq!(budget.used(), 0);
}

/// Compares the plain table of the paper with a set of the standard library.
fn agree_plain(shape: Shape, keys: u64, sizes: &[usize]) {
    let budget = Arc::new(Budget::new(1 << 30));
    let directory = FaultyDirectory::new(Fault::Short, u64::MAX / 4);
    let mut random = Random(keys);
    let mut seen = HashSet::new();
    let mut traffic = Traffic::default();
    let mut table = Plain::new(shape, 16 << 10);
    for &size in sizes {
        let mut candidates = Candidates::new(shape, size, budget.clone()).unwrap();
        let mut members = Members::new(16, 0, budget.clone()).unwrap();
        let mut expected = Vec::new();
        while candidates.len() < size {
            let (key, rest) = state(&mut random, shape, keys);
            if !members.add(key, &rest, &candidates).unwrap() {
                assert!(seen.contains(&(key, rest)));
                if keys < 1000 {
                    break;
                }
                continue;
            }
            candidates.push(key, Origin(0), &rest).unwrap();
            expected.push(seen.insert((key, rest)));
        }
        let sink = &mut Patience(u64::MAX);
        table.strike(&mut candidates, &members, &mut traffic, sink).unwrap();
        table.append(&candidates, &directory, &mut traffic).unwrap();
        let found: Vec<bool> = candidates.entries().iter().map(|candidate| candidate.is_new()).collect();
        assert!(found == expected, "{shape:?} {keys} {size}");
    }
    assert!(traffic.read > 0 && traffic.written > 0);
}

#[test]
fn tables_know_what_was_there() {
    for shape in SHAPES {
        for agree in [agree, agree_plain] {
            agree(shape, 60_000, &[2000; 40]);
            agree(shape, u64::MAX, &[1, 5000, 3, 700, 511, 512, 513, 1, 1, 1, 1, 20_000, 1]);
            agree(shape, 3000, &[100, 2, 2, 2, 2, 1000, 2, 50, 2, 800, 2]);
        }
    }
}

/// A few keys with very many rests fill block after block.
#[test]
fn equal_keys_are_distinguished_by_their_rests() {
    for shape in [SHAPES[2], SHAPES[3]] {
        for keys in [1, 2, 7] {
            agree(shape, keys, &[3000, 10, 3000, 1, 1500, 3000, 200, 10, 2000]);
        }
        agree_plain(shape, 3, &[3000, 10, 3000, 1, 1500]);
    }
}

/// The caller can stop settling at any time.
#[test]
fn settling_can_be_stopped() {
    let budget = Arc::new(Budget::new(1 << 30));
    let shape = SHAPES[3];
    let directory = FaultyDirectory::new(Fault::Short, u64::MAX / 4);
    let (numbers, mut traffic) = (AtomicU64::new(0), Traffic::default());
    let mut runs = Runs::new(shape, 8 << 10, budget.clone());
    let mut random = Random(1);
    let mut fill = |count: usize| {
        let mut pool = pool(shape, count, &budget);
        (0..count).for_each(|_| {
            let (key, rest) = state(&mut random, shape, u64::MAX);
            pool.insert(key, &rest).unwrap();
        });
        pool.sort();
        pool
    };
    for _ in 0..3 {
        runs.add(&fill(5000), &numbers, &directory, &mut traffic).unwrap();
    }
    let mut candidates = fill(5000);
    let struck = runs.strike(&mut candidates, &mut traffic, &mut Patience(3));
    assert_eq!(struck, Err(InsertError::Stopped));
    assert_eq!(runs.strike(&mut candidates, &mut traffic, &mut Patience(u64::MAX)), Ok(()));
    runs.add(&candidates, &numbers, &directory, &mut traffic).unwrap();
    let merged = runs.merge(&numbers, &directory, &mut traffic, &mut Patience(3));
    assert_eq!(merged, Err(InsertError::Stopped));
}

/// A bit that is flipped anywhere in the files is noticed when it is read, or is not read.
#[test]
fn damage_is_noticed() {
    let budget = Arc::new(Budget::new(1 << 30));
    for shape in SHAPES {
        for operations in 0..60 {
            let directory = FaultyDirectory::new(Fault::Flip, operations);
            let numbers = AtomicU64::new(0);
            let mut runs = Runs::new(shape, 8 << 10, budget.clone());
            let mut random = Random(7);
            let mut seen = HashSet::new();
            let mut work = || -> Result<(), InsertError> {
                for _ in 0..8 {
                    let mut pool = pool(shape, 3001, &budget);
                    let (mut slots, mut expected) = (Vec::new(), Vec::new());
                    for _ in 0..3000 {
                        let (key, rest) = state(&mut random, shape, 20_000);
                        if let Some(slot) = pool.insert(key, &rest)? {
                            slots.push(slot);
                            expected.push(seen.insert((key, rest)));
                        }
                    }
                    let found = settle(&mut runs, &mut pool, &slots, &numbers, &directory)?;
                    assert!(found == expected, "{shape:?} {operations}");
                }
                Ok(())
            };
            match work() {
                Ok(()) => {}
                Err(full) => assert!(matches!(full, InsertError::Disk(_)), "{full:?}"),
            }
        }
    }
}

/// States that are found again and again stay in the pool; candidates stay whatever happens.
#[test]
fn candidates_stay_and_others_come_and_go() {
    let budget = Arc::new(Budget::new(1 << 20));
    for shape in SHAPES {
        let mut pool = Pool::new(shape, 0, 1, budget.clone()).unwrap();
        let rest = vec![3; shape.rest_words];
        let key = |number: u64| number << (64 - shape.key_bits);
        for number in 1..=8 {
            assert!(pool.insert(key(number), &rest).unwrap().is_some_and(|slot| slot < 8));
        }
        // There is room for no other one, and these are still there.
        assert_eq!(pool.insert(key(9), &rest).unwrap(), Some(8));
        assert_eq!(pool.insert(key(9), &rest).unwrap(), Some(9));
        assert!((1..=8).all(|number| pool.insert(key(number), &rest).unwrap().is_none()));
        assert!(pool.is_full());
        pool.sort();
        assert_eq!(pool.fresh(), 9);
        pool.release();
        assert!(pool.len() == 0 && !pool.is_full());
        for number in 100..200 {
            assert!(pool.insert(key(number), &rest).unwrap().is_some());
            pool.release();
            // Once all were asked for, it takes another round until it shows who is asked for
            // again.
            assert!(pool.insert(key(100), &rest).unwrap().is_none() || number == 108, "{shape:?} {number}");
        }
        // The state of which nothing but zeros are known is not taken for one that was there.
        let nothing = vec![0; shape.rest_words];
        assert!(pool.insert(0, &nothing).unwrap().is_some() && pool.insert(0, &nothing).unwrap().is_some());
        pool.sort();
        assert_eq!(pool.fresh(), 1);
    }
    assert_eq!(budget.used(), 0);
}
