//! `mcc --replay`: counterexamples of the interpreter and of compiled verifiers are confirmed;
//! edited ones are refused at the step that was edited; files that are no reports are refused with
//! a reason.

#![cfg(test)]

mod support;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{build, mcc, models, root, scratch, shown, text, verify};

fn broken(name: &str) -> PathBuf {
    root().join("models/broken").join(name).with_extension("m")
}

/// The report of a run in the interpreter.
fn interpret(model: &Path, options: &[String]) -> Value {
    let mut command = mcc();
    command.arg("--interpret").arg(model).arg("--").args(options).args(["--json", "-"]);
    let output = run(&mut command);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", shown(&output)))
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn write(name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
    let file = scratch("replay-files").join(name);
    std::fs::write(&file, contents).expect("the target directory is writable");
    file
}

#[track_caller]
fn replay(model: &Path, file: &Path, options: &[&str], code: i32, said: &str) -> String {
    let output = run(mcc().arg(model).arg("--replay").arg(file).args(options));
    assert_eq!(output.status.code(), Some(code), "{}", shown(&output));
    let heard = text(&output.stdout) + &text(&output.stderr);
    assert!(heard.contains(said), "`{said}` is not in\n{heard}");
    assert!(!heard.contains("panicked"), "{heard}");
    heard
}

#[test]
fn every_error_of_our_models_is_real() {
    let violated = models(&root().join("models"));
    let violated: Vec<_> = violated
        .into_iter()
        .filter(|(_, expected)| expected.verdict == mcc_murphi::Verdict::Violated)
        // Each of their counterexamples is replayed in `temporal.rs`.
        .filter(|(model, _)| !model.starts_with(root().join("models/temporal")))
        .collect();
    assert!(violated.len() > 10);
    for (model, expected) in violated {
        let report = interpret(&model, &expected.options);
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let file = write(&format!("real_{name}.json"), report.to_string());
        let heard = replay(&model, &file, &[], 0, "The error is real:");
        assert!(!heard.contains("note:"), "{heard}");
        let steps = heard.lines().filter(|line| line.ends_with(": as recorded")).count();
        let failing = usize::from(
            report["errors"][0]["trace"]
                .as_array()
                .is_some_and(|trace| trace.last().is_some_and(|step| step["state"].is_null())),
        );
        let recorded = report["errors"][0]["trace"].as_array().map_or(0, Vec::len);
        assert_eq!(steps + failing, recorded, "{heard}");
    }
}

#[test]
fn compiled_verifiers_are_confirmed_whatever_the_search() {
    for name in ["invariant_german", "deadlock_philosophers", "range_bakery"] {
        let model = broken(name);
        let verifier = build(&model).expect("the model compiles");
        for options in [vec![], vec!["-b", "-vdfs"], vec!["-s", "--seed", "7", "--steps", "100000"]] {
            let options: Vec<String> = options.into_iter().map(str::to_owned).collect();
            let verdict = verify(&verifier, &options).expect("the verifier runs");
            if verdict.report["verdict"] == "violated" {
                support::replay(&model, &verdict.report)
                    .unwrap_or_else(|error| panic!("{options:?}: {error}"));
            }
        }
    }
}

#[test]
fn options_of_the_run_are_those_of_the_replay() {
    let model = broken("loop_linked_list");
    let report = interpret(&model, &["-loop5".to_owned()]);
    let file = write("loop5.json", report.to_string());
    replay(&model, &file, &[], 0, "the loop `while current != 0` has turned 5 times without an end");
}

#[test]
fn each_of_several_errors() {
    let model = broken("deadlock_philosophers");
    let report = interpret(&model, &["--max-errors".to_owned(), "0".to_owned()]);
    let count = report["errors"].as_array().map_or(0, Vec::len);
    let file = write("several.json", report.to_string());
    for error in 1..=count {
        replay(&model, &file, &["--error", &error.to_string()], 0, &format!("error {error} of {count}"));
    }
    replay(&model, &file, &["--error", "0"], 2, "there is no error 0");
    replay(&model, &file, &["--error", "99"], 2, "there is no error 99");
}

/// A report with one thing changed is refused with these words.
#[track_caller]
fn edited(name: &str, said: &str, edit: impl Fn(&mut Value)) {
    let model = broken("invariant_german");
    let mut report = interpret(&model, &[]);
    let before = report.clone();
    edit(&mut report["errors"][0]);
    assert_ne!(report, before, "the edit changes something");
    let file = write(&format!("edited_{name}.json"), report.to_string());
    replay(&model, &file, &[], 1, said);
}

fn steps(error: &mut Value) -> &mut Vec<Value> {
    error["trace"].as_array_mut().expect("there is a trace")
}

#[test]
fn edited_traces_are_refused_at_the_edited_step() {
    edited("value", "Step 4 is wrong", |error| {
        error["trace"][4]["state"]["exclusive_granted"] = json!("maybe");
    });
    edited("variable", "Step 2 is wrong", |error| {
        let state = error["trace"][2]["state"].as_object_mut().expect("a state is an object");
        let first = state.keys().next().cloned().expect("there are variables");
        state.remove(&first);
    });
    edited("unknown", "the model no such variable", |error| error["trace"][2]["state"]["zz"] = json!(1));
    edited("no_state", "Step 3 is wrong", |error| error["trace"][3]["state"] = Value::Null);
    edited("number", "Step 5 is wrong", |error| error["trace"][5]["state"] = json!(5));
    edited("removed", "Step 3 is wrong", |error| {
        steps(error).remove(3);
    });
    edited("swapped", "Step 1 is wrong", |error| steps(error).swap(1, 9));
    edited("start", "Step 0 is wrong", |error| error["trace"][0]["rule"] = json!("elsewhere"));
    edited("rule", "Step 2 is wrong", |error| error["trace"][2]["rule"] = json!("no such rule"));
    edited("family", "Step 2 is wrong", |error| error["trace"][2]["family"] = json!(4096));
    edited("parameter", "Step 1 is wrong", |error| {
        let parameters = error["trace"][1]["parameters"].as_object_mut().expect("parameters are an object");
        let (_, value) = parameters.iter_mut().next().expect("there is a parameter");
        *value = json!("nobody");
    });
    edited("no_parameter", "is not in the trace", |error| error["trace"][1]["parameters"] = json!({}));
    edited("more_parameters", "it has no parameter", |error| {
        error["trace"][1]["parameters"]["zz"] = json!("1");
    });
}

#[test]
fn another_parameter_of_the_right_type_is_refused() {
    let model = broken("deadlock_philosophers");
    let mut report = interpret(&model, &[]);
    let taken = report["errors"][0]["trace"][1]["parameters"].clone();
    report["errors"][0]["trace"][2]["parameters"] = taken;
    let file = write("other_parameter.json", report.to_string());
    replay(&model, &file, &[], 1, "Step 2 is wrong");
}

#[test]
fn edited_errors_are_not_real() {
    let not_real = "The error is not real";
    edited("kind", "of kind \"invariant\"", |error| error["kind"] = json!("assertion"));
    edited("deadlock", "no deadlock", |error| error["kind"] = json!("deadlock"));
    edited("line", "is claimed", |error| error["line"] = json!(1));
    edited("culprit", not_real, |error| error["rule"] = json!("another"));
    edited("culprit_parameters", not_real, |error| error["parameters"] = json!({"a": "b"}));
    edited("short", "no property is broken", |error| {
        let last = {
            let steps = steps(error);
            steps.pop();
            steps.last().cloned().expect("there are more")
        };
        error["rule"] = last["rule"].clone();
        error["parameters"] = last["parameters"].clone();
    });
    let model = broken("division_clock_synchronisation");
    let mut report = interpret(&model, &[]);
    report["errors"][0]["kind"] = json!("overflow");
    let file = write("fault_kind.json", report.to_string());
    replay(&model, &file, &[], 1, "of kind \"division\"");
}

#[test]
fn start_states_that_go_wrong_and_covers() {
    let model =
        write("start.m", "var x: 0..2;\nruleset i: 0..2 do startstate \"s\" begin x := 5 / i; end; end;\n");
    let report = interpret(&model, &[]);
    assert!(report["errors"][0]["trace"].is_null());
    let file = write("start.json", report.to_string());
    replay(&model, &file, &[], 0, "The error is real: division by zero");
    let mut other = report.clone();
    other["errors"][0]["parameters"]["i"] = json!("2");
    let file = write("start_other.json", other.to_string());
    replay(&model, &file, &[], 1, "The error is not real");

    let model = broken("cover_round_robin");
    let mut report = interpret(&model, &[]);
    report["errors"][0]["line"] = json!(1);
    let file = write("cover.json", report.to_string());
    replay(&model, &file, &[], 1, "The error is not real");
}

#[test]
fn parameters_of_one_name_and_priorities() {
    let model = write(
        "shadowed.m",
        "var x: 0..9;\nstartstate begin x := 0; end;\n\
         ruleset i: 0..2 do ruleset i: 3..4 do rule \"up\" x < i ==> begin x := x + 1; end; end; end;\n\
         invariant \"low\" x < 4;\n",
    );
    let file = write("shadowed.json", interpret(&model, &[]).to_string());
    replay(&model, &file, &[], 0, "The error is real");
    let model = write(
        "priority.m",
        "var x: 0..9;\nstartstate begin x := 0; end;\n\
         rule 1 \"up\" x < 9 ==> begin x := x + 1; end;\n\
         rule 2 \"reset\" x > 3 ==> begin x := 0; end;\n\
         invariant \"up or at the end\" x < 5;\n",
    );
    let mut report = interpret(&model, &[]);
    let file = write("priority.json", report.to_string());
    replay(&model, &file, &[], 0, "The error is real");
    let last = report["errors"][0]["trace"].as_array().map_or(0, Vec::len) - 1;
    report["errors"][0]["trace"][last]["rule"] = json!("reset");
    report["errors"][0]["trace"][last]["family"] = json!(1);
    let file = write("priority_other.json", report.to_string());
    replay(&model, &file, &[], 1, "one of higher priority is");
}

#[test]
fn files_that_are_no_reports() {
    let model = broken("invariant_german");
    let deep = "[".repeat(100_000);
    for (name, contents, said) in [
        ("empty.json", "", "not a report"),
        ("broken.json", "{\"schema\": \"mcc-rep", "not a report"),
        ("text.json", "hello\n", "not a report"),
        ("list.json", "[1, 2]", "not a report"),
        ("deep.json", deep.as_str(), "not a report"),
        ("no_schema.json", "{}", "`schema` is missing"),
        ("schema.json", "{\"schema\": \"other/1\"}", "its schema is \"other/1\""),
        ("no_model.json", "{\"schema\": \"mcc-report/1\"}", "`model` is missing"),
        (
            "no_errors.json",
            r#"{"schema": "mcc-report/1", "model": {"name": "a", "fingerprint": "0"}}"#,
            "`errors` is missing",
        ),
        (
            "no_kind.json",
            r#"{"schema": "mcc-report/1", "model": {"name": "a", "fingerprint": "0"}, "errors": [{}]}"#,
            "missing field `kind`",
        ),
        (
            "no_trace.json",
            r#"{"schema": "mcc-walk/1", "model": {"name": "a", "fingerprint": "0"}}"#,
            "`trace` is missing",
        ),
    ] {
        replay(&model, &write(name, contents), &[], 2, said);
    }
    replay(&model, &write("bytes.json", [0xff, 0xfe, 0x00]), &[], 2, "not a report");
    replay(&model, &scratch("replay-files").join("none.json"), &[], 2, "there is no file");
    replay(&model, &scratch("replay-files"), &[], 2, "is a directory");
    let verified = root().join("models/dekker.m");
    let file = write("verified.json", interpret(&verified, &[]).to_string());
    replay(&verified, &file, &[], 2, "tells of no error");
    let mut report = interpret(&model, &[]);
    report["errors"][0]["trace"] = json!([]);
    replay(&model, &write("no_steps.json", report.to_string()), &[], 2, "has no steps");
    report["errors"][0]["trace"] = json!([{"rule": "a", "family": 0, "parameters": {}}]);
    replay(&model, &write("no_key.json", report.to_string()), &[], 2, "missing field `state`");
    let huge = scratch("replay-files").join("huge.json");
    std::fs::File::create(&huge).and_then(|file| file.set_len((1 << 30) + 1)).expect("a file with a hole");
    replay(&model, &huge, &[], 2, "larger than 1024 MiB");
    std::fs::remove_file(huge).expect("it is there");
}

#[test]
fn a_trace_of_another_model() {
    let (german, needham) = (broken("invariant_german"), broken("invariant_needham_schroeder"));
    let file = write("foreign.json", interpret(&german, &[]).to_string());
    replay(&needham, &file, &[], 2, "models/broken/invariant_german.m with the fingerprint");
    replay(&needham, &file, &["--force"], 1, "Step 0 is wrong");
    let standard_input = run(mcc().args(["-", "--replay", "-"]));
    assert_eq!(standard_input.status.code(), Some(2), "{}", shown(&standard_input));
}
