//! What can fail or be seen, and what cannot: one line of a model for each.

use super::*;
use crate::analysis::reach::Reach;
use crate::source::Source;

const DECLARATIONS: &str = "\
    type id: 0..2; node: scalarset(2); kind: enum {Near, Far}; other: enum {Outside};\n\
    all: union {node, kind, other}; some: union {node, kind}; cell: record f: 0..3; g: boolean; end;\n\
    var a: array [id] of 0..3; c: array [id] of cell; held: array [some] of 0..1; x: id; y: 0..2; u: all;\n\
    bag: multiset [2] of 0..1;\n\
    function quiet(): id; begin return 1; end;\n\
    function counts(): id; begin cover x = 1; return 1; end;\n\
    function prints(): id; begin if y = 1 then put \"told\"; end; return 1; end;\n\
    function calls(i: id): id; begin while false do return counts(); end; return i; end;\n\
    startstate begin clear a; clear c; x := 0; y := 1; end; rule begin y := 1; end;\n";

fn model(rest: &str) -> Model {
    let source = Source::new("model.m", format!("{DECLARATIONS}{rest}"));
    let (model, diagnostics) = crate::check(&source);
    model.unwrap_or_else(|| panic!("{rest}: {diagnostics:?}"))
}

/// Whether a condition can fail or be seen, for `i` and `j` from 0 to 2.
fn fails(condition: &str) -> bool {
    let model = model(&format!("ruleset i: id; j: id do invariant {condition}; end;"));
    let property = &model.properties[0];
    let known = Intervals::of_code(&model, property.code());
    Failure::new(&model, &property.frame, &known).expression(&property.condition)
}

#[test]
fn what_cannot_fail_is_known_from_variables_of_loops_alone() {
    let harmless = [
        "i = j",
        "i + j > 2 -> !(i < j)",
        "(i + 1) % 3 = j",
        "6 / (i + 1) = j",
        "-i < j",
        "isundefined(a[i])",
        "isundefined(a[(i + 1) % 3])",
        "isundefined(held[Near])",
        "c[i] = c[j]",
        "ismember(u, kind)",
        "forall k := i to j by 2 do k = i end",
        "forall s: some do isundefined(held[s]) end",
        "multisetcount(b: bag, i = j) = i",
    ];
    let failing = [
        "a[i] = 1",
        "a[x] = 1",
        "x = i",
        "6 / i = j",
        "6 % y = j",
        "6 / (i - 1) = j",
        "i + 9223372036854775807 > j",
        "isundefined(a[i + 1])",
        "isundefined(a[x])",
        "isundefined(a[x % 2])",
        "isundefined(a[quiet()])",
        "c[i] = c[x]",
        "quiet() = i",
        "forall k := i to y do k = i end",
        "forall k := i to j by j do k = i end",
        "forall s: all do isundefined(held[s]) end",
        "exists k: id do a[k] = 1 end",
        "multisetcount(b: bag, bag[b] = 1) = i",
        "i = 0 ? true : y = 1",
        "u = Near",
    ];
    harmless.iter().for_each(|condition| assert!(!fails(condition), "{condition}"));
    failing.iter().for_each(|condition| assert!(fails(condition), "{condition}"));
}

/// That the interval of an index fits says nothing about whether it can be evaluated.
#[test]
fn aliases_fail_with_their_indices() {
    let fails = |alias: &str| {
        let rule = "rule x = 1 ==> begin y := 1; end; end; end;";
        let model = model(&format!("ruleset i: id do alias r: {alias} do {rule}"));
        let Some(rule) = model.rules.last() else { return true };
        let known = Intervals::of_instances(&model, rule.code());
        let failure = Failure::new(&model, &rule.frame, &known);
        rule.scopes.iter().any(|scope| failure.scope(scope))
    };
    for harmless in ["a[i]", "c[i].f", "y", "a[(i + 1) % 3]", "i + 1"] {
        assert!(!fails(harmless), "{harmless}");
    }
    for failing in ["a[x]", "a[x % 2]", "a[i % y]", "a[quiet()]", "c[y].f", "a[i + 1]", "y + 1", "2 / y"] {
        assert!(fails(failing), "{failing}");
    }
}

#[test]
fn counting_and_printing_is_seen_through_calls() {
    let has_side_effects = |rest: &str| {
        let model = model(rest);
        let (reach, property) = (Reach::new(&model), &model.properties[0]);
        property.scopes.iter().any(|scope| reach.scope_has_side_effects(scope))
            || reach.has_side_effects(&property.condition)
    };
    assert!(has_side_effects("invariant counts() = 1;"));
    assert!(has_side_effects("invariant a[prints()] = 1;"));
    assert!(has_side_effects("invariant forall i: id do calls(i) = i end;"));
    assert!(has_side_effects("alias e: calls(1) do invariant e = 1; end;"));
    assert!(has_side_effects("alias e: a[counts()] do invariant e = 1; end;"));
    assert!(!has_side_effects("alias e: a[quiet()] do invariant e = quiet(); end;"));
}
