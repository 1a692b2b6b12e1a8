//! The table of independent rules for the engines, made when one of them asks. It lives as long as
//! the program.

use super::description::{leak, leak_all};
use crate::analysis::independence::formula::{Arithmetic, Comparison, Formula};
use crate::analysis::independence::path::Condition;
use crate::analysis::independence::relation::Relation;
use crate::analysis::independence::tabulate::Table;
use mcc_runtime::independence as contract;

pub fn leak_table(table: Table) -> &'static contract::Independence {
    leak(contract::Independence {
        relations: leak_all(table.relations.iter().map(relation)),
        rows: leak_all(table.rows.into_iter().map(leak_all)),
    })
}

fn relation(relation: &Relation) -> contract::Relation {
    match relation {
        Relation::Independent => contract::Relation::Independent,
        Relation::Dependent => contract::Relation::Dependent,
        Relation::When(lists) => {
            let lists = lists.iter().map(|list| leak_all(list.iter().map(condition)));
            contract::Relation::Unless(leak_all(lists))
        }
    }
}

fn condition(condition: &Condition) -> contract::Condition {
    match condition {
        Condition::Equal(left, right) => contract::Condition::Equal(formula(left), formula(right)),
        Condition::LeftWithin(value, range) => {
            contract::Condition::LeftWithin(formula(value), range.low, range.high)
        }
        Condition::RightWithin(value, range) => {
            contract::Condition::RightWithin(formula(value), range.low, range.high)
        }
    }
}

fn formula(value: &Formula) -> contract::Formula {
    let kept = |value: &Formula| leak(formula(value));
    match value {
        Formula::Constant(constant) => contract::Formula::Constant(*constant),
        Formula::Parameter(position) => contract::Formula::Parameter(*position),
        Formula::Arithmetic(operator, left, right) => {
            let (left, right) = (kept(left), kept(right));
            match operator {
                Arithmetic::Add => contract::Formula::Add(left, right),
                Arithmetic::Subtract => contract::Formula::Subtract(left, right),
                Arithmetic::Multiply => contract::Formula::Multiply(left, right),
                Arithmetic::Divide => contract::Formula::Divide(left, right),
                Arithmetic::Modulo => contract::Formula::Modulo(left, right),
            }
        }
        Formula::Compare(operator, left, right) => {
            let (left, right) = (kept(left), kept(right));
            match operator {
                Comparison::Equal => contract::Formula::Equal(left, right),
                Comparison::NotEqual => contract::Formula::NotEqual(left, right),
                Comparison::Less => contract::Formula::Less(left, right),
                Comparison::LessOrEqual => contract::Formula::LessOrEqual(left, right),
                Comparison::Greater => contract::Formula::Greater(left, right),
                Comparison::GreaterOrEqual => contract::Formula::GreaterOrEqual(left, right),
            }
        }
        Formula::Conditional(condition, then, otherwise) => {
            contract::Formula::Conditional(kept(condition), kept(then), kept(otherwise))
        }
        Formula::Convert(value, pieces) => {
            contract::Formula::Convert(kept(value), leak_all(pieces.iter().copied()))
        }
    }
}
