//! States, steps and rules as the page gets them. All of it is text; nothing is markup.

use std::collections::BTreeMap;

use mcc_runtime::contract::deadlock::judged;
use mcc_runtime::contract::explanation::Reason;
use mcc_runtime::contract::problem::Problem;
use mcc_runtime::contract::values::{instance, variables};
use mcc_runtime::model::{Description, Family, Model as _, RuleId};
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::interpret::value_tree::ValueTree;
use crate::walk::{Effect, Move, Walker, is_stuck};

/// Simple values that are sent of one state.
const MOST_VALUES: usize = 20_000;

/// Changes that are sent of one step.
const MOST_CHANGES: usize = 60;

/// A text that stands for a value in a list of changes is cut here.
const LONGEST_TEXT: usize = 200;

/// A rule or start state with its parameters.
#[derive(Clone, Debug, Serialize)]
pub struct Name {
    pub number: u32,
    pub rule: String,
    pub line: u32,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    pub name: String,
    pub value: String,
    /// Of a `choose`: what is in the slot.
    pub element: Option<String>,
}

/// What is wrong, and where in the model.
#[derive(Clone, Debug, Serialize)]
pub struct Wrong {
    pub kind: String,
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// Which part of a condition decides, line by line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}

/// A value that is not what it was. Without an old one it was added to a multiset, without a new
/// one removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub path: String,
    pub old: Option<String>,
    pub new: Option<String>,
}

/// Some changes, and how many more there are.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Changes {
    pub changes: Vec<Change>,
    pub changes_left_out: usize,
}

/// A rule that can be chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    #[serde(flatten)]
    pub name: Name,
    /// `to`, `same`, `excluded` or `fault`.
    pub effect: &'static str,
    #[serde(flatten)]
    pub changes: Changes,
    /// What is wrong with the rule, or with the state that it leads to.
    pub wrong: Option<Wrong>,
}

pub fn wrong(description: &Description, problem: &Problem) -> Wrong {
    let position = problem.position(description);
    Wrong {
        kind: problem.kind(description).to_owned(),
        message: problem.message(description),
        line: position.map(|position| position.line),
        column: position.map(|position| position.column),
        why: Vec::new(),
    }
}

/// The part of a condition that decides.
fn why(walker: &Walker, problem: &Problem, state: &[u64]) -> Vec<String> {
    let Problem::Violated { property } = *problem else { return Vec::new() };
    let reasons = walker.model.explain(&walker.context, property, &mut state.to_vec());
    let line = |Reason { depth, text, value }: &Reason| {
        format!("{}{text}   {value}", "  ".repeat(*depth)).trim_end().to_owned()
    };
    reasons.iter().map(line).collect()
}

/// A start state by its number.
pub fn start_name(walker: &Walker, number: u32) -> Name {
    name(walker.description().starts, number, &[])
}

/// A rule that fires in a state.
pub fn rule_name(walker: &Walker, number: u32, state: &[u64]) -> Name {
    let chosen = walker.model.chosen(&walker.context, RuleId(number), state);
    name(walker.description().rules, number, &chosen)
}

fn name(families: &'static [Family], number: u32, chosen: &[Option<ValueTree>]) -> Name {
    let Some(found) = instance(families, number) else {
        return Name { number, rule: format!("rule {number}"), line: 0, parameters: Vec::new() };
    };
    let parameters = found.arguments.iter().enumerate().map(|(at, argument)| Parameter {
        name: argument.parameter.name.to_owned(),
        value: argument.label().into_owned(),
        element: chosen.get(at).and_then(Option::as_ref).map(|element| cut(element.to_string())),
    });
    Name {
        number,
        rule: found.family.name.to_owned(),
        line: found.family.position.line,
        parameters: parameters.collect(),
    }
}

/// The variables of a state.
pub fn values(description: &Description, state: &[u64]) -> Vec<(String, ValueTree)> {
    variables(description, state).iter().map(|(name, value)| ((*name).to_owned(), value.into())).collect()
}

/// A value with its parts: `{"k": kind, "v": text}`, or `{"k": kind, "p": [[key, value] …]}`. What
/// is beyond the budget is `{"k": "cut", "v": number of parts}`.
pub fn tree(value: &ValueTree, budget: &mut usize) -> Json {
    let leaf = |kind: &str, text: String| json!({ "k": kind, "v": text });
    if value.is_simple() {
        *budget = budget.saturating_sub(1);
    }
    let mut parts = |kind: &str, parts: Vec<(String, &ValueTree)>| {
        if *budget == 0 {
            return leaf("cut", parts.len().to_string());
        }
        let parts: Vec<Json> = parts.iter().map(|(key, part)| json!([key, tree(part, budget)])).collect();
        json!({ "k": kind, "p": parts })
    };
    match value {
        ValueTree::Undefined => leaf("undefined", "undefined".to_owned()),
        ValueTree::Number(number) => leaf("number", number.to_string()),
        ValueTree::Boolean(value) => leaf("boolean", value.to_string()),
        ValueTree::Name(name) => leaf("name", name.clone()),
        ValueTree::Array(all) => parts("array", all.iter().map(|(key, part)| (key.clone(), part)).collect()),
        ValueTree::Record(all) => {
            parts("record", all.iter().map(|(key, part)| (key.clone(), part)).collect())
        }
        ValueTree::Bag(all) => parts("bag", all.iter().map(|(at, part)| (at.to_string(), part)).collect()),
    }
}

/// A state as a list of variables.
pub fn state(description: &Description, state: &[u64]) -> Json {
    let mut budget = MOST_VALUES;
    let all = values(description, state);
    all.iter().map(|(name, value)| json!([name, tree(value, &mut budget)])).collect()
}

/// What differs between two states. Multisets are compared as such: what was put in and taken out,
/// whichever slot it is in.
pub fn changes(description: &Description, before: &[u64], after: &[u64]) -> Changes {
    if before == after {
        return Changes::default();
    }
    let mut found = Vec::new();
    let (old, new) = (values(description, before), values(description, after));
    for ((name, old), (_, new)) in old.iter().zip(&new) {
        compare(name, old, new, &mut found);
    }
    let changes_left_out = found.len().saturating_sub(MOST_CHANGES);
    found.truncate(MOST_CHANGES);
    Changes { changes: found, changes_left_out }
}

fn compare(path: &str, old: &ValueTree, new: &ValueTree, found: &mut Vec<Change>) {
    if old == new {
        return;
    }
    match (old, new) {
        (ValueTree::Array(old), ValueTree::Array(new)) => {
            for ((key, old), (_, new)) in old.iter().zip(new) {
                compare(&format!("{path}[{key}]"), old, new, found);
            }
        }
        (ValueTree::Record(old), ValueTree::Record(new)) => {
            for ((key, old), (_, new)) in old.iter().zip(new) {
                compare(&format!("{path}.{key}"), old, new, found);
            }
        }
        (ValueTree::Bag(old), ValueTree::Bag(new)) => {
            let mut balance: BTreeMap<&ValueTree, i64> = BTreeMap::new();
            old.iter().for_each(|(_, part)| *balance.entry(part).or_default() -= 1);
            new.iter().for_each(|(_, part)| *balance.entry(part).or_default() += 1);
            for (part, count) in balance {
                let text = || Some(cut(part.to_string()));
                for _ in 0..count.unsigned_abs() {
                    let (old, new) = if count < 0 { (text(), None) } else { (None, text()) };
                    found.push(Change { path: path.to_owned(), old, new });
                }
            }
        }
        _ => {
            let (old, new) = (Some(cut(old.to_string())), Some(cut(new.to_string())));
            found.push(Change { path: path.to_owned(), old, new });
        }
    }
}

/// A rule that is enabled in a state, and what it would do.
pub fn choice(walker: &Walker, before: &[u64], found: &Move) -> Choice {
    let description = walker.description();
    let name = rule_name(walker, found.number, before);
    let (effect, changes, problem) = match &found.effect {
        Effect::To(next) if next == before => ("same", Changes::default(), None),
        Effect::To(next) => ("to", changes(description, before, next), walker.violation(next)),
        Effect::Excluded => ("excluded", Changes::default(), None),
        Effect::Fault(problem) => ("fault", Changes::default(), Some(*problem)),
    };
    Choice { name, effect, changes, wrong: problem.map(|problem| wrong(description, &problem)) }
}

/// Everything that is wrong in a state.
pub fn problems(walker: &Walker, state: &[u64], moves: &[Move]) -> Vec<Wrong> {
    let description = walker.description();
    let mut found = walker.violations(state);
    if walker.settings.deadlock && is_stuck(state, moves) {
        found.extend(judged(walker.model, &walker.context, &mut state.to_vec(), Problem::Deadlock));
    }
    let explained = |problem| Wrong { why: why(walker, problem, state), ..wrong(description, problem) };
    found.iter().map(explained).collect()
}

/// A text that is not too long.
pub fn cut(text: String) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
