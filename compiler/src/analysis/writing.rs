//! Which statements of a rule may write to the state. A rule whose executed statements did not has
//! changed nothing, and its successor need not be compared with the state it came from.
//!
//! # What has to be proved
//! If the body ends without having come to a statement of which [`may_write`] says so, the state is
//! what it was:
//!
//! - Every statement that stores something outside of the rule's own variables is one: assignments
//!   and changes of bags by the root of their target, where a reference may always lead into the
//!   state; and calls, of statements or anywhere in the expressions of a statement, that are passed
//!   a reference or reach a function that writes a global variable ([`Reach`]).
//! - The statement says so before anything of it is evaluated: a condition that writes counts also
//!   where the branch is not taken.
//! - Whatever else changes a successor comes after the body: bags are in their order where nothing
//!   was written, and assumptions write nothing.
//! - Guards that write keep the rule whole, and a whole rule reports nothing.
//!
//! Runtimes that are built with debug assertions compare all the same (`Successors::keep`).

use std::collections::HashSet;

use super::reach::Reach;
use crate::semantics::model::{Argument, Call, Frame, LocalKind, Place, Root, Rule, Statement};
use crate::semantics::visit::{Nesting, PlaceUse, Visit, has_return, walk_call, walk_parts, walk_place};

/// Where the body of a rule reports that it may write to the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteReports {
    /// Statements by their addresses: a model stays where it is while code is printed from it.
    before: HashSet<*const Statement>,
}

impl WriteReports {
    /// Nothing for a rule that always writes: there is nothing to report.
    pub fn of(reach: &Reach, rule: &Rule) -> Option<Self> {
        if always_writes(reach, &rule.frame, &rule.body) {
            return None;
        }
        let mut reports = WriteReports::default();
        reports.add(reach, &rule.frame, &rule.body, false);
        Some(reports)
    }

    /// Whether the report stands before this statement.
    pub fn is_before(&self, statement: &Statement) -> bool {
        self.before.contains(&std::ptr::from_ref(statement))
    }

    /// Once is enough on every path. What is inside a statement may not be executed at all.
    fn add(&mut self, reach: &Reach, frame: &Frame, statements: &[Statement], mut reported: bool) {
        for statement in statements {
            if !reported && may_write(reach, frame, statement) {
                self.before.insert(std::ptr::from_ref(statement));
                reported = true;
            }
            for body in Nesting::of(statement).bodies() {
                self.add(reach, frame, body, reported);
            }
        }
    }
}

/// Whether a statement itself, apart from the statements inside it, may write to the state.
fn may_write(reach: &Reach, frame: &Frame, statement: &Statement) -> bool {
    let mut writes = Writes { reach, frame, found: false };
    walk_parts(&mut writes, statement);
    writes.found
}

/// Whether executing these statements to their end always comes to one that may write.
fn always_writes(reach: &Reach, frame: &Frame, statements: &[Statement]) -> bool {
    for statement in statements {
        if may_write(reach, frame, statement) {
            return true;
        }
        if let Nesting::Once(body) = Nesting::of(statement)
            && always_writes(reach, frame, body)
        {
            return true;
        }
        if has_return(std::slice::from_ref(statement)) {
            return false;
        }
    }
    false
}

/// Looks for what may write to the state, and not to storage of the rule's own.
struct Writes<'a> {
    reach: &'a Reach,
    frame: &'a Frame,
    found: bool,
}

impl<'m> Visit<'m> for Writes<'_> {
    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        // What is written under another name is written by the statement that does it.
        let writes = usage.may_write() && usage != PlaceUse::Aliased;
        self.found |= writes && self.is_state(place);
        walk_place(self, place);
    }

    /// What is passed by reference may be written; otherwise it is what the function can reach.
    fn visit_call(&mut self, call: &'m Call) {
        let passes = call.arguments.iter().any(|argument| matches!(argument, Argument::Reference(_)));
        self.found |= passes || !self.reach.of(call.function).writes.is_empty();
        walk_call(self, call);
    }
}

impl Writes<'_> {
    fn is_state(&self, place: &Place) -> bool {
        match &place.root {
            Root::Global(_) => true,
            Root::Local(local) => {
                let local = self.frame.locals.get(local.index());
                local.is_none_or(|local| local.kind == LocalKind::Reference)
            }
            Root::Temporary(_) => false,
        }
    }
}
