//! The set against a map, with every stride, before and after it is spread, by one owner and by
//! several.

use super::*;
use crate::state::stride::{Dynamic, Fixed};
use crate::visited::numbers::numbers_from;
use std::collections::HashMap;

fn numbers(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 31
    }
}

fn set<S: Stride>(stride: S, bytes: usize, limit: u64, most: Option<u64>) -> Exact<S> {
    Exact::new(stride, Shape::new(bytes, 8 * bytes as u32), Arc::new(Budget::new(limit)), most).unwrap()
}

/// Inserts states through the share of whoever owns them; says which positions were new, and their
/// numbers.
fn insert<S: Stride>(
    set: &mut Exact<S>,
    owners: usize,
    states: &[u64],
    origins: &[Origin],
) -> Result<Vec<Fresh>, InsertError> {
    let segmentation = set.segmentation();
    let mut hashes = Vec::new();
    set.share().hash(states, &mut hashes, &mut Vec::new());
    let batch = Batch { states, hashes: &hashes, signatures: &[], origins, sets: Default::default() };
    let mut fresh = Vec::new();
    for (owner, mut share) in set.shares(owners).into_iter().enumerate() {
        let own = (0..hashes.len() as u32)
            .filter(|&at| segmentation.owner(hashes[at as usize], owners) == owner)
            .collect::<Vec<_>>();
        assert!(own.len() == hashes.len() || owners > 1);
        let result = share.insert(&batch, &own, &mut fresh);
        assert!(result.is_err() || share.knows(&batch, &own));
        result?;
    }
    fresh.sort_by_key(|fresh| fresh.position);
    assert_in_order(segmentation, &fresh);
    Ok(fresh)
}

/// However full the lines are: states of a segment have their places in the order of their
/// positions.
fn assert_in_order(segmentation: Segmentation, fresh: &[Fresh]) {
    let mut last = vec![None; segmentation.segments()];
    for fresh in fresh {
        let place = segmentation.place(fresh.index);
        let before = last[segmentation.of_index(fresh.index)].replace(place);
        assert!(before.is_none_or(|before: u64| before + 1 == place), "{before:?} {place}");
    }
}

/// States that look the same to the table are new all the same, and have their places in the order
/// of their positions, too.
#[test]
fn states_of_one_hash_come_in_order() {
    let mut set = set(Fixed::<1>, 8, 1 << 30, None);
    set.spread(Segmentation::new(4)).unwrap();
    let mut next = numbers(7);
    let mut all: HashMap<u64, Fresh> = HashMap::new();
    for round in 0..if cfg!(miri) { 2 } else { 40 } {
        let count = 150;
        let states: Vec<u64> = (0..count).map(|_| next() % 997).collect();
        // Some hundred states, and few hashes for them. (The table does not grow here: it would
        // compute them again.)
        let hashes: Vec<u64> =
            states.iter().map(|state| (state % 31).wrapping_mul(0x1319_8a2e_0370_7345)).collect();
        let origins: Vec<Origin> = states.iter().map(|&state| Origin(state)).collect();
        let batch = Batch {
            states: &states,
            hashes: &hashes,
            signatures: &[],
            origins: &origins,
            sets: Default::default(),
        };
        let positions: Vec<u32> = (0..count as u32).collect();
        let mut fresh = Vec::new();
        set.share().insert(&batch, &positions, &mut fresh).unwrap();
        assert!(fresh.is_sorted_by_key(|fresh| fresh.position));
        assert_in_order(set.segmentation(), &fresh);
        for fresh in fresh {
            let state = states[fresh.position as usize];
            assert!(all.insert(state, fresh).is_none(), "{state} is found twice, in round {round}");
        }
        assert!(states.iter().all(|state| all.contains_key(state)));
    }
    assert!(all.len() > if cfg!(miri) { 200 } else { 900 });
    for (&state, fresh) in &all {
        let mut words = Vec::new();
        set.load(fresh.index, &mut words);
        let origin = set.recall(fresh.index).unwrap().unwrap().origin;
        assert_eq!((words, origin), (vec![state], Origin(state)));
    }
}

/// With many duplicates inside and between batches.
fn agrees_with_a_map<S: Stride>(stride: S, bytes: usize, owners: usize) {
    let width = stride.words();
    let mut set = set(stride, bytes, 1 << 30, None);
    let mut map: HashMap<Vec<u64>, (StateIndex, Origin)> = HashMap::new();
    let mut next = numbers(width as u64);
    let mut last = Origin::START;
    let top = 8 * (bytes - 8 * (width - 1)).min(2) - 1;
    // Miri takes a thousand times as long.
    let (rounds, most, different) = if cfg!(miri) { (10, 40, 300) } else { (600, 200, 20_000) };
    for round in 0..rounds {
        if round == rounds / 2 && owners > 1 {
            let before = set.len();
            let renumbering = set.spread(Segmentation::new(8)).unwrap();
            assert_eq!((set.len(), renumbering.indices.len() as u64), (before, before));
            let renew = |index: StateIndex| renumbering.new_number(index).unwrap();
            for (index, origin) in map.values_mut() {
                *index = renew(*index);
                *origin = origin.predecessor().map_or(Origin::START, |index| renew(index).into());
            }
            last = Origin::START;
        }
        let owners = if round < rounds / 2 { 1 } else { owners };
        let count = (next() % most) as usize;
        let batch: Vec<u64> = (0..count)
            .flat_map(|_| {
                let state = next() % different;
                let low = state & ((1 << top) - 1);
                (0..width).map(move |word| match word {
                    0 if width > 1 => state,
                    _ if word == width - 1 => low | 1 << top,
                    _ => 3,
                })
            })
            .collect();
        let origins = vec![last; count];
        let fresh = insert(&mut set, owners, &batch, &origins).unwrap();
        let mut expected = Vec::new();
        for (at, state) in batch.chunks(width).enumerate() {
            if !map.contains_key(state) {
                let found = fresh.iter().find(|fresh| fresh.position == at as u32).expect("it is new");
                map.insert(state.to_vec(), (found.index, last));
                last = found.index.into();
                expected.push(at as u32);
            }
        }
        let positions: Vec<u32> = fresh.iter().map(|fresh| fresh.position).collect();
        assert_eq!(positions, expected, "round {round}");
        // Origins are those that were given, not what `last` became meanwhile.
        for found in fresh {
            let state = &batch[found.position as usize * width..][..width];
            map.get_mut(state).unwrap().1 = origins[found.position as usize];
        }
    }
    assert_eq!(set.len(), map.len() as u64);
    for (state, (index, origin)) in map {
        let mut words = Vec::new();
        set.load(index, &mut words);
        assert_eq!(words, state);
        assert_eq!(set.recall(index).unwrap(), Some(Recalled { origin, signature: None }));
    }
}

#[test]
fn every_stride_agrees_with_a_map() {
    let owners: &[usize] = if cfg!(miri) { &[1, 3] } else { &[1, 2, 3, 64] };
    for &owners in owners {
        agrees_with_a_map(Fixed::<1>, 8, owners);
        agrees_with_a_map(Fixed::<1>, 2, owners);
        agrees_with_a_map(Fixed::<2>, 16, owners);
        agrees_with_a_map(Fixed::<2>, 11, owners);
        agrees_with_a_map(Fixed::<3>, 17, owners);
        agrees_with_a_map(Fixed::<8>, 63, owners);
        agrees_with_a_map(Dynamic(2), 9, owners);
        agrees_with_a_map(Dynamic(13), 104, owners);
        if !cfg!(miri) {
            agrees_with_a_map(Dynamic(1000), 7997, owners);
        }
    }
}

#[test]
fn room_is_exact() {
    let mut set = set(Fixed::<1>, 8, 1 << 30, Some(3));
    let mut go = |states: &[u64]| insert(&mut set, 1, states, &vec![Origin::START; states.len()]);
    assert_eq!(go(&[1, 1, 2, 1]).unwrap().len(), 2);
    assert_eq!(go(&[1, 2]).unwrap().len(), 0);
    assert_eq!(go(&[2, 3]).unwrap().len(), 1);
    assert_eq!(go(&[1, 2, 3]).unwrap().len(), 0);
    assert_eq!(go(&[1, 2, 3, 4]), Err(InsertError::Room));
    assert_eq!(set.len(), 3);
}

#[test]
fn room_is_exact_after_spreading() {
    let mut set = set(Fixed::<1>, 8, 1 << 30, Some(100));
    let states: Vec<u64> = (0..200).collect();
    let origins = [Origin::START; 200];
    insert(&mut set, 1, &states[..50], &origins[..50]).unwrap();
    set.spread(Segmentation::new(4)).unwrap();
    assert_eq!(insert(&mut set, 1, &states[..100], &origins[..100]).unwrap().len(), 50);
    assert_eq!(insert(&mut set, 1, &states, &origins), Err(InsertError::Room));
    assert_eq!(set.len(), 100);
}

#[test]
#[cfg_attr(miri, ignore = "too many states for Miri")]
fn memory_ends_it_without_harm() {
    for bits in [0, 7] {
        let limit = if bits == 0 { 400_000 } else { 6 << 20 };
        let budget = Arc::new(Budget::new(limit));
        let mut set = Exact::new(Fixed::<1>, Shape::new(8, 64), budget.clone(), None).unwrap();
        if bits > 0 {
            set.spread(Segmentation::new(bits)).unwrap();
        }
        let mut state = 0;
        while insert(&mut set, 1, &[state], &[Origin::START]).is_ok() {
            state += 1;
        }
        // 12 bytes a state with its predecessor, and 4 bytes an entry of a table that is filled to
        // the brim.
        assert!(state > limit / 30, "{state}");
        assert!(budget.peak() <= limit);
        let all: Vec<u64> = (0..state).collect();
        let again = insert(&mut set, 1, &all, &vec![Origin::START; all.len()]);
        assert_eq!(again, Ok(Vec::new()));
        drop(set);
        assert_eq!(budget.used(), 0);
    }
}

/// A table that could not grow in time is filled to the brim; later it grows to a size that likes
/// to be emptier than that.
#[test]
#[cfg_attr(miri, ignore = "too many states for Miri")]
fn a_full_table_grows_when_there_is_memory_again() {
    let budget = Arc::new(Budget::new(64 << 20));
    let mut set = Exact::new(Fixed::<2>, Shape::new(16, 128), budget.clone(), None).unwrap();
    set.spread(Segmentation::new(4)).unwrap();
    let mut number = 0;
    let mut insert_one = |set: &mut Exact<Fixed<2>>| {
        number += 1;
        insert(set, 2, &[number, !number], &[Origin::START]).map(|fresh| assert_eq!(fresh.len(), 1))
    };
    for round in 0..40 {
        // Enough for some more states, but not for a table.
        let all = (64 << 20) - budget.used() - 12_000;
        budget.take(all).unwrap();
        while insert_one(&mut set).is_ok() {}
        budget.give_back(all);
        (0..100 * round).for_each(|_| insert_one(&mut set).unwrap());
    }
    assert!(set.len() > 10_000);
}

/// What the set takes at its largest, growth included, stays below a quarter more than the packed
/// bytes and four bytes for each state. The numbers of the predecessors come on top.
#[test]
#[cfg_attr(miri, ignore = "too many states for Miri")]
fn memory_stays_close_to_the_states() {
    for ((bytes, width), bits) in
        [(8, 1), (10, 2), (16, 2), (30, 4)].into_iter().flat_map(|shape| [4, 6, 8].map(|bits| (shape, bits)))
    {
        let budget = Arc::new(Budget::new(1 << 34));
        let mut set =
            Exact::new(Dynamic(width), Shape::new(bytes, 8 * bytes as u32), budget.clone(), None).unwrap();
        set.spread(Segmentation::new(bits)).unwrap();
        let mut next = numbers(7);
        let mut count = 0u64;
        let mut worst = 0f64;
        while count < 3_000_000 {
            let states: Vec<u64> = (0..1000)
                .flat_map(|_| {
                    let mut words = [next(), 0, 0, 0];
                    words[width - 1] &= u64::MAX >> (64 * width - 8 * bytes);
                    words.into_iter().take(width)
                })
                .collect();
            count += insert(&mut set, 1, &states, &[Origin::START; 1000]).unwrap().len() as u64;
            if count > 2_000_000 {
                worst = worst.max((budget.used() as f64 / count as f64 - 4.0) / (bytes as f64 * 1.25 + 4.0));
            }
        }
        assert!(worst < 1.0, "{bytes} bytes in {} segments: {worst}", 1 << bits);
    }
}

/// Ten states each are inserted at a time; Miri takes hours for as many as that.
const ROUNDS: u64 = if cfg!(miri) { 60 } else { 400 };

/// Fills a set with states that come from each other, and whose numbers begin near `first`. Says
/// how many bytes it takes, and what the least and the largest number is.
fn fill_from(first: u64, bits: u32, words: usize) -> (u64, u64, u64) {
    numbers_from(first, || {
        let mut set = set(Dynamic(words), 8 * words, 1 << 26, None);
        if bits > 0 {
            set.spread(Segmentation::new(bits)).unwrap();
        }
        let mut all: Vec<(StateIndex, Origin)> = Vec::new();
        for round in 0..ROUNDS {
            let states: Vec<u64> = (0..10 * words as u64).map(|at| (round * 100 + at) | 1 << 40).collect();
            let origin = |at: usize| match all.len() {
                0 => Origin::START,
                count => Origin::from(all[count - 1 - at * 7 % count].0),
            };
            let origins: Vec<Origin> = (0..10).map(origin).collect();
            let fresh = insert(&mut set, if bits > 0 { 3 } else { 1 }, &states, &origins).unwrap();
            assert_eq!(fresh.len(), 10);
            all.extend(fresh.iter().map(|fresh| (fresh.index, origins[fresh.position as usize])));
        }
        for &(index, origin) in &all {
            assert_eq!(set.recall(index).unwrap().unwrap().origin, origin);
        }
        assert_eq!(set.recall(StateIndex(7)).unwrap().is_some(), first == 0);
        let numbers = || all.iter().map(|(index, _)| index.0);
        (set.stock.budget.used(), numbers().min().unwrap(), numbers().max().unwrap())
    })
}

/// Predecessors on both sides of 2^32, in sets of one segment and of several. Only what is found
/// beyond it costs more than before.
#[test]
fn predecessors_may_have_large_numbers() {
    // Miri takes minutes for one of them.
    let cases: &[(u32, usize)] = if cfg!(miri) { &[(4, 1)] } else { &[(0, 1), (4, 1), (4, 3), (8, 2)] };
    for &(bits, words) in cases {
        let (narrow, _, _) = fill_from(0, bits, words);
        let (below, _, last) = fill_from((1 << 32) - 100_000, bits, words);
        assert!(last < 1 << 32);
        assert_eq!(below, narrow);
        let (across, least, most) = fill_from((1 << 32) - 5 * ROUNDS, bits, words);
        assert!(least < 1 << 32 && most > 1 << 32);
        assert!(across > narrow && across < narrow + 4 * 10 * ROUNDS + (256 << bits), "{narrow} {across}");
    }
}
