//! Expansion on other machines (`--serve`): how the server's loop makes batches and stores what
//! workers send.

use super::Ending;
use super::errors::waiting::Pending;
use super::inserter::Inserter;
use super::remote::Remote;
use super::saving::problem_of_words;
use super::site::{Halt, SearchContext};
use super::walking::WalkStats;
use super::worker::{Worker, send_to_owners};
use crate::contract::context::Put;
use crate::contract::model::{Description, Model, PropertyKind};
use crate::contract::problem::Problem;
use crate::contract::undefined::Places;
use crate::expansion::Expander;
use crate::frontier::{Level, Taken};
use crate::memory::Budget;
use crate::reduction::canonical::Reduction;
use crate::serve::batches::{Expanded, Want};
use crate::serve::messages::{Answer, Job, Trouble};
use crate::serve::pool::Pool;
use crate::settings::{Order, Settings, Shortcut};
use crate::state::codec::Codec;
use crate::visited::batch::SetBuffer;
use crate::visited::{Batch, Origin, SetKind, StateIndex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How long the server waits for an answer before it looks at everything else again.
const MOMENT: Duration = Duration::from_millis(50);
/// States that are taken off the frontier at a time, at least.
const LEAST: usize = 64;
/// Whether this is an error that a worker may report: in a state, or of a rule; and where it walks
/// through states, of a property in one of them.
pub(crate) fn knows(words: [u64; 5], description: &Description, walks: bool) -> bool {
    use Problem::{ClaimedDeadlock, Deadlock, PropertyFault, RuleFault, Violated};
    match problem_of_words(words, description) {
        Some(Deadlock | ClaimedDeadlock { .. } | RuleFault { .. }) => true,
        Some(Violated { .. } | PropertyFault { .. }) => walks,
        Some(_) | None => false,
    }
}

/// States that were taken off the frontier, and are in no batch yet.
#[derive(Debug, Default)]
pub(crate) struct Reserve {
    level: Level,
    indices: VecDeque<u64>,
    words: VecDeque<u64>,
}

impl Reserve {
    pub fn len(&self) -> u64 {
        self.indices.len() as u64
    }

    pub fn bytes(&self) -> u64 {
        8 * (self.indices.capacity() + self.words.capacity()) as u64
    }

    /// Takes this many states off the frontier, as far as there are some in the level.
    fn fill(
        &mut self,
        count: usize,
        worker: &mut Taking<'_, '_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        while self.indices.len() < count {
            let mut taken = Taken::default();
            let most = count.max(LEAST);
            let level = site.frontier.take(&mut *site.share, most, &mut taken)?;
            let Some(level) = level else { break };
            if site.share.delays() {
                worker.check(level, &mut taken);
            }
            self.level = level;
            self.indices.extend(taken.indices.iter().map(|index| index.0));
            self.words.extend(taken.words);
        }
        Ok(())
    }

    /// The first states, at most `count`.
    fn cut(&mut self, count: usize, width: usize) -> (Vec<u64>, Vec<u64>) {
        let count = count.min(self.indices.len());
        (self.indices.drain(..count).collect(), self.words.drain(..count * width).collect())
    }
}

/// What a thread of a server has to expand states itself.
pub(super) struct OwnShare<'a> {
    /// The number of the thread among the workers.
    seat: u64,
    remote: Remote<'a>,
}

impl OwnShare<'_> {
    /// Bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        self.remote.bytes()
    }
}

/// What checks states that the visited set gave out unchecked.
struct Taking<'t, 'a> {
    inserter: &'t mut Inserter<'a>,
    expander: &'t Expander<'a>,
}

impl Taking<'_, '_> {
    /// Leaves only valid states in what was taken.
    fn check(&mut self, level: Level, taken: &mut Taken) {
        let (codec, count) = (self.inserter.codec, taken.indices.len());
        let before = taken.indices.clone();
        let (mut stored, mut decoded) = (taken.words.clone(), Vec::new());
        let states = codec.decode(&mut stored, count, &mut decoded);
        self.inserter.check_taken(level, &mut taken.indices, states, self.expander);
        let mut valid = taken.indices.iter().peekable();
        let words = std::mem::take(&mut taken.words);
        for (state, index) in words.chunks_exact(codec.stored_words()).zip(before) {
            if valid.next_if(|valid| **valid == index).is_some() {
                taken.words.extend_from_slice(state);
            }
        }
    }
}

impl<'a> Worker<'a> {
    /// Lets this thread of a server expand states when it has nothing to store, with these
    /// settings.
    pub(super) fn helps(
        mut self,
        model: &'a dyn Model,
        settings: Option<&'a Settings>,
        budget: &Arc<Budget>,
    ) -> Self {
        let Inserter { settings: own, codec, lane, .. } = self.inserter;
        if let (Some(pool), Some(settings)) = (&own.serve, settings) {
            let remote = Remote::here(model, settings, codec, budget, pool.workers_check());
            self.own_share = Some(OwnShare { seat: pool.enter_here(lane), remote });
        }
        self
    }

    /// Hands batches to workers, and stores what the first of them led to; with nothing to store,
    /// it may expand one itself. False: there is nothing left in this thread's part of the level.
    pub(super) fn step_elsewhere(&mut self, pool: &Pool, site: &mut SearchContext<'_>) -> Result<bool, Halt> {
        let lane = self.inserter.lane;
        loop {
            let seen = pool.news(lane);
            show_notices(pool, site);
            if site.interrupted.is_requested() {
                return Err(Halt::Ended(Ending::Interrupted));
            }
            if let Some(why) = pool.failure() {
                return Err(Halt::Ended(Ending::Lost(why)));
            }
            self.receive(site.found, site)?;
            let is_all_given = loop {
                let waiting = site.frontier.left() + self.reserve.len();
                let Some(want) = pool.wants(lane, waiting) else { break waiting == 0 };
                if !self.give(pool, site, want)? {
                    break true;
                }
            };
            if is_all_given {
                pool.look_ahead(lane);
            }
            if let Some(expanded) = pool.take(lane) {
                self.store(pool, expanded, site)?;
                return Ok(true);
            }
            if self.expand_here(pool, site)? {
                continue;
            }
            if pool.is_idle(lane) && !self.give(pool, site, Want::UNASKED)? {
                return Ok(false);
            }
            pool.wait(lane, seen, MOMENT);
        }
    }

    /// Hands a batch to the workers. False: there is nothing left in this level.
    fn give(&mut self, pool: &Pool, site: &mut SearchContext<'_>, want: Want) -> Result<bool, Halt> {
        let Worker { reserve, inserter, expander, .. } = self;
        let (width, lane) = (inserter.codec.stored_words(), inserter.lane);
        let mut taking = Taking { inserter, expander };
        reserve.fill(1, &mut taking, site)?;
        if reserve.len() == 0 {
            return Ok(false);
        }
        let foreseen = pool.foreseen(lane, reserve.level.0);
        let size = foreseen.unwrap_or(want.size);
        reserve.fill(size, &mut taking, site)?;
        let (indices, words) = reserve.cut(size, width);
        match foreseen {
            Some(_) => pool.claim(lane, reserve.level.0, indices, words),
            None => pool.give(lane, reserve.level.0, indices, words, want.seat),
        }
        Ok(true)
    }

    /// Expands a batch itself, if it is to do that: one that waits for it or for nobody, a new one,
    /// or one that another worker would get later. False: there is none.
    fn expand_here(&mut self, pool: &Pool, site: &mut SearchContext<'_>) -> Result<bool, Halt> {
        let Some(seat) = self.own_share.as_ref().map(|own| own.seat) else { return Ok(false) };
        let mut errand = pool.errand_here(seat, false);
        if errand.is_none()
            && let Some(want) = pool.wants_here(self.inserter.lane, seat)
            && self.give(pool, site, want)?
        {
            errand = pool.errand_here(seat, false);
        }
        let errand = errand.or_else(|| pool.errand_here(seat, true));
        let (Some((number, words)), Some(own)) = (errand, &mut self.own_share) else { return Ok(false) };
        match own.remote.expand(words) {
            Ok(head) => pool.answered(seat, number, Answer { head, states: own.remote.states().to_vec() }),
            Err(why) => pool.fail(why),
        }
        Ok(true)
    }

    /// Counts and stores what a batch led to, as if it had been expanded here.
    fn store(&mut self, pool: &Pool, expanded: Expanded, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let nonsense =
            || Halt::Ended(Ending::Internal("an answer was accepted that makes no sense".to_owned()));
        let Expanded { level, indices, words, answer } = expanded;
        let Answer { head, states } = answer;
        let level = Level(level);
        let Worker { expander, inserter, by_owner, .. } = self;
        let (description, width) = (expander.model().description(), inserter.codec.stored_words());
        expander.context().put_text(&head.put);
        for Trouble { from, problem, state } in &head.problems {
            let from = *from as usize;
            let own = words.get(from * width..(from + 1) * width).ok_or_else(nonsense)?;
            let state = if state.is_empty() { own } else { &state[..] };
            let index = indices.get(from).map(|index| StateIndex(*index)).ok_or_else(nonsense)?;
            let problem = problem_of_words(*problem, description).ok_or_else(nonsense)?;
            let words = inserter.codec.decode_one(state).into();
            inserter.problems.push(Pending { from, level, state: Some(index), words, problem });
        }
        inserter.tally.rules += head.rules;
        inserter.tally.fired.add(&head.fired);
        let [walked, longest, circles] = head.walked;
        inserter.tally.walked.join(&WalkStats { states: walked, longest, circles });
        let covered: Vec<u64> =
            expander.context().covered().zip(&head.covered).map(|(here, there)| here + there).collect();
        expander.context().set_covered(&covered);
        let mut places = expander.context().undefined_compared();
        places.join(&Places::from_words(head.undefined_compared.clone(), description).ok_or_else(nonsense)?);
        expander.context().set_undefined_compared(&places);
        expander.set_unreduced(expander.unreduced() + head.unreduced);
        inserter.tally.unreduced = expander.unreduced();
        let mut origins = Vec::new();
        for (index, end) in indices.iter().zip(&head.ends) {
            origins.resize(*end as usize, Origin::from(StateIndex(*index)));
        }
        let (mut hashes, mut signatures) = (Vec::new(), Vec::new());
        site.share.hash(&states, &mut hashes, &mut signatures);
        let doubts = doubts(&head.doubtful, hashes.len(), pool.workers_check());
        let batch = Batch {
            states: &states,
            hashes: &hashes,
            signatures: &signatures,
            origins: &origins,
            sets: doubts.as_sets(),
        };
        let (share, frontier, mut signs) = site.signs();
        let level = level.next();
        let mine =
            send_to_owners(level, &batch, expander, inserter, by_owner, (share, frontier), &mut signs)?;
        inserter.take_in(level, &batch, mine, expander, (share, frontier))?;
        self.expanded_elsewhere(head.ends.len(), site)
    }
}

/// For each of `count` successors whether its owner has to check it. Nothing, if workers do not
/// check: then all of them have to be.
fn doubts(doubtful: &[u32], count: usize, workers_check: bool) -> SetBuffer {
    let mut doubts = SetBuffer::default();
    if workers_check {
        let mut rest = doubtful.iter().peekable();
        (0..count as u32)
            .for_each(|at| doubts.push([u64::from(rest.next_if_eq(&&at).is_some())].into_iter()));
    }
    doubts
}

/// Shows the user which workers have come and gone.
fn show_notices(pool: &Pool, site: &mut SearchContext<'_>) {
    let Some(observer) = &mut site.observer else { return };
    for notice in pool.notices() {
        observer.workers(&notice, pool.workers());
    }
}

/// The settings that a worker has from the server.
pub(crate) fn settings_of(job: &Job, own: Settings) -> Settings {
    let renaming = if job.is_fast { Reduction::Fast } else { Reduction::Exact };
    let shortcut = if job.compress_paths { Shortcut::CompressPaths } else { Shortcut::None };
    Settings {
        order: Order::BreadthFirst(shortcut),
        packed: job.packed,
        deadlock: job.deadlock,
        loop_limit: job.loop_limit,
        strict_undefined: job.strict_undefined,
        symmetry: job.is_reduced.then_some(renaming),
        trust: job.trust,
        keep_slots: job.keep_slots,
        priorities: job.priorities,
        memory: own.memory.min(job.memory),
        put: if job.put { Put::Kept } else { Put::Nowhere },
        // The server decides which errors are reported, and what is done about them.
        max_errors: None,
        threads: 1,
        ..own
    }
}

/// The settings with which threads of a server expand states, as a worker would.
pub(crate) fn settings_here(settings: &Settings) -> Settings {
    Settings {
        max_states: None,
        max_depth: None,
        max_errors: None,
        threads: 1,
        checkpoints: None,
        serve: None,
        put: if settings.put == Put::Nowhere { Put::Nowhere } else { Put::Kept },
        ..settings.clone()
    }
}

/// Whether workers check the invariants of successors, so that the server need not. What is counted
/// when a state is checked is counted for new states only, which the server alone knows; and so are
/// comparisons of undefined values, where some new states are left out. A set on disk has states
/// checked when they are expanded.
fn workers_check(settings: &Settings, description: &Description) -> bool {
    let counts = description.properties.iter().any(|property| property.kind == PropertyKind::Cover)
        || !description.cover_statements.is_empty();
    !counts && settings.max_depth.is_none() && !matches!(settings.set, SetKind::Disk(_))
}

/// What a server sends to its workers about its settings.
pub(crate) fn job_of(settings: &Settings, description: &Description, layout: String, sites: Vec<u64>) -> Job {
    Job {
        check: workers_check(settings, description),
        packed: settings.packed,
        deadlock: settings.deadlock,
        loop_limit: settings.loop_limit,
        strict_undefined: settings.strict_undefined,
        is_reduced: settings.symmetry.is_some(),
        is_fast: settings.symmetry == Some(Reduction::Fast),
        trust: settings.trust,
        keep_slots: settings.keep_slots,
        priorities: settings.priorities,
        compress_paths: settings.compresses_paths(),
        put: settings.put != Put::Nowhere,
        memory: settings.memory,
        layout,
        sites,
    }
}

/// Where the pool of a search is made.
pub(crate) fn pool(
    settings: &Settings,
    description: &Description,
    codec: &Codec,
    expands: bool,
) -> Arc<Pool> {
    let check = workers_check(settings, description);
    Arc::new(Pool::new(codec.stored_words(), settings.memory, check, expands))
}
