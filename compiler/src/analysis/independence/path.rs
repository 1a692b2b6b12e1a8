//! Which storage of a state an access goes to, seen from the parameters of its rule.

use std::sync::Arc;

use super::formula::Formula;
use super::range::Range;
use crate::semantics::model::{GlobalId, TypeId};

/// The index of an element.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Index {
    /// A number for each instance of the rule.
    Known(Arc<Formula>),
    /// Some element, or several of them, depending on the state.
    Within(Range),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateStep {
    Field(u32),
    /// With the type of the array's indices, by which they are shown.
    Element(Index, Option<TypeId>),
}

/// A place in the state with its aliases and parameters resolved. A multiset has no parts here:
/// whatever happens to one of its elements may move all others to different slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatePath {
    pub root: GlobalId,
    pub steps: Vec<StateStep>,
}

/// What must hold of the parameters of two instances for two of their paths to meet.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Condition {
    /// The left formula has the value of the right one.
    Equal(Arc<Formula>, Arc<Formula>),
    LeftWithin(Arc<Formula>, Range),
    RightWithin(Arc<Formula>, Range),
}

impl StatePath {
    pub fn whole(root: GlobalId) -> Self {
        StatePath { root, steps: Vec::new() }
    }

    /// Whether it leads to one place for each instance, whatever the state.
    pub fn is_fixed(&self) -> bool {
        self.steps.iter().all(|step| match step {
            StateStep::Field(_) | StateStep::Element(Index::Known(_), _) => true,
            StateStep::Element(Index::Within(_), _) => false,
        })
    }

    /// Whether the other one leads to the same place or into it; for paths that are fixed.
    pub fn begins(&self, other: &StatePath) -> bool {
        self.root == other.root && other.steps.starts_with(&self.steps)
    }

    /// When the two paths lead to the same storage, or one into the other: all of these conditions
    /// hold. `None` where they never do. `left` and `right` are what the parameters of each side
    /// run through.
    pub fn meeting(&self, other: &StatePath, left: &[Range], right: &[Range]) -> Option<Vec<Condition>> {
        if self.root != other.root {
            return None;
        }
        let mut conditions = Vec::new();
        for steps in self.steps.iter().zip(&other.steps) {
            match steps {
                (StateStep::Field(own), StateStep::Field(others)) if own != others => return None,
                (StateStep::Element(own, _), StateStep::Element(others, _)) => {
                    if !own.range(left).meets(others.range(right)) {
                        return None;
                    }
                    conditions.extend(own.equals(others, left, right));
                }
                // The types of both sides are the same, so no field meets an element.
                (StateStep::Field(_), _) | (StateStep::Element(..), StateStep::Field(_)) => {}
            }
        }
        conditions.sort();
        conditions.dedup();
        Some(conditions)
    }
}

impl Index {
    fn range(&self, parameters: &[Range]) -> Range {
        match self {
            Index::Known(formula) => formula.range(parameters),
            Index::Within(range) => *range,
        }
    }

    /// When two indices whose ranges meet are equal; `None`: they may always be.
    fn equals(&self, other: &Index, left: &[Range], right: &[Range]) -> Option<Condition> {
        match (self, other) {
            (Index::Known(own), Index::Known(others)) => {
                let constants = matches!((own.as_ref(), others.as_ref()), (Formula::Constant(own), Formula::Constant(others)) if own == others);
                (!constants).then(|| Condition::Equal(own.clone(), others.clone()))
            }
            (Index::Known(own), Index::Within(range)) => {
                (!range.covers(own.range(left))).then(|| Condition::LeftWithin(own.clone(), *range))
            }
            (Index::Within(range), Index::Known(others)) => {
                (!range.covers(others.range(right))).then(|| Condition::RightWithin(others.clone(), *range))
            }
            (Index::Within(_), Index::Within(_)) => None,
        }
    }
}

impl Condition {
    /// Whether it may hold for two instances. An index that cannot be computed stops its rule;
    /// nothing rests on that here, so it is taken to be any.
    pub fn holds(&self, left: &[i64], right: &[i64]) -> bool {
        match self {
            Condition::Equal(own, others) => match (own.value(left), others.value(right)) {
                (Some(own), Some(others)) => own == others,
                (_, _) => true,
            },
            Condition::LeftWithin(own, range) => own.value(left).is_none_or(|value| range.contains(value)),
            Condition::RightWithin(others, range) => {
                others.value(right).is_none_or(|value| range.contains(value))
            }
        }
    }
}
