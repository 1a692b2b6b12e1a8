//! What is reported of a table of signatures: its figures, bounds on what it missed, and how large
//! it should have been.

#[cfg(test)]
use super::RegionStats;
use super::table::Table;
use super::{CompactStats, Probing};
use crate::bounds::assurance::{Assurance, at_most};
use crate::bounds::extrapolation::total;
use crate::bounds::{Levels, OmissionBounds, Probability, Shape, depth_first};
use crate::datum::Section;
use crate::hashing::signature::Bits;
use crate::text::{bytes, grouped, plural};
use crate::visited::InsertError;
use crate::visited::stats::{Explanation, SearchFacts, SetStats, SignatureTable};
use serde::{Deserialize, Serialize};

impl SetStats for CompactStats {
    fn sections(&self, search: &SearchFacts<'_>) -> Vec<Section> {
        let Some(assurance) = search.assurance else { return Vec::new() };
        let table = SignatureTable {
            bits: self.bits,
            slots: self.slots,
            table_bytes: self.table_bytes,
            record_bytes: self.record_bytes,
            levels: self.levels.iter().copied().filter(|&states| states > 0).collect(),
            probes: match self.probing {
                Probing::Ordered => None,
                Probing::Limited(probes) => Some(probes),
            },
        };
        vec![table.section(assurance, self.lines(assurance))]
    }

    fn assurance(&self, depth: u64, target: Option<Probability>) -> Option<Assurance> {
        Some(Assurance::of(self.bits, self.seed, target, |bits| self.bounds(depth, bits)))
    }

    fn letter(&self) -> Option<serde_json::Value> {
        let regions = self.regions.as_ref()?;
        let CompactStats { slots, states, levels, table_bytes, record_bytes, .. } = self;
        let letter = Letter {
            slots: *slots,
            region_slots: regions.slots,
            states: *states,
            levels: levels.clone(),
            fullest: regions.fullest.clone(),
            table_bytes: *table_bytes,
            record_bytes: *record_bytes,
        };
        serde_json::to_value(letter).ok()
    }

    fn join(&mut self, letter: &serde_json::Value) -> bool {
        let (Some(regions), Ok(letter)) = (&mut self.regions, Letter::deserialize(letter)) else {
            return false;
        };
        let levels = letter.levels.len().max(self.levels.len());
        self.levels.resize(levels, 0);
        self.levels.iter_mut().zip(&letter.levels).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
        // A process that has fewer levels has no more states afterwards either.
        let last = |fullest: &[u64]| fullest.last().copied().unwrap_or(0);
        let (here, there) = (last(&regions.fullest), last(&letter.fullest));
        regions.fullest.resize(levels, here);
        let there = letter.fullest.iter().copied().chain(std::iter::repeat(there));
        regions.fullest.iter_mut().zip(there).for_each(|(most, other)| *most = (*most).max(other));
        regions.slots = regions.slots.min(letter.region_slots).max(1);
        self.slots = self.slots.saturating_add(letter.slots);
        self.states = self.states.saturating_add(letter.states);
        self.table_bytes = self.table_bytes.saturating_add(letter.table_bytes);
        self.record_bytes = self.record_bytes.saturating_add(letter.record_bytes);
        true
    }

    fn explain(&self, error: InsertError, _: &SearchFacts<'_>) -> Option<Explanation> {
        match error {
            InsertError::Table => Some(Explanation {
                reason: format!(
                    "the table of {} slots of {} bits is full with {}, and there are more",
                    grouped(self.slots),
                    self.bits.get(),
                    plural(self.states, "state")
                ),
                advice: self.larger(),
            }),
            InsertError::Probes => Some(Explanation {
                reason: "all slots that may be probed for a state are taken (--probes)".to_owned(),
                advice: format!("a larger --probes, or {}", self.larger()),
            }),
            InsertError::Memory
            | InsertError::Room
            | InsertError::Numbers
            | InsertError::Collisions
            | InsertError::Disk(_)
            | InsertError::Stopped => None,
        }
    }
}

/// The figures of one process's regions.
#[derive(Serialize, Deserialize)]
struct Letter {
    slots: u64,
    region_slots: u64,
    states: u64,
    levels: Vec<u64>,
    fullest: Vec<u64>,
    table_bytes: u64,
    record_bytes: u64,
}

impl CompactStats {
    /// The bounds of the search if its slots had this many bits.
    fn bounds(&self, depth: u64, bits: Bits) -> OmissionBounds {
        let slots = self.regions.as_ref().map_or(self.slots, |regions| regions.slots);
        let shape = Shape { slots, collision: bits.likeliest() };
        match self.probing {
            Probing::Ordered => {
                let mut levels = Levels::new(shape);
                match &self.regions {
                    None => self.levels.iter().for_each(|&new| levels.finish(new)),
                    // As if each state were looked up in the region that is fullest.
                    Some(regions) => {
                        let ends = self.levels.iter().zip(&regions.fullest);
                        ends.for_each(|(&new, &fullest)| levels.finish_with(new, fullest));
                    }
                }
                levels.bounds()
            }
            Probing::Limited(probes) => depth_first(shape, probes, depth, self.states),
        }
    }

    fn lines(&self, assurance: &Assurance) -> Vec<String> {
        let CompactStats { bits, slots, states, table_bytes, .. } = self;
        let seeds: Vec<String> = assurance.runs.iter().map(|(seed, _)| seed.to_string()).collect();
        let table = format!(
            "signatures of {} bits in {} slots, {:.1} % full, {}; --seed {}",
            bits.get(),
            grouped(*slots),
            100.0 * *states as f64 / *slots as f64,
            bytes(*table_bytes),
            seeds.join(", ")
        );
        let one_more = assurance.one_more_bit.map(|better| {
            let factor = if assurance.runs.len() == 1 { "" } else { " a run" };
            format!(
                "with --bits {} it would be {}{factor}, for {} more",
                bits.get() + 1,
                at_most(better.any),
                bytes(slots / 8)
            )
        });
        [table, assurance.line()].into_iter().chain(one_more).collect()
    }

    /// What a full table should have been like.
    fn larger(&self) -> String {
        // The last level is not complete.
        let complete = self.levels.split_last().map_or(&[][..], |(_, complete)| complete);
        let (states, how) = match total(complete).filter(|&states| states > self.states) {
            Some(states) => (states, "by the levels so far there are about"),
            None => (2 * self.states, "how many states there are cannot be estimated; this is for"),
        };
        let slots = states + states / 20;
        let bytes = bytes(Table::bytes(self.bits, slots));
        let fewer = match self.bits.get() / 2 {
            few @ Bits::LEAST.. => format!(", or --bits {few}, which makes room for twice as many"),
            _ => String::new(),
        };
        format!("--slots {slots}, which takes {bytes} ({how} {}){fewer}", grouped(states))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(bits: u32) -> CompactStats {
        CompactStats {
            bits: Bits::new(bits).unwrap(),
            slots: 262_147,
            probing: Probing::Ordered,
            seed: 5,
            states: 262_143,
            levels: (0..18).map(|level| 1 << level).collect(),
            table_bytes: 0,
            record_bytes: 0,
            regions: None,
        }
    }

    /// Figures of several processes are added up, and the fullest region counts for all.
    #[test]
    fn processes_are_joined() {
        let part = |levels: &[u64], fullest: &[u64]| CompactStats {
            slots: 40,
            states: levels.iter().sum(),
            levels: levels.to_vec(),
            regions: Some(RegionStats { slots: 11, fullest: fullest.to_vec() }),
            ..tree(20)
        };
        let mut joined = part(&[1, 2], &[1, 2]);
        let other = part(&[0, 3, 4], &[0, 1, 5]);
        assert!(joined.join(&other.letter().unwrap()));
        let expected = RegionStats { slots: 11, fullest: vec![1, 2, 5] };
        assert_eq!((joined.states, joined.slots, &joined.levels[..]), (10, 80, &[1, 5, 4][..]));
        assert_eq!(joined.regions, Some(expected));
        // The last state was looked up where two others were, the next would be where five are.
        let shape = Shape { slots: 11, collision: joined.bits.likeliest() };
        let bounds = joined.bounds(2, joined.bits);
        let seen = 1.0 - (1.0 - shape.omission(1)) * (1.0 - shape.omission(2));
        assert!((bounds.seen / seen - 1.0).abs() < 1e-9, "{} {seen}", bounds.seen);
        assert!(!tree(20).join(&other.letter().unwrap()) && tree(20).letter().is_none());
    }

    fn assured(stats: &CompactStats, depth: u64, target: Option<Probability>) -> Assurance {
        stats.assurance(depth, target).unwrap()
    }

    #[test]
    fn a_bit_halves_and_runs_multiply() {
        let once = assured(&tree(20), 17, Some(1e-6));
        assert!((once.bounds.any / 2.119_55e-5 - 1.0).abs() < 1e-4);
        assert!((once.one_more_bit.unwrap().any / once.bounds.any - 0.5).abs() < 1e-3);
        assert!(!once.is_enough());
        assert_eq!(once.enough_bits, Some(25));
        assert!(assured(&tree(25), 17, Some(1e-6)).is_enough());
        let twice = assured(&CompactStats { seed: 6, ..tree(20) }, 17, Some(1e-6)).after(Some(once.clone()));
        assert_eq!(twice.bounds.any, once.bounds.any * once.bounds.any);
        assert_eq!(twice.runs.iter().map(|run| run.0).collect::<Vec<_>>(), [5, 6]);
        assert!(twice.is_enough());
        assert_eq!(assured(&tree(64), 17, None).one_more_bit, None);
    }

    #[test]
    fn depth_first_has_its_own() {
        let limited = CompactStats { probing: Probing::Limited(100), levels: Vec::new(), ..tree(40) };
        let bounds = assured(&limited, 999, None).bounds;
        assert!((bounds.seen / (1000.0 * 100.0 / 2f64.powi(40)) - 1.0).abs() < 1e-6);
    }
}
