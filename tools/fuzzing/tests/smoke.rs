//! A short run with a fixed seed, so that the fuzzer stays alive and the front end stays fit.

#![cfg(test)]

use mcc_fuzzing::campaign::{End, Settings, run};

#[test]
fn a_short_run_finds_nothing() {
    let summary = run(Settings {
        program: env!("CARGO_BIN_EXE_mcc-fuzzing").into(),
        seed: 1,
        end: End::Executions(700),
        folder: None,
    })
    .expect("the fuzzer itself works");
    assert_eq!(summary.executions, 700);
    assert!(summary.findings.is_empty(), "{:#?}", summary.findings);
    assert!(summary.accepted > 50, "only {} models were accepted", summary.accepted);
    assert!(summary.compiled > 5, "only {} models were compiled", summary.compiled);
    assert!(summary.corpus > 50, "only {} inputs were worth keeping", summary.corpus);
}
