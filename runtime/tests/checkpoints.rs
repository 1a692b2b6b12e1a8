//! Checkpoints in real directories: what is refused, what may differ, and a real process that is
//! killed.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use models::philosophers::Philosophers;
use models::wheels::Wheels;
use models::{Ran, report, run, run_with};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A directory that is not there yet, and not any more in the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("mcc-checkpoints-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Place(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }

    fn fresh(&self) -> String {
        format!("--checkpoint 0 --checkpoint-directory {}", self.0.display())
    }

    fn resume(&self) -> String {
        format!("--resume {}", self.0.display())
    }

    fn data_files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.to_string_lossy().contains("-0000")).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What must not depend on whether a search was resumed.
fn figures(report: &Value) -> Value {
    let keys = [
        "verdict",
        "reason",
        "states",
        "rules",
        "depth",
        "rule_figures",
        "property_figures",
        "errors",
        "compaction",
        "cache",
        "states_waiting",
    ];
    let levels = ("levels".to_owned(), report["disk_table"]["levels"].clone());
    let figures = keys.iter().map(|&key| (key.to_owned(), report[key].clone())).chain([levels]);
    figures.collect::<serde_json::Map<_, _>>().into()
}

/// What must be equal of a search that was saved and of one that was not: a set of signatures has
/// more segments then, and its records are a little longer. A table on disk ends its block when it
/// is saved, so it has more blocks.
fn alike(saved: &Value, plain: &Value) -> Value {
    let mut found = figures(saved);
    if !found["compaction"].is_null() {
        found["compaction"]["record_bytes"] = plain["compaction"]["record_bytes"].clone();
    }
    if !found["compaction"].is_null() && !saved["disk_table"].is_null() {
        found["compaction"]["table_bytes"] = plain["compaction"]["table_bytes"].clone();
    }
    found
}

const WAYS: [&str; 10] = [
    "",
    "-b",
    "-c --seed 5",
    "-c --slots 70000 --bits 20 --seed 5",
    "--cache-states 80000",
    "-b -c --seed 5 --cache-states 80000 --replace direct",
    "--disk TEMPORARY --table-memory 100K",
    "-b --disk TEMPORARY --disk-plain --table-memory 100K",
    "-c --seed 5 --disk TEMPORARY --table-memory 100K",
    "-c --seed 5 --disk TEMPORARY --disk-plain",
];

/// With the directory for files on disk.
fn placed(way: &str) -> String {
    way.replace("TEMPORARY", &std::env::temp_dir().display().to_string())
}

#[track_caller]
fn refused(ran: &Ran, said: &[&str]) {
    assert_eq!(ran.exit, Exit::Wrong, "{}{}", ran.out, ran.err);
    for words in said {
        assert!(ran.err.contains(words), "`{words}` is not in\n{}", ran.err);
    }
}

#[test]
fn a_search_that_was_cut_off_goes_on() {
    for way in WAYS.map(placed) {
        let place = Place::new("cut");
        let limit = "--max-depth 60 -j1 --max-errors 0";
        let undisturbed = report(&Wheels::Broken, &format!("{way} {limit}"));
        let cut =
            report(&Wheels::Broken, &format!("{way} -j1 --max-errors 0 --max-depth 17 {}", place.fresh()));
        assert_eq!(cut["verdict"], "violated", "{way}");
        assert_eq!(cut["checkpoints"]["last_level"], 17);
        assert_eq!(cut["checkpoints"]["written"], 18);
        assert!(place.path().join("manifest").exists());
        let advice = cut["advice"].as_str().unwrap();
        assert!(
            advice.contains(
                &format!(
                    ", without --max-depth: verifier {way} -j1 --max-errors 0 --json - {}",
                    place.resume()
                )
                .replace("  ", " ")
            ),
            "{advice}"
        );
        let resumed = report(&Wheels::Broken, &format!("{way} {limit} {}", place.resume()));
        assert_eq!(alike(&resumed, &undisturbed), figures(&undisturbed), "{way}");
        assert_eq!(resumed["checkpoints"]["resumed_from_levels"], serde_json::json!([17]));
        assert!(resumed["seconds"].as_f64() > cut["seconds"].as_f64());
        assert!(!place.path().exists(), "nobody needs it any more");
        assert!(undisturbed["checkpoints"].is_null());
    }
}

#[test]
fn checkpoints_change_nothing() {
    for way in WAYS.map(placed) {
        let place = Place::new("same");
        let plain = report(&Wheels::Broken, &format!("{way} -j1 --max-errors 7"));
        let saved = report(&Wheels::Broken, &format!("{way} -j1 --max-errors 7 {}", place.fresh()));
        assert_eq!(alike(&saved, &plain), figures(&plain), "{way}");
        assert!(saved["checkpoints"]["written"].as_u64().unwrap() > 10);
    }
}

/// Ctrl-C, at the first moment.
#[test]
fn an_interruption_tells_how_to_go_on() {
    let place = Place::new("interrupted");
    let ran = run_with(&Wheels::Right, &format!("-c {}", place.fresh()), &Interruption::at_once());
    assert_eq!(ran.exit, Exit::Inconclusive);
    let command = format!("try: verifier -c {}", place.resume());
    assert!(ran.out.contains(&command) && ran.out.contains("the checkpoint of level 0"), "{}", ran.out);
    // The seed was drawn, and is in the checkpoint.
    let resumed = report(&Wheels::Right, &format!("-c {}", place.resume()));
    assert_eq!((&resumed["verdict"], &resumed["states"]), (&"verified".into(), &65_536.into()));
    let place = Place::new("early");
    let line = format!("--checkpoint 60 --checkpoint-directory {} --max-states 500", place.path().display());
    let ran = run(&Wheels::Right, &line);
    assert!(ran.out.contains("it ended before there was a checkpoint"), "{}", ran.out);
}

#[test]
fn limits_may_grow() {
    let place = Place::new("limits");
    let undisturbed = report(&Wheels::Right, "-j1");
    let cut = report(&Wheels::Right, &format!("-j1 --max-states 20000 {}", place.fresh()));
    assert_eq!(cut["reason"], "there are more than 20,000 states (--max-states)");
    let level = cut["checkpoints"]["last_level"].as_u64().unwrap();
    refused(
        &run(&Wheels::Right, &format!("-j1 --max-states 500 {}", place.resume())),
        &["--max-states: the checkpoint has", "try: a larger number"],
    );
    let depth = format!("-j1 --max-depth {} {}", level - 1, place.resume());
    refused(&run(&Wheels::Right, &depth), &["--max-depth: the checkpoint is at depth"]);
    let again = report(&Wheels::Right, &format!("-j1 --max-states 40000 {}", place.resume()));
    assert_eq!(again["reason"], "there are more than 40,000 states (--max-states)");
    assert_eq!(again["states"], 40_000);
    let done = report(&Wheels::Right, &format!("-b -j1 {}", place.resume()).replace("-b ", ""));
    assert_eq!(figures(&done), figures(&undisturbed));
    assert_eq!(done["checkpoints"]["resumed_from_levels"].as_array().unwrap().len(), 2);
}

#[test]
fn what_differs_is_named() {
    let place = Place::new("differs");
    run(&Wheels::Right, &format!("-b -c --seed 7 --max-depth 5 {}", place.fresh()));
    let resume = place.resume();
    let right = format!("try: verifier -b -c --seed 7 --max-depth 5 {resume}");
    let other = |line: &str| run(&Wheels::Right, &format!("{line} {resume}"));
    refused(&other("-b"), &["belongs to another search", "--compact: on there, off here", &right]);
    refused(&other("-b -c --bits 30"), &["--bits: 40 there, 30 here", &right]);
    refused(&other("-b -c --seed 8"), &["--seed: 7 there, 8 here"]);
    refused(&other("-c"), &["--packed: on there, off here", "the layout of states"]);
    refused(&other("-b -c -ndl"), &["--no-deadlock: off there, on here"]);
    refused(&other("-b -c --cache 1M"), &["--cache: off there, 1048576 bytes here"]);
    refused(&other(&placed("-b -c --bits 40 --disk TEMPORARY")), &["--disk: off there, on here", &right]);
    let ran = run(&Philosophers { polite: true }, &format!("-b -c {resume}"));
    refused(&ran, &["model: wheels.m there", "fingerprint"]);
    refused(
        &run(&Wheels::Right, &format!("-b -c {}", place.fresh())),
        &["there is a checkpoint of wheels.m", "of level 5", &format!("--resume {}", place.path().display())],
    );
    // Nothing was touched meanwhile.
    assert_eq!(report(&Wheels::Right, &format!("-b -c -j2 {resume}"))["states"], 65_536);
    refused(&other("-b -c"), &["there is no checkpoint in", "--checkpoint 30 --checkpoint-directory"]);
}

#[test]
fn what_cannot_be_saved_is_refused() {
    let place = Place::new("refused");
    for (line, said) in [
        ("-vdfs", "a depth-first search (-vdfs) has no levels"),
        ("-s", "a random walk (-s) stores nothing"),
        ("-c --runs 2", "a checkpoint belongs to one run"),
    ] {
        refused(&run(&Wheels::Right, &format!("{line} {}", place.fresh())), &["--checkpoint:", said, "try:"]);
        refused(&run(&Wheels::Right, &format!("{line} {}", place.resume())), &["--resume:", said, "try:"]);
    }
    refused(&run(&Wheels::Right, "--checkpoint soon"), &["a number of minutes"]);
    refused(
        &run(&Wheels::Right, "--checkpoint 1 --checkpoint-directory /dev/null/x"),
        &["cannot be created"],
    );
    refused(&run(&Wheels::Right, "--checkpoint-directory x"), &["--checkpoint"]);
    assert!(!place.path().exists());
}

#[test]
fn damage_is_told() {
    let place = Place::new("damage");
    run(&Wheels::Right, &format!("--max-depth 9 {}", place.fresh()));
    let manifest = place.path().join("manifest");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let resume = || run(&Wheels::Right, &place.resume());
    std::fs::write(&manifest, text.replace("\"level\": 9", "\"level\": 8")).unwrap();
    refused(&resume(), &["its manifest is not what was written", "begin anew"]);
    std::fs::write(&manifest, text.replacen("checkpoint 6", "checkpoint 99", 1)).unwrap();
    refused(&resume(), &["has format 99, and this verifier reads format 6"]);
    std::fs::write(&manifest, "my own manifest\n").unwrap();
    refused(&resume(), &["none of ours"]);
    // Files of the user are left alone, whatever they are called.
    std::fs::write(place.path().join("log-20261116"), "mine").unwrap();
    std::fs::write(&manifest, &text).unwrap();
    assert_eq!(place.data_files().len(), 2);
    for file in place.data_files() {
        let bytes = std::fs::read(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        refused(&resume(), &["is missing", &file.file_name().unwrap().to_string_lossy()]);
        std::fs::write(&file, &bytes[1..]).unwrap();
        refused(&resume(), &["bytes instead of"]);
        let mut other = bytes.clone();
        other[bytes.len() / 2] ^= 1;
        std::fs::write(&file, other).unwrap();
        let ran = resume();
        assert_eq!(ran.exit, Exit::Inconclusive, "{}", ran.out);
        assert!(ran.out.contains("is damaged") && ran.out.contains("without --resume"), "{}", ran.out);
        std::fs::write(&file, bytes).unwrap();
    }
    assert_eq!(resume().exit, Exit::Verified);
    let names: Vec<_> =
        std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["log-20261116"]);
}

/// Not a test: the verifier that the next one kills.
#[test]
fn verifier_to_be_killed() {
    let Ok(line) = std::env::var("MCC_TO_BE_KILLED") else { return };
    let arguments = std::iter::once("verifier").chain(line.split_whitespace()).map(Into::into);
    mcc_runtime::main_with(&Wheels::Broken, arguments);
    std::process::exit(0);
}

/// A real process is killed at moments that nobody chose, and resumed, until it comes to its end.
#[test]
fn a_process_is_killed() {
    let ways = [
        "-j1",
        "-j2 -b",
        "-c --seed 3 -j2",
        "--cache-states 80000 -j1",
        "-j1 --disk TEMPORARY --table-memory 100K",
        "-j2 -c --seed 3 --disk TEMPORARY --table-memory 100K",
        "-j1 -c --seed 3 --disk TEMPORARY --disk-plain",
    ];
    for (number, way) in ways.map(placed).into_iter().enumerate() {
        let place = Place::new(&format!("killed-{number}"));
        let line = format!("{way} --threads-from 300 --max-errors 0");
        let undisturbed = report(&Wheels::Broken, &line);
        let target = place.path().with_extension("json");
        let mut kills = 0;
        let mut moment = 37 * (number as u64 + 1);
        loop {
            let how = if place.path().join("manifest").exists() { place.resume() } else { place.fresh() };
            let line = format!("{line} {how} --json {} --quiet", target.display());
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "verifier_to_be_killed"])
                .env("MCC_TO_BE_KILLED", line)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            // Some milliseconds more each time, so that it comes to an end on any machine.
            std::thread::sleep(Duration::from_millis(moment % 97 + 3 * kills));
            moment = moment * 31 + 7;
            let _ = child.kill();
            child.wait().unwrap();
            if target.exists() {
                break;
            }
            kills += 1;
            assert!(kills < 500);
        }
        let found: Value = serde_json::from_slice(&std::fs::read(&target).unwrap()).unwrap();
        let _ = std::fs::remove_file(&target);
        let found = alike(&found, &undisturbed);
        if way.contains("-j1") {
            assert_eq!(found, figures(&undisturbed), "{way}");
        }
        for key in ["verdict", "reason", "states", "rules", "depth", "rule_figures"] {
            assert_eq!(found[key], undisturbed[key], "{way} {key}");
        }
    }
}
