//! Statements.

use super::grammar::Rule;
use super::{Builder, Pair, Pairs};
use crate::syntax::tree::{Expression, ExpressionKind, Statement, StatementKind, SwitchCase, Text};

impl Builder {
    // Blocks in blocks descend through these functions, so each construct has one of its own: a
    // frame of the stack then holds what that construct needs, and not what all of them need.

    pub(super) fn statements(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Statement>> {
        let mut statements = Vec::new();
        for statement in pair.into_inner() {
            statements.push(self.statement(statement)?);
        }
        Some(statements)
    }

    fn statement(&mut self, pair: Pair<'_, Rule>) -> Option<Statement> {
        let span = self.span(&pair);
        let statement = pair.into_inner().next()?;
        let rule = statement.as_rule();
        let inner = statement.into_inner();
        let kind = match rule {
            Rule::if_statement => self.if_statement(inner),
            Rule::switch_statement => self.switch_statement(inner),
            Rule::for_statement => self.for_statement(inner),
            Rule::while_statement => self.while_statement(inner),
            Rule::alias_statement => self.alias_statement(inner),
            _ => self.simple_statement(rule, inner),
        };
        Some(Statement { kind: kind?, span })
    }

    /// A statement without statements inside.
    fn simple_statement(&mut self, rule: Rule, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        Some(match rule {
            Rule::clear_statement => StatementKind::Clear(self.reference(inner.nth(1)?)?),
            Rule::undefine_statement => StatementKind::Undefine(self.reference(inner.nth(1)?)?),
            Rule::error_statement => StatementKind::Error(self.text(&inner.nth(1)?)?),
            Rule::put_statement => {
                let what = inner.nth(1)?;
                match what.as_rule() {
                    Rule::string => StatementKind::PutText(self.text(&what)?),
                    _ => StatementKind::PutValue(self.expression(what)?),
                }
            }
            Rule::return_statement => StatementKind::Return(match inner.nth(1) {
                Some(value) => Some(self.expression(value)?),
                None => None,
            }),
            Rule::claim_statement => self.claim(inner)?,
            Rule::multiset_add => StatementKind::MultisetAdd {
                value: self.expression(inner.nth(2)?)?,
                multiset: self.expression(inner.nth(1)?)?,
            },
            Rule::multiset_remove => StatementKind::MultisetRemove {
                slot: self.expression(inner.nth(2)?)?,
                multiset: self.expression(inner.nth(1)?)?,
            },
            Rule::multiset_remove_predicate => StatementKind::MultisetRemovePredicate {
                variable: self.name(&inner.nth(2)?)?,
                multiset: self.reference(inner.nth(1)?)?,
                condition: self.expression(inner.nth(1)?)?,
            },
            Rule::assignment_or_call => self.assignment_or_call(inner)?,
            _ => return None,
        })
    }

    fn for_statement(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let part = inner.nth(1)?;
        let span = self.span(&part);
        let quantifiers = self.quantifiers(part)?;
        let body = inner.nth(1)?;
        let body = self.inside(quantifiers.len(), span, |builder| builder.statements(body))?;
        Some(StatementKind::For { quantifiers, body })
    }

    fn while_statement(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let condition = self.expression(inner.nth(1)?)?;
        let body = self.statements(inner.nth(1)?)?;
        Some(StatementKind::While { condition, body })
    }

    fn alias_statement(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let part = inner.nth(1)?;
        let span = self.span(&part);
        let bindings = self.bindings(part)?;
        let body = inner.nth(1)?;
        let body = self.inside(bindings.len(), span, |builder| builder.statements(body))?;
        Some(StatementKind::Alias { bindings, body })
    }

    fn if_statement(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let condition = self.expression(inner.nth(1)?)?;
        let mut arms = vec![(condition, self.statements(inner.nth(1)?)?)];
        let mut otherwise = None;
        for part in inner {
            match part.as_rule() {
                Rule::elsif_part => {
                    let mut arm = part.into_inner();
                    let condition = self.expression(arm.nth(1)?)?;
                    arms.push((condition, self.statements(arm.nth(1)?)?));
                }
                Rule::else_part => otherwise = Some(self.statements(part.into_inner().nth(1)?)?),
                _ => {}
            }
        }
        Some(StatementKind::If { arms, otherwise })
    }

    fn switch_statement(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let subject = self.expression(inner.nth(1)?)?;
        let mut cases = Vec::new();
        let mut otherwise = None;
        for part in inner {
            match part.as_rule() {
                Rule::switch_case => cases.push(self.switch_case(part)?),
                Rule::else_part => otherwise = Some(self.statements(part.into_inner().nth(1)?)?),
                _ => {}
            }
        }
        Some(StatementKind::Switch { subject, cases, otherwise })
    }

    fn switch_case(&mut self, pair: Pair<'_, Rule>) -> Option<SwitchCase> {
        let mut case = SwitchCase { values: Vec::new(), body: Vec::new() };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expression => case.values.push(self.expression(part)?),
                Rule::statements => case.body = self.statements(part)?,
                _ => {}
            }
        }
        Some(case)
    }

    /// `assert`, `assume` or `cover`, with the message on either side.
    fn claim(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let word = inner.next()?.into_inner().next()?;
        let place = self.span(&word);
        let mut condition: Option<Expression> = None;
        let mut message: Option<Text> = None;
        for part in inner {
            match part.as_rule() {
                Rule::string => message = Some(self.text(&part)?),
                _ => condition = Some(self.expression(part)?),
            }
        }
        let condition = condition?;
        match word.as_rule() {
            Rule::assert_word | Rule::invariant_word => Some(StatementKind::Assert { condition, message }),
            Rule::assume_word => Some(StatementKind::Assume { condition, message }),
            Rule::cover_word => Some(StatementKind::Cover { condition, message }),
            Rule::liveness_word => {
                self.error("syntax", place, "`liveness` is a property of whole runs, not a statement");
                None
            }
            _ => None,
        }
    }

    fn assignment_or_call(&mut self, mut inner: Pairs<'_, Rule>) -> Option<StatementKind> {
        let name = self.name(&inner.next()?)?;
        let mut target = Expression { kind: ExpressionKind::Name(name.text.clone()), span: name.span };
        let mut depth = 1;
        for part in inner {
            match part.as_rule() {
                Rule::arguments => {
                    let (arguments, _) = self.arguments(part)?;
                    return Some(StatementKind::Call { name, arguments });
                }
                Rule::selector => (target, depth) = self.selected(target, depth, part)?,
                Rule::assign => {}
                _ => {
                    let value = self.expression(part)?;
                    return Some(StatementKind::Assign { target, value });
                }
            }
        }
        None
    }
}
