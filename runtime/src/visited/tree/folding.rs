//! From a state to its root and back.
//!
//! Successors of one state have most words in common with each other, so a [`Folder`] remembers
//! the last state it was given, with the number of each part, and looks up only what lies above
//! words that differ. The number of a pair never changes, so a folder also remembers those it met
//! lately: most look-ups end there, in memory that the processor has at hand.

use super::pairs::{PairError, Pairs};
use super::shape::Shape;

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

/// Brings states to their roots, one after the other.
#[derive(Debug)]
pub struct Folder {
    lately: Vec<Lately>,
    /// The last state, and the number of each of its parts: leaves, then nodes.
    words: Vec<u64>,
    numbers: Vec<u32>,
    /// Nodes that are still to be looked up, a bit each.
    dirty: Vec<u64>,
    /// Whether there is a last state.
    known: bool,
}

impl Folder {
    pub fn new(shape: &Shape, words: usize) -> Self {
        Folder {
            lately: vec![Lately::NOTHING; REMEMBERED],
            words: vec![0; words],
            numbers: vec![0; shape.parts()],
            dirty: vec![0; shape.nodes.len().div_ceil(64)],
            known: false,
        }
    }

    /// The root of a state; pairs that are new get numbers.
    pub fn fold(&mut self, state: &[u64], shape: &Shape, pairs: &[Pairs]) -> Result<Root, PairError> {
        let mut lately = std::mem::take(&mut self.lately);
        let root = self.fold_by(state, shape, |node, pair| {
            let place = &mut lately[Lately::place(node, pair)];
            if place.pair != pair || place.node != node as u32 {
                *place = Lately { pair, node: node as u32, number: pairs[node].number(pair)? };
            }
            Ok(place.number)
        });
        self.lately = lately;
        root
    }

    /// The root of a state that was folded before; otherwise [`Root::NONE`].
    pub fn find(&mut self, state: &[u64], shape: &Shape, pairs: &[Pairs]) -> Root {
        let found = self.fold_by(state, shape, |node, pair| pairs[node].find(pair).ok_or(()));
        found.unwrap_or(Root::NONE)
    }

    #[inline(always)]
    fn fold_by<E>(
        &mut self,
        state: &[u64],
        shape: &Shape,
        mut number: impl FnMut(usize, u64) -> Result<u32, E>,
    ) -> Result<Root, E> {
        let leaves = shape.leaves.len();
        for (word, (&new, old)) in state.iter().zip(&mut self.words).enumerate() {
            if self.known && new == *old {
                continue;
            }
            *old = new;
            for leaf in shape.of_word(word) {
                let value = shape.leaves[leaf].gather.compress(new) as u32;
                if !self.known || value != self.numbers[leaf] {
                    self.numbers[leaf] = value;
                    let parent = shape.parents[leaf] as usize;
                    if let Some(bits) = self.dirty.get_mut(parent / 64) {
                        *bits |= 1 << (parent % 64);
                    }
                }
            }
        }
        let all = !self.known;
        // Until all nodes are looked up, their numbers are not those of this state.
        self.known = false;
        let root = shape.nodes.len().saturating_sub(1);
        for at in 0..self.dirty.len() {
            // Parents come after their children, perhaps in the same word.
            while self.dirty[at] != 0 {
                let node = at * 64 + self.dirty[at].trailing_zeros() as usize;
                self.dirty[at] &= self.dirty[at] - 1;
                if node == root {
                    continue;
                }
                let children = shape.nodes[node];
                let new = number(
                    node,
                    pair(self.numbers[children.left as usize], self.numbers[children.right as usize]),
                );
                let new = match new {
                    Ok(new) => new,
                    Err(error) => {
                        self.dirty.fill(0);
                        return Err(error);
                    }
                };
                if all || new != self.numbers[leaves + node] {
                    self.numbers[leaves + node] = new;
                    let parent = shape.parents[leaves + node] as usize;
                    self.dirty[parent / 64] |= 1 << (parent % 64);
                }
            }
        }
        self.known = true;
        Ok(match shape.nodes.last() {
            None => Root(u64::from(self.numbers[0])),
            Some(last) => Root(pair(self.numbers[last.left as usize], self.numbers[last.right as usize])),
        })
    }
}

/// Appends the words of the state with this root.
pub fn unfold(root: Root, shape: &Shape, pairs: &[Pairs], words: usize, into: &mut Vec<u64>) {
    let leaves = shape.leaves.len();
    let first = into.len();
    into.resize(first + words, 0);
    let state = &mut into[first..];
    let Some(last) = shape.nodes.last() else {
        set(shape, 0, root.0 as u32, state);
        return;
    };
    // No tree is deeper than it has nodes; most are no deeper than this.
    let mut open = Vec::with_capacity(64);
    open.extend([(last.left, (root.0 >> 32) as u32), (last.right, root.0 as u32)]);
    while let Some((part, number)) = open.pop() {
        let part = part as usize;
        if part < leaves {
            set(shape, part, number, state);
        } else {
            let node = shape.nodes[part - leaves];
            let pair = pairs[part - leaves].pair(number);
            open.extend([(node.left, (pair >> 32) as u32), (node.right, pair as u32)]);
        }
    }
}

#[inline(always)]
fn set(shape: &Shape, leaf: usize, value: u32, state: &mut [u64]) {
    let leaf = &shape.leaves[leaf];
    if let Some(word) = state.get_mut(leaf.word) {
        *word |= leaf.gather.expand(u64::from(value));
    }
}

#[cfg(test)]
mod tests {
    use super::super::learning::learn;
    use super::super::shape::leaves;
    use super::*;
    use crate::memory::Budget;
    use crate::random::Random;
    use std::collections::HashMap;
    use std::sync::Arc;

    /// States go to roots and back, whatever the shape, and different states to different roots.
    #[test]
    fn roots_are_states() {
        let mut random = Random(3);
        for words in [1, 2, 3, 7, 20] {
            for dense in [true, false] {
                let mask =
                    |random: &mut Random| if dense { u64::MAX } else { random.number() & random.number() };
                let masks: Vec<u64> = (0..words).map(|_| mask(&mut random)).collect();
                let mut states: Vec<Vec<u64>> = vec![vec![0; words], masks.clone()];
                let count = if cfg!(miri) { 30 } else { 600 };
                for _ in 0..count {
                    let mut state = states[random.below(states.len() as u64) as usize].clone();
                    let at = random.below(words as u64) as usize;
                    state[at] = random.number() & masks[at];
                    states.push(state);
                }
                let sample: Vec<u64> = states.iter().take(100).flatten().copied().collect();
                let shape = learn(leaves(&masks), &sample, words);
                let budget = Arc::new(Budget::new(1 << 26));
                let pairs: Vec<Pairs> = (0..shape.inner()).map(|_| Pairs::new(budget.clone())).collect();
                let mut folder = Folder::new(&shape, words);
                let mut roots: HashMap<u64, Vec<u64>> = HashMap::new();
                assert!(shape.inner() == 0 || folder.find(&masks, &shape, &pairs) == Root::NONE);
                for state in &states {
                    let root = folder.fold(state, &shape, &pairs).unwrap();
                    assert_eq!(Folder::new(&shape, words).find(state, &shape, &pairs), root);
                    let mut back = Vec::new();
                    unfold(root, &shape, &pairs, words, &mut back);
                    assert_eq!(&back, state);
                    assert_ne!(root, Root::NONE);
                    assert_eq!(roots.entry(root.0).or_insert_with(|| state.clone()), state);
                }
            }
        }
    }

    /// A folder that ran out of memory in the middle of a state does not mix it with the next one.
    #[test]
    fn a_failed_fold_leaves_nothing_behind() {
        let masks = [u64::MAX; 6];
        let shape = learn(leaves(&masks), &[], 6);
        let budget = Arc::new(Budget::new(40 << 10));
        let pairs: Vec<Pairs> = (0..shape.inner()).map(|_| Pairs::new(budget.clone())).collect();
        let mut folder = Folder::new(&shape, 6);
        let mut random = Random(9);
        let mut folded: Vec<(Vec<u64>, Root)> = Vec::new();
        let mut failed = 0;
        for _ in 0..3000 {
            let state: Vec<u64> = (0..6).map(|_| random.below(40)).collect();
            match folder.fold(&state, &shape, &pairs) {
                Ok(root) => folded.push((state, root)),
                Err(error) => {
                    assert_eq!(error, PairError::Memory);
                    failed += 1;
                }
            }
            if let Some((state, root)) = folded.get(random.below(folded.len().max(1) as u64) as usize) {
                assert_eq!(folder.fold(state, &shape, &pairs), Ok(*root));
            }
        }
        assert!(failed > 100 && folded.len() > 10, "{failed} {}", folded.len());
    }
}
