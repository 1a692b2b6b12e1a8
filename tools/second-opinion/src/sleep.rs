//! Whether a search along a path finds what a plain one finds: the same states as a set, and the
//! same errors in the same states. With sleep sets of both kinds, with caches down to one state
//! beside the path, and with both. In the interpreter; nothing is built.

use crate::generate::Drawn;
use crate::interpreted::on_deep_stack;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::semantics::model::Model;
use mcc_murphi::source::Source;
use mcc_runtime::Interruption;
use mcc_runtime::contract::problem::Finding;
use mcc_runtime::host::Settings;
use mcc_runtime::host::cli;
use mcc_runtime::host::explore;
use mcc_runtime::host::{Counts, Observer};
use mcc_runtime::internals::Replay;
use mcc_runtime::internals::{Ending, Outcome};
use mcc_runtime::model::{Model as _, RuleId};
use std::collections::BTreeSet;

/// How they are run: each finds what the first finds. A size of the cache may be a part of all
/// states.
const WAYS: &[&[&str]] = &[
    &[],
    &["--sleep"],
    &["--sleep=path"],
    &["--sleep", "-b"],
    &["--cache-states", "4/5"],
    &["--cache-states", "2/3", "--replace", "oldest"],
    &["--sleep", "--cache-states", "1"],
    &["--sleep", "--cache-states", "1/3", "--replace", "type"],
    &["--sleep=path", "--cache-states", "1/2", "--replace", "small"],
];
/// A model that loops or recurses does so in each of many states, so less of that is enough.
const LOOPS: &str = "-loop50";
/// A search with a bounded cache that visits more than this multiple of the states is not compared.
const MOST_VISITS: u64 = 12;

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    pub states: u64,
    /// Rules fired by the plain search, and with the sleep sets of both kinds.
    pub rules: [u64; 3],
    /// Errors of the plain search.
    pub errors: u64,
    /// Searches that were compared, and those that took too long.
    pub searches: u64,
    pub given_up: u64,
}

pub enum Answer {
    /// The checker did not accept it, or it has more states than were asked for.
    Refused,
    Large,
    Compared(Compared),
    Wrong(String),
}

pub fn ask(drawn: &Drawn, most: u64) -> Answer {
    let source = Source::new("model.m", drawn.tree.text());
    let (Some(model), _) = mcc_murphi::check(&source) else { return Answer::Refused };
    let deadlock: &[&str] = if drawn.deadlock { &[] } else { &["--no-deadlock"] };
    compare(model, &source, deadlock, most)
}

/// Compares all searches on a model of at most `most` states.
pub fn compare(model: Model, source: &Source, options: &[&str], most: u64) -> Answer {
    let answer = on_deep_stack(|| {
        let interpreter = Interpreter::new(model, source);
        let mut plain: Option<Found> = None;
        let mut compared = Compared::default();
        for way in WAYS {
            let visits = plain.as_ref().map_or(most, |plain| MOST_VISITS * plain.states.len() as u64 + 100);
            let states = plain.as_ref().map_or(0, |plain| plain.states.len());
            let sized: Vec<String> = way.iter().map(|option| sized(option, states)).collect();
            let found = match Found::new(&interpreter, options, &sized, visits)? {
                Some(found) => found,
                None if plain.is_none() => return Ok(Answer::Large),
                // Evicted states may be visited too often, and too many states may lie behind a
                // violating one.
                None if way.contains(&"--cache-states")
                    || plain.as_ref().is_some_and(|plain| plain.hides) =>
                {
                    compared.given_up += 1;
                    continue;
                }
                None => return Err(format!("{way:?}: there are more states than there are")),
            };
            match way {
                [] => compared.rules[0] = found.rules,
                ["--sleep"] => compared.rules[1] = found.rules,
                ["--sleep=path"] => compared.rules[2] = found.rules,
                _ => {}
            }
            compared.searches += 1;
            match &plain {
                None => {
                    (compared.states, compared.errors) =
                        (found.states.len() as u64, found.errors.len() as u64);
                    plain = Some(found);
                }
                Some(plain) => plain.compare(&found, way)?,
            }
        }
        Ok(Answer::Compared(compared))
    });
    match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(why)) | Err(why) => Answer::Wrong(why),
    }
}

/// An option with its part of all states as a number.
fn sized(option: &str, states: usize) -> String {
    let part = option.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    part.map_or(option.to_owned(), |(part, of): (usize, usize)| (states * part / of).max(1).to_string())
}

/// What one search found.
struct Found {
    states: BTreeSet<Box<[u64]>>,
    /// The problem in words, and the state in which it is: the last one of its trace.
    errors: BTreeSet<(String, Vec<u64>)>,
    rules: u64,
    /// Whether states that break a property hide others.
    hides: bool,
}

impl Found {
    /// `None`: there are more states than were asked for.
    fn new(
        interpreter: &Interpreter,
        options: &[&str],
        way: &[String],
        most: u64,
    ) -> Result<Option<Self>, String> {
        let most = most.to_string();
        let common = [
            "model",
            "-vdfs",
            "-nosym",
            "--max-errors",
            "0",
            "--watch",
            "distinct",
            LOOPS,
            "--max-states",
            &most,
        ];
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let arguments = common.iter().chain(options).chain(&way).map(Into::into);
        let options = cli::parse(arguments).map_err(|refusal| format!("{way:?}: {refusal:?}"))?;
        let mut settings = options.settings();
        settings.put = mcc_runtime::context::Put::Nowhere;
        let outcome = explore(interpreter, &settings, &Interruption::none(), &mut Nobody);
        match &outcome.ending {
            Ending::Complete => {}
            Ending::States(_) => return Ok(None),
            Ending::NoStart => {}
            ending => return Err(format!("{way:?} ended by {ending:?}")),
        }
        let mut errors = BTreeSet::new();
        for finding in &outcome.findings {
            let words = end_of(interpreter, &settings, finding)?;
            let description = interpreter.description();
            errors.insert((finding.problem.message(description), words));
        }
        let Outcome { findings, watched, counts, .. } = outcome;
        let states = watched.map(|watched| watched.distinct.into_iter().collect()).unwrap_or_default();
        let hides = findings.iter().any(Finding::hides_states);
        Ok(Some(Found { states, errors, rules: counts.rules, hides }))
    }

    fn compare(&self, other: &Found, way: &[&str]) -> Result<(), String> {
        let sleeps = way.iter().any(|option| option.starts_with("--sleep"));
        let (here, there) = (self.states.len(), other.states.len());
        // With sleep sets it goes on behind a state that is wrong.
        let more = self.hides && sleeps;
        if !self.states.is_subset(&other.states) || !more && here != there {
            return Err(format!("{way:?} finds {there} states, and a plain search {here}, or others"));
        }
        let (here, there) = (self.errors.len(), other.errors.len());
        if !self.errors.is_subset(&other.errors) || !more && here != there {
            return Err(format!(
                "{way:?} finds {there} errors, and a plain search {here}, or others:\n{:?}\n{:?}",
                self.errors.difference(&other.errors).next(),
                other.errors.difference(&self.errors).next()
            ));
        }
        // Where no state is evicted, each rule fires at most once in each state.
        if sleeps && !more && !way.contains(&"--cache-states") && other.rules > self.rules {
            return Err(format!("{way:?} fires {} rules, and a plain search {}", other.rules, self.rules));
        }
        Ok(())
    }
}

/// The last state of an error's trace, replayed.
fn end_of(interpreter: &Interpreter, settings: &Settings, finding: &Finding) -> Result<Vec<u64>, String> {
    let Some(path) = &finding.path else { return Ok(Vec::new()) };
    // A trace keeps elements of multisets in their slots; the state is compared as it is stored.
    let context = settings.trace_context(interpreter.description());
    let mut replay = Replay::new(interpreter, &context, path.start).map_err(|broken| broken.to_string())?;
    for rule in &path.rules {
        replay.fire(*rule).map_err(|broken| broken.to_string())?;
    }
    Ok(settings.form(interpreter).of(replay.state()))
}

struct Nobody;

impl Observer for Nobody {
    fn progress(&mut self, _: &Counts) {}
    fn found(&mut self, _: &Finding) {}
    fn state(&mut self, _: &[u64], _: u64, _: Option<u64>) {}
    fn step(&mut self, _: RuleId, _: &[u64], _: &[u64]) {}
}
