//! Blocks of many sizes for tables that grow and give their old block back, packed into big pages.
//!
//! A *region* is some big pages, divided into equal *units*; a *run* of units that follow each
//! other is a block. Small blocks share a run: several of one size are a *slab*. Tables of a set
//! take the same sizes one after the other, so the blocks of a slab become free at about the same
//! time; then its run serves for blocks of other sizes.
//!
//! Only runs that are in use are taken from the budget. Free ones are a fifth of the regions and
//! more. As long as there is memory they keep theirs, in big pages; once it is scarce all free runs
//! go back to the system, for as long as they are free.

use super::{Budget, MemoryError, Pages};
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::Arc;

/// Units of a region.
const UNITS: usize = u128::BITS as usize;
/// Bytes of a unit, for blocks of up to half a region. The first region is one big page.
const SIZES: [usize; 4] = [16 << 10, 32 << 10, 64 << 10, 128 << 10];
/// Blocks that share a run, and the units beyond which a run is not shared.
const BLOCKS: usize = 8;
const LONG: usize = 16;

/// Hands out zeroed blocks.
#[derive(Debug)]
pub struct Slabs {
    /// By the size of their blocks.
    slabs: BTreeMap<usize, Vec<Slab>>,
    /// For each size of units.
    regions: [Vec<Region>; SIZES.len()],
    /// Every block has pages of its own, for a set of one table.
    single: bool,
    /// Free units take no memory from now on.
    scarce: bool,
    budget: Arc<Budget>,
}

/// Big pages, with a bit for each unit that is in use.
#[derive(Debug)]
struct Region {
    pages: Pages,
    used: u128,
}

/// Some blocks of one size.
#[derive(Debug)]
struct Slab {
    start: NonNull<u8>,
    bytes: usize,
    home: Home,
    /// Blocks that were given out, ever.
    touched: usize,
    free: Vec<NonNull<u8>>,
    in_use: usize,
}

/// Where the memory of a slab is from.
#[derive(Debug)]
enum Home {
    /// A run of units of this size.
    Units(usize),
    Own {
        _pages: Pages,
    },
}

// SAFETY: the addresses are those of pages that belong to the slabs alone.
unsafe impl Send for Slabs {}

impl Slabs {
    pub fn new(single: bool, budget: Arc<Budget>) -> Self {
        let regions = std::array::from_fn(|_| Vec::new());
        Slabs { slabs: BTreeMap::new(), regions, single, scarce: false, budget }
    }

    /// A zeroed block of `bytes`, aligned to 64 bytes where `bytes` is a multiple of that.
    pub fn take(&mut self, bytes: usize) -> Result<NonNull<u8>, MemoryError> {
        let bytes = bytes.max(64);
        let slabs = self.slabs.entry(bytes).or_default();
        // The last slab is the one that is not full, most of the time.
        if let Some(block) = slabs.iter_mut().rev().find_map(|slab| slab.give(bytes)) {
            return Ok(block);
        }
        let mut slab = self.slab(bytes)?;
        let block = slab.give(bytes).ok_or(MemoryError)?;
        self.slabs.entry(bytes).or_default().push(slab);
        Ok(block)
    }

    /// Takes back a block that [`Slabs::take`] gave out for the same number of bytes.
    pub fn give_back(&mut self, block: NonNull<u8>, bytes: usize) {
        let bytes = bytes.max(64);
        let Some(slabs) = self.slabs.get_mut(&bytes) else { return };
        let Some(at) = slabs.iter().position(|slab| slab.holds(block)) else { return };
        let slab = &mut slabs[at];
        slab.free.push(block);
        slab.in_use -= 1;
        if slab.in_use == 0 {
            let slab = slabs.swap_remove(at);
            self.budget.give_back(slab.bytes as u64);
            if let Home::Units(kind) = slab.home {
                self.uncarve(kind, &slab);
            }
        }
    }

    /// Gives what is free back to the system, now and from now on, once memory is scarce.
    fn notice_scarcity(&mut self) {
        if self.scarce || !self.budget.is_scarce() {
            return;
        }
        self.scarce = true;
        for (unit, regions) in SIZES.iter().zip(&self.regions) {
            for region in regions {
                // Of a big page that comes anew, a part may be free.
                region.pages.ask_for_small();
                let mut at = 0;
                while at < UNITS {
                    let count = ((!region.used >> at).trailing_ones() as usize).min(UNITS - at);
                    // SAFETY: units of the region that are not in use.
                    unsafe { region.pages.release(at * unit, count * unit) };
                    at += count;
                    at += (region.used.checked_shr(at as u32).unwrap_or(0)).trailing_ones() as usize;
                }
            }
        }
    }

    fn slab(&mut self, bytes: usize) -> Result<Slab, MemoryError> {
        self.notice_scarcity();
        let kind = SIZES.iter().position(|unit| bytes <= unit * UNITS / 2).filter(|_| !self.single);
        let all = match kind {
            Some(kind) => {
                let blocks = (LONG * SIZES[kind] / bytes).clamp(1, BLOCKS);
                (bytes * blocks).next_multiple_of(SIZES[kind])
            }
            None => bytes,
        };
        self.budget.take(all as u64)?;
        let carved = match kind {
            Some(kind) => self.carve(kind, all / SIZES[kind]).map(|start| (start, Home::Units(kind))),
            None => Pages::zeroed(all)
                .and_then(|pages| Some((NonNull::new(pages.start())?, Home::Own { _pages: pages }))),
        };
        match carved {
            Some((start, home)) => {
                Ok(Slab { start, bytes: all, home, touched: 0, free: Vec::new(), in_use: 0 })
            }
            None => Err(self.budget.refuse(all as u64)),
        }
    }

    /// A zeroed run of `count` units.
    fn carve(&mut self, kind: usize, count: usize) -> Option<NonNull<u8>> {
        let unit = SIZES[kind];
        let run = run_of(count);
        let found = self.regions[kind].iter_mut().find_map(|Region { pages, used }| {
            let at = (0..=UNITS - count).find(|&at| *used & (run << at) == 0)?;
            *used |= run << at;
            // SAFETY: the unit lies inside the region.
            NonNull::new(unsafe { pages.start().add(at * unit) })
        });
        if let Some(start) = found {
            // It may have been used before.
            // SAFETY: these units were free, so nobody uses them.
            unsafe { start.write_bytes(0, count * unit) };
            return Some(start);
        }
        let bytes = UNITS * unit;
        let pages = if self.scarce { Pages::zeroed_small(bytes) } else { Pages::zeroed(bytes) }?;
        let start = NonNull::new(pages.start());
        self.regions[kind].push(Region { pages, used: run });
        start
    }

    fn uncarve(&mut self, kind: usize, slab: &Slab) {
        let unit = SIZES[kind];
        let offset = |region: &Region| {
            let offset = slab.start.addr().get().checked_sub(region.pages.start().addr());
            offset.filter(|&offset| offset < UNITS * unit)
        };
        let found =
            self.regions[kind].iter().enumerate().find_map(|(at, region)| Some((at, offset(region)?)));
        let Some((at, offset)) = found else { return };
        let count = slab.bytes / unit;
        let region = &mut self.regions[kind][at];
        region.used &= !(run_of(count) << (offset / unit));
        if region.used == 0 {
            self.regions[kind].swap_remove(at);
        } else if self.scarce {
            // SAFETY: units of the region that are not in use any more.
            unsafe { region.pages.release(offset, slab.bytes) };
        }
    }
}

/// A bit for each of the first units.
fn run_of(count: usize) -> u128 {
    if count >= UNITS { u128::MAX } else { (1 << count) - 1 }
}

impl Slab {
    /// A free block, zeroed.
    fn give(&mut self, bytes: usize) -> Option<NonNull<u8>> {
        let block = match self.free.pop() {
            Some(block) => {
                // SAFETY: a block of this slab has `bytes` bytes, and this one is free.
                unsafe { block.write_bytes(0, bytes) };
                block
            }
            None if (self.touched + 1) * bytes <= self.bytes => {
                self.touched += 1;
                // SAFETY: just checked that the block ends inside the slab.
                unsafe { self.start.add((self.touched - 1) * bytes) }
            }
            None => return None,
        };
        self.in_use += 1;
        Some(block)
    }

    fn holds(&self, block: NonNull<u8>) -> bool {
        (block.addr().get()).checked_sub(self.start.addr().get()).is_some_and(|offset| offset < self.bytes)
    }
}

impl Drop for Slabs {
    fn drop(&mut self) {
        let bytes: u64 = self.slabs.values().flatten().map(|slab| slab.bytes as u64).sum();
        self.budget.give_back(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_zero_apart_and_come_back() {
        // Memory is plentiful, is scarce from the beginning, and becomes so.
        for (single, limit, other) in [
            (false, 1 << 40, 0),
            (true, 1 << 40, 0),
            (false, 1 << 40, (1 << 40) / 8 * 7),
            (false, 1 << 40, (1 << 40) / 8 * 7 - if cfg!(miri) { 64 << 10 } else { 16 << 20 }),
        ] {
            let budget = Arc::new(Budget::new(limit));
            budget.take(other).unwrap();
            let mut slabs = Slabs::new(single, budget.clone());
            let mut held: Vec<(NonNull<u8>, usize, u8)> = Vec::new();
            let sizes = if cfg!(miri) {
                [64, 192, 256, 320, 5120, 20_032]
            } else {
                [64, 192, 5120, 40_000, 300_032, 1_200_000]
            };
            for round in 0..if cfg!(miri) { 18 } else { 300usize } {
                let bytes = sizes[round % 6];
                let block = slabs.take(bytes).unwrap();
                // SAFETY: a block has `bytes` bytes, and only this test uses it.
                let contents = unsafe { std::slice::from_raw_parts_mut(block.as_ptr(), bytes) };
                assert!(contents.iter().all(|&byte| byte == 0));
                contents.fill(round as u8 | 1);
                held.push((block, bytes, round as u8 | 1));
                if round % 3 == 0 {
                    let (block, bytes, mark) = held.swap_remove(round * 7 % held.len());
                    // SAFETY: as above.
                    let contents = unsafe { std::slice::from_raw_parts(block.as_ptr(), bytes) };
                    assert!(contents.iter().all(|&byte| byte == mark));
                    slabs.give_back(block, bytes);
                }
            }
            for (block, bytes, _) in held {
                slabs.give_back(block, bytes);
            }
            assert_eq!(slabs.scarce, other > 0);
            assert!(slabs.slabs.values().all(Vec::is_empty));
            assert!(slabs.regions.iter().all(Vec::is_empty));
            assert_eq!(budget.used(), other);
        }
    }
}
