//! What a search finds wrong with a model.

use crate::contract::fault::{Fault, FaultKind};
use crate::contract::model::{
    Description, Position, Property, PropertyId, PropertyKind, RuleId, StartId, Violation,
};
use crate::contract::successors::FaultyFiring;
use crate::contract::values::{Instance, instance};

/// A path from a start state: all that is needed to replay it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub start: StartId,
    pub rules: Vec<RuleId>,
}

/// A problem, and the path to it.
#[derive(Clone, Debug)]
pub struct Finding {
    pub problem: Problem,
    /// The path to the state with the problem. For a fault in a rule: to the state in which it
    /// fires.
    pub path: Option<Path>,
    /// Why there is no path, where there should be one.
    pub untraced: Option<Untraced>,
    /// Of a run that goes on for ever: where on the path its loop begins.
    pub lasso: Option<Lasso>,
}

/// A run that goes on for ever: the rules of the path up to `stem`, and then those behind it again
/// and again. If there are none, the run stays in its last state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    pub stem: usize,
    /// Why each rule that is to be treated fairly is treated so in the loop.
    pub fair: Vec<Treated>,
}

/// Why an instance of a rule is treated fairly in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Treated {
    pub rule: RuleId,
    pub strong: bool,
    pub how: Treatment,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// The step of the path with this number, from 0, fires it.
    Fires(usize),
    /// It is not enabled in the state after this number of steps of the path.
    Disabled(usize),
    /// It is enabled in no state of the loop.
    NeverEnabled,
}

/// Why there is no path to an error that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untraced {
    /// States on it defied symmetry reduction, so it cannot be followed with the same names.
    Symmetry,
    /// There was no memory left to follow it.
    Memory,
}

impl Untraced {
    /// One word for it, as in the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            Untraced::Symmetry => "symmetry",
            Untraced::Memory => "memory",
        }
    }
}

impl Finding {
    /// With the path to it.
    pub fn traced(problem: Problem, path: Path) -> Self {
        Finding { problem, path: Some(path), untraced: None, lasso: None }
    }

    /// With a run that goes on for ever.
    pub fn looping(problem: Problem, path: Path, lasso: Lasso) -> Self {
        Finding { lasso: Some(lasso), ..Finding::traced(problem, path) }
    }

    /// Of a problem to which no path leads: a start state that fails, a cover that is never
    /// reached.
    pub fn pathless(problem: Problem) -> Self {
        Finding { problem, path: None, untraced: None, lasso: None }
    }

    /// Whether the state in question was left without looking at its successors.
    pub fn hides_states(&self) -> bool {
        self.problem.hides_states()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// No rule changes the state.
    Deadlock,
    /// No rule changes the state, and a `deadlock` property says that this is an error.
    ClaimedDeadlock {
        property: PropertyId,
    },
    /// A run breaks an `ltl` property, or leads to a state from which a `liveness` property cannot
    /// be reached again.
    Temporal {
        property: PropertyId,
    },
    /// An invariant is false.
    Violated {
        property: PropertyId,
    },
    /// A property cannot be evaluated.
    PropertyFault {
        property: PropertyId,
        fault: Fault,
        value: i64,
    },
    RuleFault {
        rule: RuleId,
        fault: Fault,
        value: i64,
        in_guard: bool,
    },
    StartFault {
        start: StartId,
        fault: Fault,
        value: i64,
    },
    /// A `cover` was not reached: a property, or a statement numbered on after the properties.
    NeverCovered {
        counter: usize,
    },
}

impl Problem {
    /// One word for it, as in the JSON report.
    pub fn kind(&self, description: &Description) -> &'static str {
        match self {
            Problem::Deadlock | Problem::ClaimedDeadlock { .. } => "deadlock",
            Problem::Violated { property } | Problem::Temporal { property } => {
                match description.properties.get(property.0 as usize).map(|property| property.kind) {
                    Some(PropertyKind::Reject) => "reject",
                    Some(PropertyKind::Liveness) => "liveness",
                    Some(PropertyKind::Ltl | PropertyKind::Safety) => "ltl",
                    Some(
                        PropertyKind::Invariant
                        | PropertyKind::Assume
                        | PropertyKind::Cover
                        | PropertyKind::Deadlock,
                    )
                    | None => "invariant",
                }
            }
            Problem::NeverCovered { .. } => "cover",
            Problem::PropertyFault { fault, .. }
            | Problem::RuleFault { fault, .. }
            | Problem::StartFault { fault, .. } => match description.sites.get(fault.site()) {
                Some(site) => kind_of_fault(site.kind),
                None => "unknown",
            },
        }
    }

    /// Whether the state in question is not expanded.
    pub fn hides_states(&self) -> bool {
        match self {
            Problem::Violated { .. } | Problem::PropertyFault { .. } => true,
            Problem::Deadlock
            | Problem::ClaimedDeadlock { .. }
            | Problem::Temporal { .. }
            | Problem::RuleFault { .. }
            | Problem::StartFault { .. }
            | Problem::NeverCovered { .. } => false,
        }
    }

    /// The property that a state violates.
    pub fn property(&self) -> Option<PropertyId> {
        match *self {
            Problem::Violated { property }
            | Problem::PropertyFault { property, .. }
            | Problem::ClaimedDeadlock { property }
            | Problem::Temporal { property } => Some(property),
            Problem::Deadlock
            | Problem::RuleFault { .. }
            | Problem::StartFault { .. }
            | Problem::NeverCovered { .. } => None,
        }
    }

    /// The name of the property or `cover` statement that it is about, as the text gives it.
    pub fn property_name(&self, description: &Description) -> Option<&'static str> {
        let properties = description.properties;
        match *self {
            Problem::NeverCovered { counter } => match counter.checked_sub(properties.len()) {
                Some(statement) => description.cover_statements.get(statement).map(|cover| cover.name),
                None => properties.get(counter).map(|property| property.name),
            },
            Problem::Violated { .. }
            | Problem::PropertyFault { .. }
            | Problem::ClaimedDeadlock { .. }
            | Problem::Temporal { .. }
            | Problem::Deadlock
            | Problem::RuleFault { .. }
            | Problem::StartFault { .. } => {
                let property = self.property()?;
                properties.get(property.0 as usize).map(|property| property.name)
            }
        }
    }

    /// What makes it another error than others of the same state. The number that caused a fault
    /// follows from the state, or means nothing, and then it may be any; for a guard, so does the
    /// instance of the rule in which it was noticed first.
    pub fn identity(self, description: &Description) -> Problem {
        match self {
            Problem::PropertyFault { property, fault, value: _ } => {
                Problem::PropertyFault { property, fault, value: 0 }
            }
            Problem::RuleFault { rule, fault, value: _, in_guard: true } => {
                let first = instance(description.rules, rule.0).map_or(rule.0, |found| found.family.first);
                Problem::RuleFault { rule: RuleId(first), fault, value: 0, in_guard: true }
            }
            Problem::RuleFault { rule, fault, value: _, in_guard: false } => {
                Problem::RuleFault { rule, fault, value: 0, in_guard: false }
            }
            Problem::StartFault { start, fault, value: _ } => Problem::StartFault { start, fault, value: 0 },
            Problem::Deadlock
            | Problem::ClaimedDeadlock { .. }
            | Problem::Temporal { .. }
            | Problem::Violated { .. }
            | Problem::NeverCovered { .. } => self,
        }
    }

    /// What went wrong, in a sentence.
    pub fn message(&self, description: &Description) -> String {
        match *self {
            Problem::Deadlock => "deadlock: no rule changes this state".to_owned(),
            Problem::ClaimedDeadlock { property } => {
                let name = name_of(description, property);
                format!("deadlock \"{name}\": no rule changes this state")
            }
            Problem::Violated { property } | Problem::Temporal { property } => {
                violation_message(description, property)
            }
            Problem::PropertyFault { property, fault, value } => {
                let name = name_of(description, property);
                format!(
                    "property \"{name}\" cannot be evaluated: {}",
                    fault_message(description, fault, value)
                )
            }
            Problem::RuleFault { fault, value, .. } | Problem::StartFault { fault, value, .. } => {
                fault_message(description, fault, value)
            }
            Problem::NeverCovered { counter } => {
                let (name, what) = match description.properties.get(counter) {
                    Some(property) => (property.name, "property"),
                    None => (
                        description
                            .cover_statements
                            .get(counter - description.properties.len())
                            .map_or("", |cover| cover.name),
                        "statement",
                    ),
                };
                format!("cover {what} \"{name}\" was never reached")
            }
        }
    }

    /// The instance of a rule or start rule that failed, if that is the problem.
    pub fn culprit(&self, description: &Description) -> Option<Instance> {
        match *self {
            Problem::RuleFault { rule, .. } => instance(description.rules, rule.0),
            Problem::StartFault { start, .. } => instance(description.starts, start.0),
            Problem::Deadlock
            | Problem::ClaimedDeadlock { .. }
            | Problem::Temporal { .. }
            | Problem::Violated { .. }
            | Problem::PropertyFault { .. }
            | Problem::NeverCovered { .. } => None,
        }
    }

    /// What went wrong, in which rule, and in which line, for an error that is mentioned in a
    /// sentence. Names no elements.
    pub fn in_words(&self, description: &Description) -> String {
        let mut words = self.message(description);
        if let Some(found) = self.culprit(description) {
            words.push_str(&format!(", in rule \"{}\"", found.family.name));
        }
        if let Some(position) = self.position(description) {
            words.push_str(&format!(", line {}", position.line));
        }
        words
    }

    /// Where in the model's text.
    pub fn position(&self, description: &Description) -> Option<Position> {
        match *self {
            Problem::Deadlock => None,
            Problem::Violated { property }
            | Problem::ClaimedDeadlock { property }
            | Problem::Temporal { property } => {
                description.properties.get(property.0 as usize).map(|property| property.position)
            }
            Problem::PropertyFault { fault, .. }
            | Problem::RuleFault { fault, .. }
            | Problem::StartFault { fault, .. } => {
                description.sites.get(fault.site()).map(|site| site.position)
            }
            Problem::NeverCovered { counter } => match description.properties.get(counter) {
                Some(property) => Some(property.position),
                None => description
                    .cover_statements
                    .get(counter - description.properties.len())
                    .map(|cover| cover.position),
            },
        }
    }
}

fn name_of(description: &Description, property: PropertyId) -> &'static str {
    description.properties.get(property.0 as usize).map_or("", |property| property.name)
}

/// What it means that a property is violated, by its kind.
fn violation_message(description: &Description, property: PropertyId) -> String {
    let Some(Property { kind, name, .. }) = description.properties.get(property.0 as usize) else {
        return "an invariant is false".to_owned();
    };
    match kind {
        PropertyKind::Reject => format!("reject \"{name}\" holds"),
        PropertyKind::Liveness => format!("liveness \"{name}\" can never be reached again"),
        PropertyKind::Ltl => format!("formula \"{name}\" is false for this run"),
        PropertyKind::Safety => format!("formula \"{name}\" is false for every run that begins like this"),
        PropertyKind::Invariant | PropertyKind::Assume | PropertyKind::Cover | PropertyKind::Deadlock => {
            format!("invariant \"{name}\" is false")
        }
    }
}

fn kind_of_fault(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Pruned => "assumption",
        FaultKind::Assertion => "assertion",
        FaultKind::ErrorStatement => "error",
        FaultKind::Range => "range",
        FaultKind::Index => "index",
        FaultKind::Undefined => "undefined",
        FaultKind::Division => "division",
        FaultKind::Overflow => "overflow",
        FaultKind::LoopBound => "loop",
        FaultKind::MissingReturn => "return",
        FaultKind::Multiset => "multiset",
        FaultKind::Recursion => "recursion",
    }
}

fn fault_message(description: &Description, fault: Fault, value: i64) -> String {
    match description.sites.get(fault.site()) {
        // The user's own words, which have no place for a number.
        Some(site) if matches!(site.kind, FaultKind::Assertion | FaultKind::ErrorStatement) => {
            site.message.to_owned()
        }
        Some(site) => site.message.replacen("{}", &value.to_string(), 1),
        None => format!("an error at the unknown site {}", fault.site()),
    }
}

impl From<FaultyFiring> for Problem {
    fn from(FaultyFiring { rule, fault, value, in_guard }: FaultyFiring) -> Self {
        Problem::RuleFault { rule, fault, value, in_guard }
    }
}

/// What a violation is to the user.
pub fn problem_of(violation: Violation) -> Problem {
    match violation {
        Violation { property, fault: None } => Problem::Violated { property },
        Violation { property, fault: Some(fault) } => {
            Problem::PropertyFault { property, fault, value: Fault::value() }
        }
    }
}
