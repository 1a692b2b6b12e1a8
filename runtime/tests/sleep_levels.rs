//! Sleep sets, level by level: fewer rules fire, and everything is found where it is found without.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use models::detour::Detour;
use models::ladder::{Flavour, Ladder};
use models::wheels::Wheels;
use models::{report, run};

const WAYS: [&str; 7] = [
    "-j1",
    "-b -j1",
    "-j2 --threads-from 1",
    "-j3 --threads-from 100 -b",
    "-c --seed 1 -j1",
    "-c -j2 --threads-from 50 --seed 1",
    "--cache-states 1000000 -j2 --threads-from 50",
];

#[test]
fn all_states_are_found_in_their_levels() {
    for wheels in [Wheels::Six, Wheels::Right] {
        let plain = report(&wheels, "-j1 --watch last");
        for way in WAYS {
            let found = report(&wheels, &format!("{way} --sleep"));
            assert_eq!(found["verdict"], "verified", "{way}");
            assert_eq!((&found["states"], &found["depth"]), (&plain["states"], &plain["depth"]), "{way}");
            let number = |key: &str| found[key].as_u64().unwrap();
            assert_eq!(number("rules") + number("rules_left_out"), plain["rules"].as_u64().unwrap(), "{way}");
            // Each state has one successor for each wheel, and few are fired that lead to what is
            // known.
            assert!(number("rules") * 2 < number("states") * 3, "{way}: {}", found["rules"]);
        }
    }
    assert!(report(&Wheels::Six, "")["rules_left_out"].is_null());
}

/// Counts are the same for every number of threads, of whatever size the levels are for which they
/// come together.
#[test]
fn counts_do_not_depend_on_threads() {
    let counts = |way: &str| {
        let found = report(&Wheels::Right, &format!("{way} --sleep"));
        ["states", "rules", "rules_left_out", "depth"].map(|key| found[key].as_u64().unwrap())
    };
    let alone = counts("-j1");
    for way in [
        "-j2 --threads-from 1",
        "-j2 --threads-from 3000",
        "-j5 --threads-from 10",
        "-j3 -c --threads-from 700",
    ] {
        assert_eq!(counts(way), alone, "{way}");
    }
}

/// A state that breaks a property is not expanded. What sleeps because of one would be lost.
#[test]
fn all_errors_are_found() {
    for wheels in [Wheels::SixBroken, Wheels::Broken] {
        for way in WAYS {
            let told = |line: &str| {
                let found = report(&wheels, line);
                let errors = found["errors"].as_array().unwrap();
                let mut lengths: Vec<usize> =
                    errors.iter().map(|error| error["trace"].as_array().unwrap().len()).collect();
                lengths.sort_unstable();
                (lengths, found["states"].clone(), found["verdict"].clone())
            };
            for most in ["--max-errors 0", "--max-errors 1"] {
                let (plain, sleeping) =
                    (told(&format!("-j1 {most}")), told(&format!("{way} {most} --sleep")));
                assert_eq!(plain.0, sleeping.0, "{way} {most}");
                assert_eq!(plain.2, sleeping.2, "{way} {most}");
                if most == "--max-errors 0" {
                    assert_eq!(plain.1, sleeping.1, "{way}");
                }
            }
        }
    }
}

/// A violating state is found by one thread, before the others exist, and is met again when all of
/// them work. What happens after the level in which it is found happens without sleep sets, in
/// every thread.
#[test]
fn threads_that_come_later_are_awake_too() {
    for behind in [false, true] {
        let counts = |line: &str| {
            let found = report(&Detour { behind }, &format!("{line} -ndl --max-errors 0"));
            let mut errors: Vec<(String, usize)> = found["errors"]
                .as_array()
                .unwrap()
                .iter()
                .map(|error| (error["message"].to_string(), error["trace"].as_array().unwrap().len()))
                .collect();
            errors.sort();
            (found["states"].as_u64().unwrap(), found["rules"].as_u64().unwrap(), errors)
        };
        let plain = counts("-j1");
        assert_eq!((plain.0, plain.2.len()), (7 + 4 * 32, if behind { 64 } else { 32 }));
        for kind in ["", "-b", "-c --seed 1", "--cache-states 100000"] {
            let alone = counts(&format!("{kind} --sleep -j1"));
            assert_eq!((alone.0, &alone.2), (plain.0, &plain.2), "{kind}");
            for threads in 2..=4 {
                for from in [1, 8, 30, 1000] {
                    let line = format!("{kind} --sleep -j{threads} --threads-from {from}");
                    assert_eq!(counts(&line), alone, "{line}");
                }
            }
        }
    }
}

#[test]
fn what_cannot_sleep_is_refused_by_name() {
    for (ran, why) in [
        (run(&Ladder(Flavour::Plain), "--sleep"), "has no table of independent rules"),
        (run(&Wheels::Six, "--sleep --compress-paths"), "--compress-paths"),
        (run(&Wheels::Six, "--sleep -s"), "--simulate"),
    ] {
        assert_eq!(ran.exit, Exit::Wrong, "{why}");
        assert!(ran.err.contains("--sleep") && ran.err.contains(why), "{}", ran.err);
    }
    let ran = run(&Wheels::Six, "--sleep");
    assert!(ran.out.contains("enabled rules left out"), "{}", ran.out);
}

/// Sets are kept in the memory that the search may use.
#[test]
fn memory_for_sets_is_counted() {
    let ran = run(&Wheels::Right, "--sleep -j1 -k1200");
    assert_eq!(ran.exit, Exit::Inconclusive, "{}", ran.out);
    assert!(ran.out.contains("out of memory"), "{}", ran.out);
}
