//! Variants of a model, with other values of its constants.

use crate::syntax::tree::{Declaration, Expression, ExpressionKind, Item, Program, UnaryOperator};

/// Bytes of text that are checked again, over all variants.
const MOST_TEXT: usize = 10_000_000;
/// Constants that are changed one by one, at most.
const MOST_CONSTANTS: usize = 12;

/// A constant that is written as a value, and not computed from others.
struct Literal {
    /// Its place among the items of the program.
    item: usize,
    value: Value,
}

#[derive(Clone, Copy)]
enum Value {
    Number(i64),
    Boolean(bool),
}

/// Variants of a model: each constant changed alone, and all of them together. Not all of them are
/// models: with other values a range may be empty.
pub fn of(program: &Program, text_bytes: usize) -> Vec<Program> {
    let literals = literals(program);
    if literals.is_empty() {
        return Vec::new();
    }
    let changes: [fn(Value) -> Value; 4] = [
        |value| value.changed(|number| number.saturating_add(1)),
        |value| value.changed(|number| number.saturating_sub(1)),
        |value| value.changed(|number| number.saturating_add(7)),
        |value| value.changed(|_| 1),
    ];
    let mut variants: Vec<Program> =
        changes.iter().map(|change| with(program, literals.iter(), *change)).collect();
    for literal in literals.iter().take(MOST_CONSTANTS) {
        match literal.value {
            Value::Boolean(_) => variants.push(with(program, [literal], changes[0])),
            Value::Number(_) => {
                variants.extend(changes.iter().map(|change| with(program, [literal], *change)));
            }
        }
    }
    variants.truncate(MOST_TEXT / text_bytes.max(1));
    variants
}

impl Value {
    fn changed(self, number: impl Fn(i64) -> i64) -> Value {
        match self {
            Value::Number(value) => Value::Number(number(value)),
            Value::Boolean(value) => Value::Boolean(!value),
        }
    }
}

fn literals(program: &Program) -> Vec<Literal> {
    let literal = |(item, declared): (usize, &Item)| match declared {
        Item::Declaration(Declaration::Constant { value, set, .. }) => {
            let value = match set {
                Some(set) => value_of_text(set),
                None => value_of(value),
            };
            value.map(|value| Literal { item, value })
        }
        Item::Declaration(
            Declaration::Type { .. } | Declaration::Variables { .. } | Declaration::Unparsed(_),
        )
        | Item::Function(_)
        | Item::External(..)
        | Item::Formula(_)
        | Item::Rule(_) => None,
    };
    program.items.iter().enumerate().filter_map(literal).collect()
}

fn value_of(expression: &Expression) -> Option<Value> {
    match &expression.kind {
        ExpressionKind::Integer(number) => i64::try_from(*number).ok().map(Value::Number),
        ExpressionKind::Unary { operator: UnaryOperator::Minus, operand } => match value_of(operand)? {
            Value::Number(number) => number.checked_neg().map(Value::Number),
            Value::Boolean(_) => None,
        },
        ExpressionKind::Name(name) => value_of_text(name),
        _ => None,
    }
}

fn value_of_text(text: &str) -> Option<Value> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(Value::Boolean(true)),
        "false" => Some(Value::Boolean(false)),
        _ => text.parse().ok().map(Value::Number),
    }
}

fn with<'a>(
    program: &Program,
    literals: impl IntoIterator<Item = &'a Literal>,
    change: impl Fn(Value) -> Value,
) -> Program {
    let mut program = program.clone();
    for literal in literals {
        if let Some(Item::Declaration(Declaration::Constant { set, .. })) =
            program.items.get_mut(literal.item)
        {
            *set = Some(match change(literal.value) {
                Value::Number(number) => number.to_string(),
                Value::Boolean(boolean) => boolean.to_string(),
            });
        }
    }
    program
}
