//! `-D NAME=VALUE`: constants whose values come from the command line.

#![cfg(test)]

mod support;

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use support::{mcc, root, scratch, shown, text};

fn model() -> PathBuf {
    root().join("tests/definitions/constants.m")
}

fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("it starts")
}

/// The exit code and the report of a search in the interpreter, with these values.
fn interpreted(definitions: &[&str]) -> (Option<i32>, Value) {
    let mut command = mcc();
    command.arg("--interpret").arg(model());
    for definition in definitions {
        command.args(["-D", definition]);
    }
    let output = run(command.args(["--", "-ndl", "--json", "-"]));
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", shown(&output)));
    (output.status.code(), report)
}

#[test]
fn values_decide_and_what_depends_on_them_follows() {
    for (definitions, states, exit) in [
        (&[][..], 7, 0),
        (&["N=4"], 9, 0),
        (&["N=4", "M=2"], 3, 0),
        (&["lowest=-2"], 9, 0),
        (&[" N = 1 ", "lowest=-1"], 4, 0),
        (&["broken=TRUE"], 7, 1),
        (&["kind=green"], 1, 1),
        (&["kind=red"], 7, 0),
    ] {
        let (code, report) = interpreted(definitions);
        assert_eq!(code, Some(exit), "{definitions:?}: {report}");
        assert_eq!(report["states"], states, "{definitions:?}: {report}");
    }
}

#[test]
fn a_compiled_verifier_says_what_was_set() {
    let set = ["-D", "N=4", "--define", "broken=true"];
    let folder = scratch("definitions");
    let built = folder.join("constants");
    let output = run(mcc().arg(model()).args(set).arg("-o").arg(&built));
    assert!(output.status.success(), "{}", shown(&output));
    let version = text(&run(Command::new(&built).arg("-V")).stdout);
    assert!(version.contains("constants.m with N = 4, broken = true ("), "{version}");
    let output = run(Command::new(&built).arg("-ndl"));
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(text(&output.stdout).contains("constants.m with N = 4, broken = true:"), "{}", shown(&output));

    let report = run(Command::new(&built).args(["-ndl", "--json", "-"])).stdout;
    let report: Value = serde_json::from_slice(&report).expect("a report");
    let (_, other) = interpreted(&["broken=true", "N=4"]);
    assert_eq!(report["model"]["constants"], serde_json::json!({"N": "4", "broken": "true"}));
    assert_eq!(report["model"], other["model"], "the order of -D means nothing");
    assert_ne!(report["model"]["fingerprint"], interpreted(&[]).1["model"]["fingerprint"]);
    assert_ne!(report["model"]["fingerprint"], interpreted(&["N=4"]).1["model"]["fingerprint"]);

    // Its trace is one of the model with the same values, and of no other.
    let file = folder.join("report.json");
    std::fs::write(&file, report.to_string()).expect("the scratch folder is writable");
    let replayed = run(mcc().arg(model()).args(set).arg("--replay").arg(&file));
    assert_eq!(replayed.status.code(), Some(0), "{}", shown(&replayed));
    let refused = run(mcc().arg(model()).args(["-D", "N=5"]).arg("--replay").arg(&file));
    assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
    for words in ["-D N=4 -D broken=true", "-D N=5"] {
        assert!(text(&refused.stderr).contains(words), "{}", shown(&refused));
    }
}

#[test]
fn built_in_the_cache_each_value_is_a_verifier_of_its_own() {
    for (value, states) in [("1", 3), ("2", 5)] {
        let definition = format!("N={value}");
        let output = run(mcc()
            .arg("--run")
            .arg("-D")
            .arg(&definition)
            .arg(model())
            .args(["--", "-ndl", "--json", "-"]));
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["states"], states, "{}", shown(&output));
    }
}

#[test]
fn whatever_else_mcc_does_takes_them() {
    let output = run(mcc().args(["--check", "-D", "N=0", "-D", "lowest=1"]).arg(model()));
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("empty-range"), "{}", shown(&output));
    let output = run(mcc().args(["--simulate", "-D", "N=0"]).arg(model()));
    assert!(text(&output.stdout).contains("no rule is enabled"), "{}", shown(&output));
    let crate_folder = scratch("definitions").join("emitted");
    let _ = std::fs::remove_dir_all(&crate_folder);
    let output = run(mcc().args(["-D", "N=21"]).arg("--emit").arg(&crate_folder).arg(model()));
    assert!(output.status.success(), "{}", shown(&output));
    let code = std::fs::read_to_string(crate_folder.join("src/model.rs")).expect("it was written");
    assert!(code.contains(r#"constants: &[("N", "21")]"#));
}

#[test]
fn wrong_definitions_are_refused_with_the_constants_there_are() {
    let all = "the constants of this model are `N`, `M`, `lowest`, `broken`, `kind`";
    for (definition, message) in [
        ("lowst=1", "did you mean `lowest`?"),
        ("color=1", "no constant is called `color`"),
        ("red=1", "no constant is called `red`"),
        ("x=1", "no constant is called `x`"),
        ("n=4", "did you mean `N`?"),
        ("N=true", "`N` is a number, but `true` is a boolean"),
        ("N=red", "`N` is a number, but `red` is no value of a constant"),
        ("N=4x", "`4x` is no value of a constant"),
        ("N=M", "`M` is no value of a constant"),
        ("N=", "nothing stands after the `=`"),
        ("N=9223372036854775808", "does not fit into 64 bits"),
        ("broken=1", "`broken` is a boolean, but `1` is a number"),
        ("broken=treu", "did you mean `true`?"),
        ("kind=gren", "did you mean `green`?"),
        ("kind=0", "`kind` is of the enum `color`, but `0` is a number"),
    ] {
        for action in [&["--check"][..], &["--interpret"], &[]] {
            let made = scratch("definitions").join("never");
            let mut command = mcc();
            command.args(["-D", definition]).args(action).arg(model());
            if action.is_empty() {
                command.arg("-o").arg(&made);
            }
            let output = run(&mut command);
            assert_eq!(output.status.code(), Some(2), "{definition}: {}", shown(&output));
            let said = text(&output.stderr);
            assert!(said.contains(message) && said.contains(all), "{definition}: {said}");
            assert!(!made.exists());
        }
    }
    for (definitions, message) in [
        (&["-D", "N"][..], "NAME=VALUE"),
        (&["-D", "4=N"], "NAME=VALUE"),
        (&["-D", "N=4", "-DN=5"], "-D sets the constant `N` twice"),
    ] {
        let output = run(mcc().args(definitions).arg("--check").arg(model()));
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains(message), "{}", shown(&output));
    }
}

#[test]
fn a_checkpoint_belongs_to_its_values() {
    let folder = scratch("definitions").join("checkpoint");
    let _ = std::fs::remove_dir_all(&folder);
    let mut begin = mcc();
    begin.args(["--interpret", "-D", "N=4"]).arg(model()).args(["--", "-ndl", "--checkpoint", "0"]);
    let output = run(begin.arg("--checkpoint-directory").arg(&folder).args(["--max-depth", "3"]));
    assert_eq!(output.status.code(), Some(3), "{}", shown(&output));
    assert!(text(&output.stdout).contains("mcc interpret -D N=4 "), "{}", shown(&output));
    for (definition, exit) in [("N=5", 2), ("N=4", 0)] {
        let mut resume = mcc();
        resume.args(["--interpret", "-D", definition]).arg(model()).args(["--", "-ndl", "--resume"]);
        let output = run(resume.arg(&folder));
        assert_eq!(output.status.code(), Some(exit), "{}", shown(&output));
        if exit == 2 {
            assert!(text(&output.stderr).contains("-D: N = 4 there, N = 5 here"), "{}", shown(&output));
        }
    }
}
