//! What a terminal shows of an error, for every kind of error: the snapshots are what a user reads.

#![cfg(test)]

mod support;

use std::fs;
use std::path::Path;
use support::{mcc, root, scratch, shown, text};

/// Kinds of errors that no model in `models/broken` has.
const OTHERS: [(&str, &str); 11] = [
    ("reject", "rule x < 2 ==> x := x + 1; end; rule x > 0 ==> x := 0; end; reject \"never two\" x = 2;"),
    (
        "liveness",
        "rule \"up\" x < 2 ==> x := x + 1; end; rule \"stay\" true ==> end; liveness \"zero again\" x = 0;",
    ),
    (
        "ltl",
        "rule \"up\" x < 2 ==> x := x + 1; end; rule \"down\" x = 2 ==> x := 1; end; ltl \"zero again\" always eventually x = 0;",
    ),
    ("claimed_deadlock", "rule \"up\" x < 2 ==> x := x + 1; end; deadlock \"ends at two\" x = 2;"),
    (
        "fault_of_property",
        "rule \"up\" x < 2 ==> x := x + 1; end; rule x > 1 ==> x := 0; end; invariant \"quotient\" 4 / (2 - x) > 0;",
    ),
    (
        "fault_of_guard",
        "rule \"up\" x < 2 ==> x := x + 1; end; rule \"odd\" 4 / (2 - x) > 9 ==> x := 0; end;",
    ),
    ("fault_of_start_state", "startstate \"impossible\" x := 4 / (x - x); end; rule true ==> x := 0; end;"),
    (
        "lasso",
        "var y: 0..1; rule \"up\" x < 2 ==> x := x + 1; y := 0; end; rule \"turn\" x = 2 ==> y := 1 - y; end; ltl \"x falls\" (x = 2) leadsto (x = 0);",
    ),
    (
        "safety",
        "rule \"up\" x < 2 ==> x := x + 1; end; rule \"down\" x = 2 ==> x := 1; end; ltl \"below two\" always x < 2;",
    ),
    (
        "removed_slot",
        "var b: multiset [2] of 0..3; rule \"put\" x < 2 ==> multisetadd(x, b); x := x + 1; end; choose s: b do rule \"take twice\" x = 2 ==> multisetremove(s, b); multisetremove(s, b); end; end;",
    ),
    (
        "quotes",
        "rule \"a <b> \\\"quoted\\\" → ümläut\" x < 2 ==> x := x + 1; end; invariant \"π < \\\"4\\\"\" x < 2;",
    ),
];

/// From the first line of the error to the last state, without figures that depend on the machine.
fn trace(model: &Path, options: &[&str]) -> String {
    let mut command = mcc();
    command.current_dir(root()).arg("--interpret").arg(model).args(["--", "-j1", "--progress", "off"]);
    let output = command.args(options).output().expect("mcc starts");
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let said = text(&output.stdout);
    // With colours, an escape sequence stands before the word.
    let begin = ["\nThe walk of", "\nError", "\n\u{1b}[31;1mError"];
    let begin = begin.iter().filter_map(|begin| said.find(begin)).min();
    let begin = begin.unwrap_or_else(|| panic!("no error in\n{said}"));
    let end = said.find("\nviolated:").unwrap_or(said.len());
    said[begin..end].trim().to_owned()
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/traces");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn every_kind_of_error() {
    let folder = root().join("models/broken");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter_map(|name| name.strip_suffix(".m").map(str::to_owned))
        .collect();
    names.sort();
    assert!(names.len() >= 17, "{names:?}");
    settings().bind(|| {
        for name in &names {
            let text = trace(Path::new(&format!("models/broken/{name}.m")), &[]);
            insta::assert_snapshot!(name.as_str(), text);
        }
        for (name, rules) in OTHERS {
            let path = scratch("traces").join(format!("{name}.m"));
            let start = if rules.starts_with("startstate") { "" } else { "startstate x := 0; y := 0; end;" };
            let (more, rules) = match rules.strip_prefix("var ").and_then(|rest| rest.split_once("; ")) {
                Some((more, rules)) => (format!(" {more};"), rules),
                None => (String::new(), rules),
            };
            let declared = format!("var x: 0..3;{more}");
            let start = if more.contains("y:") { start } else { &start.replace(" y := 0;", "") };
            let source = format!("{declared}\n{start}\n{}\n", rules.replace("; rule", ";\nrule"));
            fs::write(&path, source).expect("the target directory is writable");
            let folder = scratch("traces").display().to_string();
            let shown = trace(&path, &[]).replace(&folder, "");
            insta::assert_snapshot!(name, shown);
        }
    });
}

#[test]
fn forms_of_a_trace() {
    let model = Path::new("models/broken/error_msi_writeback.m");
    settings().bind(|| {
        for form in ["table", "full", "short"] {
            insta::assert_snapshot!(format!("form_{form}"), trace(model, &["--trace", form]));
        }
        let coloured = trace(model, &["--color", "always"]);
        let shown = coloured.replace('\u{1b}', "␛");
        insta::assert_snapshot!("form_colours", shown.lines().take(30).collect::<Vec<_>>().join("\n"));
    });
}

/// A counter that an invariant reads, one that only a guard on the way reads, and one that nothing
/// reads.
const NOISE: &str = "var x: 0..2; gate: 0..2; noise: 0..3; other: array[0..1] of 0..3;
startstate x := 0; gate := 0; noise := 0; other[0] := 0; other[1] := 0; end;
rule \"reset\" true ==> noise := 0; end;
ruleset i: 0..1 do rule \"count\" other[i] < 3 ==> other[i] := other[i] + 1; end; end;
rule \"open\" gate < 2 & other[1] = 3 ==> gate := gate + 1; end;
rule \"advance\" x < 2 & gate = 2 ==> x := x + 1; end;
rule \"make noise\" noise < 3 ==> noise := noise + 1; end;
invariant \"small\" x < 2;
";

#[test]
fn a_short_trace_has_what_the_error_depends_on() {
    let path = scratch("traces").join("noise.m");
    fs::write(&path, NOISE).expect("the target directory is writable");
    let short = trace(&path, &["--search", "dfs", "--trace", "short"]);
    for needed in ["open", "advance", "count (i = 1)", "x: 0", "gate: 2", "other[1]: 3", "left out"] {
        assert!(short.contains(needed), "{needed}: {short}");
    }
    for superfluous in ["make noise", "count (i = 0)", "reset", "noise: ", "other[0]"] {
        assert!(!short.contains(superfluous), "{superfluous}: {short}");
    }
    // What is shown and what is left out are all steps.
    let number = |line: &str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let steps = short.lines().filter(|line| number(line)).count();
    assert_eq!(steps, 7, "{short}");
}

#[test]
fn the_path_of_a_random_walk_is_shortened() {
    let path = scratch("traces").join("walk.m");
    fs::write(&path, NOISE).expect("the target directory is writable");
    for seed in ["1", "2", "3"] {
        let text = trace(&path, &["-s", "--seed", seed]);
        assert!(text.contains("was shortened to 7 by replaying"), "{text}");
        assert!(text.contains("\n7. advance") && !text.contains("make noise"), "{text}");
    }
}

/// A queue in an array that is shifted, and channels of one slot with both ends in their indices.
const QUEUES: &str = "type node: enum { left, right }; kind: enum { nothing, ask, answer };
var queue: array [0..2] of record what: kind; source: node; target: node; end; length: 0..3; asked: 0..2;
  channel: array [node] of array [node] of kind;
startstate
  undefine queue; length := 0; asked := 0;
  for n: node do for m: node do channel[n][m] := nothing; end; end;
end;
ruleset n: node do
  rule \"ask\" asked < 2 & length < 3 ==>
    queue[length].what := ask; queue[length].source := n; queue[length].target := right;
    length := length + 1; asked := asked + 1;
  end;
  rule \"serve\" length > 0 & queue[0].target = n ==>
    channel[n][queue[0].source] := answer;
    for i: 0..1 do queue[i] := queue[i + 1]; end;
    undefine queue[2]; length := length - 1;
  end;
  rule \"take\" channel[right][n] = answer ==> channel[right][n] := nothing; end;
end;
invariant \"never all\" !(asked = 2 & length = 0 & forall n: node do channel[right][n] = nothing end);
";

#[test]
fn messages_go_through_multisets_channels_and_queues() {
    let queues = scratch("traces").join("queues.m");
    fs::write(&queues, QUEUES).expect("the target directory is writable");
    let broken = root().join("models/broken");
    let models = [queues, broken.join("invariant_german.m"), broken.join("error_msi_writeback.m")];
    settings().bind(|| {
        for model in models {
            let name = model.file_stem().expect("a name").to_string_lossy().into_owned();
            let file = scratch("traces").join(format!("{name}.mmd"));
            trace(&model, &["--sequence", &file.display().to_string()]);
            let diagram = fs::read_to_string(file).expect("the diagram");
            insta::assert_snapshot!(format!("sequence_{name}"), diagram);
        }
    });
}
