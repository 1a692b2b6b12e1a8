//! `--symmetry`: models with scalarsets, explored with and without reduction, against orbits
//! counted the slow way.

use crate::compiled::{Unit, Workshop};
use crate::generate::Drawn;
use crate::harness::{Disagreement, Jury, Prepared, prepare};
use crate::opinion::{Opinion, options};
use crate::orbits::{self, Orbits, Whose};
use crate::{interpreted, shrink};
use mcc_murphi::analysis::SymmetryProof;
use mcc_murphi::analysis::analyse;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::walk::{Walker, document, replay};
use mcc_runtime::host::cli;
use mcc_runtime::model::Model as _;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;

/// How each model is run.
const MODES: [&[&str]; 9] = [
    &["--symmetry=off"],
    &["--symmetry=exact"],
    &["--symmetry=fast"],
    &["--symmetry=exact", "--packed"],
    &["--symmetry=exact", "--search=dfs"],
    &["--symmetry=off", "--max-errors=100"],
    &["--symmetry=exact", "--max-errors=100"],
    &["--symmetry=exact", "--symmetry-check", "--seed=7"],
    &["--symmetry=off", "--no-multiset"],
];
const OFF: usize = 0;
const EXACT: usize = 1;
const FAST: usize = 2;
const PACKED: usize = 3;
const DEPTH_FIRST: usize = 4;
const OFF_ALL: usize = 5;
const EXACT_ALL: usize = 6;
const CHECKED: usize = 7;
const UNSORTED: usize = 8;
/// Errors that a run reports at most; a run with as many may lack some.
const MOST_ERRORS: usize = 100;
/// Spaces with more states are not counted.
const MOST_STATES: usize = 1500;

/// Counts over all batches.
#[derive(Debug, Default)]
pub struct Tally {
    pub drawn: usize,
    /// Why models were not taken.
    pub refusals: BTreeMap<String, usize>,
    pub compared: usize,
    /// Those whose orbits were counted, with the states and the orbits of all of them.
    pub counted: usize,
    pub states: u64,
    pub orbits: u64,
    /// Of these, models with fewer orbits than states.
    pub reduced: usize,
    pub replayed: usize,
    /// Models of which something is not proved to be symmetric, and so is not reduced.
    pub doubtful: usize,
    /// Of these, models whose scalarsets turned out to be symmetric in all states.
    pub needless: usize,
    pub outcomes: BTreeMap<String, usize>,
}

pub struct SymmetryHarness {
    pub workshop: Workshop,
    pub tally: Tally,
}

impl Jury for SymmetryHarness {
    fn prepare(&self, drawn: Drawn) -> Result<Prepared, String> {
        prepare(drawn)
    }

    fn disagreements(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>> {
        let tally = std::mem::take(&mut self.tally);
        let found = self.compare(prepared);
        self.tally = tally;
        found
    }
}

impl SymmetryHarness {
    /// Runs a batch, and shrinks what it disagrees on.
    pub fn batch(&mut self, drawn: Vec<Drawn>, shrink: bool) -> io::Result<Vec<Disagreement>> {
        let mut prepared = Vec::new();
        for one in drawn {
            self.tally.drawn += 1;
            match self.prepare(one) {
                Ok(one) => prepared.push(one),
                Err(why) => *self.tally.refusals.entry(why).or_default() += 1,
            }
        }
        let found = self.compare(&prepared)?;
        if !shrink {
            return Ok(found);
        }
        found.into_iter().map(|one| shrink::shrink(self, one)).collect()
    }

    fn compare(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>> {
        let units: Vec<Unit> =
            prepared.iter().map(|one| Unit { drawn: &one.drawn, code: one.code.clone() }).collect();
        let (compiled, judged) = std::thread::scope(|scope| {
            let compiled = scope.spawn(|| self.workshop.ask(&units, &MODES));
            let judged: Vec<Views> = prepared.iter().map(Views::of).collect();
            (compiled.join(), judged)
        });
        let compiled = compiled.map_err(|_| io::Error::other("the builder panicked"))??;
        let mut found = Vec::new();
        for ((one, views), compiled) in prepared.iter().zip(judged).zip(compiled) {
            self.count(&views);
            let replayed = replays(one, &views.interpreted, "the interpreter")
                .and_then(|first| replays(one, &compiled, "the verifier").map(|second| first + second));
            let judgement = match replayed {
                Ok(traces) => {
                    self.tally.replayed += traces;
                    judge(&views, &compiled)
                }
                Err(why) => Some(("replay".to_owned(), why)),
            };
            found.extend(judgement.map(|(label, details)| Disagreement {
                drawn: one.drawn.clone(),
                label,
                details,
            }));
        }
        Ok(found)
    }

    fn count(&mut self, views: &Views) {
        let tally = &mut self.tally;
        tally.compared += 1;
        let off = &views.interpreted[OFF];
        *tally.outcomes.entry(off.verdict().to_owned()).or_default() += 1;
        let kinds: BTreeSet<&str> = views.interpreted[OFF_ALL].errors().into_iter().collect();
        for kind in kinds {
            *tally.outcomes.entry(format!("with an error of the kind {kind}")).or_default() += 1;
        }
        tally.doubtful += usize::from(!views.proof.is_complete());
        if !views.proof.is_complete() {
            let symmetric =
                views.proof.multisets.is_empty() && matches!(views.space, Some(Ok(Slow { all: true, .. })));
            tally.needless += usize::from(symmetric && views.interpreted[OFF].verdict() == "verified");
        }
        if let Some(Ok(Slow { orbits, states, .. })) = &views.space {
            tally.counted += 1;
            tally.states += states;
            tally.orbits += orbits.count;
            tally.reduced += usize::from(orbits.count < *states);
        }
    }
}

/// What the slow search found.
struct Slow {
    orbits: Orbits,
    states: u64,
    rules: u64,
    /// Whether all scalarsets are symmetric, those of which it was not proved as well.
    all: bool,
}

/// What the interpreter says about a model, and what all its states are.
struct Views {
    interpreted: Vec<Opinion>,
    /// The orbits, with the states and the rules fired in them; `None` where the space is not
    /// complete.
    space: Option<Result<Slow, String>>,
    /// What is not proved to be symmetric: that is not reduced, so orbits are not counted.
    proof: SymmetryProof,
}

impl Views {
    fn of(one: &Prepared) -> Views {
        let interpreted = interpreted::ask(&one.drawn, &one.model, &one.source, &MODES);
        let counted = interpreted::on_deep_stack(|| count_orbits(one));
        let space = counted.unwrap_or_else(|why| Some(Err(why)));
        Views { interpreted, space, proof: analyse(&one.model).symmetry }
    }
}

fn count_orbits(one: &Prepared) -> Option<Result<Slow, String>> {
    let interpreter = Interpreter::new(one.model.clone(), &one.source);
    let words = std::iter::once("model".to_owned()).chain(options(&one.drawn, MODES[OFF]));
    let settings = cli::parse(words.map(OsString::from)).ok()?.settings();
    let context = settings.context(interpreter.description());
    let space = orbits::explore(&interpreter, &context, MOST_STATES)?;
    let description = interpreter.description();
    let orbits = space.orbits(description, Whose::Proved);
    let all = space.orbits(description, Whose::All).is_ok();
    Some(orbits.map(|orbits| Slow { orbits, states: space.states.len() as u64, rules: space.rules(), all }))
}

/// Follows the traces of all reports, with symmetry off; returns their number, or what is wrong
/// with one.
fn replays(one: &Prepared, opinions: &[Opinion], whose: &str) -> Result<usize, String> {
    let follow = || {
        let interpreter = Interpreter::new(one.model.clone(), &one.source);
        let mut followed = 0;
        for (mode, opinion) in opinions.iter().enumerate() {
            let Opinion::Report(report) = opinion else { continue };
            let text = report.to_string();
            let errors = report["errors"].as_array().map_or(0, Vec::len);
            for number in 1..=errors.min(4) {
                let failed =
                    |why: String| format!("{whose}, options {:?}, error {number}: {why}", MODES[mode]);
                let trace = document::read(text.as_bytes(), Some(number)).map_err(failed)?;
                // A cover that is never reached has none, and a start state that goes wrong is one.
                if trace.steps.is_none() {
                    continue;
                }
                let Ok(parsed) = cli::parse(["model", "--symmetry=off"].map(OsString::from)) else {
                    continue;
                };
                let mut settings = parsed.settings();
                trace.apply_options(&mut settings);
                let walker = Walker::new(&interpreter, settings);
                replay::replay(&walker, &trace, &mut |_| {}).map_err(|why| failed(format!("{why:?}")))?;
                followed += 1;
            }
        }
        Ok(followed)
    };
    interpreted::on_deep_stack(follow).unwrap_or_else(Err)
}

/// Whether all errors of a model are in a report.
fn is_complete(opinion: &Opinion) -> bool {
    match opinion {
        Opinion::Report(report) => {
            let reason = report["reason"].as_str().unwrap_or("");
            reason.contains("in the whole state space") && opinion.errors().len() < MOST_ERRORS
        }
        Opinion::Broken(_) => false,
    }
}

/// Errors by their kind and place, each with the length of the shortest trace to one of them.
fn error_places(opinion: &Opinion) -> BTreeMap<String, usize> {
    let mut places = BTreeMap::new();
    if let Opinion::Report(report) = opinion {
        for error in report["errors"].as_array().into_iter().flatten() {
            let place = format!("{} at {}:{}", error["kind"], error["line"], error["column"]);
            let length = error["trace"].as_array().map_or(0, Vec::len);
            let least = places.entry(place).or_insert(length);
            *least = length.min(*least);
        }
    }
    places
}

/// What is wrong with what was said about a model.
fn judge(views: &Views, compiled: &[Opinion]) -> Option<(String, String)> {
    for (whose, opinions) in [("interpreted", &views.interpreted[..]), ("compiled", compiled)] {
        if let Some((label, details)) = judge_one(views, opinions) {
            let all: Vec<String> =
                MODES.iter().zip(opinions).map(|(mode, opinion)| format!("  {mode:?}: {opinion}")).collect();
            return Some((format!("{whose}: {label}"), format!("{details}\n{}", all.join("\n"))));
        }
    }
    None
}

fn judge_one(views: &Views, opinions: &[Opinion]) -> Option<(String, String)> {
    let wrong = |label: &str, details: String| Some((label.to_owned(), details));
    if let Some(broken) = opinions.iter().find(|one| matches!(one, Opinion::Broken(_))) {
        return wrong("broken", broken.to_string());
    }
    let (off, exact, fast) = (&opinions[OFF], &opinions[EXACT], &opinions[FAST]);
    if off.verdict() == "inconclusive" {
        return None;
    }
    for (mode, name) in [
        (EXACT, "exact"),
        (FAST, "fast"),
        (PACKED, "packed"),
        (DEPTH_FIRST, "depth first"),
        (CHECKED, "checked"),
        (UNSORTED, "without sorting"),
    ] {
        // Depth first, a bound on states may come before the error that lies near; unsorted, there
        // are more states.
        let cut_off = opinions[mode].verdict() == "inconclusive"
            && (mode == UNSORTED || (mode == DEPTH_FIRST && off.verdict() == "violated"));
        if opinions[mode].verdict() != off.verdict() && !cut_off {
            return wrong(&format!("verdict, {name}"), String::new());
        }
    }
    let complete = |one: &Opinion| one.errors().iter().all(|kind| *kind == "cover");
    if complete(off) {
        match &views.space {
            // A bound on states or levels ended only one of the searches.
            None => return wrong("the slow search does not end", String::new()),
            Some(Err(why)) => return wrong("asymmetric", why.clone()),
            Some(Ok(Slow { orbits, states, rules, .. })) => {
                if (off.number("states"), off.number("rules")) != (Some(*states), Some(*rules)) {
                    return wrong("the slow search", format!("{states} states and {rules} rules"));
                }
                let expected = (Some(orbits.count), Some(orbits.rules));
                for (mode, name) in [(EXACT, "exact"), (PACKED, "packed"), (DEPTH_FIRST, "depth first")] {
                    if (opinions[mode].number("states"), opinions[mode].number("rules")) != expected {
                        return wrong(&format!("orbits, {name}"), format!("{orbits:?}"));
                    }
                }
                let least = fast.number("states").is_some_and(|fast| fast >= orbits.count && fast <= *states);
                if !least {
                    return wrong("orbits, fast", format!("{orbits:?}"));
                }
                for (one, name) in [(exact, "exact"), (&opinions[PACKED], "packed")] {
                    if one.number("depth") != off.number("depth") {
                        return wrong(&format!("depth, {name}"), String::new());
                    }
                }
                // Another form of a state that is known may turn up later, and deeper.
                if fast.number("depth") < off.number("depth") {
                    return wrong("depth, fast", String::new());
                }
            }
        }
    }
    // The first errors are found as early, and none that is not there. Which of several errors of a
    // rule comes first may depend on names.
    let (off, exact) = (&opinions[OFF_ALL], &opinions[EXACT_ALL]);
    if is_complete(off) && is_complete(exact) {
        let (off, exact) = (error_places(off), error_places(exact));
        let earliest = |places: &BTreeMap<String, usize>| places.values().min().copied();
        let invented = exact.iter().any(|(place, length)| off.get(place).is_none_or(|known| known > length));
        if earliest(&off) != earliest(&exact) || invented {
            return wrong("errors", format!("off: {off:?}\nexact: {exact:?}"));
        }
    }
    None
}
