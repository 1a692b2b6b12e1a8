//! The verdict of a run: the word, the exit code, the reason, and what to try next.

use super::symmetry;
use super::why_cut::why_cut;
use crate::bounds::assurance::{Assurance, at_most};
use crate::contract::model::Description;
use crate::contract::problem::Problem;
use crate::search::{Ending, Outcome};
use crate::settings::Settings;
use crate::text::plural;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Verified,
    Violated,
    Inconclusive,
}

/// The exit codes of every verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Verified,
    Violated,
    /// The command line or the model is wrong.
    Wrong,
    Inconclusive,
    /// There was no search: help, version or licence was asked for and printed.
    Answered,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Exit::Verified | Exit::Answered => 0,
            Exit::Violated => 1,
            Exit::Wrong => 2,
            Exit::Inconclusive => 3,
        }
    }

    /// The exit of another process with this code.
    pub(crate) fn of_code(code: u8) -> Exit {
        match code {
            0 => Exit::Verified,
            1 => Exit::Violated,
            2 => Exit::Wrong,
            _ => Exit::Inconclusive,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Exit::Verified => Verdict::Verified.word(),
            Exit::Violated => Verdict::Violated.word(),
            Exit::Wrong => "wrong",
            Exit::Inconclusive => Verdict::Inconclusive.word(),
            Exit::Answered => "answered",
        }
    }
}

impl Judgement {
    /// The reason with what the verdict rests on.
    pub fn full_reason(&self) -> String {
        match &self.condition {
            Some(condition) => format!("{}, {condition}", self.reason),
            None => self.reason.clone(),
        }
    }
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
        }
    }

    pub fn exit(self) -> Exit {
        match self {
            Verdict::Verified => Exit::Verified,
            Verdict::Violated => Exit::Violated,
            Verdict::Inconclusive => Exit::Inconclusive,
        }
    }
}

/// A verdict with its reason.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    pub reason: String,
    /// What the verdict rests on that was not proved, as in "if … is symmetric as assumed".
    pub condition: Option<String>,
    /// What to try next.
    pub advice: Option<String>,
}

/// Judges an outcome. Errors found count whatever ended the search, unless the engine contradicts
/// itself; "verified" needs a search that left nothing out.
pub fn judge(description: &Description, outcome: &Outcome, settings: &Settings) -> Judgement {
    let judgement = judge_unconditionally(outcome, settings);
    let judgement = after_repetition(judgement, outcome.not_replayed.as_deref());
    // An error with a trace is one, whatever was assumed; that something was not found may be due
    // to the assumption.
    let pathless = outcome.findings.iter().all(|finding| finding.path.is_none());
    let conditional = match judgement.verdict {
        Verdict::Verified => true,
        Verdict::Violated => pathless && !is_certain(outcome),
        Verdict::Inconclusive => false,
    };
    // What was repeated without reduction rests on nothing.
    let condition = (conditional && outcome.not_replayed.is_none())
        .then(|| symmetry::condition(description, settings))
        .flatten();
    Judgement { condition, ..judgement }
}

/// Whether an error is one although there is no trace to it.
fn is_certain(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|finding| matches!(finding.problem, Problem::StartFault { .. }))
}

/// What is to be said about a search that was repeated without reduction, because the reduced one
/// had found an error to which no trace led.
fn after_repetition(judgement: Judgement, error: Option<&str>) -> Judgement {
    let Some(error) = error else { return judgement };
    let Judgement { verdict, reason, condition, advice } = judgement;
    let reason = match verdict {
        Verdict::Violated => {
            format!("{reason}; searched without reduction, since no trace could be replayed with it")
        }
        Verdict::Verified => format!(
            "{reason}; searched without reduction, since with it an error was found to which no trace leads ({error})"
        ),
        Verdict::Inconclusive => format!(
            "an error was found in the reduced state space, but no trace leads to it ({error}), and the search without \
             reduction did not end: {reason}"
        ),
    };
    Judgement { verdict, reason, condition, advice }
}

fn judge_unconditionally(outcome: &Outcome, settings: &Settings) -> Judgement {
    let condition = None;
    let (cut, advice) = why_cut(outcome, settings);
    let errors = outcome.errors.found;
    let broken =
        matches!(outcome.ending, Ending::Internal(_) | Ending::Asymmetric(_) | Ending::NotReplayed(_));
    match cut {
        Some(reason) if errors == 0 || broken => {
            Judgement { verdict: Verdict::Inconclusive, reason, condition, advice }
        }
        Some(reason) => Judgement {
            verdict: Verdict::Violated,
            reason: format!("{} found before the search was cut off: {reason}", plural(errors, "error")),
            condition,
            advice,
        },
        None if errors > 0 => Judgement {
            verdict: Verdict::Violated,
            reason: match outcome.ending {
                Ending::Errors => format!("{} found; the search stopped there", plural(errors, "error")),
                _ if outcome.explored_all() => {
                    format!("{} found in the whole state space", plural(errors, "error"))
                }
                _ => format!(
                    "{} found; what lies behind a state that breaks a property was not explored",
                    plural(errors, "error")
                ),
            },
            condition,
            advice: None,
        },
        None if outcome.temporal.as_ref().is_some_and(|checked| checked.undecided.is_some()) => {
            let checked = outcome.temporal.clone().unwrap_or_default();
            let why = checked.undecided.unwrap_or_default();
            Judgement {
                verdict: Verdict::Inconclusive,
                reason: format!(
                    "no error found in any state, but not all properties of runs were decided: {why}"
                ),
                condition,
                advice: checked.advice,
            }
        }
        None => match &outcome.assurance {
            None => Judgement {
                verdict: Verdict::Verified,
                reason: "no error found in the whole state space".to_owned(),
                condition,
                advice: None,
            },
            Some(assurance) => judge_assurance(assurance, settings),
        },
    }
}

/// Of a search in which some states may have been taken for others.
fn judge_assurance(assurance: &Assurance, settings: &Settings) -> Judgement {
    let bound = at_most(assurance.bounds.any);
    let runs = match assurance.runs.len() as u64 {
        1 => String::new(),
        runs => format!(" in any of {}", plural(runs, "run")),
    };
    let said = format!("no error found{runs}, with probability of a missed error at most {bound}");
    match (assurance.is_enough(), assurance.target) {
        (false, Some(target)) => Judgement {
            verdict: Verdict::Inconclusive,
            reason: format!("{said}, which is more than {target} (--target)"),
            condition: None,
            advice: Some(match assurance.enough_bits {
                // Several runs cannot be saved.
                Some(bits) if settings.checkpoints.is_some() => {
                    format!("--bits {bits}, or several --runs without --checkpoint")
                }
                Some(bits) => format!("--bits {bits}, or a larger number of --runs"),
                None if settings.checkpoints.is_some() => "several --runs without --checkpoint".to_owned(),
                None => "a larger number of --runs".to_owned(),
            }),
        },
        _ => Judgement { verdict: Verdict::Verified, reason: said, condition: None, advice: None },
    }
}
