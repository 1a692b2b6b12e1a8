//! Prime numbers, for the numbers of slots: every step through a table with a prime number of them
//! visits all.

/// The largest prime number up to `most`; 2 if there is none.
pub fn at_most(most: u64) -> u64 {
    (2..=most).rev().find(|&number| is_prime(number)).unwrap_or(2)
}

/// The smallest prime number from `least` on, or else the largest there is.
pub fn at_least(least: u64) -> u64 {
    (least.max(2)..=u64::MAX).find(|&number| is_prime(number)).unwrap_or_else(|| at_most(least))
}

/// The test of Miller and Rabin; with these bases it never errs on 64 bits.
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if number < 2 || BASES.iter().any(|&base| number != base && number.is_multiple_of(base)) {
        return false;
    }
    let twos = (number - 1).trailing_zeros();
    let odd = (number - 1) >> twos;
    let multiply = |left: u64, right: u64| (u128::from(left) * u128::from(right) % u128::from(number)) as u64;
    BASES.iter().filter(|&&base| base < number).all(|&base| {
        let (mut power, mut square, mut exponent) = (1, base, odd);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = multiply(power, square);
            }
            square = multiply(square, square);
            exponent >>= 1;
        }
        let mut powers = std::iter::successors(Some(power), |&power| Some(multiply(power, power)));
        power == 1 || powers.by_ref().take(twos as usize).any(|power| power == number - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_are_those_of_the_sieve() {
        let limit = 20_000;
        let mut composite = vec![false; limit];
        for number in 2..limit {
            if !composite[number] {
                (number * number..limit).step_by(number).for_each(|multiple| composite[multiple] = true);
            }
            assert_eq!(is_prime(number as u64), !composite[number], "{number}");
        }
        assert!(!is_prime(0) && !is_prime(1));
    }

    #[test]
    fn neighbours() {
        // The numbers of slots in the paper.
        assert_eq!((at_least(262_144), at_least(18_194), at_least(200_914)), (262_147, 18_199, 200_927));
        assert_eq!((at_most(262_147), at_most(262_146)), (262_147, 262_139));
        assert_eq!((at_most(0), at_most(2), at_least(0)), (2, 2, 2));
        assert_eq!(at_most(u64::MAX), u64::MAX - 58);
        // Strong pseudoprimes to many bases.
        assert!(!is_prime(3_215_031_751) && !is_prime(3_825_123_056_546_413_051));
    }
}
