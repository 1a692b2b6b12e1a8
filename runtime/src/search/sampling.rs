//! A sample of the states of a model, from which a visited set may learn what states have in
//! common: those near the start, and some along random walks. The sample is the same each time.

use crate::contract::model::Model;
use crate::expansion::Expander;
use crate::expansion::starts::Starts;
use crate::random::Random;
use crate::settings::Settings;
use crate::state::codec::Codec;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// States of a sample, at most, and those of them that are found breadth first.
const STATES: usize = 2048;
const BREADTH: usize = 512;
/// Successors that are computed for it, about.
const SUCCESSORS: usize = 20_000;
/// Steps of a random walk.
const STEPS: usize = 100;
/// Bytes that the sample takes, about: of large states there are fewer. It is gone before the
/// search begins. It does not depend on the limit of the memory, so that a search that is resumed,
/// or that several processes share, has one sample.
const MEMORY: usize = 12 << 20;

/// Different states in stored form, one after the other.
pub fn sample(model: &dyn Model, settings: &Settings, codec: &Codec) -> Vec<u64> {
    // A state is there three times: known, to go on from, and in stored form.
    let each = 3 * size_of::<u64>() * model.description().words.max(1);
    let most = (MEMORY / each).clamp(2, STATES);
    let breadth = BREADTH.min(most.div_ceil(4));
    let mut sampler = Sampler {
        most,
        expander: Expander::for_rerun(model, settings),
        known: HashSet::new(),
        states: Vec::new(),
        computed: 0,
    };
    sampler.start();
    let mut next = 0;
    while next < sampler.states.len() && sampler.states.len() < breadth && sampler.goes_on() {
        let state = sampler.states[next].clone();
        sampler.expand(&state).iter().for_each(|found| sampler.add(found));
        next += 1;
    }
    let mut random = Random(1);
    while sampler.states.len() < most && sampler.goes_on() && !sampler.states.is_empty() {
        let from = random.below(sampler.states.len() as u64) as usize;
        let mut state = sampler.states[from].clone();
        for _ in 0..STEPS {
            let found = sampler.expand(&state);
            if found.is_empty() {
                break;
            }
            state = found[random.below(found.len() as u64) as usize].clone();
            sampler.add(&state);
        }
    }
    let mut words = Vec::with_capacity(sampler.states.len() * codec.stored_words());
    sampler.states.iter().for_each(|state| words.extend_from_slice(&codec.encode_one(state)));
    words
}

struct Sampler<'a> {
    /// States of the sample, at most.
    most: usize,
    expander: Expander<'a>,
    known: HashSet<Vec<u64>>,
    states: Vec<Vec<u64>>,
    computed: usize,
}

impl Sampler<'_> {
    fn goes_on(&self) -> bool {
        self.computed < SUCCESSORS
    }

    fn add(&mut self, state: &[u64]) {
        if self.states.len() < self.most && self.known.insert(state.to_vec()) {
            self.states.push(state.to_vec());
        }
    }

    /// One portion of the start states is enough.
    fn start(&mut self) {
        self.expander.start_again(&mut Starts::default());
        for at in 0..self.expander.successors().len().min(BREADTH) {
            let state = self.expander.successors().state(at).to_vec();
            self.add(&state);
        }
    }

    /// Successors of a state; of one with very many, those of the first piece.
    fn expand(&mut self, state: &[u64]) -> Vec<Vec<u64>> {
        let mut found = Vec::new();
        self.expander.each_piece_again(&mut state.to_vec(), |piece| {
            found.extend((0..piece.len().min(BREADTH)).map(|at| piece.state(at).to_vec()));
            ControlFlow::Break(())
        });
        // A state without successors counts as well, so that the sample has an end.
        self.computed += found.len() + 1;
        found
    }
}
