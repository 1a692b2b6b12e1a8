//! The hash functions: against the definition, and how evenly they distribute.

use super::*;

fn digests(h3: &H3, states: &[u64]) -> Vec<Digest> {
    let mut digests = Vec::new();
    h3.digest(states, |places, signatures| {
        let pairs = places.iter().zip(signatures);
        digests.extend(pairs.map(|(&place, &signature)| Digest { place, signature }));
    });
    digests
}

/// One member of the class, evaluated in each of the ways that are for many states.
fn wide(masks: &[u64], seed: u64) -> Vec<(&'static str, H3)> {
    let mut all = vec![("as drawn", H3::draw(masks, &mut Random(seed)))];
    #[cfg(target_arch = "x86_64")]
    {
        let alone = || H3::draw_with(masks, &mut Random(seed), Gathering::Portable, 8);
        let lanes = H3::draw_lanes(masks, &mut Random(seed), Gathering::Portable);
        all.push(("lanes", H3 { lanes, ..alone() }));
        let affine = affine::Affine::new(masks, &mut Random(seed));
        all.push(("affine", H3 { affine, ..alone() }));
    }
    all
}

/// The definition, column by column.
fn by_definition(masks: &[u64], seed: u64, state: &[u64]) -> Digest {
    let mut random = Random(seed);
    let mut draw = || Digest { place: random.number(), signature: random.number() };
    let mut sum = draw();
    for (mask, word) in masks.iter().zip(state) {
        for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
            let column = draw();
            if word >> bit & 1 == 1 {
                sum = sum.add(column);
            }
        }
    }
    sum.finish()
}

#[test]
fn every_way_gives_the_product_with_the_matrix() {
    let dense = [u64::MAX, u64::MAX, 0x1ffff];
    let tiny = [0xffff, 0xff, 0x1ff];
    let sparse = [0x0307_1f01_7f0f_ff01, 0, 0xffff_ffff_0000_0003];
    for (masks, dense) in [(dense, true), (sparse, false), (tiny, true)] {
        let mut random = Random(5);
        let states: Vec<u64> =
            (0..3 * 77).map(|at| if at % 7 == 0 { 0 } else { random.number() } & masks[at % 3]).collect();
        let expected: Vec<_> = states.chunks(3).map(|state| by_definition(&masks, 99, state)).collect();
        let mut gatherings = vec![Gathering::Portable];
        #[cfg(target_arch = "x86_64")]
        gatherings.extend(has_fast_instructions().then_some(Gathering::Fast));
        gatherings.extend(dense.then_some(Gathering::Needless));
        for gathering in gatherings {
            for width in 4..=8 {
                let h3 = H3::draw_with(&masks, &mut Random(99), gathering, width);
                assert_eq!(digests(&h3, &states), expected, "{gathering:?} {width}");
            }
        }
        for (way, h3) in wide(&masks, 99) {
            assert_eq!(digests(&h3, &states), expected, "{way}");
        }
    }
}

/// States that come together and are much alike, in groups of any size; of the widest ones not
/// all fit side by side.
#[test]
fn what_states_have_in_common_is_not_lost() {
    for words in [1, 2, 3, 8, 9, 18, 47, 64, 65] {
        let mut masks = vec![u64::MAX; words];
        masks[words - 1] = 0x3_ffff_ffff;
        let ways = wide(&masks, 99);
        let mut random = Random(words as u64);
        let mut state: Vec<u64> = masks.iter().map(|mask| random.number() & mask).collect();
        for count in [1, 7, 8, 9, 31, 32, 33, 64, 70, 130] {
            let mut states = Vec::new();
            for _ in 0..count {
                // Now and then two that follow each other are the same.
                for _ in 0..random.number() % 4 {
                    let word = random.number() as usize % words;
                    state[word] ^= (1 << (random.number() % 64)) & masks[word];
                }
                states.extend_from_slice(&state);
            }
            let expected: Vec<_> =
                states.chunks(words).map(|state| by_definition(&masks, 99, state)).collect();
            for (way, h3) in &ways {
                assert_eq!(digests(h3, &states), expected, "{way}: {words} words, {count} states");
            }
        }
    }
}

/// A packed state and an unpacked one are one state.
#[test]
fn the_layout_does_not_matter() {
    let mask = 0x0f03_0000_ff01_0011u64;
    let gather = Gather::new(mask);
    let aligned = H3::draw(&[mask], &mut Random(3));
    let packed = H3::draw(&[(1 << gather.bits()) - 1], &mut Random(3));
    for word in (0..1000).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask) {
        assert_eq!(digests(&aligned, &[word]), digests(&packed, &[gather.compress(word)]));
    }
}

/// Over many members, two different states agree in any eight bits of the result as often as
/// chance has it.
#[test]
fn pairs_collide_as_rarely_as_promised() {
    let masks = [u64::MAX; 2];
    let pairs = [([0, 0], [1, 0]), ([5, 7], [5, 6]), ([u64::MAX; 2], [0; 2]), ([1, 1 << 63], [2, 1 << 62])];
    let draws = 40_000;
    for (left, right) in pairs {
        let mut equal = [0u32; 16];
        let mut random = Random(11);
        for _ in 0..draws {
            // Few windows: drawing is what takes the time.
            let h3 = H3::draw_with(&masks, &mut random, Gathering::Needless, 4);
            let found = digests(&h3, &[left[0], left[1], right[0], right[1]]);
            let difference = found[0].add(found[1]);
            assert_eq!((found[0].place & 1, found[1].place & 1), (1, 1));
            for byte in 0..8 {
                equal[byte] += u32::from(difference.place >> (7 * byte + 1) & 255 == 0);
                equal[8 + byte] += u32::from(difference.signature >> (8 * byte) & 255 == 0);
            }
        }
        // 156 expected, with a standard deviation of 12.5.
        assert!(equal.iter().all(|count| (90..=230).contains(count)), "{equal:?}");
    }
}

/// If two states agree in some bits of the signature, others with the same difference do not
/// all agree there as well.
#[test]
fn pairs_have_nothing_to_do_with_each_other() {
    let mut together = 0;
    for seed in 0..2000 {
        let h3 = H3::draw(&[u64::MAX], &mut Random(seed));
        let found = digests(&h3, &[0, 1, 2, 3]);
        let agree = |left: usize, right: usize| found[left].signature >> 56 == found[right].signature >> 56;
        together += u32::from(agree(0, 1) && agree(2, 3));
    }
    // One in 65,536 for random functions; one in 256 if the function were linear.
    assert!(together <= 1, "{together}");
}

#[test]
fn members_differ_and_repeat() {
    let member = |seed| digests(&H3::draw(&[u64::MAX], &mut Random(seed)), &[0, 1, 77]);
    assert_eq!(member(1), member(1));
    assert!(member(1).iter().zip(member(2)).all(|(left, right)| *left != right));
}

#[test]
fn tables_stay_in_the_cache() {
    assert_eq!(best_width(&[0xffff]), 8);
    assert_eq!(best_width(&[u64::MAX; 2]), 6);
    assert_eq!(best_width(&[u64::MAX; 100]), 4);
}
