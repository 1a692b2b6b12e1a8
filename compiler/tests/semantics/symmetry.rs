//! Scalarsets: what would tell their elements apart.

use super::{accepts, help, refuses, warns};

const DECLARATIONS: &str = "type p: scalarset(3); u: union { p, enum { none } };
    var x: p; y: u; n: 0..9; a: array [p] of 0..9; b: boolean; r: record owner: p; end; m: multiset [2] of p;
    g: array [p] of array [p] of 0..9; table: array [0..9] of p; boss: p;
    own: array [p] of record owner: p; done: boolean; end;
    procedure touch(q: p); begin a[q] := 1; own[q].done := false; end;
    procedure post(q: p); begin multisetadd(q, m); end;
    procedure elect(q: p); begin if isundefined(boss) then boss := q; end; end;
    procedure store(var slot: p; q: p); begin slot := q; end;
    procedure reset(var it: record owner: p; done: boolean; end); begin undefine it; it.done := true; end;
    function size(q: p): 0..9; var t: 0..9; begin t := 0; if a[q] = 3 then t := 1; end; return t; end;
    function is(q: p): boolean; begin return a[q] = 1; end;
    function takes(q: p): boolean; begin x := q; return true; end;
    function sinks(k: 0..9; q: p): boolean; begin x := q; if k = 0 then return true; end; return sinks(k - 1, q); end;";

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

/// A model whose start state leaves nothing undefined that is read here: what cannot fail need not
/// fail in the same order.
fn initialised(declarations: &str, body: &str) -> String {
    super::model(declarations, body)
        .replace("startstate begin end;", "startstate begin clear a; clear b; clear n; end;")
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
        "for i: p do if a[i] = 1 then a[i] := 0; n := n - 1; end; end;",
        "for i: p do a[own[i].owner] := 3; end;",
        "for i: p do a[own[i].owner] := a[own[i].owner] + 1; end;",
        "for i: p do for j: p do if i != j then g[i][j] := g[i][j] + 1; end; end; end;",
        "alias o: own do for i: p do alias me: i do o[me].owner := x; end; end; end;",
        "for i: p do n := multisetcount(k: m, m[k] = x); end;",
        "for i: p do multisetremovepred(k: m, m[k] = i & a[i] > 0); end;",
        "for i: p do touch(i); reset(own[i]); post(i); n := n + size(i); end;",
        "if exists i: p do is(i) end then n := 1; end;",
        "for i: p do b := !b; end;",
        "for i: p do if i = x then n := a[i]; end; end;",
        "for i: p do if i != x then a[i] := 0; else n := a[i]; end; end;",
        "for i: p do for j: p do if i = j then own[j].done := a[i] = 1; end; end; end;",
        "for i: p do n := n + 1 + a[i]; end;",
        "for i: p do n := (n + 1) % 3; end;",
        "for i: p do n := n * 2; end;",
        "for i: p do n := 9 - n; end;",
        "for i: p do n := a[i] > n ? a[i] : n; end;",
        "for i: p do if own[i].done & a[i] < n then n := a[i]; end; end;",
        "for i: p do b := b & (a[i] = 1); end;",
        "for i: p do b := (a[i] = 1) & b; end;",
        "for i: p do b := b & true; end;",
        "for i: p do if multisetcount(k: m, m[k] = i) = 0 then multisetadd(i, m); end; end;",
        "for i: p do if multisetcount(k: m, m[k] = i) != 0 then a[i] := 1; multisetremovepred(k: m, m[k] = i); end; end;",
        "for i: p do assert multisetcount(k: m, true) < 2; multisetadd(i, m); end;",
        "for i: p do if n < 9 then n := n + 1; end; end;",
        "for i: p do a[i] := a[x]; end;",
        "for i: p do b := true; switch a[i] case 1: own[i].done := true; else undefine own[i]; end; end;",
    ] {
        assert_eq!(super::check(&initialised(DECLARATIONS, body)).1, [], "{body}");
    }
}

#[test]
fn one_element_has_no_order() {
    accepts("type one: scalarset(1); var x: one; n: 0..9;", "for i: one do x := i; n := n + 1; end;");
}

#[test]
fn a_start_state_is_executed_as_it_stands() {
    let text = super::model(DECLARATIONS, "")
        .replace("startstate begin end;", "startstate begin for i: p do x := i; end; end;");
    assert_eq!(super::check(&text).1, []);
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
        ("for i: p do if a[i] = 1 then b := true; else b := false; end; end;", "b"),
        ("for i: u do y := i; end;", "y"),
        ("alias z: r.owner do for i: p do z := i; end; end;", "r"),
        ("for i: p do if isundefined(x) then x := i; end; end;", "x"),
        ("for i: p do table[n] := i; n := n + 1; end;", "table"),
        ("for i: p do elect(i); end;", "boss"),
        ("for i: p do store(r.owner, i); end;", "r"),
        ("for i: p do store(own[x].owner, i); end;", "own"),
        ("for i: p do if takes(i) then n := 1; end; end;", "x"),
        ("for i: p do own[own[i].owner].owner := i; end;", "own"),
        ("for i: p do for j: p do g[i][j] := g[j][i]; end; end;", "g"),
        ("for i: p do if a[i] = 1 then n := n + 1; else n := n - 1; end; end;", "n"),
        ("for i: p do if a[i] = 1 then clear b; else undefine b; end; end;", "b"),
        ("for i: p do multisetadd(i, m); n := multisetcount(k: m, true); end;", "m"),
        ("for i: p do multisetadd(i, m); multisetremovepred(k: m, m[k] = x); end;", "m"),
    ] {
        let domain = if body.contains("i: u") { "i: u" } else { "i: p" };
        let text = super::model(DECLARATIONS, body);
        let (_, diagnostics) = super::check(&text);
        assert_eq!(diagnostics.first().map(|one| one.code), Some("dependent-iterations"), "{text}");
        assert!(diagnostics[0].primary.span.text(&text).contains(domain), "{text}");
        assert!(diagnostics[0].message.contains(&format!("`{variable}`")), "{}", diagnostics[0].message);
    }
}

#[test]
fn leaving_a_loop_early_may_depend_on_the_order() {
    let search = "function any(): boolean; begin for i: p do if a[i] = 1 then return true; end; end; return false; end;";
    assert_eq!(super::check(&initialised(&format!("{DECLARATIONS} {search}"), "b := any();")).1, []);
    // An element that is undefined is found or not, depending on who comes first.
    warns(&format!("{DECLARATIONS} {search}"), "b := any();", &["dependent-iterations: i: p"]);
    let first = "function first(): p; begin for i: p do if a[i] = 1 then return i; end; end; end;";
    warns(&format!("{DECLARATIONS} {first}"), "x := first();", &["dependent-iterations: i: p"]);
    // What is never called makes no difference.
    accepts(&format!("{DECLARATIONS} {first}"), "");
}

/// A local that keeps something from one iteration to the next, or to what comes after the loop.
#[test]
fn a_scratch_variable_that_carries_something_over() {
    let with = |body: &str| {
        let rule = format!(
            "rule var t: 0..9; s: array [0..2] of 0..9; c: record f: p; g: 0..9; end; o: array [p] of 0..9; begin {body}"
        );
        super::check(&super::model(DECLARATIONS, "").replace("rule begin", &rule)).1
    };
    for body in [
        "for i: p do t := 0; for j: p do t := t + a[j]; end; own[i].done := t > 2; end;",
        "for i: p do if a[i] = 1 then t := 1; else t := 2; end; a[i] := t; end; t := 1; n := t;",
        "for i: p do c.f := i; c.g := 1; if c.f = x then a[i] := c.g; end; end;",
        "for i: p do for k: 0..2 do s[k] := a[i]; end; a[i] := s[1]; end;",
        "for i: p do for k: 0..2 do s[k] := a[i]; a[i] := s[k]; end; end;",
        "for i: p do o[i] := a[i]; a[i] := o[i]; end;",
    ] {
        assert_eq!(with(body), [], "{body}");
    }
    for body in [
        "for i: p do if a[i] = 1 then t := 1; end; a[i] := t; end;",
        "for i: p do o[i] := a[i]; own[i].done := a = o; end;",
        "for i: p do for j: p do if i = j then o[j] := a[i]; own[i].done := a = o; end; end; end;",
        "for i: p do a[i] := t; t := 1; end;",
        "for i: p do t := a[i]; a[i] := t; end; n := t;",
        "while n > 0 do a[x] := t; for i: p do t := a[i]; end; end;",
        "for i: p do for k: 0..1 do s[k] := a[i]; end; a[i] := s[n]; end;",
        "t := 0; for i: p do t := t + 1; if i = x then n := t; end; end;",
    ] {
        let codes: Vec<_> = with(body).iter().map(|one| one.code).collect();
        assert!(codes.contains(&"dependent-iterations"), "{body}: {codes:?}");
    }
}

#[test]
fn results_that_differ_depend_on_who_is_first() {
    let first = "function first(): 0..9; begin for i: p do if a[i] = 1 then return 1; elsif a[i] = 2 then return 2; end; end; return 0; end;";
    warns(&format!("{DECLARATIONS} {first}"), "n := first();", &["dependent-iterations: i: p"]);
    let rank = "function rank(q: p): 0..9; var t: 0..9; begin t := 0; for i: p do t := t + 1; if i = q then return t; end; end; end;";
    warns(
        &format!("{DECLARATIONS} {rank}"),
        "n := rank(x);",
        &["dependent-iterations: i: p", "dependent-iterations: i: p"],
    );
}

#[test]
fn quantifiers_and_conditions_on_elements_have_no_effects() {
    warns(DECLARATIONS, "if exists i: p do takes(i) end then n := 1; end;", &["dependent-iterations: i: p"]);
    warns(
        DECLARATIONS,
        "n := multisetcount(k: m, takes(m[k]));",
        &["dependent-slots: multisetcount(k: m, takes(m[k]))"],
    );
    warns(
        DECLARATIONS,
        "multisetremovepred(k: m, takes(m[k]));",
        &["dependent-slots: multisetremovepred(k: m, takes(m[k]))"],
    );
}

#[test]
fn a_slot_belongs_to_one_multiset() {
    let declarations = "type p: scalarset(2); bag: multiset [2] of p;
        var one: bag; two: bag; net: array [p] of bag; pair: record left: bag; right: bag; end; at: p; n: 0..2;";
    let with = |around: &str, body: &str| {
        let rule = format!("{around} rule begin {body} end; end;");
        super::check(&format!("{declarations} startstate begin undefine at; end; {rule}"))
            .1
            .iter()
            .map(|one| (one.code, one.severity == mcc_murphi::diagnostics::Severity::Error))
            .collect::<Vec<_>>()
    };
    for (around, body) in [
        ("choose i: one do", "at := one[i]; multisetremove(i, one);"),
        ("choose i: net[at] do", "multisetremove(i, net[at]);"),
        ("choose i: pair.left do", "alias bag: pair.left do at := bag[i]; end;"),
        ("alias bag: net[at] do choose i: bag do", "multisetremove(i, net[at]);"),
        ("ruleset q: p do choose i: net[q] do", "n := multisetcount(j: net[q], net[q][j] = net[q][i]);"),
    ] {
        let text = format!(
            "{declarations} startstate begin undefine at; end; {around} rule begin {body} end; {}",
            "end;".repeat(around.matches(" do").count())
        );
        assert_eq!(super::check(&text).1, [], "{text}");
    }
    for body in [
        "multisetremove(i, two);",
        "at := net[at][i];",
        "at := pair.left[i];",
        "n := multisetcount(j: two, two[j] = two[i]);",
        "multisetremovepred(j: two, one[j] = at);",
    ] {
        assert_eq!(with("choose i: one do", body), [("multiset-index", true)], "{body}");
    }
    assert_eq!(with("choose i: pair.left do", "multisetremove(i, pair.right);"), [("multiset-index", true)]);
    // It may be the same one, or another.
    for body in ["multisetremove(i, net[net[at][i]]);", "at := net[at][i]; multisetremove(i, net[at]);"] {
        let codes = with("choose i: net[at] do", body);
        assert!(codes.contains(&("other-multiset", false)), "{body}: {codes:?}");
    }
}
