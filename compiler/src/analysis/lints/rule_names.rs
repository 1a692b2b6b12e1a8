//! Rules of the same name, which a trace does not distinguish.

use std::collections::HashMap;

use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, Rule};

pub fn lint(model: &Model) -> Vec<Diagnostic> {
    let mut by_name: HashMap<&str, Vec<&Rule>> = HashMap::new();
    for (index, rule) in model.rules.iter().enumerate() {
        // Rules without a name are called by their number.
        if rule.name != format!("Rule {}", index + 1) {
            by_name.entry(rule.name.as_str()).or_default().push(rule);
        }
    }
    let mut found = Vec::new();
    for (name, rules) in by_name {
        let [first, others @ ..] = rules.as_slice() else { continue };
        let Some(second) = others.first() else { continue };
        let message = match rules.len() {
            2 => format!("two rules are called \"{name}\""),
            number => format!("{number} rules are called \"{name}\""),
        };
        let diagnostic = Diagnostic::warning("same-rule-name", second.header, message)
            .also(first.header, "the first one")
            .help("a trace does not tell which of them fired");
        found.push(diagnostic);
    }
    found.sort_by_key(|one| one.primary.span.start);
    found
}
