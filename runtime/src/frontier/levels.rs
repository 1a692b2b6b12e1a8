//! First in, first out, a level at a time: breadth first.
//!
//! A segment of the visited set keeps its states in the order in which they were found, so those of
//! one level lie one behind the other in it. What the frontier keeps is only in which segment the
//! next state is: two bytes for each state that waits, in one queue for both levels.
//!
//! Segment after segment would need no memory at all. But states that were found one after the
//! other have successors in common; if they are not expanded one after the other, these successors
//! are looked up when they have long left the processor's caches. That costs five to eleven percent
//! of the time.

use super::left_out::LeftOut;
use super::{Frontier, Level, Taken};
use crate::checkpoint::{Reader, Writer};
use crate::spool::Supply;
use crate::spool::sequence::Sequence;
use crate::storage::ResourceError;
use crate::visited::numbers::NUMBER_BITS;
use crate::visited::{Renumbering, Segmentation, Share, StateIndex};
use std::ops::Range;

/// Bytes that a queue keeps although it is empty, and a little more.
const SLACK: u64 = 16 << 10;

/// The states of the level at work, and those found for the next one, in some segments.
#[derive(Debug)]
pub struct Levels {
    segmentation: Segmentation,
    /// The level of the states that are taken, and that of those that are found.
    level: Level,
    next: Level,
    /// No state of the level was taken yet.
    untouched: bool,
    /// The number of the first segment.
    first: usize,
    /// For each segment, the place of the state that is taken next.
    places: Vec<u64>,
    /// The segments of the states that wait, and how many of them belong to the level at work.
    waiting: Sequence,
    left: u64,
    /// States that are taken next.
    ahead: Vec<StateIndex>,
    /// States that are not to be expanded, of the level at work and of the next one.
    left_out: LeftOut,
    leaving_out: LeftOut,
    supply: Supply,
}

impl Levels {
    /// Before the start states, which are the level to come.
    pub fn new(segmentation: Segmentation, supply: Supply) -> Self {
        Self::of(segmentation, 0..segmentation.segments(), supply)
    }

    /// Before the start states, in some of the segments.
    pub fn of(segmentation: Segmentation, segments: Range<usize>, supply: Supply) -> Self {
        Levels {
            segmentation,
            level: Level::default(),
            next: Level::default(),
            untouched: false,
            first: segments.start,
            places: vec![0; segments.len()],
            waiting: Sequence::new(&supply),
            left: 0,
            ahead: Vec::new(),
            left_out: LeftOut::new(supply.budget().clone()),
            leaving_out: LeftOut::new(supply.budget().clone()),
            supply,
        }
    }

    /// Whether the search stands between two levels, where it may be split, joined or renumbered.
    pub fn between_levels(&self) -> bool {
        self.untouched
    }

    /// The level of the states that are found now.
    pub fn found(&self) -> Level {
        self.next
    }

    /// Deals the segments out to `owners`, between two levels. `None`: there is too little memory
    /// for that, and nothing was done.
    pub fn split(&mut self, owners: usize) -> Result<Option<Vec<Levels>>, ResourceError> {
        let mut parts: Vec<Levels> = (0..owners)
            .map(|owner| {
                let owned = self.segmentation.owned(owner, owners);
                let mut part = Self::of(self.segmentation, owned.clone(), self.supply.clone());
                (part.level, part.next, part.untouched) = (self.level, self.next, self.untouched);
                part.places.copy_from_slice(&self.places[owned]);
                part
            })
            .collect();
        // Blocks are emptied here as fast as they are filled there, but for the first ones and some
        // that are kept.
        let room = parts.iter_mut().all(|part| part.waiting.make_room().is_ok());
        if !room || self.supply.budget().take(SLACK).is_err() {
            return Ok(None);
        }
        self.supply.budget().give_back(SLACK);
        while let Some(segment) = self.waiting.pop()? {
            let part = &mut parts[self.segmentation.owner_of_segment(segment as usize, owners)];
            part.waiting.push(segment)?;
            part.left += 1;
        }
        self.left = 0;
        let left_out = std::mem::replace(&mut self.left_out, LeftOut::new(self.supply.budget().clone()));
        for state in left_out.iter() {
            let segment = self.segmentation.of_index(state);
            parts[self.segmentation.owner_of_segment(segment, owners)].left_out.insert(state)?;
        }
        Ok(Some(parts))
    }

    /// Puts the parts together again, between two levels.
    pub fn join(&mut self, parts: Vec<Levels>) -> Result<(), ResourceError> {
        *self = Self::of(self.segmentation, 0..0, self.supply.clone());
        for mut part in parts {
            (self.level, self.next, self.untouched) = (part.level, part.next, part.untouched);
            self.places.extend(part.places);
            while let Some(segment) = part.waiting.pop()? {
                self.waiting.push(segment)?;
                self.left += 1;
            }
            part.left_out.iter().try_for_each(|state| self.left_out.insert(state))?;
        }
        Ok(())
    }

    /// Writes all there is between two levels: the segments as a power of two, the level, for each
    /// segment the place of the next state, the states that are left out, and the number of those
    /// that wait with the segment of each, two bytes.
    pub fn save(&mut self, file: &mut Writer) -> Result<(), ResourceError> {
        file.number(u64::from(self.segmentation.bits))?;
        file.number(u64::from(self.level.0))?;
        file.list(&self.places)?;
        let mut left_out: Vec<u64> = self.left_out.iter().map(|state| state.0).collect();
        left_out.sort_unstable();
        file.list(&left_out)?;
        self.waiting.save(file)
    }

    /// Restores the frontier for a visited set of these segments, which has states at these places
    /// of each.
    pub fn restore(
        file: &mut Reader,
        segmentation: Segmentation,
        places_of: &dyn Fn(usize) -> Range<u64>,
        supply: Supply,
    ) -> Result<Self, ResourceError> {
        let segments = segmentation.segments();
        let mut levels = Self::new(segmentation, supply);
        if file.number()? != u64::from(segmentation.bits) {
            return Err(file.unexpected().into());
        }
        levels.level = Level(file.at_most(u64::from(u32::MAX / 2))? as u32);
        (levels.next, levels.untouched) = (levels.level.next(), true);
        let places = file.list()?;
        let left_out = file.list()?;
        if places.len() != segments || places.iter().any(|&place| place > 1 << NUMBER_BITS) {
            return Err(file.unexpected().into());
        }
        levels.places.clone_from(&places);
        left_out.iter().try_for_each(|&state| levels.left_out.insert(StateIndex(state)))?;
        levels.left = file.number()?;
        let mut ends = places.clone();
        for _ in 0..levels.left {
            let mut segment = [0; 2];
            file.bytes(&mut segment)?;
            let segment = u16::from_le_bytes(segment);
            if usize::from(segment) >= segments {
                return Err(file.unexpected().into());
            }
            levels.waiting.push(segment)?;
            ends[usize::from(segment)] += 1;
        }
        // All that was found waits, or was taken; and what is left out is among what waits.
        let right = |(segment, (&place, &end)): (usize, (&u64, &u64))| {
            let there = places_of(segment);
            there.start <= place && there.end == end
        };
        let waits = |state: StateIndex| {
            let (segment, place) = (segmentation.of_index(state), segmentation.place(state));
            (places[segment]..ends[segment]).contains(&place)
        };
        if !places.iter().zip(&ends).enumerate().all(right)
            || levels.left_out.len() != left_out.len()
            || !levels.left_out.iter().all(waits)
        {
            return Err(file.unexpected().into());
        }
        Ok(levels)
    }

    /// The segments whose states wait here.
    pub fn segments(&self) -> Range<usize> {
        self.first..self.first + self.places.len()
    }

    /// The place of the next state of each segment.
    pub fn next_places(&self) -> impl Iterator<Item = (usize, u64)> {
        self.segments().zip(self.places.iter().copied())
    }

    /// Writes the number of the first segment, and then what [`Levels::save`] writes.
    pub fn save_part(&mut self, file: &mut Writer) -> Result<(), ResourceError> {
        file.number(self.first as u64)?;
        self.save(file)
    }

    /// Restores what [`Levels::save_part`] wrote: each of `parts` takes what is in its segments.
    /// The visited set has segments of these lengths. Returns the level, and for which segments it
    /// was.
    pub fn restore_part(
        file: &mut Reader,
        parts: &mut [Levels],
        segmentation: Segmentation,
        lengths: &[u64],
    ) -> Result<(Level, Range<usize>), ResourceError> {
        let first = file.at_most(lengths.len() as u64)? as usize;
        if file.number()? != u64::from(segmentation.bits) {
            return Err(file.unexpected().into());
        }
        let level = Level(file.at_most(u64::from(u32::MAX / 2))? as u32);
        let (places, left_out) = (file.list()?, file.list()?);
        let segments = first..first + places.len();
        let Some(lengths) = lengths.get(segments.clone()) else { return Err(file.unexpected().into()) };
        if places.iter().zip(lengths).any(|(place, length)| place > length) {
            return Err(file.unexpected().into());
        }
        for part in parts.iter_mut() {
            (part.level, part.next, part.untouched) = (level, level.next(), true);
        }
        let of = |parts: &[Levels], segment: usize| {
            parts.iter().position(|part| part.segments().contains(&segment))
        };
        for (segment, &place) in segments.clone().zip(&places) {
            if let Some(part) = of(parts, segment).and_then(|at| parts.get_mut(at)) {
                part.places[segment - part.first] = place;
            }
        }
        let mut ends = places.clone();
        for _ in 0..file.number()? {
            let mut segment = [0; 2];
            file.bytes(&mut segment)?;
            let number = u16::from_le_bytes(segment);
            let segment = usize::from(number);
            if !segments.contains(&segment) {
                return Err(file.unexpected().into());
            }
            ends[segment - first] += 1;
            if let Some(part) = of(parts, segment).and_then(|at| parts.get_mut(at)) {
                part.waiting.push(number)?;
                part.left += 1;
            }
        }
        let mut sorted = left_out.clone();
        sorted.dedup();
        let waits = |&state: &u64| {
            let (segment, place) =
                (segmentation.of_index(StateIndex(state)), segmentation.place(StateIndex(state)));
            segments.contains(&segment) && (places[segment - first]..ends[segment - first]).contains(&place)
        };
        // All that was found waits, or was taken; and what is left out is among what waits.
        if ends != *lengths || sorted.len() != left_out.len() || !left_out.iter().all(waits) {
            return Err(file.unexpected().into());
        }
        for state in left_out.into_iter().map(StateIndex) {
            if let Some(part) = of(parts, segmentation.of_index(state)).and_then(|at| parts.get_mut(at)) {
                part.left_out.insert(state)?;
            }
        }
        Ok((level, segments))
    }

    /// The level of the states that wait.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Finds out which states are next, and asks for them.
    fn look_ahead(&mut self, share: &dyn Share, most: usize) -> Result<(), ResourceError> {
        while self.ahead.len() < most && self.left > 0 {
            let Some(segment) = self.waiting.pop()? else { break };
            self.left -= 1;
            let segment = segment as usize;
            let place = &mut self.places[segment - self.first];
            self.ahead.push(self.segmentation.index(segment, *place));
            *place += 1;
        }
        share.prefetch(&self.ahead);
        Ok(())
    }
}

impl Frontier for Levels {
    fn push(&mut self, _: Level, states: &[StateIndex]) -> Result<(), ResourceError> {
        states.iter().try_for_each(|&state| self.waiting.push(self.segmentation.of_index(state) as u16))
    }

    fn leave_out(&mut self, state: StateIndex) -> Result<(), ResourceError> {
        self.leaving_out.insert(state)?;
        self.push(self.next, &[state])
    }

    fn take(
        &mut self,
        share: &mut dyn Share,
        most: usize,
        taken: &mut Taken,
    ) -> Result<Option<Level>, ResourceError> {
        self.untouched = false;
        while taken.indices.is_empty() {
            if self.ahead.is_empty() {
                self.look_ahead(share, most)?;
                if self.ahead.is_empty() {
                    return Ok(None);
                }
            }
            std::mem::swap(&mut taken.indices, &mut self.ahead);
            self.ahead.clear();
            self.look_ahead(share, most)?;
            if !self.left_out.is_empty() {
                taken.indices.retain(|index| !self.left_out.remove(*index));
            }
        }
        share.load(&taken.indices, &mut taken.words)?;
        Ok(Some(self.level))
    }

    fn advance(&mut self) -> u64 {
        (self.level, self.next, self.untouched) = (self.next, self.next.next(), true);
        self.left = self.waiting.len();
        let new = LeftOut::new(self.supply.budget().clone());
        self.left_out = std::mem::replace(&mut self.leaving_out, new);
        self.len()
    }

    fn len(&self) -> u64 {
        let all = self.waiting.len() + self.ahead.len() as u64;
        all - (self.left_out.len() + self.leaving_out.len()) as u64
    }

    fn left(&self) -> u64 {
        self.left + self.ahead.len() as u64
    }

    fn renumber(&mut self, renumbering: &Renumbering) -> Result<(), ResourceError> {
        let Renumbering { segmentation, ref indices } = *renumbering;
        let mut new = Levels::of(segmentation, 0..segmentation.segments(), self.supply.clone());
        (new.level, new.next, new.untouched) = (self.level, self.next, self.untouched);
        let taken = self.places.first().copied().unwrap_or(0) as usize;
        for (old, &index) in indices.iter().enumerate() {
            let segment = segmentation.of_index(index);
            if old < taken {
                new.places[segment] += 1;
            } else {
                new.waiting.push(segment as u16)?;
                new.left += 1;
            }
        }
        for old in self.left_out.iter() {
            if let Some(state) = renumbering.new_number(old) {
                new.left_out.insert(state)?;
            }
        }
        *self = new;
        Ok(())
    }
}
