//! Rust names for the model's names. A model may call things `type`, `Self`, `State` and `STATE`: each
//! name comes out as itself where Rust allows it, and with underscores behind it where not.

use proc_macro2::{Ident, Span};
use std::collections::HashSet;

/// Words that cannot be used as they are. Raw identifiers (`r#type`) would serve for most, but not for all,
/// and read worse than an underscore.
const KEYWORDS: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "Self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "macro_rules",
    "raw",
    "safe",
    "_",
];

/// Names that the generated code itself uses for types, traits, constants and functions.
pub const ITEMS: &[&str] = &[
    "State",
    "Storage",
    "Layout",
    "SimpleCell",
    "One",
    "Two",
    "Four",
    "Eight",
    "Nine",
    "Array",
    "Multiset",
    "Context",
    "Fault",
    "FaultKind",
    "Site",
    "Successors",
    "Model",
    "TheModel",
    "Description",
    "Variable",
    "Type",
    "Simple",
    "Width",
    "Labels",
    "Family",
    "Parameter",
    "Field",
    "Property",
    "PropertyKind",
    "Cover",
    "Position",
    "RuleId",
    "StartId",
    "PropertyId",
    "Violation",
    "Firing",
    "StackUse",
    "Option",
    "Some",
    "None",
    "Result",
    "Ok",
    "Err",
    "String",
    "Vec",
    "Box",
    "Send",
    "Sync",
    "Copy",
    "Clone",
    "Drop",
    "Iterator",
    "From",
    "Into",
    "Default",
    "MODEL",
    "DESCRIPTION",
    "RULES",
    "STARTS",
    "PROPERTIES",
    "SITES",
    "VARIABLES",
    "COVER_STATEMENTS",
    "Fn",
    "FnMut",
    "FnOnce",
    "ToString",
    "ToOwned",
    "AsRef",
    "AsMut",
    "Eq",
    "PartialEq",
    "Ord",
    "PartialOrd",
    "Extend",
    "IntoIterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Unpin",
    "Sized",
    "FromIterator",
    "TryFrom",
    "TryInto",
    "i64",
    "u32",
    "u64",
    "usize",
    "bool",
    "str",
    "within",
    "add",
    "subtract",
    "multiply",
    "negate",
    "divide",
    "modulo",
    "shift_left",
    "shift_right",
    "steps",
    "same_normalised",
    "fire_one",
    "holds",
    "covers",
    "settle",
    "drop",
];

/// How the names of generated items begin, before a number or a name of the model.
const NUMBERED: &[&str] = &["rule_", "start_", "property_", "TYPE_", "SIMPLE_"];
const NAMED: &[&str] = &["function_", "recursive_"];

/// Names that the generated code itself uses for local variables.
pub const VALUES: &[&str] = &[
    "context",
    "state",
    "words",
    "next",
    "successors",
    "rule",
    "turns",
    "subject",
    "count",
    "multiset",
    "slot",
    "temporary",
    "source",
    "target",
    "parameter",
    "value",
    "result",
    "before",
    "other",
    "turn",
    "element",
    "left",
    "right",
];

/// Hands out names that are unique in one namespace.
#[derive(Clone, Debug)]
pub struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// `reserved`: names that are already spoken for.
    pub fn new<'a>(reserved: impl IntoIterator<Item = &'a str>) -> Self {
        let taken = KEYWORDS.iter().copied().chain(reserved).map(str::to_owned).collect();
        Names { taken }
    }

    /// The given name of the model, or the nearest one that is still free.
    pub fn claim(&mut self, wanted: &str) -> Ident {
        let mut name: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || looks_generated(&name) {
            name.insert(0, '_');
        }
        self.claim_generated(name)
    }

    /// The same for a name that the generator has made up.
    pub fn claim_generated(&mut self, mut name: String) -> Ident {
        while !self.taken.insert(name.clone()) {
            name.push('_');
        }
        Ident::new(&name, Span::call_site())
    }
}

/// Whether a name could be that of a generated item.
fn looks_generated(name: &str) -> bool {
    let numbered = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    NUMBERED.iter().any(|prefix| numbered(prefix)) || NAMED.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_names_are_left_alone() {
        let mut names = Names::new([]);
        let claimed: Vec<String> =
            ["rule_0_body", "rule_x", "function_f"].map(|name| names.claim(name).to_string()).to_vec();
        assert_eq!(claimed, ["_rule_0_body", "rule_x", "_function_f"]);
        assert_eq!(names.claim_generated("function_f".to_owned()).to_string(), "function_f");
    }

    #[test]
    fn keywords_and_repetitions_give_way() {
        let mut names = Names::new(["state"]);
        let claimed: Vec<String> = ["type", "type", "type_", "self", "_", "state", "State", "3x", "a-b"]
            .iter()
            .map(|name| names.claim(name).to_string())
            .collect();
        assert_eq!(claimed, ["type_", "type__", "type___", "self_", "__", "state_", "State", "_3x", "a_b"]);
    }
}
