//! Which statements of a rule may write to the state. A rule whose executed statements did not has changed nothing, and its
//! successor need not be compared with the state it came from.
//!
//! # What has to be proved
//! If the body ends without having come to a statement of which [`may_write`] says so, the state is what it was:
//!
//! - Every statement that stores something outside of the rule's own variables is one: assignments and changes of bags by the root of
//!   their target, where a reference may always lead into the state; and calls, of statements or anywhere in the expressions of a statement, that are
//!   passed a reference or reach a function that writes a global variable ([`Reach`]).
//! - The statement says so before anything of it is evaluated: a condition that writes counts also where the branch is not taken.
//! - Whatever else changes a successor comes after the body: bags are in their order where nothing was written, and assumptions write nothing.
//! - Guards that write keep the rule whole, and a whole rule tells nothing.
//!
//! Runtimes that are built with debug assertions compare all the same (`Successors::keep`).

use crate::semantics::model::{
    Argument, Call, Expression, ExpressionKind, Frame, LocalKind, Place, Root, Statement, StatementKind,
};
use crate::semantics::reach::Reach;
use crate::semantics::walk::{each, expressions_of};

/// Whether a statement itself, apart from the statements inside it, may write to the state.
pub(crate) fn may_write(reach: &Reach, frame: &Frame, statement: &Statement) -> bool {
    let mut calls = false;
    expressions_of(statement, &mut |expression| calls |= calls_write(reach, expression));
    calls
        || match &statement.kind {
            StatementKind::Assign { target, .. }
            | StatementKind::Copy { target, .. }
            | StatementKind::Clear(target)
            | StatementKind::Undefine(target)
            | StatementKind::MultisetAdd { multiset: target, .. }
            | StatementKind::MultisetRemove { multiset: target, .. }
            | StatementKind::MultisetRemovePredicate { multiset: target, .. } => is_state(frame, target),
            StatementKind::Call(call) => call_writes(reach, call),
            StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::For { .. }
            | StatementKind::While { .. }
            | StatementKind::Alias { .. }
            | StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_) => false,
        }
}

/// Whether executing these statements to their end always comes to one that may write.
pub(crate) fn always_writes(reach: &Reach, frame: &Frame, statements: &[Statement]) -> bool {
    for statement in statements {
        if may_write(reach, frame, statement) {
            return true;
        }
        if let StatementKind::Alias { body, .. } = &statement.kind
            && always_writes(reach, frame, body)
        {
            return true;
        }
        if may_return(statement) {
            return false;
        }
    }
    false
}

/// Whether a statement, or one inside it, may end the rule.
fn may_return(statement: &Statement) -> bool {
    let any = |statements: &[Statement]| statements.iter().any(may_return);
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::If { arms, otherwise } => arms.iter().any(|(_, body)| any(body)) || any(otherwise),
        StatementKind::Switch { cases, otherwise, .. } => {
            cases.iter().any(|case| any(&case.body)) || any(otherwise)
        }
        StatementKind::For { body, .. }
        | StatementKind::While { body, .. }
        | StatementKind::Alias { body, .. } => any(body),
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
        | StatementKind::MultisetAdd { .. }
        | StatementKind::MultisetRemove { .. }
        | StatementKind::MultisetRemovePredicate { .. } => false,
    }
}

/// Whether a place may be a part of the state, and not storage of the rule's own.
fn is_state(frame: &Frame, place: &Place) -> bool {
    match &place.root {
        Root::Global(_) => true,
        Root::Local(local) => {
            frame.locals.get(local.index()).is_none_or(|local| local.kind == LocalKind::Reference)
        }
        Root::Temporary(_) => false,
    }
}

fn calls_write(reach: &Reach, expression: &Expression) -> bool {
    let mut writes = false;
    each(expression, &mut |part| {
        if let ExpressionKind::Call(call) = &part.kind {
            writes |= call_writes(reach, call);
        }
    });
    writes
}

/// What is passed by reference may be written; otherwise it is what the function can reach.
fn call_writes(reach: &Reach, call: &Call) -> bool {
    let passes = call.arguments.iter().any(|argument| matches!(argument, Argument::Reference(_)));
    passes || !reach.of(call.function).writes.is_empty()
}
