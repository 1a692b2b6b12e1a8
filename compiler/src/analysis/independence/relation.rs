//! Which accesses of two rules get into each other's way, and for which of their instances.

use super::Family;
use super::footprint::{Access, Demand};
use super::formula::Formula;
use super::path::Condition;

/// Two accesses of which the order matters, where all the conditions hold.
#[derive(Clone, Debug)]
pub struct Conflict<'a> {
    pub left: &'a Access,
    pub right: &'a Access,
    pub when: Vec<Condition>,
}

/// For which instances of two rules some conflict may arise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// For none: all instances are independent, apart from each and itself.
    Independent,
    /// For all.
    Dependent,
    /// Where all conditions of one of the lists hold.
    When(Vec<Vec<Condition>>),
}

impl Relation {
    pub fn between(left: &Family, right: &Family, same: bool, demand: Demand) -> Self {
        let mut lists: Vec<Vec<Condition>> =
            conflicts(left, right, same, demand).map(|conflict| conflict.when).collect();
        lists.sort_by(|own, others| own.len().cmp(&others.len()).then_with(|| own.cmp(others)));
        lists.dedup();
        if lists.first().is_some_and(Vec::is_empty) {
            return Relation::Dependent;
        }
        // What asks for more than another one adds nothing.
        let mut kept: Vec<Vec<Condition>> = Vec::with_capacity(lists.len());
        for list in lists {
            if !kept.iter().any(|other| other.iter().all(|condition| list.contains(condition))) {
                kept.push(list);
            }
        }
        if kept.is_empty() { Relation::Independent } else { Relation::When(kept) }
    }

    /// For two different instances, by the values of their parameters.
    pub fn is_independent(&self, left: &[i64], right: &[i64]) -> bool {
        match self {
            Relation::Independent => true,
            Relation::Dependent => false,
            Relation::When(lists) => {
                !lists.iter().any(|list| list.iter().all(|condition| condition.holds(left, right)))
            }
        }
    }
}

/// All conflicts of two rules, or of different instances of one.
pub fn conflicts<'a>(
    left: &'a Family,
    right: &'a Family,
    same: bool,
    demand: Demand,
) -> impl Iterator<Item = Conflict<'a>> {
    let pairs = left
        .footprint
        .accesses
        .iter()
        .flat_map(move |own| right.footprint.accesses.iter().map(move |others| (own, others)));
    pairs.filter(move |(own, others)| own.kind.breaks(others.kind, demand)).filter_map(
        move |(own, others)| {
            let when = own.path.meeting(&others.path, &left.ranges, &right.ranges)?;
            let itself = same && left.is_same_instance(&when);
            (!itself).then_some(Conflict { left: own, right: others, when })
        },
    )
}

impl Family {
    /// Whether conditions on two instances of this rule are met by each and itself only.
    fn is_same_instance(&self, when: &[Condition]) -> bool {
        let says = |position: usize| {
            when.iter().any(|condition| match condition {
                Condition::Equal(left, right) => {
                    **left == Formula::Parameter(position) && **right == Formula::Parameter(position)
                }
                Condition::LeftWithin(..) | Condition::RightWithin(..) => false,
            })
        };
        let mut open = (0..self.ranges.len()).filter(|position| !self.is_single(*position));
        open.all(says)
    }

    fn is_single(&self, position: usize) -> bool {
        self.ranges.get(position).is_some_and(|range| range.low == range.high)
    }
}
