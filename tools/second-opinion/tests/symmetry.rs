//! Orbits counted the slow way, on models of a fixed range of seeds and on our own.

#![cfg(test)]

use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_runtime::host::cli;
use mcc_runtime::model::Model;
use mcc_second_opinion::compiled::Workshop;
use mcc_second_opinion::generate::{Dialect, draw};
use mcc_second_opinion::layout::indented;
use mcc_second_opinion::orbits::{self, Whose};
use mcc_second_opinion::symmetry::{SymmetryHarness, Tally};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[test]
fn reduced_searches_find_what_full_ones_do() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symmetry");
    let workshop = Workshop::new(&folder, 0).expect("the target directory is writable");
    let mut harness = SymmetryHarness { workshop, tally: Tally::default() };
    let drawn = (1..=50).map(|seed| draw(seed, Dialect::Symmetric)).collect();
    let found = harness.batch(drawn, true).expect("the models build");
    for one in &found {
        eprintln!("seed {}: {}\n{}", one.drawn.seed, one.details, indented(&one.drawn.tree.text()));
    }
    assert!(found.is_empty(), "{} disagreements", found.len());
    let tally = &harness.tally;
    assert!(tally.compared >= 30 && tally.counted >= 20, "most models are accepted: {tally:?}");
    assert!(tally.reduced >= 10 && tally.replayed >= 20, "there is something to reduce: {tally:?}");
}

/// The figures beside our own models, where all permutations of all states can be tried.
#[test]
fn the_orbits_of_our_own_models() {
    let mut counted = 0;
    for path in models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")) {
        let figures = std::fs::read_to_string(path.with_extension("toml")).expect("it has an expectation");
        let figure = |key: &str| {
            let line =
                figures.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
            line.and_then(|number| number.trim().parse::<u64>().ok())
        };
        let (Some(states), Some(expected), Some(rules)) =
            (figure("states"), figure("orbits"), figure("orbit_rules"))
        else {
            continue;
        };
        if states > 4000 {
            continue;
        }
        let source = Source::new("model.m", std::fs::read_to_string(&path).expect("it can be read"));
        let model = mcc_murphi::check(&source).0.expect("our models are right");
        let interpreter = Interpreter::new(model, &source);
        let description = interpreter.description();
        if orbits::number_of_renamings(description) > 1000 {
            continue;
        }
        let options = cli::parse(["model", "--symmetry=off", "--quiet"].map(OsString::from));
        let context =
            options.unwrap_or_else(|_| panic!("the options are right")).settings().context(description);
        let space = orbits::explore(&interpreter, &context, 4000).expect("nothing goes wrong");
        assert_eq!(space.states.len() as u64, states, "{}", path.display());
        let found = space
            .orbits(description, Whose::Proved)
            .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        assert_eq!((found.count, found.rules), (expected, rules), "{}", path.display());
        counted += 1;
    }
    assert!(counted >= 5, "only {counted} models were counted");
}

/// What is not symmetric shows: the slow way is no rubber stamp.
#[test]
fn elements_that_are_not_alike_are_noticed() {
    let text = "type p: scalarset(3); var x: p; startstate begin undefine x; end;
        rule begin for i: p do x := i; end; end;";
    let source = Source::new("model.m", text);
    let model = mcc_murphi::check(&source).0.expect("it is only a warning");
    let interpreter = Interpreter::new(model, &source);
    let options = cli::parse(["model", "--symmetry=off"].map(OsString::from));
    let settings = options.unwrap_or_else(|_| panic!("the options are right")).settings();
    let context = settings.context(interpreter.description());
    let space = orbits::explore(&interpreter, &context, 100).expect("nothing goes wrong");
    assert!(space.orbits(interpreter.description(), Whose::All).is_err_and(|why| why.contains("not as")));
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(models(&path));
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
    found.sort();
    found
}
