//! What `mcc --check` suggests. False advice is worse than none, so every suggestion on every model
//! of ours is followed: the type is rewritten in the text, the model must still be right, and must
//! mean the same.

#![cfg(test)]

mod support;

use mcc_murphi::diagnostics::{Diagnostic, Severity};
use mcc_murphi::source::Source;
use mcc_murphi::{check, check_with_advice};
use std::path::{Path, PathBuf};
use support::{mcc, root, scratch, shown};

fn advice(text: &str) -> Vec<Diagnostic> {
    let source = Source::new("model.m", text);
    let mut found = check_with_advice(&source);
    found.retain(|one| one.severity == Severity::Note);
    found
}

fn messages(text: &str) -> Vec<String> {
    advice(text).into_iter().map(|one| one.message).collect()
}

const RULES: &str = "
    startstate begin for p: Proc do at[p] := away; end; undefine last; end;
    ruleset p: Proc do
      rule \"enter\" at[p] = away & forall q: Proc do at[q] != there end ==> begin at[p] := there; last := p; end;
      rule \"leave\" at[p] = there ==> begin at[p] := away; end;
    end;
    invariant forall p: Proc; q: Proc do at[p] = there & at[q] = there -> p = q end;";

fn model(extra: &str) -> String {
    format!(
        "const N: 4; type Proc: 0..N-1; Place: enum {{ away, there }};
        var at: array [Proc] of Place; last: Proc; {RULES} {extra}"
    )
}

#[test]
fn a_subrange_whose_values_are_alike() {
    assert_eq!(messages(&model("")), ["`Proc` (0..3) could be a scalarset(4): up to 24 times fewer states"]);
}

#[test]
fn every_use_that_distinguishes_values_silences_it() {
    for extra in [
        "rule last < 2 ==> begin end;",
        "rule begin last := (last + 1) % N; end;",
        "var n: 0..3; rule begin n := last; end;",
        "rule begin for p: Proc do last := p; end; end;",
        "rule begin for p := 0 to 2 do at[p] := away; end; end;",
        "var other: array [0..3] of boolean; rule begin other[last] := true; end;",
        "function f(n: 0..9): boolean; begin return n > 1; end; rule f(last) ==> begin end;",
    ] {
        assert_eq!(messages(&model(extra)), [""; 0], "{extra}");
    }
}

#[test]
fn a_literal_or_two_are_named() {
    let text = model("rule last = 3 ==> begin last := 0; end; rule begin last := 1; end;");
    assert_eq!(messages(&text), [""; 0], "a comparison and two assignments are too much");
    let text = model("startstate begin for p: Proc do at[p] := away; end; last := 0; end;");
    let found = advice(&text);
    assert_eq!(
        found.iter().map(|one| one.message.as_str()).collect::<Vec<_>>(),
        ["`Proc` (0..3) is nearly a scalarset(4): one use distinguishes its values"]
    );
    assert_eq!(found[0].secondary[0].span.start as usize, text.rfind("0; end;").expect("it is there"));
    // A flag or a counter is no name of anything.
    let flag = "type bit: 0..1; var b: bit; startstate begin b := 0; end; rule begin b := 1; end;";
    assert_eq!(messages(flag), [""; 0]);
}

#[test]
fn enums_whose_members_are_never_mentioned() {
    let text = model("").replace("0..N-1", "enum { ann, bob, cem }");
    assert_eq!(
        messages(&text),
        ["`Proc` (an enum of 3) could be a scalarset(3): up to 6 times fewer states"]
    );
    assert_eq!(messages(&format!("{text} rule begin last := bob; end;")), [""; 0]);
}

#[test]
fn gains_multiply() {
    let text = model(
        "type Data: 1..3; var d: array [Proc] of Data; ruleset p: Proc; x: Data do rule begin d[p] := x; end; end;",
    );
    let found = advice(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].help.as_deref().is_some_and(|help| help.contains("up to 144 times")), "{found:?}");
    // A type that no state has anything to do with saves nothing.
    assert_eq!(messages(&model("type Unused: 0..5; ruleset u: Unused do rule begin end; end;")).len(), 1);
}

/// Only where it is asked for, and it changes nothing else.
#[test]
fn only_check_gives_advice() {
    let folder = scratch("advice");
    let path = folder.join("plain.m");
    std::fs::write(&path, model("")).expect("the folder is writable");
    let output = mcc().arg("--check").arg(&path).output().expect("mcc starts");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(support::text(&output.stderr).contains("note[could-be-scalarset]"), "{}", shown(&output));
    assert!(support::text(&output.stderr).contains("1 note"), "{}", shown(&output));
    for arguments in [["--check", "--quiet"].as_slice(), &["--interpret"]] {
        let output = mcc().args(arguments).arg(&path).output().expect("mcc starts");
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert!(!support::text(&output.stderr).contains("scalarset"), "{}", shown(&output));
    }
}

/// Every suggestion on every model, followed to the letter.
#[test]
fn followed_advice_leaves_a_model_right_and_its_meaning_alone() {
    let mut followed = 0;
    for path in ["models", "tests/meaning", "tests/diagnostics/warnings"]
        .iter()
        .flat_map(|name| files(&root().join(name)))
    {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let found = advice(&text);
        let suggested: Vec<_> = found.iter().filter(|one| one.code == "could-be-scalarset").collect();
        if suggested.is_empty() {
            continue;
        }
        let mut rewritten = text.clone();
        for one in suggested.iter().rev() {
            let size = one.message.split(" could be a ").nth(1).and_then(|rest| rest.split(':').next());
            let span = one.primary.span;
            rewritten.replace_range(
                span.start as usize..span.end as usize,
                size.expect("it says what it could be"),
            );
        }
        let codes = |text: &str| {
            let mut codes: Vec<_> =
                check(&Source::new("model.m", text)).1.iter().map(|one| one.code).collect();
            codes.sort_unstable();
            codes
        };
        assert_eq!(codes(&text), codes(&rewritten), "{}", path.display());
        let name = path.file_name().expect("it has a name");
        let changed = scratch("advice").join(name);
        std::fs::write(&changed, &rewritten).expect("the folder is writable");
        assert_eq!(figures(&path), figures(&changed), "{}", path.display());
        followed += suggested.len();
    }
    assert!(followed >= 3, "only {followed} suggestions were followed");
}

/// Verdict, states, rules and depth, without symmetry reduction.
fn figures(path: &Path) -> Vec<String> {
    let arguments = ["--", "-ndl", "-nosym", "--json", "-"];
    let output = mcc().arg("--interpret").arg(path).args(arguments).output().expect("mcc starts");
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(&output)));
    ["verdict", "states", "rules", "depth"].iter().map(|key| format!("{key}: {}", report[*key])).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
    found.sort();
    found
}
