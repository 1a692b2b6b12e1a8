//! Symmetry and properties of runs: what may be decided on orbits is, and says what the search of
//! all states says; a path of the reduced graph is one of the model; and what speaks of single
//! elements is decided under the same names.

use super::safety::interpret;
use crate::support::{mcc, scratch, text};
use mcc_murphi::{Report, Verdict};

/// A lock for processes that can be exchanged. `loses`: one that leaves may keep the lock for ever.
const LOCK: &str = "
const n: 3; loses: 0;
type process: scalarset(n);
var place: array [process] of enum { outside, waiting, inside }; taken: boolean;
startstate begin for p: process do place[p] := outside; end; taken := false; end;
ruleset p: process do
  rule \"ask\" place[p] = outside ==> begin place[p] := waiting; end;
  rule \"take\" place[p] = waiting & !taken ==> begin place[p] := inside; taken := true; end;
  rule \"leave\" place[p] = inside ==> begin place[p] := outside; taken := false; end;
  rule \"lose\" loses = 1 & place[p] = inside ==> begin place[p] := outside; end;
end;
";

/// The reports with and without reduction; and the counterexample of the first is replayed.
fn both(name: &str, model: &str, options: &str) -> [Report; 2] {
    let reports = [interpret(model, options), interpret(model, &format!("{options} -nosym --no-multiset"))];
    assert_eq!(reports[0].verdict, reports[1].verdict, "{model}\n{}\n{}", reports[0], reports[1]);
    if reports[0].verdict == Verdict::Violated {
        let folder = scratch("temporal");
        let (path, report) = (folder.join(name).with_extension("m"), folder.join(format!("{name}.json")));
        std::fs::write(&path, model).expect("it is writable");
        let mut command = mcc();
        command.arg("--interpret").arg(&path).arg("--").args(options.split_whitespace());
        assert_eq!(command.arg("--json").arg(&report).output().expect("mcc runs").status.code(), Some(1));
        let replayed = mcc().arg(&path).arg("--replay").arg(&report).output().expect("mcc runs");
        let said = text(&replayed.stdout) + &text(&replayed.stderr);
        assert!(said.contains("The error is real"), "{model}\n{}\n{said}", reports[0]);
    }
    reports
}

#[test]
fn what_names_no_element_is_decided_on_orbits() {
    let quiet = "liveness \"quiet\" !taken & forall p: process do place[p] = outside end;";
    let held = "ltl \"held\" [] (taken -> <> exists p: process do place[p] = waiting end);";
    let going = "ltl \"going\" <> [] (taken | exists p: process do place[p] != outside end);";
    for (at, property) in [quiet, held, going].into_iter().enumerate() {
        for loses in [0, 1] {
            let model = format!("{LOCK}{property}").replace("loses: 0", &format!("loses: {loses}"));
            let [reduced, all] = both(&format!("orbits_{at}_{loses}"), &model, "-ndl");
            assert!(reduced.states < all.states, "{reduced}\n{all}");
            let expected = match (at, loses) {
                (0, 0) | (1, _) => Verdict::Verified,
                _ => Verdict::Violated,
            };
            assert_eq!(reduced.verdict, expected, "{property} {loses}: {reduced}");
        }
    }
}

#[test]
fn what_names_elements_is_decided_on_states() {
    let each = [
        "ruleset p: process do liveness \"f\" place[p] = inside; end;",
        "ltl \"f\" forall p: process do [] (place[p] = inside -> <> place[p] = outside) end;",
        "ltl \"f\" [] exists p: process do <> (place[p] = inside) end;",
        "ltl \"f\" [] <> fired(\"take\");",
    ];
    for property in each {
        let model = format!("{LOCK}{property}");
        let [one, all] = both("names", &model, "-ndl");
        assert_eq!(one.states, all.states, "{property}");
    }
    // Fairness of instances makes a difference between elements, too.
    let model = format!("{LOCK}ltl \"f\" [] <> !taken;");
    let [fair, all] = both("fair_names", &model, "-ndl --fairness weak");
    assert_eq!((fair.verdict, fair.states), (Verdict::Verified, all.states));
    let [unfair, all] = both("unfair_names", &model, "-ndl");
    assert_eq!(unfair.verdict, Verdict::Verified);
    assert!(unfair.states < all.states);
}

/// The loop of the graph is one step, and that of the model comes back under other names first.
#[test]
fn a_loop_closes_under_the_same_names() {
    let ring = "type P: scalarset(3); var at: P; k: 0..2;
        startstate begin for p: P do at := p; end; k := 0; end;
        ruleset p: P; q: P do rule \"pass\" at = p & q != p & k < 2 ==> begin at := q; end; end;
        rule \"end\" k < 2 ==> begin k := k + 1; end; ltl \"f\" <> (k = 2);";
    let [reduced, all] = both("ring", ring, "-ndl");
    assert_eq!((reduced.states, all.states), (3, 9));
    let length = |report: &Report| report.errors[0].trace.as_ref().map(Vec::len);
    assert_eq!(length(&reduced), length(&all), "{reduced}\n{all}");
    // Each is visited once before any is visited again.
    let tour = "type P: scalarset(4); var at: P; seen: array [P] of boolean; stopped: boolean;
        startstate begin for p: P do seen[p] := false; end; undefine at; stopped := false; end;
        ruleset p: P do
          rule \"go\" !stopped & !seen[p] ==> begin at := p; seen[p] := true; end;
          rule \"again\" !stopped & at = p & forall q: P do seen[q] end ==>
          begin for q: P do seen[q] := q = p; end; end;
        end;
        rule \"stop\" !stopped ==> begin stopped := true; end; ltl \"f\" <> stopped;";
    let [reduced, all] = both("tour", tour, "-ndl");
    assert!(reduced.states < all.states);
}

/// Elements of multisets may lie in any slot: what counts them is decided on sorted ones, and what
/// looks at a slot is not.
#[test]
fn slots_are_names_as_well() {
    let bag = "type P: scalarset(3); var m: multiset [3] of P; full: boolean;
        startstate begin undefine m; full := false; end;
        ruleset p: P do rule \"in\" !full & multisetcount(i: m, true) < 3 ==> begin multisetadd(p, m); end; end;
        choose c: m do rule \"out\" !full ==> begin multisetremove(c, m); end; end;
        rule \"shut\" multisetcount(i: m, true) = 3 ==> begin full := true; end;";
    let [reduced, all] =
        both("bag", &format!("{bag}liveness \"empty\" multisetcount(i: m, true) = 0;"), "-ndl");
    assert_eq!(reduced.verdict, Verdict::Violated);
    assert!(reduced.states < all.states);
    let [reduced, _] = both("bag_full", &format!("{bag}ltl \"f\" <> full;"), "-ndl");
    assert_eq!(reduced.verdict, Verdict::Violated);
    let [reduced, _] = both("bag_can", &format!("{bag}liveness \"f\" full;"), "-ndl");
    assert_eq!(reduced.verdict, Verdict::Verified);
}

/// One of several formulas that differ in names alone is decided, where the start states allow it.
#[test]
fn one_of_those_that_are_alike_is_decided() {
    let each = "ltl \"f\" forall p: process do [] (place[p] = inside -> <> place[p] != inside) end;";
    let model = format!("{LOCK}{each}");
    assert_eq!(both("alike", &model, "-ndl --fairness weak")[0].verdict, Verdict::Verified);
    let product = |options: &str| {
        let path = scratch("temporal").join("alike.m");
        std::fs::write(&path, &model).expect("it is writable");
        let options = format!("-ndl --fairness weak --quiet --json=- {options}");
        let mut command = mcc();
        command.arg("--interpret").arg(&path).arg("--").args(options.split_whitespace());
        let report = command.output().expect("mcc runs").stdout;
        let report: serde_json::Value = serde_json::from_slice(&report).expect("a report");
        report["runs"]["product"].as_u64().expect("the size of all products")
    };
    assert_eq!(3 * product(""), product("-nosym"));
    // The loop leaves the last element in it, so the elements are not alike.
    let apart = "type P: scalarset(3); var o: P; b: boolean;
        startstate begin for p: P do o := p; end; b := false; end;
        rule \"turn\" true ==> begin b := !b; end;
        ltl \"f\" forall p: P do <> (o != p) end;";
    let [one, _] = both("apart", apart, "-ndl");
    assert_eq!(one.verdict, Verdict::Violated, "{one}");
    // Two of them may be the same element or not.
    let pairs = "ltl \"f\" forall p: process; q: process do
        [] (place[p] = waiting & place[q] = inside -> <> (p = q | place[q] != inside)) end;";
    let [one, _] = both("pairs", &format!("{LOCK}{pairs}"), "-ndl --fairness weak");
    assert_eq!(one.verdict, Verdict::Verified);
    let pairs = "ltl \"f\" forall p: process; q: process do
        [] (place[p] = waiting & place[q] = inside -> <> place[p] = inside) end;";
    let [one, _] = both("pairs_wrong", &format!("{LOCK}{pairs}"), "-ndl --fairness weak");
    assert_eq!(one.verdict, Verdict::Violated);
}

/// Whether states are reduced depends on fairness, so a search that was saved with one cannot go on
/// with the other.
#[test]
fn a_saved_search_keeps_its_reduction() {
    let folder = scratch("temporal");
    let (path, saved) = (folder.join("saved.m"), folder.join("saved.checkpoint"));
    let _ = std::fs::remove_dir_all(&saved);
    std::fs::write(&path, format!("{LOCK}ltl \"f\" [] <> !taken;")).expect("it is writable");
    let run = |options: &[&str], place: &str| {
        let mut command = mcc();
        command.arg("--interpret").arg(&path).args(["--", "-ndl"]).args(options).arg(place).arg(&saved);
        let output = command.output().expect("mcc runs");
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, said) = run(&["--checkpoint=0", "--max-depth=2"], "--checkpoint-directory");
    assert_eq!(code, Some(3), "{said}");
    let (code, said) = run(&["--fairness=weak"], "--resume");
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = run(&[], "--resume");
    assert_eq!(code, Some(0), "{said}");
}
