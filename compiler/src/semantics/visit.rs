//! Goes through the typed model: one method for each kind of node, which goes on to what is inside.
//!
//! An analysis implements [`Visit`] and overrides the methods of the nodes that
//! matter; the `walk_` function of the same node goes on from there. Parts are visited in the order
//! of the text. Which kinds of statements use a place, and how, is said here alone ([`PlaceUse`]),
//! and so is how statements nest ([`Nesting`]).

use super::model::{
    AliasBinding, AliasValue, Argument, Binder, Call, Domain, Expression, ExpressionKind, LocalId, Place,
    Root, Scope, Statement, StatementKind, Step,
};

/// How a place is used where it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceUse {
    /// Its value is needed, or copied, parts and all.
    Read,
    /// It is asked whether it is undefined.
    Tested,
    /// It is a multiset whose elements are looked at one by one.
    Counted,
    /// It is a simple place that gets a value.
    Assigned,
    /// All of it is replaced: copied to, cleared or made undefined.
    Replaced,
    /// It is a multiset to which elements are added, or from which they are removed.
    Changed,
    /// It gets another name, under which it may be read and written.
    Aliased,
    /// It is passed to a `var` parameter, under which it may be read and written.
    Passed,
}

impl PlaceUse {
    /// Whether the place is written, or may be under another name.
    pub fn may_write(self) -> bool {
        match self {
            PlaceUse::Assigned
            | PlaceUse::Replaced
            | PlaceUse::Changed
            | PlaceUse::Aliased
            | PlaceUse::Passed => true,
            PlaceUse::Read | PlaceUse::Tested | PlaceUse::Counted => false,
        }
    }
}

/// A visitor of the typed model. Every method goes on to what is inside, unless it is overridden.
pub(crate) trait Visit<'m> {
    fn visit_scope(&mut self, scope: &'m Scope) {
        walk_scope(self, scope);
    }

    fn visit_statement(&mut self, statement: &'m Statement) {
        walk_statement(self, statement);
    }

    /// Statements that may not be executed, or several times: of a branch or a loop.
    fn visit_branch(&mut self, statements: &'m [Statement]) {
        visit_statements(self, statements);
    }

    fn visit_expression(&mut self, expression: &'m Expression) {
        walk_expression(self, expression);
    }

    /// A value that goes elsewhere as it is: where it is that of a variable, "undefined" goes, too.
    fn visit_copied(&mut self, value: &'m Expression) {
        self.visit_expression(value);
    }

    fn visit_place(&mut self, place: &'m Place, _usage: PlaceUse) {
        walk_place(self, place);
    }

    fn visit_call(&mut self, call: &'m Call) {
        walk_call(self, call);
    }

    fn visit_binder(&mut self, binder: &'m Binder) {
        walk_binder(self, binder);
    }

    fn visit_alias(&mut self, binding: &'m AliasBinding) {
        walk_alias(self, binding);
    }

    /// A variable that runs through the occupied slots of a multiset.
    fn visit_slots(&mut self, variable: LocalId, multiset: &'m Place, usage: PlaceUse) {
        walk_slots(self, variable, multiset, usage);
    }

    /// A local that gets its value here: of a loop, a quantifier, an alias, or a slot of a
    /// multiset.
    fn visit_bound(&mut self, _local: LocalId) {}
}

/// Visits statements one after the other.
pub(crate) fn visit_statements<'m>(visitor: &mut (impl Visit<'m> + ?Sized), statements: &'m [Statement]) {
    statements.iter().for_each(|statement| visitor.visit_statement(statement));
}

pub(crate) fn walk_scope<'m>(visitor: &mut (impl Visit<'m> + ?Sized), scope: &'m Scope) {
    match scope {
        Scope::Parameter(binder) => visitor.visit_binder(binder),
        Scope::Alias(binding) => visitor.visit_alias(binding),
        Scope::Choose { variable, multiset, .. } => {
            visitor.visit_slots(*variable, multiset, PlaceUse::Counted);
        }
    }
}

/// Visits what a statement is made of, statements inside it included.
pub(crate) fn walk_statement<'m>(visitor: &mut (impl Visit<'m> + ?Sized), statement: &'m Statement) {
    match &statement.kind {
        StatementKind::If { arms, otherwise } => {
            for (condition, body) in arms {
                visitor.visit_expression(condition);
                visitor.visit_branch(body);
            }
            visitor.visit_branch(otherwise);
        }
        StatementKind::Switch { subject, cases, otherwise } => {
            visitor.visit_expression(subject);
            for case in cases {
                case.values.iter().for_each(|value| visitor.visit_expression(value));
                visitor.visit_branch(&case.body);
            }
            visitor.visit_branch(otherwise);
        }
        // Of all others, what is inside comes after what stands in the statement itself.
        _ => {
            walk_parts(visitor, statement);
            walk_bodies(visitor, statement);
        }
    }
}

/// Visits what stands in a statement itself, not the statements inside it.
pub(crate) fn walk_parts<'m>(visitor: &mut (impl Visit<'m> + ?Sized), statement: &'m Statement) {
    match &statement.kind {
        StatementKind::Assign { target, value } => {
            visitor.visit_place(target, PlaceUse::Assigned);
            visitor.visit_copied(value);
        }
        StatementKind::Copy { target, source } => {
            visitor.visit_place(target, PlaceUse::Replaced);
            visitor.visit_copied(source);
        }
        StatementKind::If { arms, .. } => {
            arms.iter().for_each(|(condition, _)| visitor.visit_expression(condition));
        }
        StatementKind::Switch { subject, cases, .. } => {
            visitor.visit_expression(subject);
            cases.iter().flat_map(|case| &case.values).for_each(|value| visitor.visit_expression(value));
        }
        StatementKind::For { binder, .. } => visitor.visit_binder(binder),
        StatementKind::While { condition, .. } => visitor.visit_expression(condition),
        StatementKind::Alias { binding, .. } => visitor.visit_alias(binding),
        StatementKind::Call(call) => visitor.visit_call(call),
        StatementKind::Clear(target) | StatementKind::Undefine(target) => {
            visitor.visit_place(target, PlaceUse::Replaced);
        }
        StatementKind::Assert { condition, .. }
        | StatementKind::Assume { condition }
        | StatementKind::Cover { condition, .. } => visitor.visit_expression(condition),
        StatementKind::PutValue(value) => visitor.visit_expression(value),
        StatementKind::Return(value) => value.iter().for_each(|value| visitor.visit_copied(value)),
        StatementKind::MultisetAdd { value, multiset } => {
            visitor.visit_expression(value);
            visitor.visit_place(multiset, PlaceUse::Changed);
        }
        StatementKind::MultisetRemove { slot, multiset } => {
            visitor.visit_expression(slot);
            visitor.visit_place(multiset, PlaceUse::Changed);
        }
        StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
            visitor.visit_slots(*variable, multiset, PlaceUse::Changed);
            visitor.visit_expression(condition);
        }
        StatementKind::Error(_) | StatementKind::PutText(_) => {}
    }
}

/// Visits the statements that stand directly inside a statement.
pub(crate) fn walk_bodies<'m>(visitor: &mut (impl Visit<'m> + ?Sized), statement: &'m Statement) {
    match Nesting::of(statement) {
        Nesting::Nothing => {}
        Nesting::Branches(bodies) => bodies.into_iter().for_each(|body| visitor.visit_branch(body)),
        Nesting::Loop(body) => visitor.visit_branch(body),
        Nesting::Once(body) => visit_statements(visitor, body),
    }
}

pub(crate) fn walk_alias<'m>(visitor: &mut (impl Visit<'m> + ?Sized), binding: &'m AliasBinding) {
    match &binding.value {
        AliasValue::Place(place) => visitor.visit_place(place, PlaceUse::Aliased),
        AliasValue::Expression(value) => visitor.visit_expression(value),
    }
    visitor.visit_bound(binding.local);
}

pub(crate) fn walk_binder<'m>(visitor: &mut (impl Visit<'m> + ?Sized), binder: &'m Binder) {
    match &binder.domain {
        Domain::Constant { .. } => {}
        Domain::Steps { from, upto, step } => {
            [from, upto, step].into_iter().for_each(|part| visitor.visit_expression(part));
        }
    }
    visitor.visit_bound(binder.variable);
}

pub(crate) fn walk_slots<'m>(
    visitor: &mut (impl Visit<'m> + ?Sized),
    variable: LocalId,
    multiset: &'m Place,
    usage: PlaceUse,
) {
    visitor.visit_place(multiset, usage);
    visitor.visit_bound(variable);
}

pub(crate) fn walk_call<'m>(visitor: &mut (impl Visit<'m> + ?Sized), call: &'m Call) {
    for argument in &call.arguments {
        match argument {
            Argument::Reference(place) => visitor.visit_place(place, PlaceUse::Passed),
            Argument::Value(value) => visitor.visit_copied(value),
        }
    }
}

/// Visits the expressions by which a place is reached.
pub(crate) fn walk_place<'m>(visitor: &mut (impl Visit<'m> + ?Sized), place: &'m Place) {
    if let Root::Temporary(value) = &place.root {
        visitor.visit_expression(value);
    }
    for step in &place.steps {
        match step {
            Step::Field(_) => {}
            Step::Index(index) | Step::Slot(index) => visitor.visit_expression(index),
        }
    }
}

pub(crate) fn walk_expression<'m>(visitor: &mut (impl Visit<'m> + ?Sized), expression: &'m Expression) {
    match &expression.kind {
        ExpressionKind::Constant(_) | ExpressionKind::Value(_) => {}
        ExpressionKind::Read(place) => visitor.visit_place(place, PlaceUse::Read),
        ExpressionKind::IsUndefined(place) => visitor.visit_place(place, PlaceUse::Tested),
        ExpressionKind::Call(call) => visitor.visit_call(call),
        ExpressionKind::Not(operand)
        | ExpressionKind::Negate(operand)
        | ExpressionKind::BitNot(operand)
        | ExpressionKind::IsMember { value: operand, .. }
        | ExpressionKind::Convert { value: operand, .. } => visitor.visit_expression(operand),
        ExpressionKind::Arithmetic { left, right, .. }
        | ExpressionKind::Compare { left, right, .. }
        | ExpressionKind::CompareCompound { left, right, .. }
        | ExpressionKind::Implies(left, right) => {
            visitor.visit_expression(left);
            visitor.visit_expression(right);
        }
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
            parts.iter().for_each(|part| visitor.visit_expression(part));
        }
        ExpressionKind::Conditional { condition, then, otherwise } => {
            visitor.visit_expression(condition);
            visitor.visit_expression(then);
            visitor.visit_expression(otherwise);
        }
        ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
            visitor.visit_binder(binder);
            visitor.visit_expression(body);
        }
        ExpressionKind::MultisetCount { variable, multiset, condition } => {
            visitor.visit_slots(*variable, multiset, PlaceUse::Counted);
            visitor.visit_expression(condition);
        }
    }
}

/// How statements stand inside a statement.
pub(crate) enum Nesting<'m> {
    /// There are none.
    Nothing,
    /// One of these is executed: the first whose condition holds, or the last one.
    Branches(Vec<&'m [Statement]>),
    /// These are executed any number of times.
    Loop(&'m [Statement]),
    /// These are executed once.
    Once(&'m [Statement]),
}

impl<'m> Nesting<'m> {
    pub fn of(statement: &'m Statement) -> Self {
        match &statement.kind {
            StatementKind::If { arms, otherwise } => {
                let bodies = arms.iter().map(|(_, body)| body.as_slice());
                Nesting::Branches(bodies.chain([otherwise.as_slice()]).collect())
            }
            StatementKind::Switch { cases, otherwise, .. } => {
                let bodies = cases.iter().map(|case| case.body.as_slice());
                Nesting::Branches(bodies.chain([otherwise.as_slice()]).collect())
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => Nesting::Loop(body),
            StatementKind::Alias { body, .. } => Nesting::Once(body),
            StatementKind::Assign { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Call(_)
            | StatementKind::Clear(_)
            | StatementKind::Undefine(_)
            | StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_)
            | StatementKind::MultisetAdd { .. }
            | StatementKind::MultisetRemove { .. }
            | StatementKind::MultisetRemovePredicate { .. } => Nesting::Nothing,
        }
    }

    /// The bodies inside the statement, in the order of the text.
    pub fn bodies(self) -> Vec<&'m [Statement]> {
        match self {
            Nesting::Nothing => Vec::new(),
            Nesting::Branches(bodies) => bodies,
            Nesting::Loop(body) | Nesting::Once(body) => vec![body],
        }
    }
}

/// Calls a function for each expression that is visited, before what is inside it.
struct EachExpression<F>(F);

impl<'m, F: FnMut(&'m Expression)> Visit<'m> for EachExpression<F> {
    fn visit_expression(&mut self, expression: &'m Expression) {
        (self.0)(expression);
        walk_expression(self, expression);
    }
}

/// Visits an expression and everything inside it, indices included.
pub(crate) fn each<'m>(expression: &'m Expression, visit: impl FnMut(&'m Expression)) {
    EachExpression(visit).visit_expression(expression);
}

/// Whether an expression calls a function.
pub(crate) fn has_call(expression: &Expression) -> bool {
    let mut found = false;
    each(expression, |part| found |= matches!(part.kind, ExpressionKind::Call(_)));
    found
}

/// Calls a function for each expression directly inside another one.
struct EachPart<F>(F);

impl<'m, F: FnMut(&'m Expression)> Visit<'m> for EachPart<F> {
    fn visit_expression(&mut self, expression: &'m Expression) {
        (self.0)(expression);
    }
}

/// Visits the expressions directly inside an expression, those by which its places are reached
/// included.
pub(crate) fn each_part<'m>(expression: &'m Expression, visit: impl FnMut(&'m Expression)) {
    walk_expression(&mut EachPart(visit), expression);
}

/// Visits the expressions that stand in a statement itself, not in the statements inside it.
pub(crate) fn expressions_of<'m>(statement: &'m Statement, visit: impl FnMut(&'m Expression)) {
    walk_parts(&mut EachPart(visit), statement);
}

/// Whether a `return` is among the statements or inside of them.
pub(crate) fn has_return(statements: &[Statement]) -> bool {
    struct Returns(bool);
    impl<'m> Visit<'m> for Returns {
        fn visit_statement(&mut self, statement: &'m Statement) {
            self.0 |= matches!(statement.kind, StatementKind::Return(_));
            walk_bodies(self, statement);
        }
    }
    let mut returns = Returns(false);
    visit_statements(&mut returns, statements);
    returns.0
}
