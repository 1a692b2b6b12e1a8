//! Assignments that make something of what was there before, in a way in which the order does not
//! show.
//!
//! - Adding what is never negative, always up or always down: if a sum leaves its range on the way,
//!   it is outside at the end as well, so it fails in any order. Undefined, it fails at the first
//!   one.
//! - `b := b & e`: where `b` is undefined, the first one fails. `e` is evaluated or not, by what
//!   `b` has become, so it must not be able to fail. `b := e & b` is the same where `b` cannot be
//!   undefined.
//! - `if e > x then x := e`: in the end `x` is the largest. A value that is too large for `x` is
//!   larger than `x` whenever it comes, so it fails in any order; one that is too small is never
//!   assigned.

use super::path::Base;
use super::same::{same_expression, same_place};
use super::walker::{Form, IterationWalker, IterationWrite};
use crate::analysis::interval;
use crate::semantics::model::{
    ArithmeticOperator, CompareOperator, Expression, ExpressionKind, Place, Root, Statement, StatementKind,
    Step,
};
use crate::semantics::visit::has_call;
use crate::source::Span;

impl<'m> IterationWalker<'m> {
    pub fn assignment(&mut self, target: &'m Place, value: &'m Expression, span: Span) {
        if let Some((form, rest)) = self.update(target, value) {
            self.events.fails = true;
            let before = self.accesses.len();
            rest.into_iter().for_each(|part| drop(self.expression(part)));
            let path = self.path(target);
            // What a function writes that is called here gets lost, since the target was read
            // before.
            let is_lost = |access: &super::walker::IterationAccess| {
                access.write.is_some()
                    && (access.path.base == path.base
                        || matches!(access.path.base, Base::Reference(..))
                        || matches!(path.base, Base::Reference(..)))
            };
            let lost = self.accesses.iter().skip(before).any(is_lost);
            self.write(path, if lost { Form::Unknown } else { form }, span);
            return;
        }
        let broadcast = self.broadcast(target, value);
        self.events.fails |= self.may_leave(target, value);
        let known = self.expression(value);
        let written = match (&value.kind, known.term) {
            (ExpressionKind::Constant(value), _) => IterationWrite::Constant(*value),
            (_, Some(term)) => IterationWrite::Fixed(term, known.reads),
            (_, None) => IterationWrite::Varying,
        };
        let copied = self.accesses.len();
        let path = self.path(target);
        self.write(path.clone(), Form::Plain(written), span);
        self.certainly(path);
        self.mark_broadcast(copied, broadcast);
    }

    /// How an assignment uses what was in its target, and what else it evaluates.
    fn update(&mut self, target: &'m Place, value: &'m Expression) -> Option<(Form, Vec<&'m Expression>)> {
        let pure = !has_call(value);
        // A function that is called may change what an index was computed from.
        if place_calls(target) || (!pure && !is_steady(target)) {
            return None;
        }
        match &value.kind {
            ExpressionKind::Arithmetic { operator, .. } => match operator {
                ArithmeticOperator::Add | ArithmeticOperator::Subtract => self.sum(target, value),
                ArithmeticOperator::BitAnd => self.bits(target, value, Form::BitAnd),
                ArithmeticOperator::BitOr => self.bits(target, value, Form::BitOr),
                ArithmeticOperator::Multiply
                | ArithmeticOperator::Divide
                | ArithmeticOperator::Modulo
                | ArithmeticOperator::BitXor
                | ArithmeticOperator::ShiftLeft
                | ArithmeticOperator::ShiftRight => None,
            },
            ExpressionKind::And(parts) if pure => self.joined(target, parts, Form::And),
            ExpressionKind::Or(parts) if pure => self.joined(target, parts, Form::Or),
            ExpressionKind::Conditional { condition, then, otherwise } if pure => {
                // `x := e > x ? e : x`
                let (form, rest) = self.compared(target, condition)?;
                let keeps =
                    |one: &Expression, two: &Expression| same_expression(one, rest) && reads(two, target);
                if keeps(then, otherwise) {
                    Some((form, vec![rest]))
                } else if keeps(otherwise, then) {
                    let other = if form == Form::Maximum { Form::Minimum } else { Form::Maximum };
                    Some((other, vec![rest]))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// `x + a - b + …`, with `x` once, not subtracted, and everything else going one way.
    fn sum(&mut self, target: &Place, value: &'m Expression) -> Option<(Form, Vec<&'m Expression>)> {
        let mut terms = Vec::new();
        addends(value, false, &mut terms);
        let own: Vec<bool> =
            terms.iter().filter(|(term, _)| reads(term, target)).map(|(_, minus)| *minus).collect();
        if own != [false] {
            return None;
        }
        let rest: Vec<(&'m Expression, bool)> =
            terms.into_iter().filter(|(term, _)| !reads(term, target)).collect();
        // Sums on the way stay far from the end of 64 bits, so that only the target's range
        // matters.
        let near = i128::from(1_i64 << 40);
        let mut forms = rest.iter().map(|(term, minus)| {
            let bounds = interval::of(self.model, self, term);
            if bounds.low < -near || bounds.high > near {
                None
            } else if bounds.low >= 0 {
                Some(if *minus { Form::Down } else { Form::Up })
            } else if bounds.high <= 0 {
                Some(if *minus { Form::Up } else { Form::Down })
            } else {
                None
            }
        });
        let first = forms.next()??;
        let one_way = forms.all(|form| form.as_ref() == Some(&first));
        let (low, high) = self.model.bounds(target.ty)?;
        let small = i128::from(low) >= -near && i128::from(high) <= near && rest.len() < 1000;
        (one_way && small).then(|| (first, rest.into_iter().map(|(term, _)| term).collect()))
    }

    fn bits(
        &mut self,
        target: &Place,
        value: &'m Expression,
        form: Form,
    ) -> Option<(Form, Vec<&'m Expression>)> {
        let ExpressionKind::Arithmetic { left, right, .. } = &value.kind else { return None };
        let rest = match (reads(left, target), reads(right, target)) {
            (true, false) => right,
            (false, true) => left,
            (_, _) => return None,
        };
        let low = self.model.bounds(target.ty)?.0;
        (low >= 0 && interval::of(self.model, self, rest).low >= 0).then(|| (form, vec![&**rest]))
    }

    fn joined(
        &mut self,
        target: &'m Place,
        parts: &'m [Expression],
        form: Form,
    ) -> Option<(Form, Vec<&'m Expression>)> {
        let at = parts.iter().position(|part| reads(part, target))?;
        let rest: Vec<&'m Expression> =
            parts.iter().enumerate().filter(|(number, _)| *number != at).map(|(_, part)| part).collect();
        if rest.iter().any(|part| reads(part, target)) {
            return None;
        }
        let defined = at == 0 || {
            let path = self.quietly(|walker| walker.path(target));
            !self.definedness.may_be_undefined(self.model, &path)
        };
        let sure = rest.iter().all(|part| self.never_fails(part));
        (defined && sure).then_some((form, rest))
    }

    /// `if e > x then x := e`, perhaps with conditions before and after; those after it must not be
    /// able to fail.
    pub fn extreme(&mut self, condition: &'m Expression, body: &'m [Statement]) -> bool {
        let [Statement { kind: StatementKind::Assign { target, value }, span }] = body else { return false };
        let parts = match &condition.kind {
            ExpressionKind::And(parts) => parts.as_slice(),
            _ => std::slice::from_ref(condition),
        };
        if has_call(condition) || has_call(value) || place_calls(target) {
            return false;
        }
        for (at, part) in parts.iter().enumerate() {
            let Some((form, rest)) = self.compared(target, part) else { continue };
            if !same_expression(rest, value) {
                continue;
            }
            let (before, after) = (&parts[..at], &parts[at + 1..]);
            if !after.iter().all(|part| self.never_fails(part)) {
                return false;
            }
            self.events.fails = true;
            before.iter().chain(after).for_each(|part| drop(self.expression(part)));
            self.expression(rest);
            let path = self.path(target);
            self.write(path, form, *span);
            return true;
        }
        false
    }

    /// A comparison of the target with something else: which of the two is kept if that is assigned
    /// where it holds.
    fn compared(&mut self, target: &Place, condition: &'m Expression) -> Option<(Form, &'m Expression)> {
        let ExpressionKind::Compare { operator, left, right } = &condition.kind else { return None };
        let (when_left, when_right) = match operator {
            CompareOperator::Less | CompareOperator::LessOrEqual => (Form::Maximum, Form::Minimum),
            CompareOperator::Greater | CompareOperator::GreaterOrEqual => (Form::Minimum, Form::Maximum),
            CompareOperator::Equal | CompareOperator::NotEqual => return None,
        };
        match (reads(left, target), reads(right, target)) {
            (true, false) => Some((when_left, right)),
            (false, true) => Some((when_right, left)),
            (_, _) => None,
        }
    }

    /// `a[i] := a[x]`, where `x` is the same in all iterations: the one whose element is read
    /// writes what is there already, so all read the same. Returns what the index of the copied
    /// element reads, which nothing must write.
    pub fn broadcast(
        &mut self,
        target: &'m Place,
        value: &'m Expression,
    ) -> Option<Vec<super::path::LoopPath>> {
        let ExpressionKind::Read(source) = &value.kind else { return None };
        let same_root = match (&target.root, &source.root) {
            (Root::Global(one), Root::Global(two)) => one == two,
            (Root::Global(_) | Root::Local(_) | Root::Temporary(_), _) => false,
        };
        if !same_root
            || target.steps.len() != source.steps.len()
            || place_calls(target)
            || place_calls(source)
        {
            return None;
        }
        let (mut own, mut reads) = (0, Vec::new());
        for (one, two) in target.steps.iter().zip(&source.steps) {
            match (one, two) {
                (Step::Field(one), Step::Field(two)) if one == two => {}
                (Step::Index(one), Step::Index(two)) if same_expression(one, two) && is_literal(one) => {}
                (Step::Index(one), Step::Index(two)) => {
                    let (one, two) = self.quietly(|walker| (walker.expression(one), walker.expression(two)));
                    if !matches!(one.index, super::path::Index::Own { .. }) || two.term.is_none() {
                        return None;
                    }
                    reads.extend(two.reads);
                    own += 1;
                }
                (Step::Field(_) | Step::Index(_) | Step::Slot(_), _) => return None,
            }
        }
        (own == 1).then_some(reads)
    }
}

/// Whether the indices of a place are constants or variables that cannot be assigned to.
fn is_steady(place: &Place) -> bool {
    place.steps.iter().all(|step| match step {
        Step::Field(_) => true,
        Step::Index(index) | Step::Slot(index) => {
            matches!(index.kind, ExpressionKind::Constant(_) | ExpressionKind::Value(_))
        }
    })
}

fn is_literal(expression: &Expression) -> bool {
    matches!(expression.kind, ExpressionKind::Constant(_))
}

fn addends<'m>(value: &'m Expression, minus: bool, terms: &mut Vec<(&'m Expression, bool)>) {
    match &value.kind {
        ExpressionKind::Arithmetic { operator: ArithmeticOperator::Add, left, right } => {
            addends(left, minus, terms);
            addends(right, minus, terms);
        }
        ExpressionKind::Arithmetic { operator: ArithmeticOperator::Subtract, left, right } => {
            addends(left, minus, terms);
            addends(right, !minus, terms);
        }
        _ => terms.push((value, minus)),
    }
}

/// Whether an expression is nothing but a read of this place.
fn reads(expression: &Expression, place: &Place) -> bool {
    matches!(&expression.kind, ExpressionKind::Read(read) if same_place(read, place))
}

fn place_calls(place: &Place) -> bool {
    place.steps.iter().any(|step| match step {
        Step::Field(_) => false,
        Step::Index(index) | Step::Slot(index) => has_call(index),
    })
}
