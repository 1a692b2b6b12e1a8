//! Checks `liveness`, `deadlock` and `ltl` properties, and splits formulas into temporal operators
//! and the conditions below them.

use super::super::checker::{Checker, FrameInProgress, Role};
use super::super::constants::value_of;
use super::super::model::{Expression, ExpressionKind, Frame, Property, PropertyKind, Scope};
use super::super::types::{BOOLEAN, POISON};
use super::{Claim, Formula, Quantified};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, BinaryOperator, ChainOperator, Quantifier, TemporalOperator, UnaryOperator};

impl Checker {
    /// A property that is not decided by looking at one state after the other. What it claims is
    /// noted beside the properties; the property itself is its headline.
    pub fn claim(&mut self, tree: &tree::Property, kind: PropertyKind, title: &str) {
        if let Some(Scope::Choose { .. }) =
            self.frame.scopes.iter().find(|scope| matches!(scope, Scope::Choose { .. }))
        {
            self.report(
                Diagnostic::error(
                    "temporal-in-choose",
                    tree.header,
                    "this property cannot stand inside `choose`",
                )
                .help("the slots of a multiset have no identity from one state to the next"),
            );
        }
        let parameters = self.parameters_around();
        let formula = if tree.condition_is_formula() {
            self.formula(&tree.condition)
        } else {
            self.atom(&tree.condition, "a temporal property")
        };
        let number = self.properties.iter().filter(|property| property.kind == kind).count() + 1;
        let name = tree.name.as_ref().map_or_else(|| format!("{title} {number}"), |name| name.text.clone());
        self.claims.push(Claim { property: self.properties.len(), parameters, formula });
        self.frame = FrameInProgress::default();
        let condition = Expression { kind: ExpressionKind::Constant(1), ty: BOOLEAN, span: tree.span };
        let (span, header) = (tree.span, tree.header);
        let (frame, scopes) = (Frame::default(), Vec::new());
        self.properties.push(Property { kind, name, frame, scopes, condition, writes: false, span, header });
    }

    fn parameters_around(&self) -> Vec<Quantified> {
        let binders = self.frame.scopes.iter().filter_map(|scope| match scope {
            Scope::Parameter(binder) => Some(binder),
            Scope::Alias(_) | Scope::Choose { .. } => None,
        });
        binders
            .filter_map(|binder| {
                let local = self.frame.locals.get(binder.variable.index())?.clone();
                Some(Quantified { binder: binder.clone(), local })
            })
            .collect()
    }

    /// A condition that is true or false in a state.
    fn atom(&mut self, tree: &tree::Expression, what: &'static str) -> Formula {
        let condition = self.condition(tree, what);
        // Such conditions are evaluated in any order and any number of times.
        self.note_pure(what);
        match value_of(&condition) {
            Some(value) if condition.ty != POISON => return Formula::Constant(value != 0),
            _ => {}
        }
        self.atoms.push(Property {
            kind: PropertyKind::Atom,
            name: format!("Condition {}", self.atoms.len() + 1),
            frame: self.frame.frame(),
            scopes: self.frame.scopes.clone(),
            condition,
            writes: false,
            span: tree.span,
            header: tree.span,
        });
        Formula::Atom(self.atoms.len() - 1)
    }

    fn formula(&mut self, tree: &tree::Expression) -> Formula {
        if !is_temporal(tree) {
            return self.atom(tree, "a formula");
        }
        match &tree.kind {
            tree::ExpressionKind::Temporal { operator, word, operands } => {
                if let (Some(word), [operand]) = (word, operands.as_slice()) {
                    self.check_word(*operator, *word, operand);
                }
                let mut operands: Vec<Formula> =
                    operands.iter().map(|operand| self.formula(operand)).collect();
                match (operands.pop(), operands.pop()) {
                    (Some(right), Some(left)) => two(*operator, left, right),
                    (Some(only), None) => one(*operator, only),
                    (None, _) => Formula::Constant(true),
                }
            }
            tree::ExpressionKind::Fired { rule, arguments } => self.fired(rule, arguments, tree.span),
            tree::ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                Formula::Not(Box::new(self.formula(operand)))
            }
            tree::ExpressionKind::Binary { operator: BinaryOperator::Implies, left, right } => {
                let (left, right) = (self.formula(left), self.formula(right));
                Formula::implies(left, right)
            }
            tree::ExpressionKind::Binary {
                operator: operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual),
                left,
                right,
            } => {
                let (left, right) = (self.formula(left), self.formula(right));
                let both = Formula::And(vec![left.clone(), right.clone()]);
                let negated = [left, right].map(|one| Formula::Not(Box::new(one)));
                let same = Formula::Or(vec![both, Formula::And(negated.into())]);
                match operator {
                    BinaryOperator::Equal => same,
                    _ => Formula::Not(Box::new(same)),
                }
            }
            tree::ExpressionKind::Chain { operator, operands } => {
                let operands = operands.iter().map(|operand| self.formula(operand)).collect();
                match operator {
                    ChainOperator::And | ChainOperator::AndAnd => Formula::And(operands),
                    ChainOperator::Or | ChainOperator::OrOr => Formula::Or(operands),
                }
            }
            tree::ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.formula(condition);
                let (then, otherwise) = (self.formula(then), self.formula(otherwise));
                let not = Formula::Not(Box::new(condition.clone()));
                Formula::And(vec![Formula::implies(condition, then), Formula::implies(not, otherwise)])
            }
            tree::ExpressionKind::Forall { quantifiers, body } => {
                self.quantified_formula(quantifiers, body, true)
            }
            tree::ExpressionKind::Exists { quantifiers, body } => {
                self.quantified_formula(quantifiers, body, false)
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        "temporal-operand",
                        tree.span,
                        "a temporal formula cannot be an operand of this operator",
                    )
                    .help(
                        "formulas are joined by `!`, `&`, `|`, `->`, `=`, `!=`, `?:` and temporal operators",
                    ),
                );
                Formula::Constant(true)
            }
        }
    }

    fn quantified_formula(
        &mut self,
        quantifiers: &[Quantifier],
        body: &tree::Expression,
        all: bool,
    ) -> Formula {
        let outer = self.frame.scopes.len();
        let mut variables = Vec::new();
        for quantifier in quantifiers {
            self.scopes.enter();
            let Some(binder) = self.binder(quantifier, Role::RulesetParameter) else { continue };
            self.frame.scopes.push(Scope::Parameter(binder.clone()));
            if let Some(local) = self.frame.locals.get(binder.variable.index()).cloned() {
                variables.push(Quantified { binder, local });
            }
        }
        let mut formula = self.formula(body);
        quantifiers.iter().for_each(|_| self.scopes.leave());
        self.frame.scopes.truncate(outer);
        for variable in variables.into_iter().rev() {
            let (variable, inner) = (Box::new(variable), Box::new(formula));
            formula = if all { Formula::Forall(variable, inner) } else { Formula::Exists(variable, inner) };
        }
        formula
    }
}

fn one(operator: TemporalOperator, operand: Formula) -> Formula {
    let operand = Box::new(operand);
    match operator {
        TemporalOperator::Always => Formula::Always(operand),
        TemporalOperator::Eventually => Formula::Eventually(operand),
        TemporalOperator::Next => Formula::Next(operand),
        // The grammar has two operands for these.
        TemporalOperator::Until
        | TemporalOperator::WeakUntil
        | TemporalOperator::Release
        | TemporalOperator::LeadsTo => *operand,
    }
}

fn two(operator: TemporalOperator, left: Formula, right: Formula) -> Formula {
    let (left, right) = (Box::new(left), Box::new(right));
    match operator {
        TemporalOperator::Until => Formula::Until(left, right),
        TemporalOperator::WeakUntil => Formula::WeakUntil(left, right),
        TemporalOperator::Release => Formula::Release(left, right),
        TemporalOperator::LeadsTo => {
            let answered = Formula::implies(*left, Formula::Eventually(right));
            Formula::Always(Box::new(answered))
        }
        // The grammar has one operand for these.
        TemporalOperator::Always | TemporalOperator::Eventually | TemporalOperator::Next => *right,
    }
}

/// The first temporal operator in an expression that must have none.
pub(in super::super) fn temporal_word(tree: &tree::Expression) -> (&'static str, Span) {
    let word = match &tree.kind {
        tree::ExpressionKind::Fired { .. } => "fired(…)",
        _ => "a temporal operator",
    };
    (word, tree.span)
}

/// Whether a temporal operator is in it, outside of brackets and arguments.
fn is_temporal(tree: &tree::Expression) -> bool {
    match &tree.kind {
        tree::ExpressionKind::Temporal { .. } | tree::ExpressionKind::Fired { .. } => true,
        tree::ExpressionKind::Unary { operand, .. } => is_temporal(operand),
        tree::ExpressionKind::Binary { left, right, .. } => is_temporal(left) || is_temporal(right),
        tree::ExpressionKind::Chain { operands, .. } => operands.iter().any(is_temporal),
        tree::ExpressionKind::Conditional { condition, then, otherwise } => {
            is_temporal(condition) || is_temporal(then) || is_temporal(otherwise)
        }
        tree::ExpressionKind::Forall { body, .. } | tree::ExpressionKind::Exists { body, .. } => {
            is_temporal(body)
        }
        // A temporal operator inside these is refused where it is met.
        _ => false,
    }
}

impl tree::Property {
    fn condition_is_formula(&self) -> bool {
        self.kind == tree::PropertyKind::Ltl
    }
}
