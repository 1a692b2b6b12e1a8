//! Rust names for the model's names. A model may call things `type`, `Self`, `State` and `STATE`:
//! each name comes out as itself where Rust allows it, and with underscores behind it where not.

use proc_macro2::{Ident, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Words that cannot be used as they are. Raw identifiers (`r#type`) would serve for most, but not
/// for all, and read worse than an underscore.
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

/// Names that the generated code itself uses for types, traits and constants.
pub const ITEMS: &[&str] = &[
    "State",
    "Storage",
    "Layout",
    "SimpleCell",
    "OptionalCell",
    "One",
    "Two",
    "Four",
    "Eight",
    "Nine",
    "Array",
    "Bags",
    "Doubt",
    "Cell",
    "Multiset",
    "Context",
    "Fault",
    "FaultKind",
    "Site",
    "Change",
    "Successors",
    "Model",
    "TheModel",
    "Description",
    "Variable",
    "Type",
    "Simple",
    "Scalarset",
    "Span",
    "Symmetry",
    "TableSymmetry",
    "Looking",
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
    "UNDEFINED",
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
    "Steps",
    // A type of such a name would take the place of the built-in one, or of the crate.
    "i64",
    "u64",
    "u32",
    "u8",
    "usize",
    "bool",
    "str",
    "mcc_runtime",
    "std",
    "core",
    "alloc",
];

/// How the names of generated functions and tables begin.
const BEGINNINGS: &[&str] = &[
    "rule_",
    "start_",
    "property_",
    "function_",
    "recursive_",
    "parameter_",
    "TYPE_",
    "SIMPLE_",
    "look_",
    "rename_",
    "settle_",
    "fixed_",
    "swapped_",
    "PLAIN_",
    "part_",
    "piece_",
    "position_",
    "salt_",
    "from_",
    "into_",
    "why_",
];

/// Names that the generated code itself uses for local variables and functions.
pub const VALUES: &[&str] = &[
    "context",
    "compared",
    "defined",
    "state",
    "words",
    "next",
    "successors",
    "rule",
    "turns",
    "written",
    "due",
    "check_due",
    "all_hold",
    "unchanged",
    "one_holds",
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
    "settle",
    "element",
    "left",
    "right",
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
    "attempt_apart",
    "started",
    "enabled",
    "body",
    "holds",
    "covers",
    "mix",
    "linked",
    "new_names",
    "nothing",
    "plain",
    "short",
    "start_colours",
    "why",
    "noted",
];

/// Names that the generated code binds where no local of a model can be meant. An item of such a
/// name would be taken for a pattern there.
pub const BINDINGS: &[&str] = &[
    "before", "other", "turn", "fires", "at", "colours", "inner", "into", "bags", "looking", "place", "row",
    "shape", "tie", "to", "SPREAD",
];

/// Items of one name that are distinguished by underscores; further ones get numbers.
const MOST_UNDERSCORES: usize = 8;

/// Hands out names that are unique in one namespace.
#[derive(Clone, Debug)]
pub struct Names {
    taken: HashSet<String>,
    /// More names that are spoken for: shared, since there may be many namespaces and many such
    /// names.
    beside: Rc<HashSet<String>>,
    /// The next number for each name that several items have.
    counted: HashMap<String, usize>,
    /// Whether generated functions and tables live in this namespace.
    with_generated: bool,
}

impl Names {
    /// `reserved`: names that are already spoken for.
    pub fn new<'a>(reserved: impl IntoIterator<Item = &'a str>) -> Self {
        let taken = KEYWORDS.iter().copied().chain(reserved).map(str::to_owned).collect();
        Names { taken, beside: Rc::default(), counted: HashMap::new(), with_generated: false }
    }

    /// Names that meet those of the generated code.
    pub fn beside_generated<'a>(reserved: impl IntoIterator<Item = &'a str>) -> Self {
        Names { with_generated: true, ..Names::new(reserved) }
    }

    /// The names of generated code, and of all that is handed out by those who share them.
    pub fn beside(reserved: &Rc<HashSet<String>>) -> Self {
        let beside = Rc::clone(reserved);
        Names { taken: HashSet::new(), beside, counted: HashMap::new(), with_generated: true }
    }

    /// What [`Names::beside`] shares.
    pub fn into_reserved(self) -> Rc<HashSet<String>> {
        Rc::new(self.taken)
    }

    /// Whether the name was free; it is not any more.
    fn take(&mut self, name: &str) -> bool {
        !self.beside.contains(name) && self.taken.insert(name.to_owned())
    }

    /// The given name, or the nearest one that is still free.
    pub fn claim(&mut self, wanted: &str) -> Ident {
        let mut name: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        // No generated name ends in an underscore, but for those that are among the reserved.
        if self.with_generated && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
            name.push('_');
        }
        for _ in 0..MOST_UNDERSCORES {
            if self.take(&name) {
                return Ident::new(&name, Span::call_site());
            }
            name.push('_');
        }
        // Names that grow with their number would make the text grow with its square.
        let mut number = self.counted.get(&name).copied().unwrap_or(0);
        let base = name.clone();
        while !self.take(&name) {
            number += 1;
            name = format!("{base}{number}_");
        }
        self.counted.insert(base, number);
        Ident::new(&name, Span::call_site())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_repetitions_give_way() {
        let mut names = Names::new(["state"]);
        let claimed: Vec<String> = ["type", "type", "type_", "self", "_", "state", "State", "3x", "a-b"]
            .iter()
            .map(|name| names.claim(name).to_string())
            .collect();
        let mut beside = Names::beside_generated(["Ok"]);
        assert_eq!(beside.claim("rule_0_body").to_string(), "rule_0_body_");
        assert_eq!(beside.claim("Ok").to_string(), "Ok_");
        assert_eq!(claimed, ["type_", "type__", "type___", "self_", "__", "state_", "State", "_3x", "a_b"]);
    }
}
