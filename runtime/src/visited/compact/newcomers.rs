//! The states found for the next level, by all 127 bits of their digests.
//!
//! While a level is explored, the table of signatures does not change. A state that it does not
//! know is new, unless it is one of these. 127 bits are not confused in practice; the bounds count
//! them nevertheless.
//!
//! Digests are kept in the order of their places, which is also the order of their homes in the
//! table: when the level is over and they are added to it, that is a walk through the table from
//! one end to the other.
//!
//! They lie in *lines* of four, which are lines of the cache. A digest is in the line that its
//! place says, or in the first one after it that was not full when it came. The entries of a line
//! are taken from the front. So to look one up means to compare it with all four of a line, without
//! asking each whether it is the last.
//!
//! The set grows where it is, as long as there is address space: new pages have to be cleared by
//! the system, which takes longer than to move the digests. It goes through the lines from the last
//! one to the first, and what it takes out of a line belongs into a later one.

use super::line::{Anywhere, LINE, Line, Scan, Scanned};
use crate::hashing::h3::Digest;
use crate::memory::{Budget, MemoryError, Pages, prefetch};
use std::sync::Arc;

/// Lines of the smallest set.
const LEAST: usize = 16;
/// Eighths of the entries that are used before the set grows. Beyond, too many lines are full.
const FULL: usize = 5;
/// Sets of fewer bytes become twice as large, larger ones half as large again: it takes time to
/// move digests, but also to clear pages.
const DOUBLED: usize = 8 << 20;
/// Address space is reserved in advance: this multiple of what is needed, …
const AHEAD: usize = 8;
/// … up to this number of bytes in one set, or in all where there are several, …
const MOST_AHEAD: usize = 64 << 20;
/// … but not in big pages as long as that would take much more memory than is needed.
const SMALL_PAGES: usize = 1 << 20;
/// Bytes from which on a set asks for big pages. The last of these is used in part, but taken
/// wholly, by each of many sets: that must be little beside what is counted.
const BIG_PAGES: usize = 16 << 20;
/// Entries for each digest of a level up to which a set keeps its memory for the next level.
const ROOMY: usize = 8;

/// A set of digests.
#[derive(Debug)]
pub struct Newcomers {
    pages: Option<Pages>,
    /// Lines in use, which are paid for.
    lines: usize,
    /// Lines for which there is address space. Those that are not in use were never touched, or are
    /// zero again.
    reserved: usize,
    length: usize,
    /// Number of digests at which it grows.
    limit: usize,
    /// The bits of a place that are the same for all.
    skipped: u32,
    budget: Arc<Budget>,
}

impl Newcomers {
    /// For states whose places agree in the `skipped` highest bits.
    pub fn new(skipped: u32, budget: Arc<Budget>) -> Self {
        Newcomers { pages: None, lines: 0, reserved: 0, length: 0, limit: 0, skipped, budget }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    /// All of them, about in the order of their places.
    #[inline(always)]
    pub fn lines(&self) -> &[Line] {
        match &self.pages {
            // SAFETY: the block has room for `self.lines`, initialised, and changes only through
            // `lines_mut`.
            Some(pages) => unsafe { std::slice::from_raw_parts(pages.start().cast(), self.lines) },
            None => &[],
        }
    }

    #[inline(always)]
    fn lines_mut(&mut self) -> &mut [Line] {
        match &mut self.pages {
            // SAFETY: as above, and `self` is borrowed exclusively.
            Some(pages) => unsafe { std::slice::from_raw_parts_mut(pages.start().cast(), self.lines) },
            None => &mut [],
        }
    }

    /// The line where a search begins.
    #[inline(always)]
    fn home(&self, place: u64) -> usize {
        ((u128::from(place << self.skipped) * self.lines as u128) >> 64) as usize
    }

    #[inline(always)]
    pub fn prefetch(&self, place: u64) {
        if let Some(pages) = &self.pages {
            prefetch(pages.start().cast::<Line>().wrapping_add(self.home(place)));
        }
    }

    #[inline(always)]
    fn after(&self, line: usize) -> usize {
        if line + 1 == self.lines { 0 } else { line + 1 }
    }

    pub fn contains(&self, digest: Digest) -> bool {
        let lines = self.lines();
        let mut at = self.home(digest.place);
        while let Some(line) = lines.get(at) {
            // SAFETY: it needs no instructions that are not everywhere.
            let Scanned { found, taken } = unsafe { Anywhere::scan(line, digest) };
            if found || taken < LINE {
                return found;
            }
            at = self.after(at);
        }
        false
    }

    /// Makes sure that one more fits.
    #[inline(always)]
    pub fn make_room(&mut self) -> Result<(), MemoryError> {
        if self.length >= self.limit { self.grow() } else { Ok(()) }
    }

    /// Adds a digest, and says whether it was not there before. There must be room.
    pub fn add(&mut self, digest: Digest) -> bool {
        // SAFETY: it needs no instructions that are not everywhere.
        unsafe { self.add_by::<Anywhere>(digest) }
    }

    /// Inserts digests by the instructions of `X`.
    ///
    /// # Safety
    /// The processor has the instructions that `X` needs.
    #[inline(always)]
    pub unsafe fn add_by<X: Scan>(&mut self, digest: Digest) -> bool {
        let mut at = self.home(digest.place);
        loop {
            let Some(line) = self.lines_mut().get_mut(at) else { return false };
            // SAFETY: the caller's promise.
            let Scanned { found, taken } = unsafe { X::scan(line, digest) };
            if found {
                return false;
            }
            if let Some(entry) = line.0.get_mut(taken) {
                *entry = digest;
                self.length += 1;
                return true;
            }
            at = self.after(at);
        }
    }

    /// Puts a digest that is not there into the first line with room, from this one to the last.
    /// False: there is none.
    #[inline(always)]
    fn put(&mut self, from: usize, digest: Digest) -> bool {
        self.lines_mut().iter_mut().skip(from).any(|line| line.push(digest))
    }

    #[cold]
    fn grow(&mut self) -> Result<(), MemoryError> {
        let lines = if self.lines * size_of::<Line>() < DOUBLED {
            2 * self.lines
        } else {
            self.lines + self.lines / 2
        };
        let lines = lines.max(LEAST);
        if lines <= self.reserved {
            self.budget.take(((lines - self.lines) * size_of::<Line>()) as u64)?;
            self.ask_for_big_pages(lines);
            self.spread(lines);
            return Ok(());
        }
        let mut larger = Self::new(self.skipped, self.budget.clone());
        larger.allocate(lines)?;
        for digest in self.iter() {
            larger.settle(digest);
        }
        larger.length = self.length;
        *self = larger;
        Ok(())
    }

    /// Asks for big pages once the set is about to have enough lines.
    fn ask_for_big_pages(&self, lines: usize) {
        let are_many = |lines: usize| lines * size_of::<Line>() >= BIG_PAGES;
        if let Some(pages) = self.pages.as_ref().filter(|_| are_many(lines) && !are_many(self.lines)) {
            pages.ask_for_big();
        }
    }

    /// Makes use of more lines, which were paid for.
    fn spread(&mut self, lines: usize) {
        let before = self.lines;
        self.set_lines(lines);
        let mut others = Vec::new();
        for at in (0..before).rev() {
            let line = self.lines_mut().get_mut(at).map(std::mem::take).unwrap_or_default();
            for digest in line.0.into_iter().take(line.taken()) {
                let home = self.home(digest.place);
                // What is in a line behind this one stays there. So there is never an empty entry
                // between the home of a digest and the line where it is. For the first few it is
                // different, and for those that would have to go round.
                if home <= at || !self.put(home, digest) {
                    others.push(digest);
                }
            }
        }
        for digest in others {
            self.settle(digest);
        }
    }

    /// Puts a digest that is not there where it belongs.
    #[inline(always)]
    fn settle(&mut self, digest: Digest) {
        if !self.put(self.home(digest.place), digest) {
            self.put(0, digest);
        }
    }

    fn set_lines(&mut self, lines: usize) {
        (self.lines, self.limit) = (lines, lines * LINE * FULL / 8);
    }

    /// Allocates memory for `lines` lines.
    fn allocate(&mut self, lines: usize) -> Result<(), MemoryError> {
        let bytes = lines * size_of::<Line>();
        self.budget.take(bytes as u64)?;
        let most = if bytes < SMALL_PAGES / 2 { SMALL_PAGES } else { MOST_AHEAD >> self.skipped.min(16) };
        let reserved = bytes.saturating_mul(AHEAD).min(most).max(bytes);
        let pages = Pages::zeroed_small(reserved).map(|pages| (pages, reserved / size_of::<Line>()));
        match pages.or_else(|| Some((Pages::zeroed_small(bytes)?, lines))) {
            Some((pages, reserved)) => (self.pages, self.reserved) = (Some(pages), reserved),
            None => return Err(self.budget.refuse(bytes as u64)),
        }
        self.ask_for_big_pages(lines);
        self.set_lines(lines);
        Ok(())
    }

    /// All of them, about in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = Digest> + '_ {
        self.lines().iter().flat_map(|line| line.0).filter(|entry| entry.place != 0)
    }

    /// Removes all digests. The memory stays for the next level, unless this one needed little of
    /// it.
    pub fn clear(&mut self) {
        let length = std::mem::take(&mut self.length);
        let wanted = (length * 2 * 8).div_ceil(FULL * LINE).max(LEAST);
        if self.lines > wanted && self.lines * LINE > length * ROOMY {
            *self = Self::new(self.skipped, self.budget.clone());
            if length > 0 {
                // Without memory, it gets some when there is something to add.
                let _ = self.allocate(wanted);
            }
        } else if length > 0 {
            self.lines_mut().fill(Line::default());
        }
    }
}

impl Drop for Newcomers {
    fn drop(&mut self) {
        self.budget.give_back((self.lines * size_of::<Line>()) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashSet;

    #[test]
    fn agrees_with_a_set_level_after_level() {
        let budget = Arc::new(Budget::new(1 << 24));
        let mut newcomers = Newcomers::new(4, budget.clone());
        let mut random = Random(1);
        let sizes: &[u64] =
            if cfg!(miri) { &[10, 150, 3, 0, 60] } else { &[10, 1000, 50_000, 3, 0, 700, 20_000] };
        for &size in sizes {
            let mut expected = HashSet::new();
            for _ in 0..size {
                // Often the same, and places that agree where they must.
                let place = random.below(size) << 44 | 5 << 60 | 1;
                let digest = Digest { place, signature: random.below(3) };
                assert_eq!(newcomers.contains(digest), expected.contains(&digest));
                if expected.insert(digest) {
                    newcomers.make_room().unwrap();
                    assert!(newcomers.add(digest));
                }
                assert!(!newcomers.add(digest));
            }
            assert_eq!(newcomers.len(), expected.len());
            assert_eq!(newcomers.iter().collect::<HashSet<_>>(), expected);
            newcomers.clear();
            assert!(newcomers.len() == 0 && newcomers.iter().next().is_none());
        }
        drop(newcomers);
        assert_eq!(budget.used(), 0);
    }

    /// From a few lines to many, with places everywhere, close together in front, and close
    /// together at the end, where searches go round.
    #[test]
    #[cfg_attr(miri, ignore = "too many states for Miri")]
    fn what_grows_where_it_is_loses_nothing() {
        for (skipped, shape) in [(0, 0), (0, 1), (0, 2), (3, 0), (3, 2)] {
            let budget = Arc::new(Budget::new(1 << 26));
            let mut newcomers = Newcomers::new(skipped, budget.clone());
            let mut random = Random(shape);
            let mut added = HashSet::new();
            let (mut stayed, mut moved) = (0, 0);
            for count in 0..200_000u64 {
                let place = match shape {
                    0 => random.number() >> skipped,
                    1 => random.number() >> 52,
                    // One in sixteen is near the end.
                    _ if count % 16 == 0 => u64::MAX >> (skipped + 1) | random.number() << 20,
                    _ => random.number(),
                } << skipped
                    >> skipped
                    | 1;
                let digest = Digest { place, signature: random.number() };
                let before = (newcomers.lines, newcomers.pages.as_ref().map(Pages::start));
                newcomers.make_room().unwrap();
                let after = (newcomers.lines, newcomers.pages.as_ref().map(Pages::start));
                if before.0 != after.0 {
                    *(if before.1 == after.1 { &mut stayed } else { &mut moved }) += 1;
                    assert_eq!(budget.used(), (newcomers.lines * 64) as u64);
                    // All at first, some later.
                    let step = 1 + added.len() / 1000;
                    assert!(added.iter().step_by(step).all(|&digest| newcomers.contains(digest)));
                }
                assert!(newcomers.add(digest) && !newcomers.add(digest));
                added.insert(digest);
                if shape == 1 && count == 3000 {
                    break;
                }
            }
            assert!(added.iter().all(|&digest| newcomers.contains(digest)));
            assert_eq!(newcomers.iter().collect::<HashSet<_>>(), added);
            assert_eq!((newcomers.len(), newcomers.iter().count()), (added.len(), added.len()));
            assert!(stayed > 2 * moved, "{stayed} {moved}");
            newcomers.clear();
            assert_eq!(newcomers.iter().count(), 0);
            drop(newcomers);
            assert_eq!(budget.used(), 0);
        }
    }

    /// After a large level, a small one does not have to clear the memory of the large one again
    /// and again.
    #[test]
    #[cfg_attr(miri, ignore = "too many states for Miri")]
    fn memory_follows_the_levels() {
        let budget = Arc::new(Budget::new(1 << 26));
        let mut newcomers = Newcomers::new(0, budget.clone());
        let mut random = Random(9);
        let mut level = |size: u64| {
            for _ in 0..size {
                newcomers.make_room().unwrap();
                newcomers.add(Digest { place: random.number() | 1, signature: random.number() });
            }
            newcomers.clear();
            assert!(newcomers.len() == 0 && newcomers.iter().next().is_none());
            budget.used()
        };
        let most = level(100_000);
        assert!(most >= 100_000 * 64 / 3 && level(90_000) == most);
        let little = level(1000);
        assert!((1000 * 64 / 3..most / 16).contains(&little), "{little}");
        assert_eq!(level(1500), little);
        assert_eq!(level(0), 0);
    }

    #[test]
    fn without_memory_nothing_changes() {
        let mut newcomers = Newcomers::new(0, Arc::new(Budget::new(64 * 16)));
        let mut random = Random(1);
        let mut added = Vec::new();
        while newcomers.make_room().is_ok() {
            added.push(Digest { place: random.number() | 1, signature: random.number() });
            newcomers.add(*added.last().unwrap());
        }
        assert_eq!(added.len(), 40);
        assert!(added.iter().all(|&digest| newcomers.contains(digest)));
    }
}
