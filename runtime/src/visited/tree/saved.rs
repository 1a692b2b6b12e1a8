//! The tree-compressed set in a checkpoint. The manifest has the number of segments. In the file
//! `visited` follow each other:
//!
//! - the shape: how many leaves there are, for each of them how many pieces it has, and of each
//!   piece its word and its bits; and for each node its two parts;
//! - for each inner node how many pairs it has, and of each pair its two parts, in the order of the
//!   pairs' numbers;
//! - for each segment how many roots it has, the roots, those that wait, and its records.
//!
//! Checksums do not say who wrote a file: that all pairs of a node are different, that their parts
//! exist, and that the states that wait are states of the model is checked.

use super::folding::{Root, unfold};
use super::pairs::{PairError, Pairs};
use super::roots::Added;
use super::shape::{Node, Piece, Shape};
use super::{Common, Tree};
use crate::checkpoint::{Persist, Reader, Saved, Transaction, Writer};
use crate::hashing::words::hash;
use crate::state::compress::Gather;
use crate::state::validity::Inspector;
use crate::storage::{Purpose, ResourceError, StorageError};
use std::ops::Range;

impl Tree {
    /// Depth first there is no moment at which it could be saved.
    pub(super) fn persistent(&mut self) -> Option<&mut dyn Persist> {
        if self.common.depth_first { None } else { Some(self) }
    }
}

impl Shape {
    fn save(&self, file: &mut Writer) -> Result<(), StorageError> {
        file.number(self.leaves.len() as u64)?;
        for leaf in &self.leaves {
            file.number(leaf.pieces.len() as u64)?;
            for placed in &leaf.pieces {
                file.words(&[placed.piece.word as u64, placed.piece.gather.mask])?;
            }
        }
        for node in &self.nodes {
            file.words(&[u64::from(node.left), u64::from(node.right)])?;
        }
        Ok(())
    }

    /// The shape that was saved, if its pieces are those of this one: every bit of a state once.
    fn restore(&self, file: &mut Reader) -> Result<Shape, StorageError> {
        let pieces = |shape: &Shape| {
            let all = shape.leaves.iter().flat_map(|leaf| &leaf.pieces);
            let mut all: Vec<_> = all.map(|placed| (placed.piece.word, placed.piece.gather.mask)).collect();
            all.sort_unstable();
            all
        };
        let expected = pieces(self);
        let most = expected.len() as u64;
        let count = file.at_most(most)?;
        let mut leaves = Vec::new();
        for _ in 0..count {
            let mut leaf = Vec::new();
            for _ in 0..file.at_most(most)? {
                let (word, mask) = (file.number()? as usize, file.number()?);
                if expected.binary_search(&(word, mask)).is_err() {
                    return Err(file.unexpected());
                }
                leaf.push(Piece { word, gather: Gather::new(mask) });
            }
            leaves.push(leaf);
        }
        let mut nodes = Vec::new();
        for _ in 1..count {
            let [left, right] = [file.at_most(u64::from(u32::MAX))?, file.at_most(u64::from(u32::MAX))?];
            nodes.push(Node { left: left as u32, right: right as u32 });
        }
        let shape = Shape::new(leaves, nodes).filter(|shape| pieces(shape) == expected);
        shape.ok_or_else(|| file.unexpected())
    }
}

impl Common {
    /// Whether a part of a state can have this number.
    fn exists(&self, part: u32, number: u32) -> bool {
        let leaves = self.shape.leaves.len();
        match self.shape.leaves.get(part as usize) {
            Some(leaf) => u64::from(number) >> leaf.bits == 0,
            None => self.pairs.get(part as usize - leaves).is_some_and(|pairs| pairs.has(number)),
        }
    }

    /// Whether both parts of a pair at a node exist.
    fn is_whole(&self, node: usize, pair: u64) -> bool {
        let Some(Node { left, right }) = self.shape.nodes.get(node) else {
            return pair >> 32 == 0 && self.exists(0, pair as u32);
        };
        self.exists(*left, (pair >> 32) as u32) && self.exists(*right, pair as u32)
    }

    fn restore_pairs(&self, node: usize, file: &mut Reader) -> Result<(), ResourceError> {
        let pairs: &Pairs = &self.pairs[node];
        for number in 0..file.count(8)? {
            let pair = file.number()?;
            // Children come before parents, so they are there.
            let put = match u32::try_from(number) {
                Ok(number) if self.is_whole(node, pair) => pairs.put(number, pair),
                _ => Ok(false),
            };
            match put {
                Ok(true) => {}
                Err(PairError::Memory) => return Err(ResourceError::Memory),
                Ok(false) | Err(PairError::Numbers) => return Err(file.unexpected().into()),
            }
        }
        Ok(())
    }
}

impl Persist for Tree {
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError> {
        let Tree { common, segments, .. } = self;
        checkpoint.fact("segment_bits", u64::from(common.segmentation.bits));
        let mut file = checkpoint.create("visited", Purpose::SavedStates)?;
        common.shape.save(&mut file)?;
        for pairs in &common.pairs {
            file.number(pairs.len())?;
            for (_, pair) in pairs.iter() {
                file.number(pair)?;
            }
        }
        for segment in segments {
            file.number(segment.roots.len())?;
            for Root(root) in segment.roots.iter() {
                file.number(root)?;
            }
            segment.waiting.save(&mut file)?;
            segment.log.save(&common.records, &mut file)?;
        }
        checkpoint.add(file.finish()?);
        Ok(())
    }

    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError> {
        let mut file = saved.reader("visited", Purpose::SavedStates)?;
        let Tree { common, segments, folders } = self;
        folders.clear();
        if saved.fact("segment_bits") != Some(u64::from(common.segmentation.bits)) {
            return Err(file.unexpected().into());
        }
        common.shape = common.shape.restore(&mut file)?;
        // The saved tree may have other leaves than the one that was learned: other inner nodes.
        common.pairs = common.shape.tables(&common.budget);
        for node in 0..common.pairs.len() {
            common.restore_pairs(node, &mut file)?;
        }
        let common: &Common = common;
        let root_node = common.shape.nodes.len().saturating_sub(1);
        let places = common.segmentation.places();
        let mut states = 0;
        for (number, segment) in segments.iter_mut().enumerate() {
            for _ in 0..file.count(8)? {
                let root = Root(file.number()?);
                let belongs = common.segmentation.of_hash(hash(&[root.0])) == number;
                if !belongs || !common.is_whole(root_node, root.0) || segment.roots.add(root)? == Added::Known
                {
                    return Err(file.unexpected().into());
                }
            }
            let mut state = Vec::new();
            let roots = &segment.roots;
            segment.waiting.restore(1, places, &mut file, &mut |root: &[u64]| {
                let root = Root(root.first().copied().unwrap_or(u64::MAX));
                if !roots.contains(root) {
                    return false;
                }
                state.clear();
                unfold(root, &common.shape, &common.pairs, common.words, &mut state);
                inspector.accepts(&state)
            })?;
            segment.log.restore(&common.records, segment.waiting.next(), &mut file)?;
            if segment.roots.len() != segment.waiting.next() {
                return Err(file.unexpected().into());
            }
            states += segment.roots.len();
        }
        file.finish()?;
        if let Some(permits) = &self.common.permits {
            let left = permits.load(std::sync::atomic::Ordering::Relaxed);
            permits.store(left.saturating_sub(states), std::sync::atomic::Ordering::Relaxed);
        }
        Ok(())
    }

    fn places(&self, segment: usize) -> Range<u64> {
        self.segments.get(segment).map_or(0..0, |segment| segment.waiting.numbers())
    }
}
