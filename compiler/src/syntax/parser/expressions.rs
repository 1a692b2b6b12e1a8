//! Expressions, apart from the order of their operators.
//!
//! Later passes descend once for each level of an expression, so its depth is bounded here.
//! Brackets are bounded before parsing; what remains are long rows such as `a - b - c - …` or
//! `!!!…a`.

use super::grammar::Rule;
use super::operators::Row;
use super::{Builder, Pair, Span};
use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{Expression, ExpressionKind, Name};

/// How deep an expression may be.
pub(super) const MAXIMUM_DEPTH: u32 = 500;

/// An expression with its depth.
pub(super) struct Measured {
    pub expression: Expression,
    pub depth: u32,
    /// In parentheses: not to be merged with a chain around it.
    pub grouped: bool,
}

impl Builder {
    pub(super) fn expression(&mut self, pair: Pair<'_, Rule>) -> Option<Expression> {
        self.measured(pair).map(|measured| measured.expression)
    }

    pub(super) fn measured(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let mut row = Row::default();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::operand | Rule::formula_operand => {
                    for piece in part.into_inner() {
                        if matches!(piece.as_rule(), Rule::prefix_operator | Rule::formula_prefix) {
                            row.prefix(piece.as_str(), self.span(&piece))?;
                        } else {
                            row.operand(self.primary(piece)?);
                        }
                    }
                }
                Rule::binary_operator | Rule::formula_operator => {
                    row.binary(self, part.as_str(), self.span(&part))?
                }
                Rule::conditional | Rule::formula_conditional => {
                    let sign = self.span(&part);
                    let middle = self.measured(part.into_inner().nth(1)?)?;
                    row.conditional(self, middle, sign)?;
                }
                _ => return None,
            }
        }
        let measured = row.finish(self)?;
        self.height = self.height.max(measured.depth);
        Some(measured)
    }

    /// Runs `build`, and says how deep the deepest expression was that it built.
    fn with_height<T>(&mut self, build: impl FnOnce(&mut Self) -> Option<T>) -> Option<(T, u32)> {
        let before = std::mem::take(&mut self.height);
        let built = build(self);
        let height = std::mem::replace(&mut self.height, before);
        self.height = self.height.max(height);
        built.map(|built| (built, height))
    }

    /// Notes an error, and stops, if an expression becomes too deep for the passes that follow.
    pub(super) fn check_depth(&mut self, depth: u32, span: Span) -> Option<u32> {
        if depth <= MAXIMUM_DEPTH {
            return Some(depth);
        }
        self.diagnostics.push(
            Diagnostic::error("nesting-too-deep", span, "this expression is nested too deeply")
                .help(format!("an expression may have {MAXIMUM_DEPTH} levels; split it with a function")),
        );
        None
    }

    // Brackets in brackets descend through these functions, so each construct has one of its own: a
    // frame of the stack then holds what that construct needs, and not what all of them need.

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        match pair.as_rule() {
            Rule::parenthesised | Rule::formula_parenthesised => self.parenthesised(pair),
            Rule::formula_forall | Rule::formula_exists => self.quantified(pair),
            Rule::fired => self.fired(pair),
            Rule::reference => self.measured_reference(pair),
            Rule::number => Some(leaf(self.number(&pair), self.span(&pair))),
            Rule::real_number => Some(leaf(ExpressionKind::Real, self.span(&pair))),
            Rule::forall | Rule::exists => self.quantified(pair),
            Rule::is_member => self.is_member(pair),
            Rule::is_undefined => self.is_undefined(pair),
            Rule::multiset_count => self.multiset_count(pair),
            _ => None,
        }
    }

    fn parenthesised(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let span = self.span(&pair);
        let mut inside = self.measured(pair.into_inner().nth(1)?)?;
        inside.expression.span = span;
        inside.grouped = true;
        Some(inside)
    }

    fn quantified(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let span = self.span(&pair);
        let is_forall = matches!(pair.as_rule(), Rule::forall | Rule::formula_forall);
        let mut inner = pair.into_inner();
        let ((quantifiers, body), height) = self.with_height(|builder| {
            let quantifiers = builder.quantifiers(inner.nth(1)?)?;
            let body = Box::new(builder.expression(inner.nth(1)?)?);
            Some((quantifiers, body))
        })?;
        // Each variable is a level of its own to the passes that follow.
        let height = height.saturating_add(quantifiers.len().saturating_sub(1) as u32);
        let kind = if is_forall {
            ExpressionKind::Forall { quantifiers, body }
        } else {
            ExpressionKind::Exists { quantifiers, body }
        };
        self.node(kind, height, span)
    }

    /// `fired("rule", values)`.
    fn fired(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let rule = self.text(&inner.nth(2)?)?;
        let (arguments, height) = self.with_height(|builder| {
            let mut arguments = Vec::new();
            for part in inner.filter(|part| part.as_rule() == Rule::expression) {
                arguments.push(builder.expression(part)?);
            }
            Some(arguments)
        })?;
        self.node(ExpressionKind::Fired { rule, arguments }, height, span)
    }

    fn is_member(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let (kind, height) = self.with_height(|builder| {
            let value = Box::new(builder.expression(inner.nth(2)?)?);
            let definition = Box::new(builder.type_expression(inner.nth(1)?)?);
            Some(ExpressionKind::IsMember { value, definition })
        })?;
        self.node(kind, height, span)
    }

    fn is_undefined(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let span = self.span(&pair);
        let value = self.measured_reference(pair.into_inner().nth(2)?)?;
        self.node(ExpressionKind::IsUndefined(Box::new(value.expression)), value.depth, span)
    }

    fn multiset_count(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let variable = self.name(&inner.nth(2)?)?;
        let multiset = self.measured_reference(inner.nth(1)?)?;
        let condition = self.measured(inner.nth(1)?)?;
        let height = multiset.depth.max(condition.depth);
        let kind = ExpressionKind::MultisetCount {
            variable,
            multiset: Box::new(multiset.expression),
            condition: Box::new(condition.expression),
        };
        self.node(kind, height, span)
    }

    fn node(&mut self, kind: ExpressionKind, height: u32, span: Span) -> Option<Measured> {
        let depth = self.check_depth(height + 1, span)?;
        Some(Measured { expression: Expression { kind, span }, depth, grouped: false })
    }

    pub(super) fn reference(&mut self, pair: Pair<'_, Rule>) -> Option<Expression> {
        self.measured_reference(pair).map(|measured| measured.expression)
    }

    /// A name, a call, and what `.field` and `[index]` select of them.
    fn measured_reference(&mut self, pair: Pair<'_, Rule>) -> Option<Measured> {
        let mut inner = pair.into_inner().peekable();
        let name = self.name(&inner.next()?)?;
        let start = name.span;
        let (mut expression, mut depth) = match inner.next_if(|part| part.as_rule() == Rule::arguments) {
            Some(part) => {
                let span = start.to(self.span(&part));
                let (arguments, height) = self.arguments(part)?;
                let depth = self.check_depth(height + 1, span)?;
                (Expression { kind: ExpressionKind::Call { name, arguments }, span }, depth)
            }
            None => (plain_name(name), 1),
        };
        for part in inner {
            (expression, depth) = self.selected(expression, depth, part)?;
        }
        self.height = self.height.max(depth);
        Some(Measured { expression, depth, grouped: false })
    }

    pub(super) fn arguments(&mut self, pair: Pair<'_, Rule>) -> Option<(Vec<Expression>, u32)> {
        self.with_height(|builder| {
            let mut arguments = Vec::new();
            for part in pair.into_inner().filter(|part| part.as_rule() == Rule::expression) {
                arguments.push(builder.expression(part)?);
            }
            Some(arguments)
        })
    }

    /// `base.field` or `base[index]`, and its depth.
    pub(super) fn selected(
        &mut self,
        base: Expression,
        depth: u32,
        selector: Pair<'_, Rule>,
    ) -> Option<(Expression, u32)> {
        let span = base.span.to(self.span(&selector));
        let part = selector.into_inner().nth(1)?;
        let base = Box::new(base);
        let (kind, height) = match part.as_rule() {
            Rule::identifier => (ExpressionKind::Field { base, field: self.name(&part)? }, depth),
            _ => {
                let index = self.measured(part)?;
                let height = depth.max(index.depth);
                (ExpressionKind::Index { base, index: Box::new(index.expression) }, height)
            }
        };
        let depth = self.check_depth(height + 1, span)?;
        Some((Expression { kind, span }, depth))
    }
}

fn leaf(kind: ExpressionKind, span: Span) -> Measured {
    Measured { expression: Expression { kind, span }, depth: 1, grouped: false }
}

fn plain_name(name: Name) -> Expression {
    let kind = if name.text.eq_ignore_ascii_case("undefined") {
        ExpressionKind::Undefined
    } else {
        ExpressionKind::Name(name.text)
    };
    Expression { kind, span: name.span }
}
