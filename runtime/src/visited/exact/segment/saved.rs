//! A segment in a checkpoint: its states and their predecessors, in the order in which they came.
//! The table is built anew.
//!
//! For every [`GROUP`] states, and for those that are left at the end: their predecessors, four
//! bytes each, and then their bytes, as they lie in memory.

use super::super::line::LINE;
use super::{Policy, Segment, Shape, Stock};
use crate::checkpoint::{Reader, Writer};
use crate::memory::MemoryError;
use crate::state::stride::Stride;
use crate::storage::ResourceError;
use crate::storage::StorageError;
use std::ops::Range;

const GROUP: u32 = 1024;

/// The states from one place to another, as far as they lie side by side: where they begin and how
/// many they are.
fn runs(shape: Shape, places: Range<u32>) -> impl Iterator<Item = (u32, usize)> {
    let mut next = places.start;
    std::iter::from_fn(move || {
        let left = (places.end - next) as usize;
        let spot = shape.spot(next);
        let count = ((1 << spot.shift) - spot.within).min(left);
        let run = (next, count);
        next += count as u32;
        (count > 0).then_some(run)
    })
}

fn groups(length: u32) -> impl Iterator<Item = Range<u32>> {
    (0..length.div_ceil(GROUP)).map(move |group| group * GROUP..length.min((group + 1).saturating_mul(GROUP)))
}

impl Segment {
    pub fn save(&self, file: &mut Writer, shape: &Shape) -> Result<(), StorageError> {
        let mut origins = Vec::new();
        for places in groups(self.length) {
            // SAFETY: below the length, so it was written.
            let origin = |place| unsafe { *self.origin_address(place, shape) };
            origins.clear();
            origins.extend(places.clone().flat_map(|place| origin(place).to_le_bytes()));
            file.bytes(&origins)?;
            for (place, count) in runs(*shape, places) {
                // SAFETY: these states lie side by side, and were written.
                let states =
                    unsafe { std::slice::from_raw_parts(self.state(place, shape), count * shape.bytes()) };
                file.bytes(states)?;
            }
        }
        Ok(())
    }

    /// Fills an empty segment with so many states.
    pub fn restore<S: Stride>(
        &mut self,
        file: &mut Reader,
        length: u32,
        stride: S,
        bits: u32,
        group: usize,
        stock: &Stock,
    ) -> Result<(), ResourceError> {
        let shape = &stock.shape;
        self.take_table(length, group, stock)?;
        for (place, _) in runs(*shape, 0..length) {
            self.add_chunk(shape.spot(place).shift, stock)?;
        }
        let mut origins = Vec::new();
        for places in groups(length) {
            origins.resize(4 * places.len(), 0);
            file.bytes(&mut origins)?;
            for (place, origin) in places.clone().zip(origins.as_chunks::<4>().0) {
                // SAFETY: there is a chunk for it, and nobody else uses it.
                unsafe { self.origin_address(place, shape).write(u32::from_le_bytes(*origin)) };
            }
            for (place, count) in runs(*shape, places) {
                // SAFETY: as above; these states lie side by side, in memory that was zeroed.
                let states = unsafe {
                    std::slice::from_raw_parts_mut(self.state(place, shape), count * shape.bytes())
                };
                file.bytes(states)?;
            }
        }
        // Whoever comes next asks for room.
        (self.length, self.ready) = (length, length);
        self.rebuild(stride, bits, shape);
        Ok(())
    }

    /// A table for so many states: the one that it would have come to by itself, or a smaller one
    /// that holds them if there is not enough memory.
    fn take_table(&mut self, length: u32, group: usize, stock: &Stock) -> Result<(), MemoryError> {
        let policy = &stock.policy;
        let size = |fits: &dyn Fn(usize) -> bool| {
            let mut lines = self.lines as usize;
            while !fits(lines * LINE) {
                lines = policy.next(lines, group);
            }
            lines
        };
        let usual = size(&|entries| policy.limit(entries) >= length as usize);
        let least = size(&|entries| Policy::furthest(entries) >= length as usize);
        if usual == self.lines as usize {
            return Ok(());
        }
        let take = |lines: usize| stock.supplies().tables.take(lines * LINE * size_of::<u32>());
        let (table, lines) = match take(usual) {
            Ok(table) => (table, usual),
            Err(MemoryError) => (take(least)?, least),
        };
        let (old, bytes) = (self.table, self.table_bytes());
        self.adopt(table.cast(), lines, policy);
        if (self.limit as usize) < length as usize {
            self.limit = Policy::furthest(lines * LINE) as u32;
        }
        stock.supplies().tables.give_back(old.cast(), bytes);
        Ok(())
    }
}
