//! A segment in a checkpoint: its states and their predecessors, in the order in which they came.
//! The table is built anew.
//!
//! For every [`GROUP`] states, and for those that are left at the end: a byte that says how many
//! bytes a predecessor has, four or six; the predecessors, 0 for a start state and otherwise the
//! number plus one; and then the bytes of the states, as they lie in memory.

use super::super::line::LINE;
use super::{MOST, Segment, Shape, Stock};
use crate::checkpoint::{Reader, Writer};
use crate::memory::MemoryError;
use crate::state::stride::Stride;
use crate::storage::ResourceError;
use crate::storage::StorageError;
use crate::visited::Origin;
use crate::visited::exact::policy::Policy;
use std::ops::Range;

const GROUP: u32 = 1024;
/// Bytes of a predecessor, if all of a group are small, and otherwise.
const NARROW: usize = 4;
const WIDE: usize = 6;

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
            let all = || places.clone().filter_map(|place| self.origin(place, shape));
            let width = if all().any(|origin| origin.0 > Origin::NARROW) { WIDE } else { NARROW };
            origins.clear();
            origins.push(width as u8);
            all().for_each(|origin| origins.extend_from_slice(&origin.0.to_le_bytes()[..width]));
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

    /// Reads over that number of saved states.
    pub fn skip(file: &mut Reader, length: u64, shape: &Shape) -> Result<(), StorageError> {
        let length = u32::try_from(length).map_err(|_| file.unexpected())?;
        let mut bytes = Vec::new();
        for places in groups(length) {
            let mut width = [0];
            file.bytes(&mut width)?;
            let width = usize::from(width[0]);
            if width != NARROW && width != WIDE {
                return Err(file.unexpected());
            }
            bytes.resize(places.len() * (width + shape.bytes()), 0);
            file.bytes(&mut bytes)?;
        }
        Ok(())
    }

    /// Fills an empty segment with saved states.
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
            let mut width = [0];
            file.bytes(&mut width)?;
            let width = usize::from(width[0]);
            if width != NARROW && width != WIDE {
                return Err(file.unexpected().into());
            }
            origins.resize(width * places.len(), 0);
            file.bytes(&mut origins)?;
            for (place, bytes) in places.clone().zip(origins.chunks_exact(width)) {
                let mut origin = [0; 8];
                origin[..width].copy_from_slice(bytes);
                // SAFETY: there is a chunk for it, and nobody else uses it.
                unsafe { self.set_origin(place, Origin(u64::from_le_bytes(origin)), stock) }?;
            }
            for (place, count) in runs(*shape, places) {
                // SAFETY: as above; these states lie side by side, in memory that was zeroed.
                let states = unsafe {
                    std::slice::from_raw_parts_mut(self.state(place, shape), count * shape.bytes())
                };
                file.bytes(states)?;
            }
        }
        // The next insertion makes room.
        (self.length, self.ready) = (length, length);
        self.rebuild(stride, bits, shape);
        Ok(())
    }

    /// A table for `length` states: of the size to which it would have grown, or a smaller one that
    /// holds them if there is not enough memory.
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
            self.limit = Policy::furthest(lines * LINE).min(MOST as usize) as u32;
        }
        stock.supplies().tables.give_back(old.cast(), bytes);
        Ok(())
    }
}
