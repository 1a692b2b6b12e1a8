//! Whole states that are still to be expanded, by the numbers of their places in a segment.
//!
//! A set of signatures cannot give states back, so they are kept here from when they are found until they are taken.
//! Breadth first they are taken in the order of their numbers, depth first the newest first. What was passed by is
//! gone, and its memory serves again.

use crate::memory::{Budget, Chunks, Exhausted, Pages, prefetch};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// States that wait in a segment; each gets the number after that of the one before.
#[derive(Debug)]
pub enum Waiting {
    Queue(Queue),
    Stack(Stack),
}

impl Waiting {
    pub fn make_room(&mut self) -> Result<(), Exhausted> {
        match self {
            Waiting::Queue(queue) => queue.make_room(),
            Waiting::Stack(stack) => stack.make_room(),
        }
    }

    /// Appends a state. There must be room.
    #[inline(always)]
    pub fn push(&mut self, state: &[u64]) {
        match self {
            Waiting::Queue(queue) => queue.push(state),
            Waiting::Stack(stack) => stack.push(state),
        }
    }

    /// The number that the next state gets, which is how many there were.
    #[inline(always)]
    pub fn next(&self) -> u64 {
        match self {
            Waiting::Queue(queue) => queue.end,
            Waiting::Stack(stack) => stack.next,
        }
    }

    /// The words of a state that nobody has passed by.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<&[u64]> {
        match self {
            Waiting::Queue(queue) => queue.get(number),
            Waiting::Stack(stack) => stack.find(number).map(|at| stack.state(at)),
        }
    }

    /// The same, and passes it by, with all that can only be taken after it.
    #[inline(always)]
    pub fn take(&self, number: u64) -> Option<&[u64]> {
        match self {
            Waiting::Queue(queue) => {
                queue.passed.store(number + 1, Ordering::Relaxed);
                queue.get(number)
            }
            Waiting::Stack(stack) => {
                let at = stack.find(number)?;
                stack.left.store(at, Ordering::Relaxed);
                Some(stack.state(at))
            }
        }
    }

    pub fn prefetch(&self, number: u64) {
        if let Waiting::Queue(queue) = self
            && let Some(state) = queue.get(number)
        {
            prefetch(state.as_ptr());
        }
    }

    /// Gives back the memory of states that were passed by, or most of it.
    pub fn trim(&mut self) {
        if let Waiting::Queue(queue) = self {
            queue.trim();
        }
    }
}

/// First in, first out.
#[derive(Debug)]
pub struct Queue {
    /// Words of a state.
    words: usize,
    /// States of a chunk.
    chunk: u64,
    chunks: VecDeque<Pages>,
    spare: Option<Pages>,
    /// The number of the first state of the first chunk.
    first: u64,
    end: u64,
    /// All states below this number were passed by.
    passed: AtomicU64,
    budget: Arc<Budget>,
}

impl Queue {
    /// For states of so many words, in chunks of about so many bytes.
    pub fn new(words: usize, bytes: usize, budget: Arc<Budget>) -> Self {
        Queue {
            words,
            chunk: (bytes / (words * size_of::<u64>())).max(1) as u64,
            chunks: VecDeque::new(),
            spare: None,
            first: 0,
            end: 0,
            passed: AtomicU64::new(0),
            budget,
        }
    }

    fn chunk_bytes(&self) -> usize {
        self.chunk as usize * self.words * size_of::<u64>()
    }

    #[inline(always)]
    fn make_room(&mut self) -> Result<(), Exhausted> {
        if self.end - self.first == self.chunks.len() as u64 * self.chunk { self.extend() } else { Ok(()) }
    }

    #[cold]
    fn extend(&mut self) -> Result<(), Exhausted> {
        self.trim();
        let chunk = match self.spare.take() {
            Some(chunk) => chunk,
            None => {
                let bytes = self.chunk_bytes();
                self.budget.take(bytes as u64)?;
                Pages::zeroed(bytes).ok_or_else(|| {
                    self.budget.give_back(bytes as u64);
                    Exhausted
                })?
            }
        };
        self.chunks.push_back(chunk);
        Ok(())
    }

    fn trim(&mut self) {
        let passed = *self.passed.get_mut();
        while self.first + self.chunk <= passed && !self.chunks.is_empty() {
            let freed = self.chunks.pop_front();
            self.first += self.chunk;
            if self.spare.is_some() {
                self.budget.give_back(self.chunk_bytes() as u64);
            }
            // One is kept for later.
            self.spare = freed;
        }
    }

    #[inline(always)]
    fn address(&self, number: u64) -> Option<*mut u64> {
        let at = number.checked_sub(self.first)?;
        let chunk = self.chunks.get((at / self.chunk) as usize)?;
        Some(chunk.start().cast::<u64>().wrapping_add((at % self.chunk) as usize * self.words))
    }

    #[inline(always)]
    fn push(&mut self, state: &[u64]) {
        if let Some(address) = self.address(self.end) {
            // SAFETY: the chunk has room for so many words from here on, and `self` is borrowed exclusively.
            unsafe { std::slice::from_raw_parts_mut(address, self.words) }.copy_from_slice(state);
            self.end += 1;
        }
    }

    #[inline(always)]
    fn get(&self, number: u64) -> Option<&[u64]> {
        let address = self.address(number).filter(|_| number < self.end)?;
        // SAFETY: the state was written there, and nothing is written while `self` is shared.
        Some(unsafe { std::slice::from_raw_parts(address, self.words) })
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let chunks = self.chunks.len() + usize::from(self.spare.is_some());
        self.budget.give_back((chunks * self.chunk_bytes()) as u64);
    }
}

/// Last in, first out. Each state has its number in front of it, since some are never taken.
#[derive(Debug)]
pub struct Stack {
    words: usize,
    entries: Chunks<u64>,
    length: u64,
    next: u64,
    /// So many of the entries were not passed by.
    left: AtomicU64,
}

impl Stack {
    pub fn new(words: usize, budget: Arc<Budget>) -> Self {
        Stack {
            words,
            entries: Chunks::new(words + 1, budget),
            length: 0,
            next: 0,
            left: AtomicU64::new(u64::MAX),
        }
    }

    #[inline(always)]
    fn make_room(&mut self) -> Result<(), Exhausted> {
        self.length = self.length.min(std::mem::replace(self.left.get_mut(), u64::MAX));
        if self.length == self.entries.ready() { self.entries.extend() } else { Ok(()) }
    }

    #[inline(always)]
    fn push(&mut self, state: &[u64]) {
        if self.length < self.entries.ready() {
            // SAFETY: the entry is ready, has so many words, and `self` is borrowed exclusively.
            let entry =
                unsafe { std::slice::from_raw_parts_mut(self.entries.entry(self.length), self.words + 1) };
            entry[0] = self.next;
            entry[1..].copy_from_slice(state);
            self.length += 1;
            self.next += 1;
        }
    }

    fn entry(&self, at: u64) -> &[u64] {
        // SAFETY: entries below the length are ready and written, and nothing is written while `self` is shared.
        unsafe { std::slice::from_raw_parts(self.entries.entry(at), self.words + 1) }
    }

    fn state(&self, at: u64) -> &[u64] {
        &self.entry(at)[1..]
    }

    /// Numbers grow from the bottom to the top, and the wanted one is near the top.
    fn find(&self, number: u64) -> Option<u64> {
        let left = self.length.min(self.left.load(Ordering::Relaxed));
        (0..left).rev().find(|&at| self.entry(at)[0] <= number).filter(|&at| self.entry(at)[0] == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_frees_what_was_passed_by() {
        let budget = Arc::new(Budget::new(1 << 20));
        let mut waiting = Waiting::Queue(Queue::new(3, 1000, budget.clone()));
        let mut taken = 0;
        for number in 0..100_000u64 {
            waiting.make_room().unwrap();
            assert_eq!(waiting.next(), number);
            waiting.push(&[number, 7, !number]);
            // Never more than 200 wait, and now and then one is left out.
            if number >= taken + 200 {
                for at in (taken..number).filter(|at| at % 10 != 3) {
                    assert_eq!(waiting.get(at), Some(&[at, 7, !at][..]));
                    assert_eq!(waiting.take(at), Some(&[at, 7, !at][..]));
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
        let mut waiting = Waiting::Stack(Stack::new(2, budget.clone()));
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
                assert_eq!(waiting.take(wanted), Some(&[wanted, wanted * wanted][..]));
                assert_eq!(waiting.get(wanted), None);
            }
        }
        while let Some(wanted) = model.pop() {
            assert_eq!(waiting.take(wanted), Some(&[wanted, wanted * wanted][..]));
        }
        drop(waiting);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn without_memory_nothing_changes() {
        let mut waiting = Waiting::Queue(Queue::new(1, 800, Arc::new(Budget::new(1000))));
        for number in 0..100 {
            waiting.make_room().unwrap();
            waiting.push(&[number]);
        }
        assert!(waiting.make_room().is_err());
        assert_eq!(waiting.get(99), Some(&[99][..]));
    }
}
