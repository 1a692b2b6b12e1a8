//! Whether a loop that was reported is a run of the table, fair, and breaks the formula.

use super::drawing::{Fairness, Table};
use super::formula::Formula;
use serde_json::Value;

/// Checks the first error of a report; what is wrong with it.
pub fn check(table: &Table, formula: &Formula, report: &Value) -> Result<(), String> {
    let error = &report["errors"][0];
    let steps = error["trace"].as_array().ok_or("the error has no trace")?;
    let state = |step: &Value| step["state"]["x"].as_u64().map(|state| state as usize);
    let states: Vec<usize> = steps.iter().map(state).collect::<Option<_>>().ok_or("a step has no state")?;
    let last = states.len().checked_sub(1).ok_or("the trace is empty")?;
    if !table.starts().contains(&states[0]) {
        return Err("it does not begin in a start state".into());
    }
    let mut run = Vec::new();
    for (step, pair) in steps[1..].iter().zip(states.windows(2)) {
        let rule = step["family"].as_u64().ok_or("a step has no rule")? as usize;
        // The values of parameters are texts.
        let instance = match &step["parameters"]["i"] {
            Value::Null => 0,
            value => value.to_string().trim_matches('"').parse().map_err(|_| "a parameter is no number")?,
        };
        let fires = Some((rule, instance));
        if !table.edges(pair[0]).iter().any(|edge| edge.fires == fires && edge.to == pair[1]) {
            return Err(format!("{fires:?} does not lead from {} to {}", pair[0], pair[1]));
        }
        run.push((pair[0], fires));
    }
    // A formula that was checked beside the search ends in the state that breaks it: staying there
    // for ever breaks it, too.
    let (back, closes) = match error["loop"]["begins"].as_u64() {
        Some(begins) => (begins as usize, true),
        None => (last, false),
    };
    if back == last {
        let is_end = table.edges(states[last]).iter().all(|edge| edge.fires.is_none());
        if closes && (!is_end || table.edges(states[last]).is_empty()) {
            return Err("a rule fires in the state in which the run stays".into());
        }
        run.push((states[last], None));
    } else if states.get(back) != states.last() {
        return Err("the loop does not close".into());
    }
    if closes {
        fair(table, &run, &states, back)?;
    }
    match formula.values(&run, back).first() {
        Some(false) => Ok(()),
        _ => Err("the run fulfils the formula".into()),
    }
}

type Position = (usize, Option<(usize, usize)>);

fn fair(table: &Table, run: &[Position], states: &[usize], back: usize) -> Result<(), String> {
    for (rule, instance, fairness) in table.fair() {
        let taken = (back..run.len()).any(|at| {
            let to = states.get(at + 1).unwrap_or(&states[back]);
            run[at].1 == Some((rule, instance)) && *to != run[at].0
        });
        let mut enabled = run[back..].iter().map(|(state, _)| table.changes(*state, rule, instance));
        let unfair = match fairness {
            Fairness::None => false,
            Fairness::Weak => enabled.all(|enabled| enabled),
            Fairness::Strong => enabled.any(|enabled| enabled),
        };
        if unfair && !taken {
            return Err(format!("the loop is not fair to instance {instance} of rule {rule}"));
        }
    }
    Ok(())
}
