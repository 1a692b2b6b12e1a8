//! Rules that ask the same of their parameters: `pc[i] = ready`, `pc[i] = waiting`, …, or
//! `net[i][j].count > 0` and then what kind of message it is.
//!
//! Such rules are not tried for every `i`, or every pair of `i` and `j`. The places are read once
//! for each state, and each rule gets the instances that hold what it asks for. Those whose place
//! is undefined it gets too: trying them is what finds the error.
//!
//! # What has to be proved
//! An instance that is not tried would have been disabled, without an error and without being seen:
//!
//! - Whatever is bound before the guard cannot fail or be seen, in no scope, whether it stands
//!   outside of all parameters, between them or inside ([`Failure::scope`]; a rule under `choose`
//!   or with a guard that writes, counts or prints is never selected).
//! - The question is the first conjunct of the guard, or the second where the first is the gate
//!   that its group shares. Nothing else is evaluated before it.
//! - Following the path to the place of the question cannot fail ([`Failure::place`]), and the
//!   place is a place of the state that no parameter behind the selected ones changes ([`key`]).
//! - The place is defined, and its value is not what is asked for; or the gate's place is defined,
//!   and the comparison false.
//!
//! An instance that is tried evaluates its whole guard, so trying too many is never wrong.
//! Instances are tried in the order of their numbers, and rules in the order of the text: the first
//! error is the one that trying all of them would find first.

use std::collections::BTreeMap;

use super::failure::Failure;
use super::parameters::ParameterValues;
use super::plan::RulePlan;
use crate::semantics::model::{
    AliasValue, CompareOperator, Expression, ExpressionKind, Model, Place, Root, Scope, Step,
};

/// Rules of a group, at least: fewer are tried as fast as their places are read.
const LEAST_RULES: usize = 4;
/// Instances of the parameters that the question depends on, at most: a bit for each.
const MOST_INSTANCES: u32 = 64;
/// Values that rules may ask for, from the smallest to the largest.
const MOST_VALUES: i64 = 64;

/// How the instances of a rule are selected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Selected {
    /// The number of parameters by which they are selected, the outermost ones.
    pub depth: usize,
    /// The gate that must be open.
    pub gate: Option<usize>,
    /// The group, and the value that a place of it has to hold.
    pub value: Option<(usize, i64)>,
}

/// Rules that ask for values of the same places.
#[derive(Debug)]
pub(crate) struct Group {
    pub question: Question,
    /// The smallest value that one of them asks for, and the number of values from it on.
    pub low: i64,
    pub values: usize,
}

/// Which rules are tried only where places hold what they ask for.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// What many rules compare in the same way.
    pub gates: Vec<Question>,
    pub groups: Vec<Group>,
    by_rule: BTreeMap<usize, Selected>,
}

/// What a guard asks: how a place compares with a constant. There is nothing that could go wrong
/// before the place is read.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub rule: usize,
    /// The outermost parameters, on which the place depends.
    pub parameters: Vec<ParameterValues>,
    pub place: Place,
    pub operator: CompareOperator,
    pub value: i64,
    /// Equal for equal places of equal instances.
    key: String,
}

impl Selection {
    pub(super) fn new(model: &Model, plans: &[RulePlan<'_>]) -> Self {
        let mut selection = Selection::default();
        let rules = plans.iter().enumerate();
        let rules: Vec<Vec<Question>> = rules.map(|(index, plan)| questions(model, index, plan)).collect();
        // The first question is a comparison shared by several rules, …
        let mut gates: BTreeMap<String, Vec<&Question>> = BTreeMap::new();
        for first in rules.iter().filter_map(|asked| asked.first()).filter(|asked| !asked.is_for_value()) {
            let key = format!("{} {:?} {}", first.key, first.operator, first.value);
            gates.entry(key).or_default().push(first);
        }
        for asked in gates.into_values().filter(|asked| asked.len() >= LEAST_RULES) {
            let gate = Some(selection.gates.len());
            selection.gates.push(asked[0].clone());
            for Question { rule, parameters, .. } in asked {
                selection.by_rule.insert(*rule, Selected { depth: parameters.len(), gate, value: None });
            }
        }
        // … and then, or at once, for a value.
        let mut values: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
        for (index, asked) in rules.iter().enumerate() {
            let next = usize::from(selection.by_rule.contains_key(&index));
            if let Some(asked) = asked.get(next).filter(|asked| asked.is_for_value()) {
                values.entry(&asked.key).or_default().push(asked);
            }
        }
        for asked in values.into_values().filter(|asked| asked.len() >= LEAST_RULES) {
            let values = asked.iter().map(|asked| asked.value);
            let (Some(low), Some(high)) = (values.clone().min(), values.max()) else { continue };
            let Some(span) = high.checked_sub(low).filter(|&span| span < MOST_VALUES) else { continue };
            let group = selection.groups.len();
            selection.groups.push(Group { question: asked[0].clone(), low, values: span as usize + 1 });
            for Question { rule, parameters, value, .. } in asked {
                let selected = selection.by_rule.entry(*rule).or_default();
                (selected.depth, selected.value) = (parameters.len(), Some((group, *value)));
            }
        }
        selection
    }

    pub fn rule(&self, index: usize) -> Option<Selected> {
        self.by_rule.get(&index).copied()
    }
}

impl Question {
    fn is_for_value(&self) -> bool {
        matches!(self.operator, CompareOperator::Equal)
    }
}

/// A comparison of a place with a constant.
fn comparison(condition: &Expression) -> Option<(&Place, CompareOperator, i64)> {
    let ExpressionKind::Compare { operator, left, right } = &condition.kind else { return None };
    match (&left.kind, &right.kind) {
        (ExpressionKind::Read(place), &ExpressionKind::Constant(value)) => Some((place, *operator, value)),
        (&ExpressionKind::Constant(value), ExpressionKind::Read(place)) => {
            let turned = match operator {
                CompareOperator::Equal | CompareOperator::NotEqual => *operator,
                CompareOperator::Less => CompareOperator::Greater,
                CompareOperator::LessOrEqual => CompareOperator::GreaterOrEqual,
                CompareOperator::Greater => CompareOperator::Less,
                CompareOperator::GreaterOrEqual => CompareOperator::LessOrEqual,
            };
            Some((place, turned, value))
        }
        _ => None,
    }
}

/// The place behind aliases: from a global variable on.
fn behind_aliases(place: &Place, scopes: &[Scope]) -> Option<Place> {
    match &place.root {
        Root::Global(_) => Some(place.clone()),
        Root::Temporary(_) => None,
        Root::Local(local) => {
            let at = scopes
                .iter()
                .position(|scope| matches!(scope, Scope::Alias(binding) if binding.local == *local))?;
            let Scope::Alias(binding) = &scopes[at] else { return None };
            let AliasValue::Place(other) = &binding.value else { return None };
            // An alias is known only in the scopes behind it.
            let mut behind = behind_aliases(other, &scopes[..at])?;
            behind.steps.extend(place.steps.iter().cloned());
            (behind.ty, behind.span) = (place.ty, place.span);
            Some(behind)
        }
    }
}

/// A text that is equal for equal places: a global variable, fields, constant indices, and
/// parameters as indices.
fn key(model: &Model, place: &Place, parameters: &[ParameterValues]) -> Option<String> {
    use std::fmt::Write;
    let Root::Global(global) = &place.root else { return None };
    let mut key = format!("{}", global.index());
    let mut depends = false;
    for step in &place.steps {
        let written = match step {
            Step::Field(field) => write!(key, ".{field}"),
            Step::Index(index) => match index.kind {
                ExpressionKind::Value(local) => {
                    depends = true;
                    let number = parameters.iter().position(|parameter| parameter.local == local)?;
                    write!(key, "[#{number}]")
                }
                ExpressionKind::Constant(value) => write!(key, "[{value}]"),
                _ => return None,
            },
            Step::Slot(_) => return None,
        };
        written.ok()?;
    }
    for ParameterValues { first, count, .. } in parameters {
        write!(key, " {first} {count}").ok()?;
    }
    write!(key, " {}", model.globals[global.index()].ty.index()).ok()?;
    depends.then_some(key)
}

/// What the guard of a rule asks first, once all parameters are known that any of it depends on,
/// and then: as far as these are comparisons of places of which nothing else is known to be wrong.
fn questions(model: &Model, index: usize, plan: &RulePlan<'_>) -> Vec<Question> {
    if plan.is_whole {
        return Vec::new();
    }
    let rule = &model.rules[index];
    // If that is nothing about a parameter, it is evaluated once, and an error in it is found
    // whatever the parameters say.
    let first = plan.levels.iter().enumerate().find(|(_, level)| !level.conjuncts.is_empty());
    let Some((depth, level)) = first.filter(|(depth, _)| *depth > 0) else { return Vec::new() };
    let mut known = plan.parameters.clone();
    known.truncate(depth);
    let mut instances = Some(1u32);
    for parameter in &known {
        instances = instances.and_then(|instances| instances.checked_mul(parameter.count));
    }
    let few = instances.is_some_and(|instances| (1..=MOST_INSTANCES).contains(&instances));
    if !few || known.iter().any(|parameter| parameter.step != 1) {
        return Vec::new();
    }
    // Whatever is bound before the guard is evaluated is bound without an error, also where the
    // rule is not tried.
    let failure = Failure::new(model, &rule.frame, &plan.facts.intervals);
    if rule.scopes.iter().any(|scope| failure.scope(scope)) {
        return Vec::new();
    }
    let asked = level.conjuncts.iter().map_while(|condition| {
        let (place, operator, value) = comparison(condition)?;
        let place = behind_aliases(place, &rule.scopes)?;
        let key = key(model, &place, &known)?;
        let is_simple = model.is_simple(place.ty);
        let parameters = known.clone();
        (is_simple && !failure.place(&place)).then_some(Question {
            rule: index,
            parameters,
            place,
            operator,
            value,
            key,
        })
    });
    asked.take(2).collect()
}
