//! Models that would keep a careless checker busy for ever: few lines, but everything is used twice
//! by the next, or everything is compared with everything.

use super::{check, model};
use std::time::{Duration, Instant};

/// Checks a model, quickly, and gives the codes of what was said.
#[track_caller]
fn quickly(declarations: &str, body: &str) -> Vec<&'static str> {
    let text = model(declarations, body);
    let began = Instant::now();
    let (_, diagnostics) = check(&text);
    // Generous, because tests run without optimisation and beside each other.
    assert!(began.elapsed() < Duration::from_secs(20), "{}", text.chars().take(100).collect::<String>());
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn many(times: usize, unit: impl Fn(usize) -> String) -> String {
    (1..=times).map(unit).collect()
}

#[test]
fn records_of_two_records_of_two_records() {
    let types = many(60, |at| format!("Q{at}: record a: Q{0}; b: Q{0} end;", at - 1));
    let declarations = format!("type Q0: 0..1; {types}");
    for (variable, used) in [("var w: Q20;", "clear w;"), ("var w: Q60;", "clear w;"), ("", "clear w;")] {
        let codes = quickly(&format!("{declarations} {variable}"), used);
        assert!(codes.contains(&"type-too-large"), "{codes:?}");
    }
}

#[test]
fn aliases_that_use_an_alias_twice() {
    let aliases = many(100, |at| format!("q{at}: q{0} + q{0};", at - 1));
    let body = format!("for s: S do alias q0: x + x; {aliases} do y := q100; end; end;");
    quickly("type S: scalarset(2); var x, y: 0..9;", &body);
}

#[test]
fn a_loop_that_writes_thousands_of_places() {
    let writes = many(5_000, |at| format!("a[{at}] := 1;"));
    let nested = format!("{}{writes}{}", "for s: S do ".repeat(20), "end;".repeat(20));
    quickly("type S: scalarset(2); var a: array [0..9999] of 0..1;", &nested);
}

#[test]
fn unions_of_thousands_of_types() {
    let types = many(1_500, |at| format!("S{at}: scalarset(2);"));
    let members = many(1_500, |at| format!("S{at},"));
    let declarations = format!(
        "type {types} E: enum {{e}}; F: enum {{f}}; U: union {{{members} E}}; V: union {{F, {members}}}; var u: U; v: V;"
    );
    quickly(&declarations, &"u := v;".repeat(1_000));
}

#[test]
fn thousands_of_unknown_names_and_of_known_ones() {
    let variables = many(2_000, |at| format!("abcdefghijklmnopqrstuvwxyz{at}: 0..1;"));
    let uses = many(2_000, |at| format!("abcdefghijklmnopqrstuvwxzy{at} := 1;"));
    let codes = quickly(&format!("var {variables}"), &uses);
    assert_eq!(codes, vec!["unknown-name"; 2_000]);
    let long = "a".repeat(50_000);
    quickly(&format!("var {long}: 0..1; x: {long}x;"), &format!("{long}b := 1; {long}();"));
}

#[test]
fn functions_that_call_each_other() {
    let functions = many(1_500, |at| format!("function g{}(): B; begin return g{at}(); end;", at - 1));
    let last = "function g1500(): B; begin x := 1; return x; end;";
    quickly(&format!("type B: 0..1; var x: B; {functions} {last}"), "x := g0();");
}

#[test]
fn the_interpreter_shares_what_types_share() {
    let types = many(24, |at| format!("Q{at}: record a: Q{0}; b: Q{0} end;", at - 1));
    let text = format!("type Q0: 0..1; {types} startstate begin end; rule var w: Q24; begin clear w; end;");
    let source = mcc_murphi::source::Source::new("test.m", text.as_str());
    let model = check(&text).0.expect("64 MiB are allowed");
    let began = Instant::now();
    drop(mcc_murphi::interpret::Interpreter::new(model, &source));
    assert!(began.elapsed() < Duration::from_secs(5));
}

/// What takes no bits is counted as well: rustc takes memory for each part, and there are 2^28 of
/// them.
#[test]
fn records_of_two_records_that_hold_nothing() {
    for levels in [17, 28, 40, 200] {
        let types = many(levels, |at| format!("Q{at}: record a: Q{0}; b: Q{0} end;", at - 1));
        let codes = quickly(&format!("type Q0: record end; {types} var w: Q{levels};"), "clear w;");
        assert_eq!(codes, ["too-many-parts"], "{levels}");
    }
    let types = many(15, |at| format!("Q{at}: record a: Q{0}; b: Q{0} end;", at - 1));
    let declarations = format!("type Q0: record end; {types} var w: Q15;");
    assert!(quickly(&declarations, "clear w;").is_empty());
    assert!(quickly(&format!("{declarations} v: Q15;"), "clear w; clear v;").is_empty());
    let three = format!("{declarations} v: Q15; u: Q15;");
    assert_eq!(quickly(&three, "clear w; clear v; clear u;"), ["too-many-parts"]);
}

#[test]
fn arrays_and_multisets_of_nothing() {
    let nothing = "type N: record end; M: record n: N end;";
    for of_it in ["array [1..70000] of N", "array [1..300] of array [1..300] of M", "multiset [70000] of M"] {
        let codes = quickly(&format!("{nothing} var w: {of_it};"), "clear w;");
        assert_eq!(codes, ["too-many-parts"], "{of_it}");
    }
    assert!(quickly(&format!("{nothing} var w: array [1..60000] of N;"), "clear w;").is_empty());
}

#[test]
fn variables_and_parameters_of_a_function_are_bounded() {
    let function = |parameters: usize, variables: usize| {
        let parameters = many(parameters, |at| format!("p{at}: 0..1;"));
        let declared = many(variables, |at| format!("var v{at}: 0..1;"));
        let set = many(variables, |at| format!("v{at} := 1;"));
        format!("procedure f({parameters}); {declared} begin {set} end;")
    };
    assert!(!quickly(&function(250, 1_000), "").iter().any(|code| code.starts_with("too-many")));
    assert!(quickly(&function(251, 1), "").contains(&"too-many-parameters"));
    assert!(quickly(&function(20_000, 1), "").contains(&"too-many-parameters"));
    assert!(quickly(&function(1, 1_001), "").contains(&"too-many-variables"));
    assert!(quickly(&function(1, 20_000), "").contains(&"too-many-variables"));
}

/// rustc gives up at types that are nested too deeply.
#[test]
fn types_inside_of_types() {
    for of_it in ["array [0..0] of Q", "multiset [1] of Q", "record a: Q"] {
        let end = if of_it.starts_with("record") { " end" } else { "" };
        let types = |depth| many(depth, |at| format!("Q{at}: {of_it}{}{end};", at - 1));
        let model = |depth: usize| format!("type Q0: 0..1; {} var w: Q{depth};", types(depth));
        assert!(quickly(&model(40), "undefine w;").is_empty(), "{of_it}");
        for depth in [41, 300, 5_000] {
            assert_eq!(quickly(&model(depth), "undefine w;"), ["type-too-deep"], "{of_it}");
        }
    }
}
