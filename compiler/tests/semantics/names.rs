//! Names: scopes, duplicates, misspellings, and the order of declarations.

use super::{accepts, check, help, model, refuses};

#[test]
fn inner_names_shadow_outer_ones() {
    accepts(
        "type t: 0..3; var x: t; a: array [t] of t;
         function f(x: t): t; var a: t; begin a := x; return a; end;",
        "for x: t do a[x] := x; end; alias x: a[0] do x := f(x); end;
         a[1] := (forall x: t do a[x] = x end) ? 1 : 0;",
    );
}

#[test]
fn a_name_is_declared_once_in_a_scope() {
    refuses("var x: 0..1; x: boolean;", "x := true; x := 1;", &["duplicate-name: x"]);
    refuses("type a: enum { one, two }; b: enum { two };", "", &["duplicate-name: two"]);
    refuses("const x: 1; type x: 0..1;", "", &["duplicate-name: x"]);
    refuses("procedure p(); begin end; procedure p(); begin end;", "", &["duplicate-name: p"]);
    refuses("var true: boolean;", "", &["reserved-name: true"]);
}

#[test]
fn a_duplicate_points_to_the_first() {
    let text = model("var x: 0..1; x: 0..1;", "");
    let (_, diagnostics) = check(&text);
    let first = diagnostics.first().expect("one diagnostic");
    assert_eq!(first.secondary.len(), 1);
    assert_eq!(first.secondary[0].span.start, 4);
}

#[test]
fn booleans_are_known_in_any_case() {
    accepts("var b: BOOLEAN;", "b := TRUE; b := False; b := true;");
}

#[test]
fn bodies_may_use_what_is_declared_later() {
    let (model, diagnostics) = check(
        "startstate begin x := f(1); end;
         rule begin p(); end;
         procedure p(); begin x := f(x); end;
         function f(n: t0): t0; begin return n; end;
         var x: t0;
         type t0: 0..1;",
    );
    // Types are needed where they are declared; everything else may come later.
    assert!(model.is_none());
    assert!(diagnostics.iter().all(|one| one.code == "unknown-type"), "{diagnostics:#?}");
    let (model, diagnostics) = check(
        "type t0: 0..1;
         startstate begin x := f(1); end;
         rule begin p(); end;
         procedure p(); begin x := f(x); end;
         function f(n: t0): t0; begin return n; end;
         var x: t0;",
    );
    assert_eq!(diagnostics, []);
    assert!(model.is_some());
}

#[test]
fn misspelt_names_get_a_suggestion() {
    refuses("var turn: 0..1;", "trun := 1;", &["unknown-name: trun"]);
    assert_eq!(help("var turn: 0..1;", "trun := 1;"), "did you mean `turn`?");
    assert_eq!(help("type state: 0..1; var s: State;", ""), "did you mean `state`?");
    assert_eq!(help("var r: record left: 0..1; end;", "r.lefft := 1;"), "did you mean `left`?");
    assert_eq!(help("procedure send(); begin end;", "sendd();"), "did you mean `send`?");
    assert_eq!(help("var b: bool;", ""), "did you mean `boolean`?");
    assert_eq!(help("var n: integer;", ""), "numbers are subranges here, such as `0 .. 7`");
}

#[test]
fn one_mistake_is_reported_once() {
    refuses(
        "type t: array [nowhere] of boolean; var a: t; b: t;",
        "a := b; a[1] := true; if a[2] & b[3] then b := a; end; for i: t do a[i] := 1; end;",
        &["unknown-type: nowhere"],
    );
    refuses("", "x := 1; x := x + 1; if x = 2 then x := 0; end;", &["unknown-name: x"]);
    refuses("const c: 1 / 0; var x: 0..c;", "x := c;", &["division-by-zero: 1 / 0"]);
}

#[test]
fn all_mistakes_are_reported_in_one_run() {
    refuses(
        "var x: 0..3; b: boolean;",
        "x := true; b := 1; y := 2; x.f := 1; if x then b := false; end;",
        &[
            "type-mismatch: true",
            "type-mismatch: 1",
            "unknown-name: y",
            "not-a-record: x",
            "boolean-needed: x",
        ],
    );
}

#[test]
fn the_kind_of_a_name_matters() {
    refuses("type t: 0..1; var x: t;", "x := t;", &["type-as-value: t"]);
    refuses("var v: 0..1; w: v;", "", &["not-a-type: v"]);
    refuses("var v: 0..1;", "v();", &["not-a-function: v"]);
    refuses("var v: 0..1;", "nothing(v);", &["unknown-function: nothing"]);
    refuses("var v: 0..1; function f(): 0..1; begin return 1; end;", "v := f;", &["function-as-value: f"]);
}

#[test]
fn types_are_found_past_variables_of_the_same_name() {
    accepts("type state: 0..3; var s: state;", "for state: 0..1 do for i: state do s := i; end; end;");
}

#[test]
fn enum_members_of_a_rule_belong_to_it() {
    let text = "var x: 0..1;
        startstate begin x := 0; end;
        rule var e: enum { up, down }; begin e := up; end;
        rule var e: enum { up, down }; begin e := down; end;";
    assert_eq!(check(text).1, []);
}
