//! What one of several partners does while they go through levels together.

use super::Observer;
use super::partners::{LevelSums, Partners};
use super::site::{Figures, Halt, Pause, Site};
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
    pub partners: Box<dyn Partners + Send + 'a>,
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

/// What a thread does: all begin together, and whoever fails stops the others.
pub fn work<'a>(
    job: Job<'a, '_>,
    common: &Common<'a>,
    observer: Option<&'a mut dyn Observer>,
) -> Result<Pause, Halt> {
    let Job { worker, share, levels, mut partners } = job;
    let Common { figures, interrupted, budget, found, save_from } = *common;
    partners.agree(LevelSums::default()).ok_or(Halt::Stopped)?;
    let mut site = Site {
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
    let worked = worker.run(&mut site);
    worker.expander.context().put_whole_lines(false);
    if worked.is_err() {
        site.partners.iter().for_each(|partners| partners.stop());
    }
    worker.pulse(&mut site);
    worked
}
