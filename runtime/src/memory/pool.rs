//! Pieces for arrays that grow a piece at a time and never shrink, carved from big pages.

use super::{Budget, MemoryError, Pages};
use std::ptr::NonNull;
use std::sync::Arc;

/// The first block; each one after it may be twice as large.
const FIRST: usize = 16 << 10;
/// Blocks grow to this size at once, and then only with the pool.
const COMMON: usize = 2 << 20;
/// Blocks do not get larger than this.
const LARGEST: usize = 64 << 20;

/// Bytes handed out from which on new blocks are in big pages.
const MANY: u64 = 32 << 20;

/// Hands out zeroed pieces, and takes them back when it is dropped.
///
/// Only what was handed out is taken from the budget: the rest of a block is address space.
#[derive(Debug)]
pub struct Pool {
    blocks: Vec<Pages>,
    /// Bytes of the last block, and how many of them were handed out.
    block: usize,
    given: usize,
    /// Bytes handed out over all blocks.
    total: u64,
    budget: Arc<Budget>,
}

impl Pool {
    pub fn new(budget: Arc<Budget>) -> Self {
        Pool { blocks: Vec::new(), block: 0, given: 0, total: 0, budget }
    }

    /// A zeroed piece of at least `bytes`, aligned to sixteen, which stays valid as long as the
    /// pool exists.
    pub fn take(&mut self, bytes: usize) -> Result<NonNull<u8>, MemoryError> {
        let piece = bytes.max(1).checked_next_multiple_of(16).ok_or(MemoryError)?;
        self.budget.take(piece as u64)?;
        let taken = self.carve(piece);
        match taken {
            Some(_) => self.total += piece as u64,
            None => return Err(self.budget.refuse(piece as u64)),
        }
        taken.ok_or(MemoryError)
    }

    fn carve(&mut self, piece: usize) -> Option<NonNull<u8>> {
        if self.block - self.given < piece {
            let share = usize::try_from(self.total / 16).unwrap_or(LARGEST);
            let next = if self.block < COMMON { (self.block * 2).max(FIRST) } else { share.max(COMMON) };
            // Most pieces are of one size: nothing is left over behind the last one.
            let block = next.min(LARGEST).max(piece) / piece * piece;
            // The last big page is used in part, but taken wholly: that must be little beside what
            // was handed out.
            let pages = if self.total >= MANY { Pages::zeroed(block) } else { Pages::zeroed_small(block) };
            self.blocks.push(pages?);
            self.block = block;
            self.given = 0;
        }
        // SAFETY: the last block has a piece left from here on.
        let start = unsafe { self.blocks.last()?.start().add(self.given) };
        self.given += piece;
        NonNull::new(start)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.budget.give_back(self.total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_zero_and_apart() {
        let budget = Arc::new(Budget::new(1 << 30));
        let sizes: &[usize] = if cfg!(miri) { &[1, 40, 600] } else { &[1, 40, 2560, 100_000, 3 << 20] };
        for &bytes in sizes {
            let mut pool = Pool::new(budget.clone());
            let pieces: Vec<_> = (0..50u8).map(|at| (at, pool.take(bytes).unwrap())).collect();
            for &(at, piece) in &pieces {
                // SAFETY: a piece has `bytes` bytes, and only this test uses it.
                let piece = unsafe { std::slice::from_raw_parts_mut(piece.as_ptr(), bytes) };
                assert!(piece.iter().all(|&byte| byte == 0));
                piece.fill(at + 1);
            }
            for &(at, piece) in &pieces {
                // SAFETY: as above.
                let piece = unsafe { std::slice::from_raw_parts(piece.as_ptr(), bytes) };
                assert!(piece.iter().all(|&byte| byte == at + 1));
            }
            assert_eq!(budget.used(), 50 * bytes.next_multiple_of(16) as u64);
        }
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn the_budget_ends_it() {
        let mut pool = Pool::new(Arc::new(Budget::new(10_080)));
        assert_eq!((0..20).filter(|_| pool.take(1000).is_ok()).count(), 10);
        assert!(pool.take(usize::MAX).is_err());
    }
}
