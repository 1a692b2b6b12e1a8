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

/// A lock that is given in the order of asking. `overtakes`: who does not wait may go in as well.
const QUEUE: &str = "
const n: 4; overtakes: 0;
type process: scalarset(n);
var
  place: array [process] of enum { outside, waiting, inside };
  line: array [0..n-1] of process; length: 0..n;
startstate begin for p: process do place[p] := outside; end; undefine line; length := 0; end;
ruleset p: process do
  rule \"ask\" place[p] = outside ==> begin place[p] := waiting; line[length] := p; length := length + 1; end;
  rule \"take\" place[p] = waiting & line[0] = p & forall q: process do place[q] != inside end ==>
  begin place[p] := inside; end;
  rule \"leave\" place[p] = inside ==>
  begin
    place[p] := outside;
    if length > 0 & line[0] = p then
      for k := 0 to n - 2 do
        if isundefined(line[k + 1]) then undefine line[k]; else line[k] := line[k + 1]; end;
      end;
      undefine line[n - 1];
      length := length - 1;
    end;
  end;
  rule \"overtake\" overtakes = 1 & place[p] = outside & forall q: process do place[q] != inside end ==>
  begin place[p] := inside; end;
end;
";

/// What is kept apart, by the report.
fn kept_apart(name: &str, model: &str, options: &str) -> Vec<(String, u64)> {
    let path = scratch("temporal").join(name).with_extension("m");
    std::fs::write(&path, model).expect("it is writable");
    let mut command = mcc();
    command.arg("--interpret").arg(&path).args(["--", "-ndl", "--quiet", "--json=-"]);
    let report = command.args(options.split_whitespace()).output().expect("mcc runs").stdout;
    let report: serde_json::Value = serde_json::from_slice(&report).expect("a report");
    let kept = report["runs"]["kept_apart"].as_array().expect("a list").iter();
    let figures = kept.map(|one| (one["scalarset"].as_str(), one["elements"].as_u64()));
    figures.map(|(name, count)| (name.expect("a name").to_owned(), count.expect("a number"))).collect()
}

/// A formula inside `forall` is decided for one element, on states in which the others are reduced:
/// right and broken models, with one element and with two.
#[test]
fn elements_that_are_named_are_kept_apart() {
    // Whether it holds in the lock that nobody overtakes, and in the other one.
    let each = [
        (1, "ltl \"f\" forall p: process do place[p] = waiting ~> place[p] = inside end;", [true, false]),
        (1, "ltl \"f\" forall p: process do <> [] (place[p] != inside) end;", [false, false]),
        (1, "ruleset p: process do liveness \"f\" place[p] = inside; end;", [true, true]),
        (1, "ruleset p: process do liveness \"f\" place[p] = outside & length = 0; end;", [true, true]),
        (1, "ruleset p: process do liveness \"f\" place[p] = inside & length = 0; end;", [false, true]),
        (1, "ltl \"f\" forall p: process do fired(\"ask\", p) ~> fired(\"take\", p) end;", [true, false]),
        (
            1,
            "ltl \"f\" forall p: process do fired(\"ask\", p) ~> fired(\"overtake\", p) end;",
            [false, false],
        ),
        (
            2,
            "ltl \"f\" forall p: process; q: process do
               place[p] = waiting & place[q] = waiting ~> place[p] = inside | p != q end;",
            [true, false],
        ),
        (
            2,
            "ltl \"f\" forall p: process do forall q: process do
               place[p] = waiting & place[q] = outside ~> place[p] = inside & place[q] = outside end end;",
            [false, false],
        ),
        (
            2,
            "ltl \"f\" forall p: process; q: process do [] (p != q & place[p] = waiting & place[q] = outside
               & next place[q] = waiting -> next (place[q] != inside until place[p] = inside)) end;",
            [true, false],
        ),
    ];
    for (at, (apart, property, holds)) in each.into_iter().enumerate() {
        for (overtakes, holds) in holds.into_iter().enumerate() {
            let model =
                format!("{QUEUE}{property}").replace("overtakes: 0", &format!("overtakes: {overtakes}"));
            let name = format!("apart_{at}_{overtakes}");
            let [reduced, all] = both(&name, &model, "-ndl");
            let verdict = if holds { Verdict::Verified } else { Verdict::Violated };
            assert_eq!(reduced.verdict, verdict, "{property} {overtakes}: {reduced}");
            assert!(reduced.states < all.states, "{property}: {reduced}\n{all}");
            assert_eq!(kept_apart(&name, &model, ""), [("process".to_owned(), apart)], "{property}");
            assert!(kept_apart(&name, &model, "-nosym").is_empty());
        }
    }
    // Steps are distinguished by their rules, and not by their elements.
    let [one, all] = both("rules", &format!("{QUEUE}ltl \"f\" [] <> fired(\"take\");"), "-ndl");
    assert_eq!(one.verdict, Verdict::Verified);
    assert!(24 * one.states > all.states && 12 * one.states < all.states, "{one}\n{all}");
}

/// One formula names all elements: these are not reduced, and others are.
#[test]
fn quantifiers_inside_name_all_elements() {
    let inside = "ltl \"f\" [] exists p: process do <> (place[p] = inside) end;";
    let model = format!("{LOCK}{inside}");
    let [one, all] = both("inside", &model, "-ndl");
    assert_eq!(one.states, all.states);
    let with_data = model
        .replace("taken: boolean;", "taken: boolean; value: array [datum] of boolean;")
        .replace("type ", "type datum: scalarset(3); ")
        .replace("taken := false; end;\nruleset", "taken := false; for d: datum do value[d] := false; end; end;\nruleset d: datum do rule \"write\" !value[d] ==> begin value[d] := true; end; end;\nruleset");
    let [one, all] = both("inside_data", &with_data, "-ndl");
    assert_eq!((one.verdict, all.states), (Verdict::Verified, 2 * one.states));
    let rest = with_data.replace("<> (place[p] = inside)", "<> [] (place[p] != inside)");
    let [one, all] = both("inside_rest", &rest, "-ndl");
    assert_eq!((one.verdict, all.states), (Verdict::Violated, 2 * one.states));
    // One of the data, and no process.
    let datum = with_data.replace(inside, "ltl \"f\" forall d: datum do value[d] ~> !value[d] end;");
    let [one, _] = both("datum", &datum, "-ndl");
    assert_eq!(one.verdict, Verdict::Violated);
    assert_eq!(kept_apart("datum", &datum, ""), [("datum".to_owned(), 1)]);
}

/// The element of the first formula is not the one that the start state distinguishes.
#[test]
fn start_states_that_distinguish_elements() {
    let model = "type P: scalarset(3); var o: P; seen: array [P] of boolean;
        startstate begin for p: P do o := p; seen[p] := false; end; end;
        ruleset p: P do rule \"see\" p != o & !seen[p] ==> begin seen[p] := true; end; end;
        ltl \"f\" forall p: P do <> (PROPERTY) end;";
    // The last one is never seen.
    let [one, all] = both("apart_start", &model.replace("PROPERTY", "seen[p]"), "-ndl");
    assert_eq!((one.verdict, one.states), (Verdict::Violated, all.states));
    let [one, _] = both("apart_start_right", &model.replace("PROPERTY", "seen[p] | o = p"), "-ndl");
    assert_eq!(one.verdict, Verdict::Verified);
    // A start state for each element.
    let each = model.replace("startstate", "ruleset q: P do startstate").replace("o := p; seen", "seen");
    let each = each.replace("end; end;\n        ruleset p", "end; o := q; end; end;\n        ruleset p");
    let [one, all] = both("each_start", &each.replace("PROPERTY", "seen[p]"), "-ndl");
    assert_eq!(one.verdict, Verdict::Violated);
    assert!(one.states < all.states, "{one}\n{all}");
    let [one, _] = both("each_start_right", &each.replace("PROPERTY", "seen[p] | o = p"), "-ndl");
    assert_eq!(one.verdict, Verdict::Verified);
}

/// Elements in multisets and unions, and scalarsets in doubt.
#[test]
fn elements_apart_wherever_they_are() {
    let model = "type P: scalarset(3); D: scalarset(2); U: union { P, enum { home } };
        var m: multiset [2] of P; at: U; last: D; w: array [D] of boolean;
        startstate begin undefine m; at := home; undefine last; for d: D do w[d] := false; end; end;
        ruleset p: P do
          rule \"in\" multisetcount(i: m, true) < 2 & multisetcount(i: m, m[i] = p) = 0 ==>
          begin multisetadd(p, m); end;
          rule \"go\" at = home & multisetcount(i: m, m[i] = p) > 0 ==>
          begin at := p; multisetremovepred(i: m, m[i] = p); end;
        end;
        rule \"home\" at != home ==> begin at := home; end;
        ruleset d: D do rule \"write\" !w[d] ==> begin w[d] := true; end; end;
        rule \"any\" isundefined(last) & exists d: D do w[d] end ==>
        begin for d: D do if isundefined(last) & w[d] then last := d; end; end; end;
        PROPERTY";
    let each = [
        ("ltl \"f\" forall p: P do multisetcount(i: m, m[i] = p) > 0 ~> at = p end;", false),
        ("ltl \"f\" forall u: U do at = u ~> at != u | u = home end;", true),
        ("ltl \"f\" forall u: U do at = u ~> at != u end;", true),
        ("ltl \"f\" forall p: P; u: U do at = u & u = p ~> at = home end;", true),
        ("ltl \"f\" forall p: P; u: U do at = u & multisetcount(i: m, m[i] = p) > 0 ~> at = p end;", false),
        ("ruleset u: U do liveness \"f\" at = u; end;", true),
        ("ruleset p: P; d: D do liveness \"f\" at = p & (w[d] | true); end;", true),
        ("ruleset d: D do liveness \"f\" isundefined(last) | last = d; end;", false),
        ("ltl \"f\" forall d: D do <> [] (w[d] | isundefined(last)) end;", false),
    ];
    for (at, (property, holds)) in each.into_iter().enumerate() {
        let [one, all] = both(&format!("wherever_{at}"), &model.replace("PROPERTY", property), "-ndl");
        let verdict = if holds { Verdict::Verified } else { Verdict::Violated };
        assert_eq!(one.verdict, verdict, "{property}: {one}");
        assert!(one.states < all.states, "{property}: {one}\n{all}");
    }
}

/// Fairness of instances makes a difference between elements.
#[test]
fn fairness_is_decided_on_states() {
    let model = format!("{LOCK}ltl \"f\" [] <> !taken;");
    let [fair, all] = both("fair_names", &model, "-ndl --fairness weak");
    assert_eq!((fair.verdict, fair.states), (Verdict::Verified, all.states));
    let [unfair, all] = both("unfair_names", &model, "-ndl");
    assert_eq!(unfair.verdict, Verdict::Verified);
    assert!(unfair.states < all.states);
    let model = format!("{LOCK}ltl \"f\" forall p: process do place[p] = waiting ~> place[p] = inside end;");
    for (fairness, verdict) in
        [("none", Verdict::Violated), ("weak", Verdict::Violated), ("strong", Verdict::Verified)]
    {
        let options = format!("-ndl --fairness {fairness}");
        let [one, all] = both(&format!("fair_{fairness}"), &model, &options);
        assert_eq!(one.verdict, verdict, "{one}");
        assert_eq!(one.states == all.states, fairness != "none", "{one}\n{all}");
    }
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
