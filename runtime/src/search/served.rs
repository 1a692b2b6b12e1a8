//! The threads of a server as partners ([`super::partners`]): how they wait for each other and for
//! workers at once.
//!
//! What they send goes over the rings of [`super::together`]. But a thread of a server that has
//! nothing to do waits at the pool, where answers come in, so a thread that has sent something
//! makes that known there ([`Pool::nudge`]). It does so after it has sent, and the one that waits
//! has read the pool's news before it looked into its rings: so either it finds what was sent, or
//! the news have changed, and it does not wait.

use super::partners::{LevelSums, Partners, Work};
use super::site::Halt;
use super::together::channels::ThreadPartners;
use crate::serve::pool::Pool;
use crate::visited::Batch;
use std::time::Duration;

/// After this time a thread looks at everything again.
const MOMENT: Duration = Duration::from_millis(50);

/// The threads of a server, as one of them sees the others.
pub(super) struct ServedPartners<'a> {
    threads: ThreadPartners<'a>,
    pool: &'a Pool,
    /// The pool's news, before this thread looked for what was sent.
    seen: u64,
}

impl<'a> ServedPartners<'a> {
    pub fn new(threads: ThreadPartners<'a>, pool: &'a Pool) -> Self {
        ServedPartners { threads, pool, seen: 0 }
    }
}

impl Partners for ServedPartners<'_> {
    fn count(&self) -> usize {
        self.threads.count()
    }

    fn me(&self) -> usize {
        self.threads.me()
    }

    fn deal(&self, hashes: &[u64], by_owner: &mut [Vec<u32>]) {
        self.threads.deal(hashes, by_owner);
    }

    fn send(&mut self, to: usize, batch: &Batch<'_>, positions: &[u32]) -> usize {
        let sent = self.threads.send(to, batch, positions);
        self.pool.nudge(to);
        sent
    }

    fn receive(&mut self, work: Work<'_>) -> Result<(), Halt> {
        self.seen = self.pool.news(self.me());
        self.threads.receive(work)
    }

    fn finish_level(&mut self, to: usize) -> bool {
        let is_said = self.threads.finish_level(to);
        self.pool.nudge(to);
        is_said
    }

    fn level_is_over(&mut self) -> bool {
        self.threads.level_is_over()
    }

    fn wait(&mut self, room: Option<usize>) {
        match room {
            // The other one rings when it has made room.
            Some(_) => self.threads.wait(room),
            None => self.pool.wait(self.me(), self.seen, MOMENT),
        }
    }

    fn agree(&mut self, brought: LevelSums) -> Option<LevelSums> {
        self.threads.agree(brought)
    }

    fn stop(&self) {
        self.threads.stop();
    }

    fn stopped(&self) -> bool {
        self.threads.stopped()
    }

    fn fewest(&self) -> u64 {
        self.threads.fewest()
    }
}
