//! Rules that ask the same of their first parameter: `pc[i] = ready`, `pc[i] = waiting`, …
//!
//! Such rules are not tried for every `i`. The places `pc[i]` are read once for each state, and each rule gets the
//! instances that hold what it asks for. Those whose place is undefined it gets too: trying them is what finds the error.

use super::body::{Body, Returns};
use super::rules::{ParameterValues, parameters, values_of};
use super::shared::{Shared, typed_number};
use crate::analysis::guards;
use crate::layout::Shape;
use crate::semantics::model::{CompareOperator, ExpressionKind, Model, Place, Root, Rule, Scope, Step};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;

/// Rules of a group, at least: fewer are tried as fast as their places are read.
const LEAST_RULES: usize = 6;
/// Instances of the first parameter, at most: a bit for each.
const MOST_INSTANCES: u32 = 64;
/// Values that rules may ask for, from the smallest to the largest.
const MOST_VALUES: i64 = 64;

/// What a rule asks for: the value that a place of its group has to hold.
#[derive(Clone, Copy, Debug)]
pub struct Selected {
    pub group: usize,
    value: i64,
}

/// Rules that ask for values of the same places.
#[derive(Debug)]
struct Group {
    /// A rule of the group, for the path to the places.
    rule: usize,
    low: i64,
    values: usize,
}

/// Which rules are tried only where a place holds what they ask for.
#[derive(Debug, Default)]
pub struct Selection {
    groups: Vec<Group>,
    by_rule: BTreeMap<usize, Selected>,
}

impl Selection {
    pub fn of(shared: &Shared) -> Self {
        let mut asked: BTreeMap<String, Vec<(usize, i64)>> = BTreeMap::new();
        for (index, rule) in shared.model.rules.iter().enumerate() {
            if let Some((place, parameter, value)) = question(rule)
                && let Some(key) = key(shared.model, place, &parameter)
                && shared.place_of(rule, place, &parameter).is_some()
            {
                asked.entry(key).or_default().push((index, value));
            }
        }
        let mut selection = Selection::default();
        for rules in asked.into_values().filter(|rules| rules.len() >= LEAST_RULES) {
            let values = rules.iter().map(|&(_, value)| value);
            let (Some(low), Some(high)) = (values.clone().min(), values.max()) else { continue };
            let Some(span) = high.checked_sub(low).filter(|&span| span < MOST_VALUES) else { continue };
            let group = selection.groups.len();
            selection.groups.push(Group { rule: rules[0].0, low, values: span as usize + 1 });
            selection.by_rule.extend(rules.iter().map(|&(rule, value)| (rule, Selected { group, value })));
        }
        selection
    }

    pub fn rule(&self, index: usize) -> Option<Selected> {
        self.by_rule.get(&index).copied()
    }
}

/// The place that a rule's guard asks first, once the first parameter is known, and the value that it must hold.
fn question(rule: &Rule) -> Option<(&Place, ParameterValues, i64)> {
    if guards::needs_whole(rule) || rule.scopes.iter().any(|scope| !matches!(scope, Scope::Parameter(_))) {
        return None;
    }
    let parameter = parameters(&rule.scopes).into_iter().next()?;
    let first = *guards::levels(rule).get(1)?.conjuncts.first()?;
    let ExpressionKind::Compare { operator: CompareOperator::Equal, left, right } = &first.kind else {
        return None;
    };
    let (place, value) = match (&left.kind, &right.kind) {
        (ExpressionKind::Read(place), &ExpressionKind::Constant(value)) => (place, value),
        (&ExpressionKind::Constant(value), ExpressionKind::Read(place)) => (place, value),
        _ => return None,
    };
    let few = (1..=MOST_INSTANCES).contains(&parameter.count) && parameter.step == 1;
    few.then_some((place, parameter, value))
}

/// The same for the same places: a global variable, fields, constant indices, and the parameter as an index.
fn key(model: &Model, place: &Place, parameter: &ParameterValues) -> Option<String> {
    use std::fmt::Write;
    let Root::Global(global) = &place.root else { return None };
    let mut key = format!("{}", global.index());
    let mut depends = false;
    for step in &place.steps {
        let written = match step {
            Step::Field(field) => write!(key, ".{field}"),
            Step::Index(index) => match index.kind {
                ExpressionKind::Value(local) if local == parameter.local => {
                    depends = true;
                    write!(key, "[]")
                }
                ExpressionKind::Constant(value) => write!(key, "[{value}]"),
                _ => return None,
            },
            Step::Slot(_) => return None,
        };
        written.ok()?;
    }
    let ParameterValues { first, step, count, .. } = parameter;
    write!(key, " {first} {step} {count} {}", model.globals[global.index()].ty.index()).ok()?;
    depends.then_some(key)
}

impl Shared<'_> {
    /// The path to a place of the rule and its parameter's name, if nothing can go wrong on that path.
    fn place_of(
        &self,
        rule: &Rule,
        place: &Place,
        parameter: &ParameterValues,
    ) -> Option<(Ident, TokenStream)> {
        let body = Body::new(self, &rule.frame, Returns::Nothing);
        body.signature(std::slice::from_ref(parameter));
        let simple = matches!(self.layout.ty(place.ty).shape, Shape::Simple { .. });
        if !simple || !body.is_safe(place) {
            return None;
        }
        Some((body.name(parameter.local).clone(), body.place(place).tokens))
    }

    /// Reads the places of all groups.
    pub fn holders(&self, selection: &Selection) -> TokenStream {
        let each = selection.groups.iter().enumerate().filter_map(|(group, Group { rule, low, values })| {
            let rule = &self.model.rules[*rule];
            let (place, parameter, _) = question(rule)?;
            let (name, place) = self.place_of(rule, place, &parameter)?;
            let (holders, range) = (holders_name(group), values_of(&parameter));
            let (low, values) = (typed_number(*low), Literal::usize_unsuffixed(*values));
            Some(quote! {
                let mut #holders = Holders::<{ #low }, #values>::default();
                for (instance, #name) in (#range).enumerate() {
                    #holders.add(instance, #place.value());
                }
            })
        });
        quote!(#(#each)*)
    }

    /// The call of a rule's part of `expand`.
    pub fn expand_call(&self, selection: &Selection, index: usize) -> TokenStream {
        let expand = super::rules::expand_name(index);
        match selection.rule(index) {
            None => quote!(#expand(context, state, successors);),
            Some(Selected { group, value }) => {
                let (holders, value) = (holders_name(group), typed_number(value));
                quote! {
                    if let Some(selected) = #holders.of(#value) {
                        #expand(context, state, successors, selected);
                    }
                }
            }
        }
    }
}

fn holders_name(group: usize) -> Ident {
    format_ident!("holders_{group}")
}
