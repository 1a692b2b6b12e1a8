//! Models that are not as symmetric as they look, and some that are: with reduction and without, the verdict is the same.
//!
//! Each model in `tests/asymmetry/` begins with what it shows and its verdict without any reduction. Which order of elements a
//! reduction happens to choose decides whether it hides an error, so most have a *twin*, the same text with some words
//! replaced, for which the other order would. All run in the interpreter. Names beginning with `c` are symmetric.

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{build, mcc, root, scratch, shown, verify};

/// What the proof of symmetry takes for symmetric although it is not: these are reduced, and wrong.
const NOT_YET: &[&str] = &[];

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests/asymmetry");
    let entries = fs::read_dir(&folder).expect("the folder of models can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    paths.sort();
    let mut trials = Vec::new();
    for case in paths.iter().flat_map(|path| cases(path)) {
        let not_yet = NOT_YET.iter().any(|name| case.name.trim_end_matches("_twin") == *name);
        let (reduced, checked) = (case.clone(), case.clone());
        let name = case.name.clone();
        trials.push(Trial::test(format!("{name} unreduced"), move || unreduced(&case)));
        let trial = Trial::test(format!("{name} reduced"), move || as_unreduced(&reduced));
        trials.push(trial.with_ignored_flag(not_yet));
        trials.push(Trial::test(format!("{name} checked"), move || check(&checked)));
    }
    for name in ["first_element", "b2_count_with_effect", "c1_two_assertions", "c3_two_undefined_in_a_bag"] {
        let cases = cases(&folder.join(format!("{name}.m")));
        trials.push(Trial::test(format!("{name} compiled"), move || cases.iter().try_for_each(compiled)));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A model or its twin.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    path: PathBuf,
    verdict: String,
}

/// The model and its twin, each in a file of its own.
fn cases(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("the model can be read");
    let fact = |key: &str| {
        let facts = text.lines().filter_map(move |line| line.strip_prefix("-- ")?.strip_prefix(key));
        facts.map(|fact| fact.trim().to_owned()).collect::<Vec<_>>()
    };
    let verdict = |key: &str| fact(key).pop().unwrap_or_else(|| panic!("{}: no `{key}`", path.display()));
    let body: String = text
        .lines()
        .map(|line| match line.strip_prefix("-- repeat ").and_then(|repeated| repeated.split_once(": ")) {
            Some((times, statement)) => statement.repeat(times.parse().expect("how often")),
            None => line.to_owned(),
        })
        .filter(|line| !line.starts_with("-- "))
        .map(|line| line + "\n")
        .collect();
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut cases = vec![case(&name, &body, verdict("unreduced:"))];
    let twins = fact("twin:");
    if !twins.is_empty() {
        let replaced = twins.iter().fold(body, |body, twin| {
            let (from, to) = twin.split_once(" => ").expect("a replacement");
            assert!(body.contains(from), "{name}: nothing to replace: {from}");
            body.replace(from, to)
        });
        cases.push(case(&format!("{name}_twin"), &replaced, verdict("twin unreduced:")));
    }
    cases
}

fn case(name: &str, text: &str, verdict: String) -> Case {
    let path = scratch("asymmetry").join(format!("{name}.m"));
    fs::write(&path, text).expect("the scratch folder is writable");
    Case { name: name.to_owned(), path, verdict }
}

/// What the interpreter reports, and its exit code.
fn interpret(case: &Case, options: &str) -> Result<(Value, Option<i32>), Failed> {
    let mut command = mcc();
    command.arg(&case.path).args(["-q", "--interpret", "--", "-ndl", "-j1", "--json", "-"]);
    let output = command.args(options.split_whitespace()).output()?;
    let report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("with {options}: {error}: {}", shown(&output)))?;
    Ok((report, output.status.code()))
}

fn expect(case: &Case, options: &str) -> Result<(), Failed> {
    let (report, exit) = interpret(case, options)?;
    let code = if case.verdict == "verified" { 0 } else { 1 };
    match report["verdict"] == case.verdict && exit == Some(code) {
        true => Ok(()),
        false => {
            let (verdict, reason) = (&report["verdict"], &report["reason"]);
            Err(format!("with {options}: {verdict} ({reason}), exit {exit:?}, not {}", case.verdict).into())
        }
    }
}

fn unreduced(case: &Case) -> Result<(), Failed> {
    expect(case, "--symmetry off --no-multiset")
}

/// Whatever is reduced, the verdict is the one without reduction, and it is a plain one.
fn as_unreduced(case: &Case) -> Result<(), Failed> {
    for options in
        ["", "--symmetry fast", "--symmetry off", "--no-multiset", "-vdfs", "-c --seed 1", "--compress-paths"]
    {
        expect(case, options)?;
        let (report, _) = interpret(case, options)?;
        if report["condition"] != Value::Null {
            return Err(format!("with {options}: {}", report["condition"]).into());
        }
    }
    Ok(())
}

/// With all assumed to be symmetric, the check finds every asymmetry, and no other.
fn check(case: &Case) -> Result<(), Failed> {
    let options = "--symmetry trust --symmetry-check";
    if case.name.starts_with('c') {
        return expect(case, options);
    }
    let (report, exit) = interpret(case, options)?;
    let reason = report["reason"].as_str().unwrap_or_default();
    match exit == Some(3) && reason.contains("not as symmetric as the reduction assumes") {
        true => Ok(()),
        false => Err(format!("{} ({reason}), exit {exit:?}", report["verdict"]).into()),
    }
}

/// Compiled it is the same.
fn compiled(case: &Case) -> Result<(), Failed> {
    let verifier = build(&case.path)?;
    for line in ["-ndl", "-ndl --symmetry off", "-ndl --no-multiset", "-ndl -b -j2 --threads-from 1"] {
        let options: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let found = verify(&verifier, &options)?;
        if found.report["verdict"] != case.verdict {
            return Err(format!("{}: with {line}: {}", case.name, found.report["reason"]).into());
        }
    }
    Ok(())
}
