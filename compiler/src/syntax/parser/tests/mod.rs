//! What the parser makes of models, right and wrong.

mod errors;
mod expressions;
mod items;
mod limits;
mod statements;

use crate::diagnostics::Diagnostic;
use crate::source::Source;
use crate::syntax::parse;
use crate::syntax::tree::{
    Declaration, Expression, ExpressionKind, Item, Program, Property, RuleItem, SimpleRule, Statement,
};

fn diagnose(text: &str) -> (Option<Program>, Vec<Diagnostic>) {
    parse(&Source::new("model.m", text))
}

/// Parses what must parse.
fn program(text: &str) -> Program {
    match diagnose(text) {
        (Some(program), diagnostics) if diagnostics.is_empty() => program,
        (_, diagnostics) => panic!("{text}\n{diagnostics:#?}"),
    }
}

fn items(text: &str) -> Vec<Item> {
    program(text).items
}

fn declarations(text: &str) -> Vec<Declaration> {
    let declaration = |item| match item {
        Item::Declaration(declaration) => declaration,
        other => panic!("{other:?}"),
    };
    items(text).into_iter().map(declaration).collect()
}

fn rules(text: &str) -> Vec<RuleItem> {
    let rule = |item| match item {
        Item::Rule(rule) => rule,
        other => panic!("{other:?}"),
    };
    items(text).into_iter().map(rule).collect()
}

fn simple_rule(text: &str) -> SimpleRule {
    match rules(text).pop() {
        Some(RuleItem::Rule(rule)) => rule,
        other => panic!("{other:?}"),
    }
}

fn property(text: &str) -> Property {
    match rules(text).pop() {
        Some(RuleItem::Property(property)) => property,
        other => panic!("{other:?}"),
    }
}

/// The statements of a rule with this body.
fn statements(body: &str) -> Vec<Statement> {
    simple_rule(&format!("rule begin {body} end;")).body
}

fn statement(body: &str) -> Statement {
    let mut all = statements(body);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn expression(text: &str) -> Expression {
    property(&format!("invariant {text};")).condition
}

/// An expression with all its parentheses, to show what binds tighter.
fn shape(text: &str) -> String {
    show(&expression(text))
}

fn show(expression: &Expression) -> String {
    let join =
        |list: &[Expression], separator: &str| list.iter().map(show).collect::<Vec<_>>().join(separator);
    match &expression.kind {
        ExpressionKind::Integer(value) => value.to_string(),
        ExpressionKind::Real => "real".to_string(),
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Field { base, field } => format!("{}.{}", show(base), field.text),
        ExpressionKind::Index { base, index } => format!("{}[{}]", show(base), show(index)),
        ExpressionKind::Call { name, arguments } => format!("{}({})", name.text, join(arguments, ", ")),
        ExpressionKind::Unary { operator, operand } => format!("({operator:?} {})", show(operand)),
        ExpressionKind::Binary { operator, left, right } => {
            format!("({} {operator:?} {})", show(left), show(right))
        }
        ExpressionKind::Chain { operator, operands } => {
            format!("({})", join(operands, &format!(" {operator:?} ")))
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            format!("({} ? {} : {})", show(condition), show(then), show(otherwise))
        }
        ExpressionKind::Forall { quantifiers, body } => format!("forall{} {}", quantifiers.len(), show(body)),
        ExpressionKind::Exists { quantifiers, body } => format!("exists{} {}", quantifiers.len(), show(body)),
        ExpressionKind::IsUndefined(value) => format!("isundefined({})", show(value)),
        ExpressionKind::IsMember { value, .. } => format!("ismember({})", show(value)),
        ExpressionKind::MultisetCount { variable, multiset, condition } => {
            format!("count({}: {}, {})", variable.text, show(multiset), show(condition))
        }
        ExpressionKind::Undefined => "undefined".to_string(),
        ExpressionKind::Temporal { operator, operands, .. } => {
            format!("({operator:?} {})", join(operands, " "))
        }
        ExpressionKind::Fired { rule, arguments } => {
            format!("fired({}, {})", rule.text, join(arguments, ", "))
        }
    }
}
