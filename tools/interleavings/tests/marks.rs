//! Every interleaving of threads that mark the states which lead to marked ones.

#![cfg(test)]

/// What `runtime/src/sync.rs` is in the runtime, from loom.
mod sync {
    pub use loom::sync::atomic::{AtomicU64, Ordering};
}

#[allow(dead_code)] // Sizes are of no interest here.
#[path = "../../../runtime/src/temporal/marks.rs"]
mod marks;

use loom::sync::Arc;
use loom::thread;
use marks::Marks;

/// A path of three steps in either order of numbers, which two threads share. They sweep until both
/// together have marked nothing; then all is marked, each state by one of them. (Loom has no more
/// than five threads in all, so a longer path would need too many sweeps.)
#[test]
fn a_sweep_that_marks_nothing_is_the_last() {
    for backwards in [false, true] {
        loom::model(move || {
            let number = move |state: u32| if backwards { 3 - state } else { state };
            let marks = Arc::new(Marks::new(4));
            assert!(marks.set(number(3)));
            let mut all = 0;
            loop {
                let sweep = |states: &'static [u32]| {
                    let marks = marks.clone();
                    move || {
                        let lead = |state: &u32| marks.lead(number(*state), &[number(*state + 1)]);
                        states.iter().filter(|state| lead(state)).count()
                    }
                };
                let other = thread::spawn(sweep(&[2, 0]));
                let found = sweep(&[1])() + other.join().unwrap();
                all += found;
                if found == 0 {
                    break;
                }
            }
            assert_eq!((all, marks.count()), (3, 4));
        });
    }
}

/// Two threads mark the same state: it is new for one of them.
#[test]
fn a_state_is_marked_once() {
    loom::model(|| {
        let marks = Arc::new(Marks::new(70));
        marks.set(69);
        let lead = |marks: Arc<Marks>| move || usize::from(marks.lead(3, &[5, 69]));
        let other = thread::spawn(lead(marks.clone()));
        let found = lead(marks.clone())() + other.join().unwrap();
        assert_eq!((found, marks.count()), (1, 2));
    });
}
