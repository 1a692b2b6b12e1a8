//! Where the reports of `mcc verify` go, what is refused, and graphs for other programs.

use super::{empty_folder, mcc, run, shown, text};
use std::fs;
use std::path::Path;
use std::process::Output;

const COUNTER: &str = "const N: 3; var x: 0..9; startstate x := 0; end;\n\
                       rule \"up\" x < 9 ==> x := x + 1; end;\n\
                       rule \"stay\" x = 9 ==> x := 9; end;\n\
                       invariant \"low\" x < N;\n\
                       deadlock \"too early\" x < 9;\n";

#[track_caller]
fn expect(output: &Output, code: i32, said: &[&str]) {
    let heard = shown(output);
    assert_eq!(output.status.code(), Some(code), "{heard}");
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
}

/// A folder with a model that is violated as it is written.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = empty_folder(name);
    fs::write(folder.join("c.m"), COUNTER).expect("it can be written");
    folder
}

/// `mcc` with these words in a folder.
fn mcc_in(folder: &Path, line: &str) -> Output {
    run(mcc().current_dir(folder).env("NO_COLOR", "1").args(line.split(' ')))
}

#[test]
fn places_of_reports_are_checked_before_the_work() {
    let folder = folder("places");
    for (line, said) in [
        ("--junit - --json -", "--junit: standard output is taken by --json"),
        ("--github --sarif -", "--github: standard output is taken by --sarif"),
        ("--junit c.m", "--junit: c.m is the model itself"),
        ("--junit j.xml --sarif ./j.xml", "--sarif: ./j.xml is taken by --junit"),
        ("--junit nowhere/j.xml", "--junit: cannot write nowhere/j.xml"),
        ("--itf .", "--itf: cannot write .: it is a directory"),
    ] {
        let output = mcc_in(&folder, &format!("verify --interpret c.m {line}"));
        expect(&output, 2, &[said]);
        assert!(!shown(&output).contains("is false"), "nothing was run: {}", shown(&output));
    }
    assert_eq!(fs::read_to_string(folder.join("c.m")).expect("it is there"), COUNTER);
    expect(&mcc_in(&folder, "check c.m --junit - --json -"), 2, &["standard output is taken by --json"]);
    expect(&mcc_in(&folder, "check c.m --itf t.json"), 2, &["unexpected argument '--itf'"]);
    expect(
        &mcc_in(&folder, "verify --interpret c.m --junit /dev/null --sarif /dev/null"),
        1,
        &["0 of 1 run"],
    );
}

#[test]
fn standard_output_is_one_report_alone() {
    let folder = folder("alone");
    let output = mcc_in(&folder, "verify --interpret c.m --junit -");
    expect(&output, 1, &["0 of 1 run as expected"]);
    assert!(text(&output.stdout).starts_with("<?xml"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("violated, NOT as expected"));
}

#[test]
fn a_counterexample_of_an_earlier_run_does_not_stay() {
    let folder = folder("stale");
    expect(&mcc_in(&folder, "verify --interpret c.m --itf t.itf.json"), 1, &[]);
    assert!(folder.join("t.itf.json").exists());
    let output = mcc_in(&folder, "verify --interpret c.m -D N=10 --itf t.itf.json");
    expect(&output, 0, &["--itf: there is no counterexample, so t.itf.json is removed"]);
    assert!(!folder.join("t.itf.json").exists());
}

#[test]
fn quiet_is_quiet_in_all_parts() {
    let folder = folder("quiet");
    for line in ["-q --interpret c.m", "interpret -q c.m"] {
        let output = mcc_in(&folder, line);
        assert_eq!(text(&output.stdout), "violated: 1 error found; the search stopped there\n", "{line}");
        assert_eq!((text(&output.stderr), output.status.code()), (String::new(), Some(1)), "{line}");
    }
    let output = mcc_in(&folder, "verify -q --interpret c.m -D N=10");
    assert_eq!(shown(&output).trim().lines().filter(|line| line.contains("verified")).count(), 0);
    expect(&output, 0, &[]);
}

#[test]
fn a_verifier_and_the_interpreter_write_the_same_graph() {
    let folder = folder("graph");
    for form in ["aut", "dot", "json"] {
        expect(&mcc_in(&folder, &format!("graph -D N=10 c.m a.{form}")), 0, &[]);
        let searched = format!("interpret -q -D N=10 c.m -- --graph b.{form}");
        expect(&mcc_in(&folder, &searched), 0, &[]);
        let read =
            |name: &str| fs::read_to_string(folder.join(format!("{name}.{form}"))).expect("it was written");
        assert_eq!(read("a"), read("b"));
    }
    let written = fs::read_to_string(folder.join("b.aut")).expect("it was written");
    assert!(written.starts_with("des (0, 11, 11)\n(0, \"Startstate 1\", 1)\n"), "{written}");
    assert!(written.ends_with("(10, \"stay\", 10)\n"), "a rule that changes nothing is there: {written}");
    let output = mcc_in(&folder, "graph -D N=10 c.m - --form json");
    expect(&output, 0, &[]);
    assert_eq!(text(&output.stdout).lines().count(), 20);
}

#[test]
fn a_graph_that_would_be_another_one_is_refused() {
    let folder = folder("another");
    let symmetric = "type t: scalarset(2); var a: array [t] of boolean;\n\
                     startstate for i: t do a[i] := false; end; end;\n\
                     ruleset i: t do rule \"on\" a[i] := !a[i]; end; end;\n";
    fs::write(folder.join("s.m"), symmetric).expect("it can be written");
    for (line, code, said) in [
        ("interpret s.m -- --graph g.aut", 2, "symmetry reduction changes the graph"),
        ("interpret s.m -- -nosym --graph g.aut --sleep", 2, "it skips transitions"),
        ("interpret s.m -- -nosym --graph g.aut -c", 2, "hash compaction (-c) stores signatures"),
        ("interpret s.m -- -nosym --graph g.txt", 2, "g.txt: the name of a graph ends in .aut"),
        (
            "interpret s.m -- -nosym --graph g.aut --graph-limit 3",
            3,
            "there are 4 states, and the limit is 3",
        ),
        ("interpret c.m -- --graph g.aut", 3, "the search did not come to its end"),
        ("interpret s.m -- -nosym --graph g.aut --max-depth 1", 3, "the search did not come to its end"),
        ("interpret s.m -- -nosym --graph nowhere/g.aut", 2, "cannot write nowhere/g.aut"),
        ("graph s.m g.aut --limit 3", 2, "the graph has more than 3 states"),
        ("graph s.m g", 2, "--form FORM"),
    ] {
        expect(&mcc_in(&folder, line), code, &[said]);
        assert!(!folder.join("g.aut").exists(), "{line}");
    }
    expect(&mcc_in(&folder, "interpret s.m -- -nosym -b -j2 --threads-from 1 --graph g.aut"), 0, &[]);
    let first = fs::read_to_string(folder.join("g.aut")).expect("it was written");
    assert!(first.starts_with("des (0, 9, 5)\n"), "{first}");
    expect(&mcc_in(&folder, "graph s.m g.aut"), 0, &[]);
    assert_eq!(fs::read_to_string(folder.join("g.aut")).expect("it was written"), first);
}

#[test]
fn what_a_rule_fails_to_do_is_missing_in_a_graph_and_said() {
    let folder = empty_folder("failing");
    let model = "var x: 0..1; startstate x := 0; end; rule \"over\" x := x + 1; end;\n";
    fs::write(folder.join("f.m"), model).expect("it can be written");
    expect(&mcc_in(&folder, "graph f.m f.aut"), 0, &["warning: 1 transition of rules that fail"]);
}
