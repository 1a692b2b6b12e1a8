//! The library from end to end: a model is built and run, with progress and cancellation, and the
//! report is that of the interpreter.

#![cfg(test)]

mod support;

use mcc_murphi::{Cancellation, Error, Model, Options, Verdict};
use std::env;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::{scratch, shown};

const COUNTER: &str = "const N: 3; var x: 0..N; startstate \"zero\" x := 0; end;\n\
                       ruleset add: 1..2 do rule \"up\" x + add <= N ==> x := x + add; end; end;\n\
                       invariant \"low\" x < 4;\n";

/// The library takes the build cache from its surroundings, which a test cannot change: so it runs
/// once more, as a process with the cache of the tests. `true` in that process.
fn has_cache(test: &str) -> bool {
    if env::var_os("MCC_TEST_LIBRARY").is_some() {
        return true;
    }
    let mut again = Command::new(env::current_exe().expect("this program has a path"));
    again.args(["--exact", test]).env("MCC_CACHE", scratch("cache")).env("MCC_TEST_LIBRARY", "1");
    let output = again.output().expect("this program can be started");
    assert!(output.status.success(), "{}", shown(&output));
    false
}

fn counter(top: u64) -> Model {
    Model::from_text("dir/counter.m", COUNTER).define("N", top)
}

#[test]
fn a_verifier_reports_what_the_interpreter_does() -> Result<(), Error> {
    if !has_cache("a_verifier_reports_what_the_interpreter_does") {
        return Ok(());
    }
    let model = counter(5);
    assert!(model.check()?.is_sound());
    let verifier = model.build(&Options::new())?;
    let options = Options::new().threads(1);
    let (built, interpreted) = (verifier.run(&options)?, model.interpret(&options)?);
    assert_eq!(built.verdict, Verdict::Violated);
    assert_eq!(built.errors, interpreted.errors);
    assert_eq!((built.states, built.rules), (interpreted.states, interpreted.rules));
    let trace = built.errors[0].trace.as_ref().expect("there is a trace");
    assert_eq!((trace[0].rule.as_str(), trace.len()), ("zero", 3));
    assert_eq!(built.model.constants["N"], "5");

    // With other constants another verifier, and another verdict.
    let fine = counter(3).build(&Options::new())?;
    assert!(fine.run(&Options::new().without_deadlocks())?.is_verified());
    let refused = fine.run(&Options::new().argument("--nonsense"));
    assert!(refused.is_err_and(|error| error.to_string().contains("--nonsense")));
    let copy = scratch("library").join("counter");
    fine.install(&copy)?;
    let output = Command::new(copy).arg("-ndl").output().expect("it can be started");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    Ok(())
}

#[test]
fn a_verifier_reports_progress_and_can_be_cancelled() -> Result<(), Error> {
    if !has_cache("a_verifier_reports_progress_and_can_be_cancelled") {
        return Ok(());
    }
    let text = COUNTER.replace("x < 4", "x <= N");
    let model = Model::from_text("long.m", text).define("N", 1_000_000_000);
    let verifier = model.build(&Options::new())?;
    let cancellation = Cancellation::new();
    let (states, stop) = (Arc::new(AtomicU64::new(0)), cancellation.clone());
    let seen = states.clone();
    let options = Options::new().threads(1).cancelled_by(&cancellation).on_progress(move |progress| {
        seen.store(progress.states, Ordering::Relaxed);
        stop.cancel();
    });
    let report = verifier.run(&options)?;
    assert_eq!(report.verdict, Verdict::Inconclusive, "{report}");
    assert!(states.load(Ordering::Relaxed) >= 100_000 && report.states >= 100_000, "{report}");
    assert!(matches!(model.build(&options), Err(Error::Cancelled)));
    Ok(())
}
