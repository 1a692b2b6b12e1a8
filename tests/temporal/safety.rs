//! Formulas whose violation shows in a finite part of a run: every search finds it, and says what
//! the search of the product says, to which `& next true` leaves a formula.

use super::{COUNTER, run};
use crate::support::{mcc, scratch, text};
use mcc_murphi::{Model, Options, Report, Verdict};

/// Requests and answers of processes that can be exchanged.
const ANSWERS: &str = "
const n: 3; broken: 0;
type process: scalarset(n);
var asked, answered, seen: array [process] of boolean;
startstate begin for p: process do asked[p] := false; answered[p] := false; seen[p] := false; end; end;
ruleset p: process do
  rule \"ask\" !asked[p] & !answered[p] ==> begin asked[p] := true; end;
  rule \"answer\" asked[p] ==> begin asked[p] := false; answered[p] := true; end;
  rule \"again\" broken = 1 & seen[p] & !answered[p] ==> begin answered[p] := true; end;
  rule \"thank\" answered[p] ==> begin answered[p] := false; seen[p] := true; end;
end;
";
/// After each answer that was taken there is none without a question.
const BEFORE: &str =
    "ruleset p: process do ltl \"f\" [] (!answered[p] -> (!answered[p] weakuntil asked[p])); end;";

/// Ways to search; each works with a safety formula, as with an invariant.
const WAYS: [&str; 13] = [
    "-vbfs -j1",
    "-vbfs -j2 --threads-from 1",
    "-vdfs",
    "-b",
    "-c",
    "-c -vdfs",
    "--cache 1M",
    "-vdfs --cache 1M",
    "--tree",
    "--compress-paths",
    "-nosym --sleep",
    "-nosym -vdfs --sleep",
    "-nosym",
];

pub fn interpret(text: &str, options: &str) -> Report {
    let options = Options::new().with_arguments(options.split_whitespace());
    let report = Model::from_text("safety.m", text).interpret(&options);
    report.unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Whether the formula of a model is checked by every search.
fn is_beside(text: &str) -> bool {
    let check = Model::from_text("safety.m", text).check().expect("it can be checked");
    let mut notes = check.messages.iter().filter(|message| message.code == "formula-check");
    notes.next().expect("each formula has a note").message.contains("by every search")
}

#[test]
fn every_search_finds_the_violation_and_none_else() {
    let right = format!("{ANSWERS}{BEFORE}");
    let wrong = right.replace("broken: 0", "broken: 1");
    assert!(is_beside(&right) && is_beside(&wrong));
    let disk = scratch("temporal").join("disk");
    let disk = format!("--disk {}", disk.display());
    std::fs::create_dir_all(scratch("temporal").join("disk")).expect("it is writable");
    for way in WAYS.into_iter().chain([disk.as_str()]) {
        let report = interpret(&right, way);
        assert_eq!(report.verdict, Verdict::Verified, "{way}: {report}");
        assert_eq!(report.properties[0].status, "holds", "{way}: {report}");
        let report = interpret(&wrong, way);
        assert_eq!(report.verdict, Verdict::Violated, "{way}: {report}");
        let error = &report.errors[0];
        assert_eq!(error.kind, "ltl", "{way}");
        if !way.contains("dfs") {
            let steps = error.trace.as_ref().map(Vec::len);
            assert_eq!(steps, Some(5), "{way}: a shortest trace");
        }
    }
    // The search of the product agrees.
    let after = |text: &str| text.replace("asked[p])); end;", "asked[p])) & next true; end;");
    assert!(!is_beside(&after(&right)));
    assert_eq!(interpret(&after(&right), "").verdict, Verdict::Verified);
    assert_eq!(interpret(&after(&wrong), "").verdict, Verdict::Violated);
}

#[test]
fn symmetry_reduces_what_formulas_remember() {
    let model = format!("{ANSWERS}{BEFORE}");
    let (all, orbits) = (interpret(&model, "-nosym").states, interpret(&model, "").states);
    // Multisets of three out of the states of one process, against ordered triples.
    let one = interpret(&model.replace("n: 3", "n: 1"), "").states;
    assert_eq!((all, orbits), (one.pow(3), one * (one + 1) * (one + 2) / 6));
}

/// Formulas and what becomes of them on a counter from 0 to 3 that may stay where it is.
#[test]
fn formulas_on_a_counter() {
    let cases = [
        ("[] (x < 4)", 0, true),
        ("[] (x < 3)", 1, true),
        ("(x < 2) weakuntil (x = 2)", 0, true),
        ("(x < 2) weakuntil (x = 3)", 1, true),
        ("(x = 2) release (x < 3)", 0, true),
        ("(x = 3) release (x < 2)", 1, true),
        ("[] (x = 2 -> [] (x >= 2))", 0, true),
        ("[] (x = 2 -> [] (x = 2))", 1, true),
        ("x = 0", 0, true),
        ("x = 1", 1, true),
        ("!<> (x = 3)", 1, true),
        ("!<> (x = 3 & <> (x = 0))", 0, true),
        ("forall i: 0..3 do [] (x = i -> [] (x >= i)) end", 0, true),
        ("[] forall i: 1..3 do (x < i) weakuntil (x = i) end", 1, true),
        ("[] forall i: 0..3 do x >= i -> [] (x >= i) end", 0, true),
        ("[] (x < 3 -> next x < 3)", 1, false),
        ("[] (x < 3 | !fired(\"up\"))", 0, false),
        ("exists i: 0..3 do [] (x <= i) end", 0, false),
        ("[] exists i: 0..3 do [] (x >= i) end", 0, false),
        ("<> (x = 3)", 1, false),
    ];
    for (formula, code, beside) in cases {
        for fairness in ["none", "strong"] {
            let model = format!("{COUNTER} rule \"idle\" true ==> begin end; ltl \"f\" {formula};");
            assert_eq!(is_beside(&model), beside, "{formula}");
            let (is, said) = run("counter", &model, &["-ndl", "--fairness", fairness]);
            let code = if formula == "<> (x = 3)" { i32::from(fairness == "none") } else { code };
            assert_eq!(is, Some(code), "{formula}: {said}");
            let model =
                format!("{COUNTER} rule \"idle\" true ==> begin end; ltl \"f\" ({formula}) & next true;");
            let (is, said) = run("counter_after", &model, &["-ndl", "--fairness", fairness]);
            assert_eq!(is, Some(code), "{formula} after the search: {said}");
        }
    }
}

/// What a formula remembers is no way out of a state, and is shown nowhere.
#[test]
fn deadlocks_stay_deadlocks() {
    let model = format!("{COUNTER} ltl \"f\" (x < 2) weakuntil (x = 2);");
    let (code, said) = run("stuck", &model, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("No rule changes the state after step 3"), "{said}");
    assert!(!said.contains("monitor"), "{said}");
    let idle = format!("{model} rule \"idle\" x = 3 ==> begin end;");
    let (code, said) = run("stuck_idle", &idle, &[]);
    assert_eq!(code, Some(1), "{said}");
}

/// Runs that an assumption ends do not count, so a path into one violates nothing.
#[test]
fn assumptions_leave_it_to_the_product() {
    // From x = 3 every way on is excluded: no run comes there.
    let model = "var x: 0..4; startstate begin x := 0; end;
        rule \"up\" x < 4 ==> begin x := x + 1; end; rule \"back\" x < 3 ==> begin x := 0; end;
        assume \"low\" x < 4; ltl \"f\" [] (x < 3);";
    assert!(!is_beside(model));
    assert_eq!(interpret(model, "-ndl").verdict, Verdict::Verified);
    let statement = model.replace("assume \"low\" x < 4;", "").replace("x + 1;", "x + 1; assume x < 4;");
    assert!(!is_beside(&statement));
}

/// A rule that ends early would not step the automaton.
#[test]
fn what_cannot_be_stepped_is_left_to_the_product() {
    let early = "var x: 0..3; startstate begin x := 0; end;
        rule \"up\" x < 3 ==> begin x := x + 1; if x = 2 then return; end; end; ltl \"f\" [] (x < 3 | x = 3);
        ltl \"g\" (x < 2) weakuntil (x = 3);";
    assert!(!is_beside(early));
    assert_eq!(interpret(early, "-ndl").verdict, Verdict::Violated);
    let alias = "var x: 0..3; startstate begin x := 0; end; rule \"up\" x < 3 ==> begin x := x + 1; end;
        alias y: x do ltl \"g\" (y < 2) weakuntil (y = 3); end;";
    assert!(!is_beside(alias));
    assert_eq!(interpret(alias, "-ndl").verdict, Verdict::Violated);
    let printing = "var x: 0..3; function low(): boolean; begin put \"\"; return x < 2; end;
        startstate begin x := 0; end; rule \"up\" x < 3 ==> begin x := x + 1; end;
        ltl \"g\" low() weakuntil (x = 3);";
    assert!(!is_beside(printing));
    assert_eq!(interpret(printing, "-ndl").verdict, Verdict::Violated);
}

/// A condition that cannot be evaluated is an error wherever it is, also where another decides.
#[test]
fn conditions_that_cannot_be_evaluated() {
    let model = |formula: &str| {
        format!(
            "var x: 0..3; y: 0..3; startstate begin x := 0; y := 0; end;
            rule \"up\" x < 3 ==> begin x := x + 1; if x = 2 then undefine y; end; end; ltl \"f\" {formula};"
        )
    };
    for formula in ["(x < 3) weakuntil (y = 1)", "[] ((x < 4) | [] (y = 0))", "[] (y = 0)"] {
        let text = model(formula);
        assert!(is_beside(&text), "{formula}");
        let (beside, after) =
            (interpret(&text, "-ndl"), interpret(&model(&format!("({formula}) & next true")), "-ndl"));
        assert_eq!((beside.verdict, after.verdict), (Verdict::Violated, Verdict::Violated), "{formula}");
        assert_eq!(
            (beside.errors[0].kind.as_str(), after.errors[0].kind.as_str()),
            ("undefined", "undefined")
        );
    }
}

/// A formula that may be violated beside one that needs fairness, which is decided on the graph of
/// states with what the first remembers.
#[test]
fn both_kinds_go_together() {
    let model = format!(
        "{COUNTER} rule \"idle\" true ==> begin end; ltl \"early\" (x < 2) weakuntil (x = 2);
        ltl \"late\" <> (x = 3); liveness \"three\" x = 3;"
    );
    assert_eq!(run("both", &model, &["-ndl", "--fairness", "weak"]).0, Some(0));
    let (code, said) = run("both_unfair", &model, &["-ndl"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("formula \"late\" is false for this run"), "{said}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn condition(&mut self) -> &'static str {
        ["a", "b", "c = 0", "c = 1", "c = 2", "a = b", "c > 0", "d[1]", "d[2]"][self.below(9) as usize]
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(5) == 0 {
            return format!("({})", self.condition());
        }
        let (left, right) = (self.formula(depth - 1), self.formula(depth - 1));
        match self.below(8) {
            0 => format!("!({left})"),
            1 => format!("({left} & {right})"),
            2 => format!("({left} | {right})"),
            3 => format!("({left} -> {right})"),
            4 => format!("([] {left})"),
            5 => format!("({left} weakuntil {right})"),
            6 => format!("({left} release {right})"),
            _ => format!("(!<> {left})"),
        }
    }

    fn model(&mut self) -> String {
        let mut text = String::from(
            "var a, b: boolean; c: 0..2; d: array [1..2] of boolean;\n\
             startstate begin a := false; b := false; c := 0; d[1] := true; d[2] := false; end;\n",
        );
        for rule in 0..3 + self.below(3) {
            let changes = ["a := !a", "b := !b", "c := (c + 1) % 3", "c := 0", "d[1] := d[2]", "d[2] := a"];
            let guard = self.condition();
            let (one, other) = (self.below(6) as usize, self.below(6) as usize);
            let (one, other) = (changes[one], changes[other]);
            text += &format!("rule \"r{rule}\" {guard} ==> begin {one}; {other}; end;\n");
        }
        text
    }
}

#[test]
fn random_models_agree_with_the_product() {
    let mut random = Random(0x5eed_2503);
    let (mut done, mut violated) = (0, 0);
    let folder = scratch("temporal");
    while done < 80 {
        let (model, formula) = (random.model(), random.formula(3));
        let beside = format!("{model}ltl \"f\" {formula};\n");
        let after = format!("{model}ltl \"f\" {formula} & next true;\n");
        if !is_beside(&beside) {
            continue;
        }
        let way = WAYS[done % WAYS.len()];
        let (is, expected) = (interpret(&beside, &format!("-ndl {way}")), interpret(&after, "-ndl"));
        assert_eq!(is.verdict, expected.verdict, "{way}: {beside}\n{is}\n{expected}");
        done += 1;
        if is.verdict == Verdict::Violated {
            violated += 1;
            if violated % 4 == 0 {
                let (path, report) = (folder.join("random.m"), folder.join("random.json"));
                std::fs::write(&path, &beside).expect("it is writable");
                let mut command = mcc();
                command.arg("--interpret").arg(&path).args(["--", "-ndl", "--json"]).arg(&report);
                assert_eq!(command.output().expect("mcc runs").status.code(), Some(1));
                let replayed = mcc().arg(&path).arg("--replay").arg(&report).output().expect("mcc runs");
                assert!(
                    replayed.status.success(),
                    "{beside}\n{}{}",
                    text(&replayed.stdout),
                    text(&replayed.stderr)
                );
            }
        }
    }
    assert!(violated > 20 && violated < 75, "{violated} of {done}");
}
