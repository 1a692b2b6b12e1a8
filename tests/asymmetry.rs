//! Models that are not as symmetric as they look, and some that are: with reduction and without,
//! the verdict is the same.
//!
//! Each model in `tests/asymmetry/` begins with what it shows and its verdict without any
//! reduction. Which order of elements a reduction happens to choose decides whether it hides an
//! error, so most have a *twin*, the same text with some words replaced, for which the other order
//! would. All run in the interpreter. Names beginning with `c` are symmetric.

#![cfg(test)]

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use support::{build, mcc, root, scratch, shown, verify};

fn main() {
    let arguments = Arguments::from_args();
    let folder = root().join("tests/asymmetry");
    let entries = fs::read_dir(&folder).expect("the folder of models can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    paths.sort();
    let mut trials = Vec::new();
    for case in paths.iter().flat_map(|path| cases(path)) {
        let (reduced, checked) = (case.clone(), case.clone());
        let name = case.name.clone();
        trials.push(Trial::test(format!("{name} unreduced"), move || unreduced(&case)));
        trials.push(Trial::test(format!("{name} reduced"), move || as_unreduced(&reduced)));
        trials.push(Trial::test(format!("{name} checked"), move || check(&checked)));
    }
    for name in [
        "first_element",
        "b2_count_with_effect_on_elements",
        "c1_two_assertions",
        "c3_two_undefined_in_a_bag",
    ] {
        let cases = cases(&folder.join(format!("{name}.m")));
        trials.push(Trial::test(format!("{name} compiled"), move || cases.iter().try_for_each(compiled)));
    }
    for name in ["owners", "many"] {
        let path = folder.join(format!("pinned/{name}.m"));
        trials.push(Trial::test(format!("{name} pinned"), move || pinned(&path)));
    }
    let first = cases(&folder.join("first_element.m"));
    trials.push(Trial::test("conditional", move || first.iter().try_for_each(conditional)));
    let first = cases(&folder.join("first_element.m"));
    trials.push(Trial::test("repeated", move || repeated(&first[0])));
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
    // A rule may go wrong in a state, and with a trace, before other names for its elements are
    // tried.
    let met = report["verdict"] == "violated" && report["repeated_without_reduction"].is_null();
    match exit == Some(3) && reason.contains("not as symmetric as the reduction assumes") || met {
        true => Ok(()),
        false => Err(format!("{} ({reason}), exit {exit:?}", report["verdict"]).into()),
    }
}

/// Elements that are not renamed leave the others to be reduced: states and rules are those of the
/// same model in which they are numbers.
fn pinned(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let numbers = text.replace("p: scalarset(", "p: 1..").replacen(");", ";", 1);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let scalarset = case(&format!("{name}_pinned"), &text, "verified".to_owned());
    let numbers = case(&format!("{name}_numbers"), &numbers, "verified".to_owned());
    // Depth first, the depth depends on which states stand for the others.
    let figures = |report: &Value| (report["states"].clone(), report["rules"].clone());
    for options in ["", "-vdfs", "-b -c --seed 1"] {
        let (found, _) = interpret(&scalarset, options)?;
        let (expected, _) = interpret(&numbers, options)?;
        if figures(&found) != figures(&expected) {
            return Err(format!("with {options}: {:?}, not {:?}", figures(&found), figures(&expected)).into());
        }
        if found["symmetry"]["reduced"] != Value::from(["q"]) {
            return Err(format!("reduced: {}", found["symmetry"]).into());
        }
    }
    let (expected, _) = interpret(&numbers, "")?;
    let verifier = build(&scalarset.path)?;
    for line in ["-ndl", "-ndl -b -j2 --threads-from 1"] {
        let options: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let found = verify(&verifier, &options)?.report;
        if figures(&found) != figures(&expected) {
            return Err(
                format!("compiled, {line}: {:?}, not {:?}", figures(&found), figures(&expected)).into()
            );
        }
    }
    Ok(())
}

/// What is assumed is said: above the search, in the verdict, and in the report. An error that is
/// found all the same is one.
fn conditional(case: &Case) -> Result<(), Failed> {
    let (report, exit) = interpret(case, "--symmetry trust")?;
    let assumed = report["symmetry"]["assumed"].as_array().map_or(0, Vec::len);
    let condition = report["condition"].as_str().unwrap_or_default();
    let as_expected = match report["verdict"].as_str() {
        Some("verified") => {
            exit == Some(0) && condition == "if scalarset p (line 12) is symmetric as assumed"
        }
        Some("violated") => exit == Some(1) && condition.is_empty(),
        _ => false,
    };
    if assumed != 1 || !as_expected {
        return Err(format!("{} ({condition}), {}", report["verdict"], report["symmetry"]).into());
    }
    if report["verdict"] == "verified" {
        let mut command = mcc();
        command.arg(&case.path).args(["-q", "--interpret", "--", "-ndl", "--quiet", "--symmetry", "trust"]);
        let output = command.output()?;
        if !shown(&output).contains("verified, if scalarset p (line 12) is symmetric as assumed: no error") {
            return Err(shown(&output).into());
        }
    }
    let (report, _) = interpret(case, "")?;
    let not_reduced = &report["symmetry"]["not_reduced"];
    match not_reduced[0]["kind"] == "scalarset"
        && not_reduced[0]["name"] == "p"
        && not_reduced[0]["line"] == 12
    {
        true => Ok(()),
        false => Err(format!("not reduced: {not_reduced}").into()),
    }
}

/// An error to which no trace leads with the names that elements have is looked for without
/// reduction. If that does not end, the error is named.
fn repeated(case: &Case) -> Result<(), Failed> {
    let (report, exit) = interpret(case, "--symmetry trust")?;
    let error = report["repeated_without_reduction"].as_str().unwrap_or_default();
    let steps = report["errors"][0]["trace"].as_array().map_or(0, Vec::len);
    if exit != Some(1) || error != "invariant \"first\" is false, line 14" || steps != 4 {
        return Err(format!("exit {exit:?}, {steps} steps, {error}").into());
    }
    let (report, exit) = interpret(case, "--symmetry trust --max-states 6")?;
    let reason = report["reason"].as_str().unwrap_or_default();
    match exit == Some(3)
        && reason.contains("invariant \"first\" is false, line 14")
        && reason.contains("more than 6")
    {
        true => Ok(()),
        false => Err(format!("exit {exit:?}, {reason}").into()),
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
