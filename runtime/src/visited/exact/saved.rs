//! The exact set in a checkpoint, in the file `visited`: the number of segments as a power of two,
//! the length of each, and then each of them.

use super::{Exact, Segmentation, first_lines, most};
use crate::checkpoint::{Persist, PersistPart, Reader, Saved, Transaction, Writer};
use crate::hashing::words::hash;
use crate::state::stride::Stride;
use crate::state::validity::Inspector;
use crate::storage::Purpose;
use crate::storage::ResourceError;
use crate::visited::Origin;
use crate::visited::exact::policy::Policy;
use crate::visited::exact::segment::Segment;
use crate::visited::exact::stock::Stock;
use std::ops::Range;
use std::sync::atomic::Ordering;

/// The most segments, as a power of two: their numbers have two bytes.
const MOST_BITS: u64 = 16;

impl<S: Stride> Persist for Exact<S> {
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError> {
        let mut file = checkpoint.create("visited", Purpose::SavedStates)?;
        file.number(u64::from(self.segmentation.bits))?;
        for segment in &self.segments {
            file.number(u64::from(segment.length))?;
        }
        for segment in &self.segments {
            segment.save(&mut file, &self.stock.shape)?;
        }
        checkpoint.add(file.finish()?);
        Ok(())
    }

    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError> {
        let mut file = saved.reader("visited", Purpose::SavedStates)?;
        let segmentation = Segmentation::new(file.at_most(MOST_BITS)? as u32);
        let single = segmentation.bits == 0;
        let shape = self.stock.shape;
        let policy = if single { Policy::single() } else { Policy::many(&shape, segmentation.segments()) };
        let stock = Stock::new(shape, policy, single, self.stock.budget.clone(), None);
        let mut set = Exact { stride: self.stride, segmentation, segments: Vec::new(), stock, steps: None };
        let mut lengths = vec![0; segmentation.segments()];
        for length in &mut lengths {
            *length = file.at_most(u64::from(most(segmentation)))? as u32;
        }
        let states: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        // Memory is not taken for what cannot be there.
        let each = size_of::<u32>() + shape.bytes();
        if !file.has(u128::from(states) * each as u128) {
            return Err(file.unexpected().into());
        }
        for (number, &length) in lengths.iter().enumerate() {
            set.segments.push(set.stock.segment(first_lines(segmentation, &set.stock.budget))?);
            let Exact { segments, stock, stride, .. } = &mut set;
            if let Some(segment) = segments.last_mut() {
                segment.restore(&mut file, length, *stride, segmentation.bits, number, stock)?;
            }
        }
        let lengths = PersistPart::lengths(&set);
        (0..set.segments.len())
            .try_for_each(|number| set.inspect_segment(number, &lengths, &file, inspector))?;
        file.finish()?;
        let most = self.stock.permits.as_ref().map(|permits| permits.load(Ordering::Relaxed));
        set.stock.permits = most.map(|most| most.saturating_sub(states).into());
        *self = set;
        Ok(())
    }

    fn places(&self, segment: usize) -> Range<u64> {
        0..self.segments.get(segment).map_or(0, |segment| u64::from(segment.length))
    }
}

impl<S: Stride> PersistPart for Exact<S> {
    fn lengths(&self) -> Vec<u64> {
        self.segments.iter().map(|segment| u64::from(segment.length)).collect()
    }

    fn save_segment(&mut self, number: usize, file: &mut Writer) -> Result<(), ResourceError> {
        Ok(self.segments.get(number).map_or(Ok(()), |segment| segment.save(file, &self.stock.shape))?)
    }

    fn restore_segment(
        &mut self,
        number: usize,
        length: u64,
        file: &mut Reader,
        _: &mut Inspector<'_>,
    ) -> Result<(), ResourceError> {
        let Exact { stride, segmentation, segments, stock, steps: _ } = self;
        // Memory is not taken for what cannot be there.
        let each = size_of::<u32>() + stock.shape.bytes();
        let fits = length <= u64::from(most(*segmentation)) && file.has(u128::from(length) * each as u128);
        let segment = segments.get_mut(number).filter(|segment| fits && segment.length == 0);
        let segment = segment.ok_or_else(|| file.unexpected())?;
        segment.restore(file, length as u32, *stride, segmentation.bits, number, stock)
    }

    fn skip_segment(&self, length: u64, file: &mut Reader) -> Result<(), ResourceError> {
        Ok(Segment::skip(file, length, &self.stock.shape)?)
    }

    /// Looks at every state, and at where it comes from: all of them may be expanded, or lie on a
    /// trace.
    fn inspect_segment(
        &self,
        number: usize,
        lengths: &[u64],
        file: &Reader,
        inspector: &mut Inspector<'_>,
    ) -> Result<(), ResourceError> {
        let shape = self.stock.shape;
        let mut state = Vec::new();
        let Some(segment) = self.segments.get(number) else { return Ok(()) };
        for place in 0..segment.length {
            state.clear();
            segment.load(place, self.stride, &shape, &mut state);
            let origin = segment.origin(place, &shape).and_then(Origin::predecessor);
            let is_known = origin.is_none_or(|index| {
                let length = lengths.get(self.segmentation.of_index(index));
                length.is_some_and(|&length| self.segmentation.place(index) < length)
            });
            // A state in the segment of another would never be found again.
            let is_here = self.segmentation.of_hash(hash(&state)) == number;
            if !is_known || !is_here || !inspector.accepts(&state) {
                return Err(file.unexpected().into());
            }
        }
        Ok(())
    }
}
