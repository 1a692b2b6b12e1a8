//! The roots of one segment: a set of pairs of numbers in as few bytes as they allow.
//!
//! The bits of a root that can be set are mixed by a permutation. The line of a root is the rest of
//! a division by the number of lines, and only the quotient is stored (Cleary 1984, Knuth's
//! exercise 6.4-13): with the line it gives the root back. What finds its line full goes to one of
//! the next lines, and an entry says by how many lines it was moved. So nothing is lost, and two
//! different roots never look the same.
//!
//! An entry is `(quotient << 5 | lines moved) + 1` in 2 to 8 bytes, the lowest first; 0 is empty. A
//! line has 64 bytes, and is filled from its beginning. The table grows by a fifth: it is
//! read line by line, and each root put into a new one. It also does when a number needs more bits
//! than before. There are many segments, so that growing needs little memory beside the old table.

use super::folding::Root;
use crate::memory::{Budget, MemoryError, Pages, prefetch};
use std::sync::Arc;

const LINE_BYTES: usize = 64;
/// An entry says by how many lines it was moved in this number of bits.
const MOVED_BITS: u32 = 5;
const MOST_MOVED: u64 = (1 << MOVED_BITS) - 1;
/// A table grows when this part of its entries is taken, in 256ths …
const FULL: u64 = 224;
/// … or earlier, if a root finds no line; then by one part in this number.
const GROWTH: u64 = 5;
/// Enough for the quotient of a root of 64 bits to leave room for the lines moved.
const FIRST_LINES: u64 = 64;
/// Odd numbers without a pattern: digits of e.
const FIRST: u64 = 0xb7e1_5162_8aed_2a6b;
const SECOND: u64 = 0xf15e_8a2c_9d8b_1e27;

/// What became of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    New,
    Known,
}

/// How roots become entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    /// Bits of the two numbers of a root.
    left: u32,
    right: u32,
    lines: u64,
    /// Bytes of an entry.
    bytes: usize,
}

/// The place of a root: its line, and what is stored there.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    quotient: u64,
}

impl Form {
    fn new(left: u32, right: u32, lines: u64) -> Self {
        let mut form = Form { left, right, lines, bytes: 8 };
        let largest = (form.mask() / lines) << MOVED_BITS | MOST_MOVED;
        let bits = u64::BITS - largest.saturating_add(1).leading_zeros();
        form.bytes = (bits.div_ceil(8) as usize).clamp(2, 8);
        form
    }

    fn bits(&self) -> u32 {
        self.left + self.right
    }

    fn mask(&self) -> u64 {
        match self.bits() {
            64.. => u64::MAX,
            bits => (1 << bits) - 1,
        }
    }

    fn shift(&self) -> u32 {
        self.bits().div_ceil(2).max(1)
    }

    fn per_line(&self) -> usize {
        LINE_BYTES / self.bytes
    }

    /// Whether the numbers of a root have no more bits than this form allows.
    #[inline(always)]
    fn fits(&self, Root(root): Root) -> bool {
        (root >> 32) >> self.left == 0 && (root & u64::from(u32::MAX)) >> self.right == 0
    }

    /// Multiplying by odd numbers and folding the upper half onto the lower can be undone.
    #[inline(always)]
    fn mix(&self, Root(root): Root) -> u64 {
        let (mask, shift) = (self.mask(), self.shift());
        let mut bits = (root >> 32) << self.right | root & u64::from(u32::MAX);
        bits = bits.wrapping_mul(FIRST) & mask;
        bits ^= bits >> shift;
        bits = bits.wrapping_mul(SECOND) & mask;
        bits ^ bits >> shift
    }

    fn unmix(&self, mut bits: u64) -> Root {
        let (mask, shift) = (self.mask(), self.shift());
        bits ^= bits >> shift;
        bits = bits.wrapping_mul(const { inverse(SECOND) }) & mask;
        bits ^= bits >> shift;
        bits = bits.wrapping_mul(const { inverse(FIRST) }) & mask;
        let right = bits & ((1 << self.right) - 1);
        Root((bits >> self.right) << 32 | right)
    }

    #[inline(always)]
    fn place(&self, root: Root) -> Place {
        let mixed = self.mix(root);
        Place { line: mixed % self.lines, quotient: mixed / self.lines }
    }

    /// The root behind an entry of a line.
    fn root(&self, line: u64, entry: u64) -> Root {
        let stored = entry - 1;
        let moved = stored & MOST_MOVED;
        let home = (line + self.lines - moved % self.lines) % self.lines;
        self.unmix((stored >> MOVED_BITS).wrapping_mul(self.lines).wrapping_add(home))
    }

    fn table_bytes(&self) -> u64 {
        // Entries are read eight bytes at a time.
        self.lines * LINE_BYTES as u64 + size_of::<u64>() as u64
    }
}

/// The number whose product with this odd one is 1, modulo 2^64, by Newton's iteration.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut steps = 0;
    while steps < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
        steps += 1;
    }
    inverse
}

/// A set of roots.
#[derive(Debug)]
pub struct Roots {
    form: Form,
    pages: Pages,
    length: u64,
    budget: Arc<Budget>,
}

enum Search {
    Known,
    /// An empty entry in a line, by this number of lines from home.
    Missing {
        offset: usize,
        entry: u64,
    },
    /// All lines that it may be in are full.
    NoLine,
}

/// Bytes a root takes, about, in tables for this number of roots in all, whose two numbers have
/// these bits. A table grows by a fifth, so it is on average a tenth larger than it has to be.
pub fn bytes_each(roots: u64, (left, right): (u32, u32), segments: u64) -> f64 {
    let in_one = (roots / segments.max(1)).max(1);
    // The length of an entry depends on the number of lines, and that on the length.
    let mut lines = FIRST_LINES.max(in_one / 16);
    for _ in 0..4 {
        let per_line = Form::new(left, right, lines).per_line() as u64;
        lines = FIRST_LINES.max(in_one * 256 / (per_line * FULL) * 11 / 10);
    }
    (lines * LINE_BYTES as u64) as f64 / in_one as f64
}

impl Roots {
    pub fn new(budget: Arc<Budget>) -> Result<Self, MemoryError> {
        Self::with(Form::new(8, 8, FIRST_LINES), budget)
    }

    fn with(form: Form, budget: Arc<Budget>) -> Result<Self, MemoryError> {
        let bytes = form.table_bytes();
        budget.take(bytes)?;
        match Pages::zeroed(bytes as usize) {
            Some(pages) => Ok(Roots { form, pages, length: 0, budget }),
            None => Err(budget.refuse(bytes)),
        }
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    pub fn bytes(&self) -> u64 {
        self.form.table_bytes()
    }

    /// Has the line of a root brought into the caches.
    #[inline(always)]
    pub fn ask(&self, root: Root) {
        if self.form.fits(root) {
            prefetch(self.pages.start().wrapping_add(self.form.place(root).line as usize * LINE_BYTES));
        }
    }

    #[inline(always)]
    fn read(&self, offset: usize) -> u64 {
        debug_assert!(offset + 8 <= self.form.table_bytes() as usize);
        // SAFETY: `offset` is that of an entry of a line of the table, and the table has eight
        // bytes more than its lines.
        unsafe { self.pages.start().add(offset).cast::<u64>().read_unaligned() }
    }

    #[inline(always)]
    fn search(&self, place: Place) -> Search {
        let Form { bytes, lines, .. } = self.form;
        let mask = u64::MAX >> (64 - 8 * bytes as u32);
        let mut line = place.line;
        for moved in 0..(MOST_MOVED + 1).min(lines) {
            let wanted = (place.quotient << MOVED_BITS | moved) + 1;
            let start = line as usize * LINE_BYTES;
            for at in 0..self.form.per_line() {
                let offset = start + at * bytes;
                match self.read(offset) & mask {
                    0 => return Search::Missing { offset, entry: wanted },
                    entry if entry == wanted => return Search::Known,
                    _ => {}
                }
            }
            line = if line + 1 == lines { 0 } else { line + 1 };
        }
        Search::NoLine
    }

    pub fn contains(&self, root: Root) -> bool {
        self.form.fits(root) && matches!(self.search(self.form.place(root)), Search::Known)
    }

    /// Adds a root. On an error nothing has changed.
    #[inline]
    pub fn add(&mut self, root: Root) -> Result<Added, MemoryError> {
        loop {
            if self.form.fits(root) {
                match self.search(self.form.place(root)) {
                    Search::Known => return Ok(Added::Known),
                    Search::Missing { offset, entry } if self.has_room() => {
                        self.write(offset, entry);
                        return Ok(Added::New);
                    }
                    Search::Missing { .. } | Search::NoLine => {}
                }
            }
            self.grow(root)?;
        }
    }

    #[inline(always)]
    fn has_room(&self) -> bool {
        self.length * 256 < self.form.lines * self.form.per_line() as u64 * FULL
    }

    #[inline(always)]
    fn write(&mut self, offset: usize, entry: u64) {
        let bytes = self.form.bytes;
        // SAFETY: `offset` is that of an empty entry of the table, which has this number of bytes,
        // and nobody else reaches the table.
        unsafe {
            let start = self.pages.start().add(offset);
            std::ptr::copy_nonoverlapping(entry.to_le_bytes().as_ptr(), start, bytes);
        }
        self.length += 1;
    }

    /// A larger table, in which there is room for this root.
    #[cold]
    fn grow(&mut self, root: Root) -> Result<(), MemoryError> {
        let Form { left, right, lines, .. } = self.form;
        let bits = |number: u64| u64::BITS - number.leading_zeros();
        let wider = (left.max(bits(root.0 >> 32)), right.max(bits(root.0 & u64::from(u32::MAX))));
        let mut lines = if wider == (left, right) { lines + lines.div_ceil(GROWTH) } else { lines };
        loop {
            let form = Form::new(wider.0, wider.1, lines);
            let mut larger = Self::with(form, self.budget.clone())?;
            let fits = self.iter().all(|root| match larger.search(form.place(root)) {
                Search::Missing { offset, entry } if larger.has_room() => {
                    larger.write(offset, entry);
                    true
                }
                Search::Known | Search::Missing { .. } | Search::NoLine => false,
            });
            if fits {
                *self = larger;
                return Ok(());
            }
            // Unlucky: some roots find no line. More lines will do.
            lines += lines.div_ceil(GROWTH);
        }
    }

    /// All roots, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Root> + '_ {
        let Form { bytes, lines, .. } = self.form;
        let mask = u64::MAX >> (64 - 8 * bytes as u32);
        (0..lines).flat_map(move |line| {
            let start = line as usize * LINE_BYTES;
            (0..self.form.per_line())
                .map(move |at| self.read(start + at * bytes) & mask)
                .take_while(|&entry| entry != 0)
                .map(move |entry| self.form.root(line, entry))
        })
    }
}

impl Drop for Roots {
    fn drop(&mut self) {
        self.budget.give_back(self.form.table_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::HashSet;

    #[test]
    fn mixing_can_be_undone() {
        let mut random = Random(1);
        for (left, right) in [(1, 1), (8, 8), (3, 17), (20, 22), (32, 32), (31, 32)] {
            for lines in [FIRST_LINES, 77, 100_003] {
                let form = Form::new(left, right, lines);
                for _ in 0..200 {
                    let root = Root((random.number() >> (64 - left)) << 32 | random.number() >> (64 - right));
                    assert!(form.fits(root));
                    assert_eq!(form.unmix(form.mix(root)), root);
                    let place = form.place(root);
                    for moved in 0..=MOST_MOVED.min(lines - 1) {
                        let entry = (place.quotient << MOVED_BITS | moved) + 1;
                        assert!(form.bytes == 8 || entry >> (8 * form.bytes) == 0);
                        assert_eq!(form.root((place.line + moved) % lines, entry), root);
                    }
                }
            }
        }
    }

    #[test]
    fn it_is_a_set() {
        let budget = Arc::new(Budget::new(1 << 24));
        let mut roots = Roots::new(budget.clone()).unwrap();
        let mut model = HashSet::new();
        let mut random = Random(7);
        let many = if cfg!(miri) { 400 } else { 60_000 };
        for at in 0..many {
            // Numbers become wider, and some are met again.
            let width = 1 + at * 24 / many;
            let root = Root(random.below(1 << width) << 32 | random.below(1 << width));
            let added = roots.add(root).unwrap();
            assert_eq!(added == Added::New, model.insert(root.0), "{at}");
        }
        assert_eq!(roots.len(), model.len() as u64);
        let all: HashSet<u64> = roots.iter().map(|root| root.0).collect();
        assert_eq!(all, model);
        assert!(model.iter().all(|&root| roots.contains(Root(root))));
        assert!((0..1000).all(|at| {
            let root = Root((at << 32) | (0xff_ffff - at));
            roots.contains(root) == model.contains(&root.0)
        }));
        assert_eq!(budget.used(), roots.bytes());
        drop(roots);
        assert_eq!(budget.used(), 0);
    }

    /// Roots of 40 bits take four bytes and what is empty.
    #[test]
    #[cfg_attr(miri, ignore = "too many roots for Miri")]
    fn roots_are_small() {
        let mut roots = Roots::new(Arc::new(Budget::new(1 << 28))).unwrap();
        let mut random = Random(2);
        for _ in 0..1_000_000 {
            roots.add(Root(random.below(1 << 20) << 32 | random.below(1 << 20))).unwrap();
        }
        let each = roots.bytes() as f64 / roots.len() as f64;
        assert!(each < 5.6, "{each} {:?}", roots.form);
    }

    #[test]
    fn without_memory_nothing_changes() {
        let mut roots = Roots::new(Arc::new(Budget::new(30_000))).unwrap();
        let added: Vec<u64> = (0..10_000).take_while(|&at| roots.add(Root(at << 32 | at)).is_ok()).collect();
        assert!(added.len() > 300 && added.len() < 9_900, "{}", added.len());
        assert!(added.iter().all(|&at| roots.contains(Root(at << 32 | at))));
        assert_eq!(roots.len(), added.len() as u64);
    }
}
