//! The compact set in a checkpoint. The manifest has the number of segments and of slots. In the
//! file `visited` follow each other:
//!
//! - the states that are found without using the table, and how many were found in each level;
//! - whether the table is in use, and then its slots, word by word, where what is empty is left out
//!   in pieces;
//! - for each segment its newcomers, its states that wait, and its records.

use super::filling::Slots;
use super::table::Table;
use super::{Compact, Probing};
use crate::checkpoint::stream::PIECE;
use crate::checkpoint::{Persist, Reader, Saved, Transaction, Writer};
use crate::hashing::h3::Digest;
use crate::state::validity::Inspector;
use crate::storage::ResourceError;
use crate::storage::{Purpose, StorageError};
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// Words of a piece of the table.
const WORDS: usize = PIECE / size_of::<u64>();

impl Table {
    fn save(&self, file: &mut Writer) -> Result<(), StorageError> {
        let mut bytes = [0; PIECE];
        for start in (0..self.words).step_by(WORDS) {
            let count = WORDS.min(self.words - start);
            for (at, place) in bytes.as_chunks_mut::<8>().0.iter_mut().take(count).enumerate() {
                *place = self.word(start + at).load(Ordering::Relaxed).to_le_bytes();
            }
            file.sparse(&bytes[..count * size_of::<u64>()])?;
        }
        Ok(())
    }

    fn restore(&mut self, file: &mut Reader) -> Result<(), StorageError> {
        let mut bytes = [0; PIECE];
        for start in (0..self.words).step_by(WORDS) {
            let count = WORDS.min(self.words - start);
            bytes.fill(0);
            file.sparse(&mut bytes[..count * size_of::<u64>()])?;
            for (at, word) in bytes.as_chunks::<8>().0.iter().take(count).enumerate() {
                let word = u64::from_le_bytes(*word);
                // Memory that is not touched is not taken.
                if word != 0 {
                    self.word(start + at).store(word, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    /// How many slots are taken.
    fn filled(&self) -> u64 {
        (0..self.slots()).filter(|&slot| self.get(slot) != 0).count() as u64
    }
}

impl Compact {
    /// Depth first there is no moment at which it could be saved.
    pub(super) fn persistent(&mut self) -> Option<&mut dyn Persist> {
        match self.common.probing {
            Probing::Ordered => Some(self),
            Probing::Limited(_) => None,
        }
    }
}

impl Persist for Compact {
    fn save(&mut self, checkpoint: &mut Transaction<'_>) -> Result<(), ResourceError> {
        let Compact { common, segments } = self;
        checkpoint.fact("segment_bits", u64::from(common.segmentation.bits));
        checkpoint.fact("slots", common.table.slots());
        let mut file = checkpoint.create("visited", Purpose::SavedStates)?;
        file.number(common.small)?;
        let found = common.found.get_mut().unwrap_or_else(PoisonError::into_inner).clone();
        file.list(&found)?;
        let small = common.small_before(found.len());
        file.number(u64::from(!small))?;
        if !small {
            common.table.save(&mut file)?;
        }
        for segment in segments {
            file.number(segment.newcomers.len() as u64)?;
            for Digest { place, signature } in segment.newcomers.iter() {
                file.words(&[place, signature])?;
            }
            file.number(segment.counted)?;
            segment.waiting.save(&mut file)?;
            segment.log.save(&common.records, &mut file)?;
        }
        checkpoint.add(file.finish()?);
        Ok(())
    }

    fn restore(&mut self, saved: &Saved, inspector: &mut Inspector<'_>) -> Result<(), ResourceError> {
        let mut file = saved.reader("visited", Purpose::SavedStates)?;
        let Compact { common, segments } = self;
        let facts = ["segment_bits", "slots"].map(|name| saved.fact(name));
        if facts != [Some(u64::from(common.segmentation.bits)), Some(common.table.slots())] {
            return Err(file.unexpected().into());
        }
        common.small = file.counted()?;
        let found = file.counter_list()?;
        let levels = found.len();
        let all_found: u128 = found.iter().map(|&states| u128::from(states)).sum();
        *common.found.get_mut().unwrap_or_else(PoisonError::into_inner) = found;
        let in_use = file.at_most(1)? == 1;
        if in_use == common.small_before(levels) {
            return Err(file.unexpected().into());
        }
        if in_use {
            common.table.restore(&mut file)?;
        }
        let places = common.segmentation.places();
        let (mut states, mut counted) = (0, 0);
        for (number, segment) in segments.iter_mut().enumerate() {
            for _ in 0..file.count(16)? {
                let digest = Digest { place: file.number()?, signature: file.number()? };
                // Places of states are odd, and say to which segment they belong.
                if digest.place & 1 == 0 || common.segmentation.of_hash(digest.place) != number {
                    return Err(file.unexpected().into());
                }
                segment.newcomers.make_room()?;
                segment.newcomers.add(digest);
            }
            segment.counted = file.at_most(places)?;
            segment
                .waiting
                .restore(common.words, places, &mut file, &mut |state| inspector.accepts(state))?;
            segment.log.restore(&common.records, segment.waiting.next(), &mut file)?;
            if segment.counted > segment.waiting.next() {
                return Err(file.unexpected().into());
            }
            states += segment.waiting.next();
            counted += segment.counted;
        }
        // Looking up a state ends at an empty slot, so a table that is fuller than it can be is
        // none of ours.
        let filled = if in_use { common.table.filled() } else { 0 };
        if u128::from(counted) != all_found || filled > states || states > common.table.capacity() {
            return Err(file.unexpected().into());
        }
        file.finish()?;
        let permits = common.permits.get_mut();
        *permits = permits.saturating_sub(states);
        Ok(())
    }

    fn places(&self, segment: usize) -> Range<u64> {
        self.segments.get(segment).map_or(0..0, |segment| segment.waiting.numbers())
    }
}
