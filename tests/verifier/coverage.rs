//! `--coverage` in a compiled verifier: the figures are the interpreter's.

use super::support::{mcc, root, scratch, shown, text};
use super::{GOOD, expect, run};
use serde_json::Value;
use std::path::Path;

const MODEL: &str = "tests/verifier/coverage.m";

/// Line, column, kind and count of each part but guards, which only the interpreter counts.
fn parts(report: &[u8]) -> Vec<(u64, u64, String, u64)> {
    let report: Value = serde_json::from_slice(report).expect("a report");
    let parts = report["coverage"].as_array().expect("what was counted");
    let number = |part: &Value, of: &str| part[of].as_u64().expect("a number");
    parts
        .iter()
        .map(|part| {
            let kind = part["kind"].as_str().expect("a kind").to_owned();
            (number(part, "line"), number(part, "column"), kind, number(part, "count"))
        })
        .filter(|part| part.2 != "guard")
        .collect()
}

fn built() -> std::path::PathBuf {
    let verifier = scratch("verifiers").join("counting_coverage");
    let output =
        mcc().args(["build", "--coverage"]).arg(root().join(MODEL)).arg("-o").arg(&verifier).output();
    let output = output.expect("mcc starts");
    assert!(output.status.success(), "{}", shown(&output));
    verifier
}

fn counted(verifier: &Path, options: &[&str]) -> Vec<(u64, u64, String, u64)> {
    let output = run(verifier, &[&["-ndl", "--coverage", "--json", "-"], options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    parts(&output.stdout)
}

#[test]
fn a_verifier_counts_what_the_interpreter_counts() {
    let verifier = built();
    let interpreted = mcc()
        .current_dir(root())
        .args(["--quiet", "--interpret", MODEL, "--"])
        .args(["-j1", "-ndl", "--coverage", "--json", "-"])
        .output();
    let interpreted = parts(&interpreted.expect("mcc starts").stdout);
    let statements = |parts: &[(u64, u64, String, u64)]| -> Vec<_> {
        parts.iter().filter(|part| part.2 == "statement").cloned().collect()
    };
    for options in [&["-j1"][..], &["-j3", "--threads-from", "1"]] {
        let compiled = counted(&verifier, options);
        assert_eq!(statements(&compiled), statements(&interpreted), "{options:?}");
        // Invariants are evaluated only after rules that may change them.
        let properties = |parts: &[(u64, u64, String, u64)]| -> Vec<_> {
            parts.iter().filter(|part| part.2 == "property").map(|part| part.0).collect()
        };
        assert_eq!(properties(&compiled), properties(&interpreted));
        assert!(compiled.iter().filter(|part| part.2 == "property").all(|part| part.3 > 0), "{compiled:?}");
    }
    // In words, and on the page.
    let page = scratch("verifiers").join("coverage.html");
    let output = run(&verifier, &["-ndl", "--coverage", "--html", &page.display().to_string()]);
    expect(&output, 0, &["16 of 20 statements executed; never: line 36, 41, 52, 60"]);
    let page = std::fs::read_to_string(page).expect("the page");
    assert!(page.contains("beside other lines how often they were evaluated"), "{page}");
}

#[test]
fn a_verifier_that_does_not_count_says_how_to_build_one_that_does() {
    let output = run(&GOOD, &["--coverage"]);
    expect(&output, 2, &["built without counters", "mcc build MODEL --coverage"]);
    assert!(!text(&output.stdout).contains("verified"));
}
