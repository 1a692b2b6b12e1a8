//! Where it probably shows that a rule has changed the state: a few places that are compared before
//! all of it is.
//!
//! Nothing rests on the choice. Where one of the places differs the states do; where none does, all
//! of the state is compared. Most rules change what their guard asks about (`pc[i] = ready`,
//! `Count < Max`). A rule that takes a message out of an array leaves another one in its place.
//!
//! # What has to be proved
//! If one of the places differs, the stored states do. The places are simple variables or parts of
//! arrays and records, never of bags, whose elements move when they are sorted; they are compared
//! once the successor is complete. Following the path to them cannot fail, since indices are
//! constants and parameters whose values all lie inside the array (`index` in
//! `codegen/changes.rs`).

use super::independence::footprint::{Footprint, Kind};
use super::independence::path::Path;
use super::independence::range::Range;

/// Largest number of places that are compared.
const MOST: usize = 3;

/// Places that a rule may write, the most telling first. `guard` is what its guard reads, `suits`
/// says which places can be compared quickly.
pub fn of(
    rule: &Footprint,
    guard: &Footprint,
    ranges: &[Range],
    suits: &mut dyn FnMut(&Path) -> bool,
) -> Vec<Path> {
    let asked = |path: &Path| guard.accesses.iter().any(|access| access.path == *path);
    let written = rule.writes().map(|access| &access.path);
    let (first, second): (Vec<&Path>, Vec<&Path>) = written.partition(|path| asked(path));
    let reads = rule.accesses.iter().filter(|access| access.kind == Kind::Read).map(|access| &access.path);
    let meets = |path: &&Path| rule.writes().any(|write| write.path.meeting(path, ranges, ranges).is_some());
    let mut signs: Vec<Path> = Vec::new();
    for path in first.into_iter().chain(second).chain(reads.filter(meets)) {
        if signs.len() < MOST && !signs.contains(path) && path.is_fixed() && suits(path) {
            signs.push(path.clone());
        }
    }
    signs
}
