//! A queue of small numbers, four to a word.

use crate::checkpoint::{Reader, Writer};
use crate::spool::Supply;
use crate::spool::fifo::Fifo;
use crate::storage::ResourceError;
use crate::storage::{Operation, Purpose, StorageError};

/// Bytes of a block, if all of them stay in memory.
const BLOCK: u64 = 4 << 10;
/// Numbers in a word, and bits of a number.
const MANY: u32 = u64::BITS / BITS;
const BITS: u32 = u16::BITS;

#[derive(Debug)]
pub struct Sequence {
    /// Full words.
    words: Fifo,
    /// The next of them.
    next: u64,
    /// The words at both ends, and how many numbers are in them. The next number is in the low bits
    /// of the first, and in those of the last the one that came first.
    first: (u64, u32),
    last: (u64, u32),
}

impl Sequence {
    pub fn new(supply: &Supply) -> Self {
        Sequence { words: Fifo::new(1, BLOCK, supply), next: 0, first: (0, 0), last: (0, 0) }
    }

    /// Makes sure that there is room for some numbers.
    pub fn make_room(&mut self) -> Result<(), ResourceError> {
        self.words.make_room()
    }

    #[inline]
    pub fn push(&mut self, number: u16) -> Result<(), ResourceError> {
        let (word, count) = self.last;
        let word = word | u64::from(number) << (count * BITS);
        if count + 1 < MANY {
            self.last = (word, count + 1);
            return Ok(());
        }
        self.words.make_room()?;
        self.words.push(&[word]);
        self.last = (0, 0);
        Ok(())
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Result<Option<u16>, ResourceError> {
        if self.first.1 == 0 && !self.next_word()? {
            return Ok(None);
        }
        let (word, count) = self.first;
        self.first = (word >> BITS, count - 1);
        Ok(Some(word as u16))
    }

    /// Goes on to the next word, if there is one.
    #[inline(never)]
    fn next_word(&mut self) -> Result<bool, ResourceError> {
        self.first = match self.words.take(self.next)? {
            Some(&[word]) => (word, MANY),
            Some(_) => return Ok(false),
            // What is left is in the last word.
            None if self.last.1 > 0 => std::mem::take(&mut self.last),
            None => return Ok(false),
        };
        self.next = self.words.end().min(self.next + 1);
        Ok(true)
    }

    /// Shows all numbers in order. They stay where they are.
    pub fn each(
        &mut self,
        visit: &mut dyn FnMut(u16) -> Result<(), ResourceError>,
    ) -> Result<(), ResourceError> {
        let mut show =
            |(word, count): (u64, u32)| (0..count).try_for_each(|at| visit((word >> (at * BITS)) as u16));
        show(self.first)?;
        self.words.each(&mut |words| words.iter().try_for_each(|&word| show((word, MANY))))?;
        show(self.last)
    }

    /// Writes how many numbers there are, and all of them. They stay where they are.
    pub fn save(&mut self, file: &mut Writer) -> Result<(), ResourceError> {
        let mut left = self.len();
        file.number(left)?;
        self.each(&mut |number| {
            left = left.wrapping_sub(1);
            Ok(file.bytes(&number.to_le_bytes())?)
        })?;
        let missing = std::io::ErrorKind::UnexpectedEof.into();
        if left == 0 {
            Ok(())
        } else {
            Err(StorageError::new(Purpose::Queue, Operation::Read, &missing).into())
        }
    }

    /// Appends numbers that were saved.
    pub fn restore(&mut self, file: &mut Reader) -> Result<(), ResourceError> {
        for _ in 0..file.count(size_of::<u16>() as u64)? {
            let mut number = [0; size_of::<u16>()];
            file.bytes(&mut number)?;
            self.push(u16::from_le_bytes(number))?;
        }
        Ok(())
    }

    pub fn len(&self) -> u64 {
        let words = self.words.end() - self.next;
        words * u64::from(MANY) + u64::from(self.first.1) + u64::from(self.last.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Budget;
    use crate::storage::SystemDirectory;
    use std::sync::Arc;

    #[test]
    fn first_in_first_out() {
        let budget = Arc::new(Budget::new(1 << 20));
        let disk = Supply::disk(budget.clone(), Arc::new(SystemDirectory(std::env::temp_dir())), 8 << 10);
        for supply in [Supply::memory(budget.clone()), disk] {
            let mut sequence = Sequence::new(&supply);
            let (mut pushed, mut popped) = (0u64, 0u64);
            for round in 0..900u64 {
                for _ in 0..(round * 37) % 211 + 20 {
                    sequence.push(pushed as u16).unwrap();
                    pushed += 1;
                }
                for _ in 0..(round * 53) % 223 {
                    let Some(number) = sequence.pop().unwrap() else { break };
                    assert_eq!(number, popped as u16);
                    popped += 1;
                }
                assert_eq!(sequence.len(), pushed - popped);
                if round % 50 == 7 {
                    let mut seen = popped;
                    let shown = sequence.each(&mut |number| {
                        assert_eq!(number, seen as u16);
                        seen += 1;
                        Ok(())
                    });
                    assert_eq!((shown, seen), (Ok(()), pushed));
                }
            }
            while let Some(number) = sequence.pop().unwrap() {
                assert_eq!(number, popped as u16);
                popped += 1;
            }
            assert_eq!((pushed, sequence.len(), sequence.pop()), (popped, 0, Ok(None)));
            drop(sequence);
            assert_eq!(budget.used(), 0);
            assert_eq!(
                supply.spilled().is_some_and(|spilled| spilled.written_bytes > 0),
                supply.settled().is_some()
            );
        }
    }
}
