//! Which rules are independent: the snapshots show a small model and what `mcc --independence` says
//! about it. Whatever it says is tested on the states of these models, of ours, and of those that
//! probe what a construct means.

#![cfg(test)]

mod support;

use insta::{Settings, glob};
use mcc_murphi::analysis::Demand;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_murphi::walk::Walker;
use mcc_murphi::walk::independence::{Difference, Instances, Refutation, Tested, test};
use mcc_runtime::host::cli;
use mcc_runtime::independence::Rows;
use mcc_runtime::model::{Description, Model as _, RuleId};
use std::path::{Path, PathBuf};
use support::{mcc, root};

/// Enough to reach what the models do: the interpreter is not fast.
const STATES: u64 = 5_000;

#[test]
fn constructs() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("snapshots/independence");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        glob!("independence/*.m", |path| {
            let output = mcc()
                .args(["--quiet", "--independence"])
                .arg(path.strip_prefix(root()).expect("it is below"))
                .current_dir(root())
                .output()
                .expect("mcc runs");
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(
                output.status.success(),
                "{}: {}",
                path.display(),
                String::from_utf8_lossy(&output.stderr)
            );
            let model = std::fs::read_to_string(path).expect("the model can be read");
            insta::assert_snapshot!(format!("{}\n\n{:─<80}\n{}", model.trim_end(), "", said.trim_end()));
        });
    });
}

#[test]
fn as_json() {
    let path = root().join("tests/independence/parameters.m");
    let output = mcc().args(["--independence", "--json", "-"]).arg(path).output().expect("mcc runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let pair = &report["pairs"][1];
    assert_eq!((&pair["left"], &pair["right"]), (&0.into(), &1.into()));
    assert_eq!((&pair["independent"], &pair["when"]), (&"when".into(), &"i ≠ i'".into()));
    let cause = &pair["causes"][0];
    assert_eq!((&cause["left"]["path"], &cause["right"]["path"]), (&"a[i]".into(), &"a[i']".into()));
    assert_eq!((&cause["left"]["written"], &cause["right"]["read"]["line"]), (&10.into(), &11.into()));
}

#[test]
fn what_is_said_is_true() {
    for folder in ["tests/independence", "tests/meaning", "models", "models/broken"] {
        for path in models(&root().join(folder)) {
            if let Err(refutation) = tested(&path, STATES, None) {
                panic!("{}: {refutation:?}", path.display());
            }
        }
    }
}

#[test]
fn pairs_are_tested() {
    let tested = tested(&root().join("models/peterson.m"), STATES, None).expect("it is independent");
    assert_eq!((tested.states, tested.bounded), (STATES, true));
    assert!(tested.pairs > STATES, "{tested:?}");
}

/// A pair of rules that is wrongly said to be independent is found, whichever condition it breaks.
#[test]
fn a_wrong_relation_is_refuted() {
    let outcome = |model: &str, wrong| {
        let path = root().join("tests/independence").join(model);
        match *tested(&path, STATES, Some(wrong)).expect_err(model) {
            Refutation { difference: Difference::Outcome { before, after }, .. } => (before, after),
            Refutation { difference: Difference::States { .. }, .. } => ("states", "states"),
            Refutation { difference: Difference::Change, .. } => ("change", "change"),
        }
    };
    assert_eq!(outcome("same_constant.m", (0, 3)), ("states", "states"));
    assert_eq!(outcome("failures.m", (0, 1)), ("fires", "fails"));
    assert_eq!(outcome("multisets.m", (0, 2)), ("is not enabled", "fires"));
    assert_eq!(outcome("guards_that_write.m", (0, 1)), ("is not enabled", "fires"));
    assert_eq!(outcome("priorities.m", (1, 2)), ("fires", "is not enabled"));
    assert_eq!(outcome("assumptions.m", (0, 1)), ("fires", "leads to a state that breaks an assumption"));
}

#[test]
fn the_command_prints_what_it_tested() {
    let path = root().join("tests/independence/ring.m");
    let output = mcc().arg("--check-independence").arg(path).output().expect("mcc runs");
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("independence: ") && said.contains(" states"), "{said}");
}

/// What the engines get is what the analysis says, for each pair of instances. Up to some thousands
/// of instances all answers are remembered, and then the last ones.
#[test]
fn engines_get_what_is_said() {
    let large = Loaded::text(
        "many.m",
        "type place: 0..5999; var a: array [place] of 0..2;\n\
         ruleset i: place do rule a[i] != a[(i + 2) % 6000] ==> begin a[i] := 1; end end;\n\
         ruleset i: place do rule a[i] = 0 ==> begin a[(i + 1) % 6000] := 2; end end;\n\
         startstate begin clear a; end;",
    );
    let mut rows = Rows::new(&large.interpreter).expect("there is a table");
    let instances = Instances::new(large.interpreter.rule_independence(Demand::Apart), large.description());
    for _ in 0..2 {
        for (one, other) in (0..12_000u32)
            .step_by(97)
            .flat_map(|one| (0..40).map(move |more| (one, (6_000 + one + 5_990 + more) % 12_000)))
        {
            let (one, other) = (RuleId(one), RuleId(other));
            assert_eq!(
                rows.independent(one, other),
                instances.is_independent(one, other),
                "{one:?} {other:?}"
            );
        }
    }
    let mut independent = 0;
    for folder in ["tests/independence", "tests/meaning", "models"] {
        for path in models(&root().join(folder)) {
            let loaded = Loaded::file(&path);
            let mut rows = Rows::new(&loaded.interpreter).expect("there is a table");
            let analysis = loaded.interpreter.rule_independence(Demand::Apart);
            let instances = Instances::new(analysis, loaded.description());
            let count = loaded.description().rule_instances().min(200);
            for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
                let (one, other) = (RuleId(one), RuleId(other));
                let expected = instances.is_independent(one, other);
                assert_eq!(rows.independent(one, other), expected, "{}: {one:?} {other:?}", path.display());
                assert_eq!(rows.independent(one, other), expected, "{}: the second time", path.display());
                independent += u32::from(expected);
            }
        }
    }
    assert!(independent > 10_000, "{independent}");
}

/// Writing the same constant commutes, but the second rule changes nothing any more.
#[test]
fn rules_that_are_apart_change_what_they_change() {
    for folder in ["tests/independence", "tests/meaning", "models", "models/broken"] {
        for path in models(&root().join(folder)) {
            let loaded = Loaded::file(&path);
            let mut rows = Rows::new(&loaded.interpreter).expect("there is a table");
            let walker = Walker::of_search(&loaded.interpreter, settings());
            let result = test(&walker, &mut |one, other| rows.independent(one, other), Demand::Apart, STATES);
            assert!(result.is_ok(), "{}: {result:?}", path.display());
        }
    }
    let loaded = Loaded::file(&root().join("tests/independence/same_constant.m"));
    let instances =
        Instances::new(loaded.interpreter.rule_independence(Demand::Commute), loaded.description());
    let walker = Walker::of_search(&loaded.interpreter, settings());
    let mut commute = |one, other| instances.is_independent(one, other);
    let refutation = test(&walker, &mut commute, Demand::Apart, STATES).expect_err("they are not apart");
    assert!(matches!(refutation.difference, Difference::Change), "{refutation:?}");
}

/// A model, ready to run.
struct Loaded {
    interpreter: Interpreter,
}

impl Loaded {
    fn text(name: &str, text: impl Into<String>) -> Self {
        let source = Source::new(name, text.into());
        let (model, diagnostics) = mcc_murphi::check(&source);
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        Loaded { interpreter: Interpreter::new(model, &source) }
    }

    fn file(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self::text(&name, std::fs::read_to_string(path).expect("the model can be read"))
    }

    fn description(&self) -> &'static Description {
        self.interpreter.description()
    }
}

fn settings() -> mcc_runtime::host::Settings {
    cli::parse(["test".into()]).expect("no options are right").settings()
}

/// Tests what the analysis says of a model, and perhaps that one pair of instances is independent
/// as well.
fn tested(path: &Path, most: u64, wrong: Option<(u32, u32)>) -> Result<Tested, Box<Refutation>> {
    let loaded = Loaded::file(path);
    let walker = Walker::of_search(&loaded.interpreter, settings());
    let instances =
        Instances::new(loaded.interpreter.rule_independence(Demand::Commute), walker.description());
    let is_wrong = |one: RuleId, other: RuleId| {
        wrong.is_some_and(|wrong| wrong == (one.0.min(other.0), one.0.max(other.0)))
    };
    let mut independent = |one, other| is_wrong(one, other) || instances.is_independent(one, other);
    test(&walker, &mut independent, Demand::Commute, most)
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of models can be read");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "m"));
    paths.sort();
    paths
}
