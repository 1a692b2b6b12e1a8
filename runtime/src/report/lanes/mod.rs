//! Who does what in a trace, and which messages go from whom to whom: a lane for each process, an
//! arrow for each element that goes through a multiset or an array ([`channels`]).
//!
//! Processes are the values of one type of ruleset parameters. Which type that is, and who sends
//! and receives, is guessed from types and names; `--lanes TYPE` and `--messages VARIABLE` correct
//! it. A guess changes pictures alone, never a verdict.

mod channels;
pub(crate) mod drawing;
pub(crate) mod sequence;

use super::counterexample::changes::{Change, ChangeKind};
use super::counterexample::{Step, Values, words};
use crate::contract::choice::Choice;
use crate::contract::model::{Description, Simple};
use crate::contract::values::{Argument, Instance, Value, label};
use channels::Slot;
use std::collections::BTreeMap;

/// What the user wants to see.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The type whose values are the processes.
    pub lanes: Option<String>,
    /// The variable that messages go through.
    pub messages: Option<String>,
}

/// Somebody who does what belongs to no process.
const OTHERS: &str = "(model)";
/// A type with more values than this has no lanes, unless it is asked for.
const MOST: usize = 24;

/// A message: an element that is put into a multiset, and perhaps taken out again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub label: String,
    pub from: usize,
    pub to: usize,
    /// The step that sends it.
    pub sent: usize,
    /// The step that takes it out.
    pub received: Option<usize>,
}

/// A step with the lane of whoever takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    pub step: usize,
    pub lane: usize,
    pub title: String,
}

/// Lanes, actions and messages of one trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chart {
    pub lanes: Vec<String>,
    pub actions: Vec<Action>,
    pub messages: Vec<Message>,
    /// The step that ends in the error.
    pub failing: Option<usize>,
}

/// What is remembered of a step.
struct Seen {
    step: usize,
    title: String,
    /// The type and label of each parameter that is no slot.
    arguments: Vec<(&'static str, String)>,
    changes: Vec<Change>,
    /// Slots of arrays whose messages change, with the old and the new one.
    slots: Vec<(Slot, Option<Value>)>,
}

/// Collects steps, and makes a chart of them.
pub struct Collector<'a> {
    description: &'a Description,
    choices: &'a [Choice],
    wanted: &'a Wanted,
    seen: Vec<Seen>,
    /// The slots of arrays in the start state, and in the last one.
    slots: (Vec<Slot>, Vec<Slot>),
    failing: Option<usize>,
}

impl<'a> Collector<'a> {
    pub fn new(description: &'a Description, choices: &'a [Choice], wanted: &'a Wanted) -> Self {
        Collector { description, choices, wanted, seen: Vec::new(), slots: Default::default(), failing: None }
    }

    /// The first state that is shown.
    pub fn begin(&mut self, state: &Values) {
        let start = channels::slots(self.description, self.wanted.messages.as_deref(), state);
        let mut now = start.clone();
        channels::occupied(&mut now, &start);
        self.slots = (start, now);
    }

    /// Takes in a step of the trace; the start state begins it.
    pub fn add(&mut self, step: &Step<'_>) {
        if step.number == 0 {
            self.begin(step.after);
        }
        let Some(instance) = step.instance.filter(|_| step.number > 0) else { return };
        let mut slots = channels::slots(self.description, self.wanted.messages.as_deref(), step.after);
        channels::occupied(&mut slots, &self.slots.0);
        let before = std::mem::replace(&mut self.slots.1, slots);
        let slots = self.slots.1.iter().zip(before).filter(|(now, before)| now.message != before.message);
        let slots = slots.map(|(now, before)| (now.clone(), before.message)).collect();
        self.push(step.number, instance, &step.title, step.changes.clone(), slots);
    }

    fn push(
        &mut self,
        step: usize,
        instance: &Instance,
        title: &str,
        changes: Vec<Change>,
        slots: Vec<(Slot, Option<Value>)>,
    ) {
        let is_slot = |at: usize| {
            self.choices.iter().any(|choice| choice.family == instance.index && choice.parameter == at)
        };
        let arguments = instance.arguments.iter().enumerate().filter(|(at, _)| !is_slot(*at));
        let named = |argument: &Argument| (argument.parameter.ty.name, argument.label().into_owned());
        let arguments = arguments.map(|(_, argument)| named(argument)).collect();
        self.seen.push(Seen { step, title: title.to_owned(), arguments, changes, slots });
    }

    /// The rule that ends in the error, after the last step.
    pub fn fail(&mut self, step: usize, instance: &Instance, title: &str) {
        self.push(step, instance, title, Vec::new(), Vec::new());
        self.failing = Some(step);
    }

    /// The processes that a rule instance belongs to, for filters.
    pub fn processes(&self, ty: Option<&str>) -> Vec<Vec<String>> {
        let of = |seen: &Seen| {
            let own = seen.arguments.iter().filter(|(name, _)| Some(*name) == ty);
            own.map(|(_, label)| label.clone()).collect()
        };
        self.seen.iter().map(of).collect()
    }

    /// The type whose values have lanes: the one that is wanted, or the one that most steps have a
    /// parameter of.
    pub fn lane_type(&self) -> Option<&'static Simple> {
        let types = self.description.rules.iter().flat_map(|family| family.parameters).map(|one| one.ty);
        if let Some(wanted) = &self.wanted.lanes {
            return types.into_iter().find(|ty| ty.name.eq_ignore_ascii_case(wanted));
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for seen in &self.seen {
            if let Some((name, _)) = seen.arguments.first() {
                *counts.entry(name).or_default() += 1;
            }
        }
        let few = |ty: &&'static Simple| ty.count() <= MOST && ty.name != "boolean";
        let score = |ty: &&'static Simple| counts.get(ty.name).copied().unwrap_or(0);
        let mut best: Option<&'static Simple> = None;
        for ty in types.filter(few).filter(|ty| score(ty) > 0) {
            if best.is_none_or(|other| score(&ty) > score(&other)) {
                best = Some(ty);
            }
        }
        best
    }

    /// Lanes, actions and messages; `None` where no process is known.
    pub fn chart(&self) -> Option<Chart> {
        let ty = self.lane_type()?;
        let own: Vec<String> =
            (0..ty.count()).map(|at| label(ty, ty.low.wrapping_add(at as i64)).into_owned()).collect();
        let mut lanes = Lanes { names: Vec::new() };
        let messages = self.sent_and_received(ty.name, &own);
        let mut actions = Vec::new();
        let receivers: BTreeMap<usize, &String> =
            messages.iter().filter_map(|one| Some((one.received?, one.to.as_ref()?))).collect();
        for seen in &self.seen {
            let actor =
                actor(seen, ty.name).or_else(|| receivers.get(&seen.step).map(|name| (*name).clone()));
            let lane = lanes.number(actor.as_deref().unwrap_or(OTHERS));
            actions.push(Action { step: seen.step, lane, title: seen.title.clone() });
        }
        let mut found = Vec::new();
        for raw in messages {
            let from = lanes.number(raw.from.as_deref().unwrap_or(OTHERS));
            let to = lanes.number(raw.to.as_deref().unwrap_or(OTHERS));
            found.push(Message { label: raw.label, from, to, sent: raw.sent, received: raw.received });
        }
        Some(Chart { failing: self.failing, ..in_order(lanes.names, &own, actions, found) })
    }

    fn sent_and_received(&self, ty: &str, own: &[String]) -> Vec<Raw> {
        let mut open: Vec<(String, Value, usize)> = Vec::new();
        let mut messages: Vec<Raw> = Vec::new();
        let is_wanted = |path: &str| {
            let root = path.split(['[', '.']).next().unwrap_or(path);
            self.wanted.messages.as_ref().is_none_or(|wanted| root.eq_ignore_ascii_case(wanted))
        };
        for seen in &self.seen {
            let actor = actor(seen, ty);
            let through_arrays = through_slots(&seen.slots, ty);
            let through_bags = seen.changes.iter().filter(|change| is_wanted(&change.path));
            for Change { path, kind } in through_bags.chain(&through_arrays) {
                match kind {
                    ChangeKind::Added(value @ (Value::Record(_) | Value::Name(_) | Value::Boolean(_))) => {
                        let ends = Ends::new(path, value, own, actor.as_deref());
                        open.push((path.clone(), value.clone(), messages.len()));
                        messages.push(Raw {
                            label: ends.label.unwrap_or_else(|| words::short(value)),
                            from: ends.from.or_else(|| actor.clone()),
                            to: ends.to,
                            is_apart: ends.is_apart,
                            sent: seen.step,
                            received: None,
                        });
                    }
                    ChangeKind::Removed(value) => {
                        // Of equal elements any may be the one: the oldest.
                        let found = open.iter().position(|(other, sent, _)| other == path && sent == value);
                        if let Some((_, _, number)) = found.map(|at| open.remove(at))
                            && let Some(message) = messages.get_mut(number)
                        {
                            message.received = Some(seen.step);
                            let is_other =
                                |name: &String| !message.is_apart || message.from.as_ref() != Some(name);
                            message.to = message.to.take().or_else(|| actor.clone().filter(is_other));
                        }
                    }
                    ChangeKind::Added(_) | ChangeKind::Changed { .. } => {}
                }
            }
        }
        messages
    }
}

/// What is put into and taken out of channels that are arrays. A message that only moves to
/// another slot of its queue is no change.
fn through_slots(slots: &[(Slot, Option<Value>)], ty: &str) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    let path = |slot: &Slot| match &slot.index {
        Some((index, of)) if *of == ty => format!("{}[{index}]", slot.path),
        _ => slot.path.clone(),
    };
    for (slot, before) in slots {
        let old =
            before.iter().map(|value| (ChangeKind::Removed(value.clone()), ChangeKind::Added(value.clone())));
        let new = slot.message.iter();
        let new = new.map(|value| (ChangeKind::Added(value.clone()), ChangeKind::Removed(value.clone())));
        for (kind, opposite) in old.chain(new) {
            let path = path(slot);
            match changes.iter().position(|other| other.path == path && other.kind == opposite) {
                Some(at) => drop(changes.remove(at)),
                None => changes.push(Change { path, kind }),
            }
        }
    }
    // What is answered is received before the answer is sent.
    changes.sort_by_key(|change| matches!(change.kind, ChangeKind::Added(_)));
    changes
}

/// A message whose ends are names.
struct Raw {
    label: String,
    from: Option<String>,
    to: Option<String>,
    is_apart: bool,
    sent: usize,
    received: Option<usize>,
}

/// The process that takes a step.
fn actor(seen: &Seen, ty: &str) -> Option<String> {
    seen.arguments.iter().find(|(name, _)| *name == ty).map(|(_, label)| label.clone())
}

/// Who sends and who receives a record, by the names of its fields and by the index of the inbox
/// that it lies in.
struct Ends {
    from: Option<String>,
    to: Option<String>,
    label: Option<String>,
    /// It is known of one end alone, by the index of its slot: the other end is somebody else.
    is_apart: bool,
}

const FROM: &[&str] = &["src", "source", "from", "sender", "origin"];
const TO: &[&str] = &["dst", "dest", "destination", "to", "receiver", "target"];

impl Ends {
    fn new(path: &str, value: &Value, own: &[String], actor: Option<&str>) -> Self {
        let fields: &[(&str, Value)] = if let Value::Record(fields) = value { fields } else { &[] };
        let named = |names: &[&str]| {
            let is_named = |name: &str| names.contains(&name.to_ascii_lowercase().as_str());
            let field = fields.iter().find(|(name, _)| is_named(name))?;
            Some((field.0, text(&field.1)?))
        };
        let (from, to) = (named(FROM), named(TO));
        let indices = path.split('[').skip(1).filter_map(|part| part.split_once(']'));
        let indices: Vec<&str> = indices.map(|(index, _)| index).collect();
        let is_own = |index: &str| own.iter().any(|one| one == index);
        let is_apart = from.is_none() && to.is_none() && matches!(indices.as_slice(), [one] if is_own(one));
        let begins = |word: &str| path.to_ascii_lowercase().starts_with(word);
        // `request[c]`, `from_client[c]`, `to_client[c]`, `channel[sender][receiver]`, `inbox[c]`.
        let (source, inbox) = match indices.as_slice() {
            [index] if is_apart && (begins("from") || (!begins("to") && actor == Some(*index))) => {
                (Some(*index), None)
            }
            [index] if is_apart && actor == Some(*index) => (Some(OTHERS), Some(*index)),
            [source, target, ..] if is_own(source) => (Some(*source), Some(*target)),
            all => (None, all.first().copied()),
        };
        let is_end =
            |name: &str| [&from, &to].iter().any(|end| matches!(end, Some((end, _)) if *end == name));
        // What kind of message it is: the first name that is nobody's.
        let label = fields.iter().find_map(|(name, value)| match value {
            Value::Name(kind) if !is_end(name) && !own.iter().any(|one| one == kind) => {
                Some((*kind).to_owned())
            }
            _ => None,
        });
        Ends {
            from: from.map(|(_, end)| end).or(source.map(str::to_owned)),
            to: to.map(|(_, end)| end).or(inbox.map(str::to_owned)),
            label,
            is_apart,
        }
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Name(name) => Some((*name).to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Undefined | Value::Boolean(_) | Value::Array(_) | Value::Record(_) | Value::Bag(_) => None,
    }
}

struct Lanes {
    names: Vec<String>,
}

impl Lanes {
    fn number(&mut self, name: &str) -> usize {
        match self.names.iter().position(|other| other == name) {
            Some(at) => at,
            None => {
                self.names.push(name.to_owned());
                self.names.len() - 1
            }
        }
    }
}

/// Lanes of others first, then those of the type in its order.
fn in_order(
    names: Vec<String>,
    own: &[String],
    mut actions: Vec<Action>,
    mut messages: Vec<Message>,
) -> Chart {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&lane| own.iter().position(|name| *name == names[lane]).map_or(0, |at| at + 1));
    let mut place = vec![0; names.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    for action in &mut actions {
        action.lane = place[action.lane];
    }
    for message in &mut messages {
        (message.from, message.to) = (place[message.from], place[message.to]);
    }
    Chart {
        lanes: order.into_iter().map(|lane| names[lane].clone()).collect(),
        actions,
        messages,
        failing: None,
    }
}
