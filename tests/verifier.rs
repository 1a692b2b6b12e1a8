//! What every verifier can do: the options CMurphi's users type and our own, limits and how they
//! are reported, the report, and standing its ground when the output goes away.

#![cfg(test)]

#[path = "verifier/cluster.rs"]
mod cluster;
#[path = "verifier/cluster_sets.rs"]
mod cluster_sets;
#[path = "verifier/coverage.rs"]
mod coverage;
#[cfg(unix)]
#[path = "verifier/serving.rs"]
mod serving;
#[cfg(unix)]
#[path = "verifier/serving_sets.rs"]
mod serving_sets;
mod support;

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use support::{build, mcc, root, scratch, shown, text};

/// Far too many states to wait for.
static COUNTERS: LazyLock<PathBuf> = LazyLock::new(|| made("tests/verifier/counters.m"));
/// Ten states, several errors.
static ERRORS: LazyLock<PathBuf> = LazyLock::new(|| made("tests/verifier/errors.m"));
/// Verified: 122 states, 230 rules.
static GOOD: LazyLock<PathBuf> = LazyLock::new(|| made("models/dekker.m"));

/// A state of it defeats the exact reduction.
static DEFIANT: LazyLock<PathBuf> = LazyLock::new(|| made("models/symmetry/regular_graphs.m"));

/// Symmetric but for one loop.
static SYMMETRY: LazyLock<PathBuf> = LazyLock::new(|| made("tests/verifier/symmetry.m"));
/// The model above without that loop.
static WORKERS: LazyLock<PathBuf> = LazyLock::new(|| made("tests/verifier/workers.m"));

fn made(model: &str) -> PathBuf {
    build(&root().join(model)).unwrap_or_else(|error| panic!("{model}: {error}"))
}

fn run(verifier: &Path, options: &[&str]) -> Output {
    let output = Command::new(verifier).args(options).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", verifier.display()));
    assert!(!text(&output.stderr).contains("panicked"), "{options:?}: {}", shown(&output));
    output
}

#[track_caller]
fn expect(output: &Output, code: i32, said: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", shown(output));
    let heard = shown(output);
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
}

fn report(verifier: &Path, options: &[&str]) -> (Value, Output) {
    let options: Vec<&str> = options.iter().copied().chain(["--json", "-"]).collect();
    let output = run(verifier, &options);
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{options:?}: {error}\n{}", shown(&output)));
    (report, output)
}

#[test]
fn the_options_of_cmurphi_work_as_they_are_typed() {
    let folder = scratch("verifier");
    let folder = folder.to_str().expect("a path in Unicode");
    let verified = ["122", "230"];
    for options in [
        &[] as &[&str],
        &["-v"],
        &["-vbfs"],
        &["-vdfs"],
        &["-ndl"],
        &["-m200"],
        &["-m", "200"],
        &["-k50000"],
        &["-loop5000"],
        &["-p4"],
        &["-pn"],
        &["-pr"],
        &["-tv"],
        &["-td"],
        &["-tf"],
        &["-ta"],
        &["-tn"],
        &["-d", folder],
        &["-b"],
        &["-b", "-vdfs", "-ndl", "-m100", "-loop10", "-pn", "-td"],
    ] {
        let output = run(&GOOD, options);
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", shown(&output));
        for figure in verified {
            assert!(text(&output.stdout).contains(figure), "{options:?}: no {figure} in\n{}", shown(&output));
        }
    }
    expect(&run(&GOOD, &["-h"]), 0, &["--memory", "--max-depth", "--json", "-vdfs", "Exit codes"]);
    expect(&run(&GOOD, &["-l"]), 0, &["licen"]);
    // A walk proves nothing, and says so; -p shows its steps.
    let output = run(&GOOD, &["-s", "-p", "--steps", "20", "--seed", "7"]);
    expect(&output, 3, &["proves nothing"]);
    let again = run(&GOOD, &["-s", "-p", "--steps", "20", "--seed", "7"]);
    // The line of figures has the time, too.
    let walk =
        |output: &Output| text(&output.stdout).split_once("rules fired in").map(|(walk, _)| walk.to_owned());
    assert!(walk(&output).is_some());
    assert_eq!(walk(&output), walk(&again), "the same seed walks the same way");
}

#[test]
fn long_forms_and_short_ones_agree() {
    for (short, long) in [
        (&["-b", "-vdfs"] as &[&str], &["--packed", "--search", "dfs"] as &[&str]),
        (&["-k50000", "-ndl"], &["--memory", "50000K", "--no-deadlock"]),
        (&["-loop7"], &["--loop-limit", "7"]),
    ] {
        let (mut left, mut right) = (report(&GOOD, short).0, report(&GOOD, long).0);
        for one in [&mut left, &mut right] {
            one["options"]["arguments"].take();
            one["seconds"].take();
            one["resident_bytes"].take();
        }
        assert_eq!(left, right, "{short:?} and {long:?}");
    }
}

#[test]
fn a_state_that_defies_reduction_is_a_warning_and_no_hang() {
    let output = run(&DEFIANT, &["-b", "-ndl", "-pn"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(shown(&output).contains("1 successor defied symmetry reduction"), "{}", shown(&output));
}

#[test]
fn a_wrong_command_line_ends_with_two() {
    for options in [
        &["-x"] as &[&str],
        &["--no-such-option"],
        &["-m"],
        &["-mtoo-much"],
        &["--memory", "lots"],
        &["--memory", "-1G"],
        &["--max-depth", "-1"],
        &["--trace", "sideways"],
        &["--json"],
        &["--json", "/no/such/folder/report.json"],
        &["--json", "/"],
        &["-d", "/no/such/folder"],
        &["extra"],
        &["-c", "--bits", "7"],
        &["-c", "--bits", "65"],
        &["--bits", "40"],
        &["-c", "--target", "2"],
        &["-c", "--runs", "0"],
        &["-c", "--probes", "3"],
        &["-sym5"],
    ] {
        let output = run(&GOOD, options);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", shown(&output));
        assert!(text(&output.stderr).starts_with("error"), "{options:?}: {}", shown(&output));
        assert!(output.stdout.is_empty(), "{options:?}: {}", shown(&output));
    }
}

#[test]
fn too_little_memory_is_inconclusive() {
    for options in [&["-k100"] as &[&str], &["-k100", "-b"], &["-k100", "-vdfs"], &["-m8"]] {
        let (report, output) = report(&COUNTERS, options);
        expect(&output, 3, &["memory"]);
        assert_eq!(report["verdict"], "inconclusive", "{options:?}");
        assert!(report["states"].as_u64() > Some(10), "{options:?}: counts so far: {report:#}");
        assert!(report["advice"].is_string(), "{options:?}: what to try: {report:#}");
    }
    let (report, _) = report(&COUNTERS, &["-m64"]);
    let used = report["memory_bytes"].as_u64().expect("memory is measured");
    assert!(used <= 64 << 20, "{used} bytes of 64 MiB");
    let output = run(&COUNTERS, &["-k100"]);
    expect(&output, 3, &["memory", "states", "rules"]);
}

#[test]
fn limits_are_inconclusive() {
    let (by_states, output) = report(&COUNTERS, &["--max-states", "1000"]);
    expect(&output, 3, &["--max-states"]);
    assert_eq!(by_states["states"].as_u64(), Some(1000));
    // Ten digits at depth n: the states with a sum of at most n.
    let (by_depth, output) = report(&COUNTERS, &["--max-depth", "3"]);
    expect(&output, 3, &["--max-depth"]);
    assert_eq!((by_depth["states"].as_u64(), by_depth["depth"].as_u64()), (Some(1 + 10 + 55 + 220), Some(3)));
    // A limit that is not reached is none.
    let (all, output) = report(&GOOD, &["--max-states", "122", "--max-depth", "100", "--memory", "16M"]);
    expect(&output, 0, &[]);
    assert_eq!(all["verdict"], "verified");
}

#[test]
fn errors_are_found_one_or_all() {
    let (one, output) = report(&ERRORS, &[]);
    expect(&output, 1, &["not four"]);
    assert_eq!(one["errors"].as_array().map(Vec::len), Some(1));
    let error = &one["errors"][0];
    assert_eq!(error["kind"], "invariant");
    assert_eq!(error["line"], 16);
    let trace = error["trace"].as_array().expect("a trace");
    assert_eq!(trace.len(), 3, "two steps of two after the start: {error:#}");
    assert_eq!(trace[0]["rule"], "bottom");
    assert_eq!(trace[2]["rule"], "climb");
    assert_eq!(trace[2]["parameters"]["step"], "2");
    assert_eq!(trace[2]["state"]["p"], "low");

    let (two, output) = report(&ERRORS, &["--max-errors", "2"]);
    expect(&output, 1, &[]);
    assert_eq!(two["errors"].as_array().map(Vec::len), Some(2));
    let (all, output) = report(&ERRORS, &["--max-errors", "0"]);
    expect(&output, 1, &["not four", "not seven", "deadlock"]);
    assert_eq!(all["states"].as_u64(), Some(10));
    let kinds: Vec<_> =
        all["errors"].as_array().into_iter().flatten().filter_map(|one| one["kind"].as_str()).collect();
    assert!(kinds.contains(&"invariant") && kinds.contains(&"deadlock"), "{kinds:?}");
    // States behind a broken property are not explored, and nobody claims to have been there.
    let reason = all["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("not explored"), "{reason}");
    let never = all["rule_figures"].as_array().into_iter().flatten().find(|rule| rule["name"] == "never");
    assert_eq!(never.map(|rule| rule["fired"].as_u64()), Some(Some(0)));
    let (no_deadlock, _) = report(&ERRORS, &["--max-errors", "0", "-ndl"]);
    assert!(!no_deadlock["errors"].to_string().contains("deadlock"), "{:#}", no_deadlock["errors"]);
}

#[test]
fn traces_are_printed_as_asked() {
    let differences = text(&run(&ERRORS, &["-td"]).stdout);
    let full = text(&run(&ERRORS, &["-tf"]).stdout);
    let off = text(&run(&ERRORS, &["-tn"]).stdout);
    for (shown, printed) in [("diff", &differences), ("full", &full), ("off", &off)] {
        assert!(printed.contains("not four"), "{shown}: {printed}");
    }
    assert!(differences.contains("climb") && differences.contains("bottom"), "{differences}");
    assert!(!off.contains("climb"), "{off}");
    let count = |text: &str| text.lines().filter(|line| line.contains("low")).count();
    assert!(count(&full) > count(&differences), "{full}\n{differences}");
    // Rules that never fired are reported.
    let statistics = text(&run(&ERRORS, &["-pr", "--max-errors", "0"]).stdout);
    assert!(statistics.contains("never"), "{statistics}");
}

/// The keys that tools rely on. More may come; none may go.
#[test]
fn the_report_has_its_keys() {
    let (report, output) = report(&ERRORS, &["--max-errors", "0"]);
    for key in [
        "schema",
        "model",
        "options",
        "verdict",
        "reason",
        "states",
        "rules",
        "depth",
        "seconds",
        "memory_bytes",
        "rule_figures",
        "property_figures",
        "errors",
    ] {
        assert!(!report[key].is_null(), "no `{key}` in {report:#}");
    }
    assert!(report["states"].is_u64() && report["rules"].is_u64() && report["depth"].is_u64());
    assert!(report["seconds"].is_number() && report["memory_bytes"].is_u64());
    for error in report["errors"].as_array().into_iter().flatten() {
        for key in ["kind", "message", "trace"] {
            assert!(!error[key].is_null(), "no `{key}` in {error:#}");
        }
    }
    // What the model puts stands beside the report, not in it.
    assert!(text(&output.stderr).contains("started"), "{}", shown(&output));
    assert!(text(&run(&ERRORS, &["-tn"]).stdout).contains("started"));

    let file = scratch("verifier").join("report.json");
    let _ = fs::remove_file(&file);
    let output = run(&GOOD, &["--json", file.to_str().expect("a path in Unicode")]);
    expect(&output, 0, &["122"]);
    let written: Value = serde_json::from_slice(&fs::read(&file).expect("the report")).expect("JSON");
    assert_eq!(written["verdict"], "verified");
}

/// Nine states, two instances of one rule. What a guard, or an alias around the rule, calls is
/// called for each instance, whether or not the generated code could do with fewer calls.
#[test]
fn cover_statements_are_counted_once_for_each_instance() {
    let model = "tests/verifier/covers_in_guards.m";
    let (compiled, _) = report(&made(model), &["-ndl"]);
    let mut interpreter = mcc();
    interpreter.arg("--interpret").arg(root().join(model)).args(["--", "-ndl", "--json", "-"]);
    let output = interpreter.output().expect("mcc runs");
    let interpreted: Value = serde_json::from_slice(&output.stdout).expect("a report");
    for report in [compiled, interpreted] {
        let figures = report["property_figures"].as_array().expect("a list");
        let counts: Vec<Option<u64>> = figures.iter().map(|figure| figure["count"].as_u64()).collect();
        assert_eq!(report["states"], 9);
        assert_eq!(counts, [Some(18), Some(12), Some(10)]);
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    if !Path::new("/dev/full").exists() {
        eprintln!("there is no /dev/full here");
        return;
    }
    let output = run(&GOOD, &["--json", "/dev/full"]);
    expect(&output, 3, &["--json", "/dev/full"]);
}

#[test]
fn an_output_that_goes_away_is_no_panic() {
    for options in [&["-ta"] as &[&str], &["-s", "-p", "--steps", "50000"], &["-pr", "-p2"]] {
        let mut child = Command::new(&*COUNTERS)
            .args(options)
            .args(["--max-states", "50000"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the verifier starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it was asked for"));
        out.read_line(&mut line).expect("a first line");
        drop(out);
        let output = child.wait_with_output().expect("the verifier ends");
        let said = text(&output.stderr);
        assert!(!said.contains("panicked"), "{options:?}: {said}");
        assert_ne!(output.status.code(), Some(101), "{options:?}: {said}");
        assert_ne!(output.status.code(), Some(0), "{options:?}: nothing was verified: {said}");
    }
}

/// Ctrl-C.
#[test]
fn an_interruption_ends_cleanly_with_the_counts() {
    for options in [&[] as &[&str], &["-vdfs"], &["-s", "--steps", "1000000000000"]] {
        let mut child = Command::new(&*COUNTERS)
            .args(options)
            .args(["--memory", "1G", "--json", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the verifier starts");
        std::thread::sleep(Duration::from_millis(700));
        let began = Instant::now();
        let signal = Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
        assert!(signal.is_ok_and(|status| status.success()), "the signal was not sent");
        while child.try_wait().expect("the verifier can be waited for").is_none() {
            assert!(began.elapsed() < Duration::from_secs(20), "{options:?}: it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output().expect("the verifier ends");
        expect(&output, 3, &["interrupted"]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("the report is complete");
        assert_eq!(report["verdict"], "inconclusive", "{options:?}");
        assert!(report["rules"].as_u64() > Some(0), "{options:?}: {report:#}");
    }
}

#[test]
fn quiet_says_the_verdict_and_nothing_else() {
    let output = run(&GOOD, &["--quiet"]);
    expect(&output, 0, &[]);
    assert!(text(&output.stdout).lines().count() <= 1, "{}", shown(&output));
    assert!(output.stderr.is_empty(), "{}", shown(&output));
    let coloured = text(&run(&ERRORS, &["--color", "always"]).stdout);
    assert!(coloured.contains('\u{1b}'), "{coloured}");
    let plain = text(&run(&ERRORS, &["--color", "never"]).stdout);
    assert!(!plain.contains('\u{1b}'), "{plain}");
}

/// Equal options give the same answer twice.
#[test]
fn results_repeat() {
    for options in [&[] as &[&str], &["-b"], &["-vdfs"], &["--max-errors", "0"]] {
        let without_time = |mut report: Value| {
            report["seconds"].take();
            report["resident_bytes"].take();
            report
        };
        let (first, second) = (report(&ERRORS, options).0, report(&ERRORS, options).0);
        assert_eq!(without_time(first), without_time(second), "{options:?}");
    }
}

#[test]
fn symmetry_is_reduced_as_asked() {
    let cases: [(&[&str], u64, &str, &str); 7] = [
        (&["-nosym"], 447, "off", "bags"),
        (&["--symmetry", "off", "-nomultiset"], 831, "off", "slots"),
        (&["--symmetry", "trust"], 98, "trust", "bags"),
        (&[], 98, "exact", "bags"),
        (&["-sym1"], 98, "exact", "bags"),
        (&["-permlimit", "0"], 98, "exact", "bags"),
        (&["-sym4"], 98, "fast", "bags"),
    ];
    for (options, states, symmetry, multisets) in cases {
        let options: Vec<&str> = options.iter().copied().chain(["-ndl", "--max-errors", "0"]).collect();
        let (report, output) = report(&WORKERS, &options);
        assert_eq!(output.status.code(), Some(1), "{options:?}");
        assert_eq!(report["states"], states, "{options:?}");
        assert_eq!(report["options"]["symmetry"], symmetry, "{options:?}");
        assert_eq!(report["options"]["multisets"], multisets, "{options:?}");
        assert_eq!(report["states_unreduced"], 0, "{options:?}");
    }
    expect(&run(&WORKERS, &["-ndl"]), 1, &["Symmetry reduction of Worker (3): exact", "Trace of "]);
    expect(&run(&SYMMETRY, &["-sym5"]), 2, &["-sym1 to -sym4"]);
    expect(&run(&SYMMETRY, &["--symmetry", "some"]), 2, &["exact, fast, trust, off"]);
    expect(&run(&SYMMETRY, &["-permlimit", "many"]), 2, &["-permlimit needs a plain number"]);
}

#[test]
fn a_model_that_is_not_symmetric_is_reported() {
    // The check finds the rule, whatever the seed.
    for seed in ["1", "2", "3"] {
        let trust = ["--symmetry", "trust", "--symmetry-check", "--seed", seed];
        let output =
            run(&SYMMETRY, &["-ndl", "--max-errors", "0"].iter().chain(&trust).copied().collect::<Vec<_>>());
        expect(
            &output,
            3,
            &[
                "The first state:",
                "is called",
                "Rule \"choose\"",
                "not as symmetric as the reduction assumes",
            ],
        );
    }
    // By default it is not reduced, and the heading says why and what to do.
    let output = run(&SYMMETRY, &["-ndl", "--max-errors", "0"]);
    let heading =
        ["Symmetry reduction of Worker (3): off", "Not reduced: scalarset Worker (3)", "line 47", "`chosen`"];
    expect(&output, 1, &heading);
    expect(&output, 1, &["--symmetry trust", "335 states", "2 errors found"]);
    // Sleep sets ask for models that are not reduced.
    expect(&run(&SYMMETRY, &["-ndl", "--sleep"]), 1, &["Sleep sets"]);
    expect(&run(&WORKERS, &["-ndl", "--sleep"]), 2, &["-nosym"]);
    // What was not proved is in the checkpoint.
    let folder = scratch("checkpoint_of_trust");
    let folder = folder.join("saved");
    let _ = fs::remove_dir_all(&folder);
    let folder = folder.to_str().expect("a path in Unicode");
    let saving = [
        "-ndl",
        "--max-errors",
        "0",
        "--max-depth",
        "3",
        "--checkpoint",
        "0",
        "--checkpoint-directory",
        folder,
    ];
    expect(&run(&SYMMETRY, &saving), 3, &["--max-depth"]);
    let output = run(&SYMMETRY, &["-ndl", "--symmetry", "trust", "--resume", folder]);
    expect(&output, 2, &["--symmetry"]);
    // What is symmetric passes.
    let german = made("models/german.m");
    expect(&run(&german, &["--symmetry-check", "--max-states", "2000"]), 3, &["more than 2,000 states"]);
}

/// An element has one name in a whole trace, and what is in a multiset stays in its slot until it
/// is removed.
#[test]
fn traces_are_one_concrete_run() {
    let (report, _) = report(&WORKERS, &["-ndl"]);
    let steps = report["errors"][0]["trace"].as_array().expect("a trace");
    let mut before = &steps[0]["state"];
    for step in &steps[1..] {
        let state = &step["state"];
        let slots = |state: &'_ Value| state["requests"].as_array().cloned().unwrap_or_default();
        let (old, new) = (slots(before), slots(state));
        for slot in 0..old.len().max(new.len()) {
            let (old, new) = (old.get(slot), new.get(slot));
            let (old, new) = (old.unwrap_or(&Value::Null), new.unwrap_or(&Value::Null));
            assert!(old == new || old.is_null() || new.is_null(), "{old} became {new}");
        }
        // "ask" names the worker that becomes busy.
        if let Some(worker) = step["parameters"]["worker"].as_str() {
            assert_eq!(before["busy"][worker], false);
            assert_eq!(state["busy"][worker], true);
        }
        before = state;
    }
}
