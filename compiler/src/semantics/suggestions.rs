//! "Did you mean …?": the nearest of the names that would have made sense.

/// The candidate nearest to `name`, if it is near enough to be a slip of the pen.
pub(super) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Of a name of one or two letters, every other one is near: there only the case may differ.
    let limit = match name.chars().count() {
        0..=2 => 0,
        length => length / 3,
    };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of letters to insert, delete, replace or swap; a change of case alone counts as nothing.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().collect();
    let right: Vec<char> = right.to_lowercase().chars().collect();
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
    }
    rows.last().copied().unwrap_or(0)
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
}
