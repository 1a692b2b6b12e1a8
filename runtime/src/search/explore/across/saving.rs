//! Checkpoints of several processes, in one directory that all of them see.
//!
//! Each process writes a file `part` with its number: the segments of all processes as a power of
//! two, its first segment, the number of states of each of its segments, figures of its part of the
//! set, these segments one after the other, and the frontiers of its threads with their number
//! before them. Process 0 writes the file `search` as well, has all others answer with the length
//! and the checksum of what they have written and synced, finds their files where they should be,
//! and commits the manifest with all of these last. So there is the older checkpoint, or the whole
//! new one.
//!
//! Numbers of states do not name processes: who resumes the search reads the parts that have
//! segments of its own, and takes these out of them.

use super::{Part, Search};
use crate::checkpoint::{Reader, Saved};
use crate::cluster::frames::Frame;
use crate::frontier::Level;
use crate::frontier::levels::Levels;
use crate::search::across::letters::{Answer, Decision, read, write};
use crate::search::saving::{Parts, SavedSearch, Totals, restore_search, save_search};
use crate::search::{CheckpointFailed, Counts, Ending};
use crate::state::validity::Inspector;
use crate::storage::{Operation, Purpose, ResourceError, StorageError};
use crate::visited::{Segmentation, Visited};
use std::ops::Range;
use std::time::Instant;

fn unable() -> StorageError {
    StorageError::new(Purpose::SavedStates, Operation::Create, &std::io::ErrorKind::Unsupported.into())
}

fn range_of(levels: &[Levels]) -> Range<usize> {
    let ranges = || levels.iter().map(Levels::segments);
    ranges().next().map_or(0, |range| range.start)..ranges().last().map_or(0, |range| range.end)
}

/// Writes the part of a process.
fn save_part(
    visited: &mut dyn Visited,
    levels: &mut [Levels],
    process: usize,
    checkpoint: &mut crate::checkpoint::Transaction<'_>,
) -> Result<(), ResourceError> {
    let bits = visited.segmentation().bits;
    let set = visited.persist_part().ok_or_else(unable)?;
    let range = range_of(levels);
    let mut file = checkpoint.create(&format!("part{process}"), Purpose::SavedStates)?;
    file.words(&[u64::from(bits), range.start as u64])?;
    file.list(set.lengths().get(range.clone()).unwrap_or_default())?;
    file.list(&set.figures())?;
    range.into_iter().try_for_each(|number| set.save_segment(number, &mut file))?;
    file.number(levels.len() as u64)?;
    levels.iter_mut().try_for_each(|levels| levels.save_part(&mut file))?;
    checkpoint.add(file.finish()?);
    Ok(())
}

/// The beginning of a part: its first segment, the lengths of its segments, and figures of the set.
fn head(file: &mut Reader, segmentation: Segmentation) -> Result<(usize, Vec<u64>, Vec<u64>), StorageError> {
    if file.number()? != u64::from(segmentation.bits) {
        return Err(file.unexpected());
    }
    let first = file.at_most(segmentation.segments() as u64)? as usize;
    let lengths = file.counter_list()?;
    if first + lengths.len() > segmentation.segments() {
        return Err(file.unexpected());
    }
    let figures = file.counter_list()?;
    Ok((first, lengths, figures))
}

/// Restores the segments of these frontiers, and the frontiers. Returns the level, and the number
/// of states of all processes.
fn restore_parts(
    saved: &Saved,
    visited: &mut dyn Visited,
    levels: &mut [Levels],
    inspector: &mut Inspector<'_>,
    reports: bool,
) -> Result<(Level, u64), ResourceError> {
    let segmentation = visited.segmentation();
    let set = visited.persist_part().ok_or_else(unable)?;
    let open = |part: u64| saved.reader(&format!("part{part}"), Purpose::SavedStates);
    let parts = saved.fact("parts").unwrap_or(0);
    let (mut lengths, mut figures) = (Vec::new(), Vec::new());
    for part in 0..parts {
        let mut file = open(part)?;
        let (first, more, counted) = head(&mut file, segmentation)?;
        // Each segment is in one part.
        if first != lengths.len() {
            return Err(file.unexpected().into());
        }
        lengths.extend(more);
        figures.push(counted);
    }
    if lengths.len() != segmentation.segments() || !set.restore_figures(&figures, reports) {
        return Err(unable().into());
    }
    let owned = range_of(levels);
    let mut level = None;
    for part in 0..parts {
        let mut file = open(part)?;
        let (first, more, _) = head(&mut file, segmentation)?;
        let segments = first..first + more.len();
        if segments.end <= owned.start || owned.end <= segments.start {
            continue;
        }
        for (number, &length) in segments.clone().zip(&more) {
            match owned.contains(&number) {
                true => set.restore_segment(number, length, &mut file, inspector)?,
                false => set.skip_segment(length, &mut file)?,
            }
        }
        for number in segments.clone().filter(|number| owned.contains(number)) {
            set.inspect_segment(number, &lengths, &file, inspector)?;
        }
        let mut next = segments.start;
        for _ in 0..file.at_most(segments.len() as u64)? {
            let (found, range) = Levels::restore_part(&mut file, levels, segmentation, &lengths)?;
            if range.start != next || level.is_some_and(|level| level != found) {
                return Err(file.unexpected().into());
            }
            (next, level) = (range.end, Some(found));
        }
        if next != segments.end {
            return Err(file.unexpected().into());
        }
        file.finish()?;
    }
    let mut next = levels.iter().flat_map(Levels::next_places);
    if next.any(|(segment, place)| place < set.first_place(segment)) {
        return Err(unable().into());
    }
    let level = level.filter(|level| level.0 == saved.manifest().standing.level).ok_or_else(unable)?;
    Ok((level, lengths.iter().sum()))
}

impl Search<'_, '_> {
    /// Goes on from what was saved, if the search was.
    pub(super) fn resume_across(&mut self, part: &mut Part<'_>) -> Result<(), Ending> {
        let Some(checkpoints) = &self.checkpoints else { return Ok(()) };
        let Some(saved) = checkpoints.saved() else { return Ok(()) };
        let description = self.model.description();
        let mut inspector = Inspector::new(description, self.codec);
        let reports = part.hub.me == 0;
        let (level, states) =
            restore_parts(saved, &mut *self.visited, &mut part.levels, &mut inspector, reports)?;
        part.has_started = true;
        if part.hub.me != 0 {
            return Ok(());
        }
        // What was counted belongs to all, and process 0 reports for all.
        let mut file = saved.reader("search", Purpose::SavedSearch).map_err(ResourceError::from)?;
        let SavedSearch { totals, findings, reported, spilled, peak_memory } =
            restore_search(&mut file, description, self.budget)?;
        let standing = &saved.manifest().standing;
        let said = (standing.level, standing.states, standing.states, standing.errors);
        if said != (level.0, totals.states, states, findings.all().found) {
            return Err(ResourceError::from(file.unexpected()).into());
        }
        file.finish().map_err(ResourceError::from)?;
        let counts = Counts {
            states: totals.states,
            rules: totals.rules,
            depth: totals.depth,
            queue: part.levels.iter().map(crate::frontier::Frontier::len).sum(),
            memory: self.budget.used(),
            repeated: None,
        };
        let seconds = checkpoints.seconds_before();
        if let Some(worker) = self.workers.first_mut() {
            worker.take_over(&totals);
        }
        (*self.findings, self.reported, self.spilled_before) = (findings, reported, spilled);
        self.budget.raise_peak(peak_memory);
        self.observer.resumed(&counts, seconds);
        let observer = &mut *self.observer;
        self.findings.kept().iter().for_each(|finding| observer.found(finding));
        Ok(())
    }

    /// Writes the part of this process.
    pub(super) fn save_part(&mut self, part: &mut Part<'_>, generation: u64) -> Answer {
        let Some(checkpoints) = &mut self.checkpoints else {
            return Answer::NotSaved("it was started without --checkpoint".to_owned());
        };
        let (visited, levels, me) = (&mut *self.visited, &mut part.levels[..], part.hub.me);
        match checkpoints.write_part(generation, |checkpoint| save_part(visited, levels, me, checkpoint)) {
            Ok(entries) => Answer::Saved(entries),
            Err(error) => Answer::NotSaved(error.to_string()),
        }
    }

    /// Has all processes save the search if it is time. If that fails the search goes on, and the
    /// checkpoint before is still there.
    pub(super) fn save_across(&mut self, part: &mut Part<'_>) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        let level = part.levels.first().map(Levels::level).unwrap_or_default();
        let is_last = self.settings.max_depth == Some(level.0);
        if checkpoints.has(level) || !is_last && Instant::now() < checkpoints.due() {
            return;
        }
        let description = self.model.description();
        let mut totals = Totals::new(description);
        self.workers.iter().for_each(|worker| worker.add_to(&mut totals));
        part.others.iter().for_each(|report| {
            report.counted.add_to(&mut totals, description);
        });
        let (visited, levels, hub) = (&mut *self.visited, &mut part.levels, part.hub);
        let mut complaints = Vec::new();
        let findings = &*self.findings;
        let spilled = self.supply.spilled().map(|own| own.after(self.spilled_before));
        let spilled = spilled.map(|own| own.and(super::spilled(&part.others)));
        let (reported, peak_memory) = (&self.reported, self.budget.peak());
        let errors = findings.all().found;
        let segment_bits = u64::from(visited.segmentation().bits);
        let facts = visited.persist_part().map(|set| set.facts()).unwrap_or_default();
        let written = checkpoints.write(level, totals.states, errors, |checkpoint| {
            let generation = checkpoint.generation();
            hub.send_to_all(&Frame::Letter(&write(&Decision::Save(generation))));
            let mut own = save_part(visited, levels, hub.me, checkpoint);
            own = own.and_then(|()| {
                let mut file = checkpoint.create("search", Purpose::SavedSearch)?;
                let Some(levels) = levels.first_mut() else { return Err(unable().into()) };
                let totals = &totals;
                let parts = Parts { totals, findings, reported, spilled, peak_memory, levels };
                save_search(parts, &mut file)?;
                checkpoint.add(file.finish()?);
                Ok(())
            });
            // All answers are heard, also if one says no: the next letter is another one.
            for process in hub.others() {
                let answer = hub.letter(process).and_then(|letter| read(&letter));
                let complaint = match answer {
                    Some(Answer::Saved(entries)) => {
                        entries.into_iter().try_for_each(|entry| checkpoint.adopt(entry)).err().map(|error| {
                            format!("{error}; --checkpoint-directory must be one that all share")
                        })
                    }
                    Some(Answer::NotSaved(why)) => Some(why),
                    Some(_) | None => Some("it does not answer".to_owned()),
                };
                complaints.extend(complaint.map(|why| format!("process {process}: {why}")));
            }
            own?;
            if !complaints.is_empty() {
                return Err(unable().into());
            }
            facts.iter().for_each(|&(name, value)| checkpoint.fact(name, value));
            checkpoint.fact("segment_bits", segment_bits);
            checkpoint.fact("parts", hub.count() as u64);
            Ok(())
        });
        for why in complaints {
            self.observer.warned(&format!("the search could not be saved: {}", crate::text::printable(&why)));
        }
        if let Err(shortage) = written {
            let (checkpoints, settings) = (checkpoints.figures(), self.settings);
            self.observer.checkpoint_failed(&CheckpointFailed { shortage, level, checkpoints, settings });
        }
    }
}
