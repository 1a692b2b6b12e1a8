//! What a run says to people: deadlocks, assertions, counts, directories, and options that do not
//! go together. In the interpreter, which has the same reports as verifiers.

#![cfg(test)]

mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use support::{mcc, scratch, shown, text};

/// A model in a file of its own.
fn model(name: &str, source: &str) -> PathBuf {
    let path = scratch("reports").join(format!("{name}.m"));
    fs::write(&path, source).expect("the target directory is writable");
    path
}

fn run(model: &PathBuf, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    mcc().arg("--interpret").arg(model).arg("--").args(arguments).output().expect("mcc starts")
}

#[track_caller]
fn expect(output: &Output, code: i32, said: &[&str], not_said: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", shown(output));
    let heard = text(&output.stdout) + &text(&output.stderr);
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
    for words in not_said {
        assert!(!heard.contains(words), "`{words}` is in\n{heard}");
    }
}

#[test]
fn a_deadlock_names_the_rules_that_fire_in_vain() {
    let rules = |idle: &str| {
        format!(
            "var x: 0..3; startstate x := 0; end;\n\
             rule \"up\" x < 3 ==> x := x + 1; end;\n{idle}"
        )
    };
    let hint = "if the model may end like this: -ndl (--no-deadlock)";
    let none = model("none_fires", &rules(""));
    expect(&run(&none, "-j1"), 1, &["deadlock", "no rule is enabled", hint], &["changes nothing"]);
    let one = model("one_fires", &rules("rule \"stay\" x = 3 ==> x := 3; end;"));
    expect(
        &run(&one, "-j1"),
        1,
        &["one rule is enabled, and changes nothing: stay", hint],
        &["no rule is enabled"],
    );
    // Without a trace as well.
    expect(&run(&one, "-j1 -tn"), 1, &["one rule is enabled, and changes nothing: stay", hint], &[]);
    let many = "ruleset i: 0..8 do rule \"stay\" x = 3 ==> x := 3; end; end;";
    let many = model("many_fire", &rules(many));
    let said = ["9 rules are enabled, and change nothing: stay (i = 0); ", "i = 4); and 4 more", hint];
    expect(&run(&many, "-j1"), 1, &said, &["i = 5"]);
    expect(&run(&many, "-j1 -ndl"), 0, &["verified"], &[hint]);
}

#[test]
fn an_assertion_that_never_holds_is_reached() {
    let source = "var x: 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; assert CONDITION; end;";
    let asserting = |name: &str, condition: &str| model(name, &source.replace("CONDITION", condition));
    let output = run(&asserting("never", "false"), "-j1");
    expect(&output, 1, &["Error: `assert false` is reached"], &["is false"]);
    expect(&run(&asserting("words", "false \"not here\""), "-j1"), 1, &["Error: not here"], &["reached"]);
    expect(&run(&asserting("seldom", "x < 2"), "-j1"), 1, &["`x < 2` is false"], &["reached"]);
}

const COUNTERS: &str = "var x, y: 0..39; startstate x := 0; y := 0; end;\n\
    rule x < 39 ==> x := x + 1; end; rule y < 39 ==> y := y + 1; end;";

#[test]
fn counts_have_separators_for_people_and_none_in_json() {
    let counters = model("counters", COUNTERS);
    let output = run(&counters, "-j1 -ndl -p3 -pr");
    let said = ["\t1,600 states, 3,120 rules fired", " 1,0", "states explored", "         1,560  "];
    expect(&output, 0, &said, &["1600", "3120", "1560"]);
    let output = run(&counters, "-j1 -ndl --json -");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((report["states"].as_u64(), report["rules"].as_u64()), (Some(1600), Some(3120)));
    assert!(!text(&output.stdout).contains("1,600"), "{}", shown(&output));
    // What is typed again has none either.
    let output = run(&counters, "-j1 -ndl -c --slots 1009");
    expect(&output, 3, &["the table of 1,009 slots", "--slots 2", "states"], &["--slots 2,"]);
}

#[test]
fn the_directory_of_a_set_on_disk_is_made() {
    let counters = model("counters_on_disk", COUNTERS);
    let directory = scratch("reports").join("new/er");
    let _ = fs::remove_dir_all(scratch("reports").join("new"));
    let output = run(&counters, &format!("-j1 -ndl --disk {}", directory.display()));
    expect(&output, 0, &["1,600 states"], &[]);
    assert!(directory.is_dir());
    let blocked = counters.join("below");
    let output = run(&counters, &format!("-j1 --disk {}", blocked.display()));
    expect(&output, 2, &["error: --disk: ", "cannot be created"], &[]);
}

#[test]
fn steps_are_for_walks() {
    let counters = model("counters_walk", COUNTERS);
    expect(&run(&counters, "--steps 100"), 2, &["error: --steps: ", "-s (--simulate)"], &["verified"]);
    expect(&run(&counters, "-s --steps 50 --seed 1"), 3, &["a random walk of 50 steps"], &[]);
}

#[test]
fn a_limit_that_was_reached_is_not_advised_again() {
    let counters = model("counters_saved", COUNTERS);
    for (limit, without) in
        [("--max-depth 12", "--max-depth"), ("-maxl12", "--max-depth"), ("--max-states 900", "--max-states")]
    {
        let directory = scratch("reports").join("saved");
        let _ = fs::remove_dir_all(&directory);
        let saved = format!("--checkpoint 0 --checkpoint-directory {}", directory.display());
        let output = run(&counters, &format!("-j1 -ndl {limit} {saved}"));
        let changed = format!(", without {without}: ");
        expect(&output, 3, &["or go on from the checkpoint of level", &changed, "-j1 -ndl --resume"], &[]);
        let resumed = run(&counters, &format!("-j1 -ndl --resume {}", directory.display()));
        expect(&resumed, 0, &["1,600 states"], &[]);
    }
}

/// A search with whole states that runs out of memory says what a tree would take, and a tree takes
/// about that. Where a tree cannot serve the search, it is not advised.
#[test]
fn what_a_tree_would_take_is_said_when_memory_runs_out() {
    let german = support::root().join("models/german.m");
    let json = |options: &str| -> serde_json::Value {
        let output = run(&german, &format!("--json - --symmetry off -j1 {options}"));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", shown(&output)))
    };
    let cut = json("--memory 1100K");
    assert_eq!(cut["verdict"], "inconclusive");
    let advice = cut["advice"].as_str().unwrap_or_default();
    assert!(advice.starts_with("--tree, which also stores states exactly, in about "), "{advice}");
    assert_eq!(cut["tree_estimate"]["states"], cut["states"]);
    let tree = json(&format!("--tree --max-states {}", cut["states"]));
    let [expected, taken] =
        [&cut["tree_estimate"], &tree["tree"]].map(|part| part["bytes_per_state"].as_f64());
    let ratio = expected.zip(taken).map_or(0.0, |(expected, taken)| expected / taken);
    assert!((0.7..1.5).contains(&ratio), "{expected:?} expected, {taken:?} taken");

    let measured = json("--memory 1100K --locality");
    assert_eq!(measured["verdict"], "inconclusive");
    assert!(measured["tree_estimate"].is_null(), "{measured}");
}
