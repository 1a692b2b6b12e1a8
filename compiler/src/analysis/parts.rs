//! The parts of a model's text whose evaluations `--coverage` counts: statements, guards, and the
//! conditions of properties, each known by where it begins.

use crate::semantics::model::{Model, PropertyKind, Statement};
use crate::semantics::visit::{Visit, visit_statements, walk_statement};
use mcc_runtime::contract::coverage::PartKind;

/// Where the parts begin, in the order of the text.
pub fn parts(model: &Model) -> Vec<(u32, PartKind)> {
    let mut lister = Lister { found: Vec::new() };
    model.functions.iter().for_each(|function| visit_statements(&mut lister, &function.body));
    model.starts.iter().for_each(|start| visit_statements(&mut lister, &start.body));
    for rule in &model.rules {
        lister.found.extend(rule.guard.iter().map(|guard| (guard.span.start, PartKind::Guard)));
        visit_statements(&mut lister, &rule.body);
    }
    // What is evaluated state by state; formulas about runs have conditions of their own.
    let properties = model.properties.iter().filter(|property| match property.kind {
        PropertyKind::Invariant | PropertyKind::Assume | PropertyKind::Cover | PropertyKind::Reject => true,
        PropertyKind::Deadlock
        | PropertyKind::Liveness
        | PropertyKind::Ltl
        | PropertyKind::Safety
        | PropertyKind::Atom => false,
    });
    let starts = properties.map(|property| (property.condition.span.start, PartKind::Property));
    lister.found.extend(starts);
    let mut found = lister.found;
    found.sort_unstable();
    found.dedup();
    found
}

struct Lister {
    found: Vec<(u32, PartKind)>,
}

impl<'m> Visit<'m> for Lister {
    fn visit_statement(&mut self, statement: &'m Statement) {
        self.found.push((statement.span.start, PartKind::Statement));
        walk_statement(self, statement);
    }
}
