//! Traces as files: reports of verifiers (`docs/report.md`) and saved walks.
//!
//! A saved walk has the report's keys `schema` (here `"mcc-walk/1"`), `model` and `options`, its
//! steps under `trace`, and under `error` what is wrong in the last of them, or `null`.

use std::collections::BTreeMap;

use mcc_runtime::contract::problem::Path;
use mcc_runtime::contract::problem::{Finding, Problem};
use mcc_runtime::contract::temporal::Fairness;
use mcc_runtime::host::Settings;
use mcc_runtime::host::json::{self, ErrorFigures, ModelFigures};
use mcc_runtime::host::text::printable;
use mcc_runtime::model::{Description, Model};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Walker;

const REPORT: &str = "mcc-report/1";
const WALK: &str = "mcc-walk/1";

/// What was read from a file.
#[derive(Debug, Deserialize)]
struct Document {
    schema: Option<String>,
    model: Option<ModelName>,
    #[serde(default)]
    options: Options,
    /// Of a report.
    errors: Option<Vec<Claim>>,
    /// Of a walk.
    error: Option<Claim>,
    trace: Option<Vec<Step>>,
}

#[derive(Debug, Deserialize)]
struct ModelName {
    name: String,
    fingerprint: String,
    /// Reports of earlier versions have none.
    #[serde(default)]
    constants: BTreeMap<String, String>,
}

/// Those options of a run that change what a step does.
#[derive(Clone, Debug, Default, Deserialize)]
struct Options {
    deadlock: Option<bool>,
    loop_limit: Option<u64>,
    strict_undefined: Option<bool>,
    priorities: Option<bool>,
    fairness: Option<FairnessChoice>,
}

/// `--fairness` of the run.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FairnessChoice {
    None,
    Weak,
    Strong,
}

/// The error that a trace is said to lead to.
#[derive(Debug, Deserialize)]
pub struct Claim {
    pub kind: String,
    pub message: String,
    pub rule: Option<String>,
    pub parameters: Option<BTreeMap<String, String>>,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// Of a run that goes on for ever.
    #[serde(rename = "loop")]
    pub looped: Option<Loop>,
    trace: Option<Vec<Step>>,
}

/// Which state of the trace a run comes back to, counted from 0.
#[derive(Debug, Deserialize)]
pub struct Loop {
    pub begins: usize,
}

/// A recorded step. Its state stays text until it is wanted: traces may be long.
#[derive(Debug, Deserialize)]
pub struct Step {
    pub rule: String,
    pub family: usize,
    pub parameters: BTreeMap<String, String>,
    state: Box<RawValue>,
}

impl Step {
    /// What the file calls it, safe to print.
    pub fn shown(&self) -> String {
        let parameters = self.parameters.iter().map(|(name, value)| format!(", {name}:{value}"));
        let text = format!("\"{}\"{}", self.rule, parameters.collect::<String>());
        printable(&text).into_owned()
    }

    /// `None` for a rule that went wrong.
    pub fn state(&self) -> Option<serde_json::Value> {
        serde_json::from_str(self.state.get()).ok().filter(|state: &serde_json::Value| !state.is_null())
    }
}

/// A trace with what it is said to show.
#[derive(Debug)]
pub struct Trace {
    model: ModelName,
    options: Options,
    /// Its place among the report's errors, from one, and their number.
    pub place: Option<(usize, usize)>,
    pub claim: Option<Claim>,
    /// `None` for errors without a way to them.
    pub steps: Option<Vec<Step>>,
}

/// Reads a report or a walk; of a report the error of this number, counted from one.
pub fn read(text: &[u8], number: Option<usize>) -> Result<Trace, String> {
    let document: Document =
        serde_json::from_slice(text).map_err(|error| format!("this is not a report or a walk: {error}"))?;
    let Document { schema, model, options, errors, error, trace } = document;
    let model = |schema| model.ok_or(format!("the key `model` is missing, and {schema} has it"));
    match schema.as_deref() {
        Some(REPORT) => {
            let model = model(REPORT)?;
            let errors = errors.ok_or("the key `errors` is missing, and mcc-report/1 has it")?;
            let count = errors.len();
            let number = number.unwrap_or(1);
            let chosen = number.checked_sub(1).and_then(|at| errors.into_iter().nth(at));
            let mut claim = chosen.ok_or_else(|| match count {
                0 => "the report tells of no error, so there is no trace to follow".to_owned(),
                1 => format!("there is no error {number}: the report tells of one error"),
                _ => format!("there is no error {number}: the report tells of {count}, counted from 1"),
            })?;
            let steps = claim.trace.take();
            Ok(Trace { model, options, place: Some((number, count)), claim: Some(claim), steps })
        }
        Some(WALK) => {
            let model = model(WALK)?;
            let steps = trace.ok_or("the key `trace` is missing, and mcc-walk/1 has it")?;
            match number {
                None | Some(1) => Ok(Trace { model, options, place: None, claim: error, steps: Some(steps) }),
                Some(number) => Err(format!("a saved walk has no error {number}: it is one trace")),
            }
        }
        Some(other) => Err(format!("its schema is {other:?}, not {REPORT:?} or {WALK:?}")),
        None => Err("this is not a report or a walk: the key `schema` is missing".to_owned()),
    }
}

impl Trace {
    /// Why this cannot be a trace of that model.
    pub fn foreign(&self, description: &Description) -> Option<String> {
        let ours = format!("{:016x}", description.fingerprint);
        let ModelName { name, fingerprint, constants } = &self.model;
        let set: BTreeMap<&str, &str> = description.constants.iter().copied().collect();
        let is_set = |(name, value): (&String, &String)| set.get(name.as_str()) == Some(&value.as_str());
        if constants.len() != set.len() || !constants.iter().all(is_set) {
            let shown = |set: Vec<String>| {
                if set.is_empty() { "without -D".to_owned() } else { format!("with {}", set.join(" ")) }
            };
            let theirs = constants.iter().map(|(name, value)| format!("-D {name}={value}")).collect();
            let ours = set.iter().map(|(name, value)| format!("-D {name}={value}")).collect();
            return Some(format!(
                "the trace is of a verifier that was made {}, and this is the model {}",
                shown(theirs),
                shown(ours)
            ));
        }
        (*fingerprint != ours).then(|| {
            format!(
                "the trace is of another model: {name} with the fingerprint {fingerprint}; {} has {ours}",
                description.name
            )
        })
    }

    /// Steps mean what they meant in the run that was recorded.
    pub fn apply_options(&self, settings: &mut Settings) {
        let Options { deadlock, loop_limit, strict_undefined, priorities, fairness } = &self.options;
        settings.fairness = fairness.map(|choice| match choice {
            FairnessChoice::None => Fairness::None,
            FairnessChoice::Weak => Fairness::Weak,
            FairnessChoice::Strong => Fairness::Strong,
        });
        settings.deadlock = deadlock.unwrap_or(settings.deadlock);
        settings.loop_limit = loop_limit.unwrap_or(settings.loop_limit);
        settings.strict_undefined = strict_undefined.unwrap_or(settings.strict_undefined);
        settings.priorities = priorities.unwrap_or(settings.priorities);
    }
}

/// A walk to be saved.
#[derive(Serialize)]
struct Saved<'a> {
    schema: &'static str,
    model: ModelFigures,
    options: BTreeMap<&'static str, serde_json::Value>,
    error: Option<ErrorFigures<'a>>,
    trace: json::Trace<'a>,
}

/// The text of a file that holds a walk and what is wrong at its end.
pub fn write(walker: &Walker, path: Path, problem: Option<Problem>) -> Result<String, String> {
    let Walker { model, settings, context } = walker;
    let finding = problem.map(|problem| Finding::traced(problem, path.clone()));
    let mut error = finding.as_ref().map(|finding| json::error(*model, context, finding));
    // The trace stands beside the error.
    error.iter_mut().for_each(|error| error.trace = None);
    let trace = json::Trace { model: *model, context, path: &path, problem };
    let options = BTreeMap::from([
        ("deadlock", settings.deadlock.into()),
        ("loop_limit", settings.loop_limit.into()),
        ("strict_undefined", settings.strict_undefined.into()),
        ("priorities", settings.priorities.into()),
    ]);
    let model = ModelFigures::new(model.description());
    let saved = Saved { schema: WALK, model, options, error, trace };
    let text = serde_json::to_string_pretty(&saved).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}
