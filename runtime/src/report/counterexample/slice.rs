//! The part of a trace that an error depends on: `--trace short`.
//!
//! From the error back to the start: a value matters if what is wrong reads it, or if a step that
//! matters reads it. A step matters if it changes a value that matters at that point. A step
//! overwrites a simple value, so what the value was before matters only if the step reads it.
//! Multisets are never overwritten, and neither is what a property about runs reads: it reads every
//! state.

use super::changes::Change;
use super::{Values, each_step};
use crate::contract::context::Context;
use crate::contract::dependencies::{Dependencies, Reading};
use crate::contract::model::{Model, PropertyId, PropertyKind};
use crate::contract::problem::{Finding, Path, Problem};
use crate::contract::values::{Instance, Value, instance};
use crate::text::printable;
use crate::trace::TraceError;
use std::collections::BTreeSet;

/// A simple value or a multiset of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    variable: usize,
    steps: Vec<usize>,
    path: String,
    is_bag: bool,
}

/// A step, as it is shown.
#[derive(Debug)]
pub struct SliceStep {
    pub number: usize,
    pub title: String,
    /// What it changes of what matters.
    pub changes: Vec<Change>,
}

/// What of a trace matters.
#[derive(Debug)]
pub struct Slice {
    pub steps: Vec<SliceStep>,
    /// The title of the start state.
    pub start: String,
    /// What matters at the beginning, and after the last step: by its name.
    pub first: Vec<(String, Value)>,
    pub last: Vec<(String, Value)>,
    /// Steps of the trace.
    pub all_steps: usize,
    /// Simple values and multisets of a state.
    pub all_values: usize,
    pub end: Vec<u64>,
}

struct Recorded {
    title: String,
    changes: Vec<Change>,
    changed: Vec<usize>,
    reads: Vec<usize>,
}

/// The slice of a finding's path. `None`: it is not known what the error depends on.
pub fn slice(
    model: &dyn Model,
    context: &Context,
    finding: &Finding,
    path: &Path,
) -> Result<Option<Slice>, TraceError> {
    let Some(dependencies) = model.dependencies() else { return Ok(None) };
    let mut cells: Vec<Cell> = Vec::new();
    let mut values: Vec<Value> = Vec::new();
    let mut first: Vec<Value> = Vec::new();
    let mut start = String::new();
    let mut recorded: Vec<Recorded> = Vec::new();
    let end = each_step(model, context, path, |step| {
        if step.number == 0 {
            cells = cells_of(step.after);
            values = leaves_of(step.after);
            (first, start) = (values.clone(), step.title.clone());
            return;
        }
        let now = leaves_of(step.after);
        let changed = (0..now.len()).filter(|&at| values.get(at) != now.get(at)).collect();
        let reads = step.instance.map_or_else(Vec::new, |rule| reads_of(dependencies, &cells, rule));
        let (title, changes) = (step.title.clone(), step.changes.clone());
        recorded.push(Recorded { title, changes, changed, reads });
        values = now;
    })?;
    let asked = asked(model, dependencies, &cells, finding);
    if asked.is_empty() {
        return Ok(None);
    }
    let of_runs = |property: PropertyId| {
        let found = model.description().properties.get(property.0 as usize);
        found.is_some_and(|property| property.kind == PropertyKind::Safety)
    };
    let always = match finding.problem {
        Problem::Temporal { .. } => true,
        Problem::Violated { property } => of_runs(property),
        _ => false,
    };
    let (mattering, ever) = backwards(&recorded, &cells, asked, always);
    let all_steps = recorded.len();
    let paths: BTreeSet<&str> = ever.iter().map(|&cell| cells[cell].path.as_str()).collect();
    let steps = recorded.into_iter().enumerate().filter(|(at, _)| mattering.contains(at));
    let steps = steps.map(|(at, Recorded { title, mut changes, .. })| {
        changes.retain(|change| paths.contains(change.path.as_str()));
        SliceStep { number: at + 1, title, changes }
    });
    let steps = steps.collect();
    let of = |state: &[Value]| {
        ever.iter().filter_map(|&at| Some((cells[at].path.clone(), state.get(at)?.clone()))).collect()
    };
    let (first, last) = (of(&first), of(&values));
    Ok(Some(Slice { steps, start, first, last, all_steps, all_values: cells.len(), end }))
}

/// The steps that matter, and the cells that ever do.
fn backwards(
    recorded: &[Recorded],
    cells: &[Cell],
    asked: BTreeSet<usize>,
    always: bool,
) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let mut needed = asked.clone();
    let mut ever = asked.clone();
    let mut mattering = BTreeSet::new();
    for (at, step) in recorded.iter().enumerate().rev() {
        let hits: Vec<usize> = step.changed.iter().copied().filter(|cell| needed.contains(cell)).collect();
        if hits.is_empty() {
            continue;
        }
        mattering.insert(at);
        for cell in hits {
            let stays = cells[cell].is_bag || (always && asked.contains(&cell));
            if !stays {
                needed.remove(&cell);
            }
        }
        needed.extend(&step.reads);
        ever.extend(&step.reads);
    }
    (mattering, ever)
}

/// What the error itself reads.
fn asked(
    model: &dyn Model,
    dependencies: &Dependencies,
    cells: &[Cell],
    finding: &Finding,
) -> BTreeSet<usize> {
    let description = model.description();
    let property = |number: u32| {
        let readings = dependencies.properties.get(number as usize).copied().unwrap_or(&[]);
        matching(readings, None, cells)
    };
    let guards = || dependencies.guards.iter().flat_map(|readings| matching(readings, None, cells));
    match finding.problem {
        Problem::Violated { property: of }
        | Problem::PropertyFault { property: of, .. }
        | Problem::Temporal { property: of, .. } => property(of.0).collect(),
        Problem::ClaimedDeadlock { property: of, .. } => property(of.0).chain(guards()).collect(),
        Problem::Deadlock => guards().collect(),
        Problem::RuleFault { rule, .. } => instance(description.rules, rule.0)
            .map_or_else(BTreeSet::new, |rule| reads_of(dependencies, cells, &rule).into_iter().collect()),
        Problem::StartFault { .. } | Problem::NeverCovered { .. } => BTreeSet::new(),
    }
}

fn reads_of(dependencies: &Dependencies, cells: &[Cell], rule: &Instance) -> Vec<usize> {
    let arguments: Vec<i64> = rule.arguments.iter().map(|argument| argument.value).collect();
    let readings = dependencies.rules.get(rule.index).copied().unwrap_or(&[]);
    let found: BTreeSet<usize> = matching(readings, Some(&arguments), cells).collect();
    found.into_iter().collect()
}

/// The cells that readings lead to, into, or past.
fn matching<'a>(
    readings: &'a [Reading],
    arguments: Option<&[i64]>,
    cells: &'a [Cell],
) -> impl Iterator<Item = usize> + 'a {
    let resolved: Vec<(usize, Vec<Option<usize>>)> =
        readings.iter().map(|one| (one.variable as usize, one.resolved(arguments))).collect();
    let is_read = move |cell: &Cell| {
        resolved.iter().any(|(variable, steps)| {
            let same = |(read, step): (&Option<usize>, &usize)| read.is_none_or(|read| read == *step);
            *variable == cell.variable && steps.iter().zip(&cell.steps).all(same)
        })
    };
    cells.iter().enumerate().filter(move |(_, cell)| is_read(cell)).map(|(at, _)| at)
}

fn cells_of(values: &Values) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (variable, (name, value)) in values.iter().enumerate() {
        let root = Cell { variable, steps: Vec::new(), path: printable(name).into_owned(), is_bag: false };
        walk(value, root, &mut cells);
    }
    cells
}

fn walk(value: &Value, at: Cell, cells: &mut Vec<Cell>) {
    let inside = |step: usize, path: String| {
        let steps = at.steps.iter().copied().chain([step]).collect();
        Cell { variable: at.variable, steps, path, is_bag: false }
    };
    match value {
        Value::Array(elements) => {
            for (step, (index, element)) in elements.iter().enumerate() {
                walk(element, inside(step, format!("{}[{index}]", at.path)), cells);
            }
        }
        Value::Record(fields) => {
            for (step, (name, field)) in fields.iter().enumerate() {
                walk(field, inside(step, format!("{}.{}", at.path, printable(name))), cells);
            }
        }
        Value::Bag(_) => cells.push(Cell { is_bag: true, ..at }),
        Value::Undefined | Value::Number(_) | Value::Boolean(_) | Value::Name(_) => cells.push(at),
    }
}

/// The values of the cells, in their order.
fn leaves_of(values: &Values) -> Vec<Value> {
    fn flatten(value: &Value, into: &mut Vec<Value>) {
        match value {
            Value::Array(elements) => elements.iter().for_each(|(_, element)| flatten(element, into)),
            Value::Record(fields) => fields.iter().for_each(|(_, field)| flatten(field, into)),
            Value::Undefined | Value::Number(_) | Value::Boolean(_) | Value::Name(_) | Value::Bag(_) => {
                into.push(value.clone());
            }
        }
    }
    let mut leaves = Vec::new();
    values.iter().for_each(|(_, value)| flatten(value, &mut leaves));
    leaves
}
