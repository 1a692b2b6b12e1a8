//! Who owns which segments, where partners are threads of several processes.
//!
//! Segments are counted over all processes. Each process owns a range of them, in proportion to its
//! share, and deals it out evenly to its threads. All processes compute this from the same numbers,
//! so they agree without asking.

use crate::checkpoint::Saved;
use crate::cluster::hub::Place;
use crate::visited::plugin::{Divided, many_segments};
use crate::visited::{Segmentation, StateIndex};
use std::ops::Range;

/// The number of a segment has two bytes.
const MOST_BITS: u32 = 16;
/// At least 256 segments, so that what depends on them does not depend on the number of processes
/// as long as that is not large, and a checkpoint can be dealt out to more of them.
const LEAST_BITS: u32 = 8;
/// Where segments have files or tables of fixed size: at least 16 of them, and four for each
/// thread, so that shares are still about even.
const FEW_BITS: u32 = 4;
const FEW_EACH: usize = 4;

/// A thread of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub process: usize,
    pub thread: usize,
}

/// All partners, and the segments of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealing {
    pub segmentation: Segmentation,
    /// Partners, process after process.
    pub seats: Vec<Seat>,
    ranges: Vec<Range<usize>>,
    /// The partner that owns each segment.
    owners: Vec<u16>,
}

impl Dealing {
    /// `None`: there are not enough segments for that number of threads.
    pub fn new(places: &[Place], has_large_segments: bool) -> Option<Dealing> {
        let threads: usize = places.iter().map(|place| place.threads).sum();
        let memory = places.iter().fold(0u64, |sum, place| sum.saturating_add(place.memory));
        if threads == 0 || threads >= 1 << MOST_BITS {
            return None;
        }
        let bits = match has_large_segments {
            true => (threads * FEW_EACH).next_power_of_two().ilog2().max(FEW_BITS),
            false => many_segments(threads, memory).bits.max(LEAST_BITS),
        };
        (bits..=MOST_BITS).find_map(|bits| Dealing::with(places, Segmentation::new(bits)))
    }

    /// As [`Dealing::new`], with the segments that the search had when it was saved.
    pub fn resumed(places: &[Place], saved: Option<&Saved>, has_large_segments: bool) -> Option<Dealing> {
        match saved.and_then(|saved| saved.fact("segment_bits")) {
            None => Dealing::new(places, has_large_segments),
            Some(bits) if bits > u64::from(MOST_BITS) => None,
            Some(bits) => Dealing::with(places, Segmentation::new(bits as u32)),
        }
    }

    fn with(places: &[Place], segmentation: Segmentation) -> Option<Dealing> {
        let segments = segmentation.segments() as u128;
        let shares: u128 = places.iter().map(|place| u128::from(place.share)).sum();
        let (mut seats, mut ranges) = (Vec::new(), Vec::new());
        let mut before = 0;
        for (process, place) in places.iter().enumerate() {
            let from = (segments * before / shares) as usize;
            before += u128::from(place.share);
            let all = (segments * before / shares) as usize - from;
            if all < place.threads || place.threads == 0 {
                return None;
            }
            for thread in 0..place.threads {
                seats.push(Seat { process, thread });
                let end = |thread: usize| from + all * thread / place.threads;
                ranges.push(end(thread)..end(thread + 1));
            }
        }
        let owners =
            ranges.iter().enumerate().flat_map(|(owner, range)| range.clone().map(move |_| owner as u16));
        let owners = owners.collect();
        Some(Dealing { segmentation, seats, ranges, owners })
    }

    /// The partner that owns the states with this hash.
    #[inline(always)]
    pub fn owner(&self, hash: u64) -> usize {
        usize::from(self.owners[self.segmentation.of_hash(hash)])
    }

    /// The process that owns a state.
    pub fn process_of(&self, state: StateIndex) -> usize {
        self.seats[usize::from(self.owners[self.segmentation.of_index(state)])].process
    }

    /// The part of the visited set that a process has.
    pub fn divided(&self, process: usize, places: &[Place]) -> Divided {
        let count = |process: usize| self.ranges(process).iter().map(Range::len).sum::<usize>();
        Divided {
            segmentation: self.segmentation,
            first: self.ranges(process).first().map_or(0, |range| range.start),
            count: count(process),
            most: (0..places.len()).map(count).max().unwrap_or(0),
            memory: places.iter().map(|place| place.memory).min().unwrap_or(0),
        }
    }

    /// The first partner of a process.
    pub fn first(&self, process: usize) -> usize {
        self.seats.iter().position(|seat| seat.process == process).unwrap_or(0)
    }

    /// The segments of each thread of a process.
    pub fn ranges(&self, process: usize) -> Vec<Range<usize>> {
        let of_process = self.seats.iter().zip(&self.ranges).filter(|(seat, _)| seat.process == process);
        of_process.map(|(_, range)| range.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(share: u32, threads: usize) -> Place {
        Place { address: String::new(), share, threads, memory: 1 << 30 }
    }

    #[test]
    fn each_segment_has_one_owner_in_proportion_to_the_shares() {
        for places in [
            vec![place(1, 1)],
            vec![place(1, 3), place(1, 1)],
            vec![place(1, 2), place(5, 1), place(2, 3)],
            vec![place(1, 40), place(100, 1)],
            (0..100).map(|_| place(1, 8)).collect(),
        ] {
            for has_large_segments in [false, true] {
                let dealing = Dealing::new(&places, has_large_segments).unwrap();
                let segments = dealing.segmentation.segments();
                let mut next = 0;
                let shares: u32 = places.iter().map(|place| place.share).sum();
                for (process, place) in places.iter().enumerate() {
                    let ranges = dealing.ranges(process);
                    assert_eq!(ranges.len(), place.threads);
                    let mut owned = 0;
                    for (thread, range) in ranges.into_iter().enumerate() {
                        assert!(range.start == next && !range.is_empty());
                        for segment in range.clone() {
                            let hash = (segment as u64) << (64 - dealing.segmentation.bits) | 99;
                            let seat = dealing.seats[dealing.owner(hash)];
                            assert_eq!(seat, Seat { process, thread });
                            let index = dealing.segmentation.index(segment, 5);
                            assert_eq!(dealing.process_of(index), process);
                        }
                        (next, owned) = (range.end, owned + range.len());
                    }
                    let exact = segments as f64 * f64::from(place.share) / f64::from(shares);
                    assert!((owned as f64 - exact).abs() <= 1.0, "{owned} {exact}");
                }
                assert_eq!(next, segments);
            }
        }
    }

    #[test]
    fn too_many_threads_are_noticed() {
        assert_eq!(Dealing::new(&[place(1, 1 << 16)], false), None);
        assert_eq!(Dealing::new(&[place(1, 2000), place(100, 1)], true), None);
    }
}
