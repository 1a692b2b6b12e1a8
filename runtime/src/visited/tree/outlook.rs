//! What tree compression would take for the states of another set: said when a search with whole
//! states runs out of memory.
//!
//! The shape of the tree is learned as for `--tree`, from a sample of the states that are there. A
//! node has as many pairs as there are different values of the bits below it; that number is
//! estimated from hashes, without building the tree, so that it needs little memory where there is
//! none left: some MiB, whatever the size of a state.

use super::learning::learn;
use super::shape::{Shape, pieces};
use super::{pairs, roots};
use crate::datum::{Datum, Section};
use crate::hashing::distinct::Distinct;
use crate::interruption::Interruption;
use crate::state::codec::Codec;
use crate::text::plural;
use crate::visited::Find;
use crate::visited::stats::{SearchFacts, SetStats};

/// States from which the shape is learned, at most.
const SAMPLE: u64 = 2048;
/// Fewer states say too little about the shape.
const SMALLEST_SAMPLE: u64 = 64;
/// Bytes for the sample, and again for counting: a search that ran out of memory has little more.
const ROOM: u64 = 2 << 20;
/// Nodes that are counted while the states are read once.
const NODES: usize = (ROOM / Distinct::BYTES) as usize;
/// Hashes that are computed, about: a second or two.
const HASHES: u64 = 200_000_000;
/// States between two questions whether the user has interrupted the run.
const PATIENCE: u64 = 4096;

/// What a tree would take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeOutlook {
    /// States that were looked at: all, or the first.
    pub states: u64,
    /// Bytes a state with `--tree`, about.
    pub bytes_each: f64,
    /// Bytes a state of the search that ran out of memory.
    pub bytes_now: f64,
}

impl TreeOutlook {
    /// What a tree would take for these states, of which a search used this number of bytes.
    pub fn of(set: &dyn Find, codec: &Codec, used: u64, interrupted: &Interruption) -> Option<Self> {
        let words = codec.stored_words();
        let lengths = set.lengths();
        let all: u64 = lengths.iter().sum();
        if all < SAMPLE {
            return None;
        }
        let pieces = pieces(codec.stored_masks());
        // The words of a state, and the number of its value at each part.
        let bytes = 8 * words as u64 + 8 * pieces.len() as u64;
        let wanted = SAMPLE.min(ROOM / bytes.max(1));
        if wanted < SMALLEST_SAMPLE {
            return None;
        }
        let sample = some(set, &lengths, all, wanted);
        let shape = learn(pieces, &sample, words);
        drop(sample);
        let passes = shape.inner().div_ceil(NODES).max(1) as u64;
        let most = HASHES / (shape.parts().max(1) as u64 * passes);
        let mut counter = Counter::new(&shape);
        let mut seen = 0;
        for _ in 0..passes {
            seen = counter.pass(set, most, interrupted)?;
        }
        let segments = set.segmentation().segments() as u64;
        let bytes_each = counter.bytes_each(seen, segments);
        Some(TreeOutlook { states: seen, bytes_each, bytes_now: used as f64 / all as f64 })
    }
}

/// This number of states, evenly from all.
fn some(set: &dyn Find, lengths: &[u64], all: u64, wanted: u64) -> Vec<u64> {
    let mut words = Vec::new();
    let step = (all / wanted).max(1);
    let mut next = 0;
    let mut before = 0;
    for (segment, &length) in lengths.iter().enumerate() {
        while next < before + length {
            set.load(set.segmentation().index(segment, next - before), &mut words);
            next += step;
        }
        before += length;
    }
    words
}

/// Counts the different values at each node of a tree.
struct Counter<'a> {
    shape: &'a Shape,
    /// The value of each part of the state at hand, as a hash.
    values: Vec<u64>,
    /// Different values at each inner node that was counted.
    counts: Vec<u64>,
    /// For the nodes that are being counted, which follow those.
    different: Vec<Distinct>,
}

impl<'a> Counter<'a> {
    fn new(shape: &'a Shape) -> Self {
        Counter { shape, values: vec![0; shape.parts()], counts: Vec::new(), different: Vec::new() }
    }

    /// Counts the next nodes, in this number of states at most; returns how many states it were, or
    /// nothing if the user interrupted it.
    fn pass(&mut self, set: &dyn Find, most: u64, interrupted: &Interruption) -> Option<u64> {
        let nodes = (self.shape.inner() - self.counts.len()).min(NODES);
        self.different = (0..nodes).map(|_| Distinct::default()).collect();
        let lengths = set.lengths();
        let all: u64 = lengths.iter().sum();
        let mut state = Vec::new();
        let mut seen = 0u64;
        for (segment, &length) in lengths.iter().enumerate() {
            // Hashes deal states out evenly, so the first of each segment are the first of all.
            let first = if all <= most { length } else { (length as f64 * most as f64 / all as f64) as u64 };
            for place in 0..first {
                state.clear();
                set.load(set.segmentation().index(segment, place), &mut state);
                self.see(&state);
                seen += 1;
                if seen.is_multiple_of(PATIENCE) && interrupted.is_requested() {
                    return None;
                }
            }
        }
        self.counts.extend(self.different.drain(..).map(|different| different.estimate()));
        Some(seen)
    }

    fn see(&mut self, state: &[u64]) {
        let Shape { leaves, nodes, .. } = self.shape;
        for (leaf, value) in leaves.iter().zip(&mut self.values) {
            *value = u64::from(leaf.of(state));
        }
        for (at, node) in nodes.iter().enumerate() {
            let [left, right] = [node.left, node.right].map(|part| self.values[part as usize]);
            // Not symmetric: a pair is not the pair the other way round.
            let mixed = (left ^ (left >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23) ^ right;
            let value = mixed.wrapping_mul(0x94d0_49bb_1331_11eb);
            self.values[leaves.len() + at] = value ^ value >> 32;
            let counted = at.checked_sub(self.counts.len());
            if let Some(different) = counted.and_then(|at| self.different.get_mut(at)) {
                different.see(value);
            }
        }
    }

    fn bytes_each(&self, states: u64, segments: u64) -> f64 {
        let Shape { leaves, nodes, .. } = self.shape;
        let counts = &self.counts;
        let bits = |part: u32| match counts.get((part as usize).wrapping_sub(leaves.len())) {
            Some(&count) => u64::BITS - count.leading_zeros(),
            None => leaves.get(part as usize).map_or(0, |leaf| leaf.bits),
        };
        let of_pairs: u64 = counts
            .iter()
            .zip(nodes)
            .enumerate()
            .map(|(at, (&count, node))| {
                pairs::bytes_for(count, self.shape.has_small_pairs(at, bits(node.left), bits(node.right)))
            })
            .sum();
        let root = nodes.last().map_or((31, 0), |root| (bits(root.left), bits(root.right)));
        roots::bytes_each(states, root, segments) + of_pairs as f64 / states.max(1) as f64
    }
}

impl SetStats for TreeOutlook {
    fn sections(&self, _: &SearchFacts<'_>) -> Vec<Section> {
        let figures = Datum::record([
            ("states", self.states.into()),
            ("bytes_per_state", self.bytes_each.into()),
            ("bytes_per_state_now", self.bytes_now.into()),
        ]);
        vec![Section { key: "tree_estimate", figures, lines: Vec::new() }]
    }

    fn remedy(&self, search: &SearchFacts<'_>) -> Option<String> {
        // An estimate is not worth a second run for a few percent.
        if self.bytes_each * 1.25 > self.bytes_now {
            return None;
        }
        let packed = if search.packed { "" } else { ", -b, which packs states to the bit" };
        Some(format!(
            "--tree, which also stores states exactly, in about {:.0} bytes each instead of {:.0} (estimated from {}){packed}, or a larger --memory",
            self.bytes_each,
            self.bytes_now,
            plural(self.states, "state"),
        ))
    }
}
