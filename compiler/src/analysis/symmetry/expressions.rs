//! What expressions read, and whether they have the same value in all iterations.

use super::path::{Index, LoopPath, PathPart};
use super::places::LONGEST_TERM;
use super::walker::{BoundLocal, IterationWalker, Value};
use crate::analysis::interval;
use crate::semantics::model::{
    ArithmeticOperator, Binder, CompareOperator, Domain, Expression, ExpressionKind, LocalId, Place, Step,
};

impl<'m> IterationWalker<'m> {
    /// Notes what an expression reads.
    pub fn expression(&mut self, expression: &'m Expression) -> Value {
        if !self.step() {
            return Value::varying();
        }
        match &expression.kind {
            ExpressionKind::Constant(value) => Value::constant(*value),
            ExpressionKind::Value(local) => self.value(*local),
            ExpressionKind::Read(place) => self.read_place(place),
            ExpressionKind::Call(call) => {
                // It need not be evaluated, so nothing is certainly written by it.
                let assigned = self.assigned.len();
                let value = self.call(call);
                self.assigned.truncate(assigned);
                value
            }
            ExpressionKind::Not(operand) => self.combined("!", &[operand]),
            ExpressionKind::Negate(operand) => {
                self.events.fails |= interval::of(self.model, self, operand).low <= i128::from(i64::MIN);
                self.combined("-", &[operand])
            }
            ExpressionKind::BitNot(operand) => self.combined("~", &[operand]),
            ExpressionKind::Arithmetic { operator, left, right } => {
                self.events.fails |= self.arithmetic_fails(*operator, left, right);
                self.combined(&format!("{operator:?}"), &[left, right])
            }
            ExpressionKind::Compare { operator, left, right } => {
                self.combined(&format!("{operator:?}"), &[left, right])
            }
            ExpressionKind::CompareCompound { left, right, negated } => {
                self.combined(if *negated { "differ" } else { "same" }, &[left, right])
            }
            ExpressionKind::And(parts) => self.combined("&", &parts.iter().collect::<Vec<_>>()),
            ExpressionKind::Or(parts) => self.combined("|", &parts.iter().collect::<Vec<_>>()),
            ExpressionKind::Implies(left, right) => self.combined("->", &[left, right]),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.combined("?", &[condition, then, otherwise])
            }
            ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                self.binder(binder);
                self.expression(body);
                Value::varying()
            }
            ExpressionKind::IsUndefined(place) => {
                let path = self.path(place);
                self.read(path, place.span);
                Value::varying()
            }
            ExpressionKind::IsMember { value, .. } => {
                self.expression(value);
                Value::varying()
            }
            ExpressionKind::MultisetCount { variable, multiset, condition } => {
                self.condition_on_slots(*variable, multiset, condition);
                Value::varying()
            }
            ExpressionKind::Convert { value, pieces } => {
                let known = self.expression(value);
                let bounds = self.model.bounds(value.ty);
                let whole = |(low, high)| pieces.iter().any(|piece| piece.low <= low && piece.high >= high);
                let total = bounds.is_some_and(whole);
                self.events.fails |= !total;
                let index = match known.index {
                    Index::Own { low, high } => pieces
                        .iter()
                        .find(|piece| piece.low <= low && piece.high >= high)
                        .map_or(Index::Any, |piece| Index::Own {
                            low: low.saturating_add(piece.shift),
                            high: high.saturating_add(piece.shift),
                        }),
                    Index::Constant(value) => pieces
                        .iter()
                        .find(|piece| piece.low <= value && piece.high >= value)
                        .map_or(Index::Any, |piece| Index::Constant(value.saturating_add(piece.shift))),
                    index @ Index::Inner(..) if total => index,
                    Index::Inner(..) | Index::Fixed(_) | Index::Every | Index::Any => Index::Any,
                };
                let term =
                    known.term.map(|term| format!("({term} from {} as {})", value.ty.0, expression.ty.0));
                Self::with_index(Value { term, reads: known.reads, index })
            }
        }
    }

    fn with_index(mut value: Value) -> Value {
        if value.index == Index::Any
            && let Some(term) = &value.term
        {
            value.index = Index::Fixed(term.clone());
        }
        value
    }

    fn combined(&mut self, operator: &str, parts: &[&'m Expression]) -> Value {
        let mut term = Some(String::from(operator));
        let mut reads = Vec::new();
        for part in parts {
            let known = self.expression(part);
            term = match (term, known.term) {
                (Some(so_far), Some(next)) if so_far.len() + next.len() < LONGEST_TERM => {
                    Some(format!("{so_far} ({next})"))
                }
                (_, _) => None,
            };
            reads.extend(known.reads);
        }
        if term.is_none() {
            reads.clear();
        }
        Self::with_index(Value { term, reads, index: Index::Any })
    }

    fn arithmetic_fails(&self, operator: ArithmeticOperator, left: &Expression, right: &Expression) -> bool {
        let (one, two) = (interval::of(self.model, self, left), interval::of(self.model, self, right));
        match operator {
            ArithmeticOperator::Add | ArithmeticOperator::Subtract | ArithmeticOperator::Multiply => {
                !interval::exact(operator, one, two).fits_64_bits()
            }
            ArithmeticOperator::Divide | ArithmeticOperator::Modulo => {
                (two.low <= 0 && two.high >= 0) || one.low <= i128::from(i64::MIN)
            }
            ArithmeticOperator::BitAnd
            | ArithmeticOperator::BitOr
            | ArithmeticOperator::BitXor
            | ArithmeticOperator::ShiftLeft
            | ArithmeticOperator::ShiftRight => false,
        }
    }

    /// The value of a variable that cannot be assigned to.
    fn value(&mut self, local: LocalId) -> Value {
        let here = self.activation();
        if here == 0 && Some(local) == self.own || self.equal.contains(&(here, local)) {
            self.uses(0);
            let bounds = self.local_type(local).and_then(|ty| self.model.bounds(ty));
            let index = bounds.map_or(Index::Any, |(low, high)| Index::Own { low, high });
            return Value { term: None, reads: Vec::new(), index };
        }
        match self.bound.get(&(here, local)) {
            Some((number, BoundLocal::Value(known))) => {
                let (number, known) = (*number, known.clone());
                self.uses(number);
                known
            }
            Some((number, BoundLocal::Place(_))) => {
                let number = *number;
                self.uses(number);
                Value::varying()
            }
            // Bound outside the loop: a parameter of the rule, the variable of a loop around it.
            None if here == 0 => {
                let term = format!("v{}", local.0);
                Value { term: Some(term.clone()), reads: Vec::new(), index: Index::Fixed(term) }
            }
            None => {
                self.gave_up = true;
                Value::varying()
            }
        }
    }

    /// The variable of a quantifier or of a loop inside the loop.
    pub fn binder(&mut self, binder: &'m Binder) {
        if let Domain::Steps { from, upto, step } = &binder.domain {
            for part in [from, upto, step] {
                self.expression(part);
            }
            // A step of zero.
            self.events.fails = true;
        }
        let here = self.activation();
        let index = Index::Inner(here, binder.variable, false);
        if let Domain::Constant { low, high } = binder.domain {
            self.domains.insert((here, binder.variable), (low, high));
        }
        self.bind(here, binder.variable, BoundLocal::Value(Value { term: None, reads: Vec::new(), index }));
    }

    /// A condition on the elements of a multiset. If it holds only for those that are the loop
    /// variable, no other iteration has to do with these.
    pub fn condition_on_slots(
        &mut self,
        variable: LocalId,
        multiset: &'m Place,
        condition: &'m Expression,
    ) -> LoopPath {
        let mut path = self.path(multiset);
        let here = self.activation();
        self.bind(here, variable, BoundLocal::Value(Value::varying()));
        self.own_slots.push((here, variable, multiset));
        let before = self.accesses.len();
        self.expression(condition);
        let key = self.key(variable, multiset, condition);
        self.own_slots.pop();
        // Looking at the element at hand is part of the access that follows.
        let own = PathPart::Slot(Some((here, variable)));
        let is_element = |access: &super::walker::IterationAccess| {
            access.write.is_none() && access.path.base == path.base && access.path.parts.contains(&own)
        };
        let later = self.accesses.split_off(before);
        self.accesses.extend(later.into_iter().filter(|access| !is_element(access)));
        key.into_iter().for_each(|fields| path.parts.push(PathPart::Keyed(fields)));
        self.read(path.clone(), multiset.span);
        path
    }

    /// Which field of the element a condition wants to be the loop variable. Nothing can fail until
    /// that is known, so elements that other iterations have to do with make no difference.
    fn key(&mut self, slot: LocalId, multiset: &Place, condition: &'m Expression) -> Option<Vec<u32>> {
        match &condition.kind {
            ExpressionKind::And(parts) => {
                for part in parts {
                    if let Some(fields) = self.key(slot, multiset, part) {
                        return Some(fields);
                    }
                    if !self.never_fails(part) {
                        return None;
                    }
                }
                None
            }
            ExpressionKind::Compare { operator: CompareOperator::Equal, left, right } => {
                let of = |one: &Expression| element_of(one, slot, multiset);
                let (fields, other) = match (of(left), of(right)) {
                    (Some(fields), None) => (fields, right),
                    (None, Some(fields)) => (fields, left),
                    (_, _) => return None,
                };
                let is_own =
                    self.quietly(|walker| matches!(walker.expression(other).index, Index::Own { .. }));
                (is_own && self.never_fails(condition)).then_some(fields)
            }
            _ => None,
        }
    }

    /// Evaluates something without noting it.
    pub fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let (accesses, events, used) = (self.accesses.len(), self.events, self.oldest_used);
        let result = look(self);
        self.accesses.truncate(accesses);
        self.events = events;
        self.oldest_used = used;
        result
    }

    /// Whether evaluating this cannot fail, whatever the state.
    pub fn never_fails(&mut self, expression: &'m Expression) -> bool {
        self.quietly(|walker| {
            walker.events.fails = false;
            walker.expression(expression);
            !walker.events.fails && !walker.gave_up
        })
    }
}

/// The fields of `m[slot].a.b`, if an expression reads that of this very multiset.
fn element_of(expression: &Expression, slot: LocalId, multiset: &Place) -> Option<Vec<u32>> {
    match &expression.kind {
        ExpressionKind::Convert { value, .. } => element_of(value, slot, multiset),
        ExpressionKind::Read(place) => {
            let depth = multiset.steps.len();
            let (before, rest) = place.steps.split_at_checked(depth)?;
            let (Step::Slot(at), fields) = rest.split_first()? else { return None };
            let is_slot = matches!(&at.kind, ExpressionKind::Value(local) if *local == slot);
            let whole = Place { root: place.root.clone(), steps: before.to_vec(), ..multiset.clone() };
            if !is_slot || !super::same::same_place(&whole, multiset) {
                return None;
            }
            fields
                .iter()
                .map(|step| match step {
                    Step::Field(field) => Some(*field),
                    Step::Index(_) | Step::Slot(_) => None,
                })
                .collect()
        }
        _ => None,
    }
}
