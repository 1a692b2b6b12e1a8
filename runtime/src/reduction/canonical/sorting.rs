//! Sorting the few keys of a scalarset's elements.

/// Sorts. Up to eight keys go through comparisons that are the same whatever the keys: where one of
/// them belongs cannot be guessed, and a wrong guess costs the processor more than all of these.
#[inline(always)]
pub fn sort(keys: &mut [u64]) {
    match keys.len() {
        0 | 1 => {}
        2 => network::<2, _>(keys, [(0, 1)]),
        3 => network::<3, _>(keys, [(0, 2), (0, 1), (1, 2)]),
        4 => network::<4, _>(keys, [(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)]),
        5 => {
            let pairs = [(0, 3), (1, 4), (0, 2), (1, 3), (0, 1), (2, 4), (1, 2), (3, 4), (2, 3)];
            network::<5, _>(keys, pairs);
        }
        6 => {
            let (first, second) = (
                [(0, 5), (1, 3), (2, 4), (1, 2), (3, 4), (0, 3)],
                [(2, 5), (0, 1), (2, 3), (4, 5), (1, 2), (3, 4)],
            );
            network::<6, _>(keys, first);
            network::<6, _>(keys, second);
        }
        7 => {
            let (first, second) = (
                [(0, 6), (2, 3), (4, 5), (0, 2), (1, 4), (3, 6), (0, 1), (2, 5)],
                [(3, 4), (1, 2), (4, 6), (2, 3), (4, 5), (1, 2), (3, 4), (5, 6)],
            );
            network::<7, _>(keys, first);
            network::<7, _>(keys, second);
        }
        8 => {
            let (first, second) = (
                [(0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7), (0, 1), (2, 3)],
                [(4, 5), (6, 7), (2, 4), (3, 5), (1, 4), (3, 6), (1, 2), (3, 4), (5, 6)],
            );
            network::<8, _>(keys, first);
            network::<8, _>(keys, second);
        }
        9..=32 => insert(keys),
        _ => keys.sort_unstable(),
    }
}

/// Puts the smaller key of each pair of places first, one pair after the other.
#[inline(always)]
fn network<const N: usize, const PAIRS: usize>(keys: &mut [u64], pairs: [(usize, usize); PAIRS]) {
    let Ok(places) = <&mut [u64; N]>::try_from(keys) else { return };
    let mut keys = *places;
    for (left, right) in pairs {
        (keys[left], keys[right]) = (keys[left].min(keys[right]), keys[left].max(keys[right]));
    }
    *places = keys;
}

/// For some more keys, most of which are in order.
fn insert(keys: &mut [u64]) {
    for sorted in 1..keys.len() {
        let Some(part) = keys.get_mut(..=sorted) else { return };
        let mut at = sorted;
        while at > 0 && part[at - 1] > part[at] {
            part.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_whatever_their_number() {
        let mut random = crate::random::Random(7);
        for length in 0..70 {
            for _ in 0..50 {
                let mut keys: Vec<u64> = (0..length).map(|at| random.below(5) << 16 | at).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                sort(&mut keys);
                assert_eq!(keys, expected);
            }
        }
    }

    /// What sorts all rows of zeros and ones by fixed comparisons sorts everything.
    #[test]
    fn networks_sort_all_zeros_and_ones() {
        for length in 0..=8 {
            for bits in 0..1u64 << length {
                let mut keys: Vec<u64> = (0..length).map(|at| bits >> at & 1).collect();
                sort(&mut keys);
                assert!(keys.is_sorted(), "{length} {bits:b}");
                assert_eq!(keys.iter().sum::<u64>(), u64::from(bits.count_ones()));
            }
        }
    }
}
