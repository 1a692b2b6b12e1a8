//! What a report says about each rule and each property of the model.

use super::verdict::Verdict;
use crate::contract::model::{Description, PropertyId, PropertyKind};
use crate::search::Outcome;

/// A rule as written, with all its instances.
#[derive(Clone, Copy, Debug)]
pub struct RuleStats {
    pub name: &'static str,
    pub line: u32,
    pub instances: u32,
    /// How often it fired.
    pub fired: u64,
}

/// A property or a `cover` statement.
#[derive(Clone, Copy, Debug)]
pub struct PropertyStats {
    pub kind: ReportedKind,
    pub name: &'static str,
    pub line: u32,
    /// How often a `cover` was reached.
    pub count: Option<u64>,
    pub status: Status,
}

/// What is checked: a property of states, or a `cover` statement within a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedKind {
    Property(PropertyKind),
    CoverStatement,
}

impl ReportedKind {
    /// The word of the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            ReportedKind::Property(PropertyKind::Invariant) => "invariant",
            ReportedKind::Property(PropertyKind::Assume) => "assume",
            ReportedKind::Property(PropertyKind::Cover) => "cover",
            ReportedKind::Property(PropertyKind::Reject) => "reject",
            ReportedKind::Property(PropertyKind::Deadlock) => "deadlock",
            ReportedKind::Property(PropertyKind::Liveness) => "liveness",
            ReportedKind::Property(PropertyKind::Ltl | PropertyKind::Safety) => "ltl",
            ReportedKind::CoverStatement => "cover-statement",
        }
    }
}

/// What is known of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Violated,
    Holds,
    NoViolationYet,
    Assumed,
    Reached,
    NeverReached,
    NotReachedYet,
}

impl Status {
    /// The word of the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            Status::Violated => "violated",
            Status::Holds => "holds",
            Status::NoViolationYet => "no-violation-yet",
            Status::Assumed => "assumed",
            Status::Reached => "reached",
            Status::NeverReached => "never-reached",
            Status::NotReachedYet => "not-reached-yet",
        }
    }
}

/// Each rule family with how often it fired.
pub(super) fn rules(description: &'static Description, outcome: &Outcome) -> Vec<RuleStats> {
    let stats = description.rules.iter().zip(&outcome.fired).map(|(family, &fired)| RuleStats {
        name: family.name,
        line: family.position.line,
        instances: family.instances,
        fired,
    });
    stats.collect()
}

/// Each property and then each `cover` statement.
pub(super) fn properties(
    description: &'static Description,
    outcome: &Outcome,
    verdict: Verdict,
) -> Vec<PropertyStats> {
    let all_seen = verdict == Verdict::Verified || outcome.explored_all();
    let covered = |count: u64| match count {
        0 if all_seen => Status::NeverReached,
        0 => Status::NotReachedYet,
        _ => Status::Reached,
    };
    let count = |number: usize| outcome.covered.get(number).copied().unwrap_or(0);
    let is_violated = |number: usize| outcome.errors.violated.contains(&PropertyId(number as u32));
    let holds = |number: usize| {
        let checked = outcome.temporal.as_ref();
        checked.is_some_and(|checked| checked.hold.contains(&PropertyId(number as u32)))
    };
    let of_properties = description.properties.iter().enumerate().map(|(number, property)| {
        let status = match property.kind {
            _ if is_violated(number) => Status::Violated,
            PropertyKind::Cover => covered(count(number)),
            PropertyKind::Assume => Status::Assumed,
            PropertyKind::Invariant
            | PropertyKind::Reject
            | PropertyKind::Deadlock
            | PropertyKind::Safety
                if all_seen =>
            {
                Status::Holds
            }
            PropertyKind::Liveness | PropertyKind::Ltl if holds(number) => Status::Holds,
            PropertyKind::Invariant
            | PropertyKind::Reject
            | PropertyKind::Deadlock
            | PropertyKind::Liveness
            | PropertyKind::Ltl
            | PropertyKind::Safety => Status::NoViolationYet,
        };
        PropertyStats {
            kind: ReportedKind::Property(property.kind),
            name: property.name,
            line: property.position.line,
            count: (property.kind == PropertyKind::Cover).then(|| count(number)),
            status,
        }
    });
    let statements = description.cover_statements.iter().enumerate().map(|(number, cover)| {
        let count = count(description.properties.len() + number);
        PropertyStats {
            kind: ReportedKind::CoverStatement,
            name: cover.name,
            line: cover.position.line,
            count: Some(count),
            status: covered(count),
        }
    });
    of_properties.chain(statements).collect()
}
