//! What statements read and write.

use super::path::{Base, Index, LoopPath, PathPart};
use super::walker::{BoundLocal, Form, IterationWalker, IterationWrite, Single, Value};
use crate::analysis::interval;
use crate::semantics::model::{
    AliasBinding, AliasValue, Binder, CompareOperator, Domain, Expression, ExpressionKind, Place, Statement,
    StatementKind, TypeKind,
};
use crate::semantics::visit::has_call;
use crate::source::Span;

impl<'m> IterationWalker<'m> {
    pub fn statement(&mut self, statement: &'m Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign { target, value } => self.assignment(target, value, span),
            StatementKind::Copy { target, source } => self.copy(target, source, span),
            StatementKind::If { arms, otherwise } => self.conditional(arms, otherwise),
            StatementKind::Switch { subject, cases, otherwise } => {
                self.expression(subject);
                let mut branches = Vec::with_capacity(cases.len() + 1);
                for case in cases {
                    case.values.iter().for_each(|value| drop(self.expression(value)));
                    branches.push(self.branch(|walker| walker.statements(&case.body)));
                }
                branches.push(self.branch(|walker| walker.statements(otherwise)));
                self.merge(branches);
            }
            StatementKind::For { binder, body } => self.inner_loop(binder, body),
            StatementKind::While { condition, body } => {
                self.events.fails = true;
                self.expression(condition);
                self.branch(|walker| walker.statements(body));
            }
            StatementKind::Alias { binding, body } => {
                self.alias(binding);
                self.statements(body);
            }
            StatementKind::Call(call) => {
                self.call(call);
            }
            StatementKind::Clear(place) => self.plain(place, IterationWrite::Cleared, span),
            StatementKind::Undefine(place) => self.plain(place, IterationWrite::Undefined, span),
            StatementKind::Error(_) => self.events.fails = true,
            StatementKind::Assert { condition, .. } => {
                self.events.fails = true;
                self.expression(condition);
            }
            StatementKind::Assume { condition } => {
                self.events.assumes = true;
                self.expression(condition);
            }
            StatementKind::Cover { condition, .. } => {
                self.events.covers = true;
                self.expression(condition);
            }
            StatementKind::PutText(_) => {}
            StatementKind::PutValue(value) => drop(self.expression(value)),
            StatementKind::Return(value) => {
                let value = match value {
                    Some(value) => {
                        // A number may be outside of the function's range; a constant is so in all
                        // iterations.
                        let is_constant = matches!(value.kind, ExpressionKind::Constant(_));
                        let number = matches!(
                            self.model.ty(value.ty).kind,
                            TypeKind::Integer | TypeKind::Range { .. }
                        );
                        self.events.fails |= number && !is_constant;
                        self.expression(value)
                    }
                    None => Value::constant(0),
                };
                self.returned = self.returned.min(self.activation());
                // Out of a function that is called, it goes on with the loop.
                if self.activation() == 0 {
                    self.returns.push((value.term, value.reads, span));
                }
            }
            StatementKind::MultisetAdd { value, multiset } => self.add(value, multiset, None, span),
            StatementKind::MultisetRemove { slot, multiset } => {
                self.events.fails = true;
                self.expression(slot);
                let path = self.path(multiset);
                self.read(path.clone(), span);
                self.write(path, Form::Unknown, span);
            }
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                let first = self.accesses.len();
                let failed = std::mem::replace(&mut self.events.fails, false);
                let path = self.condition_on_slots(*variable, multiset, condition);
                let fails = self.events.fails;
                self.events.fails |= failed;
                // The elements themselves are part of the removal; what else the condition reads of
                // the bag is not.
                let looked = self.accesses.iter().rposition(|access| access.path == path);
                looked.filter(|at| *at >= first).into_iter().for_each(|at| drop(self.accesses.remove(at)));
                self.write(path, Form::Remove { fails }, span);
            }
        }
    }

    /// A write that leaves nothing of what was there.
    fn plain(&mut self, place: &'m Place, written: IterationWrite, span: Span) {
        let path = self.path(place);
        self.write(path.clone(), Form::Plain(written), span);
        self.certainly(path);
    }

    pub fn certainly(&mut self, path: LoopPath) {
        let exact = path.parts.iter().all(|part| match part {
            PathPart::Field(_) => true,
            PathPart::Element(Index::Constant(_) | Index::Own { .. } | Index::Inner(..)) => true,
            PathPart::Element(Index::Fixed(_) | Index::Every | Index::Any)
            | PathPart::Slot(_)
            | PathPart::Keyed(_) => false,
        });
        if exact && matches!(path.base, Base::Local(..)) {
            self.assigned.push(path);
        }
    }

    fn copy(&mut self, target: &'m Place, source: &'m Expression, span: Span) {
        let broadcast = self.broadcast(target, source);
        let value = self.expression(source);
        self.events.fails |= !matches!(source.kind, ExpressionKind::Read(_));
        let written = match value.term {
            Some(term) => IterationWrite::Fixed(term, value.reads),
            None => IterationWrite::Varying,
        };
        let copied = self.accesses.len();
        self.plain(target, written, span);
        self.mark_broadcast(copied, broadcast);
    }

    /// What is copied was read last before `copied`, and the target is written last of all.
    pub fn mark_broadcast(&mut self, copied: usize, reads: Option<Vec<LoopPath>>) {
        let Some(reads) = reads else { return };
        let number = self.broadcasts.len();
        self.broadcasts.push(reads);
        let source = copied.checked_sub(1).and_then(|at| self.accesses.get_mut(at));
        source.into_iter().for_each(|access| access.broadcast = Some(number));
        self.accesses.last_mut().into_iter().for_each(|access| access.broadcast = Some(number));
    }

    /// The variable of an inner loop is another one each time; what a loop that is not empty writes
    /// is written.
    fn inner_loop(&mut self, binder: &'m Binder, body: &'m [Statement]) {
        self.binder(binder);
        let here = self.activation();
        let written = self.branch(|walker| walker.statements(body));
        let Domain::Constant { .. } = binder.domain else { return };
        for mut path in written {
            // One variable in two indices runs along a diagonal only.
            let is_inner = |part: &PathPart| matches!(part, PathPart::Element(Index::Inner(activation, local, _)) if (*activation, *local) == (here, binder.variable));
            let mut sure = path.parts.iter().filter(|part| is_inner(part)).count() <= 1;
            for part in &mut path.parts {
                if let PathPart::Element(index) = part
                    && let Index::Inner(activation, local, whole) = index
                    && (*activation, *local) == (here, binder.variable)
                {
                    sure &= *whole;
                    *index = Index::Every;
                }
            }
            if sure && !self.assigned.contains(&path) {
                self.assigned.push(path);
            }
        }
    }

    fn alias(&mut self, binding: &'m AliasBinding) {
        let here = self.activation();
        let bound = match &binding.value {
            AliasValue::Place(place) => BoundLocal::Place(lasting(self.path(place))),
            AliasValue::Expression(value) => {
                let mut known = self.expression(value);
                // It was computed when the alias was entered; what it reads may change.
                if !known.reads.is_empty() {
                    known.term = None;
                    known.reads.clear();
                }
                if !matches!(known.index, Index::Own { .. } | Index::Constant(_) | Index::Inner(..)) {
                    known.index = Index::Any;
                }
                BoundLocal::Value(known)
            }
        };
        self.bind(here, binding.local, bound);
    }

    /// An alias around the loop: what it names does not change while the loop runs.
    pub fn outer_alias(&mut self, binding: &'m AliasBinding) {
        let bound = self.quietly(|walker| match &binding.value {
            AliasValue::Place(place) => Some(BoundLocal::Place(lasting(walker.path(place)))),
            AliasValue::Expression(_) => None,
        });
        // The value of an expression is a variable that is never assigned to.
        let bound = bound.unwrap_or_else(|| {
            let term = format!("v{}", binding.local.0);
            let index = Index::Fixed(term.clone());
            BoundLocal::Value(Value { term: Some(term), reads: Vec::new(), index })
        });
        self.bound.insert((0, binding.local), (u32::MAX, bound));
    }

    pub fn add(&mut self, value: &'m Expression, multiset: &'m Place, limit: Option<i64>, span: Span) {
        self.events.fails = true;
        let known = self.expression(value);
        let mut path = self.path(multiset);
        if let Index::Own { .. } = known.index {
            path.parts.push(PathPart::Keyed(Vec::new()));
        }
        let ordered = self.doubtful_multisets.contains(&multiset.ty);
        self.write(path, if ordered { Form::Unknown } else { Form::Add(limit) }, span);
    }

    /// `assert multisetcount(i: m, true) < n` before something is added: it fails for the one that
    /// is too many, whichever that is.
    pub fn guarded_add(&mut self, statement: &'m Statement, next: Option<&'m Statement>) -> bool {
        let Some(next) = next else { return false };
        let StatementKind::Assert { condition, .. } = &statement.kind else { return false };
        let StatementKind::MultisetAdd { value, multiset } = &next.kind else { return false };
        let ExpressionKind::Compare { operator: CompareOperator::Less, left, right } = &condition.kind else {
            return false;
        };
        let ExpressionKind::MultisetCount { multiset: counted, condition, .. } = &left.kind else {
            return false;
        };
        let (ExpressionKind::Constant(limit), ExpressionKind::Constant(1)) = (&right.kind, &condition.kind)
        else {
            return false;
        };
        if !super::same::same_place(counted, multiset) || has_call(value) {
            return false;
        }
        self.add(value, multiset, Some(*limit), next.span);
        true
    }

    fn conditional(&mut self, arms: &'m [(Expression, Vec<Statement>)], otherwise: &'m [Statement]) {
        if let [(condition, body)] = arms
            && otherwise.is_empty()
            && self.extreme(condition, body)
        {
            return;
        }
        let mut branches = Vec::with_capacity(arms.len() + 1);
        let mut differs = Vec::new();
        for (condition, body) in arms {
            self.expression(condition);
            let (equal, single) = self.equality(condition, CompareOperator::Equal);
            let (equals, singles) = (self.equal.len(), self.singles.len());
            self.equal.extend(equal);
            self.singles.extend(single);
            self.singles.extend(differs.iter().cloned());
            branches.push(self.branch(|walker| walker.statements(body)));
            self.equal.truncate(equals);
            self.singles.truncate(singles);
            // What comes after `if i != x` is for the one that is `x`.
            differs.extend(self.equality(condition, CompareOperator::NotEqual).1);
        }
        let singles = self.singles.len();
        self.singles.extend(differs);
        branches.push(self.branch(|walker| walker.statements(otherwise)));
        self.singles.truncate(singles);
        self.merge(branches);
    }

    /// What a condition says about the loop variable where it holds (`=`), or where it does not
    /// (`!=`).
    fn equality(
        &mut self,
        condition: &'m Expression,
        wanted: CompareOperator,
    ) -> (Option<(u32, crate::semantics::model::LocalId)>, Option<Single>) {
        match &condition.kind {
            ExpressionKind::And(parts) if wanted == CompareOperator::Equal => {
                let found = parts.iter().map(|part| self.equality(part, wanted));
                found.fold((None, None), |one, two| (one.0.or(two.0), one.1.or(two.1)))
            }
            ExpressionKind::Compare { operator, left, right } if *operator == wanted => {
                let (one, two) = self.quietly(|walker| (walker.expression(left), walker.expression(right)));
                let is_own = |value: &Value| matches!(value.index, Index::Own { .. });
                let (other, text) = match (is_own(&one), is_own(&two)) {
                    (true, false) => (two, right),
                    (false, true) => (one, left),
                    (_, _) => return (None, None),
                };
                let here = self.activation();
                let equal = match &text.kind {
                    ExpressionKind::Value(local) if matches!(other.index, Index::Inner(..)) => {
                        Some((here, *local))
                    }
                    _ => None,
                };
                (equal, other.term.map(|term| Single { term, reads: other.reads }))
            }
            _ => (None, None),
        }
    }

    /// Whether an assignment may be out of range.
    pub fn may_leave(&self, target: &Place, value: &Expression) -> bool {
        let bounds = self.model.bounds(target.ty);
        !bounds.is_some_and(|(low, high)| interval::of(self.model, self, value).within(low, high))
    }
}

/// A path that is bound now and used later: its indices keep their values, even if the variables
/// they were computed from change.
pub(super) fn lasting(mut path: LoopPath) -> LoopPath {
    for part in &mut path.parts {
        if let PathPart::Element(index) = part {
            match index {
                Index::Fixed(_) => *index = Index::Any,
                Index::Constant(_) | Index::Own { .. } | Index::Inner(..) | Index::Every | Index::Any => {}
            }
        }
    }
    path
}
