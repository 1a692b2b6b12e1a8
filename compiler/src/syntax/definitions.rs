//! Values of constants that come from the command line (`-D NAME=VALUE`) instead of the model's text.

use std::str::FromStr;

use super::tree::{Declaration, Item, Program};
use crate::diagnostics::Diagnostic;
use crate::suggestions::nearest;
use crate::syntax::span::Span;

/// So many names are listed in a message; of the others only the number is given.
const MOST_NAMES: usize = 40;

/// A constant and the value that it gets. The value stays text until the constant's declaration is checked, since
/// it is the declaration that says what the value has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub value: String,
}

impl FromStr for Definition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("there is no `=`; write it as NAME=VALUE")?;
        let (name, value) = (name.trim(), value.trim());
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
        if !is_name {
            return Err(format!("`{name}` cannot be the name of a constant; write it as NAME=VALUE"));
        }
        Ok(Definition { name: name.to_owned(), value: canonical(value) })
    }
}

/// One spelling for each value, so that equal values make equal verifiers.
fn canonical(value: &str) -> String {
    match (value.parse::<i64>(), value.to_ascii_lowercase()) {
        (Ok(number), _) => number.to_string(),
        (Err(_), lower) if lower == "true" || lower == "false" => lower,
        (Err(_), _) => value.to_owned(),
    }
}

/// Notes the values in the declarations of the constants that they belong to.
pub fn apply(program: &mut Program, definitions: &[Definition]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for definition in definitions {
        let found = constants_mut(program).find(|(name, _, _)| *name == definition.name);
        match found {
            Some((_, span, set)) => {
                if set.replace(definition.value.clone()).is_some() {
                    let message = format!("-D sets the constant `{}` twice", definition.name);
                    diagnostics.push(Diagnostic::error("repeated-definition", span, message));
                }
            }
            None => diagnostics.push(unknown(program, definition)),
        }
    }
    diagnostics
}

/// The names of the constants that a model declares outside of rules and functions, with their places.
pub fn constants(program: &Program) -> impl Iterator<Item = (&str, Span)> {
    program.items.iter().filter_map(|item| match item {
        Item::Declaration(Declaration::Constant { name, .. }) => Some((name.text.as_str(), name.span)),
        Item::Declaration(Declaration::Type { .. } | Declaration::Variables { .. })
        | Item::Function(_)
        | Item::External(..)
        | Item::Formula(_)
        | Item::Rule(_) => None,
    })
}

/// Which constants there are, as a sentence for the user.
pub fn list(program: &Program) -> String {
    let names: Vec<String> = constants(program).map(|(name, _)| format!("`{name}`")).collect();
    let (shown, hidden) = names.split_at(names.len().min(MOST_NAMES));
    match (shown, hidden) {
        ([], _) => "this model declares no constants".to_owned(),
        ([only], _) => format!("the only constant of this model is {only}"),
        (shown, []) => format!("the constants of this model are {}", shown.join(", ")),
        (shown, hidden) => {
            format!("the constants of this model are {} and {} more", shown.join(", "), hidden.len())
        }
    }
}

fn constants_mut(program: &mut Program) -> impl Iterator<Item = (&str, Span, &mut Option<String>)> {
    program.items.iter_mut().filter_map(|item| match item {
        Item::Declaration(Declaration::Constant { name, set, .. }) => {
            Some((name.text.as_str(), name.span, set))
        }
        Item::Declaration(Declaration::Type { .. } | Declaration::Variables { .. })
        | Item::Function(_)
        | Item::External(..)
        | Item::Formula(_)
        | Item::Rule(_) => None,
    })
}

fn declared(program: &Program, wanted: &str) -> Option<Span> {
    constants(program).find(|(name, _)| *name == wanted).map(|(_, span)| span)
}

fn unknown(program: &Program, definition: &Definition) -> Diagnostic {
    let near = nearest(&definition.name, constants(program).map(|(name, _)| name));
    let (span, label) = match near.and_then(|near| declared(program, near)) {
        Some(span) => (span, "did you mean this one?"),
        None => match constants(program).next() {
            Some((_, span)) => (span, "constants are declared here"),
            None => (Span::default(), ""),
        },
    };
    let message = format!("-D {}={}: no constant is called `{0}`", definition.name, definition.value);
    let mut help = list(program);
    if let Some(near) = near {
        help = format!("did you mean `{near}`? {help}");
    }
    Diagnostic::error("unknown-constant", span, message).label(label).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_has_a_name_and_a_value() {
        let parsed = |text: &str| text.parse::<Definition>().map(|one| (one.name, one.value));
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(parsed("N=4"), pair("N", "4"));
        assert_eq!(parsed(" Big_1 = -007 "), pair("Big_1", "-7"));
        assert_eq!(parsed("on=TRUE"), pair("on", "true"));
        assert_eq!(parsed("kind=Red"), pair("kind", "Red"));
        assert_eq!(parsed("N="), pair("N", ""));
        for wrong in ["N", "=4", "4=N", "N M=4", "-N=4", ""] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
