//! Names and what they stand for, scope by scope.

use std::collections::HashMap;

use super::checker::Checker;
use super::model::{FunctionId, GlobalId, LocalId, TypeId, TypeKind};
use super::types::{BOOLEAN, POISON};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::suggestions::{MOST_DIAGNOSTICS, nearest};
use crate::syntax::tree::{Name, Unparsed};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// A constant or an enum member.
    Constant {
        value: i64,
        ty: TypeId,
    },
    Type(TypeId),
    Global(GlobalId),
    Local(LocalId),
    Function(FunctionId),
    /// Declared, but wrongly: nothing more is said about it.
    Poison,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub binding: Binding,
    pub span: Span,
}

pub(super) struct Scopes {
    levels: Vec<HashMap<String, Entry>>,
}

impl Scopes {
    pub fn new() -> Self {
        Scopes { levels: vec![HashMap::new()] }
    }

    pub fn enter(&mut self) {
        self.levels.push(HashMap::new());
    }

    pub fn leave(&mut self) {
        // The outermost scope is the model's own and stays.
        if self.levels.len() > 1 {
            self.levels.pop();
        }
    }

    /// Declares a name in the innermost scope, or says where it was declared before. A name with
    /// two meanings has none from then on, so that its uses are not held against it.
    pub fn declare(&mut self, name: &str, entry: Entry) -> Result<(), Span> {
        match self.levels.last_mut() {
            Some(level) => match level.get_mut(name) {
                Some(earlier) => {
                    earlier.binding = Binding::Poison;
                    Err(earlier.span)
                }
                None => {
                    level.insert(name.to_owned(), entry);
                    Ok(())
                }
            },
            None => Ok(()),
        }
    }

    pub fn lookup(&self, name: &str) -> Option<Entry> {
        self.levels.iter().rev().find_map(|level| level.get(name)).copied()
    }

    /// The innermost binding that is wanted among those whose names differ in case at most.
    pub fn find_ignoring_case(&self, name: &str, wanted: impl Fn(Binding) -> bool) -> Option<Entry> {
        self.levels.iter().rev().find_map(|level| {
            let named = level.iter().filter(|(declared, _)| declared.eq_ignore_ascii_case(name));
            let found = named.map(|(_, entry)| *entry).filter(|entry| wanted(entry.binding));
            // Of several in one scope always the same one.
            found.min_by_key(|entry| entry.span.start)
        })
    }

    /// The innermost type of this name, past variables that have the same name.
    pub fn lookup_type(&self, name: &str) -> Option<Entry> {
        let is_type = |entry: &&Entry| matches!(entry.binding, Binding::Type(_) | Binding::Poison);
        self.levels.iter().rev().find_map(|level| level.get(name).filter(is_type)).copied()
    }

    fn nearest(&self, name: &str, wanted: impl Fn(Binding) -> bool) -> Option<&str> {
        let names = self.levels.iter().flatten();
        nearest(name, names.filter(|(_, entry)| wanted(entry.binding)).map(|(name, _)| name.as_str()))
    }
}

impl Checker {
    /// The name to suggest in place of an unknown one.
    fn suggestion(&self, name: &str, wanted: impl Fn(Binding) -> bool) -> Option<&str> {
        if self.diagnostics.len() < MOST_DIAGNOSTICS { self.scopes.nearest(name, wanted) } else { None }
    }

    /// Declares a name; a second declaration in one scope is an error.
    pub fn declare(&mut self, name: &Name, binding: Binding) {
        if matches!(name.text.as_str(), "true" | "false" | "boolean") {
            self.report(Diagnostic::error(
                "reserved-name",
                name.span,
                format!("`{}` is part of the language and cannot be declared again", name.text),
            ));
            return;
        }
        if let Err(earlier) = self.scopes.declare(&name.text, Entry { binding, span: name.span }) {
            self.report(
                Diagnostic::error(
                    "duplicate-name",
                    name.span,
                    format!("`{}` is declared twice in the same scope", name.text),
                )
                .label("declared again here")
                .also(earlier, "first declared here"),
            );
        }
    }

    /// Nothing is to be said about names in text that could not be parsed.
    pub fn lose(&mut self, unparsed: &Unparsed) {
        let names = unparsed.declared.iter().chain(&unparsed.mentioned);
        self.lost.extend(names.map(|name| name.text.clone()));
    }

    /// Poisons what was not parsed, where the names that were declared there hide others.
    pub fn poison(&mut self, unparsed: &Unparsed) {
        self.lose(unparsed);
        for name in &unparsed.declared {
            let entry = Entry { binding: Binding::Poison, span: name.span };
            // A second declaration of the name would only mean that it is poisoned twice.
            let _ = self.scopes.declare(&name.text, entry);
        }
    }

    /// What a name in an expression stands for. `true` and `false` are known in any case.
    pub fn resolve(&mut self, name: &str, span: Span) -> Binding {
        if let Some(entry) = self.scopes.lookup(name) {
            self.names.mark(entry.span);
            // An enum is used where one of its members is.
            if let Binding::Constant { ty, .. } = entry.binding
                && let Some(ty) = self.types.get(ty)
            {
                self.names.mark(ty.span);
            }
            return entry.binding;
        }
        match name.to_ascii_lowercase().as_str() {
            "true" => return Binding::Constant { value: 1, ty: BOOLEAN },
            "false" => return Binding::Constant { value: 0, ty: BOOLEAN },
            "boolean" => return Binding::Type(BOOLEAN),
            _ => {}
        }
        if self.lost.contains(name) || !self.unknown.insert(name.to_owned()) {
            return Binding::Poison;
        }
        let mut diagnostic =
            Diagnostic::error("unknown-name", span, format!("`{name}` is not declared here"));
        if let Some(later) = self.later.get(name) {
            diagnostic = diagnostic
                .also(*later, "it is declared only here")
                .help("constants, types and bounds may use only what is declared before them");
        } else {
            let is_value = |binding| {
                matches!(
                    binding,
                    Binding::Constant { .. } | Binding::Global(_) | Binding::Local(_) | Binding::Function(_)
                )
            };
            if let Some(near) = self.suggestion(name, is_value) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
        }
        self.report(diagnostic);
        Binding::Poison
    }

    pub fn resolve_type(&mut self, name: &Name) -> TypeId {
        let entry = self.scopes.lookup_type(&name.text);
        entry.iter().for_each(|entry| self.names.mark(entry.span));
        match entry.map(|entry| entry.binding) {
            Some(Binding::Type(ty)) => return ty,
            Some(
                Binding::Poison
                | Binding::Constant { .. }
                | Binding::Global(_)
                | Binding::Local(_)
                | Binding::Function(_),
            ) => return POISON,
            None => {}
        }
        if name.text.eq_ignore_ascii_case("boolean") {
            return BOOLEAN;
        }
        if let Some(entry) = self.scopes.lookup(&name.text) {
            let what = self.binding_words(entry.binding);
            self.report(
                Diagnostic::error(
                    "not-a-type",
                    name.span,
                    format!("`{}` is {what}, but a type is needed here", name.text),
                )
                .also(entry.span, "declared here"),
            );
            return POISON;
        }
        if self.lost.contains(&name.text) || !self.unknown.insert(name.text.clone()) {
            return POISON;
        }
        let mut diagnostic =
            Diagnostic::error("unknown-type", name.span, format!("there is no type called `{}`", name.text));
        let later = self.later.get(&name.text);
        if let Some(itself) = later.filter(|later| later.start < name.span.start) {
            diagnostic = Diagnostic::error(
                "recursive-type",
                name.span,
                format!("the type `{}` cannot contain itself", name.text),
            )
            .also(*itself, "it is being declared here")
            .help("a list or a tree is an array of nodes, which name each other by their index");
        } else if let Some(later) = later {
            diagnostic = diagnostic
                .also(*later, "it is declared only here")
                .help("declare a type before the declarations that use it");
        } else if let Some(near) = self.suggestion(&name.text, |binding| matches!(binding, Binding::Type(_)))
        {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else if matches!(name.text.to_ascii_lowercase().as_str(), "integer" | "int" | "natural") {
            diagnostic = diagnostic.help("numbers are subranges here, such as `0 .. 7`");
        } else if name.text.eq_ignore_ascii_case("bool") {
            diagnostic = diagnostic.help("did you mean `boolean`?");
        }
        self.report(diagnostic);
        POISON
    }

    /// What a name stands for, in words that fit after "is".
    pub fn binding_words(&self, binding: Binding) -> &'static str {
        match binding {
            Binding::Constant { ty, .. } => {
                let member = matches!(self.types.kind(ty), Some(TypeKind::Enum { .. }));
                if member { "an enum member" } else { "a constant" }
            }
            Binding::Type(_) => "a type",
            Binding::Global(_) => "a variable",
            Binding::Local(local) => self.role_words(local),
            Binding::Function(function) => {
                let returns = self.signatures.get(function.index()).and_then(|signature| signature.returns);
                if returns.is_some() { "a function" } else { "a procedure" }
            }
            Binding::Poison => "declared wrongly",
        }
    }
}
