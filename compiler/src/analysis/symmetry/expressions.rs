//! What expressions read, and whether they have the same value in all iterations.

use super::path::{Base, Index, LoopPath, PathPart};
use super::walker::{BoundLocal, IterationWalker, Value};
use crate::analysis::interval;
use crate::semantics::model::{
    ArithmeticOperator, Binder, CompareOperator, Domain, Expression, ExpressionKind, LocalId, LocalKind,
    Place, Root, Step, TypeId, TypeKind,
};

/// Longer terms are taken to vary.
const LONGEST_TERM: usize = 400;

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

    /// Notes that a whole place is read.
    pub fn read_place(&mut self, place: &'m Place) -> Value {
        let here = self.activation();
        // A parameter by value is a copy that cannot be assigned to: it is what was passed.
        if let Root::Local(local) = &place.root
            && place.steps.is_empty()
            && let Some((number, BoundLocal::Value(known))) = self.bound.get(&(here, *local))
        {
            let (number, known) = (*number, known.clone());
            self.uses(number);
            self.events.fails |= self.model.is_simple(place.ty);
            return known;
        }
        let (path, term, mut reads) = self.path_and_term(place);
        self.events.fails |=
            self.model.is_simple(place.ty) && self.definedness.may_be_undefined(self.model, &path);
        self.read(path.clone(), place.span);
        match term {
            Some(term) => {
                reads.push(path);
                Value { term: Some(term.clone()), reads, index: Index::Fixed(term) }
            }
            None => Value::varying(),
        }
    }

    pub fn path(&mut self, place: &'m Place) -> LoopPath {
        self.path_and_term(place).0
    }

    /// Where a place is, with its indices evaluated; and, if it is the same place in all
    /// iterations, the text of it with what its indices read.
    pub fn path_and_term(&mut self, place: &'m Place) -> (LoopPath, Option<String>, Vec<LoopPath>) {
        let mut reads = Vec::new();
        let here = self.activation();
        let (mut path, mut term, mut ty) = match &place.root {
            Root::Global(global) => {
                let ty = self.model.globals.get(global.index()).map(|global| global.ty);
                (LoopPath::new(Base::Global(*global)), Some(format!("g{}", global.0)), ty)
            }
            Root::Local(local) => {
                let ty = self.local_type(*local);
                let (path, term) = self.local_root(here, *local, ty);
                (path, term, ty)
            }
            Root::Temporary(value) => {
                self.expression(value);
                (LoopPath::new(Base::Temporary), None, Some(value.ty))
            }
        };
        for (at, step) in place.steps.iter().enumerate() {
            let (mut part, text, next) = self.place_step(step, ty, &mut reads);
            if let PathPart::Slot(variable) = &mut part {
                // The slot of a condition is occupied in the multiset that it belongs to, not in
                // another.
                let is_own = variable.is_some_and(|(activation, local)| {
                    self.own_slots.iter().any(|(owner, slot, bag)| {
                        (*owner, *slot) == (activation, local) && super::same::is_prefix(bag, place, at)
                    })
                });
                self.events.fails |= !is_own;
                if !is_own {
                    *variable = None;
                }
            }
            path.parts.push(part);
            term = match (term, text) {
                (Some(so_far), Some(text)) if so_far.len() + text.len() < LONGEST_TERM => {
                    Some(so_far + &text)
                }
                (_, _) => None,
            };
            ty = next;
        }
        (path, term, reads)
    }

    fn local_root(&mut self, here: u32, local: LocalId, ty: Option<TypeId>) -> (LoopPath, Option<String>) {
        match self.bound.get(&(here, local)) {
            Some((number, BoundLocal::Place(path))) => {
                let (number, path) = (*number, path.clone());
                self.uses(number);
                // Bound inside the loop, it may be another place each time.
                let term = (number == u32::MAX).then(|| format!("r{}", local.0));
                (path, term)
            }
            // A copy of what was passed, or of what an alias stands for.
            Some((number, BoundLocal::Value(_))) => {
                let number = *number;
                self.uses(number);
                (LoopPath::new(Base::Local(here, local)), None)
            }
            None => {
                let kind = self.frames.last().and_then(|(_, frame)| frame.locals.get(local.index()));
                match (kind.map(|local| local.kind), ty) {
                    (Some(LocalKind::Storage), _) => {
                        (LoopPath::new(Base::Local(here, local)), Some(format!("l{here}.{}", local.0)))
                    }
                    (Some(LocalKind::Reference), Some(ty)) if here == 0 => {
                        (LoopPath::new(Base::Reference(local, ty)), Some(format!("r{}", local.0)))
                    }
                    (Some(LocalKind::Reference | LocalKind::Value) | None, _) => {
                        self.gave_up = true;
                        (LoopPath::new(Base::Temporary), None)
                    }
                }
            }
        }
    }

    fn place_step(
        &mut self,
        step: &'m Step,
        ty: Option<TypeId>,
        reads: &mut Vec<LoopPath>,
    ) -> (PathPart, Option<String>, Option<TypeId>) {
        let kind = ty.and_then(|ty| self.model.types.get(ty.index())).map(|ty| &ty.kind);
        match (step, kind) {
            (Step::Field(field), Some(TypeKind::Record { fields })) => {
                let next = fields.get(*field as usize).map(|field| field.ty);
                (PathPart::Field(*field), Some(format!(".{field}")), next)
            }
            (Step::Index(index), Some(TypeKind::Array { index: index_type, element })) => {
                let known = self.expression(index);
                let inside = self
                    .model
                    .bounds(*index_type)
                    .is_some_and(|(low, high)| interval::of(self.model, self, index).within(low, high));
                self.events.fails |= !inside;
                reads.extend(known.reads);
                let text = known.term.map(|term| format!("[{term}]"));
                let index = match (known.index, &index.kind) {
                    (Index::Inner(activation, local, _), ExpressionKind::Value(_)) => {
                        let domain = self.domains.get(&(activation, local)).copied();
                        let whole = domain.is_some() && domain == self.model.bounds(*index_type);
                        Index::Inner(activation, local, whole)
                    }
                    (index, _) => index,
                };
                (PathPart::Element(index), text, Some(*element))
            }
            (Step::Slot(slot), Some(TypeKind::Multiset { element, .. })) => {
                self.expression(slot);
                let variable = match &slot.kind {
                    ExpressionKind::Value(local) => Some((self.activation(), *local)),
                    _ => None,
                };

                (PathPart::Slot(variable), None, Some(*element))
            }
            (Step::Field(_) | Step::Index(_) | Step::Slot(_), _) => {
                self.gave_up = true;
                (PathPart::Slot(None), None, None)
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
