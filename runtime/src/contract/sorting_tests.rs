//! Sorting by numbers and sorting by bytes come to the same, whatever is in the slots.

use super::sort;
use crate::contract::cells::{Array, Multiset, One, SimpleCell, Storage};
use crate::random::Random;

type Row<const SIZE: usize> = Array<One<0>, SIZE, 0>;

/// The bytes of a slot.
fn copied<S: Storage>(slot: &S) -> Vec<u8> {
    // SAFETY: copied at once.
    unsafe { slot.bytes() }.to_vec()
}

/// Slots with few different bytes, most of which share a prefix. The first byte says whether a slot
/// is occupied.
fn some<const SIZE: usize, const N: usize>(random: &mut Random) -> [Row<SIZE>; N] {
    std::array::from_fn(|_| {
        let row = Row::<SIZE>::undefined();
        for at in 0..SIZE as i64 {
            let byte =
                if at == 0 { random.below(2) } else { [0, 1, 2, 127, 128, 255][random.below(6) as usize] };
            if byte > 0 {
                row.item(at).set(byte as i64 - 1);
            }
        }
        row
    })
}

fn expected<const SIZE: usize, const N: usize>(slots: &[Row<SIZE>; N]) -> Vec<Vec<u8>> {
    let mut rows: Vec<Vec<u8>> = slots.iter().map(copied).collect();
    rows.iter_mut().filter(|row| row[0] == 0).for_each(|row| row.fill(0));
    rows.sort_by(|left, right| right.cmp(left));
    rows
}

fn check<const SIZE: usize, const N: usize>() {
    let mut random = Random((SIZE * 100 + N) as u64);
    for _ in 0..if cfg!(miri) { 1 } else { 300 } {
        let slots = some::<SIZE, N>(&mut random);
        let expected = expected(&slots);
        sort(&slots);
        assert_eq!(slots.each_ref().map(copied).to_vec(), expected, "{SIZE} {N}");
    }
}

fn check_sizes<const N: usize>() {
    check::<1, N>();
    check::<2, N>();
    check::<3, N>();
    check::<4, N>();
    check::<5, N>();
    check::<6, N>();
    check::<7, N>();
    check::<8, N>();
    check::<9, N>();
    check::<12, N>();
    check::<16, N>();
    check::<17, N>();
    check::<40, N>();
}

#[test]
fn the_order_is_that_of_the_bytes() {
    check_sizes::<1>();
    check_sizes::<2>();
    check_sizes::<3>();
    check_sizes::<8>();
    check_sizes::<32>();
    check_sizes::<33>();
}

/// A sorted bag in which a rule changed up to three slots.
#[test]
fn few_changes_are_sorted() {
    let mut random = Random(5);
    for round in 0..if cfg!(miri) { 8 } else { 2_000 } {
        let slots = some::<6, 8>(&mut random);
        sort(&slots);
        for _ in 0..round % 4 {
            let other = some::<6, 1>(&mut random);
            slots[random.below(8) as usize].copy_from(&other[0]);
        }
        let expected = expected(&slots);
        sort(&slots);
        assert_eq!(slots.each_ref().map(copied).to_vec(), expected);
    }
}

#[test]
fn bags_that_changed_are_sorted_in_arrays_and_in_bags() {
    type Bag = Multiset<One<0>, 3>;
    let before = <Array<Multiset<Bag, 2>, 2, 0>>::undefined();
    let fill = |bag: &Bag, values: &[i64]| {
        values.iter().for_each(|value| bag.add(0).unwrap().set(*value));
    };
    let inner = Bag::undefined();
    fill(&inner, &[5, 3]);
    before.item(1).add(0).unwrap().copy_from(&inner);

    let now = before.duplicate();
    now.normalise_since(&before);
    assert!(now.same(&before), "what has not changed stays");

    fill(now.item(1).at(0, 0).unwrap(), &[9]);
    now.item(0).add(0).unwrap();
    let larger = Bag::undefined();
    fill(&larger, &[7, 8]);
    now.item(0).add(0).unwrap().copy_from(&larger);
    let whole = now.duplicate();
    whole.normalise();
    now.normalise_since(&before);
    assert!(now.same(&whole));
    let held = |bag: &Bag| bag.elements().map(|element| element.value().unwrap()).collect::<Vec<_>>();
    assert_eq!(held(now.item(1).at(0, 0).unwrap()), [9, 5, 3]);
    assert_eq!(held(now.item(0).at(0, 0).unwrap()), [8, 7]);
    assert_eq!(held(now.item(0).at(1, 0).unwrap()), [0; 0]);
}
