//! Records come back as they were written, and are small.

use super::*;
use crate::checkpoint::{Entry, Reader, Writer};
use crate::random::Random;
use crate::storage::faulty::Faulty;
use crate::storage::simulated::Disk;
use crate::storage::{Archive, Operation, ResourceError};
use crate::visited::numbers::{NUMBER_BITS, numbers_from};

const MOST_NUMBER: u64 = (1 << NUMBER_BITS) - 2;

fn records(storage: Faulty, bits: u32) -> Records {
    Records::new(Arc::new(storage), Segmentation::new(bits), COMPARED, Arc::new(Budget::new(1 << 30)))
}

/// Origins as no search has them, and hashes.
fn wild(random: &mut Random) -> (Origin, u64) {
    let origin = match random.below(5) {
        0 => Origin::START,
        1 => Origin(random.number() >> 16),
        2 => Origin::from(StateIndex(MOST_NUMBER - random.below(1000))),
        _ => Origin(random.below(1000)),
    };
    (origin, random.number())
}

fn push(log: &mut Log, records: &Records, (origin, hash): (Origin, u64)) -> Result<(), StorageError> {
    log.make_room(records).unwrap();
    log.push(records, origin, hash)
}

/// What a log of a segment says about a state that was pushed with this origin and hash.
fn expected(records: &Records, segment: usize, (origin, hash): (Origin, u64)) -> Option<Recalled> {
    let low = records.signature(hash) & ((1 << records.bits) - 1);
    Some(Recalled { origin, signature: Some((segment as u64) << records.bits | low) })
}

/// Compares all records from this number on with those that were pushed.
fn compare(log: &Log, records: &Records, segment: usize, from: u64, pushed: &[(Origin, u64)], each: usize) {
    let get = |place: u64| log.get(records, records.segmentation.index(segment, place)).unwrap();
    for (place, &one) in (from..).zip(pushed).step_by(each) {
        assert_eq!(get(place), expected(records, segment, one), "{place}");
    }
    let last = from + pushed.len() as u64 - 1;
    assert_eq!(get(last), expected(records, segment, pushed[pushed.len() - 1]));
    assert_eq!(get(last + 1), None);
}

#[test]
fn two_logs_in_one_file_keep_their_records() {
    for bits in [0, 1, 4, 8, 11] {
        for wide in [0, 1, 10, 40, 57] {
            let records = signatures_of(wide, || records(Faulty::after(u64::MAX), bits));
            assert_eq!(records.bits, wide);
            let mut logs = [Log::default(), Log::default()];
            let mut pushed = [Vec::new(), Vec::new()];
            let mut random = Random(u64::from(bits));
            for _ in 0..12_000 {
                let at = random.below(2) as usize;
                let one = wild(&mut random);
                push(&mut logs[at], &records, one).unwrap();
                pushed[at].push(one);
            }
            assert!(records.len() > 8 * BLOCK as u64);
            for (segment, (log, pushed)) in logs.iter().zip(&pushed).enumerate() {
                let segment = segment & ((1 << bits) - 1);
                compare(log, &records, segment, 0, pushed, 61);
            }
        }
    }
}

/// Predecessors as a breadth-first search has them: in each segment one after the other.
fn as_searched(random: &mut Random, bits: u32, count: usize) -> Vec<(Origin, u64)> {
    let mut next: Vec<u64> = (0..1u64 << bits).map(|_| 500_000 + random.below(800)).collect();
    let origin = |_| {
        let segment = random.below(1 << bits);
        next[segment as usize] += random.below(2 << bits);
        (Origin::from(StateIndex(next[segment as usize] << bits | segment)), random.number())
    };
    (0..count).map(origin).collect()
}

#[test]
fn records_are_small() {
    for (bits, most) in [(0, 1.7), (4, 2.2), (6, 2.5), (8, 3.5)] {
        let records = records(Faulty::after(u64::MAX), bits);
        let mut log = Log::default();
        let pushed = as_searched(&mut Random(3), bits, 200_000);
        pushed.iter().for_each(|&one| push(&mut log, &records, one).unwrap());
        let each = records.len() as f64 / 200_000.0;
        assert!(each < most, "{bits}: {each}");
        compare(&log, &records, 1 & ((1 << bits) - 1), 0, &pushed, 997);
        let held = records.held.load(Ordering::Relaxed) as usize;
        let buffers = log.buffer.capacity() + log.blocks.capacity() * size_of::<Block>();
        assert_eq!(held, buffers + Code::bytes(records.segmentation));
        assert!(held < 8 * BLOCK);
    }
}

/// The signature is that of the state, whatever the segment, and other states mostly have others.
#[test]
fn signatures_belong_to_states() {
    let mut random = Random(9);
    for bits in [0, 4, 7, 9] {
        let records = records(Faulty::after(u64::MAX), bits);
        let mut same = 0;
        for _ in 0..20_000 {
            let (one, other) = (random.number(), random.number());
            let segment = records.segmentation.of_hash(one);
            assert_eq!(expected(&records, segment, (Origin::START, one)).unwrap().signature, {
                Some(records.signature(one))
            });
            same += u32::from(records.signature(one) == records.signature(other));
        }
        assert!(same < 60, "{bits}: {same}");
    }
}

/// Records have numbers beyond 2^32, in the file and in memory.
#[test]
fn there_may_be_many_records() {
    let records = records(Faulty::after(u64::MAX), 0);
    let first = (1 << 32) - 5_000;
    let mut log = Log { length: first, ..Log::default() };
    let mut random = Random(5);
    let pushed: Vec<_> = (0..20_000).map(|_| wild(&mut random)).collect();
    pushed.iter().for_each(|&one| push(&mut log, &records, one).unwrap());
    assert!(log.blocks.iter().any(|block| block.first > 1 << 32));
    compare(&log, &records, 0, first, &pushed, 7);
}

#[test]
fn numbers_may_begin_anywhere() {
    numbers_from((1 << 47) - 77, || {
        let records = records(Faulty::after(u64::MAX), 4);
        let mut log = Log::default();
        let mut random = Random(8);
        let pushed: Vec<_> = (0..9_000).map(|_| wild(&mut random)).collect();
        pushed.iter().for_each(|&one| push(&mut log, &records, one).unwrap());
        compare(&log, &records, 3, 0, &pushed, 11);
    });
}

#[test]
fn a_full_disk_is_reported() {
    let storage = Arc::new(Faulty::after(3));
    let records =
        Records::new(storage.clone(), Segmentation::new(0), COMPARED, Arc::new(Budget::new(1 << 20)));
    let mut log = Log::default();
    let mut random = Random(1);
    let mut pushed = Vec::new();
    let error = loop {
        let one = wild(&mut random);
        pushed.push(one);
        if let Err(error) = push(&mut log, &records, one) {
            break error;
        }
    };
    assert_eq!(error.kind, std::io::ErrorKind::StorageFull);
    assert_eq!((error.file, error.operation), (Purpose::Records, Operation::Write));
    assert_eq!(log.blocks.len(), 3);
    // What was written before can still be read, when the disk allows it.
    assert!(log.get(&records, StateIndex(0)).is_err());
    storage.allow(100);
    compare(&log, &records, 0, 0, &pushed, 100);
}

/// Memory is asked for before a record is there, and given back.
#[test]
fn buffers_are_counted() {
    let budget = Arc::new(Budget::new(40 << 10));
    let segmentation = Segmentation::new(7);
    let records = Records::new(Arc::new(Faulty::after(u64::MAX)), segmentation, COMPARED, budget.clone());
    let mut logs: Vec<Log> = (0..128).map(|_| Log::default()).collect();
    let full = logs.iter_mut().filter_map(|log| log.make_room(&records).err()).count();
    // The first quarter of a mebibyte is free.
    assert!((30..70).contains(&full), "{full}");
    assert!(budget.used() > 35 << 10);
    drop(records);
    assert_eq!(budget.used(), 0);
}

#[test]
fn a_block_that_is_none_has_no_records() {
    let mut random = Random(11);
    let records = records(Faulty::after(u64::MAX), 5);
    for length in 0..200 {
        let bytes: Vec<u8> = (0..length).map(|_| random.number() as u8).collect();
        // Never more records than bits.
        assert_eq!(nth(&records, &bytes, 8 * 200), None);
    }
    assert_eq!(nth(&records, &[0; 400], 8 * 400), None);
    assert_eq!(nth(&records, &[0xff; 400], 8 * 400), None);
}

fn restored(disk: &Disk, entry: &Entry, records: &Records, length: u64) -> Result<Log, ResourceError> {
    let mut log = Log::default();
    let file = File::new(disk.open(&entry.name).unwrap(), Purpose::SavedStates);
    log.restore(records, length, &mut Reader::new(file, entry))?;
    Ok(log)
}

/// A log that goes on from a checkpoint writes what it would have written.
#[test]
fn saved_logs_go_on() {
    for count in [0, 1, 700, 4_000, 30_000] {
        let (first, second) = (records(Faulty::after(u64::MAX), 4), records(Faulty::after(u64::MAX), 4));
        let pushed = as_searched(&mut Random(13), 4, count + 5_000);
        let mut log = Log::default();
        pushed[..count].iter().for_each(|&one| push(&mut log, &first, one).unwrap());
        let disk = Disk::sound();
        let file = File::new(disk.create("some").unwrap(), Purpose::SavedStates);
        let mut writer = Writer::new(file, "some");
        log.save(&first, &mut writer).unwrap();
        let entry = writer.finish().unwrap();
        let mut again = restored(&disk, &entry, &second, count as u64).unwrap();
        for &one in &pushed[count..] {
            push(&mut log, &first, one).unwrap();
            push(&mut again, &second, one).unwrap();
        }
        assert_eq!(first.len(), second.len());
        compare(&again, &second, 2, 0, &pushed, 101);
        assert!(restored(&disk, &entry, &second, count as u64 + 1).is_err());
    }
}

/// Of the successors of a state at most a quarter is taken for another one, however many there are.
#[test]
fn signatures_distinguish_the_successors_of_a_state() {
    assert_eq!((compared(1, 1), compared(255, 1 << 19)), (COMPARED, COMPARED));
    for rules in [256, 1_000, 5_000, u32::MAX] {
        assert!(u64::from(rules) <= 1 << (compared(rules, 1) - 2), "{rules}");
    }
    assert_eq!(compared(1, 1 << 31), 32 - STARTS);
}
