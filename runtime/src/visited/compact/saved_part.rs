//! The parts of a compact set in a checkpoint of several processes. The manifest has the slots of a
//! region. The figures of a process are how many states were found in each level, and then for each
//! level the most that a region had at its end. Of each segment follow each other:
//!
//! - its region of the table: its slots in whole bytes each, where what is empty is left out in
//!   pieces;
//! - its states that wait, and its records.
//!
//! Between two levels there are no newcomers: where several processes have parts, the table is used
//! from the first state on.

use super::filling::Slots;
use super::table::Table;
use super::{Compact, Segment};
use crate::checkpoint::stream::PIECE;
use crate::checkpoint::{PersistPart, Reader, Writer};
use crate::state::validity::Inspector;
use crate::storage::{ResourceError, StorageError};
use crate::visited::records::Log;
use crate::visited::waiting::Waiting;
use std::ops::Range;
use std::sync::PoisonError;

/// How slots are written: whole bytes for each.
#[derive(Clone, Copy)]
struct Form {
    /// Bytes of a slot.
    width: usize,
    slots: u64,
}

impl Form {
    /// Slots that are written together, as ranges of their numbers in the region.
    fn pieces(self) -> impl Iterator<Item = Range<u64>> {
        let each = PIECE / self.width;
        (0..self.slots).step_by(each).map(move |first| first..self.slots.min(first + each as u64))
    }
}

impl Table {
    /// `None`: the table is in one piece.
    fn form(&self) -> Option<Form> {
        Some(Form { width: self.bits().get().div_ceil(8) as usize, slots: self.region_slots()? })
    }

    fn save_region(&self, first: u64, form: Form, file: &mut Writer) -> Result<(), StorageError> {
        let mut bytes = Vec::with_capacity(PIECE);
        for piece in form.pieces() {
            bytes.clear();
            for slot in piece {
                bytes.extend_from_slice(&self.get(first + slot).to_le_bytes()[..form.width]);
            }
            file.sparse(&bytes)?;
        }
        Ok(())
    }

    /// Says how many slots are taken.
    fn restore_region(&self, first: u64, form: Form, file: &mut Reader) -> Result<u64, StorageError> {
        let (mut bytes, mut taken) = (Vec::with_capacity(PIECE), 0);
        for piece in form.pieces() {
            bytes.clear();
            bytes.resize((piece.end - piece.start) as usize * form.width, 0);
            file.sparse(&mut bytes)?;
            for (slot, bytes) in piece.zip(bytes.chunks(form.width)) {
                let mut value = [0; 8];
                value[..form.width].copy_from_slice(bytes);
                let value = u64::from_le_bytes(value);
                if value > self.bits().signatures() {
                    return Err(file.unexpected());
                }
                // Memory that is not touched is not taken.
                if value != 0 {
                    self.set(first + slot, value);
                    taken += 1;
                }
            }
        }
        Ok(taken)
    }
}

fn skip_region(form: Form, file: &mut Reader) -> Result<(), StorageError> {
    let mut bytes = Vec::with_capacity(PIECE);
    for piece in form.pieces() {
        bytes.clear();
        bytes.resize((piece.end - piece.start) as usize * form.width, 0);
        file.sparse(&mut bytes)?;
    }
    Ok(())
}

impl Compact {
    /// If it is one of several parts.
    pub(super) fn persistent_part(&mut self) -> Option<&mut dyn PersistPart> {
        self.common.table.form()?;
        Some(self)
    }
}

impl PersistPart for Compact {
    fn facts(&self) -> Vec<(&'static str, u64)> {
        self.common.table.region_slots().map(|slots| ("region_slots", slots)).into_iter().collect()
    }

    fn figures(&self) -> Vec<u64> {
        let found = self.common.found.lock().unwrap_or_else(PoisonError::into_inner);
        let fullest = self.common.fullest.lock().unwrap_or_else(PoisonError::into_inner);
        found.iter().chain(fullest.iter()).copied().collect()
    }

    /// All count levels alike; what others found is reported by one of them.
    fn restore_figures(&mut self, of_parts: &[Vec<u64>], reports: bool) -> bool {
        let levels = of_parts.first().map_or(0, Vec::len) / 2;
        if of_parts.iter().any(|figures| figures.len() != 2 * levels) {
            return false;
        }
        let (mut found, mut fullest) = (vec![0u64; levels], vec![0u64; levels]);
        for figures in of_parts.iter().filter(|_| reports) {
            let (new, most) = figures.split_at(levels);
            found.iter_mut().zip(new).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
            fullest.iter_mut().zip(most).for_each(|(most, other)| *most = (*most).max(*other));
        }
        *self.common.found.get_mut().unwrap_or_else(PoisonError::into_inner) = found;
        *self.common.fullest.get_mut().unwrap_or_else(PoisonError::into_inner) = fullest;
        true
    }

    fn lengths(&self) -> Vec<u64> {
        self.segments.iter().map(|segment| segment.waiting.next()).collect()
    }

    fn save_segment(&mut self, number: usize, file: &mut Writer) -> Result<(), ResourceError> {
        let Compact { common, segments } = self;
        let (Some(form), Some(segment)) = (common.table.form(), segments.get_mut(number)) else {
            return Ok(());
        };
        common.table.save_region(common.table.first_slot(number), form, file)?;
        segment.waiting.save(file)?;
        Ok(segment.log.save(&common.records, file)?)
    }

    fn restore_segment(
        &mut self,
        number: usize,
        length: u64,
        file: &mut Reader,
        inspector: &mut Inspector<'_>,
    ) -> Result<(), ResourceError> {
        let Compact { common, segments } = self;
        let (Some(form), Some(segment)) = (common.table.form(), segments.get_mut(number)) else {
            return Err(file.unexpected().into());
        };
        let taken = common.table.restore_region(common.table.first_slot(number), form, file)?;
        let Segment { waiting, log, counted, .. } = segment;
        let (h3, segmentation) = (&common.h3, common.segmentation);
        waiting.restore(common.words, segmentation.places(), file, &mut |state| {
            let mut is_here = true;
            // A state in the segment of another would never be found again.
            h3.digest(state, |places, _| {
                is_here &= places.iter().all(|&place| segmentation.of_hash(place) == number);
            });
            is_here && inspector.accepts(state)
        })?;
        log.restore(&common.records, length, file)?;
        *counted = length;
        // Looking up a state ends at an empty slot.
        if waiting.next() != length || taken > length || length > common.table.room_of_segment() {
            return Err(file.unexpected().into());
        }
        let permits = common.permits.get_mut();
        *permits = permits.saturating_sub(length);
        Ok(())
    }

    fn first_place(&self, segment: usize) -> u64 {
        self.segments.get(segment).map_or(0, |segment| segment.waiting.numbers().start)
    }

    fn skip_segment(&self, length: u64, file: &mut Reader) -> Result<(), ResourceError> {
        let Some(form) = self.common.table.form() else { return Err(file.unexpected().into()) };
        skip_region(form, file)?;
        Waiting::skip(self.common.words, self.common.segmentation.places(), file)?;
        Ok(Log::skip(length, file)?)
    }

    /// The states that wait were inspected when they were read; there are no others.
    fn inspect_segment(
        &self,
        _: usize,
        _: &[u64],
        _: &Reader,
        _: &mut Inspector<'_>,
    ) -> Result<(), ResourceError> {
        Ok(())
    }
}
