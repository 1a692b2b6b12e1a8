//! `mcc --simulate` as scripts use it: commands through a pipe, what is shown, what is saved, the
//! exit code.

#![cfg(test)]

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use support::{mcc, root, scratch, shown, text};

fn walk_with(model: &Path, options: &[&str], commands: &str) -> Output {
    let mut child = mcc()
        .arg("--simulate")
        .arg(model)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mcc starts");
    if let Some(mut input) = child.stdin.take() {
        // It may have left already.
        let _ = input.write_all(commands.as_bytes());
    }
    child.wait_with_output().expect("mcc ends")
}

#[track_caller]
fn walk(model: &Path, commands: &str, code: i32, said: &[&str]) -> String {
    let output = walk_with(model, &[], commands);
    let heard = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{}", shown(&output));
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
    assert!(!heard.contains("panicked") && !heard.contains("step 0>"), "{heard}");
    heard
}

fn philosophers() -> PathBuf {
    root().join("models/broken/deadlock_philosophers.m")
}

fn model(name: &str, text: &str) -> PathBuf {
    let file = scratch("simulate").join(name);
    std::fs::write(&file, text).expect("the target directory is writable");
    file
}

fn fresh(name: &str) -> PathBuf {
    let file = scratch("simulate").join(name);
    let _ = std::fs::remove_file(&file);
    file
}

#[test]
fn choosing_going_back_and_forth() {
    let heard = walk(
        &philosophers(),
        "# take two forks\n1\n1\nback\nforward\ngoto 0\nf 2\nwalk\nquit\nnonsense\n",
        0,
        &["Step 0: Startstate \"all think\"", "taken[4]:false", "Step 2: Rule \"take the left fork\", p:1"],
    );
    assert_eq!(heard.matches("Step 1: ").count(), 2, "{heard}");
    assert_eq!(heard.matches("Step 2: ").count(), 3, "{heard}");
    assert!(heard.ends_with(">   2  Rule \"take the left fork\", p:1\n"), "{heard}");
}

#[test]
fn the_end_of_the_input_ends_the_walk() {
    walk(&philosophers(), "", 0, &["Step 0"]);
    walk(&philosophers(), "1", 0, &["Step 1"]);
}

#[test]
fn states_and_differences() {
    let heard = walk(
        &philosophers(),
        "1\nstate doing[3]\ndiff\nshow full\n1\nshow diff\n",
        0,
        &["  doing[3]:thinking\n"],
    );
    assert_eq!(heard.matches("doing[4]:thinking").count(), 2, "{heard}");
    assert_eq!(heard.matches("taken[0]:true").count(), 3, "{heard}");
    walk(&philosophers(), "rules p:3\nstate zz\n", 2, &["no variable's name contains `zz`"]);
}

#[test]
fn wrong_commands_are_reported_and_the_rest_is_done() {
    for (command, said) in [
        ("nonsense", "there is no command `nonsense`"),
        ("0", "choose from 1 to 5"),
        ("6", "choose from 1 to 5"),
        ("-1", "there is no command"),
        ("99999999999999999999999", "there is no command"),
        ("back", "this is the beginning"),
        ("forward", "this is the end"),
        ("goto", "the number is missing"),
        ("goto 7", "the walk ends at step 0"),
        ("goto x", "`x` is not a number"),
        ("random x", "`x` is not a number"),
        ("show", "`show full` or `show diff`"),
        ("quit now", "takes nothing after it"),
        ("save", "the file's name is missing"),
        ("save /nowhere/at/all.json", "cannot write"),
        ("load", "the file's name is missing"),
        ("load /nowhere/at/all.json", "there is no file"),
        ("\u{1b}[A", "there is no command"),
    ] {
        let heard = walk(&philosophers(), &format!("{command}\n1\n"), 2, &[said, "Step 1: "]);
        assert!(!heard.contains('\u{1b}'), "{heard}");
    }
}

#[test]
fn a_deadlock_is_saved_loaded_and_confirmed() {
    let file = fresh("deadlock walk.json");
    let name = file.display();
    walk(
        &philosophers(),
        &format!("1\n1\n1\n1\n1\nsave {name}\nsave {name}\n"),
        0,
        &["Error: deadlock: no rule changes this state", "Saved 5 steps"],
    );
    let output = mcc().arg(philosophers()).arg("--replay").arg(&file).output().expect("mcc starts");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(text(&output.stdout).contains("The error is real: deadlock"), "{}", shown(&output));
    walk(&philosophers(), &format!("load {name}\nb\n"), 0, &["Loaded 5 steps", "Step 5: ", "Step 4: "]);
    let edited =
        std::fs::read_to_string(&file).expect("it was saved").replace("\"p\": \"2\"", "\"p\": \"1\"");
    std::fs::write(&file, edited).expect("the target directory is writable");
    walk(&philosophers(), &format!("load {name}\n"), 2, &["Loaded 2 steps", "step 3 cannot be gone"]);
    let precious = model("precious.m", "precious");
    walk(&philosophers(), &format!("save {}\n", precious.display()), 2, &["exists and is no saved walk"]);
    assert_eq!(std::fs::read_to_string(precious).ok().as_deref(), Some("precious"));
}

#[test]
fn reports_are_loaded_too() {
    let report = fresh("report.json");
    let output = mcc().arg("--interpret").arg(philosophers()).arg("--").arg("--json").arg(&report).output();
    assert!(output.is_ok_and(|output| output.status.code() == Some(1)));
    let name = report.display();
    walk(&philosophers(), &format!("load {name}\n"), 0, &["Loaded 5 steps", "Error: deadlock"]);
    walk(&philosophers(), &format!("load {name} 1\n"), 0, &["Loaded 5 steps"]);
    walk(&philosophers(), &format!("load {name} 2\n"), 2, &["there is no error 2"]);
}

const ERRORS: &str = "\
var x: 0..9;
ruleset i: 0..1 do startstate \"from\" begin x := i; end; end;
rule \"up\" x < 5 ==> begin x := x + 1; if x = 3 then cover true \"three\"; end; put \"said\\n\"; end;
rule \"divide\" x > 0 ==> begin x := 6 / (x - 1); end;
rule \"stay\" true ==> begin end;
invariant \"small\" x < 4;
cover x = 2 \"two\";
";

#[test]
fn start_states_errors_and_covers() {
    let errors = model("errors.m", ERRORS);
    let file = fresh("fault.json");
    let heard = walk(
        &errors,
        &format!("2\n2\nstate\nsave {}\nback\nback\nback\n1\n1\n1\n", file.display()),
        2,
        &[
            "simulate/errors.m",
            "   2  Startstate \"from\", i:1",
            "(error: division by zero in `6 / (x - 1)`)",
            "errors.m:4:",
            "Error: division by zero",
            "there is no state; `back` leads to the one before",
            "Saved 1 step",
            "(changes nothing)",
            "Cover property \"two\" is reached.",
        ],
    );
    assert_eq!(heard.matches("said\n").count(), 2, "{heard}");
    let output = mcc().arg(&errors).arg("--replay").arg(&file).output().expect("mcc starts");
    assert!(text(&output.stdout).contains("The error is real: division by zero"), "{}", shown(&output));
    walk(
        &errors,
        "1\n1\n1\n1\n1\n",
        0,
        &["Cover statement \"three\" is reached.", "Error: invariant \"small\" is false"],
    );
}

#[test]
fn random_steps_repeat_with_their_seed() {
    let commands = "random 20\nwalk\n";
    let options = ["--", "--seed", "5"];
    let first = walk_with(&philosophers(), &options, commands);
    let second = walk_with(&philosophers(), &options, commands);
    assert!(first.status.success(), "{}", shown(&first));
    assert_eq!(first.stdout, second.stdout);
    let model =
        model("end.m", "var x: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := x + 1; end;");
    walk(&model, "random 50\n", 0, &["Step 3: ", "Error: deadlock", "no rule is enabled"]);
    walk(&model, "random 3\nrandom\n", 2, &["no rule is enabled here"]);
}

#[test]
fn what_cannot_be_walked_through() {
    let output = walk_with(Path::new("-"), &[], "1\n");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let output = walk_with(&philosophers(), &["--", "--no-such-option"], "1\n");
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    let none = model(
        "none.m",
        "var x: 0..3; startstate begin x := 0; end; rule x < 3 ==> begin x := 3; end; assume x > 0;",
    );
    walk(&none, "1\n", 2, &["no start state satisfies the assumptions", "there is no start state here"]);
}
