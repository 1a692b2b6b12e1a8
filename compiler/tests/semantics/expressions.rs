//! Expressions: operators, quantifiers, and questions about variables.

use super::{accepts, refuses, warns};

const DECLARATIONS: &str = "type e: enum { one, two }; var x: 0..7; y: 0..7; b: boolean; v: e;
    r: record f: boolean; end;";

#[test]
fn operators_need_the_right_kind() {
    refuses(DECLARATIONS, "x := b + 1;", &["number-needed: b"]);
    refuses(DECLARATIONS, "x := -v;", &["number-needed: v"]);
    refuses(DECLARATIONS, "b := !x;", &["boolean-needed: x"]);
    refuses(DECLARATIONS, "b := b -> x;", &["boolean-needed: x"]);
    refuses(DECLARATIONS, "b := one < two;", &["order-needs-numbers: one"]);
    refuses(DECLARATIONS, "x := ~v;", &["number-needed: v"]);
    refuses(DECLARATIONS, "x := -r;", &["number-needed: r"]);
}

#[test]
fn ampersand_and_bar_follow_their_operands() {
    accepts(DECLARATIONS, "x := x & 3 & y; x := x | y; b := b & x = 1 | b; b := b && x = 1;");
    refuses(DECLARATIONS, "b := b & x;", &["boolean-needed: x"]);
    refuses(DECLARATIONS, "x := x & b;", &["number-needed: b"]);
    refuses(DECLARATIONS, "b := x && b;", &["boolean-needed: x"]);
}

#[test]
fn both_results_of_a_conditional_fit_together() {
    accepts(DECLARATIONS, "x := b ? 1 : y; v := b ? one : v;");
    refuses(DECLARATIONS, "x := b ? 1 : one;", &["type-mismatch: b ? 1 : one"]);
    refuses(DECLARATIONS, "x := x ? 1 : 2;", &["boolean-needed: x"]);
}

#[test]
fn constants_that_cannot_work_are_warned_about() {
    warns(DECLARATIONS, "x := y / 0;", &["division-by-zero: y / 0"]);
    warns(DECLARATIONS, "x := 1 % (1 - 1);", &["division-by-zero: 1 % (1 - 1)"]);
    warns(DECLARATIONS, "x := 8;", &["out-of-range: 8"]);
    accepts(DECLARATIONS, "if 1 > 2 then x := 8; end; b := true | x / 0 = 1; x := true ? 1 : 9 / 0;");
    warns("var a: array [0..3] of boolean;", "a[4] := true;", &["out-of-range: 4"]);
}

#[test]
fn quantifiers_need_a_domain_and_a_boolean() {
    accepts(DECLARATIONS, "b := forall i: e; j := 0 to x by 2 do i = v -> j = x end;");
    accepts(DECLARATIONS, "b := exists i: enum { left, right } do i = left end;");
    refuses(DECLARATIONS, "b := forall i: 0..3 do i end;", &["boolean-needed: i"]);
    refuses(
        "var b: boolean; type t: array [boolean] of boolean;",
        "b := forall i: t do b end;",
        &["domain-not-simple: t"],
    );
    refuses(DECLARATIONS, "b := exists i := 0 to 4 by 0 do b end;", &["zero-step: 0"]);
    refuses(
        DECLARATIONS,
        "b := exists i := false to true do b end;",
        &["number-needed: false", "number-needed: true"],
    );
}

#[test]
fn isundefined_needs_a_simple_variable() {
    accepts(DECLARATIONS, "b := isundefined(x) | isundefined(r.f);");
    accepts(DECLARATIONS, "for i: e do b := isundefined(i); end;");
    refuses(DECLARATIONS, "b := isundefined(r);", &["isundefined-compound: r"]);
    refuses(DECLARATIONS, "b := isundefined(one);", &["isundefined-value: one"]);
    refuses(DECLARATIONS, "b := x = undefined;", &["undefined-value: undefined"]);
}

#[test]
fn ismember_asks_about_parts_of_a_union() {
    let unions = "type p: scalarset(2); q: scalarset(2); u: union { p, enum { none, all } }; var x: u; b: boolean; n: 0..3;";
    accepts(unions, "b := ismember(x, p); b := ismember(x, enum { none, all });");
    warns(unions, "b := ismember(x, q);", &["ismember-never: ismember(x, q)"]);
    refuses(unions, "b := ismember(n, p);", &["ismember-value: n"]);
    refuses(unions, "b := ismember(x, boolean);", &["ismember-type: boolean"]);
    refuses(unions, "b := ismember(x, enum { none, nothing });", &["unknown-name: nothing"]);
}

#[test]
fn numbers_have_64_bits() {
    accepts("var b: boolean;", "b := -9223372036854775808 < 9223372036854775807;");
    warns(
        "var b: boolean;",
        "b := 9223372036854775807 + 1 > 0;",
        &["arithmetic-overflow: 9223372036854775807 + 1"],
    );
}

#[test]
fn multisets_are_read_by_their_own_slots() {
    let bags = "type bag: multiset [4] of 0..3; var m: bag; n: multiset [2] of 0..3; x: 0..4; a: array [boolean] of bag;";
    accepts(
        bags,
        "x := multisetcount(i: m, m[i] = 2 & true); x := multisetcount(i: a[true], a[true][i] = 1);",
    );
    refuses(bags, "x := m[0];", &["multiset-index: 0"]);
    refuses(bags, "x := multisetcount(i: m, n[i] = 1);", &["multiset-index: i"]);
    refuses(bags, "x := multisetcount(i: m, i + 1 = 1);", &["number-needed: i"]);
    refuses(bags, "x := multisetcount(i: x, true);", &["not-a-multiset: x"]);
    refuses(bags, "x := multisetcount(i: m, m[i]);", &["boolean-needed: m[i]"]);
}
