//! Every model of ours, and every small one that probes what a construct means, built and run in
//! both layouts and both search orders, by several numbers of threads, in memory and on disk, with
//! and without symmetry reduction, against the figures beside it, and against Rumur where that is
//! on the path and accepts the model.

#![cfg(test)]

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use mcc_murphi::Verdict as Expected;
use std::path::Path;
use std::process::Command;
use support::{Expectation, Verdict, build, mcc, models, replay, root, scratch, text, verify};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let folders = [root().join("models"), root().join("tests/meaning")];
    for (path, expectation) in folders.iter().flat_map(|folder| models(folder)) {
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        let ours = (path.clone(), expectation.clone());
        if path.starts_with(root().join("models/temporal")) {
            // In the interpreter, and with constants of its own, in `temporal.rs`.
            if expectation.definitions().next().is_none() {
                let name = format!("{name} {}", expectation.name.as_deref().unwrap_or("as it is"));
                trials.push(Trial::test(name, move || check_runs(&ours.0, &ours.1)));
            }
            continue;
        }
        trials.push(Trial::test(name.clone(), move || check(&ours.0, &ours.1)));
        if expectation.rumur {
            let found = rumur::is_installed();
            let trial =
                Trial::test(format!("{name} against rumur"), move || rumur::check(&path, &expectation));
            trials.push(trial.with_ignored_flag(!found));
        }
    }
    if !rumur::is_installed() {
        eprintln!("rumur is not on the path: the comparisons with it are skipped");
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// States and rules, where they are known.
type Figures = (Option<u64>, Option<u64>);

/// Both layouts, both orders, all reductions and several numbers of threads agree with what is
/// expected. Small models make use of threads only if they are asked to.
fn check(model: &Path, expectation: &Expectation) -> Result<(), Failed> {
    let verifier = build(model)?;
    let full = (expectation.states, expectation.rules);
    let reduced = (expectation.orbits.or(full.0), expectation.orbit_rules.or(full.1));
    let disk = format!("--disk {}", scratch("disk").display());
    let on_disk = [
        (format!("-nosym -j1 {disk} --table-memory 50K"), full),
        (format!("-b -j2 --threads-from 10 {disk}"), reduced),
        (format!("-c -j1 --seed 1 {disk} --table-memory 50K"), reduced),
        (format!("-nosym -c -j3 --threads-from 10 --seed 1 {disk}"), full),
        (format!("-nosym -b -j2 --threads-from 10 {disk} --disk-plain"), full),
        (format!("-c -j1 --seed 1 {disk} --disk-plain"), reduced),
    ];
    let runs: [(&str, Figures); 14] = [
        ("-nosym", full),
        ("-nosym -b", full),
        ("-nosym -vdfs", full),
        ("-nosym -b -vdfs", full),
        ("-nosym -j2 --threads-from 1", full),
        ("-nosym -b -j8 --threads-from 1", full),
        ("-b", reduced),
        ("-b -j1", reduced),
        ("-nosym -c --seed 1 -m200", full),
        ("-nosym -c -vdfs --seed 1 -m200", full),
        ("-c -b -j2 --threads-from 10 --seed 1 -m200", reduced),
        ("-j3 --threads-from 10", reduced),
        ("-vdfs", reduced),
        ("--symmetry fast", (None, None)),
    ];
    let on_disk = on_disk.iter().map(|(line, figures)| (line.as_str(), *figures));
    for (line, figures) in runs.into_iter().chain(on_disk) {
        // Some have far too many states for anything but the exact reduction.
        let exact = !line.contains("-nosym") && !line.contains("fast");
        if expectation.verdict == Expected::Verified && full.0.is_none() && !exact {
            continue;
        }
        let options: Vec<String> =
            line.split_whitespace().map(str::to_owned).chain(expectation.options.clone()).collect();
        compare(model, &verifier, &options, expectation, figures)
            .map_err(|difference| format!("with {options:?}: {difference}"))?;
    }
    interpreted(model, expectation)?;
    explained(model, &verifier, expectation)?;
    with_eviction(model, &verifier, expectation)?;
    leaving_out(model, &verifier, expectation)
}

/// A verifier decides properties of runs as expected, in both layouts, and its counterexamples are
/// confirmed.
fn check_runs(model: &Path, expectation: &Expectation) -> Result<(), Failed> {
    let verifier = build(model)?;
    let packed = expectation.options.iter().any(|option| option == "-b");
    for layout in [None, Some("-b".to_owned()).filter(|_| !packed)] {
        let options: Vec<String> = layout.into_iter().chain(expectation.options.clone()).collect();
        let wrong = |difference: String| format!("with {options:?}: {difference}");
        let verdict = verify(&verifier, &options)?;
        let report = &verdict.report;
        let expected = expectation.verdict.to_string();
        same("verdict", report["verdict"].as_str(), Some(expected.as_str())).map_err(wrong)?;
        let exit = if expectation.verdict == Expected::Verified { 0 } else { 1 };
        same("exit code", verdict.exit, Some(exit)).map_err(wrong)?;
        let figures = report["property_figures"].as_array().into_iter().flatten();
        let violated = figures.filter(|property| property["status"] == "violated");
        let names = violated.filter_map(|property| property["name"].as_str()).map(str::to_owned).collect();
        same("violated", names, expectation.violated.clone().unwrap_or_default()).map_err(wrong)?;
        if exit == 1 {
            replay(model, report).map_err(wrong)?;
        }
    }
    Ok(())
}

/// The interpreter meets undefined values in the same places.
fn interpreted(model: &Path, expectation: &Expectation) -> Result<(), Failed> {
    if expectation.undefined_comparisons.is_none() {
        return Ok(());
    }
    let run = mcc()
        .args(["--quiet", "--interpret"])
        .arg(model)
        .args(["--", "-nosym", "--json", "-"])
        .args(&expectation.options)
        .output()?;
    let report = serde_json::from_slice(&run.stdout)?;
    let verdict = Verdict { exit: run.status.code(), report, stderr: text(&run.stderr) };
    examine(model, &verdict, true, expectation, (expectation.states, expectation.rules))
        .map_err(|difference| format!("interpreted: {difference}").into())
}

/// The interpreter and the verifier say the same about an error: why the property is false, and the
/// steps and values that the error depends on.
fn explained(model: &Path, verifier: &Path, expectation: &Expectation) -> Result<(), Failed> {
    if expectation.verdict != Expected::Violated {
        return Ok(());
    }
    let options = ["-nosym", "-j1", "--trace", "short", "--progress", "off", "--color", "never"];
    let compiled = Command::new(verifier).args(options).args(&expectation.options).output()?;
    let mut interpreter = mcc();
    interpreter.arg("--interpret").arg(model).arg("--").args(options).args(&expectation.options);
    let interpreted = interpreter.output()?;
    let [compiled, interpreted] = [&compiled, &interpreted].map(|output| errors(&text(&output.stdout)));
    same("what is said of the error", compiled, interpreted).map_err(Failed::from)
}

/// The errors in what a run prints, with their traces.
fn errors(said: &str) -> String {
    let begin = said.find("\nError").unwrap_or_else(|| panic!("no error in\n{said}"));
    let end = said.find("\nviolated:").unwrap_or_else(|| panic!("no verdict in\n{said}"));
    said[begin..end].to_owned()
}

/// With sleep sets all states are found in their levels, by fewer rules; with path compression they
/// are found, and fewer are stored.
fn leaving_out(model: &Path, verifier: &Path, expectation: &Expectation) -> Result<(), Failed> {
    let sleeps =
        ["-nosym --sleep -j1", "-nosym --sleep -b -j2 --threads-from 10", "-nosym --sleep -c --seed 1 -m200"];
    let walks = [
        "-nosym --compress-paths --watch distinct -j1",
        "-nosym --compress-paths --watch distinct -b -vdfs",
        "-nosym --compress-paths --watch distinct -j2 --threads-from 10",
        "-nosym --compress-paths --watch distinct -c --seed 1 -m200",
        "--compress-paths --watch distinct",
    ];
    for line in sleeps.into_iter().chain(walks) {
        let (sleep, reduced) = (line.contains("--sleep"), !line.contains("-nosym"));
        if expectation.verdict == Expected::Verified && expectation.states.is_none() && !reduced {
            continue;
        }
        let options: Vec<String> =
            line.split_whitespace().map(str::to_owned).chain(expectation.options.clone()).collect();
        let wrong = |difference: String| format!("with {options:?}: {difference}");
        let verdict = verify(verifier, &options)?;
        let report = &verdict.report;
        // What is left out of the counts is counted apart.
        examine(model, &verdict, sleep, &without_depth(expectation, sleep), (None, None)).map_err(wrong)?;
        if expectation.verdict != Expected::Verified {
            continue;
        }
        let states = match reduced {
            true => expectation.orbits.or(expectation.states),
            false => expectation.states,
        };
        if sleep {
            same("states", report["states"].as_u64(), states).map_err(wrong)?;
            same("depth", report["depth"].as_u64(), expectation.depth.or(report["depth"].as_u64()))
                .map_err(wrong)?;
            let fired = report["rules"].as_u64().zip(report["rules_left_out"].as_u64());
            same("rules", fired.map(|(fired, slept)| fired + slept), expectation.rules).map_err(wrong)?;
        } else {
            same("different states", report["watched"]["distinct"].as_u64(), states).map_err(wrong)?;
        }
    }
    Ok(())
}

/// A trace that goes through states that are not stored need not be a shortest one.
fn without_depth(expectation: &Expectation, sleep: bool) -> Expectation {
    let mut expectation = expectation.clone();
    expectation.trace = expectation.trace.filter(|_| sleep);
    expectation
}

/// However small a cache is, what it finds is what there is: a search that evicts too much says
/// that it does not know.
fn with_eviction(model: &Path, verifier: &Path, expectation: &Expectation) -> Result<(), Failed> {
    let lines = [
        "-j1 --cache-states 64",
        "-j1 -b --cache-states 1000",
        "-j2 --threads-from 10 --cache-states 5000 --replace direct",
        "-j1 -b -c --seed 1 --cache-states 20000",
    ];
    for line in lines {
        let options: Vec<String> = format!("{line} --max-states 200000")
            .split_whitespace()
            .map(str::to_owned)
            .chain(expectation.options.clone())
            .collect();
        let wrong = |difference: String| format!("with {options:?}: {difference}");
        let verdict = verify(verifier, &options)?;
        if verdict.report["verdict"] == "inconclusive" {
            same("exit code", verdict.exit, Some(3)).map_err(wrong)?;
            continue;
        }
        // States and rules are counted for each visit.
        examine(model, &verdict, true, expectation, (None, None)).map_err(wrong)?;
    }
    Ok(())
}

fn compare(
    model: &Path,
    verifier: &Path,
    options: &[String],
    expectation: &Expectation,
    figures: Figures,
) -> Result<(), String> {
    let breadth_first = !options.iter().any(|option| option == "-vdfs");
    examine(model, &verify(verifier, options)?, breadth_first, expectation, figures)
}

/// Whether a run came to what is expected.
fn examine(
    model: &Path,
    verdict: &Verdict,
    breadth_first: bool,
    expectation: &Expectation,
    (states, rules): Figures,
) -> Result<(), String> {
    let report = &verdict.report;
    same("verdict", report["verdict"].as_str(), Some(expectation.verdict.to_string().as_str()))?;
    if expectation.undefined_comparisons.is_some() {
        let places = report["undefined_comparisons"].as_array();
        let lines = places.map(|places| places.iter().filter_map(|place| place["line"].as_u64()).collect());
        same("undefined comparisons", lines, expectation.undefined_comparisons.clone())?;
    }
    let exit = if expectation.verdict == Expected::Verified { 0 } else { 1 };
    same("exit code", verdict.exit, Some(exit))?;
    if expectation.verdict == Expected::Verified {
        if states.is_none() {
            // A second state of an orbit may be found later than the first, so even the depth may
            // differ.
            return Ok(());
        }
        same("states", report["states"].as_u64(), states)?;
        same("rules", report["rules"].as_u64(), rules)?;
        if breadth_first && expectation.depth.is_some() {
            same("depth", report["depth"].as_u64(), expectation.depth)?;
        }
        return Ok(());
    }
    let error = &report["errors"][0];
    same("error", error["kind"].as_str(), expectation.error.as_deref())?;
    if !expectation.errors.is_empty() {
        let kinds = report["errors"].as_array().into_iter().flatten();
        let found: Vec<&str> = kinds.filter_map(|error| error["kind"].as_str()).collect();
        same("errors", found, expectation.errors.iter().map(String::as_str).collect())?;
    }
    if breadth_first && let Some(length) = expectation.trace {
        // The first entry of a trace is the start state.
        let steps = error["trace"].as_array().map(|trace| trace.len() as u64 - 1);
        same("trace length", steps, Some(length))?;
    }
    replay(model, report)
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, expected {expected:?}")) }
}

/// The peer that Debian packages.
mod rumur {
    use super::support::{Expectation, scratch, shown};
    use libtest_mimic::Failed;
    use mcc_murphi::Verdict as Expected;
    use std::path::Path;
    use std::process::Command;

    pub fn is_installed() -> bool {
        Command::new("rumur").arg("--version").output().is_ok_and(|output| output.status.success())
    }

    /// Rumur gives the figures that we expect of ourselves.
    pub fn check(model: &Path, expectation: &Expectation) -> Result<(), Failed> {
        let name = model.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = scratch("rumur");
        let (code, checker) = (folder.join(format!("{name}.c")), folder.join(&name));
        let deadlock =
            if expectation.options.iter().any(|option| option == "-ndl") { "off" } else { "stuttering" };
        run(Command::new("rumur")
            .args(["--symmetry-reduction", "off", "--threads", "1", "--deadlock-detection", deadlock])
            .arg("--output")
            .arg(&code)
            .arg(model))?;
        run(Command::new("cc")
            .args(["-std=c11", "-O2", "-mcx16"])
            .arg(&code)
            .arg("-o")
            .arg(&checker)
            .args(["-lpthread"]))?;
        let output = Command::new(&checker).output()?;
        let verified = output.status.success();
        if verified != (expectation.verdict == Expected::Verified) {
            return Err(format!("rumur disagrees: {}", shown(&output)).into());
        }
        if verified {
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            for (what, expected) in [("states", expectation.states), ("rules fired", expectation.rules)] {
                let found = number_before(&printed, what);
                if found != expected {
                    return Err(format!("rumur counts {found:?} {what}, we expect {expected:?}").into());
                }
            }
        }
        Ok(())
    }

    fn run(command: &mut Command) -> Result<(), Failed> {
        let output = command.output()?;
        if output.status.success() { Ok(()) } else { Err(format!("{command:?}: {}", shown(&output)).into()) }
    }

    /// The number in front of a word in "123 states, 456 rules fired in 0s".
    fn number_before(text: &str, word: &str) -> Option<u64> {
        let line = text.lines().rev().find(|line| line.contains("rules fired in"))?;
        let before = line.split(word).next()?;
        before.trim_end().rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }
}
