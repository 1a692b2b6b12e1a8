//! The interval of Clopper and Pearson around a rate: it never covers less than it says.

/// The interval with this confidence for the probability of something that happened `hits` times
/// in `tries`.
pub fn interval(hits: u64, tries: u64, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    // The smallest probability with which this number of hits or a larger one is not too unlikely,
    // and the largest with which this number or a smaller one is not.
    let lower = if hits == 0 { 0.0 } else { bisect(|p| 1.0 - at_most(hits - 1, tries, p) < tail) };
    let upper = if hits == tries { 1.0 } else { bisect(|p| at_most(hits, tries, p) > tail) };
    (lower, upper)
}

/// The probability at which a condition that holds from 0 on stops to hold.
fn bisect(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if holds(middle) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The probability of at most `hits` in `tries`.
fn at_most(hits: u64, tries: u64, probability: f64) -> f64 {
    if probability <= 0.0 {
        return 1.0;
    }
    if probability >= 1.0 {
        return if hits >= tries { 1.0 } else { 0.0 };
    }
    // By logarithms, lest many tries underflow.
    let mut logarithm = tries as f64 * (-probability).ln_1p();
    let odds = probability.ln() - (-probability).ln_1p();
    let mut sum = logarithm.exp();
    for hit in 1..=hits {
        logarithm += ((tries - hit + 1) as f64 / hit as f64).ln() + odds;
        sum += logarithm.exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: (f64, f64), expected: (f64, f64)) {
        assert!((found.0 - expected.0).abs() < 5e-5 && (found.1 - expected.1).abs() < 5e-5, "{found:?}");
    }

    /// Against the quantiles of the beta distribution, to four digits.
    #[test]
    fn known_intervals() {
        close(interval(0, 100, 0.9), (0.0, 0.0295));
        close(interval(100, 100, 0.9), (0.9705, 1.0));
        close(interval(5, 10, 0.95), (0.1871, 0.8129));
        close(interval(1, 20, 0.95), (0.0013, 0.2487));
    }

    #[test]
    fn symmetric_and_around_the_rate() {
        for tries in [1, 7, 100, 5000] {
            for hits in [0, tries / 3, tries / 2, tries] {
                let (low, high) = interval(hits, tries, 0.9);
                let rate = hits as f64 / tries as f64;
                assert!(low <= rate && rate <= high);
                let (other_low, other_high) = interval(tries - hits, tries, 0.9);
                assert!((low - (1.0 - other_high)).abs() < 1e-9 && (high - (1.0 - other_low)).abs() < 1e-9);
            }
        }
    }
}
