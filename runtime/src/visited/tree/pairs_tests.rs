//! A table of pairs: numbers, growth, threads, exhausted memory, and what is restored.

use super::chunks::{place, size, total};
use super::pairs::*;
use super::slots::{CHUNKS, FIRST_PAIRS};
use crate::memory::Budget;
use std::collections::HashMap;
use std::sync::Arc;

fn pairs(limit: u64) -> (Pairs, Arc<Budget>) {
    let budget = Arc::new(Budget::new(limit));
    (Pairs::new(15, budget.clone()), budget)
}

#[test]
fn each_pair_has_one_number_and_each_number_one_pair() {
    let (pairs, budget) = pairs(1 << 26);
    let mut numbers = HashMap::new();
    let many = if cfg!(miri) { 500 } else { 100_000u64 };
    for at in 0..many {
        // Neighbours in both halves, as a search makes them.
        let pair = ((at % 317) << 32) | (at / 311);
        let number = pairs.number(pair).unwrap();
        let before = numbers.insert(pair, number);
        assert!(before.is_none_or(|before| before == number));
    }
    for (&pair, &number) in &numbers {
        assert_eq!(pairs.find(pair), Some(number));
        assert_eq!((pairs.pair(number), pairs.has(number)), (pair, true));
    }
    let different: std::collections::HashSet<u32> = numbers.values().copied().collect();
    assert_eq!(different.len(), numbers.len());
    assert_eq!(pairs.len(), numbers.len() as u64);
    assert_eq!(pairs.find(u64::from(u32::MAX) << 32), None);
    assert_eq!(budget.used(), pairs.bytes());
    drop(pairs);
    assert_eq!(budget.used(), 0);
}

#[test]
fn elements_and_places_belong_together() {
    for (element, expected) in [(0, (0, 0)), (63, (0, 63)), (64, (1, 0)), (256, (4, 0)), (384, (5, 0))] {
        assert_eq!(place(6, element), expected);
    }
    for first in [0, 3, FIRST_PAIRS] {
        let mut next = 0;
        for chunk in 0..CHUNKS {
            assert_eq!(total(first, chunk), next);
            let size = size(first, chunk);
            for at in [0, 1, size / 2, size - 1] {
                let at = at.min(size - 1);
                assert_eq!(place(first, next + at), (chunk, at));
            }
            next += size;
        }
        // The chunks of lines are enough for an entry for each number.
        assert!(first == 0 || next as u64 * 8 > 1 << 32);
    }
    assert!(total(FIRST_PAIRS, CHUNKS) as u64 > u64::from(u32::MAX));
    assert!(!pairs(0).0.has(u32::MAX));
}

#[test]
fn without_memory_nothing_is_lost() {
    let (pairs, _) = pairs(bytes_for(300, true));
    let mut added = Vec::new();
    let error = (0..).find_map(|pair| match pairs.number(pair) {
        Ok(number) => {
            added.push((pair, number));
            None
        }
        Err(error) => Some(error),
    });
    assert_eq!(error, Some(PairError::Memory));
    assert!(added.len() > 100);
    assert!(added.iter().all(|&(pair, number)| pairs.find(pair) == Some(number)));
}

#[test]
#[cfg_attr(miri, ignore = "too many pairs for Miri")]
fn threads_agree_on_numbers() {
    let (pairs, _) = pairs(1 << 26);
    let pairs = &pairs;
    let found: Vec<Vec<u32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4u64)
            .map(|thread| {
                scope.spawn(move || {
                    let order = (0..40_000u64).map(|at| (at * (2 * thread + 1) * 7 + thread) % 40_000);
                    let mut numbers = vec![0; 40_000];
                    order.for_each(|pair| numbers[pair as usize] = pairs.number(pair << 20).unwrap());
                    (0..40_000u64).for_each(|pair| {
                        numbers[pair as usize] = pairs.number(pair << 20).unwrap();
                    });
                    numbers
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(found.windows(2).all(|two| two[0] == two[1]));
    assert_eq!(pairs.len(), 40_000);
}

/// A pair takes 8 bytes, or 4 if it is small, and an entry of the index 4; little more is taken,
/// whenever one looks.
#[test]
#[cfg_attr(miri, ignore = "too many pairs for Miri")]
fn tables_are_full() {
    for (left, right, are_small, limits) in [(20, 31, false, (16.5, 14.6)), (16, 15, true, (12.5, 10.4))] {
        let (pairs, budget) = pairs(1 << 26);
        let mut random = crate::random::Random(4);
        let (mut most, mut sum) = (0.0f64, 0.0);
        let (few, many) = (20_000u64, 400_000u64);
        for at in 0..many {
            pairs.number(random.below(1 << left) << 32 | random.below(1 << right)).unwrap();
            if at >= few {
                let each = pairs.bytes() as f64 / pairs.len() as f64;
                most = most.max(each);
                sum += each;
            }
        }
        let mean = sum / (many - few) as f64;
        assert!(most < limits.0 && mean < limits.1, "{most} {mean}");
        // Growing takes a stripe's numbers beside the table.
        assert!(budget.peak() < pairs.bytes() * 11 / 10);
        let estimate = bytes_for(pairs.len(), are_small);
        assert!(estimate.abs_diff(pairs.bytes()) < estimate / 4, "{estimate} {}", pairs.bytes());
    }
}

/// Pairs of which some are small: before the first that is not, and after it. Whatever the bits of
/// their right halves, each has the number that it got, and one chunk is there twice at most.
#[test]
fn small_and_large_pairs_share_their_numbers() {
    let mut random = crate::random::Random(8);
    for right in [0, 1, 10, 15, 16, 30, 31, 32] {
        let budget = Arc::new(Budget::new(1 << 26));
        let pairs = Pairs::new(right, budget.clone());
        let right = right.min(31);
        let edge = [(1u64 << (31 - right)) - 1, 1 << (31 - right), (1 << right) - 1, 1 << right];
        let mut numbers: Vec<u64> = Vec::new();
        let many = if cfg!(miri) { 200 } else { 9000 };
        for at in 0..many {
            let mut half = |bits: u32| match random.below(4) {
                0 => edge[random.below(4) as usize],
                _ => random.below(1 << bits),
            };
            let pair = match at < many / 3 {
                true => half(31 - right).min(edge[0]) << 32 | half(right).min(edge[2]),
                false => half(31) << 32 | half(31),
            };
            let number = pairs.number(pair).unwrap() as usize;
            if number == numbers.len() {
                numbers.push(pair);
            }
            assert_eq!((numbers[number], pairs.find(pair)), (pair, Some(number as u32)));
        }
        assert_eq!(pairs.len(), numbers.len() as u64);
        assert!(pairs.iter().all(|(number, pair)| numbers[number as usize] == pair));
        assert!(pairs.bytes() < bytes_for(pairs.len(), false) * 3 / 2, "{}", pairs.bytes());
        drop(pairs);
        assert_eq!(budget.used(), 0);
    }
}

/// Pairs whose numbers have all their 32 bits.
#[test]
fn the_largest_pairs_are_distinguished() {
    let (pairs, _) = pairs(1 << 20);
    let largest = u64::from(u32::MAX - 1);
    let extremes = [0, 1, (1 << 31) - 1, 1 << 31, largest];
    let all: Vec<u64> = extremes.iter().flat_map(|left| extremes.map(|right| left << 32 | right)).collect();
    let numbers: Vec<u32> = all.iter().map(|&pair| pairs.number(pair).unwrap()).collect();
    for (at, (&pair, &number)) in all.iter().zip(&numbers).enumerate() {
        assert_eq!((pairs.find(pair), pairs.pair(number)), (Some(number), pair));
        assert!(!numbers[..at].contains(&number));
    }
}

/// All pairs belong to one stripe and one line, with the same bits in their entries: nothing is
/// lost.
#[test]
fn pairs_that_collide_are_found() {
    let (pairs, _) = pairs(1 << 26);
    let undo = |odd: u64, product: u64| {
        let step = |inverse: u64, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        (0..6).fold(odd, step).wrapping_mul(product)
    };
    // Their hashes differ in bits between those of the line and those of an entry.
    let of_hash = |hash: u64| {
        let mixed = undo(SPREAD[1], hash);
        undo(SPREAD[0], mixed ^ mixed >> 32)
    };
    let colliding: Vec<u64> =
        (0..if cfg!(miri) { 100 } else { 900u64 }).map(|at| of_hash(7 << 60 | at << 32 | 5)).collect();
    let numbers: Vec<u32> = colliding.iter().map(|&pair| pairs.number(pair).unwrap()).collect();
    for (&pair, &number) in colliding.iter().zip(&numbers) {
        assert_eq!((pairs.find(pair), pairs.pair(number)), (Some(number), pair));
    }
    assert_eq!(pairs.len(), colliding.len() as u64);
    assert_eq!(pairs.find(of_hash(7 << 60 | 901 << 32 | 5)), None);
}

/// What was saved is restored to where it was, and what cannot have been saved is refused.
#[test]
fn pairs_go_back_to_their_numbers() {
    let (one, _) = pairs(1 << 24);
    for pair in 0..if cfg!(miri) { 200 } else { 5000 } {
        one.number(pair * pair).unwrap();
    }
    let (other, _) = pairs(1 << 24);
    for (number, pair) in one.iter() {
        assert_eq!(other.put(number, pair), Ok(true));
    }
    assert_eq!((other.len(), other.bytes()), (one.len(), one.bytes()));
    assert!(one.iter().all(|(number, pair)| other.number(pair) == Ok(number)));
    assert_eq!(other.len(), one.len());
    let next = other.len() as u32;
    assert_eq!(other.put(next, 4), Ok(false), "it has a number");
    assert_eq!(other.put(next + 1, 3), Ok(false), "a number is left out");
    assert_eq!(other.put(next - 1, 3), Ok(false), "the number is not free");
    assert_eq!(other.put(next, u64::MAX), Ok(false));
    assert_eq!(other.put(next, 3), Ok(true));
    let (small, budget) = pairs(1 << 8);
    assert_eq!(small.put(0, 0), Err(PairError::Memory));
    assert!(budget.used() <= budget.limit());
}

/// Threads that run out of memory together: each pair that got a number keeps it.
#[test]
#[cfg_attr(miri, ignore = "too many pairs for Miri")]
fn threads_run_out_of_memory_together() {
    let (pairs, budget) = pairs(1 << 17);
    let pairs = &pairs;
    let found: Vec<Vec<Option<u32>>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4u64)
            .map(|thread| {
                scope.spawn(move || {
                    let mut numbers = vec![None; 30_000];
                    for at in 0..30_000u64 {
                        let pair = (at * (2 * thread + 1) * 7 + thread) % 30_000;
                        numbers[pair as usize] = pairs.number(pair << 20).ok();
                    }
                    numbers
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut added = 0;
    for pair in 0..30_000 {
        let number = pairs.find((pair as u64) << 20);
        added += u64::from(number.is_some());
        assert!(found.iter().all(|numbers| numbers[pair].is_none_or(|found| Some(found) == number)));
    }
    assert_eq!(added, pairs.len());
    assert!(added > 5000 && added < 30_000, "{added}");
    assert_eq!(budget.used(), pairs.bytes());
}
