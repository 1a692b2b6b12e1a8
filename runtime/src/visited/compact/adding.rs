//! How the newcomers go into the table when a level is over: some dozens at a time, so that the
//! memory that one of them needs comes while the others are worked on.
//!
//! They come in the order of their homes. What finds its home taken, or is driven out of its slot,
//! goes on with the next ones.

use super::filling::ProbeWalker;
use super::line::{GATHERED, MANY, gather};
use super::{CompactShare, WINDOW};
use crate::hashing::h3::Digest;

impl CompactShare<'_> {
    /// Adds the newcomers to the table. `SHARED`: other threads do so at the same time.
    pub fn add<const SHARED: bool>(&mut self) {
        let table = &self.common.table;
        let begin = |digest: &Digest| table.begin(digest.place, table.bits().signature(digest.signature));
        let mut walkers = [ProbeWalker::default(); WINDOW + GATHERED];
        // Number of digests that are being inserted.
        let mut under_way = 0;
        let lines = self.segments.iter().flat_map(|segment| segment.newcomers.lines().chunks(MANY));
        for lines in lines {
            let (digests, count) = gather(lines);
            let free = &mut walkers[under_way..];
            free.iter_mut().zip(&digests[..count]).for_each(|(walker, digest)| *walker = begin(digest));
            under_way += count;
            while under_way > WINDOW {
                under_way = table.leave_all::<SHARED>(&mut walkers[..under_way]);
            }
        }
        while under_way > 0 {
            under_way = table.leave_all::<SHARED>(&mut walkers[..under_way]);
        }
        self.segments.iter_mut().for_each(|segment| segment.newcomers.clear());
    }
}
