//! Whether two pieces of one statement certainly mean the same place or value at the same moment.
//!
//! Both are compared by their text, so they must stand in one frame, with nothing executed between
//! them; a call has no value that could be compared.

use crate::semantics::model::{Expression, ExpressionKind, Place, Root, Step};

pub(super) fn same_place(one: &Place, two: &Place) -> bool {
    let roots = match (&one.root, &two.root) {
        (Root::Global(one), Root::Global(two)) => one == two,
        (Root::Local(one), Root::Local(two)) => one == two,
        (Root::Global(_) | Root::Local(_) | Root::Temporary(_), _) => false,
    };
    roots
        && one.steps.len() == two.steps.len()
        && one.steps.iter().zip(&two.steps).all(|(one, two)| match (one, two) {
            (Step::Field(one), Step::Field(two)) => one == two,
            (Step::Index(one), Step::Index(two)) | (Step::Slot(one), Step::Slot(two)) => {
                same_expression(one, two)
            }
            (Step::Field(_) | Step::Index(_) | Step::Slot(_), _) => false,
        })
}

/// Whether a place begins with the first `steps` steps of another one.
pub(super) fn is_prefix(whole: &Place, place: &Place, steps: usize) -> bool {
    let prefix = Place {
        root: place.root.clone(),
        steps: place.steps.get(..steps).unwrap_or_default().to_vec(),
        ty: whole.ty,
        span: whole.span,
    };
    same_place(whole, &prefix)
}

pub(super) fn same_expression(one: &Expression, two: &Expression) -> bool {
    match (&one.kind, &two.kind) {
        (ExpressionKind::Constant(one), ExpressionKind::Constant(two)) => one == two,
        (ExpressionKind::Value(one), ExpressionKind::Value(two)) => one == two,
        (ExpressionKind::Read(one), ExpressionKind::Read(two)) => same_place(one, two),
        (ExpressionKind::Not(one), ExpressionKind::Not(two))
        | (ExpressionKind::Negate(one), ExpressionKind::Negate(two))
        | (ExpressionKind::BitNot(one), ExpressionKind::BitNot(two)) => same_expression(one, two),
        (
            ExpressionKind::Arithmetic { operator: one_operator, left, right },
            ExpressionKind::Arithmetic { operator, left: other_left, right: other_right },
        ) => {
            one_operator == operator
                && same_expression(left, other_left)
                && same_expression(right, other_right)
        }
        (
            ExpressionKind::Convert { value: one, pieces },
            ExpressionKind::Convert { value: two, pieces: others },
        ) => pieces == others && same_expression(one, two),
        // Whatever else there is need not be the same.
        (_, _) => false,
    }
}
