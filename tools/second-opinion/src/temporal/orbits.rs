//! Properties of runs and symmetry: random models with scalarsets, some of which are in doubt, and
//! with random formulas, most of which name elements. Each is decided on reduced states and on all
//! states, and each counterexample of the former is replayed.

mod drawing;
mod properties;

use crate::interpreted::on_deep_stack;
use mcc_murphi::diagnostics::Severity;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_murphi::walk::{Walker, document, replay};
use mcc_runtime::host::cli;
use mcc_runtime::{Console, Interruption};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;

pub use drawing::draw;

/// Reduced, packed, without early ends; and what all of that is compared with.
const REDUCED: [&str; 3] = ["-j1", "-b -j2 --threads-from 1", "-vdfs"];
const ALL: &str = "-j1 --symmetry=off --no-multiset";
/// Models with more states are left out.
const MOST_STATES: u64 = 20_000;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub models: usize,
    /// Those with too many states, or an error that is none of the properties of runs.
    pub left_out: usize,
    /// Those whose states were reduced.
    pub reduced: usize,
    /// Of these, those in which an element was kept apart from others that were not.
    pub apart: usize,
    pub violated: usize,
    pub replayed: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.models += other.models;
        self.left_out += other.left_out;
        self.reduced += other.reduced;
        self.apart += other.apart;
        self.violated += other.violated;
        self.replayed += other.replayed;
    }
}

/// Decides the properties of a model on reduced states and on all. `Err`: what is different.
pub fn compare(text: &str) -> Result<Tally, String> {
    let source = Source::new("orbits.m", text.to_owned());
    let (model, diagnostics) = mcc_murphi::check(&source);
    let model = model.ok_or_else(|| {
        let first = diagnostics.iter().find(|one| one.severity == Severity::Error);
        first.map_or("no reason".to_owned(), |one| format!("{}: {}\n{text}", one.code, one.message))
    })?;
    on_deep_stack(|| compared(&Interpreter::new(model, &source)))?.map_err(|why| format!("{why}\n{text}"))
}

fn compared(interpreter: &Interpreter) -> Result<Tally, String> {
    let mut tally = Tally { models: 1, ..Tally::default() };
    let all = report(interpreter, ALL)?;
    let broken = broken(&all);
    let is_other = |kind: &Value| !matches!(kind.as_str(), Some("ltl" | "liveness"));
    let has_others = all["errors"].as_array().into_iter().flatten().any(|error| is_other(&error["kind"]));
    if has_others || all["verdict"] == "inconclusive" {
        return Ok(Tally { left_out: 1, ..tally });
    }
    for way in REDUCED {
        let reduced = report(interpreter, way)?;
        let others = self::broken(&reduced);
        if reduced["verdict"] != all["verdict"] || others != broken {
            return Err(format!(
                "{way}: {} {others:?}, and of all states {} {broken:?}: {}",
                reduced["verdict"], all["verdict"], reduced["reason"]
            ));
        }
        tally.replayed += replayed(interpreter, &reduced)?;
        if way == REDUCED[0] {
            tally.reduced = usize::from(reduced["states"].as_u64() < all["states"].as_u64());
            let apart = reduced["runs"]["kept_apart"].as_array().map_or(0, Vec::len);
            tally.apart = tally.reduced * usize::from(apart > 0);
            tally.violated = usize::from(reduced["verdict"] == "violated");
        }
    }
    Ok(tally)
}

/// The properties that do not hold, by what is said of them.
fn broken(report: &Value) -> BTreeSet<String> {
    let errors = report["errors"].as_array().into_iter().flatten();
    errors.map(|error| error["message"].to_string()).collect()
}

/// Follows all counterexamples; returns their number.
fn replayed(interpreter: &Interpreter, report: &Value) -> Result<usize, String> {
    let text = report.to_string();
    let errors = report["errors"].as_array().map_or(0, Vec::len).min(8);
    for number in 1..=errors {
        let failed = |why: String| format!("counterexample {number}: {why}");
        let trace = document::read(text.as_bytes(), Some(number)).map_err(failed)?;
        let parsed = cli::parse(["model", "--symmetry=off"].map(OsString::from));
        let mut settings = parsed.map_err(|_| "the options are not accepted".to_owned())?.settings();
        trace.apply_options(&mut settings);
        let walker = Walker::new(interpreter, settings);
        replay::replay(&walker, &trace, &mut |_| {}).map_err(|why| failed(format!("{why:?}")))?;
    }
    Ok(errors)
}

fn report(interpreter: &Interpreter, way: &str) -> Result<Value, String> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console = Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let most = MOST_STATES.to_string();
    let fixed =
        ["model", "--quiet", "--json=-", "--no-deadlock", "--max-errors=0", "--max-states", most.as_str()];
    let arguments = fixed.into_iter().chain(way.split_whitespace()).map(OsString::from);
    mcc_runtime::run(interpreter, arguments, console, &Interruption::none());
    serde_json::from_slice(&out)
        .map_err(|error| format!("no report: {error}: {}", String::from_utf8_lossy(&err)))
}
