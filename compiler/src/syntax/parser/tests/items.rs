//! Declarations, functions, rules, and how they follow each other.

use super::{declarations, items, program, property, rules, simple_rule};
use crate::source::Source;
use crate::syntax::tree::{Declaration, Item, PropertyKind, RuleItem, TypeExpressionKind};

fn definition(text: &str) -> TypeExpressionKind {
    match declarations(&format!("type T: {text};")).pop() {
        Some(Declaration::Type { definition, .. }) => definition.kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn types() {
    assert!(matches!(definition("BOOLEAN"), TypeExpressionKind::Name(name) if name.text == "boolean"));
    assert!(matches!(definition("enum {A, B, C,}"), TypeExpressionKind::Enum(names) if names.len() == 3));
    assert!(matches!(definition("-1..N*2"), TypeExpressionKind::Range { .. }));
    assert!(matches!(definition("(N)..3"), TypeExpressionKind::Range { .. }));
    assert!(matches!(definition("scalarset(N)"), TypeExpressionKind::Scalarset(_)));
    let union = definition("union {A, enum {x}, scalarset(3)}");
    assert!(matches!(union, TypeExpressionKind::Union(members) if members.len() == 3));
    assert!(matches!(definition("array [A] of array [0..3] of B"), TypeExpressionKind::Array { .. }));
    let record = definition("record a, b: A; c: array [A] of record d: B end e: C endrecord");
    assert!(matches!(record, TypeExpressionKind::Record(fields) if fields.len() == 3));
    assert!(matches!(definition("record end"), TypeExpressionKind::Record(fields) if fields.is_empty()));
    assert!(matches!(definition("multiset [3] of A"), TypeExpressionKind::Multiset { .. }));
    assert!(matches!(definition("real(4, 2)"), TypeExpressionKind::Real));
    assert!(matches!(definition("multiset"), TypeExpressionKind::Name(_)));
}

#[test]
fn sections_come_in_any_order_and_again() {
    let found = declarations("var a, b: T c: U;; const N: 3 M: N + 1; type T: 0..N; var d: T const");
    let shape: Vec<_> = found
        .iter()
        .map(|declaration| match declaration {
            Declaration::Constant { name, .. } => format!("const {}", name.text),
            Declaration::Type { name, .. } => format!("type {}", name.text),
            Declaration::Variables { names, .. } => format!("var {}", names.len()),
            Declaration::Unparsed(lost) => format!("lost {}", lost.declared.len()),
        })
        .collect();
    assert_eq!(shape, ["var 2", "var 1", "const N", "const M", "type T", "var 1"]);
    let mixed = "rule a ==> end; var x: T; function f(): T; begin return x end; const N: 1; rule b ==> end";
    assert_eq!(items(mixed).len(), 5);
}

#[test]
fn functions() {
    let text = "function f(a, b: T; var c: U;): V; var x: T; begin return x end\n\
                procedure p() begin a := 1; endprocedure; procedure q(); endprocedure\n\
                externfun sqr(x: T): T \"math.h\"; externproc show(x: T);";
    let found = items(text);
    let Item::Function(f) = &found[0] else { panic!("not a function") };
    let by_reference: Vec<_> = f.parameters.iter().map(|parameter| parameter.by_reference).collect();
    assert_eq!(by_reference, [false, true]);
    assert!(f.returns.is_some());
    assert_eq!((f.declarations.len(), f.body.len()), (1, 1));
    let Item::Function(p) = &found[1] else { panic!("not a procedure") };
    assert!(p.returns.is_none());
    let Item::External(name, span) = &found[3] else { panic!("not external") };
    assert_eq!(name.text, "sqr");
    assert_eq!(span.text(text), "externfun sqr(x: T): T \"math.h\"");
}

#[test]
fn every_part_of_a_rule_may_be_missing() {
    let parts = |text: &str| {
        let rule = simple_rule(text);
        (rule.name.is_some(), rule.guard.is_some(), rule.declarations.len(), rule.body.len())
    };
    assert_eq!(parts("rule \"n\" a = b ==> var x: T; begin x := 1; end;"), (true, true, 1, 1));
    assert_eq!(parts("Rule \"n\" a ==> var x: T; x := 1 EndRule"), (true, true, 1, 1));
    assert_eq!(parts("rule \"n\" begin a := 1 end"), (true, false, 0, 1));
    assert_eq!(parts("rule \"n\" ==> a := 1; end"), (true, false, 0, 1));
    assert_eq!(parts("rule a.b ⇒ a[1] := 1; end"), (false, true, 0, 1));
    assert_eq!(parts("rule p(x); a := 1; end"), (false, false, 0, 2));
    assert_eq!(parts("rule end"), (false, false, 0, 0));
    assert_eq!(parts("rule var x: T; begin end"), (false, false, 1, 0));
}

#[test]
fn priorities() {
    assert!(simple_rule("rule 3 \"n\" a ==> end").priority.is_some());
    assert!(simple_rule("rule 3 a ==> end").priority.is_some());
    let rule = simple_rule("rule 3 = a ==> end");
    assert!(rule.priority.is_none() && rule.guard.is_some());
}

#[test]
fn start_states() {
    let found =
        rules("startstate \"s\" var x: T; begin a := 1; end startstate a := 1 endstartstate; startstate end");
    let shape: Vec<_> = found
        .iter()
        .map(|rule| match rule {
            RuleItem::StartState(start) => (start.name.is_some(), start.declarations.len(), start.body.len()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(shape, [(true, 1, 1), (false, 0, 1), (false, 0, 0)]);
}

#[test]
fn properties() {
    let found =
        rules("invariant \"a\" x invariant y; assert \"b\" z assume w cover \"c\" v liveness \"d\" u");
    let kinds: Vec<_> = found
        .iter()
        .map(|rule| match rule {
            RuleItem::Property(property) => property.kind,
            other => panic!("{other:?}"),
        })
        .collect();
    use PropertyKind::{Assume, Cover, Invariant, Liveness};
    assert_eq!(kinds, [Invariant, Invariant, Invariant, Assume, Cover, Liveness]);
    assert_eq!(property("invariant a = b \"late\"").name.map(|name| name.text).as_deref(), Some("late"));
}

#[test]
fn rules_nest() {
    let text = "ruleset i: A; j := 1 to 3 do\n alias a: x[i]; b: y do\n  choose k: net do\n   rule a ==> end\n  \
                endchoose\n endalias\n startstate end; invariant x\nendruleset;";
    let found = rules(text);
    let [RuleItem::Ruleset { quantifiers, rules, span, .. }] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((quantifiers.len(), rules.len()), (2, 3));
    assert_eq!(span.text(text), text.strip_suffix(';').unwrap());
    let RuleItem::Alias { bindings, rules, .. } = &rules[0] else { panic!("not an alias") };
    assert_eq!(bindings.len(), 2);
    let RuleItem::Choose { variable, rules, .. } = &rules[0] else { panic!("not a choose") };
    assert_eq!((variable.text.as_str(), rules.len()), ("k", 1));
    assert_eq!(rules_in("ruleset i: A : rule a ==> end end ruleset j: B do end"), [1, 0]);
}

fn rules_in(text: &str) -> Vec<usize> {
    rules(text)
        .iter()
        .map(|rule| match rule {
            RuleItem::Ruleset { rules, .. } => rules.len(),
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn words_of_one_tool_are_names_in_the_other() {
    let text = "const cover: 1; var assume, pctl: T; choose: U; externfun: V; type liveness: multiset;\n\
                invariant cover = assume; cover \"c\" cover & assume; assume assume;";
    assert_eq!(items(text).len(), 8);
}

#[test]
fn keywords_have_no_case() {
    let text = "CONST n: 1; Type T: Scalarset(n); VAR x: T; RuleSet i: T Do Rule x = i ==> BEGIN x := i; \
                EndRule; End; StartState Begin Undefine x; END; Invariant ForAll i: T Do IsUndefined(x) EndForAll";
    assert_eq!(items(text).len(), 6);
}

#[test]
fn formulas_over_probabilities_are_recognised() {
    let text = "rule 0.5 ==> end; pctl [ true UNTIL <= 3 (exists p: T do x end) ] <= 0.1; const N: 1;";
    let found = items(text);
    let Item::Formula(span) = &found[1] else { panic!("not a formula") };
    assert_eq!(span.text(text), "pctl [ true UNTIL <= 3 (exists p: T do x end) ] <= 0.1");
    assert_eq!(found.len(), 3);
}

#[test]
fn marks_line_ends_and_comments_do_not_move_anything() {
    let text = "\u{FEFF}-- größer\r\nvar\tx: T; /* ≤ */ y: T;\r\n";
    let source = Source::new("model.m", text);
    let found = program(text).items;
    let Item::Declaration(Declaration::Variables { names, .. }) = &found[1] else { panic!("no variable") };
    assert_eq!(names[0].span.text(text), "y");
    let position = source.position(names[0].span.start);
    assert_eq!((position.line, position.column), (2, 19));
    assert!(program("").items.is_empty());
    assert!(program(" -- nothing").items.is_empty());
}
