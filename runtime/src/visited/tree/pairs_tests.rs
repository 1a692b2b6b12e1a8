//! A table of pairs: numbers, growth, threads, exhausted memory, and what is restored.

use super::pairs::*;
use super::slots::GENERATIONS;
use crate::memory::Budget;
use std::collections::HashMap;
use std::sync::Arc;

fn pairs(limit: u64) -> (Pairs, Arc<Budget>) {
    let budget = Arc::new(Budget::new(limit));
    (Pairs::new(budget.clone()), budget)
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
fn numbers_and_places_belong_together() {
    for (number, expected) in [(0, (0, 0)), (15, (0, 15)), (16, (1, 0)), (32, (2, 0)), (64, (3, 0))] {
        assert_eq!(place(number), expected);
    }
    let mut next = 0u64;
    for which in 0..GENERATIONS {
        assert_eq!(u64::from(first_number(which)), next);
        let slots = 1usize << bits(which);
        for at in [0, 1, slots / 2, slots - 1] {
            assert_eq!(place(first_number(which) + at as u32), (which, at));
        }
        next += slots as u64;
    }
    // No number is `u32::MAX`, and those beyond the last are places in no generation.
    assert!(next <= u64::from(u32::MAX));
    assert!((next..=u64::from(u32::MAX)).all(|number| place(number as u32).0 >= GENERATIONS));
    assert!(!pairs(0).0.has(u32::MAX));
}

#[test]
fn without_memory_nothing_is_lost() {
    let (pairs, _) = pairs((0..5).map(bytes).sum());
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

/// A slot is 8 bytes; little more is taken for each pair, whenever one looks.
#[test]
#[cfg_attr(miri, ignore = "too many pairs for Miri")]
fn tables_are_full() {
    let (pairs, _) = pairs(1 << 26);
    let mut random = crate::random::Random(4);
    let mut most: f64 = 0.0;
    for at in 0..400_000u64 {
        pairs.number(random.below(1 << 20) << 32 | random.below(1 << 31)).unwrap();
        if at > 1000 {
            most = most.max(pairs.bytes() as f64 / pairs.len() as f64);
        }
    }
    assert!(most < 14.5, "{most}");
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

/// All pairs of one line: when no slot may be used, the table grows, and nothing is lost.
#[test]
fn pairs_that_collide_are_found() {
    let (pairs, _) = pairs(1 << 26);
    // Products of these differ in their lowest bits only.
    let inverse = (0..6).fold(SPREAD, |inverse: u64, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(SPREAD.wrapping_mul(inverse)))
    });
    let unfolded = |mixed: u64| mixed ^ mixed >> 32;
    let colliding: Vec<u64> =
        (0..if cfg!(miri) { 100 } else { 900u64 }).map(|at| unfolded(inverse.wrapping_mul(at))).collect();
    let numbers: Vec<u32> = colliding.iter().map(|&pair| pairs.number(pair).unwrap()).collect();
    for (&pair, &number) in colliding.iter().zip(&numbers) {
        assert_eq!((pairs.find(pair), pairs.pair(number)), (Some(number), pair));
    }
    assert_eq!(pairs.len(), colliding.len() as u64);
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
    let (taken, pair) = one.iter().next().unwrap();
    assert_eq!(other.put(taken, pair), Ok(false));
    assert_eq!(other.put(taken + 1, u64::MAX), Ok(false));
    let (small, budget) = pairs(1 << 16);
    assert_eq!(small.put(u32::MAX, 0), Err(PairError::Memory));
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
