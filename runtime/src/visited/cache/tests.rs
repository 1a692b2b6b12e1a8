//! The cache against a plain set: it never reports an unknown state as known, and evicts as its
//! policy says.

use super::kept::{Kept, Signatures, States, WAYS};
use super::plan::{Plan, Size, TooSmall};
use super::sets::Replace;
use super::{Cache, CacheStats, CacheWanted};
use crate::contract::model::{Description, Family, Position, Simple, Type, Variable, Width};
use crate::hashing::signature::Bits;
use crate::memory::Budget;
use crate::random::Random;
use crate::spool::Supply;
use crate::state::codec::Codec;
use crate::storage::faulty::Faulty;
use crate::visited::{Batch, InsertError, Origin, Segmentation, Share, Visited};
use std::collections::HashSet;
use std::sync::Arc;

const HERE: Position = Position { line: 1, column: 1 };
static WHOLE: Type = Type::Simple(Simple {
    name: "numbers",
    width: Width::Eight,
    low: 0,
    high: i64::MAX - 1,
    labels: crate::contract::model::Labels::Numbers,
    spans: &[],
});
static TWO_WORDS: Description = Description {
    name: "two.m",
    fingerprint: 1,
    words: 2,
    variables: &[
        Variable { name: "x", offset: 0, ty: &WHOLE },
        Variable { name: "y", offset: 8, ty: &WHOLE },
    ],
    starts: &[Family { name: "start", position: HERE, parameters: &[], first: 0, instances: 1 }],
    ..Description::EMPTY
};

fn stats<K: Kept>(cache: &Cache<K>) -> CacheStats {
    cache.stats().and_then(|stats| stats.of_kind::<CacheStats>().cloned()).unwrap()
}

fn wanted(replace: Replace) -> CacheWanted {
    CacheWanted {
        size: Size::States(0),
        replace,
        signatures: None,
        max_collisions: None,
        most: None,
        compared: 10,
    }
}

fn cache<K: Kept>(kept: K, wanted: CacheWanted, states: u64, segments: u32) -> (Cache<K>, Arc<Budget>) {
    let budget = Arc::new(Budget::new(1 << 28));
    let plan = Plan::new(Size::States(states), &kept, wanted.replace, Segmentation::new(segments)).unwrap();
    (
        Cache::new(kept, 2, plan, wanted, Arc::new(Faulty::after(u64::MAX)), &Supply::memory(budget.clone()))
            .unwrap(),
        budget,
    )
}

fn whole() -> States {
    States::new(&Codec::aligned(&TWO_WORDS))
}

fn state(number: u64) -> [u64; 2] {
    [number, number.wrapping_mul(77) >> 3]
}

/// Offers states to a share that owns everything, and says which were new.
fn offer(share: &mut dyn Share, numbers: &[u64]) -> Result<Vec<u64>, InsertError> {
    let states: Vec<u64> = numbers.iter().flat_map(|&number| state(number)).collect();
    let (mut hashes, mut signatures) = (Vec::new(), Vec::new());
    share.hash(&states, &mut hashes, &mut signatures);
    let origins = vec![Origin::START; numbers.len()];
    let sets = Default::default();
    let batch = Batch { states: &states, hashes: &hashes, signatures: &signatures, origins: &origins, sets };
    let positions: Vec<u32> = (0..numbers.len() as u32).collect();
    let mut fresh = Vec::new();
    share.insert(&batch, &positions, &mut fresh)?;
    Ok(fresh.iter().map(|fresh| numbers[fresh.position as usize]).collect())
}

#[test]
fn with_room_for_all_it_is_a_set() {
    for segments in [0, 4] {
        for replace in [Replace::Direct, Replace::Oldest] {
            let (mut cache, budget) = cache(whole(), wanted(replace), 100_000, segments);
            let mut expected = HashSet::new();
            let mut random = Random(3);
            for _ in 0..50 {
                let mut share = cache.shares(1).pop().unwrap();
                let numbers: Vec<u64> = (0..1000).map(|_| random.below(30_000)).collect();
                let new: Vec<u64> =
                    numbers.iter().copied().filter(|number| expected.insert(*number)).collect();
                assert_eq!(offer(&mut *share, &numbers).unwrap(), new);
                share.end_level();
            }
            let cached = stats(&cache);
            assert_eq!((cached.all().replaced, cached.all().insertions), (0, expected.len() as u64));
            assert_eq!(cached.hits, 50_000 - expected.len() as u64);
            let used = cached.levels.iter().filter(|level| level.insertions > 0).count();
            assert_eq!((used, cache.len()), (50, expected.len() as u64));
            drop(cache);
            assert_eq!(budget.used(), 0);
        }
    }
}

/// What it knows was there, and it holds as many as it has entries.
#[test]
fn a_full_cache_knows_nothing_that_was_not_there() {
    for replace in [Replace::Direct, Replace::Oldest] {
        let (mut cache, _) = cache(whole(), wanted(replace), 1600, 1);
        let mut share = cache.shares(1).pop().unwrap();
        let mut seen = HashSet::new();
        let mut random = Random(5);
        for level in 0..100u64 {
            let numbers: Vec<u64> = (0..200).map(|_| level * 60 + random.below(500)).collect();
            let new: HashSet<u64> = offer(&mut *share, &numbers).unwrap().into_iter().collect();
            for number in &numbers {
                assert!(new.contains(number) || seen.contains(number), "{number} was never there");
            }
            seen.extend(numbers);
            share.end_level();
        }
        drop(share);
        let all = stats(&cache).all();
        let entries = cache.common.plan.entries();
        assert!(all.insertions > seen.len() as u64 && all.insertions - all.replaced <= entries);
        assert!(all.insertions - all.replaced > entries * 9 / 10);
    }
}

/// With `oldest`, a level that fits is remembered to the last state while the one after it is
/// found.
#[test]
fn what_is_new_stays() {
    let (mut cache, _) = cache(whole(), wanted(Replace::Oldest), 16_000, 0);
    let mut share = cache.shares(1).pop().unwrap();
    for level in 0..200u64 {
        let numbers: Vec<u64> = (level * 3000..(level + 1) * 3000).collect();
        assert_eq!(offer(&mut *share, &numbers).unwrap().len(), 3000);
        assert_eq!(offer(&mut *share, &numbers).unwrap(), [0u64; 0], "level {level}");
        share.end_level();
    }
}

/// States that are asked for from far later levels survive what is never asked for.
#[test]
fn what_is_asked_for_late_stays() {
    let survivors = |replace| {
        let (mut cache, _) = cache(whole(), wanted(replace), 16_000, 0);
        let mut share = cache.shares(1).pop().unwrap();
        let home: Vec<u64> = (0..1000).collect();
        offer(&mut *share, &home).unwrap();
        let mut lost = 0;
        for level in 1..60u64 {
            share.end_level();
            let numbers: Vec<u64> = (level * 4000..(level + 1) * 4000).collect();
            offer(&mut *share, &numbers).unwrap();
            if level % 3 == 0 {
                lost += offer(&mut *share, &home).unwrap().len();
            }
        }
        lost
    };
    let (oldest, direct) = (survivors(Replace::Oldest), survivors(Replace::Direct));
    assert!(oldest * 4 < direct, "{oldest} {direct}");
}

#[test]
fn signatures_take_little_and_forget_alike() {
    for bits in [8, 24, 40, 64].map(|bits| Bits::new(bits).unwrap()) {
        let kept = || Signatures::new(&Codec::aligned(&TWO_WORDS), bits, 9);
        let wanted = CacheWanted { signatures: Some((bits, 9)), ..wanted(Replace::Oldest) };
        let (mut cache, budget) = cache(kept(), wanted, 80_000, 0);
        assert_eq!(cache.common.plan.bytes_per_entry(), f64::from(bits.get()) / 8.0 + 1.0);
        assert_eq!(budget.used(), cache.common.plan.bytes());
        let mut share = cache.shares(1).pop().unwrap();
        let numbers: Vec<u64> = (0..20_000).collect();
        let new = offer(&mut *share, &numbers).unwrap().len();
        assert!(if bits.get() >= 40 { new == 20_000 } else { new > 18_000 }, "{bits:?} {new}");
        assert_eq!(offer(&mut *share, &numbers).unwrap().len(), 0);
    }
}

#[test]
fn sizes_are_kept_to_the_byte() {
    let kept = whole();
    for replace in [Replace::Direct, Replace::Oldest] {
        for segmentation in [0, 4].map(Segmentation::new) {
            for bytes in [20_000, 123_457, 1 << 20] {
                let plan = Plan::new(Size::Bytes(bytes), &kept, replace, segmentation).unwrap();
                assert!(plan.bytes() <= bytes && plan.bytes() + plan.set_bytes > bytes);
                let sets: u64 = (0..segmentation.segments()).map(|segment| plan.sets_of(segment)).sum();
                assert_eq!(sets, plan.sets);
            }
            let least = WAYS as u64 * segmentation.segments() as u64;
            let small = Plan::new(Size::States(least - 1), &kept, replace, segmentation);
            let Err(TooSmall { bytes, states }) = small else { panic!("{small:?}") };
            assert_eq!(states, least);
            for size in [Size::Bytes(bytes), Size::States(states)] {
                assert_eq!(Plan::new(size, &kept, replace, segmentation).unwrap().entries(), least);
            }
            assert!(Plan::new(Size::Bytes(bytes - 1), &kept, replace, segmentation).is_err());
        }
    }
}

#[test]
fn limits_hold() {
    let limited = CacheWanted { max_collisions: Some(0.5), ..wanted(Replace::Direct) };
    let (mut cache, _) = cache(whole(), limited, 1600, 0);
    let mut share = cache.shares(1).pop().unwrap();
    assert!(offer(&mut *share, &(0..2000).collect::<Vec<_>>()).is_ok());
    let full = (1..10)
        .find_map(|round| offer(&mut *share, &(round * 2000..(round + 1) * 2000).collect::<Vec<_>>()).err());
    assert_eq!(full, Some(InsertError::Collisions));
    let (mut cache, _) =
        self::cache(whole(), CacheWanted { most: Some(100), ..wanted(Replace::Oldest) }, 1600, 0);
    let mut share = cache.shares(1).pop().unwrap();
    assert_eq!(offer(&mut *share, &(0..100).collect::<Vec<_>>()).unwrap().len(), 100);
    assert_eq!(offer(&mut *share, &(0..100).collect::<Vec<_>>()).unwrap().len(), 0);
    assert_eq!(offer(&mut *share, &[100]), Err(InsertError::Room));
}
