//! What one of several partners does while they go through levels together.

use super::partners::{LevelSums, Partners};
use super::site::{Figures, Halt, Pause, SearchContext};
use super::worker::Worker;
use super::{Ending, Observer};
use crate::contract::context::RECURSION_LIMIT;
use crate::contract::model::StackUse;
use crate::contract::stack;
use crate::frontier::Level;
use crate::frontier::levels::Levels;
use crate::interruption::Interruption;
use crate::memory::Budget;
use crate::visited::Share;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What a thread gets to work on.
pub struct Job<'a, 'w> {
    pub worker: &'a mut Worker<'w>,
    pub share: Box<dyn Share + 'a>,
    pub levels: &'a mut Levels,
    pub partners: Box<dyn Partners + Send + 'a>,
    /// It makes the start states before it goes through levels.
    pub starts: bool,
}

/// What all threads get.
#[derive(Clone, Copy)]
pub struct Common<'a> {
    pub figures: &'a [Figures],
    pub interrupted: &'a Interruption,
    pub budget: &'a Budget,
    pub found: Level,
    pub save_from: Option<Instant>,
}

/// Lets each thread do its job, the first one in this thread. `None`: the system has no more
/// threads, `stop` was called, and nothing was done.
pub fn work_together<'a, 'w: 'a>(
    jobs: impl IntoIterator<Item = Job<'a, 'w>>,
    common: Common<'a>,
    observer: &'a mut dyn Observer,
    need: StackUse,
    stop: &dyn Fn(),
) -> Option<Vec<Result<Pause, Halt>>> {
    let mut jobs = jobs.into_iter();
    let first = jobs.next();
    let mut refused = false;
    let results = std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for job in jobs {
            // A thread's work can be done once only, but starting it may be tried more often.
            let job = Arc::new(Mutex::new(Some(job)));
            let work = move || {
                let job = job.lock().unwrap_or_else(PoisonError::into_inner).take();
                job.map_or(Err(Halt::Stopped), |job| work(job, &common, None))
            };
            match stack::spawn(scope, need, RECURSION_LIMIT, work) {
                Some(thread) => threads.push(thread),
                None => {
                    refused = true;
                    stop();
                    break;
                }
            }
        }
        let mut results = Vec::new();
        if let Some(job) = first.filter(|_| !refused) {
            results.push(work(job, &common, Some(observer)));
        }
        for thread in threads {
            match thread.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    (!refused).then_some(results)
}

/// What became of the work, where all threads are back: why the search ends, if one says so.
pub fn result_of(results: Vec<Result<Pause, Halt>>) -> Result<Pause, Halt> {
    let ended = results.iter().find(|result| matches!(result, Err(Halt::Ended(_)))).cloned();
    let lost = || Err(Halt::Ended(Ending::Internal("a part of the visited set is lost".to_owned())));
    ended.or_else(|| results.into_iter().next()).unwrap_or_else(lost)
}

/// What a thread does: all begin together, and whoever fails stops the others.
pub fn work<'a>(
    job: Job<'a, '_>,
    common: &Common<'a>,
    observer: Option<&'a mut dyn Observer>,
) -> Result<Pause, Halt> {
    let Job { worker, share, levels, mut partners, starts } = job;
    let Common { figures, interrupted, budget, found, save_from } = *common;
    partners.agree(LevelSums::default()).ok_or(Halt::Stopped)?;
    let mut site = SearchContext {
        share,
        frontier: levels,
        partners: Some(partners),
        observer,
        figures,
        interrupted,
        budget,
        spreads: false,
        helpers: false,
        found,
        save_from,
    };
    worker.expander.context().put_whole_lines(true);
    let started = if starts { worker.start(&mut site) } else { Ok(()) };
    let worked = started.and_then(|()| worker.run(&mut site));
    worker.expander.context().put_whole_lines(false);
    if worked.is_err() {
        site.partners.iter().for_each(|partners| partners.stop());
    }
    worker.pulse(&mut site);
    worked
}
