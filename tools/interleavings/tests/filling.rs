//! Every interleaving of threads that fill a table of signatures together.

#![cfg(test)]
#![allow(unsafe_code)] // The code of the runtime, and a table like its own.

/// What `runtime/src/sync.rs` is in the runtime, from loom.
mod sync {
    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::{AtomicBool, Ordering};
    pub use loom::thread::yield_now;
}

#[allow(dead_code)]
#[path = "../../../runtime/src/visited/compact/filling.rs"]
mod filling;

use filling::{Locks, ProbeWalker, Slots, leave};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

/// Slots of eight bits, two in a word: what is written into one is written into the other, too, so
/// a word that two threads write at the same time loses something. Two words of two slots, each
/// word a group with a lock. Loom watches over who reaches them.
struct Small {
    words: [UnsafeCell<u64>; 2],
    locks: Locks,
}

// SAFETY: whether it is so is what the tests are about; loom ends them where two threads reach a
// word at the same time.
unsafe impl Sync for Small {}

impl Slots for Small {
    fn get(&self, slot: u64) -> u64 {
        // SAFETY: the word is there, and loom ends the test if another thread writes to it
        // meanwhile.
        self.words[slot as usize / 2].with(|word| unsafe { *word } >> (slot % 2 * 8) & 255)
    }

    fn set(&self, slot: u64, value: u64) {
        let shift = slot % 2 * 8;
        // SAFETY: the word is there, and loom ends the test if another thread reaches it meanwhile.
        self.words[slot as usize / 2]
            .with_mut(|word| unsafe { *word = *word & !(255 << shift) | value << shift });
    }

    /// Odd values go one slot on, even ones three.
    fn after(&self, slot: u64, value: u64) -> u64 {
        (slot + if value % 2 == 1 { 1 } else { 3 }) % 4
    }

    fn group(slot: u64) -> u64 {
        slot / 2
    }
}

impl Small {
    fn new() -> Self {
        Small { words: [UnsafeCell::new(0), UnsafeCell::new(0)], locks: Locks::new(2) }
    }

    fn add(&self, slot: u64, value: u64) {
        let mut walker = ProbeWalker { slot, value };
        while !leave(self, Some(&self.locks), &mut walker) {}
    }

    fn contents(&self) -> [u64; 4] {
        [0, 1, 2, 3].map(|slot| self.get(slot))
    }
}

fn fill(parts: [&'static [(u64, u64)]; 2], expected: [u64; 4]) {
    // In one order after the other by one thread.
    for order in [[0, 1], [1, 0]] {
        loom::model(move || {
            let table = Small::new();
            order
                .iter()
                .flat_map(|&part: &usize| parts[part])
                .for_each(|&(slot, value)| table.add(slot, value));
            assert_eq!(table.contents(), expected);
        });
    }
    // In all orders by two.
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(move || {
        let table = Arc::new(Small::new());
        let thread = {
            let table = table.clone();
            thread::spawn(move || parts[1].iter().for_each(|&(slot, value)| table.add(slot, value)))
        };
        parts[0].iter().for_each(|&(slot, value)| table.add(slot, value));
        thread.join().unwrap();
        assert_eq!(table.contents(), expected);
    });
}

#[test]
fn neighbours_in_a_word_do_not_lose_each_other() {
    fill([&[(0, 7)], &[(1, 9)]], [7, 9, 0, 0]);
}

/// Both begin at the same slot, and whoever comes first is driven on.
#[test]
fn the_larger_value_stays_in_either_order() {
    fill([&[(0, 7)], &[(0, 9)]], [9, 7, 0, 0]);
}

/// 9 drives 7 on, 7 drives 4 on, and that one goes round: 4 from slot 1 to 0, and from there to 3.
#[test]
fn what_is_driven_on_finds_its_slot_in_another_group() {
    fill([&[(1, 4), (0, 7)], &[(0, 9)]], [9, 7, 0, 4]);
}
