//! Types: bounds, sizes, and what fits where.

use super::{accepts, refuses};
use mcc_murphi::semantics::model::TypeKind;

#[test]
fn bounds_are_constants_of_the_right_kind() {
    accepts("const n: 3; m: -n * 2 + 10 % 4; type t: m .. n << 2; var x: t;", "x := 1;");
    refuses("var x: 0..1; y: 0..x;", "", &["not-constant: x"]);
    refuses("var x: 3..1;", "", &["empty-range: 3..1"]);
    refuses("var x: 0..true;", "", &["number-needed: true"]);
    refuses("type t: scalarset(0);", "", &["scalarset-size: 0"]);
    refuses("type t: multiset[0] of boolean;", "", &["multiset-size: 0"]);
    refuses("const c: 9223372036854775807 + 1;", "", &["arithmetic-overflow: 9223372036854775807 + 1"]);
    refuses("const c: 1 << 64;", "", &["shift-out-of-range: 1 << 64"]);
    accepts("const low: -9223372036854775808; var x: low .. low + 1;", "x := low;");
    accepts("var x: -9223372036854775808 .. 9223372036854775807;", "x := 0;");
    refuses("var x: -9223372036854775809 .. 0;", "", &["number-too-large: 9223372036854775809"]);
}

#[test]
fn constants_may_be_of_any_simple_kind() {
    accepts(
        "type colour: enum { red, green };
         const favourite: green; yes: 1 < 2; n: yes ? 4 : 1 / 0;
         var c: colour; b: boolean; a: array [0..n] of colour;",
        "c := favourite; b := yes & favourite = green; a[n] := c;",
    );
    refuses("var x: 0..1; const c: x;", "", &["not-constant: x"]);
}

#[test]
fn what_mcc_does_not_support_is_refused_by_name() {
    refuses("type r: real(4, 10);", "", &["unsupported-real: real(4, 10)"]);
    refuses("var x: 0..3;", "x := 1.5;", &["unsupported-real: 1.5"]);
}

#[test]
fn arrays_need_a_finite_index() {
    refuses("type r: record a: 0..1; end; a: array [r] of 0..1;", "", &["array-index-type: r"]);
    refuses("var a: array [0..100000000] of boolean;", "", &["array-too-large: 0..100000000"]);
    let row = "type row: array [0..1000000] of 0..1000000;";
    refuses(&format!("{row} var t: array [0..1000] of row;"), "", &["type-too-large: 0..1000"]);
    let many = (0..40).map(|n| format!("r{n}")).collect::<Vec<_>>().join(", ");
    refuses(&format!("{row} var {many}: row;"), "", &["state-too-large: r0"]);
}

#[test]
fn records_have_a_name_space_of_their_own() {
    accepts("type a: 0..1; r: record a: a; r: boolean; end; e: record end; var x: r; y: e;", "x.a := 1;");
    refuses("type r: record a: 0..1; b, a: boolean; end;", "", &["duplicate-field: a"]);
    refuses("var r: record a: 0..1; end;", "r.b := 1;", &["unknown-field: b"]);
    refuses("var x: 0..1;", "x[0] := 1;", &["not-an-array: x"]);
}

#[test]
fn unions_join_enums_and_scalarsets() {
    let model = accepts(
        "type p: scalarset(2); q: scalarset(3);
         inner: union { p, enum { nobody } }; outer: union { inner, q };
         var x: outer; i: inner;",
        "i := x; x := i; x := nobody;",
    );
    let outer = model.types.iter().find(|ty| ty.name.as_deref() == Some("outer")).expect("declared");
    let TypeKind::Union(union) = &outer.kind else { panic!("a union") };
    let stretches: Vec<_> = union.members.iter().map(|member| (member.first, member.count)).collect();
    assert_eq!(stretches, [(0, 2), (2, 1), (3, 3)]);
    refuses("type p: scalarset(2); u: union { p, p };", "", &["duplicate-union-member: p"]);
    refuses("type p: scalarset(2); u: union { p, 0..1 };", "", &["union-member: 0..1"]);
}

#[test]
fn subranges_mix_and_other_types_do_not() {
    accepts("var x: 0..3; y: 2..9;", "x := y; y := x + 1; if x = y | x < y then x := 0; end;");
    refuses("type e: enum { a }; f: enum { b }; var x: e;", "x := b;", &["type-mismatch: b"]);
    refuses(
        "type e: enum { a }; var x: e; y: 0..1;",
        "y := a; x := 0;",
        &["type-mismatch: a", "type-mismatch: 0"],
    );
    refuses("var b: boolean; x: 0..1;", "b := x;", &["type-mismatch: x"]);
    refuses("type e: enum { a }; f: enum { b };", "if a = b then end;", &["incomparable: a = b"]);
}

#[test]
fn compound_types_are_the_same_if_their_parts_are() {
    let model = accepts(
        "type a: record x: 0..3; f: array [boolean] of 0..1; end;
         type bit: 0..1; b: record x: 0..3; f: array [boolean] of bit; end;
         var one: a; other: b; third: record x: 0..3; f: array [boolean] of bit; end;",
        "one := other; third := one; if one = third then one := other; end;",
    );
    assert_eq!(model.globals[0].ty, model.globals[1].ty);
    assert_eq!(model.globals[0].ty, model.globals[2].ty);
    refuses("var a: record x: 0..3; end; b: record x: 0..4; end;", "a := b;", &["type-mismatch: b"]);
    refuses(
        "var a: record x: 0..3; end; b: record y: 0..3; end;",
        "if a = b then end;",
        &["incomparable: a = b"],
    );
}

#[test]
fn an_alias_type_is_the_type_itself() {
    let model = accepts("type a: enum { x }; b: a; var p: a; q: b;", "p := q;");
    assert_eq!(model.globals[0].ty, model.globals[1].ty);
    assert_eq!(model.ty(model.globals[1].ty).name.as_deref(), Some("a"));
}

#[test]
fn an_array_indexed_by_a_union_may_hold_multisets() {
    accepts(
        "type p: scalarset(2); node: union { p, enum { home } }; message: record from: node; end;
         var net: array [node] of multiset [3] of message; m: message; n: 0..3; x: p;",
        "m.from := x; multisetadd(m, net[home]); multisetadd(m, net[x]);
         switch m.from case home: n := multisetcount(i: net[x], net[x][i].from = home); else n := 0; end;
         multisetremovepred(i: net[m.from], net[m.from][i].from = x);",
    );
}

#[test]
fn anonymous_scalarsets_of_one_size_are_one_type() {
    accepts("var x: scalarset(3); y: scalarset(3);", "x := y;");
    refuses("var x: scalarset(3); y: scalarset(2);", "x := y;", &["type-mismatch: y"]);
}
