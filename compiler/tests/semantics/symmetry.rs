//! Scalarsets: what would tell their elements apart.

use super::{accepts, help, refuses, warns};

const DECLARATIONS: &str = "type p: scalarset(3); u: union { p, enum { none } };
    var x: p; y: u; n: 0..9; a: array [p] of 0..9; b: boolean; r: record owner: p; end; m: multiset [2] of p;
    own: array [p] of record owner: p; done: boolean; end;";

#[test]
fn elements_are_compared_assigned_indexed_and_enumerated() {
    accepts(
        DECLARATIONS,
        "for i: p do a[i] := 1; if i = x | y = i then own[i].done := true; end; end; x := y; y := x; y := none;",
    );
}

#[test]
fn elements_are_no_numbers() {
    refuses(DECLARATIONS, "x := 1;", &["scalarset-literal: 1"]);
    refuses(DECLARATIONS, "n := x;", &["scalarset-as-number: x"]);
    refuses(DECLARATIONS, "n := x + 1;", &["scalarset-as-number: x"]);
    refuses(DECLARATIONS, "b := x < x;", &["scalarset-order: x"]);
    refuses(DECLARATIONS, "a[1] := 2;", &["scalarset-literal: 1"]);
    refuses(
        DECLARATIONS,
        "for i := x to x do n := 1; end;",
        &["scalarset-as-number: x", "scalarset-as-number: x"],
    );
    refuses("type p: scalarset(2); q: scalarset(2); var x: p; y: q;", "x := y;", &["type-mismatch: y"]);
}

#[test]
fn clear_needs_a_smallest_value() {
    refuses(
        DECLARATIONS,
        "clear x; clear y; clear r; clear m;",
        &["clear-scalarset: x", "clear-scalarset: y", "clear-scalarset: r", "clear-scalarset: m"],
    );
    assert_eq!(help(DECLARATIONS, "clear x;"), "use `undefine`, or assign each part");
    accepts(DECLARATIONS, "clear a; clear n;");
}

#[test]
fn independent_iterations_are_fine() {
    for body in [
        "for i: p do n := n + a[i]; end;",
        "for i: p do if a[i] > 3 then b := true; end; end;",
        "for i: p do b := b | a[i] = 1; end;",
        "for i: p do multisetadd(i, m); end;",
        "for i: p do undefine x; end;",
        "for i: p do own[i].owner := i; alias o: own[i] do o.done := o.owner = i; end; end;",
        "for i: p do if a[i] > n then n := a[i]; end; end;",
        "for i: 0..9 do n := i; end;",
    ] {
        accepts(DECLARATIONS, body);
    }
}

#[test]
fn a_scratch_variable_carries_nothing_over() {
    let text = super::model(DECLARATIONS, "").replace(
        "rule begin",
        "rule var t: 0..9; begin for i: p do t := a[i]; if t > 2 then a[i] := t - 1; end; end;",
    );
    assert_eq!(super::check(&text).1, []);
}

#[test]
fn dependent_iterations_are_warned_about() {
    for (body, variable) in [
        ("for i: p do x := i; end;", "x"),
        ("for i: p do n := a[i]; end;", "n"),
        ("for i: p do if n = 0 then n := 1; a[i] := 2; end; end;", "n"),
        ("for i: p do b := !b; end;", "b"),
        ("for i: p do if a[i] = 1 then b := true; else b := false; end; end;", "b"),
        ("for i: u do y := i; end;", "y"),
        ("alias z: r.owner do for i: p do z := i; end; end;", "r"),
    ] {
        let domain = if body.contains("i: u") { "i: u" } else { "i: p" };
        warns(DECLARATIONS, body, &[format!("dependent-iterations: {domain}").as_str()]);
        let (_, diagnostics) = super::check(&super::model(DECLARATIONS, body));
        assert!(diagnostics[0].message.contains(&format!("`{variable}`")), "{}", diagnostics[0].message);
    }
}

#[test]
fn leaving_a_loop_early_may_depend_on_the_order() {
    let search = "function any(): boolean; begin for i: p do if a[i] = 1 then return true; end; end; return false; end;";
    accepts(&format!("{DECLARATIONS} {search}"), "");
    let first = "function first(): p; begin for i: p do if a[i] = 1 then return i; end; end; end;";
    warns(&format!("{DECLARATIONS} {first}"), "", &["dependent-iterations: i: p"]);
}
