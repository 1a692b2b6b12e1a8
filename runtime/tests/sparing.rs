//! Invariants that a rule cannot break are not evaluated after it. That is right as long as no
//! state that breaks one was expanded, in whatever search.

#![cfg(test)]

mod models;

use mcc_runtime::context::Context;
use mcc_runtime::independence::Independence;
use mcc_runtime::model::{Description, Firing, Model, RuleId, StartId, Violation};
use mcc_runtime::successors::Successors;
use models::report;
use models::wheels::Wheels;
use serde_json::Value;
use std::sync::atomic::{AtomicU64, Ordering};

/// The wheels, with an invariant that is overlooked after rules that turn none of the first five,
/// on which it depends.
struct Sparing {
    wheels: Wheels,
    spared: AtomicU64,
}

impl Model for Sparing {
    fn description(&self) -> &'static Description {
        self.wheels.description()
    }

    fn independence(&self) -> Option<&'static Independence> {
        self.wheels.independence()
    }

    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing {
        self.wheels.start(context, start, state)
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.wheels.expand(context, state, successors);
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        self.wheels.check(context, state)
    }

    fn check_after(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Result<(), Violation> {
        let checked = self.wheels.check(context, state);
        match rule.0 {
            0..5 => checked,
            _ => {
                self.spared.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}

/// What must not depend on it.
fn figures(report: &Value) -> ([Value; 5], usize) {
    let errors = report["errors"].as_array().map_or(0, Vec::len);
    (["verdict", "states", "rules", "depth", "covers"].map(|field| report[field].clone()), errors)
}

#[test]
fn nothing_is_overlooked_in_any_search() {
    let disk = std::env::temp_dir().join(format!("mcc-sparing-{}", std::process::id()));
    std::fs::create_dir_all(&disk).expect("there is room");
    let on_disk = format!("--disk {} -j1", disk.display());
    let ways = [
        ("-j1", true),
        ("-b -j1", true),
        ("-c -j1 --seed 1", true),
        ("-vdfs -j1", true),
        ("-j2 --threads-from 10", true),
        ("-b -j3 --threads-from 10", true),
        ("--cache-states 5000 -j1 --max-states 20000", true),
        ("-vdfs --cache-states 5000 -j1 --max-states 20000", true),
        ("--compress-paths -j1", true),
        ("--sleep -j1", true),
        // There, states that are wrong are expanded, and from the first of them on all is checked
        // in full. It comes before the sixth wheel turns.
        ("-vdfs --sleep -j1", false),
        ("-vdfs --sleep=path -j1", false),
        ("-vdfs --sleep --cache-states 5000 -j1 --max-states 20000", false),
        (on_disk.as_str(), false),
    ];
    for (way, spares) in ways {
        let line = format!("{way} --max-errors 0 -ndl");
        let sparing = Sparing { wheels: Wheels::SixBroken, spared: AtomicU64::new(0) };
        let (plain, spared) = (report(&Wheels::SixBroken, &line), report(&sparing, &line));
        assert_eq!(plain["verdict"], "violated", "{line}: {plain}");
        assert_eq!(figures(&spared), figures(&plain), "{line}");
        assert_eq!(sparing.spared.load(Ordering::Relaxed) > 0, spares, "{line}");
    }
    std::fs::remove_dir_all(&disk).expect("it was ours");
}

#[test]
fn depth_first_with_sleep_sets_it_is_spared_while_all_is_right() {
    for way in
        ["-vdfs --sleep", "-vdfs --sleep -b", "-vdfs --sleep=path", "-vdfs --sleep --cache-states 5000"]
    {
        let sparing = Sparing { wheels: Wheels::Six, spared: AtomicU64::new(0) };
        let (plain, spared) = (report(&Wheels::Six, way), report(&sparing, way));
        assert_eq!(plain["verdict"], "verified", "{way}: {plain}");
        assert_eq!(figures(&spared), figures(&plain), "{way}");
        assert!(sparing.spared.load(Ordering::Relaxed) > 0, "{way}");
    }
}
