//! Whether searches that leave something out find what a plain one finds: random models, explored
//! in the interpreter with and without sleep sets and path compression, in every kind of search;
//! and with visited sets that do not keep whole states. Nothing is built.

use crate::generate::Drawn;
use crate::interpreted;
use crate::opinion::Opinion;
use mcc_murphi::source::Source;
use serde_json::Value;

/// All errors of all states, by one thread.
const PLAIN: &[&str] = &["--max-errors=0", "--watch=distinct", "--threads=1"];

/// How states are left out that a walk goes through …
const WALKS: [&[&str]; 5] = [
    &["--max-errors=0", "--watch=distinct", "--compress-paths", "--threads=1"],
    &["--max-errors=0", "--watch=distinct", "--compress-paths", "--search=dfs", "--packed"],
    &["--max-errors=0", "--watch=distinct", "--compress-paths", "--threads=3", "--threads-from=1"],
    &["--max-errors=0", "--watch=distinct", "--compress-paths", "--compact", "--seed=1", "--memory=64M"],
    &["--max-errors=0", "--watch=distinct", "--compress-paths", "--cache-states=2000", "--max-collisions=0"],
];

/// … and how rules are that sleep.
const SLEEPS: [&[&str]; 5] = [
    &["--max-errors=0", "--watch=distinct", "--sleep", "--threads=1"],
    &["--max-errors=0", "--watch=distinct", "--sleep", "--threads=3", "--threads-from=1", "--packed"],
    &["--max-errors=0", "--watch=distinct", "--sleep", "--compact", "--seed=1", "--memory=64M"],
    &["--max-errors=0", "--watch=distinct", "--sleep", "--cache-states=2000", "--max-collisions=0"],
    &["--max-errors=0", "--watch=distinct", "--sleep", "--queue=disk", "--threads=2", "--threads-from=3"],
];

/// How states are stored as trees of shared parts or as signatures, which changes nothing that is
/// found. Traces are as long breadth first.
const SETS: [&[&str]; 7] = [
    &["--max-errors=0", "--watch=distinct", "--tree", "--threads=1"],
    &["--max-errors=0", "--watch=distinct", "--tree", "--threads=2", "--threads-from=1", "--packed"],
    &["--max-errors=0", "--watch=distinct", "--tree", "--threads=8", "--threads-from=1"],
    &["--max-errors=0", "--watch=distinct", "--tree", "--search=dfs"],
    &["--max-errors=0", "--watch=distinct", "--compact", "--seed=1", "--memory=64M", "--threads=1"],
    &["--max-errors=0", "--watch=distinct", "--compact", "--seed=1", "--memory=64M", "--threads=8"],
    &["--max-errors=0", "--watch=distinct", "--cache-states=2000", "--max-collisions=0", "--threads=2"],
];

/// What became of one model.
#[derive(Debug)]
pub enum Outcome {
    /// The checker did not accept it.
    Refused,
    /// A plain search does not end within the bound.
    Large,
    Compared(Compared),
    /// A search found something else; in words.
    Wrong(String),
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    pub states: u64,
    pub rules: u64,
    pub errors: u64,
    /// Rules left out because they slept.
    pub slept: u64,
    /// States that were not stored because they were walked through.
    pub unstored: u64,
}

pub fn ask(drawn: &Drawn) -> Outcome {
    let source = Source::new("model.m", drawn.tree.text());
    let (Some(model), _) = mcc_murphi::check(&source) else { return Outcome::Refused };
    let modes: Vec<&[&str]> = std::iter::once(PLAIN).chain(WALKS).chain(SLEEPS).chain(SETS).collect();
    let opinions = interpreted::ask(drawn, &model, &source, &modes);
    let reports: Result<Vec<&Value>, String> = opinions
        .iter()
        .map(|opinion| match opinion {
            Opinion::Report(report) => Ok(report),
            Opinion::Broken(why) => Err(why.clone()),
        })
        .collect();
    match reports.and_then(|reports| compare(&modes, &reports)) {
        Ok(Some(compared)) => Outcome::Compared(compared),
        Ok(None) => Outcome::Large,
        Err(why) => Outcome::Wrong(why),
    }
}

/// `None`: the plain search was cut off.
fn compare(modes: &[&[&str]], reports: &[&Value]) -> Result<Option<Compared>, String> {
    let Some((plain, others)) = reports.split_first() else { return Ok(None) };
    if plain["reason"].as_str().is_some_and(|reason| reason.contains("--max-states")) {
        return Ok(None);
    }
    let number = |report: &Value, key: &str| report[key].as_u64().unwrap_or_default();
    let mut compared = Compared {
        states: number(plain, "states"),
        rules: number(plain, "rules"),
        errors: plain["errors"].as_array().map_or(0, |errors| errors.len() as u64),
        ..Compared::default()
    };
    for (mode, report) in modes.iter().skip(1).zip(others) {
        let same = |what: &str, left: &dyn std::fmt::Debug, right: &dyn std::fmt::Debug| {
            let (left, right) = (format!("{left:?}"), format!("{right:?}"));
            match left == right {
                true => Ok(()),
                false => Err(format!("{mode:?}: {what}: {right}, without {left}")),
            }
        };
        let sleeps = mode.contains(&"--sleep");
        let walks = mode.contains(&"--compress-paths");
        let shortest = !walks && !mode.contains(&"--search=dfs");
        same("verdict", &plain["verdict"], &report["verdict"])?;
        same("different states", &plain["watched"]["distinct"], &report["watched"]["distinct"])?;
        same("errors", &errors(plain, shortest), &errors(report, shortest))?;
        if sleeps {
            let fired = number(report, "rules") + number(report, "rules_left_out");
            same("states", &number(plain, "states"), &number(report, "states"))?;
            same("depth", &number(plain, "depth"), &number(report, "depth"))?;
            same("rules that fired or slept", &number(plain, "rules"), &fired)?;
            compared.slept = number(report, "rules_left_out");
        } else if !walks {
            same("states", &number(plain, "states"), &number(report, "states"))?;
            same("rules", &number(plain, "rules"), &number(report, "rules"))?;
            if shortest {
                same("depth", &number(plain, "depth"), &number(report, "depth"))?;
            }
        } else {
            compared.unstored = number(plain, "states").saturating_sub(number(report, "states"));
        }
    }
    Ok(Some(compared))
}

/// The errors of a report in some order: kind, place and message, and where it cannot differ the
/// length of the trace.
fn errors(report: &Value, with_length: bool) -> Vec<String> {
    let errors = report["errors"].as_array().into_iter().flatten();
    let mut errors: Vec<String> = errors
        .map(|error| {
            let length = error["trace"].as_array().map_or(0, Vec::len) * usize::from(with_length);
            format!("{} {} {} {} {length}", error["kind"], error["line"], error["column"], error["message"])
        })
        .collect();
    errors.sort();
    errors
}
