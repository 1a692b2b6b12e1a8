//! Both tables on disk against a set in memory.

use super::candidates::Candidates;
use super::figures::Traffic;
use super::identity::Shape;
use super::members::Members;
use super::plain::Plain;
use super::runs::Runs;
use crate::memory::Budget;
use crate::random::Random;
use crate::spool::Shortage;
use crate::storage::faulty::{Fault, FaultyDirectory};
use crate::visited::{Clerk, Full, Origin, StateIndex};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Waits so often, and then no longer.
struct Patience(u64);

impl Clerk for Patience {
    fn found(&mut self, _: &[StateIndex]) -> Result<(), Shortage> {
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

/// Random states, of which many have been there: their keys from so many, or any.
fn state(random: &mut Random, shape: Shape, keys: u64) -> (u64, Vec<u64>) {
    let number = random.below(keys);
    let key = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - shape.key_bits) << (64 - shape.key_bits);
    let mut rest = vec![0; shape.rest_words];
    if let Some(word) = rest.last_mut() {
        *word = random.below(if keys < 100 { 5000 } else { 2 });
    }
    (key, rest)
}

/// Which of some states are new, by a table and by a set in memory, batch after batch.
fn agree(shape: Shape, keys: u64, sizes: &[usize], plain: bool) {
    let budget = Arc::new(Budget::new(1 << 30));
    let directory = FaultyDirectory::new(Fault::Short, u64::MAX / 4);
    let mut random = Random(keys);
    let mut seen = HashSet::new();
    let mut traffic = Traffic::default();
    let numbers = AtomicU64::new(0);
    let mut runs = Runs::new(shape, 16 << 10, budget.clone());
    let mut table = Plain::new(shape, 16 << 10);
    for &size in sizes {
        let mut candidates = Candidates::new(shape, size, budget.clone()).unwrap();
        let mut members = Members::new(16, 0, budget.clone()).unwrap();
        let mut expected = Vec::new();
        while candidates.len() < size {
            let (key, rest) = state(&mut random, shape, keys);
            if plain && !members.add(key, &rest, &candidates).unwrap() {
                assert!(seen.contains(&(key, rest)));
                if keys < 1000 {
                    break;
                }
                continue;
            }
            candidates.push(key, Origin(0), &rest).unwrap();
            expected.push(seen.insert((key, rest)));
        }
        let clerk = &mut Patience(u64::MAX);
        if plain {
            table.strike(&mut candidates, &members, &mut traffic, clerk).unwrap();
            table.append(&candidates, &directory, &mut traffic).unwrap();
        } else {
            candidates.sort();
            runs.strike(&mut candidates, &mut traffic, clerk).unwrap();
            runs.add(&candidates, &numbers, &directory, &mut traffic).unwrap();
            runs.merge(&numbers, &directory, &mut traffic, clerk).unwrap();
            candidates.restore();
        }
        let found: Vec<bool> = candidates.entries().iter().map(|candidate| candidate.is_new()).collect();
        assert!(found == expected, "{shape:?} {keys} {size} {plain}");
    }
    assert!(traffic.read > 0 && traffic.written > 0);
    if !plain {
        let merged = runs.merged() > 0 || sizes.len() < 10;
        assert!(runs.tables() < 20 && merged, "{} {}", runs.tables(), runs.merged());
        assert!(runs.peak() >= runs.bytes());
    }
    drop(runs);
    assert_eq!(budget.used(), 0);
}

#[test]
fn tables_know_what_was_there() {
    for plain in [false, true] {
        for shape in SHAPES {
            agree(shape, 60_000, &[2000; 40], plain);
            agree(shape, u64::MAX, &[1, 5000, 3, 700, 511, 512, 513, 1, 1, 1, 1, 20_000, 1], plain);
            agree(shape, 3000, &[100, 2, 2, 2, 2, 1000, 2, 50, 2, 800, 2], plain);
        }
    }
}

/// A few keys with very many rests fill block after block.
#[test]
fn equal_keys_are_told_apart_by_their_rests() {
    for shape in [SHAPES[2], SHAPES[3]] {
        for keys in [1, 2, 7] {
            agree(shape, keys, &[3000, 10, 3000, 1, 1500, 3000, 200, 10, 2000], false);
        }
        agree(shape, 3, &[3000, 10, 3000, 1, 1500], true);
    }
}

/// Whoever asks can stop it at any time.
#[test]
fn settling_can_be_stopped() {
    let budget = Arc::new(Budget::new(1 << 30));
    let shape = SHAPES[3];
    let directory = FaultyDirectory::new(Fault::Short, u64::MAX / 4);
    let (numbers, mut traffic) = (AtomicU64::new(0), Traffic::default());
    let mut runs = Runs::new(shape, 8 << 10, budget.clone());
    let mut random = Random(1);
    let mut fill = |count: usize| {
        let mut candidates = Candidates::new(shape, count, budget.clone()).unwrap();
        (0..count).for_each(|_| {
            let (key, rest) = state(&mut random, shape, u64::MAX);
            candidates.push(key, Origin(0), &rest).unwrap();
        });
        candidates.sort();
        candidates
    };
    for _ in 0..3 {
        runs.add(&fill(5000), &numbers, &directory, &mut traffic).unwrap();
    }
    let mut candidates = fill(5000);
    let struck = runs.strike(&mut candidates, &mut traffic, &mut Patience(3));
    assert_eq!(struck, Err(Full::Stopped));
    assert_eq!(runs.strike(&mut candidates, &mut traffic, &mut Patience(u64::MAX)), Ok(()));
    runs.add(&candidates, &numbers, &directory, &mut traffic).unwrap();
    let merged = runs.merge(&numbers, &directory, &mut traffic, &mut Patience(3));
    assert_eq!(merged, Err(Full::Stopped));
}

/// A bit that is flipped anywhere in the files is noticed when it is read, or is not read.
#[test]
fn damage_is_noticed() {
    let budget = Arc::new(Budget::new(1 << 30));
    for shape in SHAPES {
        for operations in 0..60 {
            let directory = FaultyDirectory::new(Fault::Flip, operations);
            let (numbers, mut traffic) = (AtomicU64::new(0), Traffic::default());
            let mut runs = Runs::new(shape, 8 << 10, budget.clone());
            let mut random = Random(7);
            let mut seen = HashSet::new();
            let mut work = || -> Result<(), Full> {
                for _ in 0..8 {
                    let mut candidates = Candidates::new(shape, 3000, budget.clone())?;
                    let mut expected = Vec::new();
                    for _ in 0..3000 {
                        let (key, rest) = state(&mut random, shape, 20_000);
                        candidates.push(key, Origin(0), &rest)?;
                        expected.push(seen.insert((key, rest)));
                    }
                    let clerk = &mut Patience(u64::MAX);
                    candidates.sort();
                    runs.strike(&mut candidates, &mut traffic, clerk)?;
                    runs.add(&candidates, &numbers, &directory, &mut traffic)?;
                    runs.merge(&numbers, &directory, &mut traffic, clerk)?;
                    candidates.restore();
                    let new = candidates.entries().iter().map(|candidate| candidate.is_new());
                    assert!(new.eq(expected), "{shape:?} {operations}");
                }
                Ok(())
            };
            match work() {
                Ok(()) => {}
                Err(full) => assert!(matches!(full, Full::Disk(_)), "{full:?}"),
            }
        }
    }
}
