//! Tests of batches and workers without connections.

use super::*;
use crate::serve::messages::Head;

const NOW: Duration = Duration::ZERO;

fn answer(count: usize) -> Answer {
    let head = Head { ends: vec![0; count], microseconds: 10, ..Head::default() };
    Answer { head, states: Vec::new() }
}

fn number(errand: Errand) -> u64 {
    match errand {
        Errand::Batch { number, .. } => number,
        other => panic!("{other:?}"),
    }
}

fn two_workers() -> (Pool, u64, u64) {
    let pool = Pool::new(1, 1 << 30, false, false);
    let (one, two) = (pool.enter("a".to_owned()), pool.enter("b".to_owned()));
    (pool, one, two)
}

#[test]
fn answers_come_out_in_the_order_of_batches_and_once() {
    let (pool, one, two) = two_workers();
    pool.give(0, 3, vec![10], vec![1], one);
    let first = number(pool.errand(one, NOW));
    pool.give(0, 3, vec![11, 12], vec![2, 3], two);
    let second = number(pool.errand(two, NOW));
    assert_eq!(pool.given(one, second), None, "it was given to the other one");
    pool.answered(two, second, answer(2));
    assert!(pool.take(0).is_none(), "the first is still under way");
    pool.answered(one, second, answer(2));
    pool.answered(one, first, answer(1));
    pool.answered(one, first, answer(1));
    assert_eq!(pool.take(0).unwrap().indices, [10]);
    assert_eq!(pool.take(0).unwrap().indices, [11, 12]);
    assert!(pool.is_idle(0));
    assert_eq!(pool.bytes(0), 0);
}

#[test]
fn batches_of_a_lost_worker_go_to_others() {
    let pool = Pool::new(1, 1 << 30, false, false);
    let one = pool.enter("a".to_owned());
    pool.give(0, 0, vec![10], vec![1], one);
    let batch = number(pool.errand(one, NOW));
    pool.leave(one, "is lost");
    let two = pool.enter("b".to_owned());
    assert_eq!(number(pool.errand(two, NOW)), batch);
    // The late answer of one that is gone.
    pool.answered(one, batch, answer(1));
    assert!(pool.take(0).is_none());
    pool.answered(two, batch, answer(1));
    assert_eq!(pool.take(0).unwrap().indices, [10]);
    let table = pool.table();
    assert_eq!((table[0].lost, table[0].gone.as_deref()), (1, Some("is lost")));
    assert_eq!((table[1].states, table[1].batches, table[1].gone.as_deref()), (1, 1, None));
}

#[test]
fn what_was_not_expanded_follows() {
    let pool = Pool::new(2, 1 << 30, false, false);
    let one = pool.enter("a".to_owned());
    pool.give(0, 0, vec![10, 11], vec![1, 2, 3, 4], one);
    pool.give(0, 0, vec![12], vec![5, 6], one);
    let batch = number(pool.errand(one, NOW));
    pool.answered(one, batch, answer(1));
    assert_eq!(pool.take(0).unwrap().words, [1, 2]);
    let Errand::Batch { number, words } = pool.errand(one, NOW) else { panic!() };
    assert_eq!(words, [3, 4]);
    pool.answered(one, number, answer(1));
    assert_eq!(pool.take(0).unwrap().indices, [11]);
}

/// Two workers have one batch; the first answers a part of it, and the second all of it. What the
/// second says is not nonsense, and is dropped.
#[test]
fn a_second_worker_may_answer_more_than_the_first() {
    let (pool, one, two) = two_workers();
    pool.give(0, 0, vec![10, 11, 12], vec![1, 2, 3], one);
    let batch = number(pool.errand(one, NOW));
    pool.lock().lanes[0].entries[0].long = NOW;
    assert_eq!(number(pool.errand(two, NOW)), batch);
    pool.answered(one, batch, answer(1));
    assert_eq!(pool.given(two, batch), Some(3));
    pool.answered(two, batch, answer(3));
    assert_eq!(pool.take(0).unwrap().indices, [10]);
    assert!(pool.take(0).is_none(), "the rest is still to do");
    let rest = number(pool.errand(two, NOW));
    pool.answered(two, rest, answer(2));
    assert_eq!(pool.take(0).unwrap().indices, [11, 12]);
}

#[test]
fn a_batch_is_made_for_the_worker_that_gets_it() {
    let (pool, one, two) = two_workers();
    pool.lock().seats.present.get_mut(&one).unwrap().did(1024, 1_024_000);
    pool.lock().seats.present.get_mut(&two).unwrap().did(1024, 102_400);
    let want = pool.wants(0, 1_000_000).unwrap();
    assert_eq!(want, Want { seat: two, size: 300 });
    pool.give(0, 0, vec![1], vec![1], two);
    let want = pool.wants(0, 1_000_000).unwrap();
    assert_eq!(want, Want { seat: one, size: 30 });
    assert!(matches!(pool.errand(two, NOW), Errand::Batch { .. }));
    // Of what is left each gets a part by its speed.
    assert_eq!(pool.wants(0, 33).unwrap(), Want { seat: one, size: 1 });
}

/// Batches of the next level count if they turn out to be what the frontier gives out.
#[test]
fn what_was_foreseen_counts_if_it_comes() {
    let (pool, one, _) = two_workers();
    for comes in [true, false] {
        let level = if comes { 5 } else { 6 };
        pool.foresee(0, level, [[7].as_slice(), &[8], &[9]].into_iter());
        pool.look_ahead(0);
        let mut count = 0;
        while let Errand::Batch { number, words } = pool.errand(one, NOW) {
            count += words.len();
            pool.answered(one, number, answer(words.len()));
        }
        assert_eq!(count, 3);
        assert!(pool.is_idle(0), "nothing of this level is under way");
        assert_eq!(pool.foreseen(0, level - 1), None);
        let size = pool.foreseen(0, level).unwrap();
        let words = if comes { vec![7, 8, 9] } else { vec![7, 99, 9] };
        let first = if comes { words[..size].to_vec() } else { vec![99; size] };
        pool.claim(0, level, (0..size as u64).collect(), first);
        assert_eq!(pool.take(0).is_some(), comes);
        if !comes {
            assert_eq!(pool.foreseen(0, level), None);
            let again = number(pool.errand(one, NOW));
            pool.answered(one, again, answer(size));
            assert!(pool.take(0).is_some());
        }
        while let Some(size) = pool.foreseen(0, level) {
            let at = 3 - pool.lock().lanes[0].ahead.iter().map(|entry| entry.words.len()).sum::<usize>();
            pool.claim(0, level, vec![0; size], words[at..at + size].to_vec());
            assert!(pool.take(0).is_some());
        }
    }
    pool.foresee(0, 9, std::iter::empty());
    assert_eq!(pool.bytes(0), 0);
}

/// Threads of the server have batches of their own, which any worker may get, the earliest first.
#[test]
fn threads_of_a_server_have_lanes() {
    let pool = Pool::new(1, 1 << 30, false, true);
    pool.divide(2);
    let one = pool.enter("a".to_owned());
    pool.give(1, 3, vec![20], vec![2], one);
    pool.give(0, 3, vec![10], vec![1], one);
    let first = pool.errand(one, NOW);
    assert!(matches!(&first, Errand::Batch { words, .. } if *words == [2]), "{first:?}");
    let second = number(pool.errand(one, NOW));
    let seen = [pool.news(0), pool.news(1)];
    pool.answered(one, second, answer(1));
    assert!(pool.news(0) > seen[0] && pool.news(1) > seen[1]);
    // Something has happened, so nobody waits.
    pool.wait(1, seen[1], Duration::from_secs(60));
    assert!(pool.take(1).is_none() && pool.is_idle(0) == pool.is_idle(1));
    assert_eq!(pool.take(0).unwrap().indices, [10]);
    assert!(pool.is_idle(0) && !pool.is_idle(1));
    pool.answered(one, number(first), answer(1));
    assert_eq!(pool.take(1).unwrap().indices, [20]);
    // Nobody works ahead of the level while a thread has states of it.
    pool.foresee(0, 4, [[9].as_slice()].into_iter());
    assert!(pool.wants(1, 5).is_some());
    pool.look_ahead(0);
    assert_eq!(pool.errand(one, NOW), Errand::Heartbeat);
    pool.look_ahead(1);
    assert!(matches!(pool.errand(one, NOW), Errand::Batch { .. }));
    // A thread takes what is meant for others only if it is free, and nothing of the next level.
    let here = pool.enter_here(0);
    assert_eq!((pool.enter_here(0), pool.workers()), (here, 1));
    pool.look_ahead(0);
    assert_eq!(pool.errand_here(here, true), None);
    pool.give(1, 3, vec![30], vec![3], one);
    assert_eq!(pool.errand_here(here, false), None);
    let (batch, words) = pool.errand_here(here, true).unwrap();
    assert_eq!(words, [3]);
    pool.answered(here, batch, answer(1));
    assert_eq!(pool.take(1).unwrap().indices, [30]);
    pool.divide(1);
    assert_eq!((pool.bytes(0), pool.states()), (0, 0));
}
