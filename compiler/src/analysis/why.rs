//! How a report says why a property is false: which parts of its condition are explained, and how.
//! Generated code and the interpreter follow it, each through
//! [`Why`](mcc_runtime::contract::explanation::Why).

use crate::semantics::model::{Binder, Expression, ExpressionKind, LocalId, Property, PropertyKind, Scope};

/// Of what is nested deeper the value is given, and nothing else.
const MOST_LEVELS: usize = 16;

/// How a part of a condition is explained.
pub(crate) enum Explained<'m> {
    All(&'m [Expression]),
    Any(&'m [Expression]),
    Not(&'m Expression),
    Implies(&'m Expression, &'m Expression),
    /// The condition, and what it chooses from.
    Conditional([&'m Expression; 3]),
    Forall(&'m Binder, &'m Expression),
    Exists(&'m Binder, &'m Expression),
    /// A comparison, with the values of these sides.
    Compared(Vec<&'m Expression>),
    /// Nothing is said but its value.
    Value,
}

impl<'m> Explained<'m> {
    pub fn of(expression: &'m Expression, level: usize) -> Self {
        if level >= MOST_LEVELS {
            return Explained::Value;
        }
        match &expression.kind {
            ExpressionKind::And(operands) => Explained::All(operands),
            ExpressionKind::Or(operands) => Explained::Any(operands),
            ExpressionKind::Not(operand) => Explained::Not(operand),
            ExpressionKind::Implies(left, right) => Explained::Implies(left, right),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                Explained::Conditional([condition, then, otherwise])
            }
            ExpressionKind::Forall { binder, body } => Explained::Forall(binder, body),
            ExpressionKind::Exists { binder, body } => Explained::Exists(binder, body),
            ExpressionKind::Compare { left, right, .. } => Explained::Compared(sides([left, right])),
            ExpressionKind::IsMember { value, .. } => Explained::Compared(sides([value])),
            _ => Explained::Value,
        }
    }
}

/// The sides of a comparison that are no constants, before their numbering is changed.
fn sides<const SIDES: usize>(sides: [&Expression; SIDES]) -> Vec<&Expression> {
    let sides = sides.into_iter().map(|mut side| {
        while let ExpressionKind::Convert { value, .. } = &side.kind {
            side = value;
        }
        side
    });
    sides.filter(|side| !matches!(side.kind, ExpressionKind::Constant(_))).collect()
}

/// Whether it is explained why a property is false. A formula is false for what came before; a
/// condition that writes to the state cannot be evaluated again.
pub(crate) fn is_explained(property: &Property) -> bool {
    !property.writes && property.kind.must_hold() && property.kind != PropertyKind::Safety
}

/// The parameters whose values are named.
pub(crate) fn parameters(property: &Property) -> impl Iterator<Item = LocalId> + '_ {
    property.scopes.iter().filter_map(|scope| match scope {
        Scope::Parameter(binder) => Some(binder.variable),
        Scope::Choose { variable, .. } => Some(*variable),
        Scope::Alias(_) => None,
    })
}
