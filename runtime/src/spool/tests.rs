//! Queues and stacks in memory and on disk, compared with those of the standard library.

use super::fifo::Fifo;
use super::lifo::Lifo;
use super::*;
use crate::random::Random;
use crate::storage::ResourceError;
use crate::storage::SystemDirectory;
use crate::storage::faulty::{Fault, FaultyDirectory};
use std::collections::VecDeque;
use std::io::ErrorKind;

const SOUND: Fault = Fault::Fail(ErrorKind::Other);

fn on_disk(bytes: u64, budget: &Arc<Budget>) -> Supply {
    let directory = Arc::new(FaultyDirectory::new(SOUND, u64::MAX / 4));
    Supply::disk(budget.clone(), directory, bytes)
}

fn entry(number: u64, words: usize) -> Vec<u64> {
    (0..words as u64).map(|word| number.wrapping_mul(word * 255 + 1) >> (word % 7)).collect()
}

/// Lets a queue grow and shrink, and compares it with a `VecDeque`. Some entries are never taken.
fn try_queue(supply: &Supply, words: usize, rounds: u64, seed: u64) -> Result<u64, ResourceError> {
    let mut queue = Fifo::new(words, 4096, supply);
    let mut random = Random(seed);
    let (mut waiting, mut longest) = (VecDeque::new(), 0);
    for round in 0..rounds {
        let (pushes, takes) = if (round / 20) % 2 == 0 { (300, 100) } else { (100, 300) };
        for _ in 0..random.below(pushes) {
            queue.make_room()?;
            waiting.push_back(queue.end());
            let entry = entry(queue.end(), words);
            queue.push(&entry);
        }
        longest = longest.max(waiting.len() as u64);
        for _ in 0..random.below(takes) {
            let Some(number) = waiting.pop_front() else { break };
            if random.below(50) > 0 {
                assert!(queue.get(number).is_none_or(|found| found == entry(number, words)));
                assert_eq!(queue.take(number)?, Some(&entry(number, words)[..]));
                assert_eq!(queue.take(number)?, None);
            }
        }
        queue.trim();
    }
    for number in waiting {
        assert_eq!(queue.take(number)?, Some(&entry(number, words)[..]));
    }
    assert_eq!(queue.take(queue.end())?, None);
    Ok(longest)
}

fn try_stack(supply: &Supply, words: usize, rounds: u64, seed: u64) -> Result<u64, ResourceError> {
    let mut stack = Lifo::new(words, 4096, supply);
    let mut random = Random(seed);
    let (mut waiting, mut longest, mut next) = (Vec::new(), 0, 0);
    for round in 0..rounds {
        let (pushes, pops) = if (round / 20) % 2 == 0 { (300, 100) } else { (100, 250) };
        for _ in 0..random.below(pushes) {
            stack.make_room()?;
            stack.push().unwrap().copy_from_slice(&entry(next, words));
            waiting.push(next);
            next += 1;
        }
        longest = longest.max(waiting.len() as u64);
        for _ in 0..random.below(pops) {
            let expected = waiting.pop().map(|number| entry(number, words));
            assert_eq!(stack.last()?, expected.as_deref());
            assert_eq!(stack.pop()?, expected.as_deref());
        }
        assert_eq!(stack.len(), waiting.len() as u64);
        assert!(
            stack.entries().zip(waiting.iter().rev()).all(|(found, &number)| found == entry(number, words))
        );
    }
    while let Some(number) = waiting.pop() {
        assert_eq!(stack.pop()?, Some(&entry(number, words)[..]));
    }
    assert_eq!(stack.pop()?, None);
    Ok(longest)
}

#[test]
fn the_same_comes_back_whatever_the_memory() {
    for words in [1, 2, 3, 7, 300] {
        for bytes in [1 << 10, 20 << 10, 100 << 10] {
            let budget = Arc::new(Budget::new(1 << 30));
            let supply = on_disk(bytes, &budget);
            let longest = try_queue(&supply, words, 300, bytes).unwrap();
            let longest = longest.min(try_stack(&supply, words, 300, bytes).unwrap());
            let room = bytes.max(FEWEST * 8 * words as u64).max(FEWEST << 10);
            assert!(budget.peak() <= room, "{words} {bytes} {}", budget.peak());
            let spilled = supply.spilled().unwrap();
            assert!(spilled.written_bytes > 0 || longest * 8 * words as u64 <= room, "{words} {bytes}");
            assert!(spilled.written_bytes <= spilled.entry_bytes + spilled.entry_bytes / 8);
            drop(supply);
            assert_eq!(budget.used(), 0);
        }
    }
    let budget = Arc::new(Budget::new(1 << 30));
    try_queue(&Supply::memory(budget.clone()), 3, 300, 1).unwrap();
    try_stack(&Supply::memory(budget.clone()), 3, 300, 1).unwrap();
    assert_eq!(budget.used(), 0);
}

#[test]
fn real_files_do_as_well() {
    let budget = Arc::new(Budget::new(1 << 30));
    let supply = Supply::disk(budget, Arc::new(SystemDirectory(std::env::temp_dir())), 10 << 10);
    try_queue(&supply, 2, 500, 7).unwrap();
    try_stack(&supply, 2, 500, 7).unwrap();
    let SpillStats { written_bytes, peak_bytes, .. } = supply.spilled().unwrap();
    assert!(peak_bytes < written_bytes / 3, "{peak_bytes} {written_bytes}");
}

/// Whatever the fault and whenever it strikes: entries come back as they were, or an error does.
#[test]
fn every_error_is_reported() {
    let faults = [SOUND, Fault::Fail(ErrorKind::StorageFull), Fault::Short, Fault::Flip, Fault::Drop];
    type Try = fn(&Supply, usize, u64, u64) -> Result<u64, ResourceError>;
    for (fault, kind) in faults.into_iter().flat_map(|fault| [(fault, try_queue as Try), (fault, try_stack)])
    {
        let mut reported = 0;
        for operations in 0.. {
            let directory = Arc::new(FaultyDirectory::new(fault, operations));
            let supply = Supply::disk(Arc::new(Budget::new(1 << 30)), directory.clone(), 8 << 10);
            match kind(&supply, 2, 30, 5) {
                Err(ResourceError::Disk(failure)) => {
                    reported += 1;
                    assert_eq!(failure.file, crate::storage::Purpose::Queue);
                }
                Err(ResourceError::Memory) => panic!("{fault:?} {operations}"),
                Ok(_) if directory.is_undisturbed() => break,
                Ok(_) => {}
            }
        }
        assert!(reported > 20, "{fault:?} {reported}");
    }
}

#[test]
fn without_memory_it_ends() {
    let supply = on_disk(100 << 10, &Arc::new(Budget::new(2 << 10)));
    assert_eq!(try_queue(&supply, 2, 60, 5), Err(ResourceError::Memory));
    assert_eq!(try_stack(&supply, 2, 60, 5), Err(ResourceError::Memory));
}
