//! Every interleaving of small cases of the ring, the bell and the meeting.

#![cfg(test)]

/// What `runtime/src/sync.rs` is in the runtime, from loom.
mod sync {
    pub use loom::hint::spin_loop;
    pub use loom::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
    pub use loom::sync::{Condvar, Mutex, MutexGuard};

    /// Loom tries every order anyway, so once is enough.
    pub const SPINS: u32 = 1;

    #[derive(Debug)]
    pub struct Shared<T>(loom::cell::UnsafeCell<T>);

    impl<T> Shared<T> {
        pub fn new(value: T) -> Self {
            Shared(loom::cell::UnsafeCell::new(value))
        }

        pub fn with_mut<R>(&self, work: impl FnOnce(*mut T) -> R) -> R {
            self.0.with_mut(work)
        }
    }
}

#[allow(dead_code, unsafe_code)]
#[path = "../../../runtime/src/search/together"]
mod together {
    pub mod bell;
    pub mod meeting;
    pub mod ring;
}

use loom::sync::Arc;
use loom::thread;
use together::bell::Bell;
use together::meeting::Meeting;
use together::ring::{Receiver, Ring, Sender};

fn model(bound: Option<usize>, work: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = bound;
    builder.check(work);
}

/// A ring that outlives the threads of one run, as scoped threads would have it.
fn ring(slots: usize) -> (Sender<'static, Vec<u32>>, Receiver<'static, Vec<u32>>) {
    Box::leak(Box::new(Ring::new((0..slots).map(|_| Vec::new())))).ends()
}

#[test]
fn a_ring_brings_everything_in_order_and_serves_again() {
    model(None, || {
        let (mut sender, mut receiver) = ring(2);
        let thread = thread::spawn(move || {
            for number in 0..3 {
                while sender.fill(|slot| slot.push(number)).is_none() {
                    thread::yield_now();
                }
                sender.send();
            }
        });
        let mut got = Vec::new();
        while got.len() < 3 {
            if receiver.receive(|slot| got.append(slot)).is_none() {
                thread::yield_now();
            }
        }
        assert_eq!(got, [0, 1, 2]);
        assert!(!receiver.has_mail());
        thread.join().unwrap();
    });
}

#[test]
fn a_bell_wakes_the_waiting_thread() {
    model(None, || {
        let bell = Arc::new(Bell::default());
        let ready = Arc::new(loom::sync::atomic::AtomicBool::new(false));
        let thread = {
            let (bell, ready) = (bell.clone(), ready.clone());
            thread::spawn(move || bell.wait(|| ready.load(loom::sync::atomic::Ordering::Acquire)))
        };
        ready.store(true, loom::sync::atomic::Ordering::Release);
        bell.ring();
        thread.join().unwrap();
    });
}

/// The way of a block: the sender waits for room, the receiver for mail, each woken by the other.
#[test]
fn a_ring_with_bells_never_gets_stuck() {
    model(Some(3), || {
        let (mut sender, mut receiver) = ring(1);
        let meeting = Arc::new(Meeting::new(2));
        let thread = {
            let meeting = meeting.clone();
            thread::spawn(move || {
                for number in 0..2 {
                    while sender.fill(|slot| slot.push(number)).is_none() {
                        meeting.wait(0, || sender.has_room());
                    }
                    sender.send();
                    meeting.ring(1);
                }
            })
        };
        let mut got = Vec::new();
        while got.len() < 2 {
            if receiver.receive(|slot| got.append(slot)).is_some() {
                meeting.ring(0);
            } else {
                meeting.wait(1, || receiver.has_mail());
            }
        }
        assert_eq!(got, [0, 1]);
        thread.join().unwrap();
    });
}

#[test]
fn all_leave_a_meeting_with_the_same_sums() {
    model(Some(3), || {
        let meeting = Arc::new(Meeting::new(2));
        let thread = {
            let meeting = meeting.clone();
            thread::spawn(move || {
                assert_eq!(meeting.meet(1, [5, 1, 0, 4]), Some([12, 1, 0, 6]));
                assert_eq!(meeting.meet(1, [2, 0, 0, 0]), Some([3, 0, 0, 0]));
            })
        };
        assert_eq!(meeting.meet(0, [7, 0, 0, 2]), Some([12, 1, 0, 6]));
        assert_eq!(meeting.meet(0, [1, 0, 0, 0]), Some([3, 0, 0, 0]));
        thread.join().unwrap();
    });
}

#[test]
fn three_meet() {
    model(Some(2), || {
        let meeting = Arc::new(Meeting::new(3));
        let threads: Vec<_> = (1..3)
            .map(|me| {
                let meeting = meeting.clone();
                thread::spawn(move || assert_eq!(meeting.meet(me, [1, me as u64, 0, 0]), Some([3, 3, 0, 0])))
            })
            .collect();
        assert_eq!(meeting.meet(0, [1, 0, 0, 0]), Some([3, 3, 0, 0]));
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn stopping_wakes_everybody() {
    model(Some(3), || {
        let meeting = Arc::new(Meeting::new(2));
        let thread = {
            let meeting = meeting.clone();
            thread::spawn(move || {
                assert_eq!(meeting.meet(1, [1, 0, 0, 0]), None);
                meeting.wait(1, || false);
                assert!(meeting.stopped());
            })
        };
        meeting.stop();
        thread.join().unwrap();
    });
}
