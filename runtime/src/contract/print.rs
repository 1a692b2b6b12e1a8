//! Rules, states and steps as lines of text, by the model's static tables.

use super::model::{Description, RuleId, StartId};
use super::values::{Leaf, instance, leaves};
use std::collections::HashMap;
use std::io::Write;

/// How much of each state a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// What changed.
    Differences,
    Full,
    /// What changed of what an error depends on.
    Short,
    /// Steps beside each other, and the values that change below.
    Table,
    /// No trace at all.
    Off,
}

pub const LINE: &str = "----------";

/// `Rule "name", i:Proc_1`.
pub fn rule_name(description: &Description, rule: RuleId) -> String {
    instance(description.rules, rule.0)
        .map_or_else(|| format!("Rule {}", rule.0), |found| format!("Rule {found}"))
}

/// `Startstate "name", i:Proc_1`.
pub fn start_name(description: &Description, start: StartId) -> String {
    instance(description.starts, start.0)
        .map_or_else(|| format!("Startstate {}", start.0), |found| format!("Startstate {found}"))
}

/// Writes one step of a path.
pub fn write_step(
    out: &mut dyn Write,
    description: &Description,
    rule: RuleId,
    before: &[u64],
    after: &[u64],
    style: Style,
) {
    let _ = writeln!(out, "\n{} fired.", rule_name(description, rule));
    match style {
        Style::Differences | Style::Short | Style::Table => {
            write_differences(out, description, before, after)
        }
        Style::Full => write_state(out, description, after),
        Style::Off => {}
    }
    let _ = writeln!(out, "{LINE}");
}

pub fn write_state(out: &mut dyn Write, description: &Description, state: &[u64]) {
    for Leaf { path, value } in leaves(description, state) {
        let _ = writeln!(out, "{path}:{value}");
    }
}

/// Writes the values that are not what they were.
pub fn write_differences(out: &mut dyn Write, description: &Description, before: &[u64], after: &[u64]) {
    let mut old: HashMap<String, String> =
        leaves(description, before).into_iter().map(|leaf| (leaf.path, leaf.value)).collect();
    for Leaf { path, value } in leaves(description, after) {
        if old.remove(&path).as_ref() != Some(&value) {
            let _ = writeln!(out, "{path}:{value}");
        }
    }
    // What is left was in a slot of a multiset that is empty now.
    let mut gone: Vec<String> = old.into_keys().collect();
    gone.sort_unstable();
    for path in gone {
        let _ = writeln!(out, "{path}: removed");
    }
}
