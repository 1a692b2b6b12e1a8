//! What the typed model says: folding, conversions, domains.

use super::accepts;
use mcc_murphi::semantics::model::{
    ConvertPiece, Domain, Expression, ExpressionKind, Model, StatementKind, Step,
};

/// The value of the n-th statement of the first rule, which is an assignment.
fn assigned(model: &Model, at: usize) -> &Expression {
    match &model.rules[0].body[at].kind {
        StatementKind::Assign { value, .. } => value,
        other => panic!("an assignment, not {other:?}"),
    }
}

fn constant(expression: &Expression) -> Option<i64> {
    match expression.kind {
        ExpressionKind::Constant(value) => Some(value),
        _ => None,
    }
}

#[test]
fn constants_are_folded_everywhere() {
    let model = accepts(
        "const n: 3; type e: enum { a, b, c }; var x: 0..99; y: boolean; z: e;",
        "x := n * n + 1; y := n = 3 & true; z := false ? a : c; x := 7 & 5 | 8; y := forall i: e do true end;
         x := -7 / 2 + 10; x := ~0 & 15; y := false & x / x = 1; y := a != b;",
    );
    let values: Vec<_> = (0..9).map(|at| constant(assigned(&model, at))).collect();
    assert_eq!(values, [Some(10), Some(1), Some(2), Some(13), Some(1), Some(7), Some(15), Some(0), Some(1)]);
}

#[test]
fn what_may_fail_is_not_folded_away() {
    let model = accepts("var x: 0..9; y: boolean;", "y := x / x = 1 & false; y := x = x;");
    assert_eq!(constant(assigned(&model, 0)), None);
    assert_eq!(constant(assigned(&model, 1)), None);
}

#[test]
fn chains_stay_flat() {
    let chain = (0..5000).map(|_| "x = y").collect::<Vec<_>>().join(" & ");
    let model = accepts("var x: 0..9; y: 0..9; b: boolean;", &format!("b := ({chain}) & (x = 1 & y = 1);"));
    match &assigned(&model, 0).kind {
        ExpressionKind::And(parts) => assert_eq!(parts.len(), 5002),
        other => panic!("a conjunction, not {other:?}"),
    }
}

#[test]
fn members_are_converted_to_their_union_and_back() {
    let model = accepts(
        "type p: scalarset(2); e: enum { m, n }; u: union { p, e }; v: union { e, p };
         var x: u; y: e; z: v; a: array [u] of boolean; b: boolean;",
        "x := y; y := x; x := n; z := x; a[y] := true; b := x = z;",
    );
    let pieces = |at: usize| match &assigned(&model, at).kind {
        ExpressionKind::Convert { pieces, .. } => pieces.clone(),
        other => panic!("a conversion, not {other:?}"),
    };
    assert_eq!(pieces(0), [ConvertPiece { low: 0, high: 1, shift: 2 }]);
    assert_eq!(pieces(1), [ConvertPiece { low: 2, high: 3, shift: -2 }]);
    assert_eq!(constant(assigned(&model, 2)), Some(3));
    assert_eq!(
        pieces(3),
        [ConvertPiece { low: 0, high: 1, shift: 2 }, ConvertPiece { low: 2, high: 3, shift: -2 }]
    );
    let StatementKind::Assign { target, .. } = &model.rules[0].body[4].kind else { panic!("an assignment") };
    let Some(Step::Index(index)) = target.steps.first() else { panic!("an index") };
    assert!(matches!(index.kind, ExpressionKind::Convert { .. }));
}

#[test]
fn unions_that_overlap_are_compared_in_one_that_holds_both() {
    let model = accepts(
        "type e: enum { m }; f: enum { n }; g: enum { o }; u: union { e, f }; v: union { f, g };
         var x: u; y: v; b: boolean;",
        "b := x = y;",
    );
    let ExpressionKind::Compare { left, right, .. } = &assigned(&model, 0).kind else {
        panic!("a comparison")
    };
    assert_eq!(left.ty, right.ty);
    assert_eq!(model.bounds(left.ty), Some((0, 2)));
}

#[test]
fn domains_are_constant_where_they_can_be() {
    let model = accepts(
        "const n: 4; var x: 0..9;",
        "for i := 1 to n - 1 do x := i; end; for i := 1 to n by 2 do x := i; end; for i := 2 to x do x := i; end;",
    );
    let domains: Vec<_> = model.rules[0]
        .body
        .iter()
        .map(|statement| match &statement.kind {
            StatementKind::For { binder, .. } => {
                let ty = model.rules[0].frame.locals[binder.variable.index()].ty;
                (matches!(binder.domain, Domain::Constant { low: 1, high: 3 }), model.bounds(ty))
            }
            other => panic!("a loop, not {other:?}"),
        })
        .collect();
    assert_eq!(domains, [(true, Some((1, 3))), (false, Some((1, 4))), (false, Some((0, 9)))]);
}

#[test]
fn undefined_is_assigned_by_undefine() {
    let model = accepts("var x: 0..9; r: record a: 0..1; end;", "x := undefined; r := undefined; r := r;");
    assert!(matches!(model.rules[0].body[0].kind, StatementKind::Undefine(_)));
    assert!(matches!(model.rules[0].body[1].kind, StatementKind::Undefine(_)));
    assert!(matches!(model.rules[0].body[2].kind, StatementKind::Copy { .. }));
}

#[test]
fn an_alias_of_a_constant_leaves_no_trace() {
    let model = accepts("var x: 0..9;", "alias n: 2 + 2 do x := n; end;");
    assert_eq!(constant(assigned(&model, 0)), Some(4));
}
