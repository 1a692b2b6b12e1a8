//! Expanding states once more as the search did it, to find a path of which little is known.
//!
//! Where paths were compressed, it walks through states as the search did, and puts them into the
//! path.

use super::TraceError;
use crate::contract::model::Model;
use crate::expansion::Expander;
use crate::expansion::cycle::CycleDetector;
use crate::expansion::starts::Starts;
use crate::settings::Settings;
use crate::state::codec::Codec;
use std::ops::ControlFlow;

/// What it takes to do again what the search did.
pub struct Rerun<'a> {
    expander: Expander<'a>,
    pub codec: &'a Codec,
    /// Whether states with one successor were walked through.
    compress_paths: bool,
    cycle: CycleDetector,
}

impl<'a> Rerun<'a> {
    pub fn new(model: &'a dyn Model, settings: &Settings, codec: &'a Codec) -> Self {
        Rerun {
            expander: Expander::for_rerun(model, settings),
            codec,
            compress_paths: settings.compresses_paths(),
            cycle: CycleDetector::default(),
        }
    }

    /// Goes through the start states that the search began with, in the form in which states are
    /// stored, always in the same order.
    pub fn starts<B>(&mut self, mut deal: impl FnMut(&[u64]) -> ControlFlow<B>) -> Option<B> {
        let mut starts = Starts::default();
        loop {
            let more = self.expander.start_again(&mut starts);
            let made = self.expander.successors();
            let dealt = (0..made.len()).try_for_each(|at| deal(made.state(at)));
            match dealt {
                ControlFlow::Break(found) => return Some(found),
                ControlFlow::Continue(()) if more => {}
                ControlFlow::Continue(()) => return None,
            }
        }
    }

    /// Goes through the states that were stored as successors of a stored state, always in the same
    /// order.
    pub fn successors<B>(&mut self, state: &[u64], deal: impl FnMut(&[u64]) -> ControlFlow<B>) -> Option<B> {
        let end = self.end_of_walk(state)?;
        self.each(&end, deal)
    }

    /// Goes through the successors of a state, in the form in which states are stored.
    fn each<B>(&mut self, state: &[u64], mut deal: impl FnMut(&[u64]) -> ControlFlow<B>) -> Option<B> {
        self.expander.each_piece(&mut state.to_vec(), |piece| {
            (0..piece.len()).try_for_each(|at| deal(piece.state(at)))
        })
    }

    /// The only state that a state leads to, by however many rules.
    fn only(&mut self, state: &[u64]) -> Option<Vec<u64>> {
        let mut first: Option<Vec<u64>> = None;
        let other = self.each(state, |next| match &first {
            None => {
                first = Some(next.to_vec());
                ControlFlow::Continue(())
            }
            Some(first) if first == next => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        });
        first.filter(|_| other.is_none())
    }

    /// Where the walk from a stored state ends, whose successors were stored. `None`: it goes in a
    /// cycle.
    fn end_of_walk(&mut self, state: &[u64]) -> Option<Vec<u64>> {
        let mut at = state.to_vec();
        if !self.compress_paths {
            return Some(at);
        }
        self.cycle.begin(state);
        while let Some(next) = self.only(&at) {
            if self.cycle.is_met(&next) {
                return None;
            }
            at = next;
        }
        Some(at)
    }

    /// Visits the states on the walk from a stored state to another one, which is the last of them;
    /// none if it is the same state. False: no walk leads there.
    pub fn walk(
        &mut self,
        from: &[u64],
        to: &[u64],
        visit: &mut dyn FnMut(&[u64]) -> Result<(), TraceError>,
    ) -> Result<bool, TraceError> {
        if from == to {
            return Ok(true);
        }
        if !self.compress_paths {
            return Ok(false);
        }
        self.cycle.begin(from);
        let mut at = from.to_vec();
        loop {
            let leads_there = self.each(&at, |next| match next == to {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            });
            if leads_there.is_some() {
                visit(to)?;
                return Ok(true);
            }
            let Some(next) = self.only(&at) else { return Ok(false) };
            if self.cycle.is_met(&next) {
                return Ok(false);
            }
            visit(&next)?;
            at = next;
        }
    }

    /// Whether states between two that are stored were walked through.
    pub fn fills(&self) -> bool {
        self.compress_paths
    }
}
