//! Statements: what may be written, and what stands where.

use super::{accepts, refuses, warns};

const DECLARATIONS: &str = "type e: enum { one, two }; var x: 0..7; b: boolean; v: e;
    r: record f: boolean; end; a: array [0..7] of 0..7; m: multiset [3] of 0..7;";

#[test]
fn only_variables_are_assigned() {
    accepts(DECLARATIONS, "x := 1; r.f := b; a[x] := a[x + 1]; x := undefined; r := undefined; undefine a;");
    refuses(DECLARATIONS, "one := two;", &["not-assignable: one"]);
    refuses(DECLARATIONS, "for i := 0 to 3 do i := 1; end;", &["not-assignable: i"]);
    refuses(DECLARATIONS, "alias n: x + 1 do n := 2; end;", &["not-assignable: n"]);
    refuses(DECLARATIONS, "clear one; undefine two;", &["not-assignable: one", "not-assignable: two"]);
    refuses(DECLARATIONS, "true := b;", &["not-assignable: true"]);
}

#[test]
fn aliases_stand_for_places_values_and_constants() {
    accepts(DECLARATIONS, "alias p: a[x]; q: p do q := 1; end; alias n: x + 1 do x := n; end;");
    accepts(DECLARATIONS, "alias n: 3 do for i: 0..n do a[i] := n; end; end;");
}

#[test]
fn conditions_are_booleans() {
    refuses(
        DECLARATIONS,
        "if x then end; while v do end; assert a; assume 1; cover r;",
        &[
            "boolean-needed: x",
            "boolean-needed: v",
            "boolean-needed: a",
            "boolean-needed: 1",
            "boolean-needed: r",
        ],
    );
}

#[test]
fn cases_fit_their_switch() {
    accepts(
        DECLARATIONS,
        "switch v case one: x := 1; case two: x := 2; else x := 3; end; switch x case 1, x + 1: end;",
    );
    refuses(DECLARATIONS, "switch v case 1: end;", &["type-mismatch: 1"]);
    refuses(DECLARATIONS, "switch r end;", &["switch-compound: r"]);
    warns(DECLARATIONS, "switch x case 1, 2: case 2: end;", &["repeated-case: 2"]);
}

#[test]
fn loops_may_be_empty_but_not_endless() {
    accepts(DECLARATIONS, "for i := 1 to 0 do x := i; end; for i := 3 to 1 by -1 do x := i; end;");
    accepts(DECLARATIONS, "for i := x to a[x] by x do x := i; end;");
    warns(DECLARATIONS, "for i := 0 to 3 by -1 do x := i; end;", &["wrong-direction: -1"]);
    refuses(DECLARATIONS, "for i := 0 to 3 by 0 do x := i; end;", &["zero-step: 0"]);
}

#[test]
fn multisets_take_elements_of_their_type() {
    accepts(DECLARATIONS, "multisetadd(x, m); multisetremovepred(i: m, m[i] = 2); clear m;");
    refuses(DECLARATIONS, "multisetadd(b, m);", &["type-mismatch: b"]);
    refuses(DECLARATIONS, "multisetadd(x, a);", &["not-a-multiset: a"]);
    refuses(DECLARATIONS, "multisetremove(1, m);", &["multiset-index: 1"]);
}

#[test]
fn put_prints_what_has_a_value() {
    accepts(DECLARATIONS, "put x; put a; put x + 1; put \"text\"; put r;");
}
