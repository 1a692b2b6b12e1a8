//! What the page asks of the server, and what it gets.
//!
//! All paths stand behind the token (`guard.rs`). Bodies and answers are JSON. A *way* is
//! `{"start": number of a start state, "rules": [numbers of rule instances]}` and names the state
//! that it leads to. A refused request is answered by a status of 400 or more and
//! `{"error": {"message", "step"}}`; `step` is the step of the way that cannot be gone, or `null`.
//!
//! | request | body | answer |
//! |---|---|---|
//! | `GET api/model` | | `name`, `fingerprint`, `constants`, `source`, `properties`, `starts` |
//! | `POST api/state` | a way, `filter`: text that rules must contain | `name`, `state`, `changes`, `choices`, `choices_left_out`, `wrong`, `fault` |
//! | `POST api/way` | a way | `steps`: `name`, `changes` and `wrong` of each |
//! | `POST api/values` | a way | `state` alone, for comparisons |
//! | `POST api/evaluate` | a way, `expressions` | `results`: `value` and `text`, or `error` with `message`, `help`, `line`, `column`, `length`, `in_expression` |
//! | `POST api/graph` | a way, `levels` | `nodes`, `edges`, `states_left_out`, `edges_left_out` |
//! | `POST api/load/N` | a report, a saved walk or an ITF file; N: the error of the report, from 1 | `way`, `form`, `claim`, `loop_begins`, `error`, `notes` |
//! | `POST api/save` | a way, `form`: `itf` or `walk` | `text` |
//! | `GET api/search` | | `running`, `states`, `rules`, `waiting`, `seconds`, `result`, `refused` |
//! | `POST api/search` | `max_states` | as above; 409 if a search is running |
//! | `POST api/cancel` | | as above |
//!
//! A value is `{"k": "number" | "boolean" | "name" | "undefined", "v": text}`, or `{"k": "array" |
//! "record" | "bag", "p": [[key, value] …]}`, or `{"k": "cut", "v": number of parts}`; a state is a
//! list of `[name of a variable, value]`. A change is `{"path", "old", "new"}`; an element that was
//! added to a multiset has no `old`, one that was removed no `new`.

use mcc_runtime::model::Model;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::explorer::{Explorer, Failure, MOST_STEPS, Reached, Way};
use super::load::{self, Form};
use super::view::{self, Changes, Choice};
use super::{graph, search};
use crate::interpret::evaluate::NoValue;
use crate::walk::{Effect, Walker};

/// Rules that are listed at once.
const MOST_CHOICES: usize = 300;

/// Start states that are listed.
const MOST_STARTS: usize = 1000;

const MOST_EXPRESSIONS: usize = 50;
const LONGEST_EXPRESSION: usize = 10_000;

/// No report is longer; other bodies are much shorter.
const MOST_REPORT: u64 = 64 << 20;
const MOST_BODY: u64 = 2 << 20;

/// How many bytes the body of a request may have.
pub fn most_bytes(path: &str) -> u64 {
    if path.starts_with("api/load/") { MOST_REPORT } else { MOST_BODY }
}

#[derive(Deserialize)]
struct Asked {
    #[serde(flatten)]
    way: Way,
    #[serde(default)]
    filter: String,
    #[serde(default)]
    expressions: Vec<String>,
    #[serde(default)]
    levels: usize,
    form: Option<Form>,
}

/// Answers one request: the status and the body.
pub fn answer(explorer: &Explorer, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let answered = match (method, path.strip_prefix("api/").unwrap_or_default()) {
        ("GET", "model") => model(explorer),
        ("GET", "search") => text(&explorer.search.status()),
        ("POST", "search") => parsed::<search::Wish>(body).and_then(|wish| {
            explorer.search.begin(wish)?;
            text(&explorer.search.status())
        }),
        ("POST", "cancel") => {
            explorer.search.cancel();
            text(&explorer.search.status())
        }
        ("POST", "state") => asked(body).and_then(|asked| state(explorer, &asked)),
        ("POST", "way") => asked(body).and_then(|asked| steps(explorer, &asked.way)),
        ("POST", "values") => asked(body).and_then(|asked| values(explorer, &asked.way)),
        ("POST", "evaluate") => asked(body).and_then(|asked| evaluate(explorer, &asked)),
        ("POST", "graph") => {
            asked(body).and_then(|asked| text(&graph::neighbourhood(explorer, &asked.way, asked.levels)?))
        }
        ("POST", "save") => asked(body).and_then(|asked| {
            let form = asked.form.ok_or_else(|| Failure::new("the key `form` is missing"))?;
            text(&json!({ "text": load::write(explorer, &asked.way, form)? }))
        }),
        ("POST", rest) if rest.starts_with("load/") => {
            let number = rest.trim_start_matches("load/").parse().ok();
            load::load(explorer, body, number).and_then(|recorded| text(&recorded))
        }
        ("GET" | "POST", _) => Err(Failure { status: 404, ..Failure::new("there is no such thing here") }),
        _ => Err(Failure { status: 405, ..Failure::new("only GET and POST are answered") }),
    };
    match answered {
        Ok(body) => (200, body),
        Err(Failure { status, message, step }) => {
            let error = json!({ "error": { "message": message, "step": step } });
            (status, error.to_string().into_bytes())
        }
    }
}

fn text(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    serde_json::to_vec(value).map_err(|error| Failure { status: 500, ..Failure::new(error.to_string()) })
}

fn parsed<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| Failure {
        status: 400,
        ..Failure::new(format!("the request cannot be read: {error}"))
    })
}

fn asked(body: &[u8]) -> Result<Asked, Failure> {
    let asked: Asked = parsed(body)?;
    if asked.way.rules.len() > MOST_STEPS {
        Err(Failure::new(format!("the way has more than {MOST_STEPS} steps")))
    } else {
        Ok(asked)
    }
}

fn model(explorer: &Explorer) -> Result<Vec<u8>, Failure> {
    let walker = explorer.walker();
    let description = explorer.interpreter.description();
    let starts = walker.starts();
    let left_out = starts.len().saturating_sub(MOST_STARTS);
    let starts: Vec<Choice> = starts
        .iter()
        .take(MOST_STARTS)
        .map(|found| {
            let (effect, problem) = match &found.effect {
                Effect::To(state) => ("to", walker.violation(state)),
                Effect::Excluded => ("excluded", None),
                Effect::Fault(problem) => ("fault", Some(*problem)),
            };
            let wrong = problem.map(|problem| view::wrong(description, &problem));
            let name = view::start_name(&walker, found.number);
            Choice { name, effect, changes: Changes::default(), wrong }
        })
        .collect();
    let properties: Vec<Json> = description
        .properties
        .iter()
        .map(|one| json!({ "name": one.name, "line": one.position.line }))
        .collect();
    text(&json!({
        "name": description.name,
        "fingerprint": format!("{:016x}", description.fingerprint),
        "constants": description.constants,
        "source": description.source,
        "properties": properties,
        "starts": starts,
        "starts_left_out": left_out,
        "variables": description.variables.iter().map(|variable| variable.name).collect::<Vec<_>>(),
    }))
}

fn state(explorer: &Explorer, asked: &Asked) -> Result<Vec<u8>, Failure> {
    let walker = explorer.walker();
    let description = walker.description();
    let reached = explorer.reach(&walker, &asked.way)?;
    let before = match asked.way.rules.split_last() {
        None => None,
        Some((_, rules)) => {
            let shorter = Way { start: asked.way.start, rules: rules.to_vec() };
            match explorer.reach(&walker, &shorter)? {
                Reached::State(state) => Some(state),
                Reached::Fault { .. } => None,
            }
        }
    };
    let name = step_name(&walker, &asked.way, before.as_deref());
    let state = match &reached {
        Reached::State(state) => state,
        Reached::Fault { problem, before } => {
            let shown = before.as_ref().map(|state| view::state(description, state));
            return text(&json!({
                "name": name, "fault": view::wrong(description, problem), "before": shown,
                "choices": [], "wrong": [],
            }));
        }
    };
    let moves = walker.moves(state);
    let filter = asked.filter.to_lowercase();
    let fits = |number: u32| {
        let name = view::rule_name(&walker, number, state);
        let parameters = name
            .parameters
            .iter()
            .map(|one| format!(" {}={} {}", one.name, one.value, one.element.as_deref().unwrap_or_default()));
        let text = format!("{}{}", name.rule, parameters.collect::<String>());
        text.to_lowercase().contains(&filter)
    };
    let fitting: Vec<_> = moves.iter().filter(|found| filter.is_empty() || fits(found.number)).collect();
    let choices: Vec<Choice> =
        fitting.iter().take(MOST_CHOICES).map(|found| view::choice(&walker, state, found)).collect();
    let changes = before.map(|before| view::changes(description, &before, state)).unwrap_or_default();
    text(&json!({
        "name": name,
        "state": view::state(description, state),
        "changes": changes,
        "choices": choices,
        "choices_left_out": fitting.len().saturating_sub(MOST_CHOICES),
        "enabled": moves.len(),
        "wrong": view::problems(&walker, state, &moves),
        "fault": null,
    }))
}

/// The last step of a way.
fn step_name(walker: &Walker, way: &Way, before: Option<&[u64]>) -> view::Name {
    match (way.rules.last(), before) {
        (Some(rule), Some(before)) => view::rule_name(walker, *rule, before),
        _ => view::start_name(walker, way.start),
    }
}

fn steps(explorer: &Explorer, way: &Way) -> Result<Vec<u8>, Failure> {
    let walker = explorer.walker();
    let description = walker.description();
    let mut before: Option<Vec<u64>> = None;
    let mut steps = Vec::new();
    for (at, reached) in explorer.all(&walker, way)?.into_iter().enumerate() {
        let so_far = way.rules.get(..at).unwrap_or_default().to_vec();
        let name = step_name(&walker, &Way { start: way.start, rules: so_far }, before.as_deref());
        let (changes, wrong, after) = match reached {
            Reached::State(state) => {
                let changes = before.as_ref().map(|before| view::changes(description, before, &state));
                (changes.unwrap_or_default(), walker.violation(&state), Some(state))
            }
            Reached::Fault { problem, .. } => (Changes::default(), Some(problem), None),
        };
        let wrong = wrong.map(|problem| view::wrong(description, &problem));
        steps.push(json!({ "name": name, "changes": changes, "wrong": wrong }));
        before = after;
    }
    text(&json!({ "steps": steps }))
}

fn values(explorer: &Explorer, way: &Way) -> Result<Vec<u8>, Failure> {
    let walker = explorer.walker();
    match explorer.reach(&walker, way)? {
        Reached::State(state) => text(&json!({ "state": view::state(walker.description(), &state) })),
        Reached::Fault { .. } => Err(Failure::new("the rule ends in an error, so no state follows it")),
    }
}

fn evaluate(explorer: &Explorer, asked: &Asked) -> Result<Vec<u8>, Failure> {
    let walker = explorer.walker();
    if asked.expressions.len() > MOST_EXPRESSIONS {
        return Err(Failure::new(format!("at most {MOST_EXPRESSIONS} expressions are evaluated at once")));
    }
    if asked.expressions.iter().any(|one| one.len() > LONGEST_EXPRESSION) {
        return Err(Failure::new(format!("an expression has at most {LONGEST_EXPRESSION} bytes")));
    }
    let Reached::State(state) = explorer.reach(&walker, &asked.way)? else {
        return Err(Failure::new("the rule ends in an error, so there is no state to evaluate in"));
    };
    let one = |expression: &String| {
        let value = explorer
            .expression(expression)
            .and_then(|ready| ready.value(explorer.interpreter, &walker.context, &state));
        match value {
            Ok(value) => {
                let mut budget = 2000;
                json!({ "value": view::tree(&value, &mut budget), "text": view::cut(value.to_string()) })
            }
            Err(NoValue { message, help, in_expression, place, length }) => json!({ "error": {
                "message": message, "help": help, "in_expression": in_expression, "length": length,
                "line": place.map(|place| place.line), "column": place.map(|place| place.column),
            } }),
        }
    };
    text(&json!({ "results": asked.expressions.iter().map(one).collect::<Vec<_>>() }))
}
