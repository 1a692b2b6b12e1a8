//! From a state to its root and back, by what differs from a state whose parts are known.
//!
//! A successor differs from its predecessor in the words that its rule wrote, and states that are
//! expanded one after the other have most parts in common. So a [`Folder`] keeps the states that
//! were unfolded lately with the numbers of all their parts: a successor is compared with its
//! predecessor word by word, and only what lies above words that differ is looked up; a state that
//! is unfolded is compared with the one before from the root down, and only parts with other
//! numbers are entered. Whatever a state is compared with, its root comes out the same.
//!
//! The number of a pair never changes, so a folder also remembers those it met lately: most
//! look-ups end there, in memory that the processor has at hand.

use super::pairs::{PairError, Pairs};
use super::shape::Shape;
use crate::memory::{Account, Budget};
use crate::state::compress::has_fast_instructions;
use crate::visited::Origin;
use std::sync::Arc;

/// A root: the numbers of the last two parts. Equal roots are equal states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root(pub u64);

impl Root {
    /// No state has this root: numbers of parts are below `u32::MAX`.
    pub const NONE: Root = Root(u64::MAX);
}

#[inline(always)]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// Pairs that a folder remembers: a power of two.
const REMEMBERED: usize = 4096;
/// Predecessors that a folder keeps, at most: those of a batch, and they are expanded before others
/// are loaded.
const KEPT: usize = 256;
/// Words that are compared at once.
const BLOCK: usize = 8;

/// A pair that was looked up lately.
#[derive(Clone, Copy, Debug)]
struct Lately {
    pair: u64,
    node: u32,
    number: u32,
}

impl Lately {
    /// Of no node.
    const NOTHING: Lately = Lately { pair: 0, node: u32::MAX, number: 0 };

    #[inline(always)]
    fn place(node: usize, pair: u64) -> usize {
        let mixed = (pair ^ pair >> 29 ^ (node as u64) << 48).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 48) as usize % REMEMBERED
    }
}

/// A state, and the number of each of its parts: leaves, then nodes. The root has none.
#[derive(Clone, Debug)]
struct Known {
    words: Vec<u64>,
    numbers: Vec<u32>,
}

/// Brings states to their roots and back, one after the other.
#[derive(Debug)]
pub struct Folder {
    lately: Vec<Lately>,
    /// The state that was folded last, if there was one that was folded to its end.
    last: Known,
    has_last: bool,
    /// The state that was unfolded last, if there was one.
    unfolded: Known,
    has_unfolded: bool,
    /// Those unfolded since successors were folded last, each with what its successors say of it.
    kept: Vec<(Origin, Known)>,
    /// How many of these are in use; the others are memory for more.
    in_use: usize,
    /// No more of them are kept after the successors of one were folded, until others are loaded.
    served: bool,
    /// Where the predecessor of the last successor is among them.
    at: usize,
    changes: Changes,
    /// The processor gathers bits by an instruction.
    fast: bool,
    /// Parts that are still to be unfolded.
    open: Vec<(u32, u32)>,
    account: Account,
}

/// What a fold changes in a known state.
#[derive(Debug)]
struct Changes {
    /// Nodes that are still to be looked up, a bit each.
    dirty: Vec<u64>,
    /// The numbers of parts that were there before.
    numbers: Vec<(u32, u32)>,
}

impl Known {
    fn new(shape: &Shape, words: usize) -> Self {
        Known { words: vec![0; words], numbers: vec![0; shape.parts()] }
    }

    fn bytes(&self) -> u64 {
        (size_of_val(&*self.words) + size_of_val(&*self.numbers)) as u64
    }

    /// Makes it the state with this root, by entering what differs; all of it, if it is not a state
    /// yet.
    fn become_root(
        &mut self,
        root: Root,
        is_state: bool,
        shape: &Shape,
        pairs: &[Pairs],
        open: &mut Vec<(u32, u32)>,
    ) {
        let leaves = shape.leaves.len();
        open.clear();
        match shape.nodes.last() {
            None => open.push((0, root.0 as u32)),
            Some(last) => open.extend([(last.left, (root.0 >> 32) as u32), (last.right, root.0 as u32)]),
        }
        while let Some((part, number)) = open.pop() {
            let part = part as usize;
            let known = &mut self.numbers[part];
            if is_state && *known == number {
                continue;
            }
            *known = number;
            if let Some(leaf) = shape.leaves.get(part) {
                for placed in &leaf.pieces {
                    if let Some(word) = self.words.get_mut(placed.piece.word) {
                        *word = *word & !placed.piece.gather.mask | placed.scattered(number);
                    }
                }
            } else {
                let node = shape.nodes[part - leaves];
                let pair = pairs[part - leaves].pair(number);
                open.extend([(node.left, (pair >> 32) as u32), (node.right, pair as u32)]);
            }
        }
    }

    /// The root of another state; its parts get their numbers here, and what they were is noted.
    /// The words become those of that state only if they are to be `KEPT`. On an error some parts
    /// have the numbers of that state.
    #[inline(always)]
    fn become_state<const KEPT: bool, const FAST: bool>(
        &mut self,
        state: &[u64],
        is_state: bool,
        shape: &Shape,
        changes: &mut Changes,
        mut number: impl FnMut(usize, u64) -> Result<u32, PairError>,
    ) -> Result<Root, PairError> {
        let Changes { dirty, numbers: before } = changes;
        let Known { words, numbers } = self;
        let leaves = shape.leaves.len();
        for (block, (new, old)) in state.chunks(BLOCK).zip(words.chunks_mut(BLOCK)).enumerate() {
            if is_state && same(new, old) {
                continue;
            }
            for (at, (&new, old)) in new.iter().zip(old).enumerate() {
                if is_state && new == *old {
                    continue;
                }
                if KEPT {
                    *old = new;
                }
                for placed in shape.of_word(block * BLOCK + at) {
                    // SAFETY: `FAST` says that the processor has the instruction.
                    let gathered = unsafe { placed.piece.gather.compress_by::<FAST>(new) };
                    let leaf = placed.leaf as usize;
                    let known = numbers[leaf];
                    let value = placed.replaced(known, gathered);
                    if !is_state || value != known {
                        before.push((leaf as u32, known));
                        numbers[leaf] = value;
                        let parent = shape.parents[leaf] as usize;
                        if let Some(bits) = dirty.get_mut(parent / 64) {
                            *bits |= 1 << (parent % 64);
                        }
                    }
                }
            }
        }
        let root = shape.nodes.len().saturating_sub(1);
        for at in 0..dirty.len() {
            // Parents come after their children, perhaps in the same word.
            while dirty[at] != 0 {
                let node = at * 64 + dirty[at].trailing_zeros() as usize;
                dirty[at] &= dirty[at] - 1;
                if node == root {
                    continue;
                }
                let children = shape.nodes[node];
                let both = pair(numbers[children.left as usize], numbers[children.right as usize]);
                let new = match number(node, both) {
                    Ok(new) => new,
                    Err(error) => {
                        dirty.fill(0);
                        return Err(error);
                    }
                };
                let known = &mut numbers[leaves + node];
                if !is_state || new != *known {
                    before.push(((leaves + node) as u32, *known));
                    *known = new;
                    let parent = shape.parents[leaves + node] as usize;
                    dirty[parent / 64] |= 1 << (parent % 64);
                }
            }
        }
        Ok(match shape.nodes.last() {
            None => Root(u64::from(numbers[0])),
            Some(last) => Root(pair(numbers[last.left as usize], numbers[last.right as usize])),
        })
    }
}

/// Whether words are equal, without a branch for each.
#[inline(always)]
fn same(new: &[u64], old: &[u64]) -> bool {
    match (<&[u64; BLOCK]>::try_from(new), <&[u64; BLOCK]>::try_from(old)) {
        (Ok(new), Ok(old)) => new.iter().zip(old).fold(0, |differ, (new, old)| differ | (new ^ old)) == 0,
        _ => new == old,
    }
}

impl Changes {
    /// Gives parts the numbers again that they had before a state was folded, the last change
    /// first.
    #[inline(always)]
    fn undo(&mut self, known: &mut Known) {
        for &(part, old) in self.numbers.iter().rev() {
            known.numbers[part as usize] = old;
        }
        self.numbers.clear();
    }
}

impl Folder {
    pub fn new(shape: &Shape, words: usize, budget: &Arc<Budget>) -> Self {
        let known = Known::new(shape, words);
        Folder {
            lately: vec![Lately::NOTHING; REMEMBERED],
            unfolded: known.clone(),
            has_unfolded: false,
            last: known,
            has_last: false,
            kept: Vec::new(),
            in_use: 0,
            served: false,
            at: 0,
            changes: Changes { dirty: vec![0; shape.nodes.len().div_ceil(64)], numbers: Vec::new() },
            fast: has_fast_instructions(),
            open: Vec::new(),
            account: Account::new(budget.clone()),
        }
    }

    /// The root of a state, by what differs from its predecessor, if that is known; pairs that are
    /// new get numbers.
    #[inline]
    pub fn fold(
        &mut self,
        state: &[u64],
        from: Option<Origin>,
        shape: &Shape,
        pairs: &[Pairs],
    ) -> Result<Root, PairError> {
        #[cfg(target_arch = "x86_64")]
        if self.fast {
            // SAFETY: `fast` says that the processor has the instructions.
            return unsafe { self.fold_fast(state, from, shape, pairs) };
        }
        self.fold_by::<false>(state, from, shape, pairs)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi2")]
    fn fold_fast(
        &mut self,
        state: &[u64],
        from: Option<Origin>,
        shape: &Shape,
        pairs: &[Pairs],
    ) -> Result<Root, PairError> {
        self.fold_by::<true>(state, from, shape, pairs)
    }

    #[inline(always)]
    fn fold_by<const FAST: bool>(
        &mut self,
        state: &[u64],
        from: Option<Origin>,
        shape: &Shape,
        pairs: &[Pairs],
    ) -> Result<Root, PairError> {
        let predecessor = from.and_then(|from| self.find_kept(from));
        let Folder { lately, kept, changes, last, has_last, .. } = self;
        let number = |node: usize, pair: u64| {
            let place = &mut lately[Lately::place(node, pair)];
            if place.pair != pair || place.node != node as u32 {
                *place = Lately { pair, node: node as u32, number: pairs[node].number(pair)? };
            }
            Ok(place.number)
        };
        match predecessor.and_then(|at| kept.get_mut(at)) {
            Some((_, known)) => {
                let root = known.become_state::<false, FAST>(state, true, shape, changes, number);
                changes.undo(known);
                root
            }
            None => {
                let is_state = std::mem::take(has_last);
                let root = last.become_state::<true, FAST>(state, is_state, shape, changes, number);
                changes.numbers.clear();
                *has_last = root.is_ok();
                root
            }
        }
    }

    /// Where a predecessor is kept. Successors come in the order of their predecessors.
    #[inline(always)]
    fn find_kept(&mut self, from: Origin) -> Option<usize> {
        self.served = true;
        let kept = self.kept.get(..self.in_use)?;
        if kept.get(self.at).is_none_or(|(origin, _)| *origin != from) {
            let (before, after) = kept.split_at_checked(self.at)?;
            let behind = after.iter().position(|(origin, _)| *origin == from).map(|found| self.at + found);
            self.at = behind.or_else(|| before.iter().position(|(origin, _)| *origin == from))?;
        }
        Some(self.at)
    }

    /// Appends the words of the state with this root. Its successors will come from this origin.
    pub fn unfold(
        &mut self,
        root: Root,
        origin: Origin,
        shape: &Shape,
        pairs: &[Pairs],
        into: &mut Vec<u64>,
    ) {
        self.unfolded.become_root(root, self.has_unfolded, shape, pairs, &mut self.open);
        self.has_unfolded = true;
        into.extend_from_slice(&self.unfolded.words);
        if std::mem::take(&mut self.served) {
            (self.in_use, self.at) = (0, 0);
        }
        if let Some((kept, known)) = self.kept.get_mut(self.in_use) {
            *kept = origin;
            known.words.copy_from_slice(&self.unfolded.words);
            known.numbers.copy_from_slice(&self.unfolded.numbers);
        } else {
            // Without memory for it, it is not kept, and its successors are compared with others.
            if self.kept.len() >= KEPT || self.account.add(self.unfolded.bytes()).is_err() {
                return;
            }
            self.kept.push((origin, self.unfolded.clone()));
        }
        self.in_use += 1;
    }
}

/// The root of a state that was folded before; otherwise [`Root::NONE`].
pub fn find(state: &[u64], shape: &Shape, pairs: &[Pairs]) -> Root {
    let mut numbers: Vec<u32> = shape.leaves.iter().map(|leaf| leaf.of(state)).collect();
    for (node, pairs) in shape.nodes.iter().zip(pairs) {
        match pairs.find(pair(numbers[node.left as usize], numbers[node.right as usize])) {
            Some(number) => numbers.push(number),
            None => return Root::NONE,
        }
    }
    match shape.nodes.last() {
        None => Root(u64::from(numbers[0])),
        Some(last) => Root(pair(numbers[last.left as usize], numbers[last.right as usize])),
    }
}

/// Appends the words of the state with this root.
pub fn unfold(root: Root, shape: &Shape, pairs: &[Pairs], words: usize, into: &mut Vec<u64>) {
    let mut known = Known::new(shape, words);
    known.become_root(root, false, shape, pairs, &mut Vec::new());
    into.extend_from_slice(&known.words);
}

#[cfg(test)]
mod tests;
