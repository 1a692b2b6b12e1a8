//! Texts that would bring a careless parser down: deep, long, or both.

use super::{diagnose, program};
use crate::syntax::tree::{ExpressionKind, Item, RuleItem};
use std::time::{Duration, Instant};

/// The code of the only error.
fn code(text: &str) -> &'static str {
    let (program, diagnostics) = diagnose(text);
    assert!(program.is_none());
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    diagnostics[0].code
}

/// `before` repeated, then `middle`, then `after` repeated.
fn nested(depth: usize, before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(depth), after.repeat(depth))
}

/// Everything that nests: around the text, and what is repeated.
const NESTS: [(&str, &str, &str, &str, &str); 11] = [
    ("invariant ", "(", "a", ")", ";"),
    ("invariant ", "a[", "a", "]", ";"),
    ("invariant ", "f(", "a", ")", ";"),
    ("invariant ", "forall i: T do ", "a", " end", ";"),
    ("invariant ", "ismember(a, 0..1+", "a", ")", ";"),
    ("invariant ", "a ? ", "a", " : a", ";"),
    ("rule begin ", "if a then ", "a := 1;", " end;", " end;"),
    ("rule begin ", "for i: T do ", "a := 1;", " end;", " end;"),
    ("type T: ", "record a: ", "U", " end", ";"),
    ("type T: ", "array [U] of ", "U", "", ";"),
    ("", "ruleset i: T do ", "rule a ==> end;", " end;", ""),
];

#[test]
fn reasonable_depth_is_fine_and_more_is_an_error() {
    for (start, before, middle, after, end) in NESTS {
        let model = |depth| format!("{start}{}{end}", nested(depth, before, middle, after));
        program(&model(240));
        for depth in [260, 20_000] {
            assert_eq!(code(&model(depth)), "nesting-too-deep", "{before}");
        }
    }
}

#[test]
fn long_rows_of_operators_are_an_error_and_not_a_crash() {
    for (unit, end) in
        [("!", "a"), ("- ", "a"), ("a -> ", "a"), ("a + ", "a"), ("a ? b : ", "a"), ("a.", "a")]
    {
        let model = |length: usize| format!("invariant {}{end};", unit.repeat(length));
        program(&model(100));
        assert_eq!(code(&model(20_000)), "nesting-too-deep", "{unit}");
    }
}

/// What a block declares, one name each, nests as deep for the passes that follow.
#[test]
fn long_rows_of_names_are_an_error() {
    for (start, unit, end) in [
        ("invariant forall ", "i: T;", " do a end;"),
        ("rule begin for ", "i: T;", " do a := 1; end; end;"),
        ("rule begin alias ", "i: a;", " do a := 1; end; end;"),
        ("ruleset ", "i: T;", " do rule a ==> end; end;"),
        ("alias ", "i: a;", " do rule a ==> end; end;"),
    ] {
        let model = |length: usize| format!("{start}{}{end}", unit.repeat(length));
        program(&model(200));
        for length in [600, 10_000] {
            assert_eq!(code(&model(length)), "nesting-too-deep", "{start}");
        }
    }
    let model = |times: usize| {
        let names = "i: T;".repeat(50);
        format!("rule begin {} end;", nested(times, &format!("for {names} do "), "", " end;"))
    };
    program(&model(5));
    assert_eq!(code(&model(6)), "nesting-too-deep");
}

/// Each of the names gets a copy, so the size is the product of the number of names and the value.
#[test]
fn names_with_one_value_are_bounded() {
    for (start, end) in
        [("const ", "a: 1;"), ("type ", "a: 0..1;"), ("rule begin alias ", "a: x; do end; end;")]
    {
        program(&format!("{start}{}{end}", "a,".repeat(90)));
        assert_eq!(code(&format!("{start}{}{end}", "a,".repeat(20_000))), "too-many-names", "{start}");
    }
    program(&format!("var {}a: 0..1;", "a,".repeat(20_000)));
}

#[test]
fn thousands_of_conjuncts_are_one_level() {
    let text = format!("invariant {}a;", "x[i].b = c & ".repeat(5_000));
    let items = program(&text).items;
    let [Item::Rule(RuleItem::Property(property))] = items.as_slice() else { panic!("not a property") };
    let ExpressionKind::Chain { operands, .. } = &property.condition.kind else { panic!("not a chain") };
    assert_eq!(operands.len(), 5_001);
}

#[test]
fn time_does_not_explode() {
    let texts = [
        format!("invariant {};", nested(40, "(", "a +", ")")),
        format!("rule {} ==> end;", nested(40, "f(", "a", ")")),
        format!("rule begin {} end;", nested(40, "if a then ", "a = 1;", " end;")),
        format!("type T: {}", nested(40, "multiset[ismember(x, ", "x", "")),
        format!("invariant {}", nested(40, "multisetcount(i: m, ", "x +", ")")),
        "\"\n".repeat(20_000),
        "\"".repeat(20_000),
        "'".repeat(20_000),
        "“\n".repeat(25_000),
        "\\\"\n".repeat(30_000),
        format!("invariant {}{}", "(".repeat(50_000), "end ".repeat(12_000)),
        "var ".repeat(10_000),
        "a;".repeat(20_000),
        format!("var {}", "a;".repeat(20_000)),
        format!("type “{}", " of 7;".repeat(15_000)),
        "rule ".repeat(10_000),
        format!("rule begin {}", "invariant x;".repeat(5_000)),
    ];
    for text in texts {
        let start = Instant::now();
        diagnose(&text);
        let start_of_text: String = text.chars().take(40).collect();
        // Generous, because tests run without optimisation and beside each other.
        assert!(start.elapsed() < Duration::from_secs(20), "{start_of_text}");
    }
}

#[test]
fn a_text_that_is_no_model_gives_a_bounded_list() {
    assert_eq!(diagnose(&"rule ) ".repeat(1_000)).1.len(), 100);
}
