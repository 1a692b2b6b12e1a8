//! `--locality`: the profile of small models worked out by hand, of larger ones in the plainest way
//! there is.

#![cfg(test)]

mod models;

use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use mcc_runtime::context::Context;
use mcc_runtime::model::{Description, Firing, Model, RuleId, StartId, Violation};
use mcc_runtime::successors::Successors;
use models::ladder::{Flavour, Ladder};
use models::philosophers::Philosophers;
use models::wheels::Wheels;
use models::{Ran, report, run, run_with};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU32, Ordering};

const PLAIN: Ladder = Ladder(Flavour::Plain);

fn profile(model: &dyn Model, line: &str) -> Value {
    let report = report(model, &format!("--locality {line}"));
    assert_eq!(report["locality"]["missing"], Value::Null, "{line}");
    report["locality"]["profile"].clone()
}

fn close(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-12
}

/// Rung 0 is in level 0, rungs 1 and 2 in level 1, 3 and 4 in level 2, 5 and 6 in level 3, and 7 in
/// level 4. From 1, 3 and 5 one of two rules leads to a rung of the same level; from 7 there is one
/// way, back to 0.
#[test]
fn a_ladder_is_as_worked_out_by_hand() {
    let profile = profile(&PLAIN, "");
    assert_eq!((&profile["states"], &profile["transitions"]), (&json!(8), &json!(14)));
    assert_eq!(profile["states_without_transitions"], 0);
    assert_eq!(profile["local"], 0.875);
    let rows = [
        (1, 0.6875, 0.12109375f64, 10),
        (0, 0.1875, 0.05859375, 3),
        (-1, 0.0, 0.0, 0),
        (-4, 0.125, 0.109375, 1),
    ];
    let told = profile["by_difference"].as_array().unwrap();
    assert_eq!(told.len(), rows.len());
    for (told, (k, mean, variance, transitions)) in told.iter().zip(rows) {
        assert_eq!(
            (&told["k"], &told["mean"], &told["transitions"]),
            (&json!(k), &json!(mean), &json!(transitions))
        );
        assert!(close(&told["deviation"], variance.sqrt()), "{told}");
    }
}

#[test]
fn a_state_without_transitions_has_fractions_of_zero() {
    let profile = profile(&Ladder(Flavour::NoJump), "-ndl");
    assert_eq!(profile["states_without_transitions"], 1);
    assert_eq!(profile["local"], 0.875);
    assert_eq!(profile["by_difference"][0]["mean"], 0.6875);
}

/// With several start states, all are in level 0; what an assumption excludes is no transition.
#[test]
fn starts_and_assumptions_count() {
    let many = profile(&Ladder(Flavour::ManyStarts), "");
    // Rungs 0 and 6 are in level 0, 1, 2 and 7 in level 1: from 7 back to 0 is one level.
    assert_eq!(many["by_difference"][2]["transitions"], 1);
    assert_eq!(profile(&Ladder(Flavour::Excluded), "-ndl")["transitions"], 5);
}

/// The mean and the variance for each difference, over all states, by the definition.
fn plain_profile(model: &dyn Model) -> BTreeMap<i64, (f64, f64)> {
    let description = model.description();
    let context = Context::new(description.counters());
    let mut levels: HashMap<Vec<u64>, i64> = HashMap::new();
    let mut order: Vec<Vec<u64>> = Vec::new();
    for start in 0..description.start_instances() {
        let mut state = vec![0; description.words];
        model.start(&context, StartId(start), &mut state);
        if levels.insert(state.clone(), 0).is_none() {
            order.push(state);
        }
    }
    let mut fractions: Vec<BTreeMap<i64, f64>> = Vec::new();
    let mut at = 0;
    while let Some(state) = order.get(at).cloned() {
        let level = levels[&state];
        let mut successors = Successors::new(description.words);
        model.expand(&context, &mut state.clone(), &mut successors);
        let mut fraction = BTreeMap::new();
        for number in 0..successors.len() {
            let next = successors.state(number).to_vec();
            let target = *levels.entry(next.clone()).or_insert_with(|| {
                order.push(next);
                level + 1
            });
            *fraction.entry(target - level).or_default() += 1.0 / successors.len() as f64;
        }
        fractions.push(fraction);
        at += 1;
    }
    let states = fractions.len() as f64;
    let differences: Vec<i64> = fractions.iter().flat_map(|fraction| fraction.keys().copied()).collect();
    let of = |difference: i64| {
        let all = || fractions.iter().map(move |fraction| fraction.get(&difference).copied().unwrap_or(0.0));
        let mean = all().sum::<f64>() / states;
        (difference, (mean, all().map(|fraction| (fraction - mean).powi(2)).sum::<f64>() / states))
    };
    differences.into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().map(of).collect()
}

/// To the last digit, whoever counts in whatever order.
#[test]
fn every_search_gives_the_same_profile() {
    let models: [&dyn Model; 3] = [&PLAIN, &Philosophers { polite: true }, &Wheels::Right];
    for model in models {
        let expected = profile(model, "-ndl -j1");
        let plain = plain_profile(model);
        for row in expected["by_difference"].as_array().unwrap() {
            let k = row["k"].as_i64().unwrap();
            let (mean, variance) = plain.get(&k).copied().unwrap_or_default();
            assert!(close(&row["mean"], mean) && close(&row["deviation"], variance.sqrt()), "{row}");
        }
        for line in
            ["-j1 -b", "-j2", "-j5 -b", "-j5 --threads-from 1", "-vdfs", "-vdfs -b", "-vdfs --threads-from 7"]
        {
            assert_eq!(profile(model, &format!("-ndl {line}")), expected, "{line}");
        }
    }
}

#[test]
fn the_text_tells_the_profile() {
    let Ran { exit, out, .. } = ran("--locality");
    assert_eq!(exit, Exit::Verified);
    assert!(out.contains("locality: 0.875000 of a state's transitions"), "{out}");
    assert!(out.contains("\t      -4  0.125000   0.330719             1\n"), "{out}");
    let stuck = run(&Ladder(Flavour::NoJump), "-ndl --locality").out;
    assert!(stuck.contains("1 state without transitions"), "{stuck}");
}

fn ran(line: &str) -> Ran {
    run(&PLAIN, line)
}

/// Without all states there is no profile, and the report says why.
#[test]
fn an_incomplete_search_has_none() {
    let cases: [(&Ladder, &str, Exit, &str); 4] = [
        (&Ladder(Flavour::Invariant), "", Exit::Violated, "did not come to its end"),
        (&Ladder(Flavour::Invariant), "--max-errors 0", Exit::Violated, "break a property"),
        (&PLAIN, "--max-depth 2", Exit::Inconclusive, "did not come to its end"),
        (&PLAIN, "--max-states 3", Exit::Inconclusive, "did not come to its end"),
    ];
    for (model, line, exit, reason) in cases {
        let ran = run(model, &format!("--locality {line}"));
        assert_eq!(ran.exit, exit, "{line}");
        assert!(ran.out.contains("warning: no profile of locality: "), "{}", ran.out);
        let report = report(model, &format!("--locality {line}"));
        assert_eq!(report["locality"]["profile"], Value::Null);
        assert!(report["locality"]["missing"].as_str().unwrap().contains(reason), "{report}");
    }
    assert_eq!(report(&PLAIN, "")["locality"], Value::Null);
}

/// The levels of the states need memory too: the verdict stands without them.
#[test]
fn memory_may_be_short_for_it() {
    // With so little memory tables begin small, as they do below.
    let needed = report(&Wheels::Right, "-j1 --memory 64M")["memory_bytes"].as_u64().unwrap() / 1024;
    let told = report(&Wheels::Right, &format!("-j1 --locality --memory {}K", needed + 1));
    assert_eq!(told["verdict"], "verified");
    assert!(told["locality"]["missing"].as_str().unwrap().contains("524288 bytes"), "{}", told["locality"]);
    assert!(told["memory_bytes"].as_u64().unwrap() <= (needed + 1) * 1024);
    let enough = report(&Wheels::Right, &format!("-j1 --locality --memory {}K", needed + 600));
    assert_eq!(enough["locality"]["missing"], Value::Null);
}

/// Interrupts when the search is over: the model is asked for its start states a second time.
struct Interrupting<'a>(Wheels, &'a Interruption, AtomicU32);

impl Model for Interrupting<'_> {
    fn description(&self) -> &'static Description {
        self.0.description()
    }
    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing {
        if start.0 == 0 && self.2.fetch_add(1, Ordering::Relaxed) == 1 {
            self.1.request();
        }
        self.0.start(context, start, state)
    }
    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.0.expand(context, state, successors);
    }
    fn fire(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        self.0.fire(context, rule, state)
    }
    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        self.0.check(context, state)
    }
}

#[test]
fn an_interruption_ends_the_measuring_alone() {
    let interruption = Interruption::none();
    let model = Interrupting(Wheels::Right, &interruption, 0.into());
    let ran = run_with(&model, "-j3 --locality --json -", &interruption);
    assert_eq!(ran.exit, Exit::Verified);
    assert_eq!(ran.json()["locality"]["missing"], "it was interrupted");
}

#[test]
fn what_keeps_no_states_is_refused_by_name() {
    for (line, name) in
        [("-c", "(-c)"), ("-s", "(-s)"), ("--cache 1M", "(--cache)"), ("--cache-states 99", "(--cache)")]
    {
        let ran = ran(&format!("--locality {line}"));
        assert_eq!(ran.exit, Exit::Wrong);
        assert!(
            ran.err.contains("--locality") && ran.err.contains(name) && ran.err.contains("try:"),
            "{}",
            ran.err
        );
    }
    assert_eq!(ran("--locality-svg -").exit, Exit::Wrong);
    assert_eq!(ran("--locality --locality-svg /no/such/directory/x.svg").exit, Exit::Wrong);
}

#[test]
fn the_histogram_is_drawn_where_there_is_a_profile() {
    let drawn = ran("--quiet --locality --locality-svg -").out;
    assert!(drawn.contains("<svg") && drawn.contains("ladder.m: how far transitions lead"), "{drawn}");
    assert!(drawn.contains("0.875000") && drawn.ends_with("</svg>\n"), "{drawn}");
    assert!(!ran("--quiet --locality --max-depth 1 --locality-svg -").out.contains("<svg"));
}
