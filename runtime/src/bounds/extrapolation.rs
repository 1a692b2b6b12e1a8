//! How many states there may be, if only some levels of them are known.
//!
//! The numbers of states in the levels are usually bell-shaped. So their logarithms lie about on a parabola, which is put through
//! those of the last levels and followed until it comes down again.

/// Levels that the parabola is fitted to, at most.
const LATEST: usize = 10;
/// Levels that it is followed, at most.
const AHEAD: usize = 100_000;

/// About how many states there are in all, given how many were found in each complete level. `None`: nothing can be said,
/// because the levels do not yet grow more slowly.
pub fn total(levels: &[u64]) -> Option<u64> {
    let known: u64 = levels.iter().sum();
    // The first levels are small and say little.
    let latest = &levels[levels.len().saturating_sub(LATEST).max(levels.len().min(3) / 3)..];
    if latest.len() < 4 {
        return None;
    }
    let middle = (latest.len() - 1) as f64 / 2.0;
    let points: Vec<(f64, f64)> = latest
        .iter()
        .enumerate()
        .map(|(at, &states)| (at as f64 - middle, (states.max(1) as f64).ln()))
        .collect();
    // Least squares for a + b x + c x²; around the middle, sums of odd powers are zero.
    let count = points.len() as f64;
    let sum = |term: &dyn Fn(f64, f64) -> f64| points.iter().map(|&(x, y)| term(x, y)).sum::<f64>();
    let (second, fourth) = (sum(&|x, _| x * x), sum(&|x, _| x.powi(4)));
    let (zeroth, first, weighted) = (sum(&|_, y| y), sum(&|x, y| x * y), sum(&|x, y| x * x * y));
    let slope = first / second;
    let curve = (count * weighted - second * zeroth) / (count * fourth - second * second);
    let height = (zeroth - curve * second) / count;
    if curve > -1e-6 && slope > -1e-3 {
        return None;
    }
    let mut all = known as f64;
    for ahead in 1..=AHEAD {
        let x = middle + ahead as f64;
        let logarithm = height + slope * x + curve.min(0.0) * x * x;
        if logarithm < 0.0 {
            break;
        }
        all += logarithm.exp();
        if all > 1e18 {
            return None;
        }
    }
    Some(all as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of a hypercube by their distance from a corner: binomial coefficients.
    fn binomial(of: u64) -> Vec<u64> {
        let mut row = vec![1u64];
        (1..=of).for_each(|at| row.push(row[row.len() - 1] * (of + 1 - at) / at));
        row
    }

    #[test]
    fn a_bell_is_recognised_before_its_top_and_after_it() {
        for of in [20, 30, 40, 50] {
            let levels = binomial(of);
            let all: u64 = levels.iter().sum();
            for known in [of / 2 - 2, of / 2, of / 2 + 3, of - 4] {
                let found = total(&levels[..known as usize]).unwrap();
                let ratio = found as f64 / all as f64;
                assert!((0.4..2.5).contains(&ratio), "{of} {known}: {ratio}");
            }
        }
    }

    #[test]
    fn nothing_is_said_without_reason() {
        assert_eq!(total(&[]), None);
        assert_eq!(total(&[1, 2, 4]), None);
        // A tree that has not ended yet.
        assert_eq!(total(&(0..20).map(|level| 1 << level).collect::<Vec<_>>()), None);
        // Growing faster and faster.
        assert_eq!(total(&[1, 2, 6, 24, 120, 720, 5040]), None);
        assert_eq!(total(&[5; 40]), None);
    }

    #[test]
    fn what_shrinks_ends() {
        let levels: Vec<u64> = (0..20).map(|level| 1 << (30 - level)).collect();
        let found = total(&levels).unwrap();
        assert!((1 << 31) - 5000 < found && found < (1 << 31) + 5000, "{found}");
    }
}
