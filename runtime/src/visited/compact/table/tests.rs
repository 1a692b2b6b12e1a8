//! The table of signatures: against Figure 2 of the paper, with several threads, and full.

use super::*;
use crate::random::Random;

fn table(bits: u32, slots: u64) -> Table {
    Table::new(Bits::new(bits).unwrap(), slots, Arc::new(Budget::new(1 << 30))).unwrap()
}

/// Each region holds what a table of its own would hold, up to its last slot.
#[test]
fn regions_are_tables_of_their_own() {
    let (bits, budget) = (Bits::new(20).unwrap(), Arc::new(Budget::new(1 << 30)));
    // Miri takes hours for tables of this size.
    let slots = if cfg!(miri) { 101 } else { 1009 };
    let regions = Regions::new(3, 2, 4, slots - 1);
    let divided = Table::divided(bits, regions, budget.clone()).unwrap();
    let alone: Vec<Table> = (0..4).map(|_| table(20, slots - 1)).collect();
    assert_eq!((divided.slots(), divided.capacity()), (4 * slots, 4 * (slots - 1)));
    let mut random = Random(5);
    let mut added = Vec::new();
    for (region, alone) in alone.iter().enumerate() {
        for _ in 0..divided.room_of_segment() {
            let (place, value) = (random.number() >> 3, bits.signature(random.number()));
            divided.add::<false>((region as u64 + 2) << 61 | place, value);
            alone.add::<false>(place << 3, value);
            added.push(((region as u64 + 2) << 61 | place, value));
        }
    }
    assert_eq!(contents(&divided), alone.iter().flat_map(contents).collect::<Vec<_>>());
    assert!(added.iter().all(|&(place, value)| divided.contains(place, value)));
}

fn contents(table: &Table) -> Vec<u64> {
    (0..table.slots).map(|slot| table.get(slot)).collect()
}

/// Figure 2 of the paper, with a plain array, and without the answer "already present".
fn figure_2(table: &Table, slots: &mut [u64], place: u64, value: u64) {
    let mut at = table.home(place);
    let mut value = value;
    while slots[at as usize] != 0 && slots[at as usize] >= value {
        at = (at + table.step(value)) % table.slots;
    }
    while slots[at as usize] != 0 {
        if slots[at as usize] < value {
            std::mem::swap(&mut slots[at as usize], &mut value);
        }
        at = (at + table.step(value)) % table.slots;
    }
    slots[at as usize] = value;
}

/// A table into which as many go at the same time as there is room for in a window.
fn filled_together<const SHARED: bool>(bits: u32, slots: u64, pairs: &[(u64, u64)]) -> Table {
    let table = table(bits, slots);
    let mut window = Vec::new();
    for &(place, value) in pairs {
        window.push(table.begin(place, value));
        if window.len() == 20 {
            let on = table.leave_all::<SHARED>(&mut window);
            window.truncate(on);
        }
    }
    while !window.is_empty() {
        let on = table.leave_all::<SHARED>(&mut window);
        window.truncate(on);
    }
    table
}

#[test]
fn slots_of_every_width_keep_to_themselves() {
    for bits in 8..=64 {
        let table = table(bits, 131);
        let mut random = Random(u64::from(bits));
        let mut expected = vec![0; 131];
        for _ in 0..if cfg!(miri) { 30 } else { 2000 } {
            let slot = random.below(131);
            let value = random.number() & table.bits.signatures();
            table.set(slot, value);
            expected[slot as usize] = value;
        }
        assert_eq!(contents(&table), expected, "{bits}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "too many states for Miri")]
fn memory_is_bits_times_slots() {
    let budget = Arc::new(Budget::new(1 << 30));
    let made = Table::new(Bits::new(40).unwrap(), 1_000_003, budget.clone()).unwrap();
    assert_eq!(made.slots(), 1_000_003);
    assert!(budget.used() <= 1_000_003 * 5 + 16);
    drop(made);
    assert_eq!(budget.used(), 0);
    for (bits, bytes) in [(8, 100), (40, 50_000_016), (64, 1 << 20), (11, 12345)] {
        let bits = Bits::new(bits).unwrap();
        let slots = Table::slots_in(bits, bytes);
        assert_eq!(prime::at_least(slots), slots);
        assert!(Table::bytes(bits, slots) <= bytes);
        assert!(Table::bytes(bits, slots + slots / 5) > bytes);
    }
    assert!(Table::new(Bits::DEFAULT, 1 << 40, Arc::new(Budget::new(1 << 20))).is_err());
}

/// To the last slot, with few bits and many equal values, in any order, by one thread and by
/// four.
#[test]
fn contents_are_those_of_figure_2_in_any_order() {
    let tables: &[(u32, u64)] =
        if cfg!(miri) { &[(8, 53), (61, 31)] } else { &[(8, 1009), (10, 509), (40, 2003), (61, 1013)] };
    for &(bits, slots) in tables {
        let table = table(bits, slots);
        let capacity = table.capacity() as usize;
        let mut random = Random(slots);
        let mut pairs: Vec<(u64, u64)> =
            (0..capacity).map(|_| (random.number(), table.bits.signature(random.number()))).collect();
        let mut expected = vec![0; slots as usize];
        for &(place, value) in &pairs {
            table.add::<false>(place, value);
            figure_2(&table, &mut expected, place, value);
        }
        assert_eq!(contents(&table), expected);
        assert!(pairs.iter().all(|&(place, value)| table.contains(place, value)));
        for round in 0..if cfg!(miri) { 1 } else { 4 } {
            pairs.sort_by_key(|pair| pair.1.wrapping_mul(2 * round + 1) ^ pair.0 >> (round * 7));
            let again = self::table(bits, slots);
            std::thread::scope(|scope| {
                for part in pairs.chunks(capacity.div_ceil(4)) {
                    let again = &again;
                    scope.spawn(move || {
                        part.iter().for_each(|&(place, value)| again.add::<true>(place, value));
                    });
                }
            });
            assert_eq!(contents(&again), expected, "{bits} bits, round {round}");
            assert_eq!(contents(&filled_together::<false>(bits, slots, &pairs)), expected);
            assert_eq!(contents(&filled_together::<true>(bits, slots, &pairs)), expected);
        }
    }
}

/// What is found once is found always.
#[test]
fn nothing_gets_lost_on_the_way() {
    let table = table(9, if cfg!(miri) { 211 } else { 4099 });
    let mut random = Random(2);
    let mut added = Vec::new();
    for _ in 0..table.capacity() {
        let (place, value) = (random.number(), table.bits.signature(random.number()));
        if !table.contains(place, value) {
            table.add::<false>(place, value);
        }
        added.push((place, value));
    }
    assert!(added.iter().all(|&(place, value)| table.contains(place, value)));
}

#[test]
fn a_limit_on_the_probes_holds() {
    let table = table(30, 101);
    let mut random = Random(8);
    let mut refused = 0;
    for _ in 0..400 {
        let (place, value) = (random.number(), table.bits.signature(random.number()));
        let known = table.contains_limited(place, value, 5);
        match table.add_limited(place, value, 5) {
            Limited::Known => assert!(known),
            Limited::Added => {
                assert!(!known && table.contains_limited(place, value, 5));
                assert_eq!(table.add_limited(place, value, 5), Limited::Known);
            }
            Limited::NoRoom => refused += 1,
        }
    }
    let filled = contents(&table).iter().filter(|&&value| value != 0).count();
    assert!((90..=101).contains(&filled) && refused > 250, "{filled} {refused}");
}

#[test]
#[cfg_attr(miri, ignore = "too many states for Miri")]
fn signatures_are_never_zero_and_equally_likely() {
    for bits in [8, 13, 40, 63, 64].map(|bits| Bits::new(bits).unwrap()) {
        assert_eq!(bits.signature(0), 1);
        assert_eq!(bits.signature(u64::MAX), bits.signatures());
        let ratio = bits.likeliest() * bits.signatures() as f64;
        assert!((1.0..=2.0).contains(&ratio));
        assert!(bits.get() > 40 || ratio < 1.0 + 1e-6, "{bits:?} {ratio}");
    }
    let bits = Bits::new(8).unwrap();
    let mut counts = [0u32; 256];
    let mut random = Random(4);
    (0..255_000).for_each(|_| counts[bits.signature(random.number()) as usize] += 1);
    assert_eq!(counts[0], 0);
    assert!(counts[1..].iter().all(|count| (800..1200).contains(count)));
    assert!(Bits::new(7).is_none() && Bits::new(65).is_none());
}

/// A table of 99 % takes no more than a few probes for a search.
#[test]
#[cfg_attr(miri, ignore = "too many states for Miri")]
fn a_full_table_is_searched_in_few_probes() {
    let table = table(40, 100_003);
    let mut random = Random(6);
    for _ in 0..table.slots() * 99 / 100 {
        table.add::<false>(random.number(), table.bits.signature(random.number()));
    }
    let mut probes = 0;
    let searches = 100_000;
    for _ in 0..searches {
        let (mut slot, value) = (table.home(random.number()), table.bits.signature(random.number()));
        probes += 1;
        while table.get(slot) > value {
            slot = table.next(slot, table.step(value));
            probes += 1;
        }
    }
    // The mean of 1 / (1 - load) over all loads up to 99 %: ln(100) / 0.99.
    let mean = probes as f64 / searches as f64;
    assert!((4.3..5.0).contains(&mean), "{mean}");
}
