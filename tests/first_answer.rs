//! How soon the interpreter answers: a model of a thousand lines with an error eight steps away.
//!
//! Measured by `tools/benchmarks/interpreter.sh`; here the time is only kept from growing out of
//! all proportion.

#![cfg(test)]

mod support;

use serde_json::Value;
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use support::{mcc, scratch, shown};

/// Tokens go from unit to unit; each takes a load on, refuses it, or delays it and keeps the token
/// for once. Seven loads are allowed, but nobody counts: eight acceptances are the shortest way to
/// the error.
fn thousand_lines() -> String {
    const UNITS: usize = 25;
    let mut model = String::from(
        "-- Units that pass tokens on, each with types, a variable, a procedure,\n\
         -- rules and an invariant of its own.\n\
         --\n\
         -- A unit that has a token\n\
         --   accepts: it takes a load on, and passes the token on;\n\
         --   refuses: it passes the token on;\n\
         --   delays:  it keeps the token, but not twice in a row.\n\
         -- One unit may have several.\n\
         --\n\
         -- Nobody counts the loads, so that all units together take on more than\n\
         -- they may.\n\n\
         const\n\
         \x20 units: 25;\n\
         \x20 limit: 7;\n\n\
         type\n\
         \x20 place: 0 .. units - 1;\n\
         \x20 token: 1 .. 3;\n\n\
         var\n\
         \x20 at: array [token] of place;\n\
         \x20 load: 0 .. 100;\n",
    );
    for unit in 0..UNITS {
        let next = (unit + 1) % UNITS;
        let _ = write!(
            model,
            "---- unit {unit}\n\
             type\n\
             \x20 decision_{unit}: enum {{ idle_{unit}, accepted_{unit}, refused_{unit}, delayed_{unit} }};\n\
             \x20 unit_{unit}: record\n\
             \x20   decision: decision_{unit};\n\
             \x20   visits: 0 .. 3;\n\
             \x20 end;\n\
             var\n\
             \x20 u{unit}: unit_{unit};\n\n\
             procedure leave_{unit}(t: token);\n\
             begin\n\
             \x20 if u{unit}.visits < 3 then\n\
             \x20   u{unit}.visits := u{unit}.visits + 1;\n\
             \x20 end;\n\
             \x20 at[t] := {next};\n\
             end;\n\n\
             ruleset t: token do\n\
             rule \"unit {unit} accepts\" at[t] = {unit} & load < 100 ==>\n\
             begin\n\
             \x20 u{unit}.decision := accepted_{unit};\n\
             \x20 load := load + 1;\n\
             \x20 leave_{unit}(t);\n\
             end;\n\
             rule \"unit {unit} refuses\" at[t] = {unit} ==>\n\
             begin\n\
             \x20 u{unit}.decision := refused_{unit};\n\
             \x20 leave_{unit}(t);\n\
             end;\n\
             rule \"unit {unit} delays\" at[t] = {unit} & u{unit}.decision != delayed_{unit} ==>\n\
             begin\n\
             \x20 u{unit}.decision := delayed_{unit};\n\
             end;\n\
             end;\n\
             invariant \"unit {unit} has been visited if it has decided\"\n\
             \x20 u{unit}.visits = 0 -> u{unit}.decision = idle_{unit} | u{unit}.decision = delayed_{unit};\n",
        );
    }
    model.push_str(
        "\nstartstate \"idle\" begin\n  at[1] := 0;\n  at[2] := 8;\n  at[3] := 16;\n  load := 0;\n",
    );
    for unit in 0..UNITS {
        let _ = writeln!(model, "  clear u{unit};");
    }
    model.push_str(
        "end;\n\ninvariant \"not overloaded\" load <= limit;\n\n\
         ---- all tokens\n\
         ruleset t: token do\n\
         \x20 invariant \"a token is somewhere\"\n\
         \x20   !isundefined(at[t]);\n\
         end;\n\
         invariant \"no token is lost\"\n\
         \x20 forall t: token do\n\
         \x20   exists p: place do\n\
         \x20     at[t] = p\n\
         \x20   end\n\
         \x20 end;\n\
         cover \"two tokens meet\"\n\
         \x20 exists t: token do\n\
         \x20   exists s: token do\n\
         \x20     t != s & at[t] = at[s]\n\
         \x20   end\n\
         \x20 end;\n",
    );
    model
}

#[test]
fn a_bug_eight_steps_away_in_a_thousand_lines() {
    let model = thousand_lines();
    assert_eq!(model.lines().count(), 1000);
    let file = scratch("first-answer").join("thousand.m");
    std::fs::write(&file, model).expect("the target directory is writable");
    let started = Instant::now();
    let output = mcc().arg("--interpret").arg(&file).args(["--", "--json", "-"]).output().expect("mcc runs");
    let elapsed = started.elapsed();
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", shown(&output)));
    println!("{} rules in {elapsed:?} from the command to the report", report["rules"]);
    let error = &report["errors"][0];
    assert_eq!(error["kind"], "invariant", "{error}");
    // The first entry of a trace is the start state.
    assert_eq!(error["trace"].as_array().map(Vec::len), Some(9), "{error}");
    assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
}
