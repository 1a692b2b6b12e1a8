//! What one of several threads does while they go through levels together.

use super::Observer;
use super::site::{Figures, Halt, Pause, Site};
use super::together::meeting::{Meeting, SUMS};
use super::together::post::Post;
use super::worker::Worker;
use crate::frontier::Level;
use crate::frontier::levels::Levels;
use crate::interruption::Interruption;
use crate::memory::Budget;
use crate::visited::Share;
use std::time::Instant;

/// What a thread gets to work on.
pub struct Job<'a, 'w> {
    pub worker: &'a mut Worker<'w>,
    pub share: Box<dyn Share + 'a>,
    pub levels: &'a mut Levels,
    pub post: Post<'a>,
}

/// What all threads get.
#[derive(Clone, Copy)]
pub struct Common<'a> {
    pub figures: &'a [Figures],
    pub interrupted: &'a Interruption,
    pub budget: &'a Budget,
    pub meeting: &'a Meeting,
    pub found: Level,
    pub save_from: Option<Instant>,
}

/// What a thread does: all begin together, and whoever fails stops the others.
pub fn work<'a>(
    job: Job<'a, '_>,
    common: &Common<'a>,
    observer: Option<&'a mut dyn Observer>,
) -> Result<Pause, Halt> {
    struct Alarm<'a>(&'a Meeting);
    impl Drop for Alarm<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                self.0.stop();
            }
        }
    }
    let Job { worker, share, levels, post } = job;
    let Common { figures, interrupted, budget, meeting, found, save_from } = *common;
    let _alarm = Alarm(meeting);
    meeting.meet(post.me, [0; SUMS]).ok_or(Halt::Stopped)?;
    let mut site = Site {
        share,
        frontier: levels,
        post: Some(post),
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
    let worked = worker.run(&mut site);
    worker.expander.context().put_whole_lines(false);
    if worked.is_err() {
        meeting.stop();
    }
    worker.pulse(&mut site);
    worked
}
