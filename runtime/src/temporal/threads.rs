//! Several threads go over parts of something that none of them changes but by marks.

use super::components::Stopped;
use crate::sync::{AtomicBool, AtomicUsize, Ordering};

/// Lets threads take parts from 0 to `count` in this order, and gives what each thread has added
/// up, which says nothing about which parts were whose. This thread is one of them, and asks `poll`
/// before each of its parts whether to go on.
pub fn share<T: Send>(
    count: usize,
    threads: usize,
    begin: &(dyn Fn() -> T + Sync),
    part: &(dyn Fn(&mut T, usize) + Sync),
    poll: &mut dyn FnMut() -> Result<(), Stopped>,
) -> Result<Vec<T>, Stopped> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let take = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        (at < count && !stopped.load(Ordering::Relaxed)).then_some(at)
    };
    let help = || {
        let mut sum = begin();
        while let Some(at) = take() {
            part(&mut sum, at);
        }
        sum
    };
    std::thread::scope(|scope| {
        // Where the system has no more threads, those that there are do it all.
        let helper = |_| std::thread::Builder::new().spawn_scoped(scope, help).ok();
        let helpers: Vec<_> = (1..threads.min(count)).map_while(helper).collect();
        let mut sum = begin();
        let mut asked = Ok(());
        while let Some(at) = take() {
            asked = poll();
            if asked.is_err() {
                stopped.store(true, Ordering::Relaxed);
                break;
            }
            part(&mut sum, at);
        }
        let mut sums = vec![sum];
        for helper in helpers {
            match helper.join() {
                Ok(sum) => sums.push(sum),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        asked.map(|()| sums)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_is_taken_once() {
        for threads in [1, 2, 8] {
            let sums =
                share(100, threads, &Vec::new, &|sum: &mut Vec<usize>, at| sum.push(at), &mut || Ok(()));
            let mut all: Vec<usize> = sums.unwrap().into_iter().flatten().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..100), "{threads}");
        }
    }

    #[test]
    fn all_stop_when_one_is_told_to() {
        let mut left = 3;
        let mut poll = || {
            left -= 1;
            if left == 0 { Err(Stopped::Interrupted) } else { Ok(()) }
        };
        let sums = share(1 << 20, 1, &|| 0usize, &|sum, _| *sum += 1, &mut poll);
        assert_eq!(sums, Err(Stopped::Interrupted));
    }
}
