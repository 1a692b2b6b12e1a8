//! The command line, simulation, progress, and reports in files.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::{report, run};
use std::path::PathBuf;

#[test]
fn wrong_command_lines_end_with_two_and_a_hint() {
    let ladder = Ladder(Flavour::Plain);
    for (line, hint) in [
        ("--max-error 3", "--max-errors"),
        ("-cache", "a cache is asked for with its size"),
        ("-c -b4", "from 8 to 64"),
        ("-x", "-x"),
        ("--memory 12", "unit"),
        ("--trace some", "diff"),
        ("-s -vdfs", "--simulate"),
        ("--threads 0", "from 1 to 256"),
        ("--threads two", "from 1 to 256"),
        ("-j 257", "from 1 to 256"),
        ("--threads 2 -vdfs", "-vbfs"),
        ("-j2 -s", "a random walk (-s) uses one thread"),
        ("--directory /nowhere/at/all", "not a directory"),
        ("--json /nowhere/at/all.json", "cannot write"),
        ("--json /", "directory"),
        ("more", "more"),
        ("-m", "number"),
    ] {
        let ran = run(&ladder, line);
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(hint), "{line}: {}", ran.err);
        assert!(ran.out.is_empty());
    }
}

#[test]
fn help_version_and_licence() {
    let ladder = Ladder(Flavour::Plain);
    let help = run(&ladder, "-h");
    assert_eq!(help.exit, Exit::Answered);
    for part in ["Exit codes:", "As in CMurphi:", "--max-depth", "-loop5000", "Limits:"] {
        assert!(help.out.contains(part), "{part}");
    }
    assert!(run(&ladder, "--version").out.contains("ladder.m"));
    assert!(run(&ladder, "-l").out.contains("licen"));
}

#[test]
fn quiet_prints_the_verdict_alone() {
    assert_eq!(
        run(&Ladder(Flavour::Plain), "--quiet -ta -pr -pn -pn").out,
        "verified: no error found in the whole state space\n"
    );
    assert_eq!(
        run(&Ladder(Flavour::Invariant), "--quiet").out,
        "violated: 1 error found; the search stopped there\n"
    );
}

#[test]
fn rule_statistics_warn_of_idle_rules() {
    let text = run(&Ladder(Flavour::NoJump), "-pr -ndl").out;
    assert!(text.contains("13  \"up\" (line 2)\n"), "{text}");
    assert!(text.contains("0  \"jump\" (line 2)  (never"), "{text}");
    assert!(text.contains("warning: 1 rule never fired: \"jump\" (line 2)\n"), "{text}");
}

#[test]
fn progress_lines_look_like_murphi() {
    let text = run(&Philosophers { polite: true }, "-p2").out;
    let line = text.lines().find(|line| line.contains("states explored in")).unwrap();
    assert!(line.starts_with("\t ") && line.ends_with(" states in the queue."), "{line}");
    assert!(!run(&Philosophers { polite: true }, "-pn").out.contains("explored"));
    // Never on standard output when the report goes there.
    let ran = run(&Philosophers { polite: true }, "-p2 --json -");
    assert!(ran.err.contains("states explored in"));
    ran.json();
}

#[test]
fn full_traces_and_all_states() {
    let rude = Philosophers { polite: false };
    let full = run(&rude, "-tf").out;
    assert_eq!(full.matches("   forks[Philosopher_3]: ").count(), 5, "{full}");
    let all = run(&Ladder(Flavour::Plain), "-ta").out;
    assert!(all.contains("State 0, a start state:\nrung:0\n"), "{all}");
    assert_eq!(all.matches("\nState ").count(), 8, "{all}");
    let bag = run(&Philosophers { polite: true }, "-ta").out;
    assert!(bag.contains("served{2}:Philosopher_1\n"));
    assert!(bag.contains("seats[Philosopher_1].hunger:300\n"));
    assert!(bag.contains("forks[Philosopher_1]:Undefined\n"));
}

#[test]
fn simulation_repeats_with_its_seed_and_proves_nothing() {
    let polite = Philosophers { polite: true };
    let ran = run(&polite, "-s --seed 7 --steps 500 -p");
    assert_eq!(ran.exit, Exit::Inconclusive);
    assert!(ran.out.contains("proves nothing"));
    let is_step =
        |line: &&str| line.split_once(". ").is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    assert_eq!(ran.out.lines().filter(is_step).count(), 500);
    let again = run(&polite, "-s --seed 7 --steps 500 -p");
    let steps = |text: &str| text.lines().filter(is_step).map(String::from).collect::<Vec<_>>();
    assert_eq!(steps(&ran.out), steps(&again.out));
    let found = report(&Philosophers { polite: false }, "-s --seed 1");
    assert_eq!((&found["verdict"], &found["errors"][0]["kind"]), (&"violated".into(), &"deadlock".into()));
    assert_eq!(found["options"]["seed"], 1);
    let halted = run(&Ladder(Flavour::NoJump), "-s -ndl");
    assert_eq!(halted.exit, Exit::Inconclusive);
    assert_eq!(run(&Ladder(Flavour::NoStart), "-s").exit, Exit::Wrong);
    assert_eq!(run(&Ladder(Flavour::StartFault), "-s").exit, Exit::Violated);
    assert!(run(&polite, "-s --steps 3").out.contains("--seed "));
}

fn scratch(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("mcc-runtime-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

#[test]
fn the_report_replaces_a_file_whole() {
    let directory = scratch("report");
    let path = directory.join("report.json");
    std::fs::write(&path, "old").unwrap();
    let ran = run(&Ladder(Flavour::Invariant), &format!("--json {}", path.display()));
    assert_eq!(ran.exit, Exit::Violated);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
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
        "bits_per_state",
        "layout",
        "search",
        "rule_figures",
        "property_figures",
        "errors",
    ] {
        assert!(!report[key].is_null(), "{key}");
    }
    assert_eq!(report["schema"], "mcc-report/1");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "nothing is left behind");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_cannot_be_written_is_told() {
    let ran = run(&Ladder(Flavour::Plain), "--json /dev/full");
    assert_eq!(ran.exit, Exit::Inconclusive);
    assert!(ran.err.contains("could not be written to /dev/full"), "{}", ran.err);
}
