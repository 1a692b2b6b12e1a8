//! Which instances of rules are independent: in every state neither enables or disables the other,
//! nor changes whether or how the other fails, and firing both leads to the same state in either
//! order.
//!
//! It rests on what rules may read and write, and is on the safe side: what is not shown to be
//! independent is dependent. Two instances are independent if neither writes what the other reads,
//! and they write to different places, or the same constant. Then whatever one does (stay disabled,
//! fire, fail, be taken back by an `assume`) it does after the other as well. Places are
//! distinguished by fields and by indices that follow from the parameters, so the relation of two
//! rules is a condition on their parameters, which is decided for each pair of instances.
//!
//! - [`formula`], [`range`], [`path`]: indices, and when two places meet
//! - [`walker`], `visits`, `calls`, `symbolic`, `single`: what a rule does
//! - [`footprint`]: the list of that
//! - [`relation`]: two of these lists against each other
//! - [`tabulate`]: what of it the engines get
//! - [`describe`], [`report`]: places and conditions in words, and what couples two rules

mod calls;
pub mod describe;
pub mod footprint;
pub mod formula;
pub mod path;
pub mod range;
pub mod relation;
pub mod report;
mod single;
mod symbolic;
pub mod tabulate;
mod visits;
mod walker;

use crate::analysis::reach::Reach;
use crate::semantics::model::{Model, PropertyKind, Rule, Scope};
use footprint::{Demand, Footprint, Origin};
use range::Range;
use relation::Relation;
use walker::AccessWalker;

/// Rules of a model, instances not counted, of which all pairs are put into a table for the
/// engines. The table grows with the square of their number; without it, everything works but sleep
/// sets.
const MOST_RULES: usize = 1_000;

/// A rule, seen from the state.
#[derive(Clone, Debug)]
pub struct Family {
    pub footprint: Footprint,
    /// What its parameters run through.
    pub ranges: Vec<Range>,
}

/// The independence of all instances of a model's rules.
#[derive(Clone, Debug)]
pub struct Independence {
    pub families: Vec<Family>,
    /// Of each rule with itself and those after it.
    relations: Vec<Vec<Relation>>,
}

impl Independence {
    /// Whether engines get the table of all pairs of rules.
    pub fn is_tabulated(model: &Model) -> bool {
        model.rules.len() <= MOST_RULES
    }

    pub(super) fn new(model: &Model, reach: &Reach, accesses: &Accesses, demand: Demand) -> Self {
        let families = families(model, reach, accesses);
        let relations = families
            .iter()
            .enumerate()
            .map(|(at, left)| {
                let others = families.iter().enumerate().skip(at);
                others.map(|(other, right)| Relation::between(left, right, at == other, demand)).collect()
            })
            .collect();
        Independence { families, relations }
    }

    /// Of two rules, the first in the text first.
    pub fn relation(&self, left: usize, right: usize) -> &Relation {
        let row = self.relations.get(left).map(Vec::as_slice).unwrap_or_default();
        right.checked_sub(left).and_then(|at| row.get(at)).unwrap_or(&Relation::Dependent)
    }

    /// Whether two instances are independent, each given by its rule and the values of its
    /// parameters. None is independent of itself.
    pub fn is_independent(&self, one: (usize, &[i64]), other: (usize, &[i64])) -> bool {
        let (left, right) = if one.0 <= other.0 { (one, other) } else { (other, one) };
        left != right && self.relation(left.0, right.0).is_independent(left.1, right.1)
    }
}

/// What rules and properties do by themselves: without what assumptions and priorities ask for
/// them.
#[derive(Clone, Debug)]
pub struct Accesses {
    pub rules: Vec<Family>,
    /// What the guard of each rule reads, and what stands around it.
    pub guards: Vec<Footprint>,
    pub properties: Vec<Footprint>,
}

impl Accesses {
    pub(super) fn new(model: &Model, reach: &Reach) -> Self {
        let rules = model.rules.iter();
        let family =
            |rule| Family { footprint: AccessWalker::rule(model, reach, rule), ranges: ranges(rule) };
        let properties = model.properties.iter();
        Accesses {
            rules: rules.clone().map(family).collect(),
            guards: rules.map(|rule| AccessWalker::guard(model, reach, rule)).collect(),
            properties: properties.map(|property| AccessWalker::property(model, reach, property)).collect(),
        }
    }
}

/// Which rules may change the value of a condition in a temporal formula.
pub struct Disturbing<'a> {
    rules: &'a [Family],
    atoms: Vec<Footprint>,
}

impl<'a> Disturbing<'a> {
    pub(super) fn new(model: &Model, reach: &Reach, accesses: &'a Accesses) -> Self {
        Disturbing { rules: &accesses.rules, atoms: atom_footprints(model, reach) }
    }

    /// Whether a rule may change the value of one of these conditions, for some parameters of them.
    pub fn is_disturbed(&self, rule: usize, atoms: &[usize]) -> bool {
        let Some(rule) = self.rules.get(rule) else { return true };
        let disturbs = |atom: &usize| {
            self.atoms.get(*atom).is_none_or(|reads| rule.footprint.disturbs(&rule.ranges, reads))
        };
        atoms.iter().any(disturbs)
    }
}

/// What each condition in a formula about runs reads.
pub(super) fn atom_footprints(model: &Model, reach: &Reach) -> Vec<Footprint> {
    model.atoms.iter().map(|atom| AccessWalker::property(model, reach, atom)).collect()
}

/// What rules do, and what assumptions and priorities ask for them.
fn families(model: &Model, reach: &Reach, accesses: &Accesses) -> Vec<Family> {
    let properties = model.properties.iter().zip(&accesses.properties);
    let assumptions: Vec<&Footprint> = properties
        .filter(|(property, _)| property.kind == PropertyKind::Assume)
        .map(|(_, footprint)| footprint)
        .collect();
    let several =
        model.rules.iter().any(|rule| Some(rule.priority) != model.rules.first().map(|first| first.priority));
    let enabling = |rule| AccessWalker::enabling(model, reach, rule);
    let guards: Vec<Footprint> =
        if several { model.rules.iter().map(enabling).collect() } else { Vec::new() };
    let mut families = Vec::with_capacity(model.rules.len());
    for (rule, own) in model.rules.iter().zip(&accesses.rules) {
        let mut family = own.clone();
        // Where the rule changes nothing that an assumption asks about, it holds after as before.
        let disturbed = assumptions.iter().filter(|reads| own.footprint.disturbs(&own.ranges, reads));
        disturbed.for_each(|assumption| family.footprint.take_reads(assumption, Origin::Assumption));
        let first = model.rules.iter().zip(&guards).filter(|(other, _)| other.priority < rule.priority);
        first.for_each(|(_, guard)| family.footprint.take_reads(guard, Origin::Priority));
        families.push(family);
    }
    families
}

fn ranges(rule: &Rule) -> Vec<Range> {
    let range = |scope: &Scope| match scope {
        Scope::Parameter(binder) => Some(Range::of(&binder.domain)),
        Scope::Choose { capacity, .. } => Some(Range { low: 0, high: i64::from(*capacity) - 1 }),
        Scope::Alias(_) => None,
    };
    rule.scopes.iter().filter_map(range).collect()
}
