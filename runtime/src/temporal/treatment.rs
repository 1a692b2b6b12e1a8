//! Why a loop is fair to each rule that is to be treated fairly, as the report says it.

use super::graph::Graph;
use crate::contract::model::RuleId;
use crate::contract::problem::{Treated, Treatment};
use crate::contract::temporal::Fairness;

/// Why a loop is fair to each rule that is enabled in it. `None`: it is not.
pub(super) fn treated(
    graph: &Graph,
    fairness: &[Fairness],
    first: u32,
    rules: &[u32],
    stem: usize,
) -> Option<Vec<Treated>> {
    if fairness.is_empty() {
        return Some(Vec::new());
    }
    let mut states = vec![first];
    for &rule in rules {
        let from = *states.last()?;
        states.push(graph.edges(from).find(|edge| edge.rule == rule)?.to);
    }
    let enabled =
        |state: u32, rule: u32| graph.edges(state).any(|edge| edge.rule == rule && edge.to != state);
    let within = states.get(stem..)?;
    let mut asked: Vec<u32> = within
        .iter()
        .flat_map(|&state| graph.edges(state).filter(move |edge| edge.to != state).map(|edge| edge.rule))
        .filter(|&rule| fairness.get(rule as usize).is_some_and(|one| *one != Fairness::None))
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let mut treated = Vec::new();
    for rule in asked {
        let strong = fairness.get(rule as usize) == Some(&Fairness::Strong);
        let fires = (stem..rules.len()).find(|&at| rules[at] == rule && states[at] != states[at + 1]);
        let disabled = (stem..states.len()).find(|&at| !enabled(states[at], rule));
        let how = match (fires, disabled) {
            (Some(step), _) => Treatment::Fires(step),
            (None, Some(at)) if !strong => Treatment::Disabled(at),
            (None, _) => return None,
        };
        treated.push(Treated { rule: RuleId(rule), strong, how });
    }
    Some(treated)
}
