//! Values of constants that come from the command line (`-D NAME=VALUE`) instead of the model's
//! text.

use super::tree::{Declaration, Item, Program};
use crate::diagnostics::Diagnostic;
use crate::source::{Definition, Span};
use crate::suggestions::nearest;

/// Names that a message lists, at most; of the others only the number is given.
const MOST_NAMES: usize = 40;

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

/// The names of the constants that a model declares outside of rules and functions, with their
/// places.
pub fn constants(program: &Program) -> impl Iterator<Item = (&str, Span)> {
    program.items.iter().filter_map(|item| match item {
        Item::Declaration(Declaration::Constant { name, .. }) => Some((name.text.as_str(), name.span)),
        Item::Declaration(
            Declaration::Type { .. } | Declaration::Variables { .. } | Declaration::Unparsed(_),
        )
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
        Item::Declaration(
            Declaration::Type { .. } | Declaration::Variables { .. } | Declaration::Unparsed(_),
        )
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
