//! Who reads and writes a variable. What is not followed, such as an alias or a `var` parameter,
//! counts as both.

use crate::semantics::model::{Expression, ExpressionKind, Place, Root, Statement, StatementKind};
use crate::semantics::visit::{PlaceUse, Visit, walk_place, walk_statement};

/// How a variable is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub read: bool,
    /// It is read where a value is needed. Where it is copied or asked whether it is undefined, it
    /// may be a variable that is meant to have none: old models pass "undefined" so.
    pub needed: bool,
    pub written: bool,
    /// It is written with something else than the result of a call. The result of a function has to
    /// go somewhere, so a variable for it need not be read.
    pub written_with_a_value: bool,
}

impl Usage {
    pub fn add(&mut self, other: Usage) {
        self.read |= other.read;
        self.needed |= other.needed;
        self.written |= other.written;
        self.written_with_a_value |= other.written_with_a_value;
    }
}

/// Follows code, and reports how each variable is used.
pub struct Follower<'v> {
    report: &'v mut dyn FnMut(&Root, Usage),
    /// The statement at hand stores the result of a call.
    stores_result: bool,
}

const UNUSED: Usage = Usage { read: false, needed: false, written: false, written_with_a_value: false };
const READ: Usage = Usage { read: true, needed: true, ..UNUSED };
const COPIED: Usage = Usage { read: true, ..UNUSED };
const WRITTEN: Usage = Usage { written: true, written_with_a_value: true, ..UNUSED };
const RESULT: Usage = Usage { written: true, ..UNUSED };
const BOTH: Usage = Usage { read: true, needed: true, written: true, written_with_a_value: true };

impl<'v> Follower<'v> {
    pub fn new(report: &'v mut dyn FnMut(&Root, Usage)) -> Self {
        Follower { report, stores_result: false }
    }

    fn usage(&self, usage: PlaceUse) -> Usage {
        match usage {
            PlaceUse::Read | PlaceUse::Counted => READ,
            PlaceUse::Tested => COPIED,
            PlaceUse::Assigned | PlaceUse::Replaced if self.stores_result => RESULT,
            PlaceUse::Assigned | PlaceUse::Replaced => WRITTEN,
            // A bag that is full is an error, so adding to it asks what is in it.
            PlaceUse::Changed | PlaceUse::Aliased | PlaceUse::Passed => BOTH,
        }
    }
}

impl<'m> Visit<'m> for Follower<'_> {
    fn visit_statement(&mut self, statement: &'m Statement) {
        self.stores_result = match &statement.kind {
            StatementKind::Assign { value, .. } | StatementKind::Copy { source: value, .. } => {
                matches!(value.kind, ExpressionKind::Call(_))
            }
            _ => false,
        };
        walk_statement(self, statement);
    }

    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        let usage = self.usage(usage);
        (self.report)(&place.root, usage);
        walk_place(self, place);
    }

    fn visit_copied(&mut self, value: &'m Expression) {
        match &unconverted(value).kind {
            ExpressionKind::Read(place) => {
                (self.report)(&place.root, COPIED);
                walk_place(self, place);
            }
            _ => self.visit_expression(value),
        }
    }
}

/// An expression without the conversions around it.
fn unconverted(mut expression: &Expression) -> &Expression {
    while let ExpressionKind::Convert { value, .. } = &expression.kind {
        expression = value;
    }
    expression
}
