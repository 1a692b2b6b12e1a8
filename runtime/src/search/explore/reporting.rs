//! Reporting the errors that threads have found: following each path back, saying what is wrong at
//! its end, and keeping what fits.

use super::Search;
use crate::contract::context::Context;
use crate::contract::problem::Path;
use crate::contract::problem::{Finding, Problem, Untraced};
use crate::expansion::Expander;
use crate::expansion::symmetry_check::{AsymmetryError, SymmetryCheck};
use crate::memory::Allowance;
use crate::reduction::form::Form;
use crate::search::Ending;
use crate::search::errors::kept::ErrorStats;
use crate::search::errors::reported::Novelty;
use crate::search::errors::waiting::Pending;
use crate::trace::TraceError;
use crate::trace::end::End;
use crate::trace::log::{Tracer, follow};
use crate::trace::rerun::Rerun;
use crate::visited::StateIndex;
use std::sync::Arc;

/// The path to a state, which all its errors have in common.
struct Located {
    state: StateIndex,
    words: Arc<[u64]>,
    path: Path,
    end: End,
}

impl<'a> Search<'a, '_> {
    /// Reports the errors that wait with all threads.
    pub(super) fn report_problems(&mut self) -> Result<(), Ending> {
        let (mut problems, mut dropped) = (Vec::new(), ErrorStats::default());
        for worker in self.workers.iter_mut() {
            let (waiting, did_not_fit) = worker.inserter.problems.take();
            problems.extend(waiting);
            dropped.join(&did_not_fit);
        }
        self.report(problems, dropped)
    }

    /// Reports these errors, and counts those that did not fit.
    pub(super) fn report(
        &mut self,
        mut problems: Vec<Pending>,
        mut dropped: ErrorStats,
    ) -> Result<(), Ending> {
        if problems.is_empty() && dropped.found == 0 {
            return Ok(());
        }
        if !self.settings.works_alone() {
            // Whoever found them, and whenever: the nearest first, and then as their states are
            // ordered.
            problems.sort_by(Pending::order);
        }
        // Not of `self`, which changes while they are reported.
        let (model, settings) = (self.model, self.settings);
        let quiet = settings.trace_context(model.description());
        let mut expander = Expander::for_trace(model, &quiet);
        let mut form = settings.form(model);
        let mut located = None;
        for Pending { state, words, problem, .. } in problems {
            if self.has_enough() {
                break;
            }
            let novelty = match settings.finds_again() {
                true => self.reported.novelty(model.description(), &words, problem),
                false => Novelty::New,
            };
            match novelty {
                Novelty::Known => continue,
                Novelty::Unknown => {
                    self.hidden_by(problem.hides_states());
                    let mut counted = ErrorStats { repeated: true, ..ErrorStats::default() };
                    counted.add(&problem);
                    self.findings.count(&counted);
                    continue;
                }
                Novelty::New => {}
            }
            let found = match state {
                Some(state) => {
                    self.locate(&mut expander, &quiet, (state, &words), problem, &mut form, &mut located)
                }
                None => Ok(Finding::pathless(problem)),
            };
            let finding = match found {
                // The error is one, but which of the states on the way stands for which is not
                // known.
                Err(_) if form.gave_up() && self.is_proved() => {
                    Finding { problem, path: None, untraced: Some(Untraced::Symmetry), lasso: None }
                }
                Err(broken) if broken.exhausted => {
                    Finding { problem, path: None, untraced: Some(Untraced::Memory), lasso: None }
                }
                Err(broken) => return Err(self.not_replayed(problem, &words, broken)),
                Ok(finding) => finding,
            };
            self.observer.found(&finding);
            self.hidden_by(finding.hides_states());
            self.findings.keep(finding);
        }
        self.workers.iter_mut().for_each(|worker| worker.inserter.problems.release());
        self.hidden_by(dropped.hides_states);
        let wanted = settings.max_errors.map(|most| most.saturating_sub(self.findings.all().found));
        dropped.found = dropped.found.min(wanted.unwrap_or(u64::MAX));
        dropped.repeated = dropped.found > 0 && settings.finds_again();
        self.findings.count(&dropped);
        if self.has_enough() { Err(Ending::Errors) } else { Ok(()) }
    }

    /// Whether as many errors were found as are wanted.
    fn has_enough(&self) -> bool {
        self.settings.max_errors.is_some_and(|most| self.findings.all().found >= most)
    }

    /// What lies behind a state that is not expanded has to be found in another way, so no rule may
    /// sleep that leads there.
    fn hidden_by(&mut self, hides_states: bool) {
        if hides_states {
            let between_levels = self.between_levels();
            let sleeping = self.workers.iter_mut().filter_map(|worker| worker.inserter.sleeping.as_mut());
            sleeping.for_each(|sleeping| sleeping.wake(between_levels));
        }
    }

    /// The path to a problem, and the problem as it is at the end of that path.
    fn locate(
        &self,
        expander: &mut Expander<'_>,
        quiet: &Context,
        (state, words): (StateIndex, &Arc<[u64]>),
        problem: Problem,
        form: &mut Form<'a>,
        located: &mut Option<Located>,
    ) -> Result<Finding, TraceError> {
        let known = located.take().filter(|known| known.state == state && known.words == *words);
        let known = match known {
            Some(known) => located.insert(known),
            None => {
                let mut memory = Allowance::path(self.budget);
                let rerun = Rerun::new(self.model, self.settings, self.codec);
                let tracer = Tracer::new(self.model, quiet, form, &mut memory);
                let path = match &self.everywhere {
                    None => follow(rerun, &*self.visited, tracer, (state, words))?,
                    Some(owners) => follow(rerun, &owners.states(&*self.visited), tracer, (state, words))?,
                };
                let end = End::new(expander, &path, words.clone())?;
                located.insert(Located { state, words: words.clone(), path, end })
            }
        };
        Ok(Finding::traced(known.end.problem(expander, problem)?, known.path.clone()))
    }

    /// Whether all that is reduced was proved to be symmetric.
    fn is_proved(&self) -> bool {
        self.settings.extent().assumed(self.model.description()).is_empty()
    }

    /// Why the search ends where the trace of a problem in a state cannot be replayed. Where states
    /// were reduced, the search has to be repeated, unless the user wants to know about symmetry
    /// and the state shows that there is none.
    fn not_replayed(&self, problem: Problem, words: &[u64], broken: TraceError) -> Ending {
        let description = self.model.description();
        if broken.file.is_some() || !self.settings.extent().is_reduction(description) {
            return broken.into();
        }
        let check = SymmetryCheck::of(self.model, self.settings, 0);
        match check.map(|mut check| check.examine(&mut words.to_vec())) {
            Some(Err(AsymmetryError(difference))) => Ending::Asymmetric(difference),
            Some(Ok(())) | None => Ending::NotReplayed(problem.in_words(description)),
        }
    }
}
