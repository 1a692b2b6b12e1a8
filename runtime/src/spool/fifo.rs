//! First in, first out: entries with consecutive numbers, of which the oldest are taken first.
//!
//! The entries lie in blocks, `1 << shift` in each. The newest block is the *tail*, where entries
//! are added. The oldest is the *head*, where they are taken. The blocks in between are in memory,
//! in order, as long as there are few; those that come after them go to disk, and all that come
//! later, until nothing is left there.
//!
//! Of the blocks of a queue that goes to disk, half may be ready to be taken or on their way back.
//! Head and tail are two more. What is left, one at least, is for those that are being written. So
//! a caller that needs an empty block finds one, or one that is being written and will be empty:
//! nobody waits forever.

use super::blocks::Blocks;
use super::buffers::Buffers;
use super::files::Order;
use super::{Measure, Supply};
use crate::memory::Block;
use crate::storage::ResourceError;

#[derive(Debug)]
pub struct Fifo {
    measure: Measure,
    blocks: Blocks,
    tail: Option<Block>,
    /// Which block that is, counted from the first.
    last: u64,
    /// The number of the next entry.
    end: u64,
    head: Option<Block>,
    /// Which block comes after the head.
    next: u64,
    /// All entries below this number were removed.
    passed: u64,
}

impl Fifo {
    /// A queue of entries of `words` words, in blocks of about `bytes` bytes if they stay in
    /// memory.
    pub fn new(words: usize, bytes: u64, supply: &Supply) -> Self {
        let measure = supply.measure(words, bytes);
        let buffers = Buffers::new(measure, supply.budget.clone());
        Fifo {
            measure,
            blocks: Blocks::new(buffers, measure.words, supply, Order::Queue),
            tail: None,
            last: 0,
            end: 0,
            head: None,
            next: 0,
            passed: 0,
        }
    }

    /// The number that the next entry gets.
    #[inline(always)]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The block of an entry, counted from the first, and where in the block it is.
    #[inline(always)]
    fn place(&self, number: u64) -> (u64, usize) {
        let Measure { words, shift, .. } = self.measure;
        (number >> shift, (number & ((1 << shift) - 1)) as usize * words)
    }

    /// Makes sure that there is room for an entry.
    #[inline(always)]
    pub fn make_room(&mut self) -> Result<(), ResourceError> {
        let (_, at) = self.place(self.end);
        if at == 0 { self.extend() } else { Ok(()) }
    }

    /// Appends an entry. There must be room.
    #[inline(always)]
    pub fn push(&mut self, entry: &[u64]) {
        let (_, at) = self.place(self.end);
        if let Some(tail) = &mut self.tail
            && let Some(place) = tail.get_mut(at..at + self.measure.words)
        {
            place.copy_from_slice(entry);
            self.end += 1;
        }
    }

    /// Begins a new tail.
    #[cold]
    fn extend(&mut self) -> Result<(), ResourceError> {
        let (last, _) = self.place(self.end);
        if self.tail.is_some() && self.last == last {
            // There is one, and nothing in it yet.
            return Ok(());
        }
        self.trim();
        if self.tail.is_some() && self.passed >= self.end && self.is_here() {
            // Everything was taken, the tail as well: it serves again.
            (self.last, self.next) = (last, last);
            return Ok(());
        }
        let empty = self.blocks.empty()?;
        self.last = last;
        let Some(full) = self.tail.replace(empty) else { return Ok(()) };
        self.blocks.collect()?;
        let stays = match &self.blocks.line {
            None => true,
            Some(line) => line.away == 0 && line.reading == 0 && self.blocks.here.len() < self.most_ready(),
        };
        match &mut self.blocks.line {
            Some(line) if !stays => line.write(full)?,
            _ => self.blocks.here.push_back(full),
        }
        self.blocks.read_ahead(self.most_ready())
    }

    /// Blocks behind the head that are in memory, or on their way back, at most.
    fn most_ready(&self) -> usize {
        self.blocks.buffers.most() / 2
    }

    /// Whether no block lies between head and tail.
    fn is_here(&self) -> bool {
        let away = self.blocks.line.as_ref().is_some_and(|line| line.away > 0 || line.reading > 0);
        self.blocks.here.is_empty() && !away
    }

    /// Moves on to the next block. False: it is the tail.
    #[cold]
    fn advance(&mut self) -> Result<bool, ResourceError> {
        if let Some(head) = self.head.take() {
            self.blocks.buffers.give_back(head);
        }
        self.blocks.collect()?;
        self.blocks.read_ahead(self.most_ready())?;
        loop {
            if let Some(block) = self.blocks.here.pop_front() {
                self.head = Some(block);
                self.next += 1;
                return Ok(true);
            }
            match &mut self.blocks.line {
                Some(line) if line.reading > 0 => self.blocks.wait()?,
                Some(line) if line.away > 0 => {
                    let block = self.blocks.empty()?;
                    self.blocks.line.as_mut().map_or(Ok(()), |line| line.ask(block))?;
                }
                _ => return Ok(false),
            }
        }
    }

    /// An entry, if it is in memory and was not removed.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<&[u64]> {
        if number >= self.end || number < self.passed {
            return None;
        }
        let (block, at) = self.place(number);
        let block = match block {
            _ if block == self.last => self.tail.as_ref(),
            _ if block + 1 == self.next => self.head.as_ref(),
            _ => block.checked_sub(self.next).and_then(|at| self.blocks.here.get(at as usize)),
        };
        block?.get(at..at + self.measure.words)
    }

    /// An entry, in memory or on disk; it is removed with all before it. `None`: it was removed
    /// already, or never added.
    #[inline(always)]
    pub fn take(&mut self, number: u64) -> Result<Option<&[u64]>, ResourceError> {
        if number >= self.end || number < self.passed {
            return Ok(None);
        }
        self.passed = number + 1;
        let (block, at) = self.place(number);
        while self.next <= block && block != self.last {
            if !self.advance()? {
                return Ok(None);
            }
        }
        let block = if block == self.last { &self.tail } else { &self.head };
        Ok(block.as_ref().and_then(|block| block.get(at..at + self.measure.words)))
    }

    /// Goes on where another queue was: the next entry gets this number, and all before it were
    /// passed by. Nothing was added yet.
    pub fn begin_at(&mut self, number: u64) -> Result<(), ResourceError> {
        let (block, at) = self.place(number);
        (self.end, self.passed) = (number, number);
        (self.last, self.next) = (block, block);
        if at > 0 {
            self.tail = Some(self.blocks.empty()?);
        }
        Ok(())
    }

    /// The number of the first entry that was not passed by.
    pub fn first(&self) -> u64 {
        self.passed
    }

    /// Shows all entries that were not passed by, in order, wherever they are. They stay there.
    pub fn each(
        &mut self,
        visit: &mut dyn FnMut(&[u64]) -> Result<(), ResourceError>,
    ) -> Result<(), ResourceError> {
        while self.blocks.pending() > 0 {
            self.blocks.wait()?;
        }
        let Measure { words, shift, .. } = self.measure;
        let (passed, end) = (self.passed, self.end);
        let mut show = |number: u64, block: &Block| {
            let first = number << shift;
            for (entry, number) in block.chunks_exact(words).zip(first..end) {
                if number >= passed {
                    visit(entry)?;
                }
            }
            Ok(())
        };
        if let Some(head) = self.head.as_ref().filter(|_| self.next > 0) {
            show(self.next - 1, head)?;
        }
        let mut number = self.next;
        for block in &self.blocks.here {
            show(number, block)?;
            number += 1;
        }
        if let Some(line) = self.blocks.line.as_ref().filter(|line| line.away > 0) {
            let mut block = self.blocks.buffers.take()?.ok_or(ResourceError::Memory)?;
            let shown = line.each(&mut block, &mut |block| {
                number += 1;
                show(number - 1, block)
            });
            self.blocks.buffers.give_back(block);
            shown?;
        }
        self.tail.as_ref().map_or(Ok(()), |tail| show(self.last, tail))
    }

    /// Gives the memory of the head back if all its entries were passed by.
    pub fn trim(&mut self) {
        if self.passed >> self.measure.shift >= self.next
            && let Some(head) = self.head.take()
        {
            self.blocks.buffers.give_back(head);
        }
    }
}
