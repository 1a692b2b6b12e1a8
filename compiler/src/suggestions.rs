//! "Did you mean …?": the nearest of the names that would have made sense.

/// Nobody mistypes a name longer than this; and comparing two takes time as the product of their
/// lengths.
const LONGEST: usize = 80;

/// Diagnostics after which a model gets no more suggestions: each compares all names.
pub(crate) const MOST_DIAGNOSTICS: usize = 30;

/// The candidate nearest to `name`, if it is near enough to be a slip of the pen.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Of a name of one or two letters, every other one is near: there only the case may differ.
    let limit = match name.chars().count() {
        0..=2 => 0,
        length if length > LONGEST => return None,
        length => length / 3,
    };
    let wanted = lower(name);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= limit)
        .filter_map(|candidate| Some((distance(&wanted, &lower(candidate), limit)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// A change of case alone counts as nothing. Names are ASCII, so a byte is a letter.
fn lower(name: &str) -> Vec<u8> {
    name.to_ascii_lowercase().into_bytes()
}

/// The number of letters to insert, delete, replace or swap, unless it is more than `limit`.
fn distance(left: &[u8], right: &[u8], limit: usize) -> Option<usize> {
    let width = right.len() + 1;
    let mut rows = vec![0; (left.len() + 1) * width];
    for row in 0..=left.len() {
        for column in 0..=right.len() {
            let at = row * width + column;
            rows[at] = if row == 0 || column == 0 {
                row + column
            } else {
                let same = left[row - 1] == right[column - 1];
                let replaced = rows[at - width - 1] + usize::from(!same);
                let swapped = row > 1
                    && column > 1
                    && left[row - 1] == right[column - 2]
                    && left[row - 2] == right[column - 1];
                let mut best = replaced.min(rows[at - 1] + 1).min(rows[at - width] + 1);
                if swapped {
                    best = best.min(rows[at - 2 * width - 2] + 1);
                }
                best
            };
        }
        // A swap reaches back by two rows, and then costs one more than is there.
        let reach = rows[row.saturating_sub(1) * width..(row + 1) * width].iter().min();
        if reach.is_some_and(|reach| *reach > limit) {
            return None;
        }
    }
    rows.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_and_nothing_else() {
        assert_eq!(nearest("trun", ["turn", "flag"]), Some("turn"));
        assert_eq!(nearest("State", ["state", "stale"]), Some("state"));
        assert_eq!(nearest("x", ["completely", "different"]), None);
        assert_eq!(nearest("y", ["x", "Y"]), Some("Y"));
        assert_eq!(nearest("y", ["x", "xy"]), None);
        assert_eq!(nearest("queue", ["queues", "q"]), Some("queues"));
    }

    #[test]
    fn long_names_are_not_compared() {
        let (name, near) = ("a".repeat(200_000), format!("{}b", "a".repeat(200_000)));
        assert_eq!(nearest(&name, [near.as_str(), "a"]), None);
    }
}
