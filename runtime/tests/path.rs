//! Depth-first search along one path: sleep sets, and a cache of the states beside the path.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use mcc_runtime::context::Context;
use mcc_runtime::independence::Independence;
use mcc_runtime::model::{Description, Firing, Model, StartId, Violation};
use mcc_runtime::successors::Successors;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::wheels::{INDEPENDENT, Wheels};
use models::{report, run, run_with};

/// Wheels that turn by themselves: each state can be reached by one run without circles, apart from
/// the order of its steps. So no state is found twice but those that a wheel comes back to, which
/// are on the path, and no other needs to be kept.
#[test]
fn where_all_is_independent_no_order_is_tried_twice() {
    for way in ["--sleep", "--sleep -b", "--sleep --cache-states 1"] {
        let found = report(&Wheels::Right, &format!("-vdfs {way}"));
        assert_eq!((&found["verdict"], &found["states"]), (&"verified".into(), &65_536.into()), "{way}");
        // Of the states that were reached by turning a wheel to its end, each goes back once.
        let back = 65_535 / 3;
        assert_eq!(
            (&found["rules"], &found["path"]["matched"]),
            (&(65_535 + back).into(), &back.into()),
            "{way}"
        );
        assert_eq!(found["path"]["sleep"]["left_out"], 8 * 65_536 - 65_535 - back, "{way}");
        assert_eq!(found["path"]["longest_path"], 25, "{way}");
        if way.contains("cache") {
            assert_eq!(found["path"]["cache"]["most_kept_beside_path"], 1);
            assert_eq!(found["path"]["cache"]["most_kept"], 25);
        }
    }
    // The paper's way lets no rule sleep that leads to a state on the path, which is long then.
    let found = report(&Wheels::Right, "-vdfs --sleep=path");
    assert_eq!((&found["verdict"], &found["states"]), (&"verified".into(), &65_536.into()));
    assert!(
        found["rules"].as_u64() <= Some(8 * 65_536) && found["path"]["longest_path"].as_u64() > Some(1_000)
    );
}

#[test]
fn errors_are_found_with_their_traces() {
    for way in ["--sleep", "--sleep=path", "--cache-states 65536"] {
        for (model, kind) in
            [(Wheels::Broken, "invariant"), (Wheels::Stuck, "deadlock"), (Wheels::Faulty, "assertion")]
        {
            let ran = run(&model, &format!("-vdfs {way} --json -"));
            assert_eq!(ran.exit, Exit::Violated, "{model:?} {way}");
            let errors = &ran.json()["errors"];
            assert_eq!(errors[0]["kind"], kind, "{model:?} {way}");
            assert!(errors[0]["trace"].as_array().is_some_and(|trace| trace.len() > 5), "{model:?} {way}");
        }
    }
}

/// Behind a state that breaks a property there is more to find with sleep sets, and nothing less.
#[test]
fn all_errors_are_found() {
    let count = |report: &serde_json::Value| report["errors"].as_array().map_or(0, Vec::len);
    let plain = report(&Wheels::SixBroken, "-vdfs --max-errors 0");
    assert!(count(&plain) > 0);
    for way in ["--sleep", "--sleep=path", "--sleep --cache-states 3", "--cache-states 4096"] {
        let found = report(&Wheels::SixBroken, &format!("-vdfs --max-errors 0 {way}"));
        if way.contains("sleep") {
            assert!(count(&found) >= count(&plain), "{way}")
        } else {
            assert_eq!(count(&found), count(&plain), "{way}")
        }
    }
}

#[test]
fn a_cache_finds_all_states_whatever_is_forgotten() {
    let polite = Philosophers { polite: true };
    let all = report(&polite, "-vdfs -ndl --watch distinct");
    for replace in ["random", "type", "oldest", "small"] {
        let states = all["states"].as_u64().unwrap();
        for size in [states * 3 / 4, states * 9 / 10, states] {
            let line = format!("-vdfs -ndl --cache-states {size} --replace {replace} --watch distinct");
            let found = report(&polite, &line);
            assert_eq!(found["verdict"], "verified", "{line}");
            assert_eq!(found["watched"]["distinct"], all["states"], "{line}");
            let cache = &found["path"]["cache"];
            assert!(cache["most_kept_beside_path"].as_u64() <= Some(size), "{line}");
            assert!(cache["forgotten"] != 0 || found["states"] == all["states"], "{line}");
        }
    }
    let bytes = report(&polite, "-vdfs -ndl --cache 4K --max-states 1000");
    let cache = &bytes["path"]["cache"];
    let each = cache["bytes_per_state"].as_u64().unwrap();
    assert_eq!(cache["states_beside_path"].as_u64(), Some(4096 / each));
}

#[test]
fn what_is_cut_off_is_inconclusive() {
    for way in ["--sleep", "--sleep=path", "--cache-states 100", "--sleep --cache-states 100"] {
        let few = run(&Wheels::Right, &format!("-vdfs {way} --max-states 3000 --json -"));
        assert_eq!((few.exit, &few.json()["states"]), (Exit::Inconclusive, &3000.into()), "{way}");
        let shallow = run(&Wheels::Right, &format!("-vdfs {way} --max-depth 6 --json -"));
        assert_eq!((shallow.exit, &shallow.json()["depth"]), (Exit::Inconclusive, &6.into()), "{way}");
        let stopped = run_with(&Wheels::Right, &format!("-vdfs {way}"), &Interruption::at_once());
        assert_eq!(stopped.exit, Exit::Inconclusive, "{way}");
        let little = run(&Wheels::Right, &format!("-vdfs {way} --memory 20K"));
        assert_eq!(little.exit, Exit::Inconclusive, "{way}");
        assert!(little.out.contains("out of memory"), "{way}: {}", little.out);
    }
    // A bound that nothing reaches bounds nothing.
    assert_eq!(run(&Wheels::Right, "-vdfs --sleep --max-depth 24").exit, Exit::Verified);
}

/// On disk it is the same search.
#[test]
fn the_path_may_go_to_disk() {
    for way in ["--sleep", "--sleep=path", "--cache-states 60000"] {
        let memory = report(&Wheels::Right, &format!("-vdfs {way}"));
        let disk = report(&Wheels::Right, &format!("-vdfs {way} --queue disk --queue-memory 8K"));
        for key in ["verdict", "states", "rules", "depth", "path"] {
            assert_eq!(memory[key], disk[key], "{way} {key}");
        }
    }
}

#[test]
fn what_is_wrong_is_told() {
    let ladder = Ladder(Flavour::Plain);
    let cases: [(&dyn Model, &str, &str); 8] = [
        (
            &Wheels::Right,
            "--sleep=path",
            "--sleep: breadth first (-vbfs), there is only one algorithm for sleep sets",
        ),
        (&Wheels::Right, "--sleep -vdfs -c", "hash compaction (-c) may take a state for another"),
        (&Wheels::Right, "--sleep=often -vdfs", "revisit"),
        (&Wheels::Right, "--sleep -s", "--simulate"),
        (&ladder, "--sleep -vdfs", "has no table of independent rules"),
        (&Wheels::Right, "--cache 1M -vdfs -c", "a cache stores whole states"),
        (&Wheels::Right, "--cache 1M -vdfs --max-collisions 0.5", "a depth-first search (-vdfs) always ends"),
        (&Wheels::Right, "--cache 1M -vdfs --replace direct", "--replace random"),
    ];
    for (model, line, expected) in cases {
        let ran = run(model, &format!("{line} -j1"));
        assert_eq!(ran.exit, Exit::Wrong, "{line}");
        assert!(ran.err.contains(expected), "{line}: {}", ran.err);
    }
}

/// Wheels that can get stuck, and a wrong word about them.
struct Liar;

impl Model for Liar {
    fn description(&self) -> &'static Description {
        Wheels::Stuck.description()
    }

    fn independence(&self) -> Option<&'static Independence> {
        Some(&INDEPENDENT)
    }

    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing {
        Wheels::Stuck.start(context, start, state)
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        Wheels::Stuck.expand(context, state, successors);
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        Wheels::Stuck.check(context, state)
    }
}

/// A relation that is not true is noticed where a rule sleeps that is not enabled.
#[test]
fn a_wrong_relation_is_noticed() {
    let ran = run(&Liar, "-vdfs -ndl --sleep");
    assert_eq!(ran.exit, Exit::Inconclusive, "{}", ran.out);
    assert!(ran.out.contains("it is not independent"), "{}", ran.out);
}

/// With sleep sets a search goes on behind a state that breaks a property, and says so.
#[test]
fn what_was_explored_is_told() {
    let behind = "what lies behind a state that breaks a property was not explored";
    let whole = "found in the whole state space";
    for (line, said) in [("-vdfs --sleep", whole), ("-vdfs", behind), ("-vbfs -j1 --sleep", behind)] {
        let reason = report(&Wheels::Broken, &format!("{line} --max-errors 0"))["reason"].clone();
        assert!(reason.as_str().unwrap().contains(said), "{line}: {reason}");
    }
}
