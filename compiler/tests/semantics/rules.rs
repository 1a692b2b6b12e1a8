//! Rules, start states, properties, and what stands around them.

use super::{check, said};
use mcc_murphi::diagnostics::Severity;
use mcc_murphi::semantics::model::{Domain, Scope};

#[test]
fn a_model_needs_a_start_state() {
    assert_eq!(said("var x: 0..1; rule begin end;", Severity::Error), ["no-start-state: x"]);
    assert_eq!(said("startstate begin end;", Severity::Warning), ["no-rules: startstate"]);
    assert_eq!(said("", Severity::Error), ["no-start-state: "]);
}

#[test]
fn rules_are_numbered_where_they_have_no_name() {
    let (model, _) = check(
        "startstate begin end; rule begin end; rule \"named\" begin end; rule begin end;
         invariant true; invariant \"safe\" true; startstate begin end; cover true;",
    );
    let model = model.expect("accepted");
    let names: Vec<_> = model.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["Rule 1", "named", "Rule 3"]);
    let names: Vec<_> = model.starts.iter().map(|start| start.name.as_str()).collect();
    assert_eq!(names, ["Startstate 1", "Startstate 2"]);
    let names: Vec<_> = model.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["Invariant 1", "safe", "Cover 1"]);
}

#[test]
fn scopes_stand_from_the_outside_in() {
    let (model, diagnostics) = check(
        "type t: 0..2; var a: array [t] of multiset [4] of t; x: t;
         startstate begin end;
         ruleset i: t; j := 5 to 1 by -2 do alias m: a[i]; k: 7 do choose s: m do
            rule m[s] = i & j < k ==> begin multisetremove(s, m); end;
         end; end; invariant i < 3; end;",
    );
    assert_eq!(diagnostics, []);
    let model = model.expect("accepted");
    let kinds: Vec<_> = model.rules[0]
        .scopes
        .iter()
        .map(|scope| match scope {
            Scope::Parameter(binder) => match binder.domain {
                Domain::Constant { low, high } => format!("{low}..{high}"),
                Domain::Steps { .. } => "steps".to_owned(),
            },
            Scope::Alias(_) => "alias".to_owned(),
            Scope::Choose { capacity, .. } => format!("choose {capacity}"),
        })
        .collect();
    assert_eq!(kinds, ["0..2", "steps", "alias", "choose 4"]);
    assert_eq!(model.properties[0].scopes.len(), 2);
    assert_eq!(model.properties[0].frame.locals.len(), 2);
}

#[test]
fn the_bounds_of_rulesets_are_constants() {
    let text = "var x: 0..3; startstate begin end; ruleset i := 0 to x do rule begin end; end;";
    assert_eq!(said(text, Severity::Error), ["not-constant: x"]);
    let text = "var x: 0..3; startstate begin end; ruleset i := 3 to 0 do rule begin end; end;";
    assert_eq!(said(text, Severity::Error), [""; 0]);
}

#[test]
fn instances_are_counted() {
    let text = "type t: 0..2000; startstate begin end;
        ruleset i: t; j: t; k: t do rule \"big\" begin end; end;";
    let (_, diagnostics) = check(text);
    assert_eq!(diagnostics[0].code, "too-many-instances");
    assert_eq!(diagnostics[0].secondary.len(), 1);
}

#[test]
fn guards_and_properties_are_booleans() {
    let text = "var x: 0..3; startstate begin end; rule x ==> begin end; invariant x; assume x + 1;";
    assert_eq!(
        said(text, Severity::Error),
        ["boolean-needed: x", "boolean-needed: x", "boolean-needed: x + 1"]
    );
}

#[test]
fn what_mcc_does_not_support_is_refused_by_name() {
    let text = "startstate begin end; rule 5 \"later\" true ==> begin end;";
    assert_eq!(said(text, Severity::Warning), ["rule-priority: 5"]);
    let text = "externfun f(): boolean; startstate begin end; rule begin end;";
    assert!(said(text, Severity::Error)[0].starts_with("unsupported-external"));
}

#[test]
fn mistakes_around_rules_are_reported_once() {
    let text = "startstate begin end; ruleset i: nowhere do rule i = 1 ==> begin end; rule i = 2 ==> begin end; end;";
    assert_eq!(said(text, Severity::Error), ["unknown-type: nowhere"]);
    let text = "startstate begin end; choose i: nowhere do rule true ==> begin multisetremove(i, nowhere); end; end;";
    assert_eq!(said(text, Severity::Error), ["unknown-name: nowhere", "unknown-name: nowhere"]);
}

#[test]
fn slot_numbers_belong_to_their_multiset() {
    let declarations = "type bag: multiset [2] of 0..1; var m: bag; n: multiset [3] of 0..1; x: 0..3;
        startstate begin end;";
    let text = format!(
        "{declarations} choose i: m do choose j: m do rule i != j ==> begin multisetremove(i, m); end; end; end;"
    );
    assert_eq!(check(&text).1, []);
    let text = format!("{declarations} choose i: m do rule begin multisetremove(i, n); x := i; end; end;");
    assert_eq!(said(&text, Severity::Error), ["multiset-index: i", "type-mismatch: i"]);
}

#[test]
fn cover_statements_are_listed_in_the_order_of_the_text() {
    let (model, _) = check(
        "var x: 0..1; startstate begin cover x = 0 \"first\"; end;
         procedure p(); begin cover x = 1; end;
         rule begin p(); cover x = 0 \"third\"; end;",
    );
    let model = model.expect("accepted");
    let names: Vec<_> = model.cover_statements.iter().map(|cover| cover.name.as_str()).collect();
    assert_eq!(names, ["first", "cover 2", "third"]);
}
