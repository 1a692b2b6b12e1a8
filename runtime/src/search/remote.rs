//! What a worker does with a batch of a server (`--work`): it expands the states and says what came
//! of them.

use super::errors::waiting::Pending;
use super::fired::Fired;
use super::gathered::{Checked, Gathered};
use super::inserter::{Inserter, Tally};
use super::saving::problem_words;
use super::walking::{Beginning, PathWalker};
use crate::checkpoint::stream::checksum;
use crate::contract::fault::Site;
use crate::contract::model::{Description, Model};
use crate::expansion::Expander;
use crate::expansion::portion::Portion;
use crate::frontier::Level;
use crate::hashing::words::hash;
use crate::memory::Budget;
use crate::serve::messages::{Head, Job, Trouble, pack};
use crate::settings::Settings;
use crate::state::codec::Codec;
use crate::visited::StateIndex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Bytes of successors after which a worker answers with what it has.
const ENOUGH: usize = 4 << 20;
/// Bytes of the successors of one state, at most.
const MOST: usize = 128 << 20;
/// Bytes for states that need not be checked again.
const CHECKED: u64 = 8 << 20;

/// Hashes of the places of a model where something can fail.
pub(crate) fn site_hashes(description: &Description) -> Vec<u64> {
    let hash = |site: &Site| {
        let text = format!("{:?} {:?} {}", site.kind, site.position, site.message);
        checksum(text.as_bytes())
    };
    description.sites.iter().map(hash).collect()
}

/// For each place of a model where something can fail the number that it has at the server.
struct Sites(Vec<Option<u64>>);

impl Sites {
    fn new(description: &Description, there: &[u64]) -> Self {
        let mut numbers = HashMap::new();
        for (number, hash) in there.iter().enumerate() {
            numbers.entry(*hash).or_insert(number as u64);
        }
        Sites(site_hashes(description).iter().map(|hash| numbers.get(hash).copied()).collect())
    }

    /// The number at the server. An error: its program says that nothing can fail there.
    fn number(&self, site: u64) -> Result<u64, String> {
        let number = usize::try_from(site).ok().and_then(|site| *self.0.get(site)?);
        number.ok_or_else(|| {
            "a worker came upon a place of the model that the server does not have: one of the two is \
             wrong"
                .to_owned()
        })
    }

    /// Numbers of the server in the words of a problem.
    fn problem(&self, words: [u64; 5]) -> Result<[u64; 5], String> {
        let [kind, number, site, value, in_guard] = words;
        let has_site = matches!(kind, 2..=4);
        Ok([kind, number, if has_site { self.number(site)? } else { site }, value, in_guard])
    }

    /// A set of places, as bits.
    fn places(&self, words: &[u64]) -> Result<Vec<u64>, String> {
        let mut there = Vec::new();
        for site in (0..64 * words.len()).filter(|at| words[at / 64] >> (at % 64) & 1 == 1) {
            let number = self.number(site as u64)? as usize;
            there.resize(there.len().max(number / 64 + 1), 0);
            there[number / 64] |= 1 << (number % 64);
        }
        Ok(there)
    }
}

/// Expands batches for a server.
pub(crate) struct Remote<'a> {
    expander: Expander<'a>,
    /// Counts, and keeps what is wrong. It stores nothing.
    inserter: Inserter<'a>,
    walker: Option<PathWalker>,
    codec: &'a Codec,
    sites: Sites,
    gathered: Gathered,
    /// What it knows of invariants of successors, if it checks them.
    checked: Option<Checked>,
}

impl<'a> Remote<'a> {
    pub fn new(model: &'a dyn Model, settings: &'a Settings, codec: &'a Codec, job: &Job) -> Self {
        let budget = Arc::new(Budget::new(settings.memory));
        Self::with(model, settings, codec, &budget, (job.check, &job.sites))
    }

    /// In the process of the server.
    pub fn here(
        model: &'a dyn Model,
        settings: &'a Settings,
        codec: &'a Codec,
        budget: &Arc<Budget>,
        checks: bool,
    ) -> Self {
        Self::with(model, settings, codec, budget, (checks, &site_hashes(model.description())))
    }

    fn with(
        model: &'a dyn Model,
        settings: &'a Settings,
        codec: &'a Codec,
        budget: &Arc<Budget>,
        (checks, sites): (bool, &[u64]),
    ) -> Self {
        let description = model.description();
        let portion = Portion::new(settings, description, 0);
        Remote {
            expander: Expander::for_search(model, settings, portion, 0),
            inserter: Inserter::new(model, settings, codec, budget, 0),
            walker: settings.compresses_paths().then(|| PathWalker::new(description, portion)),
            codec,
            sites: Sites::new(description, sites),
            gathered: Gathered::new(codec.stored_words()),
            checked: checks.then(|| Checked::new(codec.stored_words(), CHECKED.min(settings.memory / 32))),
        }
    }

    /// The successors of the batch that was expanded last, as stored words.
    pub fn states(&self) -> &[u64] {
        self.gathered.words()
    }

    /// Bytes of its buffers.
    pub fn bytes(&self) -> u64 {
        let walker = self.walker.as_ref().map_or(0, PathWalker::bytes);
        let checked = self.checked.as_ref().map_or(0, Checked::bytes);
        self.expander.successors().bytes() + self.inserter.bytes() + self.gathered.bytes() + walker + checked
    }

    /// Expands a batch as [`Remote::expand`] does, and appends the stored bytes of the successors
    /// to `bytes`.
    pub fn expand_packed(&mut self, stored: Vec<u64>, bytes: &mut Vec<u8>) -> Result<Head, String> {
        let started = Instant::now();
        let mut head = self.expand(stored)?;
        pack(self.states(), self.codec, bytes);
        head.microseconds = started.elapsed().as_micros() as u64;
        Ok(head)
    }

    /// Expands the states of a batch, or the first of them if there are many successors. An error:
    /// there is no room for what one state leads to.
    pub fn expand(&mut self, mut stored: Vec<u64>) -> Result<Head, String> {
        let Remote { expander, inserter, walker, codec, sites, gathered, checked } = self;
        let started = Instant::now();
        let count = stored.len() / codec.stored_words();
        let mut decoded = Vec::new();
        let states = codec.decode(&mut stored, count, &mut decoded);
        let fired = Fired::new(expander.model().description().rules);
        inserter.tally = Tally { fired, ..Tally::default() };
        let counters: Vec<u64> = expander.context().covered().map(|_| 0).collect();
        expander.context().set_covered(&counters);
        expander.set_unreduced(0);
        let mut head = Head::default();
        let (mut encoded, mut new) = (Vec::new(), Vec::new());
        let width = codec.aligned_words();
        gathered.clear();
        for from in 0..count {
            if gathered.len() * codec.stored_bytes() + head.put.len() > ENOUGH {
                break;
            }
            let begun = gathered.len();
            let state = states.get_mut(from * width..(from + 1) * width).unwrap_or(&mut []);
            let (index, level) = (StateIndex(0), Level::default());
            expander.begin();
            let mut goes_on = false;
            loop {
                expander.successors_mut().clear();
                // The symmetry is not checked with --serve.
                match walker {
                    None => {
                        expander.fire(state);
                        let settled = expander.settle(state, |state, problem| {
                            let words = state.into();
                            let pending = Pending { from, level, state: Some(index), words, problem };
                            inserter.problems.push(pending);
                        });
                        settled.map_err(|error| error.0)?;
                        inserter.tally.count(expander.successors());
                    }
                    Some(walker) => {
                        let beginning = Beginning { from, index, level };
                        let walked = match goes_on {
                            true => Ok(true),
                            false => walker.walk(expander, inserter, beginning, state, &|| None),
                        };
                        match walked {
                            Ok(true) => expander.expand_again(walker.end()),
                            Ok(false) => {}
                            Err(_) => return Err("a walk through states has failed".to_owned()),
                        }
                    }
                }
                head.put.push_str(&expander.context().take_put());
                let successors = expander.successors();
                let stored = codec.encode(successors.words(), successors.len(), &mut encoded);
                let first = gathered.len();
                new.clear();
                for (at, state) in stored.chunks_exact(codec.stored_words()).enumerate() {
                    let hash = hash(state);
                    if gathered.add(state, hash) {
                        new.push((at, hash));
                    }
                }
                if let Some(checked) = checked {
                    for (number, &(at, hash)) in (first..).zip(&new) {
                        let state = gathered.state(number);
                        if checked.has(state, hash) {
                            continue;
                        }
                        // What is printed here is not wanted: the server prints it if the state is
                        // new.
                        let is_valid = expander.check_successor(at, true).0.is_ok();
                        let has_printed = !expander.context().take_put().is_empty();
                        match is_valid && !has_printed {
                            true => checked.add(state, hash),
                            false => head.doubtful.push(number as u32),
                        }
                    }
                }
                if (gathered.len() - begun) * codec.stored_bytes() > MOST {
                    return Err("a state has more successors than one answer can carry".to_owned());
                }
                if !expander.go_on() {
                    break;
                }
                goes_on = true;
            }
            head.ends.push(gathered.len() as u32);
            let (waiting, dropped) = inserter.problems.take();
            inserter.problems.release();
            if dropped.found > 0 {
                return Err("a state leads to more errors than fit into the memory of a worker".to_owned());
            }
            for Pending { words, problem, .. } in waiting {
                let is_own = *words == *state;
                let stored = if is_own { Vec::new() } else { codec.encode(&words, 1, &mut encoded).to_vec() };
                let problem = sites.problem(problem_words(&problem))?;
                head.problems.push(Trouble { from: from as u32, problem, state: stored });
            }
        }
        let Tally { rules, fired, walked, .. } = &inserter.tally;
        head.rules = *rules;
        head.fired = fired.counts();
        head.walked = [walked.states, walked.longest, walked.circles];
        head.covered = expander.context().covered().collect();
        head.undefined_compared = sites.places(expander.context().undefined_compared().words())?;
        head.unreduced = expander.unreduced();
        head.microseconds = started.elapsed().as_micros() as u64;
        Ok(head)
    }
}
