//! First in, first out: breadth first.
//!
//! States are numbered in the order in which they are found, and that is the order in which they are
//! expanded, so the queue is ranges of numbers into the visited set: one per level, and one more for each
//! state that was left out.

use super::{Found, Frontier, Level, Taken};
use crate::memory::Exhausted;
use crate::visited::{StateIndex, Visited};
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub struct Queue {
    ranges: VecDeque<Range>,
    length: u64,
}

#[derive(Clone, Copy, Debug)]
struct Range {
    level: Level,
    from: u32,
    to: u32,
}

impl Frontier for Queue {
    fn push(&mut self, found: Found<'_>) -> Result<(), Exhausted> {
        let from = found.first.0;
        let to = from + found.positions.len() as u32;
        self.length += found.positions.len() as u64;
        match self.ranges.back_mut() {
            Some(last) if last.to == from && last.level == found.level => last.to = to,
            _ => self.ranges.push_back(Range { level: found.level, from, to }),
        }
        Ok(())
    }

    fn take(&mut self, visited: &dyn Visited, most: usize, taken: &mut Taken) -> Option<Level> {
        while self.ranges.front()?.from == self.ranges.front()?.to {
            self.ranges.pop_front();
        }
        let range = self.ranges.front_mut()?;
        let count = (range.to - range.from).min(most as u32);
        taken.indices.extend((range.from..range.from + count).map(StateIndex));
        visited.load(&taken.indices, &mut taken.words);
        range.from += count;
        self.length -= u64::from(count);
        Some(range.level)
    }

    fn len(&self) -> u64 {
        self.length
    }
}
