//! The searches of one run: one, or several with other signatures, or a second one without
//! reduction.

use crate::cli::Options;
use crate::contract::model::Model;
use crate::graph::form::Form;
use crate::interruption::Interruption;
use crate::locality::Locality;
use crate::refusal::Refusal;
use crate::search::errors::kept::ErrorStats;
use crate::search::explore::{Explored, explore_saving};
use crate::search::saving::Checkpoints;
use crate::search::{Ending, Observer, Outcome};
use crate::settings::Settings;
use crate::settings::watch::Watch;
use crate::temporal;

use super::files::OutputFile;

/// States after which the runs are looked at before the search begins again, without a bound in the
/// end, where its steps are not noted and looked at between its levels: together a fifteenth of the
/// time of a search that ends soon after the last one.
const LOOKS: [u64; 3] = [1 << 16, 1 << 20, 1 << 24];

/// Whether a run that breaks a property is looked for in the first states. It would end the search,
/// and nothing is saved or shown that a second search would save or show again.
fn looks_ahead(model: &dyn Model, settings: &Settings) -> bool {
    temporal::claims(model).is_some()
        && settings.by_levels()
        && settings.max_errors == Some(1)
        && settings.checkpoints.is_none()
        && !settings.show_states
        && !settings.locality
        && settings.watch == Watch::Off
}

/// What all searches of a run have in common.
pub(super) struct Searches<'a> {
    pub model: &'a dyn Model,
    pub options: &'a Options,
    pub interrupted: &'a Interruption,
    pub observer: &'a mut dyn Observer,
    /// The profile of the last search, if one was asked for.
    pub locality: Option<Locality>,
    /// Where the graph goes, if it is asked for and not written yet.
    pub graph: Option<OutputFile>,
    /// What became of the graph.
    pub graph_written: Result<(), Refusal>,
}

impl Searches<'_> {
    /// Searches, and once more without reduction if the reduced search finds an error to which no
    /// trace can be replayed: what that search finds, or does not find, is certain.
    pub fn explore_and_repeat(
        &mut self,
        settings: &Settings,
        checkpoints: Option<&mut Checkpoints>,
    ) -> Outcome {
        let outcome = self.explore(settings, checkpoints);
        let Ending::NotReplayed(error) = &outcome.ending else { return outcome };
        self.observer.warned(&format!(
            "an error was found in the reduced state space, but no trace leads to it ({error}): the \
             search is repeated from the beginning without reduction (--symmetry off --no-multiset)"
        ));
        let plain = Settings {
            symmetry: None,
            trust: false,
            symmetry_check: None,
            keep_slots: true,
            apart: Vec::new(),
            alike: Vec::new(),
            checkpoints: None,
            // Its workers reduce, so this process searches alone.
            serve: None,
            ..settings.clone()
        };
        let repeated = self.explore(&plain, None);
        Outcome { not_replayed: Some(error.clone()), ..repeated }
    }

    /// Searches as often as the user wants, as long as nothing is found and nothing is left out. If
    /// the runs of the model are checked, the first states of a large state space are looked at
    /// before the others, so that a run that breaks a property is found early.
    fn explore(&mut self, settings: &Settings, checkpoints: Option<&mut Checkpoints>) -> Outcome {
        if settings.looks_at_steps() {
            return self.explore_looking(settings, checkpoints);
        }
        // The graph is that of the first search, which has to be a whole one.
        if !looks_ahead(self.model, settings) || checkpoints.is_some() || self.graph.is_some() {
            return self.explore_all(settings, checkpoints);
        }
        for most in LOOKS.into_iter().filter(|most| settings.max_states.is_none_or(|all| all > *most)) {
            let outcome = self.explore_all(&Settings { max_states: Some(most), ..settings.clone() }, None);
            match outcome.ending {
                Ending::States(_) if outcome.findings.is_empty() => {}
                Ending::States(_) => return Outcome { ending: Ending::Errors, ..outcome },
                _ => return outcome,
            }
        }
        self.explore_all(settings, None)
    }

    /// Searches, and ends between two levels if the steps up to there show a violation.
    fn explore_looking(&mut self, settings: &Settings, checkpoints: Option<&mut Checkpoints>) -> Outcome {
        let outcome = self.explore_all(settings, checkpoints);
        match outcome.ending {
            Ending::States(most) if settings.max_states == Some(most) => outcome,
            // What was seen was not found again, for lack of memory.
            Ending::States(_) if outcome.findings.is_empty() => {
                self.explore_all(&Settings { steps: false, ..settings.clone() }, None)
            }
            Ending::States(_) => Outcome { ending: Ending::Errors, ..outcome },
            _ => outcome,
        }
    }

    fn explore_all(&mut self, settings: &Settings, mut checkpoints: Option<&mut Checkpoints>) -> Outcome {
        let Searches { model, options, interrupted, observer, locality, graph, graph_written } = self;
        let mut settings = settings.clone();
        let mut before = None;
        let mut run = 1;
        loop {
            *locality = None;
            let mut runs = None;
            let mut inspect = |explored: Explored<'_>, observer: &mut dyn Observer| {
                if explored.goes_on {
                    // What shows all states needs all of them.
                    let shows = graph.is_some() || explored.settings.locality;
                    return !shows && temporal::is_violated_so_far(explored);
                }
                runs = temporal::check(explored, observer);
                if let (Some(file), Some(form)) = (graph.take(), options.graph.as_deref().and_then(Form::of))
                {
                    *graph_written = file.write_file(|out| {
                        crate::graph::write(explored, options.graph_limit, form, out).map(drop)
                    });
                }
                *locality = explored.settings.locality.then(|| Locality::measure(explored, observer));
                false
            };
            let checkpoints = checkpoints.as_deref_mut();
            let mut outcome =
                explore_saving(*model, &settings, checkpoints, interrupted, *observer, &mut inspect);
            if let Some((found, checked)) = runs {
                outcome.errors.join(&ErrorStats::of(&found));
                outcome.findings.extend(found);
                outcome.temporal = Some(checked);
            }
            let depth = u64::from(outcome.counts.depth.0);
            let signatures = settings.set.plugin().signatures();
            let target = signatures.and_then(|signatures| signatures.target).map(|target| target.bound);
            let assurance = outcome.set.as_ref().and_then(|set| set.assurance(depth, target));
            let assurance = assurance.map(|assurance| assurance.after(before.take()));
            let more = run < options.runs && outcome.ending == Ending::Complete && outcome.errors.found == 0;
            match (settings.set.plugin_mut().signatures_mut(), more) {
                (Some(signatures), true) => signatures.seed = signatures.seed.wrapping_add(1),
                _ => {
                    outcome.assurance = assurance;
                    return outcome;
                }
            }
            before = assurance;
            run += 1;
        }
    }
}
