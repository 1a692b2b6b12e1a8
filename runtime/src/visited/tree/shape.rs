//! The shape of the tree: which bits of a stored state are its leaves, and which parts are paired.
//!
//! A leaf is up to 31 bits, so it is its own number. They come from one word or from several: the
//! bits of a leaf in one word are a piece. An inner node pairs two parts, and the root pairs the
//! last two. Nodes stand in the order in which they are computed: children before parents, the root
//! last.

use super::pairs::Pairs;
use super::places::{NARROW_BITS, right_bits};
use crate::memory::Budget;
use crate::state::compress::Gather;
use std::sync::Arc;

/// Bits of a leaf, at most. No leaf is `u32::MAX`, so no pair is `u64::MAX`.
pub const LEAF_BITS: u32 = 31;
/// Bits of a piece, at most: three of them fit into a leaf.
const PIECE_BITS: u32 = 10;

/// Some bits of one word, which lie together in a leaf.
#[derive(Clone, Debug)]
pub struct Piece {
    pub word: usize,
    pub gather: Gather,
}

/// A piece of a word, and where it lies in its leaf.
#[derive(Clone, Debug)]
pub struct Placed {
    pub piece: Piece,
    pub leaf: u32,
    shift: u32,
    /// Its bits in the leaf.
    field: u32,
}

/// Some bits of the state: its pieces, the first one lowest.
#[derive(Clone, Debug)]
pub struct Leaf {
    pub pieces: Vec<Placed>,
    pub bits: u32,
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
    /// The pieces of all words, in their order, and where those of each word begin and end.
    pieces: Vec<Placed>,
    of_word: Vec<(u32, u32)>,
}

impl Placed {
    /// A leaf in which this piece is that of another word.
    #[inline(always)]
    pub fn replaced(&self, leaf: u32, gathered: u64) -> u32 {
        leaf & !self.field | (gathered as u32) << self.shift
    }

    /// The bits of this piece in its word.
    #[inline(always)]
    pub fn scattered(&self, leaf: u32) -> u64 {
        self.piece.gather.expand(u64::from((leaf & self.field) >> self.shift))
    }
}

impl Leaf {
    /// `None`: these are too many bits.
    fn new(pieces: Vec<Piece>, leaf: u32) -> Option<Self> {
        let mut bits = 0;
        let pieces = pieces
            .into_iter()
            .map(|piece| {
                let shift = bits;
                bits += piece.gather.bits();
                let field = (1u64.checked_shl(bits)? - (1 << shift)) as u32;
                Some(Placed { piece, leaf, shift, field })
            })
            .collect::<Option<Vec<_>>>()?;
        (bits <= LEAF_BITS).then_some(Leaf { pieces, bits })
    }

    /// The value of this leaf in a state.
    pub fn of(&self, state: &[u64]) -> u32 {
        self.pieces.iter().fold(0, |leaf, placed| {
            let word = state.get(placed.piece.word).copied().unwrap_or_default();
            placed.replaced(leaf, placed.piece.gather.compress(word))
        })
    }
}

/// The pieces of states whose words can have these bits. A word without any has none.
pub fn pieces(masks: &[u64]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (word, &mask) in masks.iter().enumerate() {
        let mut rest = mask;
        // As few pieces as there can be, of about the same size.
        let count = mask.count_ones().div_ceil(PIECE_BITS);
        let bits = mask.count_ones().div_ceil(count.max(1));
        while rest != 0 {
            let part = lowest(rest, bits);
            pieces.push(Piece { word, gather: Gather::new(part) });
            rest &= !part;
        }
    }
    if pieces.is_empty() {
        // A model without variables still has one state.
        pieces.push(Piece { word: 0, gather: Gather::new(1) });
    }
    pieces
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
    /// Leaves, as their pieces, that are paired as these nodes say. `None`: that is not a tree over
    /// all leaves, or a leaf is too large.
    pub fn new(leaves: Vec<Vec<Piece>>, nodes: Vec<Node>) -> Option<Self> {
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
        let leaves: Vec<Leaf> = leaves
            .into_iter()
            .zip(0..)
            .map(|(pieces, leaf)| Leaf::new(pieces, leaf))
            .collect::<Option<_>>()?;
        let mut pieces: Vec<Placed> = leaves.iter().flat_map(|leaf| leaf.pieces.iter().cloned()).collect();
        pieces.sort_by_key(|placed| placed.piece.word);
        let words = pieces.last().map_or(0, |last| last.piece.word + 1);
        let mut of_word = vec![(0, 0); words];
        for (at, placed) in pieces.iter().enumerate() {
            let (first, end) = &mut of_word[placed.piece.word];
            if *end == 0 {
                *first = at as u32;
            }
            *end = at as u32 + 1;
        }
        Some(Shape { leaves, nodes, parents, pieces, of_word })
    }

    /// Leaves of neighbouring pieces; pairs neighbours, and neighbours of pairs.
    pub fn balanced(pieces: Vec<Piece>) -> Self {
        let mut nodes = Vec::new();
        let mut leaves: Vec<Vec<Piece>> = Vec::new();
        let mut bits = u32::MAX;
        for piece in pieces {
            bits = bits.saturating_add(piece.gather.bits());
            match leaves.last_mut() {
                Some(leaf) if bits <= LEAF_BITS => leaf.push(piece),
                _ => {
                    bits = piece.gather.bits();
                    leaves.push(vec![piece]);
                }
            }
        }
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
        // Each part was paired once, after it was made, so this is a tree.
        Shape::new(leaves, nodes).unwrap_or_else(Shape::none)
    }

    fn none() -> Self {
        Shape {
            leaves: Vec::new(),
            nodes: Vec::new(),
            parents: Vec::new(),
            pieces: Vec::new(),
            of_word: Vec::new(),
        }
    }

    /// The pieces of a word.
    #[inline(always)]
    pub fn of_word(&self, word: usize) -> &[Placed] {
        let (first, end) = self.of_word.get(word).copied().unwrap_or((0, 0));
        self.pieces.get(first as usize..end as usize).unwrap_or_default()
    }

    /// Leaves and nodes.
    pub fn parts(&self) -> usize {
        self.leaves.len() + self.nodes.len()
    }

    /// Nodes whose pairs have numbers: all but the root.
    pub fn inner(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// No pairs, for each inner node.
    pub fn tables(&self, budget: &Arc<Budget>) -> Vec<Pairs> {
        (0..self.inner()).map(|node| Pairs::new(self.right_bits(node), budget.clone())).collect()
    }

    /// The bits of the right halves of those pairs at a node that are small; see
    /// [`Places`](super::places::Places).
    pub fn right_bits(&self, node: usize) -> u32 {
        let bits = |part: u32| self.leaves.get(part as usize).map(|leaf| leaf.bits);
        self.nodes.get(node).map_or(0, |node| right_bits(bits(node.left), bits(node.right)))
    }

    /// Whether pairs at a node are small if their halves have these bits.
    pub fn has_small_pairs(&self, node: usize, left: u32, right: u32) -> bool {
        let for_right = self.right_bits(node);
        left <= NARROW_BITS - for_right && right <= for_right
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
                _ => words.extend(
                    self.leaves
                        .get(part)
                        .into_iter()
                        .flat_map(|leaf| &leaf.pieces)
                        .map(|placed| placed.piece.word),
                ),
            }
        }
        words.sort_unstable();
        words.dedup();
        words
    }
}
