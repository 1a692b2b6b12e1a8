//! The shape of the tree: which bits of a stored state are its leaves, and which parts are paired.
//!
//! A leaf is up to 31 bits of one word, so it is its own number. An inner node pairs two parts, and
//! the root pairs the last two. Nodes stand in the order in which they are computed: children
//! before parents, the root last.

use crate::state::compress::Gather;

/// Bits of a leaf, at most. No leaf is `u32::MAX`, so no pair is `u64::MAX`.
const LEAF_BITS: u32 = 31;

/// Some bits of one word.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub word: usize,
    pub gather: Gather,
}

/// Two parts of a state: leaves are numbered first, then nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub left: u32,
    pub right: u32,
}

/// How states are divided into parts.
#[derive(Clone, Debug)]
pub struct Shape {
    pub leaves: Vec<Leaf>,
    /// Children before parents; the last is the root. None where there is one leaf only.
    pub nodes: Vec<Node>,
    /// The node that each part belongs to, as a number among the nodes; the root's is its own.
    pub parents: Vec<u32>,
    /// The leaves of each word: a word has three at most.
    of_word: Vec<(u32, u32)>,
}

/// The leaves of states whose words can have these bits. A word without any has no leaf.
pub fn leaves(masks: &[u64]) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for (word, &mask) in masks.iter().enumerate() {
        let mut rest = mask;
        while rest != 0 {
            let part = lowest(rest, LEAF_BITS);
            leaves.push(Leaf { word, gather: Gather::new(part) });
            rest &= !part;
        }
    }
    if leaves.is_empty() {
        // A model without variables still has one state.
        leaves.push(Leaf { word: 0, gather: Gather::new(1) });
    }
    leaves
}

/// The lowest bits that are set, this number of them at most.
fn lowest(mut mask: u64, count: u32) -> u64 {
    let all = mask;
    for _ in 0..count {
        mask &= mask.wrapping_sub(1);
    }
    all & !mask
}

impl Shape {
    /// Leaves that are paired as these nodes say. `None`: that is not a tree over all leaves.
    pub fn new(leaves: Vec<Leaf>, nodes: Vec<Node>) -> Option<Self> {
        let count = leaves.len();
        if nodes.len() + 1 != count {
            return None;
        }
        let mut parents = vec![u32::MAX; count + nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            for child in [node.left, node.right] {
                let parent = parents.get_mut(child as usize)?;
                if *parent != u32::MAX || child as usize >= count + at {
                    return None;
                }
                *parent = at as u32;
            }
        }
        if let Some(root) = parents.last_mut() {
            *root = nodes.len().saturating_sub(1) as u32;
        }
        let words = leaves.iter().map(|leaf| leaf.word + 1).max().unwrap_or(0);
        let mut of_word = vec![(0, 0); words];
        for (at, leaf) in leaves.iter().enumerate() {
            let (first, end) = &mut of_word[leaf.word];
            if *end == 0 {
                *first = at as u32;
            }
            *end = at as u32 + 1;
        }
        Some(Shape { leaves, nodes, parents, of_word })
    }

    /// Pairs neighbours, and neighbours of pairs.
    pub fn balanced(leaves: Vec<Leaf>) -> Self {
        let mut nodes = Vec::new();
        let mut parts: Vec<u32> = (0..leaves.len() as u32).collect();
        while parts.len() > 1 {
            parts = parts
                .chunks(2)
                .map(|pair| match *pair {
                    [left, right] => {
                        nodes.push(Node { left, right });
                        (leaves.len() + nodes.len() - 1) as u32
                    }
                    _ => pair[0],
                })
                .collect();
        }
        let bare = Shape { leaves, nodes, parents: Vec::new(), of_word: Vec::new() };
        // Each part was paired once, after it was made, so this is a tree.
        Shape::new(bare.leaves.clone(), bare.nodes.clone()).unwrap_or(bare)
    }

    /// The leaves of a word, as numbers.
    #[inline(always)]
    pub fn of_word(&self, word: usize) -> std::ops::Range<usize> {
        let (first, end) = self.of_word.get(word).copied().unwrap_or((0, 0));
        first as usize..end as usize
    }

    /// Leaves and nodes.
    pub fn parts(&self) -> usize {
        self.leaves.len() + self.nodes.len()
    }

    /// Nodes whose pairs have numbers: all but the root.
    pub fn inner(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// The words of the state that lie below a node.
    pub fn words_below(&self, node: usize) -> Vec<usize> {
        let mut words = Vec::new();
        let mut open = vec![self.leaves.len() + node];
        while let Some(part) = open.pop() {
            match self.nodes.get(part.wrapping_sub(self.leaves.len())) {
                Some(node) if part >= self.leaves.len() => {
                    open.extend([node.left as usize, node.right as usize]);
                }
                _ => words.extend(self.leaves.get(part).map(|leaf| leaf.word)),
            }
        }
        words.sort_unstable();
        words.dedup();
        words
    }
}
