//! Whole states that are still to be expanded, by the numbers of their places in a segment.
//!
//! A set of signatures cannot give states back, so they are kept here from when they are found
//! until they are taken. Breadth first they are taken in the order of their numbers, depth first
//! the newest first. What was passed by is gone, and its memory serves again. Whether all of them
//! are in memory or some on disk is a matter of the [`Supply`].

use crate::checkpoint::{Reader, Writer};
use crate::memory::prefetch;
use crate::spool::Supply;
use crate::spool::fifo::Fifo;
use crate::spool::lifo::Lifo;
use crate::storage::ResourceError;
use crate::storage::{Operation, Purpose, StorageError};
use std::ops::Range;

/// Bytes of a block of a stack, if all of them stay in memory.
const STACK_BLOCK: u64 = 16 << 10;

/// States that wait in a segment; each gets the number after that of the one before.
#[derive(Debug)]
pub enum Waiting {
    Queue(Queue),
    Stack(Stack),
}

impl Waiting {
    pub fn make_room(&mut self) -> Result<(), ResourceError> {
        match self {
            Waiting::Queue(queue) => queue.states.make_room(),
            Waiting::Stack(stack) => stack.entries.make_room(),
        }
    }

    /// Appends a state. There must be room.
    #[inline(always)]
    pub fn push(&mut self, state: &[u64]) {
        match self {
            Waiting::Queue(queue) => queue.states.push(state),
            Waiting::Stack(stack) => stack.push(state),
        }
    }

    /// The number that the next state gets, which is how many there were.
    #[inline(always)]
    pub fn next(&self) -> u64 {
        match self {
            Waiting::Queue(queue) => queue.states.end(),
            Waiting::Stack(stack) => stack.next,
        }
    }

    /// The numbers of the states that wait. Depth first, of all that there were.
    pub fn numbers(&self) -> Range<u64> {
        match self {
            Waiting::Queue(queue) => queue.states.first()..queue.states.end(),
            Waiting::Stack(stack) => 0..stack.next,
        }
    }

    /// The words of a state that nobody has passed by, if it is in memory.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<&[u64]> {
        match self {
            Waiting::Queue(queue) => queue.states.get(number),
            Waiting::Stack(stack) => stack.get(number),
        }
    }

    /// A state that waits, in memory or on disk; it is removed, with all that can only be taken
    /// after it.
    #[inline(always)]
    pub fn take(&mut self, number: u64) -> Result<Option<&[u64]>, ResourceError> {
        match self {
            Waiting::Queue(queue) => queue.states.take(number),
            Waiting::Stack(stack) => stack.take(number),
        }
    }

    pub fn prefetch(&self, number: u64) {
        if let Waiting::Queue(queue) = self
            && let Some(state) = queue.states.get(number)
        {
            prefetch(state.as_ptr());
        }
    }

    /// Writes the number of the first state that waits, how many there are, and their words. They
    /// stay here. Depth first nothing is saved.
    pub fn save(&mut self, file: &mut Writer) -> Result<(), ResourceError> {
        let Waiting::Queue(Queue { states }) = self else { return Err(missing()) };
        let mut left = states.end() - states.first();
        file.words(&[states.first(), left])?;
        states.each(&mut |state| {
            left = left.wrapping_sub(1);
            Ok(file.words(state)?)
        })?;
        if left == 0 { Ok(()) } else { Err(missing()) }
    }

    /// Restores an empty queue from what was saved, for a segment of `places` places.
    pub fn restore(
        &mut self,
        words: usize,
        places: u64,
        file: &mut Reader,
        accepts: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Result<(), ResourceError> {
        let Waiting::Queue(Queue { states }) = self else { return Err(missing()) };
        let first = file.at_most(places)?;
        let count = file.at_most(places - first)?;
        states.begin_at(first)?;
        let mut state = vec![0; words];
        for _ in 0..count {
            file.words(&mut state)?;
            if !accepts(&state) {
                return Err(file.unexpected().into());
            }
            states.make_room()?;
            states.push(&state);
        }
        Ok(())
    }

    /// Reads over what [`Waiting::save`] wrote.
    pub fn skip(words: usize, places: u64, file: &mut Reader) -> Result<(), StorageError> {
        let first = file.at_most(places)?;
        let mut state = vec![0; words];
        (0..file.at_most(places - first)?).try_for_each(|_| file.words(&mut state))
    }

    /// Gives back the memory of states that were passed by, or most of it.
    pub fn trim(&mut self) {
        if let Waiting::Queue(queue) = self {
            queue.states.trim();
        }
    }
}

/// Some states are not where they should be.
#[cold]
fn missing() -> ResourceError {
    StorageError::new(Purpose::Queue, Operation::Read, &std::io::ErrorKind::UnexpectedEof.into()).into()
}

/// First in, first out.
#[derive(Debug)]
pub struct Queue {
    states: Fifo,
}

impl Queue {
    /// A queue of states of `words` words, in blocks of about `bytes` bytes if all of them stay in
    /// memory.
    pub fn new(words: usize, bytes: usize, supply: &Supply) -> Self {
        Queue { states: Fifo::new(words, bytes as u64, supply) }
    }
}

/// Last in, first out. Each state has its number in front of it, since some are never taken.
#[derive(Debug)]
pub struct Stack {
    entries: Lifo,
    next: u64,
}

impl Stack {
    pub fn new(words: usize, supply: &Supply) -> Self {
        Stack { entries: Lifo::new(words + 1, STACK_BLOCK, supply), next: 0 }
    }

    #[inline(always)]
    fn push(&mut self, state: &[u64]) {
        if let Some([number, words @ ..]) = self.entries.push() {
            *number = self.next;
            words.copy_from_slice(state);
            self.next += 1;
        }
    }

    /// Numbers grow from the bottom to the top, and the wanted one is near the top.
    fn get(&self, number: u64) -> Option<&[u64]> {
        let entry = self.entries.entries().find(|entry| entry[0] <= number)?;
        entry.split_first().filter(|(found, _)| **found == number).map(|(_, state)| state)
    }

    fn take(&mut self, number: u64) -> Result<Option<&[u64]>, ResourceError> {
        while self.entries.last()?.is_some_and(|entry| entry[0] > number) {
            self.entries.pop()?;
        }
        match self.entries.last()? {
            Some(entry) if entry[0] == number => Ok(self.entries.pop()?.map(|entry| &entry[1..])),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Budget;
    use std::sync::Arc;

    #[test]
    fn a_queue_frees_what_was_passed_by() {
        let budget = Arc::new(Budget::new(1 << 20));
        let mut waiting = Waiting::Queue(Queue::new(3, 1000, &Supply::memory(budget.clone())));
        let mut taken = 0;
        for number in 0..100_000u64 {
            waiting.make_room().unwrap();
            assert_eq!(waiting.next(), number);
            waiting.push(&[number, 7, !number]);
            // Never more than 200 wait, and now and then one is left out.
            if number >= taken + 200 {
                for at in (taken..number).filter(|at| at % 10 != 3) {
                    assert_eq!(waiting.get(at), Some(&[at, 7, !at][..]));
                    assert_eq!(waiting.take(at), Ok(Some(&[at, 7, !at][..])));
                }
                taken = number;
            }
        }
        assert_eq!(waiting.get(5), None);
        assert_eq!(waiting.get(100_000), None);
        assert!(budget.peak() < 10_000, "{}", budget.peak());
        drop(waiting);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_stack_gives_back_the_newest() {
        let budget = Arc::new(Budget::new(1 << 24));
        let mut waiting = Waiting::Stack(Stack::new(2, &Supply::memory(budget.clone())));
        let mut model: Vec<u64> = Vec::new();
        let mut next = 0u64;
        for round in 0..5000u64 {
            for _ in 0..round % 4 {
                waiting.make_room().unwrap();
                assert_eq!(waiting.next(), next);
                waiting.push(&[next, next * next]);
                // Some are never taken.
                if next % 5 != 1 {
                    model.push(next);
                }
                next += 1;
            }
            for _ in 0..(round % 3).min(model.len() as u64) {
                let wanted = model.pop().unwrap();
                assert_eq!(waiting.get(wanted), Some(&[wanted, wanted * wanted][..]));
                assert_eq!(waiting.take(wanted), Ok(Some(&[wanted, wanted * wanted][..])));
                assert_eq!(waiting.get(wanted), None);
            }
        }
        while let Some(wanted) = model.pop() {
            assert_eq!(waiting.take(wanted), Ok(Some(&[wanted, wanted * wanted][..])));
        }
        drop(waiting);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn without_memory_nothing_changes() {
        let supply = Supply::memory(Arc::new(Budget::new(1000)));
        let mut waiting = Waiting::Queue(Queue::new(1, 800, &supply));
        for number in 0..64 {
            waiting.make_room().unwrap();
            waiting.push(&[number]);
        }
        assert!(waiting.make_room().is_err());
        assert_eq!(waiting.get(63), Some(&[63][..]));
    }
}
