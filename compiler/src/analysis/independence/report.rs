//! What couples the rules of a model, rule by rule: plain data, for the screen and for other
//! programs.

use serde::Serialize;

use super::Independence;
use super::describe::{Words, own_parameters, parameters};
use super::footprint::{Access, AccessKind, Demand, Origin};
use super::relation::{Conflict, Relation, conflicts};
use crate::semantics::model::{Model, Rule};
use crate::source::Source;

#[derive(Debug, Serialize)]
pub struct Report {
    pub model: String,
    pub rules: Vec<RuleEntry>,
    /// Each rule with itself and those after it.
    pub pairs: Vec<Pair>,
}

#[derive(Debug, Serialize)]
pub struct RuleEntry {
    pub name: String,
    pub line: u32,
    pub parameters: Vec<String>,
}

/// Whether different instances of two rules are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Always,
    /// Where [`Pair::when`] holds.
    When,
    Never,
}

#[derive(Debug, Serialize)]
pub struct Pair {
    /// Positions in [`Report::rules`].
    pub left: usize,
    pub right: usize,
    pub independent: Verdict,
    pub when: Option<String>,
    pub causes: Vec<Cause>,
}

/// Two places that meet, one of them written.
#[derive(Debug, Serialize)]
pub struct Cause {
    pub left: Place,
    pub right: Place,
    /// For which instances they do; `None`: for all.
    pub when: Option<String>,
}

/// A place, as a rule calls it, and the lines where the rule does what is in the other's way.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    pub path: String,
    pub read: Option<Reading>,
    pub written: Option<u32>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    pub line: u32,
    /// `rule`, `assumption` or `priority`.
    pub by: &'static str,
}

impl Report {
    pub fn new(model: &Model, source: &Source, independence: &Independence) -> Self {
        let line = |offset: u32| source.position(offset).line;
        let entry = |rule: &Rule| RuleEntry {
            name: rule.name.clone(),
            line: line(rule.header.start),
            parameters: own_parameters(rule).into_iter().map(|parameter| parameter.name).collect(),
        };
        let mut pairs = Vec::new();
        for left in 0..model.rules.len() {
            for right in left..model.rules.len() {
                pairs.push(pair(model, source, independence, left, right));
            }
        }
        Report { model: source.name.clone(), rules: model.rules.iter().map(entry).collect(), pairs }
    }
}

fn pair(model: &Model, source: &Source, independence: &Independence, left: usize, right: usize) -> Pair {
    let (left_names, right_names) = parameters(&model.rules[left], &model.rules[right]);
    let names = (left_names.as_slice(), right_names.as_slice());
    let words = Words { model };
    let (independent, when) = match independence.relation(left, right) {
        Relation::Independent => (Verdict::Always, None),
        Relation::Dependent => (Verdict::Never, None),
        Relation::When(lists) => (Verdict::When, Some(words.none(lists, names))),
    };
    let mut causes: Vec<Cause> = Vec::new();
    let families = (&independence.families[left], &independence.families[right]);
    for conflict in conflicts(families.0, families.1, left == right, Demand::Commute) {
        let paths = (words.path(&conflict.left.path, names.0), words.path(&conflict.right.path, names.1));
        let known =
            causes.iter_mut().find(|cause| (&cause.left.path, &cause.right.path) == (&paths.0, &paths.1));
        match known {
            Some(cause) => cause.add(source, &conflict),
            None => {
                let when = (!conflict.when.is_empty()).then(|| words.all(&conflict.when, names));
                let mut cause = Cause { left: Place::new(paths.0), right: Place::new(paths.1), when };
                cause.add(source, &conflict);
                causes.push(cause);
            }
        }
    }
    if left == right {
        causes = one_way(causes);
    }
    Pair { left, right, independent, when, causes }
}

/// Between instances of one rule each conflict is there twice, seen from either side.
fn one_way(causes: Vec<Cause>) -> Vec<Cause> {
    let mut kept: Vec<Cause> = Vec::with_capacity(causes.len());
    for cause in causes {
        let mirrored = kept.iter().any(|other| {
            let lines = |place: &Place| (place.read.as_ref().map(|read| read.line), place.written);
            lines(&other.left) == lines(&cause.right)
                && lines(&other.right) == lines(&cause.left)
                && lines(&cause.left) != lines(&cause.right)
        });
        if !mirrored {
            kept.push(cause);
        }
    }
    kept
}

impl Cause {
    fn add(&mut self, source: &Source, conflict: &Conflict) {
        self.left.add(source, conflict.left);
        self.right.add(source, conflict.right);
    }
}

impl Place {
    fn new(path: String) -> Self {
        Place { path, read: None, written: None }
    }

    fn add(&mut self, source: &Source, access: &Access) {
        let line = source.position(access.span.start).line;
        match access.kind {
            AccessKind::Read => {
                let by = match access.origin {
                    Origin::Rule => "rule",
                    Origin::Assumption => "assumption",
                    Origin::Priority => "priority",
                };
                self.read.get_or_insert(Reading { line, by });
            }
            AccessKind::Write(_) => {
                self.written.get_or_insert(line);
            }
        }
    }
}
