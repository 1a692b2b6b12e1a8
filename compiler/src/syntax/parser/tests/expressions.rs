//! Expressions: precedence, forms, places.

use super::{expression, property, shape};
use crate::syntax::tree::{Domain, ExpressionKind, TypeExpressionKind};

#[test]
fn operators_bind_as_in_the_manual() {
    assert_eq!(shape("a ? b : c -> d"), "(a ? b : (c Implies d))");
    assert_eq!(shape("a -> b | c"), "(a Implies (b Or c))");
    assert_eq!(shape("a | b & c | d"), "(a Or (b And c) Or d)");
    assert_eq!(shape("!a = b & c"), "((Not (a Equal b)) And c)");
    assert_eq!(shape("! a = b"), "(Not (a Equal b))");
    assert_eq!(shape("!a & !b"), "((Not a) And (Not b))");
    assert_eq!(shape("a + b * c - d = e"), "(((a Add (b Multiply c)) Subtract d) Equal e)");
    assert_eq!(shape("a / b % c * d"), "(((a Divide b) Modulo c) Multiply d)");
    assert_eq!(shape("-a * b"), "((Minus a) Multiply b)");
    assert_eq!(shape("a - -b"), "(a Subtract (Minus b))");
    assert_eq!(shape("a = !b"), "(a Equal (Not b))");
    assert_eq!(shape("+a + b"), "((Plus a) Add b)");
}

#[test]
fn rumur_operators_bind_as_in_rumur() {
    assert_eq!(shape("a || b && c | d"), "(a OrOr (b AndAnd (c Or d)))");
    assert_eq!(shape("a | b ^ c & d"), "(a Or (b BitXor (c And d)))");
    assert_eq!(shape("a << 1 + b = c"), "((a ShiftLeft (1 Add b)) Equal c)");
    assert_eq!(shape("~a >> b"), "((BitNot a) ShiftRight b)");
    assert_eq!(shape("-~a"), "(Minus (BitNot a))");
    assert_eq!(shape("a == b & c != d"), "((a Equal b) And (c NotEqual d))");
}

#[test]
fn one_character_operators_mean_the_same() {
    assert_eq!(shape("¬a ∧ b ∨ c → d"), "((((Not a) AndAnd b) OrOr c) Implies d)");
    assert_eq!(shape("a ≤ b"), shape("a <= b"));
    assert_eq!(shape("a ≥ b"), shape("a >= b"));
    assert_eq!(shape("a ≠ b"), shape("a != b"));
    assert_eq!(shape("a − b × c ÷ d"), shape("a - b * c / d"));
    assert_eq!(shape("∀ i: T do ∃ j: T do i = j end end"), "forall1 exists1 (i Equal j)");
}

#[test]
fn equal_operators_group_to_the_left_or_to_the_right() {
    assert_eq!(shape("a - b - c"), "((a Subtract b) Subtract c)");
    assert_eq!(shape("a -> b -> c"), "(a Implies (b Implies c))");
    assert_eq!(shape("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
    assert_eq!(shape("a ? b ? c : d : e"), "(a ? (b ? c : d) : e)");
}

#[test]
fn chains_are_flat_and_parentheses_are_kept() {
    assert_eq!(shape("a & b & c & d"), "(a And b And c And d)");
    assert_eq!(shape("(a & b) & c"), "((a And b) And c)");
    assert_eq!(shape("a & (b & c)"), "(a And (b And c))");
    assert_eq!(shape("a && b & c"), "(a AndAnd (b And c))");
}

#[test]
fn references_calls_and_builtins() {
    assert_eq!(shape("a.b[i].c[1][2]"), "a.b[i].c[1][2]");
    assert_eq!(shape("f(a, b + 1, g())"), "f(a, (b Add 1), g())");
    assert_eq!(shape("f(a).b = c"), "(f(a).b Equal c)");
    assert_eq!(shape("isundefined(a[i])"), "isundefined(a[i])");
    assert_eq!(shape("ismember(a, T)"), "ismember(a)");
    assert_eq!(shape("IsMember(a, enum {x, y})"), "ismember(a)");
    assert_eq!(shape("multisetcount(i: net[n], net[n][i].dst = n) = 0"), {
        "(count(i: net[n], (net[n][i].dst Equal n)) Equal 0)"
    });
    assert_eq!(shape("f(undefined)"), "f(undefined)");
}

#[test]
fn numbers() {
    assert_eq!(shape("0x1F + 007"), "(31 Add 7)");
    assert_eq!(shape("18446744073709551615"), "18446744073709551615");
    assert_eq!(shape("x < 0.25"), "(x Less real)");
}

#[test]
fn words_that_the_language_declares_have_one_spelling() {
    assert_eq!(shape("TRUE & False"), "(true And false)");
}

#[test]
fn names_may_look_like_keywords() {
    assert_eq!(shape("endian & ruleX & orange & _to & do_it & If1"), {
        "(endian And ruleX And orange And _to And do_it And If1)"
    });
    assert_eq!(shape("cover & assume & liveness & multiset & choose & in & until"), {
        "(cover And assume And liveness And multiset And choose And in And until)"
    });
    assert_eq!(shape("State = state | STATE = state"), "((State Equal state) Or (STATE Equal state))");
}

#[test]
fn quantifiers() {
    assert_eq!(shape("forall i: A; j: B do x[i] = y[j] end"), "forall2 (x[i] Equal y[j])");
    assert_eq!(shape("forall i: A; j: B; do x endforall"), "forall2 x");
    assert_eq!(shape("EXISTS i: 0..N-1 : x[i] endexists"), "exists1 x[i]");
    assert_eq!(shape("exists i: T do x endexist"), "exists1 x");
    assert_eq!(shape("forall i: T do a & forall j: U do b end end & c"), {
        "(forall1 (a And forall1 b) And c)"
    });
    let ExpressionKind::Forall { quantifiers, .. } = expression("forall i := 1 to n - 1 by 2 do x end").kind
    else {
        panic!("not a forall")
    };
    assert!(matches!(&quantifiers[0].domain, Domain::Steps { step: Some(_), .. }));
    let ExpressionKind::Forall { quantifiers, .. } = expression("forall i: 0..n do x end").kind else {
        panic!("not a forall")
    };
    let Domain::Type(domain) = &quantifiers[0].domain else { panic!("not a type") };
    assert!(matches!(domain.kind, TypeExpressionKind::Range { .. }));
}

#[test]
fn places_are_exact() {
    let text = "invariant \"p\"  ( a -- why\n & b ) /* x */ | c.d [ 1 ]  -- end\n ;";
    let property = property(text);
    assert_eq!(property.header.text(text), "invariant \"p\"");
    assert_eq!(property.condition.span.text(text), "( a -- why\n & b ) /* x */ | c.d [ 1 ]");
    assert_eq!(property.span.text(text), text.strip_suffix("  -- end\n ;").unwrap());
    let ExpressionKind::Chain { operands, .. } = &property.condition.kind else { panic!("not a chain") };
    assert_eq!(operands[0].span.text(text), "( a -- why\n & b )");
    assert_eq!(operands[1].span.text(text), "c.d [ 1 ]");
}
