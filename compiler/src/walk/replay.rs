//! Judges a recorded trace: whether the interpreter allows each step, and whether the error at the
//! end is real.

use std::collections::BTreeMap;

use mcc_runtime::Interruption;
use mcc_runtime::context::Put;
use mcc_runtime::contract::deadlock::judged;
use mcc_runtime::contract::explanation::Reason;
use mcc_runtime::contract::print::{rule_name, start_name};
use mcc_runtime::contract::problem::{Finding, Problem};
use mcc_runtime::contract::values::instance;
use mcc_runtime::host::text::printable;
use mcc_runtime::host::{Counts, Observer, Settings, explore};
use mcc_runtime::model::{Family, Position, RuleId};

use super::compare::{difference, quoted, wrong_parameters};
use super::document::{Claim, Step, Trace};
use super::runs::{Followed, run_problem, unevaluated};
use super::{Effect, Move, Walker, is_stuck};

/// An event to be printed while the trace is followed.
pub enum Event {
    /// This step is as recorded.
    Allowed { step: usize, number: u32 },
    /// Said of the step before.
    Note(String),
    /// There is no trace: all states are explored.
    Exploring,
}

/// What a trace that is right shows.
pub enum Shown {
    /// It claims no error.
    Steps,
    /// With why a property is false, where that can be said.
    Error(Problem, Vec<Reason>),
}

/// Why there is no such result.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    /// The trace is wrong at this step.
    Step(usize, String),
    /// The error is not real.
    Error(String),
    /// It is unknown whether the error is real.
    Unsettled(String),
    /// There is nothing to judge.
    Malformed(String),
}

type Tell<'a> = &'a mut dyn FnMut(Event);

/// Follows a trace from its start state to its error.
pub fn replay(walker: &Walker, trace: &Trace, tell: Tell) -> Result<Shown, Refused> {
    let Some(steps) = &trace.steps else {
        let claim = trace.claim.as_ref();
        return claim.map_or_else(
            || Err(Refused::Malformed("there is no trace".into())),
            |claim| without_trace(walker, claim, tell).map(|problem| Shown::Error(problem, Vec::new())),
        );
    };
    let mut followed = Followed::default();
    let about_runs = trace.claim.as_ref().is_some_and(|claim| matches!(&*claim.kind, "ltl" | "liveness"));
    let outcome = follow(walker, steps, &mut |state, found, step| {
        if about_runs {
            followed.states.push(state.to_vec());
            followed.rules.push(found);
        }
        tell(Event::Allowed { step, number: found });
        if let (Some(problem), true) = (walker.violation(state), step + 1 < steps.len()) {
            let message = problem.message(walker.description());
            tell(Event::Note(format!("already in this state: {}", printable(&message))));
        }
    })?;
    let Some(claim) = &trace.claim else {
        return match outcome {
            End::State(_) => Ok(Shown::Steps),
            End::Fault(_) => Err(wrong(steps.len() - 1, "it has no state, and no error is claimed")),
        };
    };
    let (problem, reasons) = match outcome {
        End::Fault(problem) => (problem, Vec::new()),
        End::State(_) if about_runs => (run_problem(walker, &followed, claim)?, Vec::new()),
        End::State(state) => {
            let problem = state_problem(walker, &state, claim)?;
            (problem, walker.reasons(&problem, &state))
        }
    };
    culprit(steps, claim)?;
    same_error(walker, claim, &problem, tell)?;
    Ok(Shown::Error(problem, reasons))
}

/// How a trace ends.
pub enum End {
    State(Vec<u64>),
    /// In a rule that goes wrong.
    Fault(Problem),
}

/// Goes the steps; `arrived` hears of each state, the instance that led to it, and the step's
/// number.
pub fn follow(
    walker: &Walker,
    steps: &[Step],
    arrived: &mut dyn FnMut(&[u64], u32, usize),
) -> Result<End, Refused> {
    let Some((first, others)) = steps.split_first() else {
        return Err(Refused::Malformed("the trace has no steps, not even a start state".into()));
    };
    let mut state = start(walker, first, arrived)?;
    for (at, step) in others.iter().enumerate() {
        let number = at + 1;
        match advance(walker, &state, step, number, number == others.len())? {
            (End::State(next), rule) => {
                arrived(&next, rule, number);
                state = next;
            }
            (fault @ End::Fault(_), _) => return Ok(fault),
        }
    }
    Ok(End::State(state))
}

fn start(
    walker: &Walker,
    step: &Step,
    arrived: &mut dyn FnMut(&[u64], u32, usize),
) -> Result<Vec<u64>, Refused> {
    let description = walker.description();
    family(description.starts, step, 0, "start state")?;
    let starts = walker.starts();
    let matching = matching(&starts, description.starts, step.family, &step.parameters);
    let recorded = step.state().ok_or_else(|| wrong(0, "it has no state"))?;
    let mut reason = "an assumption in it does not hold".to_owned();
    for found in matching {
        match &found.effect {
            Effect::To(state) => match difference(description, state, &recorded) {
                None => {
                    arrived(state, found.number, 0);
                    return Ok(state.clone());
                }
                Some(difference) => reason = difference,
            },
            Effect::Excluded => {}
            Effect::Fault(problem) => reason = ends_in(walker, problem),
        }
    }
    Err(wrong(0, &reason))
}

/// One step from a state: where it leads, and by which rule.
fn advance(
    walker: &Walker,
    state: &[u64],
    step: &Step,
    number: usize,
    is_last: bool,
) -> Result<(End, u32), Refused> {
    let description = walker.description();
    let family = family(description.rules, step, number, "rule")?;
    let moves = walker.moves(state);
    let recorded = step.state();
    if recorded.is_none() && !is_last {
        return Err(wrong(number, "it has no state, and it is not the last one"));
    }
    let mut reason = None;
    for found in matching(&moves, description.rules, step.family, &step.parameters) {
        let why = match (&found.effect, &recorded) {
            (Effect::To(next), Some(recorded)) => match difference(description, next, recorded) {
                None => return Ok((End::State(next.clone()), found.number)),
                Some(difference) => difference,
            },
            (Effect::To(_), None) => "the rule ends without an error here".to_owned(),
            (Effect::Excluded, _) => "the rule leads to a state that breaks an assumption".to_owned(),
            (Effect::Fault(problem), None) => return Ok((End::Fault(*problem), found.number)),
            (Effect::Fault(problem), Some(_)) => ends_in(walker, problem),
        };
        reason.get_or_insert(why);
    }
    let reason = reason.unwrap_or_else(|| {
        let outranked = (family.first..family.first + family.instances).take(1 << 16).any(|rule| {
            names(description.rules, rule, step.family, &step.parameters)
                && walker.is_outranked(state, RuleId(rule))
        });
        if outranked {
            "the rule is not enabled: one of higher priority is".to_owned()
        } else {
            "the rule is not enabled".to_owned()
        }
    });
    Err(wrong(number, &reason))
}

/// The rule that a step names, which must have such parameters.
fn family<'f>(families: &'f [Family], step: &Step, number: usize, what: &str) -> Result<&'f Family, Refused> {
    let family = families.get(step.family).ok_or_else(|| {
        wrong(number, &format!("the model has no {what} number {}, counted from 0", step.family))
    })?;
    if family.name != step.rule {
        let (ours, theirs) = (quoted(family.name), quoted(&step.rule));
        return Err(wrong(number, &format!("{what} number {} is {ours}, not {theirs}", step.family)));
    }
    match wrong_parameters(family, &step.parameters) {
        Some(reason) => Err(wrong(number, &format!("{what} {}: {reason}", quoted(family.name)))),
        None => Ok(family),
    }
}

/// The moves that a step may mean: several, where parameters share a name.
fn matching<'m>(
    moves: &'m [Move],
    families: &'static [Family],
    family: usize,
    parameters: &BTreeMap<String, String>,
) -> impl Iterator<Item = &'m Move> {
    moves.iter().filter(move |found| names(families, found.number, family, parameters))
}

/// Whether an instance is of this family and has these parameters.
fn names(
    families: &'static [Family],
    number: u32,
    family: usize,
    parameters: &BTreeMap<String, String>,
) -> bool {
    let Some(found) = instance(families, number).filter(|found| found.index == family) else {
        return false;
    };
    let own = mcc_runtime::host::json::parameters(&found);
    own.len() == parameters.len()
        && own.iter().all(|(name, value)| parameters.get(*name).is_some_and(|other| other == value))
}

/// What is wrong with the last state, if it is of the kind that is claimed.
fn state_problem(walker: &Walker, state: &[u64], claim: &Claim) -> Result<Problem, Refused> {
    if claim.kind != "deadlock" {
        let description = walker.description();
        let mut found = walker.violations(state);
        found.extend(unevaluated(walker, state));
        let claimed = found.iter().find(|problem| {
            let place = problem.position(description).map(|place| (place.line, place.column));
            problem.kind(description) == claim.kind && place == claim.line.zip(claim.column)
        });
        // If none is the one that is claimed, the first says what there is instead.
        let found = claimed.or(found.first()).copied();
        return found.ok_or_else(|| Refused::Error("no property is broken in the last state".into()));
    }
    let moves = walker.moves(state);
    if is_stuck(state, &moves) {
        let judged = judged(walker.model, &walker.context, &mut state.to_vec(), Problem::Deadlock);
        let none = "no deadlock property of the model holds in the last state";
        return judged.ok_or_else(|| Refused::Error(none.to_owned()));
    }
    let changes = |found: &&Move| !matches!(&found.effect, Effect::To(next) if next == state);
    let way_out =
        moves.iter().find(changes).map(|found| rule_name(walker.description(), RuleId(found.number)));
    Err(Refused::Error(match way_out {
        Some(rule) => format!("the last state is no deadlock: {rule} is a way out"),
        None => "the last state is no deadlock".to_owned(),
    }))
}

/// The report names the rule of the last step beside the error.
fn culprit(steps: &[Step], claim: &Claim) -> Result<(), Refused> {
    let last = steps.last().filter(|_| steps.len() > 1);
    let rule = last.map(|step| step.rule.as_str());
    if claim.rule.as_deref() != rule {
        let named = claim.rule.as_deref().map_or("no rule".to_owned(), quoted);
        let last = rule.map_or("a start state".to_owned(), quoted);
        return Err(Refused::Error(format!("the error names {named}, but the last step is {last}")));
    }
    if claim.parameters.as_ref() == last.map(|step| &step.parameters) {
        Ok(())
    } else {
        Err(Refused::Error("the error has other parameters than the last step".into()))
    }
}

/// Whether the error is the one that is claimed, at the same place of the model.
fn same_error(walker: &Walker, claim: &Claim, problem: &Problem, tell: Tell) -> Result<(), Refused> {
    let description = walker.description();
    let (kind, message) = (problem.kind(description), problem.message(description));
    if kind != claim.kind {
        let claimed = quoted(&claim.kind);
        return Err(Refused::Error(format!(
            "an error of kind {claimed} is claimed, but it is of kind {kind:?}: {}",
            printable(&message)
        )));
    }
    let place = problem.position(description);
    if place.map(|place| (place.line, place.column)) != claim.line.zip(claim.column) {
        let claimed = match (claim.line, claim.column) {
            (Some(line), Some(column)) => format!("line {line}, column {column}"),
            _ => "no place".to_owned(),
        };
        let ours = place.map_or("nowhere".to_owned(), |Position { line, column }| {
            format!("in line {line}, column {column}")
        });
        return Err(Refused::Error(format!("the error is {ours}; {claimed} is claimed")));
    }
    // Wordings may differ, but not the number that caused the error.
    if let Some(number) = number_of(walker, problem).filter(|number| !claim.message.contains(number)) {
        tell(Event::Note(format!("it is the number {number} here, of which the trace says nothing")));
    }
    Ok(())
}

/// The number that caused an error, where its message has one.
fn number_of(walker: &Walker, problem: &Problem) -> Option<String> {
    let (fault, value) = match problem {
        Problem::RuleFault { fault, value, .. }
        | Problem::StartFault { fault, value, .. }
        | Problem::PropertyFault { fault, value, .. } => (fault, value),
        Problem::Deadlock
        | Problem::ClaimedDeadlock { .. }
        | Problem::Temporal { .. }
        | Problem::Violated { .. }
        | Problem::NeverCovered { .. } => return None,
    };
    let site = walker.description().sites.get(fault.site())?;
    site.message.contains("{}").then(|| value.to_string())
}

/// Errors without a way to them: start states that go wrong, and covers that were never reached.
fn without_trace(walker: &Walker, claim: &Claim, tell: Tell) -> Result<Problem, Refused> {
    if claim.kind == "cover" {
        return never_covered(walker, claim, tell);
    }
    let (Some(rule), Some(parameters)) = (&claim.rule, &claim.parameters) else {
        return Err(Refused::Malformed("the error has neither a trace nor a start state".into()));
    };
    let starts = walker.description().starts;
    let mut refused = None;
    for found in walker.starts() {
        let named = instance(starts, found.number)
            .is_some_and(|one| one.family.name == rule && names(starts, found.number, one.index, parameters));
        if let (Effect::Fault(problem), true) = (&found.effect, named) {
            match same_error(walker, claim, problem, tell) {
                Ok(()) => return Ok(*problem),
                Err(other) => refused = Some(other),
            }
        }
    }
    Err(refused.unwrap_or_else(|| {
        Refused::Error(format!("no start state {} with these parameters goes wrong", quoted(rule)))
    }))
}

/// That something is never reached can only be shown by going everywhere.
fn never_covered(walker: &Walker, claim: &Claim, tell: Tell) -> Result<Problem, Refused> {
    tell(Event::Exploring);
    let settings = Settings { put: Put::Nowhere, max_errors: None, ..walker.settings.clone() };
    let outcome = explore(walker.model, &settings, &Interruption::none(), &mut Silent);
    let covers = outcome.findings.iter().map(|finding| finding.problem);
    let never = covers.filter(|problem| matches!(problem, Problem::NeverCovered { .. }));
    let mut refused = None;
    for problem in never {
        match same_error(walker, claim, &problem, tell) {
            Ok(()) => return Ok(problem),
            Err(other) => refused = Some(other),
        }
    }
    Err(match refused {
        Some(refused) => refused,
        None if outcome.explored_all() => Refused::Error("every cover is reached".into()),
        None => Refused::Unsettled("not every state could be explored".into()),
    })
}

struct Silent;

impl Observer for Silent {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}

fn ends_in(walker: &Walker, problem: &Problem) -> String {
    let message = problem.message(walker.description());
    let place = problem.position(walker.description());
    let line = place.map_or(String::new(), |place| format!(" (line {})", place.line));
    format!("it ends in an error here: {}{line}", printable(&message))
}

fn wrong(step: usize, reason: &str) -> Refused {
    Refused::Step(step, reason.to_owned())
}

/// A step by its name in the model: the first is a start state.
pub fn name(walker: &Walker, step: usize, number: u32) -> String {
    match step {
        0 => start_name(walker.description(), mcc_runtime::model::StartId(number)),
        _ => rule_name(walker.description(), RuleId(number)),
    }
}
