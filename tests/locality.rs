//! `--locality` on real models, next to figures that come from elsewhere: CMurphi with a table of
//! levels, and the paper.

#![cfg(test)]

mod support;

use serde_json::Value;
use std::process::Command;
use support::{build, root, scratch, shown};

/// The means and deviations for -1, 0 and 1, as CMurphi 5.4.9 counts them with a table of levels
/// and successors looked up in canonical form.
const FIGURES: [(&str, u64, [f64; 6]); 3] = [
    ("models/dekker.m", 122, [0.06557377, 0.1915299, 0.0, 0.0, 0.79508197, 0.305376]),
    // With symmetry.
    ("models/mcs_lock.m", 184, [0.027173913, 0.1172789, 0.0, 0.0, 0.82971014, 0.2189033]),
    ("models/german.m", 28088, [0.0039339796, 0.03796567, 0.0, 0.0, 0.76162031, 0.2171916]),
];

/// The paper's Figure 1, for the models without symmetry that have no error.
const PAPER: [(&str, u64, [f64; 6]); 3] = [
    ("others/cache3.m", 577, [0.0401213, 0.178884, 0.00476603, 0.0558438, 0.565482, 0.381654]),
    ("secur/ns.m", 980, [0.585714, 0.492598, 0.0, 0.0, 0.0969388, 0.295874]),
    ("secur/ns-old.m", 1121, [0.546833, 0.497802, 0.0, 0.0, 0.101695, 0.302247]),
];

#[track_caller]
fn agrees(model: &std::path::Path, states: u64, figures: [f64; 6]) {
    let verifier = build(model).unwrap_or_else(|error| panic!("{}: {error}", model.display()));
    for options in [&["-b"] as &[&str], &["-j1"], &["-vdfs"]] {
        let mut command = Command::new(&verifier);
        let output = command.args(["-ndl", "--locality", "--json", "-"]).args(options).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let profile = &report["locality"]["profile"];
        assert_eq!(profile["states"], states, "{}", model.display());
        let rows = profile["by_difference"].as_array().unwrap();
        for (k, expected) in (-1..=1).zip(figures.chunks(2)) {
            let row = rows.iter().find(|row| row["k"] == k).unwrap();
            for (key, expected) in ["mean", "deviation"].into_iter().zip(expected) {
                // The figures have six digits that count, the last one rounded.
                let off = (row[key].as_f64().unwrap() - expected).abs();
                assert!(off <= 5e-6 * expected.max(1e-3), "{} {key} {row}, not {expected}", model.display());
            }
        }
    }
}

#[test]
fn profiles_agree_with_those_of_another_verifier() {
    for (model, states, figures) in FIGURES {
        agrees(&root().join(model), states, figures);
    }
}

#[test]
fn profiles_agree_with_the_paper() {
    let Some(folder) = std::env::var_os("MCC_CMURPHI_EXAMPLES") else { return };
    for (model, states, figures) in PAPER {
        agrees(&std::path::Path::new(&folder).join(model), states, figures);
    }
}

#[test]
fn a_profile_is_drawn_and_refused_by_name() {
    let verifier = build(&root().join("models/dekker.m")).unwrap();
    let file = scratch("locality").join("profile.svg");
    let drawn = Command::new(&verifier).args(["--locality", "--locality-svg"]).arg(&file).output().unwrap();
    assert_eq!(drawn.status.code(), Some(0), "{}", shown(&drawn));
    assert!(std::fs::read_to_string(&file).unwrap().contains("dekker.m: how far transitions lead"));
    for options in [&["-c"] as &[&str], &["-s"], &["--cache", "1M"]] {
        let refused = Command::new(&verifier).arg("--locality").args(options).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", shown(&refused));
        assert!(shown(&refused).contains(options[0]), "{}", shown(&refused));
    }
}
