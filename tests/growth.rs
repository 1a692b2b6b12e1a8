//! Models that brought rustc down are built, and come to the result that they have in the text.

#![cfg(test)]

mod support;

use std::fmt::Write;
use support::{build, scratch, verify};

/// Chains longer than rustc's stack allows in one expression, in an invariant, in a guard, and over
/// the elements of a quantifier with a local of a function; arms that return; very many start
/// states. One model, so that one build shows all.
fn model() -> String {
    let join = |times: usize, separator: &str, unit: &dyn Fn(usize) -> String| {
        (0..times).map(unit).collect::<Vec<_>>().join(separator)
    };
    let mut m = String::from("var x: 0..9999; y: 0..9999;\n");
    let arms = join(3_000, "", &|at| format!("elsif p = {} then return q[i] + {};\n", at + 1, at % 7));
    let _ = writeln!(
        m,
        "function pick(p: 0..9999; i: 0..1): 0..99; var q: array [0..1] of 0..9; begin q[0] := 0; q[1] := 1;\n\
         if p = 0 then return 50; {arms} else q[0] := 9; end; return q[0] + q[1] + 30; end;"
    );
    // Which one is taken shows: the first of two that fit, so 20 gives 10.
    let cases = join(1_500, "", &|at| format!("case {}, {}: y := {};\n", at + 10, at + 20, at + 10));
    let _ = writeln!(m, "startstate \"first\" begin x := 0; y := 0; end;");
    for start in 1..1_000 {
        let _ = writeln!(m, "startstate \"s{start}\" begin x := {}; y := 9999; end;", start % 5);
    }
    let guard = join(8_000, " | ", &|at| format!("x = {}", at + 1_000));
    let _ = writeln!(
        m,
        "rule \"switch\" x < 5 & y < 9999 ==> begin switch x + 17 {cases} else y := 1; end; end;"
    );
    let _ = writeln!(m, "rule \"never\" {guard} ==> begin error \"the guard holds\"; end;");
    let _ = writeln!(m, "rule \"step\" {guard} | x < 3 ==> begin x := x + 1; end;");
    let lines = join(1_000, "", &|at| format!("t := (t + {}) % 1000; ", at % 10));
    let _ = writeln!(
        m,
        "rule \"sum\" y < 9999 & x = 3 ==> var t: 0..999; begin t := 0; {lines} assert t = 500 \"sum\"; y := 2; end;"
    );
    let chain = join(8_000, " | ", &|at| format!("x = {}", at + 10));
    let _ = writeln!(m, "invariant \"chain\" {chain} | x < 5;");
    let ands = join(3_000, " & ", &|at| format!("x + i != {}", at + 10));
    let _ = writeln!(m, "invariant \"all\" forall i: 0..1 do {ands} end;");
    m.push_str(
        "invariant \"picked\" pick(0, 0) = 50 & pick(1, 0) = 0 & pick(3, 1) = 3 & pick(3000, 1) = 4 & pick(3001, 1) = 40;\n\
         invariant \"switched\" y = 0 | y = 2 | y = 9999 | y = 10 | (y > 16 & y < 20);\n",
    );
    m
}

#[test]
fn what_brought_rustc_down_is_built_and_means_what_it_says() {
    let path = scratch("growth").join("long.m");
    std::fs::write(&path, model()).expect("the scratch folder is writable");
    let verifier = build(&path).unwrap_or_else(|error| panic!("{error}"));
    let verdict = verify(&verifier, &["--no-deadlock".to_owned()]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verdict.report["verdict"], "verified", "{:#}", verdict.report["errors"]);
    let states = verdict.report["states"].as_u64();
    let interpreted = support::mcc().arg("--interpret").arg(&path).args(["--", "-ndl"]).output();
    let interpreted = interpreted.expect("mcc starts");
    let said = support::text(&interpreted.stdout);
    assert!(said.contains(&format!("{} states", states.unwrap_or(0))), "{states:?} states, but\n{said}");
}
