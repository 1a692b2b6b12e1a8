//! `liveness` by the steps that the search has noted: random graphs against a decision of the
//! test's own, in every search, with as many threads, and with so little memory that the notes are
//! given up; and shapes in which one step, state or level decides.

use super::support::{mcc, scratch, text};
use serde_json::Value;

/// What a search says: its verdict, its violated properties, and whether the notes decided.
#[derive(Debug, PartialEq)]
struct Said {
    verdict: String,
    violated: Vec<String>,
    noted: Option<bool>,
    states: u64,
    trace: Option<usize>,
}

fn ask(name: &str, model: &str, options: &[&str]) -> Said {
    let path = scratch("temporal-liveness").join(name).with_extension("m");
    let report = path.with_extension("json");
    std::fs::write(&path, model).expect("the folder is writable");
    let mut command = mcc();
    command.arg("--interpret").arg(&path).args(["--", "-ndl"]).args(options).arg("--json").arg(&report);
    let output = command.output().expect("mcc runs");
    let shown = format!("{options:?}\n{model}\n{}{}", text(&output.stdout), text(&output.stderr));
    let found: Value = serde_json::from_slice(&std::fs::read(&report).expect(&shown)).expect("JSON");
    let all = found["property_figures"].as_array().expect(&shown).iter();
    let violated = all.filter(|property| property["status"] == "violated");
    let errors = found["errors"].as_array().expect(&shown);
    Said {
        verdict: found["verdict"].as_str().expect(&shown).to_owned(),
        violated: violated.map(|property| property["name"].as_str().unwrap_or_default().to_owned()).collect(),
        noted: found["runs"]["noted"].as_bool(),
        states: found["states"].as_u64().unwrap_or_default(),
        trace: errors.first().and_then(|error| error["trace"].as_array().map(Vec::len)),
    }
}

const SEARCHES: &[&[&str]] = &[
    &["-j1"],
    &["-j2", "--threads-from=1"],
    &["-j8", "--threads-from=1"],
    &["-j3", "-b", "--threads-from=64"],
    &["-j1", "-vdfs"],
    &["-j2", "--queue=disk", "--threads-from=1"],
    &["-j1", "--max-errors=0"],
];

/// Searches that do not note all steps.
const OTHERS: &[&[&str]] = &[&["-j1", "--sleep"], &["-j1", "-vdfs", "--sleep"]];

/// Asks every search, and expects all to say the same.
fn expect(name: &str, model: &str, violated: &[&str]) {
    // Sleeping rules have names.
    let others = if model.contains("scalarset") { &[] } else { OTHERS };
    for options in SEARCHES.iter().chain(others) {
        let said = ask(name, model, options);
        let shown = format!("{name} {options:?}: {said:?}");
        assert_eq!(said.violated, violated, "{shown}");
        assert_eq!(said.verdict == "verified", violated.is_empty(), "{shown}");
        let noted = violated.is_empty() && SEARCHES.contains(options);
        assert_eq!(said.noted, Some(noted), "{shown}");
    }
}

/// A line of states, with what else is to be done in it.
fn line(last: u64, rest: &str) -> String {
    format!(
        "var x: 0..{last}; startstate begin x := 0; end;\n\
         rule \"on\" x < {last} & x != 0 | x = 0 ==> begin if x < {last} then x := x + 1; end; end;\n{rest}"
    )
}

#[test]
fn one_late_step_decides() {
    for last in [1, 2, 63, 64, 65, 700] {
        let back = |to: u64| {
            line(last, &format!("rule \"back\" x = {last} ==> begin x := {to}; end; liveness \"l\" x = 0;"))
        };
        expect("late", &back(0), &[]);
        expect("late_not", &back(1), &["l"]);
    }
}

/// Only the state that was found last does not lead to the condition: it has no way on, or stays as
/// it is.
#[test]
fn one_late_state_decides() {
    for stays in ["", "rule \"stays\" x = 300 ==> begin end;"] {
        let live = |least: u64| line(300, &format!("{stays} liveness \"l\" x >= {least};"));
        expect("end", &live(300), &[]);
        expect("end", &live(0), &[]);
        expect("end_not", &line(300, &format!("{stays} liveness \"l\" x < 300;")), &["l"]);
    }
}

#[test]
fn each_of_several_properties_is_decided() {
    let model = |third: u64| {
        line(
            90,
            &format!(
                "rule \"back\" x = 90 ==> begin x := 7; end;\n\
                 ruleset i: 7..90 do liveness \"each\" x = i; end; liveness \"second\" x > 50;\n\
                 liveness \"third\" x = {third}; liveness \"always\" true;"
            ),
        )
    };
    expect("several", &model(7).replace("liveness \"always\" true;", ""), &[]);
    expect("several_not", &model(6), &["third"]);
    // A constant is left to the graph.
    assert_eq!(ask("constant", &model(7), &["-j2"]).noted, Some(false));
    assert_eq!(ask("constant", &model(7), &["-j2"]).verdict, "verified");
}

/// Orbits, with steps between states of one orbit.
#[test]
fn orbits_are_decided() {
    let model = |end: &str| {
        format!(
            "type P: scalarset(4); var on: array [P] of 0..2; startstate begin \
             for p: P do on[p] := 0; end; end;\n\
             ruleset p: P do rule \"up\" on[p] < 2 ==> begin on[p] := on[p] + 1; end;\n\
             rule \"down\" on[p] = 1 ==> begin on[p] := 0; end; {end} end;\n\
             liveness \"quiet\" forall p: P do on[p] = 0 end;"
        )
    };
    expect("orbits", &model("rule \"over\" on[p] = 2 ==> begin on[p] := 0; end;"), &[]);
    expect("orbits_not", &model(""), &["quiet"]);
}

/// An error comes first, and what is not expanded decides nothing.
#[test]
fn errors_and_bounds_decide_nothing() {
    let back = "rule \"back\" x = 90 ==> begin x := 0; end; liveness \"l\" x = 0;";
    let broken = line(90, &format!("{back} invariant \"i\" x != 80;"));
    for options in SEARCHES {
        let said = ask("broken", &broken, options);
        assert_eq!(
            (said.violated, said.verdict),
            (vec!["i".to_owned()], "violated".to_owned()),
            "{options:?}"
        );
    }
    for bound in ["--max-depth=89", "--max-depth=40", "--max-states=90", "--max-states=30"] {
        for threads in ["-j1", "-j2"] {
            let said = ask("bound", &line(90, back), &[bound, threads, "--threads-from=1"]);
            assert_eq!((said.verdict.as_str(), said.noted), ("inconclusive", Some(false)), "{bound}");
        }
    }
    // Nothing was left out; but where states may lie too deep, steps to them are not noted, and the
    // graph decides.
    for (bound, noted) in [("--max-depth=90", false), ("--max-depth=91", true), ("--max-states=91", true)] {
        let said = ask("bound", &line(90, back), &[bound, "-j1"]);
        assert_eq!((said.verdict.as_str(), said.noted), ("verified", Some(noted)), "{bound}");
    }
}

/// There are enough states for a look at the steps before the end of the search.
#[test]
fn what_can_be_seen_early_ends_the_search() {
    let wide = |back: &str| {
        format!(
            "var x, y: 0..700; trap, b: boolean;\n\
             startstate begin x := 0; y := 0; trap := false; b := false; end;\n\
             rule \"x\" !trap & x < 700 ==> begin x := x + 1; end;\n\
             rule \"y\" !trap & y < 700 ==> begin y := y + 1; end;\n\
             rule \"back\" !trap & x + y = 1400 ==> begin x := 0; y := 0; end;\n\
             rule \"fall\" x = 3 & y = 3 ==> begin trap := true; end; {back}\n\
             rule \"shake\" trap ==> begin b := !b; end;\n\
             liveness \"l\" x = 0 & y = 0 & !trap;"
        )
    };
    for threads in ["-j1", "-j2"] {
        let lost = ask("early", &wide(""), &[threads]);
        assert_eq!((lost.violated, lost.trace), (vec!["l".to_owned()], Some(8)), "{threads}");
        assert!((1 << 16..1 << 18).contains(&lost.states), "{threads}: {} states", lost.states);
        let rises = wide("rule \"rise\" trap ==> begin trap := false; b := false; end;");
        let held = ask("early_not", &rises, &[threads]);
        assert_eq!((held.verdict.as_str(), held.noted), ("verified", Some(true)), "{threads}");
        assert_eq!(held.states, 701 * 701 + 2, "{threads}");
    }
}

/// Functions on numbers as steps, and where the condition can be reached by the test's own
/// reckoning.
#[test]
fn random_graphs_are_decided_as_by_hand() {
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    let mut below = |end: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % end
    };
    let (mut held, mut lost) = (0, 0);
    for round in 0..40 {
        let size = [30, 500, 4_000][round % 3];
        let rules: Vec<[u64; 4]> =
            (0..1 + below(3)).map(|_| [below(size), below(size), 2 + below(5), below(4)]).collect();
        let goal = (1 + below(size / 4), below(5));
        let next = |x: u64| -> Vec<u64> {
            let fire = |[a, b, m, c]: &[u64; 4]| (x % m >= *c).then(|| (x * a + b) % size);
            rules.iter().filter_map(fire).collect()
        };
        let mut seen = vec![false; size as usize];
        let (mut order, mut at) = (vec![0u64], 0);
        seen[0] = true;
        while let Some(&x) = order.get(at) {
            at += 1;
            for to in next(x) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    order.push(to);
                }
            }
        }
        let mut good: Vec<bool> = (0..size).map(|x| x % goal.0 == goal.1).collect();
        loop {
            let before = good.iter().filter(|good| **good).count();
            for &x in &order {
                good[x as usize] |= next(x).iter().any(|to| good[*to as usize]);
            }
            if good.iter().filter(|good| **good).count() == before {
                break;
            }
        }
        let holds = order.iter().all(|x| good[*x as usize]);
        let rules: String = rules
            .iter()
            .map(|[a, b, m, c]| {
                format!("rule x % {m} >= {c} ==> begin x := (x * {a} + {b}) % {size}; end;\n")
            })
            .collect();
        let model = format!(
            "var x: 0..{}; startstate begin x := 0; end;\n{rules}liveness \"l\" x % {} = {};",
            size - 1,
            goal.0,
            goal.1
        );
        let violated: &[&str] = if holds { &[] } else { &["l"] };
        for options in SEARCHES {
            let said = ask("random", &model, options);
            assert_eq!(
                (&said.violated[..], said.states),
                (&violated.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()[..], order.len() as u64),
                "{options:?} {model}"
            );
            assert_eq!(said.noted, Some(holds), "{options:?} {model}");
        }
        *(if holds { &mut held } else { &mut lost }) += 1;
    }
    assert!(held >= 5 && lost >= 5, "{held} hold, {lost} do not");
}

/// With less and less memory there are no notes and no graph any more; what is said is right, or
/// nothing is.
#[test]
fn memory_that_is_short_decides_nothing() {
    let model = "var x, y: 0..300; startstate begin x := 0; y := 0; end;\n\
        rule \"x\" x < 300 ==> begin x := x + 1; end; rule \"y\" y < 300 ==> begin y := y + 1; end;\n\
        rule \"back\" x + y > 0 ==> begin x := 0; y := 0; end; liveness \"l\" x = 0 & y = 0;";
    for threads in ["-j1", "-j2"] {
        let (mut decided, mut undecided) = (0, 0);
        for kilobytes in (1_000..12_000).step_by(500) {
            let said = ask("scarce", model, &[threads, &format!("--memory={kilobytes}K")]);
            assert!(said.violated.is_empty(), "{kilobytes}: {said:?}");
            match said.verdict.as_str() {
                "verified" => decided += 1,
                "inconclusive" => undecided += 1,
                _ => panic!("{kilobytes}: {said:?}"),
            }
        }
        assert!(decided > 2 && undecided > 2, "{decided} decided, {undecided} undecided");
    }
}
