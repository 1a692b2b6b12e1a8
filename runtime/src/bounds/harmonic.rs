//! Differences of harmonic numbers, precise to the last digits however large the numbers are.

/// From here on three terms of the asymptotic series give all digits.
const LARGE: u64 = 512;

/// H(upper) - H(lower), where H(n) = 1 + 1/2 + … + 1/n; 0 unless `upper > lower`.
pub fn difference(lower: u64, upper: u64) -> f64 {
    if upper <= lower {
        return 0.0;
    }
    // The small ones are added one by one, from the smallest term on.
    let middle = LARGE.clamp(lower, upper);
    let sum: f64 = (lower + 1..=middle).rev().map(|number| 1.0 / number as f64).sum();
    if middle == upper {
        return sum;
    }
    if upper - middle < 64 {
        return (middle + 1..=upper).rev().map(|number| 1.0 / number as f64).sum::<f64>() + sum;
    }
    let (low, high) = (middle as f64, upper as f64);
    let logarithm = ((upper - middle) as f64 / low).ln_1p();
    // 1/2n - 1/12n² + 1/120n⁴, each as a difference, written so that nothing cancels.
    let (left, right) = (1.0 / high, 1.0 / low);
    let apart = left - right;
    let halves = apart / 2.0;
    let squares = apart * (left + right) / 12.0;
    let fourths = apart * (left + right) * (left * left + right * right) / 120.0;
    (logarithm + (halves - squares + fourths)) + sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, with terms added from the smallest on and the rounding errors carried along.
    fn by_definition(lower: u64, upper: u64) -> f64 {
        let (mut sum, mut error) = (0.0f64, 0.0f64);
        for term in (lower + 1..=upper).rev().map(|number| 1.0 / number as f64) {
            let corrected = term - error;
            let next = sum + corrected;
            error = (next - sum) - corrected;
            sum = next;
        }
        sum
    }

    #[test]
    fn as_by_definition() {
        let cases = [
            (0, 1),
            (0, 600),
            (3, 262_148),
            (131_072, 262_148),
            (511, 513),
            (511, 700),
            (512, 575),
            (512, 576),
            (100_000, 100_063),
            (100_000, 100_064),
            (100_000, 100_100),
            (1_000_000, 3_000_000),
            (0, 5_000_000),
        ];
        for (lower, upper) in cases {
            let (found, expected) = (difference(lower, upper), by_definition(lower, upper));
            assert!((found / expected - 1.0).abs() < 4e-15, "{lower} {upper}: {found} {expected}");
        }
        assert_eq!(difference(5, 5), 0.0);
        assert_eq!(difference(6, 5), 0.0);
    }

    #[test]
    fn known_values() {
        // H(10^9), from the literature, and ln 2 between a huge number and its double.
        assert!((difference(0, 1_000_000_000) - 21.300_481_502_347_942).abs() < 1e-14);
        assert!((difference(1 << 60, 1 << 61) - std::f64::consts::LN_2).abs() < 1e-16);
    }
}
