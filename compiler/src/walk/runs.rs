//! Judges a recorded run: that its loop closes, that it is fair, and, by the meaning of the
//! formula, that it breaks the property. Nothing of the search is used here.

use std::collections::{HashSet, VecDeque};

use mcc_runtime::contract::deadlock::Choices;
use mcc_runtime::contract::print::rule_name;
use mcc_runtime::contract::problem::Problem;
use mcc_runtime::contract::temporal::{self, ClaimKind, Fairness, Formula};
use mcc_runtime::contract::values::instance;
use mcc_runtime::fault::Fault;
use mcc_runtime::model::{Model, Parameter, RuleId};
use mcc_runtime::temporal::evaluate::{LoopingRun, values};

use super::document::Claim;
use super::replay::Refused;
use super::{Effect, Walker};

/// States that are looked at for a `liveness` property.
const MOST_STATES: usize = 1 << 20;

/// A run as it was followed: the states, and the rule that led to each.
#[derive(Debug, Default)]
pub struct Followed {
    pub states: Vec<Vec<u64>>,
    pub rules: Vec<u32>,
}

/// The property that a run is said to break.
fn claimed(walker: &Walker, claim: &Claim) -> Option<&'static temporal::Claim> {
    let description = walker.description();
    let claims = walker.model.temporal()?.claims;
    claims.iter().find(|one| {
        let property = description.properties.get(one.property.0 as usize);
        property.is_some_and(|property| {
            let place = property.position;
            Some((place.line, place.column)) == claim.line.zip(claim.column)
        })
    })
}

/// The properties of runs of which a condition cannot be evaluated in a state.
pub fn unevaluated(walker: &Walker, state: &[u64]) -> Vec<Problem> {
    let claims = walker.model.temporal().map_or(&[][..], |temporal| temporal.claims);
    let about_runs = claims.iter().filter(|claim| match claim.kind {
        ClaimKind::Ltl | ClaimKind::Liveness => true,
        ClaimKind::Safety | ClaimKind::Deadlock => false,
    });
    // Each condition of a formula is evaluated at each position: at one, the state for ever.
    let run = LoopingRun { states: vec![state.to_vec()], rules: vec![None], back_to: 0 };
    let problem = |claim: &temporal::Claim| {
        Choices::new(claim.parameters).find_map(|mut parameters| {
            let evaluated = values(walker.model, &walker.context, &run, &claim.formula, &mut parameters);
            let fault = evaluated.err()?;
            Some(Problem::PropertyFault { property: claim.property, fault, value: Fault::value() })
        })
    };
    about_runs.filter_map(problem).collect()
}

/// What is wrong with a run, if it is what is claimed.
pub fn run_problem(walker: &Walker, followed: &Followed, claim: &Claim) -> Result<Problem, Refused> {
    let found = claimed(walker, claim)
        .ok_or_else(|| Refused::Error("there is no such property in this place of the model".into()))?;
    match found.kind {
        ClaimKind::Ltl => ltl(walker, followed, claim, found)?,
        ClaimKind::Safety => safety(walker, followed, found)?,
        ClaimKind::Liveness => liveness(walker, followed, found)?,
        ClaimKind::Deadlock => return Err(Refused::Error("this property is not about runs".into())),
    }
    Ok(match found.kind {
        ClaimKind::Safety => Problem::Violated { property: found.property },
        ClaimKind::Ltl | ClaimKind::Liveness | ClaimKind::Deadlock => {
            Problem::Temporal { property: found.property }
        }
    })
}

fn ltl(
    walker: &Walker,
    followed: &Followed,
    claim: &Claim,
    found: &'static temporal::Claim,
) -> Result<(), Refused> {
    let begins = claim.looped.as_ref().map(|looped| looped.begins);
    let begins = begins.ok_or_else(|| Refused::Malformed("the error has no loop".into()))?;
    let run = closed(walker, followed, begins)?;
    let own = walker.model.temporal().map_or(&[][..], |temporal| temporal.fairness);
    let chosen = walker.settings.fairness;
    let fairness = |rule: RuleId| {
        let family = instance(walker.description().rules, rule.0).map_or(0, |found| found.index);
        chosen.unwrap_or_else(|| own.get(family).copied().unwrap_or(Fairness::None))
    };
    if let Some(rule) = run.unfair_to(walker.model, &walker.context, &fairness) {
        let name = rule_name(walker.description(), rule);
        return Err(Refused::Error(format!("the loop is not fair to {name}")));
    }
    let holds = holds_at_first(walker, &run, &found.formula, found.parameters)
        .map_err(|fault| Refused::Error(evaluation(walker, fault)))?;
    if holds { Err(Refused::Error("the run fulfils the formula".into())) } else { Ok(()) }
}

/// Whether every run breaks a formula that begins like this. Such a formula has no `next`, so a
/// path can be continued to one that fulfils it if staying in its last state for ever does: what
/// has not been broken by then cannot be broken by more of the same.
fn safety(walker: &Walker, followed: &Followed, found: &'static temporal::Claim) -> Result<(), Refused> {
    let Followed { states, rules } = followed;
    let fired = rules.iter().skip(1).map(|rule| Some(RuleId(*rule))).chain([None]);
    let back_to = states.len().saturating_sub(1);
    let run = LoopingRun { states: states.clone(), rules: fired.collect(), back_to };
    let holds = holds_at_first(walker, &run, &found.formula, found.parameters)
        .map_err(|fault| Refused::Error(evaluation(walker, fault)))?;
    if holds { Err(Refused::Error("a run that begins like this fulfils the formula".into())) } else { Ok(()) }
}

fn evaluation(walker: &Walker, fault: Fault) -> String {
    let message = walker.description().sites.get(fault.site()).map_or("", |site| site.message);
    format!("the formula cannot be evaluated: {message}")
}

/// The run with its loop, if that closes.
fn closed(walker: &Walker, followed: &Followed, begins: usize) -> Result<LoopingRun, Refused> {
    let Followed { states, rules } = followed;
    let last = states.len().saturating_sub(1);
    let wrong = |why: &str| Err(Refused::Error(why.into()));
    let Some(back) = states.get(begins) else { return wrong("the loop begins behind the end") };
    let mut fired: Vec<Option<RuleId>> = rules.iter().skip(1).map(|rule| Some(RuleId(*rule))).collect();
    if begins == last {
        // A run that stays where it is: no rule may be enabled.
        if !walker.moves(back).is_empty() {
            return wrong("a rule is enabled in the last state, so the run does not stay there");
        }
        fired.push(None);
        return Ok(LoopingRun { states: states.clone(), rules: fired, back_to: begins });
    }
    if states.last() != Some(back) {
        return wrong("the loop does not close: its last state is not the one that it begins with");
    }
    let states = states.iter().take(last).cloned().collect();
    Ok(LoopingRun { states, rules: fired, back_to: begins })
}

/// Whether a run fulfils a formula for all values of the parameters around it.
fn holds_at_first(
    walker: &Walker,
    run: &LoopingRun,
    formula: &Formula,
    parameters: &[Parameter],
) -> Result<bool, Fault> {
    for mut parameters in Choices::new(parameters) {
        let at_all = values(walker.model, &walker.context, run, formula, &mut parameters)?;
        if at_all.first() == Some(&false) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the condition of a `liveness` property holds nowhere behind the last state, for some
/// values of the parameters around it.
fn liveness(walker: &Walker, followed: &Followed, found: &'static temporal::Claim) -> Result<(), Refused> {
    let first = followed.states.last().cloned().unwrap_or_default();
    let mut seen: HashSet<Vec<u64>> = HashSet::from([first.clone()]);
    let mut queue = VecDeque::from([first]);
    while let Some(state) = queue.pop_front() {
        for next in walker.moves(&state) {
            let Effect::To(next) = next.effect else { continue };
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
        if seen.len() > MOST_STATES {
            return Err(Refused::Unsettled(format!(
                "there are more than {MOST_STATES} states behind the last one"
            )));
        }
    }
    // As positions of one run: `eventually` is true at the first if the condition is at any.
    let states: Vec<Vec<u64>> = seen.into_iter().collect();
    let rules = vec![None; states.len()];
    let back_to = states.len().saturating_sub(1);
    let run = LoopingRun { states, rules, back_to };
    let never = Formula::Eventually(&found.formula);
    let holds = holds_at_first(walker, &run, &never, found.parameters)
        .map_err(|fault| Refused::Error(evaluation(walker, fault)))?;
    if holds { Err(Refused::Error("the condition can be reached again".into())) } else { Ok(()) }
}
