//! Every error is reported, and errors stay within the memory that they may take: what does not fit
//! is counted.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::context::Context;
use mcc_runtime::fault::{FaultKind, Site};
use mcc_runtime::model::{
    Description, Family, Firing, Model, Parameter, Position, Property, PropertyId, PropertyKind, RuleId,
    Simple, StartId, Type, Variable, Violation, Width,
};
use mcc_runtime::successors::Successors;
use models::comb::Comb;
use models::{report, run};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

const WAYS: [&str; 8] = [
    "",
    "-vdfs",
    "--threads 3 --threads-from 1",
    "-c --seed 1 --memory 64M",
    "-c --seed 1 --memory 64M --threads 2 --threads-from 1",
    "--cache-states 2000",
    "--compress-paths",
    "-vdfs --cache-states 40",
];

/// Message and length of the trace of each error, in some order.
fn errors(report: &Value) -> Vec<(String, usize)> {
    let errors = report["errors"].as_array().unwrap();
    let mut errors: Vec<(String, usize)> = errors
        .iter()
        .map(|error| (error["message"].to_string(), error["trace"].as_array().unwrap().len()))
        .collect();
    errors.sort();
    errors
}

#[test]
fn each_violated_property_of_a_state_is_an_error() {
    let comb = Comb { last: 40, one_tooth: false };
    let mut expected = Vec::new();
    for node in 0..=40 {
        let length = node as usize + 2;
        expected.push(("\"invariant \\\"no tooth\\\" is false\"".to_owned(), length));
        if node % 2 == 0 {
            expected.push(("\"invariant \\\"no even tooth\\\" is false\"".to_owned(), length));
        }
        if node % 4 == 0 {
            let what = "every fourth cannot be evaluated";
            let text = format!("\"property \\\"{what}\\\" cannot be evaluated: {node} is out of range\"");
            expected.push((text, length));
        }
    }
    expected.push(("\"invariant \\\"no last tooth\\\" is false\"".to_owned(), 42));
    expected.sort();
    assert_eq!(expected.len() as u64, comb.errors());
    for way in WAYS {
        let report = report(&comb, &format!("{way} --max-errors 0 -ndl"));
        assert_eq!(errors(&report), expected, "{way}");
        assert_eq!(report["errors_not_kept"], 0, "{way}");
        assert!(report["errors"].as_array().unwrap().iter().all(|error| error["trace_missing"].is_null()));
        let statuses: Vec<&Value> =
            report["property_figures"].as_array().unwrap().iter().map(|figures| &figures["status"]).collect();
        assert_eq!(statuses, ["reached", "violated", "violated", "violated", "violated"], "{way}");
        if !way.contains("cache") && !way.contains("compress") {
            // A state covers once, however often its properties are evaluated.
            assert_eq!(report["property_figures"][0]["count"], report["states"], "{way}");
        }
    }
}

/// One thread reports the properties of a state in the order of the text, all at the end of one
/// trace.
#[test]
fn errors_of_one_state_have_one_trace() {
    let comb = Comb { last: 4, one_tooth: true };
    let report = report(&comb, "--max-errors 0 -ndl");
    let errors = report["errors"].as_array().unwrap();
    let lines: Vec<&str> = errors.iter().map(|error| error["message"].as_str().unwrap()).collect();
    assert_eq!(
        lines,
        [
            "invariant \"no tooth\" is false",
            "invariant \"no even tooth\" is false",
            "property \"every fourth cannot be evaluated\" cannot be evaluated: 4 is out of range",
            "invariant \"no last tooth\" is false",
        ]
    );
    for error in errors {
        assert_eq!(error["trace"], errors[0]["trace"]);
        assert_eq!(error["trace"][5]["state"], serde_json::json!({ "node": 4, "tooth": 1 }));
    }
}

#[test]
fn as_many_errors_as_wanted_are_found() {
    let comb = Comb { last: 40, one_tooth: false };
    for way in WAYS {
        for most in 1..9 {
            let report = report(&comb, &format!("{way} --max-errors {most} -ndl"));
            assert_eq!(report["errors"].as_array().unwrap().len(), most, "{way} {most}");
            assert_eq!(report["errors_not_kept"], 0, "{way} {most}");
            let errors = if most == 1 { "1 error".to_owned() } else { format!("{most} errors") };
            assert_eq!(report["reason"], format!("{errors} found; the search stopped there"), "{way}");
        }
    }
}

/// Depth first, the paths to all teeth together are longer than what errors may take.
#[test]
fn errors_that_do_not_fit_are_counted() {
    let comb = Comb { last: 800, one_tooth: false };
    let all = report(&comb, "-vdfs --max-errors 0 -ndl --memory 4G --trace off");
    assert_eq!(all["errors"].as_array().unwrap().len() as u64, comb.errors());
    let limit = 4 << 20;
    for way in ["-vdfs", "-vdfs -c --seed 1 --slots 2000"] {
        let line = format!("{way} --max-errors 0 -ndl --memory 4M");
        let few = report(&comb, &line);
        let kept = few["errors"].as_array().unwrap();
        assert!(kept.len() > 10 && (kept.len() as u64) < comb.errors() / 2, "{way}: {}", kept.len());
        assert_eq!(few["errors_not_kept"], comb.errors() - kept.len() as u64, "{way}");
        assert_eq!((&few["verdict"], &few["reason"]), (&all["verdict"], &all["reason"]), "{way}");
        assert_eq!(few["property_figures"], all["property_figures"], "{way}");
        assert!(few["memory_bytes"].as_u64().unwrap() <= limit, "{way}");
        assert_eq!(few["states"], all["states"], "{way}");
        // All of them are printed all the same, and how many are missing in the report.
        let ran = run(&comb, &line);
        assert_eq!(ran.exit, Exit::Violated);
        assert_eq!(ran.out.matches("\nError: ").count() as u64, comb.errors(), "{way}");
        assert!(ran.out.contains("errors counted, but not kept: errors may take an eighth of --memory"));
    }
}

/// Of a level with many errors, threads keep as many as fit, and lose no count.
#[test]
fn threads_count_what_they_do_not_keep() {
    for threads in [1, 2, 3] {
        let line =
            format!("--max-errors 0 -ndl --memory 8M --threads {threads} --threads-from 1 --trace off");
        let report = report(&Fan, &line);
        let kept = report["errors"].as_array().unwrap().len() as u64;
        assert!(kept > 100, "{threads}: {kept}");
        assert_eq!(kept + report["errors_not_kept"].as_u64().unwrap(), 60_000, "{threads}");
        assert!(report["errors_not_kept"].as_u64().unwrap() > 10_000, "{threads}");
        assert_eq!(report["states"], 60_001, "{threads}");
        // What lies behind them is not known, also where they are only counted.
        let reason = "60,000 errors found; what lies behind a state that breaks a property was not explored";
        assert_eq!(report["reason"], reason, "{threads}");
    }
    // Exactly as many as wanted, the same ones each time, whatever there is room for.
    let line = "--max-errors 50 -ndl --memory 16M --threads 3 --threads-from 1";
    let first = report(&Fan, line);
    assert_eq!(first["errors"].as_array().unwrap().len(), 50);
    assert_eq!(first["errors_not_kept"], 0);
    assert_eq!(first["errors"], report(&Fan, line)["errors"]);
}

/// Violating states are not among those that wait, also where all threads stop in the middle of a
/// level.
#[test]
fn violating_states_do_not_wait() {
    let comb = Comb { last: 400, one_tooth: false };
    for most in 50..60 {
        let line =
            format!("--threads 3 --threads-from 1 --max-errors 0 -ndl --max-states {most} --trace off");
        let report = report(&comb, &line);
        assert!(report["reason"].as_str().unwrap().contains("--max-states"), "{}", report["reason"]);
        assert!(report["states_waiting"].as_u64().unwrap() <= 3, "{most}: {}", report["states_waiting"]);
    }
}

/// A path that does not fit into memory: the error is reported all the same.
#[test]
fn an_error_without_room_for_its_trace_is_reported() {
    let comb = Comb { last: 500_000, one_tooth: true };
    let mut seen = Vec::new();
    for half_megabytes in 12..60 {
        let line = format!("-vdfs -ndl --trace off --memory {}K", 512 * half_megabytes);
        let report = report(&comb, &line);
        let errors = report["errors"].as_array().unwrap();
        let what = match errors.first() {
            None => {
                assert_eq!(report["verdict"], "inconclusive");
                0
            }
            Some(error) => {
                assert_eq!(report["verdict"], "violated");
                assert_eq!(error["message"], "invariant \"no tooth\" is false");
                match error["trace"].as_array() {
                    None => {
                        assert_eq!(error["trace_missing"], "memory");
                        let text = run(&comb, &line.replace("--trace off", "")).out;
                        assert!(text.contains("There is no trace: there is no memory left"), "{text}");
                        1
                    }
                    Some(trace) => {
                        assert_eq!(trace.len(), 500_002);
                        assert!(error["trace_missing"].is_null());
                        2
                    }
                }
            }
        };
        if seen.last() != Some(&what) {
            seen.push(what);
        }
        if what == 2 {
            break;
        }
    }
    assert_eq!(seen, [0, 1, 2]);
}

/// What a checkpoint has of errors is what the undisturbed search has.
#[test]
fn errors_that_were_not_kept_are_saved() {
    let comb = Comb { last: 1500, one_tooth: false };
    let folder = std::env::temp_dir().join(format!("mcc-errors-{}", std::process::id()));
    let common = "--max-errors 0 -ndl --memory 4M --trace off";
    let checkpoint = format!("--checkpoint-directory {}", folder.display());
    let whole = report(&comb, common);
    assert!(whole["errors_not_kept"].as_u64().unwrap() > 100);
    let cut = run(&comb, &format!("{common} --checkpoint 100 {checkpoint} --max-depth 1000"));
    assert_eq!(cut.exit, Exit::Violated, "{}", cut.err);
    let resumed = report(&comb, &format!("--resume {} {common}", folder.display()));
    // A search that comes to its end removes its checkpoints.
    assert!(!folder.exists());
    assert_eq!(resumed["checkpoints"]["resumed_from_levels"], serde_json::json!([1000]));
    for key in ["errors", "errors_not_kept", "reason", "property_figures", "states"] {
        assert_eq!(resumed[key], whole[key], "{key}");
    }
}

/// A report that cannot be written to its end leaves nothing that looks like one, and the old one
/// is still there.
#[test]
fn half_a_report_is_none() {
    let comb = Comb { last: 30, one_tooth: true };
    let fickle = Fickle { comb, fired: AtomicU64::new(0), most: u64::MAX };
    let path = std::env::temp_dir().join(format!("mcc-half-report-{}.json", std::process::id()));
    let line = format!("-ndl --quiet --json {}", path.display());
    assert_eq!(run(&fickle, &line).exit, Exit::Violated);
    let before = std::fs::read(&path).unwrap();
    // The last steps of the trace do not fire again.
    let most = fickle.fired.load(Ordering::Relaxed) - 5;
    let ran = run(&Fickle { comb, fired: AtomicU64::new(0), most }, &line);
    let (after, left) = (std::fs::read(&path).unwrap(), beside(&path));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(ran.exit, Exit::Inconclusive);
    assert!(ran.err.contains("error: --json: it could not be written to"), "{}", ran.err);
    assert!(ran.err.contains("step 27: a rule of the trace does not fire again"), "{}", ran.err);
    assert_eq!(before, after);
    assert_eq!(left, Vec::<PathBuf>::new());
    let full = run(&comb, "-ndl --quiet --json /dev/full");
    assert_eq!(full.exit, Exit::Inconclusive);
    assert!(full.err.contains("No space left"), "{}", full.err);
}

/// Files whose names begin with that of this one.
fn beside(path: &std::path::Path) -> Vec<PathBuf> {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
    let ours = |file: &PathBuf| file.file_name().unwrap().to_string_lossy().starts_with(&name);
    files.filter(|file| ours(file) && file != path).collect()
}

/// A model whose rules fire so often alone, and then no more.
struct Fickle {
    comb: Comb,
    fired: AtomicU64,
    most: u64,
}

impl Model for Fickle {
    fn description(&self) -> &'static Description {
        self.comb.description()
    }

    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing {
        self.comb.start(context, start, state)
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.comb.expand(context, state, successors);
    }

    fn fire(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        if self.fired.fetch_add(1, Ordering::Relaxed) < self.most {
            self.comb.fire(context, rule, state)
        } else {
            Firing::Disabled
        }
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        self.comb.check(context, state)
    }
}

/// One state that leads to many others, all of which violate an invariant.
struct Fan;

const BLADES: u32 = 60_000;
const HERE: Position = Position { line: 1, column: 1 };
static NUMBERS: Simple = Simple { width: Width::Four, ..models::numbers("0..60000", 0, BLADES as i64) };
static NUMBER: Type =
    Type::Simple(Simple { width: Width::Eight, ..models::numbers("0..60000", 0, BLADES as i64) });
static EACH: [Parameter; 1] = [Parameter { name: "n", ty: &NUMBERS, first: 1, step: 1, count: BLADES }];
static FAN: Description = Description {
    name: "fan.m",
    fingerprint: 31,
    words: 1,
    variables: &[Variable { name: "number", offset: 0, ty: &NUMBER }],
    starts: &[Family { name: "start", position: HERE, parameters: &[], first: 0, instances: 1 }],
    rules: &[Family { name: "unfold", position: HERE, parameters: &EACH, first: 0, instances: BLADES }],
    properties: &[Property { kind: PropertyKind::Invariant, name: "folded", position: HERE }],
    sites: &[Site { position: HERE, kind: FaultKind::Pruned, message: "" }],
    ..Description::EMPTY
};

impl Model for Fan {
    fn description(&self) -> &'static Description {
        &FAN
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        state.fill(1);
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        if state[0] == 1 {
            (0..BLADES).for_each(|number| successors.push(RuleId(number), &[u64::from(number) + 2]));
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        match std::mem::replace(&mut state[0], u64::from(rule.0) + 2) {
            1 => Firing::Fired,
            _ => Firing::Disabled,
        }
    }

    fn check(&self, _: &Context, state: &mut [u64]) -> Result<(), Violation> {
        match state[0] {
            1 => Ok(()),
            _ => Err(Violation { property: PropertyId(0), fault: None }),
        }
    }
}
