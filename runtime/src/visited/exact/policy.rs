//! When the tables of the exact set grow, and to what size.

use super::shape::Shape;

/// How full tables may become: below, searches hardly ever leave the line where they begin; above,
/// they go on for long.
const EMPTIEST: f64 = 0.7;
const FULLEST: f64 = 0.95;

/// When tables grow, and to what size.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// Entries of 256 that are used before a table grows.
    fill: usize,
    /// A table grows by this factor …
    factor: f64,
    /// … and the sizes of different groups of segments lie between each other's, so that they do
    /// not all grow at once.
    groups: usize,
}

impl Policy {
    /// For a set of one segment, which is small.
    pub fn single() -> Self {
        Policy { fill: 224, factor: 2.0, groups: 1 }
    }

    /// For a set of many segments. Their tables are as empty as the memory allows that the whole
    /// set may take: for each state five quarters of its bits, and four bytes.
    pub fn many(shape: &Shape, segments: usize) -> Self {
        let bytes = shape.bytes();
        let factor: f64 = match bytes {
            0..6 => 1.15,
            6..9 => 1.2,
            9..14 => 1.3,
            _ => 1.5,
        };
        // Chunks have some room at their ends.
        let states = (bytes as f64 + size_of::<u32>() as f64) * 1.03 - size_of::<u32>() as f64;
        let allowed = f64::from(shape.bits()) / 8.0 * 1.25 + 4.0 - states;
        // Small tables leave some of the pages unused that they share.
        let waste = 1.02 + segments as f64 / 1024.0;
        // Tables of all sizes between two that follow each other are equally frequent.
        let mean = (factor - 1.0) / factor.ln();
        let fill = if allowed > 0.0 {
            (waste * mean * size_of::<u32>() as f64 / allowed).clamp(EMPTIEST, FULLEST)
        } else {
            FULLEST
        };
        Policy { fill: (fill * 256.0) as usize, factor, groups: 4 }
    }

    pub fn limit(&self, entries: usize) -> usize {
        entries * self.fill / 256
    }

    /// As many states as a table can take if it may not grow; an empty entry must be left, where
    /// searches end.
    pub fn furthest(entries: usize) -> usize {
        entries - entries.div_ceil(64)
    }

    /// The size after this one.
    pub fn next(&self, lines: usize, group: usize) -> usize {
        let shift = (group % self.groups) as f64 / self.groups as f64;
        let mut size = self.factor.powf(shift) * 4.0;
        while size.ceil() as usize <= lines {
            size *= self.factor;
        }
        if lines < 4 { lines + 1 } else { size.ceil() as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visited::exact::line::LINE;

    #[test]
    fn sizes_grow_and_leave_room() {
        let many = |bytes, bits| Policy::many(&Shape::new(bytes, bits), 16);
        for policy in [Policy::single(), many(3, 17), many(10, 75), many(16, 128)] {
            for group in 0..8 {
                let mut lines = 1;
                while lines < if cfg!(miri) { 1 << 8 } else { 1 << 20 } {
                    let next = policy.next(lines, group);
                    assert!(next > lines);
                    assert!(
                        lines < 8 || (next as f64) < lines as f64 * policy.factor + 2.0,
                        "{lines} {next}"
                    );
                    assert!(policy.limit(next * LINE) > policy.limit(lines * LINE));
                    assert!(Policy::furthest(next * LINE) < next * LINE);
                    assert!(policy.limit(next * LINE) <= Policy::furthest(next * LINE));
                    lines = next;
                }
            }
        }
    }
}
