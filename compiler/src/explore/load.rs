//! A trace from a file (a verifier's report, a saved walk or ITF) as a way through the model, and a
//! way as a file.

use mcc_runtime::contract::problem::{Path, Problem};
use mcc_runtime::model::{RuleId, StartId};
use serde::{Deserialize, Serialize};

use super::explorer::{Explorer, Failure, MOST_STEPS, Reached, Way};
use super::view::Wrong;
use crate::walk::document;
use crate::walk::itf;
use crate::walk::replay::{End, Refused, follow};
use crate::walk::{Walker, is_stuck};

/// A trace that was read and followed.
#[derive(Clone, Debug, Serialize)]
pub struct Recorded {
    pub way: Way,
    /// `report`, `walk` or `itf`.
    pub form: &'static str,
    /// What the trace is said to show.
    pub claim: Option<Wrong>,
    pub loop_begins: Option<usize>,
    /// Which of the report's errors this is, from one, and how many there are.
    pub error: Option<(usize, usize)>,
    pub notes: Vec<String>,
}

/// How a way is written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Itf,
    Walk,
}

/// Reads a file, whichever of the three it is; of a report the error of this number, from one.
pub fn load(explorer: &Explorer, bytes: &[u8], error: Option<usize>) -> Result<Recorded, Failure> {
    if itf::looks_like(bytes) { from_itf(explorer, bytes) } else { report(explorer, bytes, error) }
}

/// Follows a report or a saved walk.
pub fn report(explorer: &Explorer, bytes: &[u8], error: Option<usize>) -> Result<Recorded, Failure> {
    let trace = document::read(bytes, error).map_err(Failure::new)?;
    let mut settings = explorer.settings.clone();
    trace.apply_options(&mut settings);
    let mut notes = Vec::new();
    let own = &explorer.settings;
    let differ = settings.strict_undefined != own.strict_undefined
        || settings.priorities != own.priorities
        || settings.deadlock != own.deadlock
        || settings.loop_limit != own.loop_limit;
    if differ {
        notes.push(
            "the trace was recorded with other options: behind its steps the model may do otherwise here; \
             give the options to `mcc explore` after --"
                .to_owned(),
        );
    }
    let walker = Walker::new(explorer.interpreter, settings);
    notes.extend(trace.foreign(walker.description()));
    let steps = trace.steps.as_deref().ok_or_else(|| {
        let what = trace.claim.as_ref().map_or("nothing", |claim| &claim.message);
        Failure::new(format!("there is no trace to follow; the report says: {what}"))
    })?;
    if steps.len() > MOST_STEPS {
        return Err(Failure::new(format!("the trace has more than {MOST_STEPS} steps")));
    }
    let mut numbers = Vec::new();
    let end = follow(&walker, steps, &mut |_, number, _| numbers.push(number)).map_err(|refused| {
        let (step, reason) = match refused {
            Refused::Step(step, reason) => (Some(step), reason),
            Refused::Error(reason) | Refused::Unsettled(reason) | Refused::Malformed(reason) => {
                (None, reason)
            }
        };
        let place = step.map_or(String::new(), |step| format!("step {step} cannot be followed: "));
        let hint = notes.join("; ");
        let hint = if hint.is_empty() { hint } else { format!(" ({hint})") };
        Failure { step, ..Failure::new(format!("{place}{reason}{hint}")) }
    })?;
    if let End::Fault(Problem::RuleFault { rule, .. }) = end {
        numbers.push(rule.0);
    }
    let claim = trace.claim.as_ref();
    Ok(Recorded {
        way: way(&numbers)?,
        form: if trace.place.is_some() { "report" } else { "walk" },
        claim: claim.map(|claim| Wrong {
            kind: claim.kind.clone(),
            message: claim.message.clone(),
            line: claim.line,
            column: claim.column,
            why: Vec::new(),
        }),
        loop_begins: claim.and_then(|claim| claim.looped.as_ref()).map(|looped| looped.begins),
        error: trace.place,
        notes,
    })
}

fn from_itf(explorer: &Explorer, bytes: &[u8]) -> Result<Recorded, Failure> {
    let file = itf::read(bytes).map_err(Failure::new)?;
    if file.states.len() > MOST_STEPS {
        return Err(Failure::new(format!("the trace has more than {MOST_STEPS} states")));
    }
    let numbers = itf::follow(&explorer.walker(), &file).map_err(Failure::new)?;
    let message = file.error.clone();
    let claim = message.map(|message| Wrong {
        kind: String::new(),
        message,
        line: None,
        column: None,
        why: Vec::new(),
    });
    let notes = file.notes();
    Ok(Recorded { way: way(&numbers)?, form: "itf", claim, loop_begins: None, error: None, notes })
}

fn way(numbers: &[u32]) -> Result<Way, Failure> {
    let (start, rules) = numbers
        .split_first()
        .ok_or_else(|| Failure::new("the trace has no steps, not even a start state"))?;
    Ok(Way { start: *start, rules: rules.to_vec() })
}

/// The way as the text of a file.
pub fn write(explorer: &Explorer, way: &Way, form: Form) -> Result<String, Failure> {
    let walker = explorer.walker();
    let reached = explorer.all(&walker, way)?;
    let states: Vec<&[u64]> = reached
        .iter()
        .filter_map(|reached| match reached {
            Reached::State(state) => Some(state.as_slice()),
            Reached::Fault { .. } => None,
        })
        .collect();
    let problem = match reached.last() {
        Some(Reached::Fault { problem, .. }) => Some(*problem),
        Some(Reached::State(state)) => walker.violation(state).or_else(|| {
            let stuck = walker.settings.deadlock && is_stuck(state, &walker.moves(state));
            let judged = |problem| {
                let context = &walker.context;
                mcc_runtime::contract::deadlock::judged(walker.model, context, &mut state.clone(), problem)
            };
            stuck.then_some(Problem::Deadlock).and_then(judged)
        }),
        None => None,
    };
    let gone = states.len().saturating_sub(1);
    match form {
        Form::Itf => {
            let message = problem.map(|problem| problem.message(walker.description()));
            let rules = way.rules.get(..gone).unwrap_or_default();
            itf::write(&walker, way.start, rules, &states, message).map_err(Failure::new)
        }
        Form::Walk if states.is_empty() => Err(Failure::new("there is no state to save")),
        Form::Walk => {
            let rules = way.rules.iter().take(gone).map(|rule| RuleId(*rule)).collect();
            let path = Path { start: StartId(way.start), rules };
            document::write(&walker, path, problem).map_err(Failure::new)
        }
    }
}
