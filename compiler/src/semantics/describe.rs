//! Types in the user's words, for messages.

use super::checker::Checker;
use super::constants::value_of;
use super::model::{Expression, ExpressionKind, Root, TypeId, TypeKind};
use super::types::{INTEGER, TypeTable};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// What an expression is called in a message, and where that name was declared.
pub(super) struct Subject {
    pub words: String,
    pub declared: Option<Span>,
}

impl Subject {
    /// Points to the declaration, if the expression is a name.
    pub fn point(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.declared {
            Some(span) => diagnostic.also(span, format!("{} is declared here", self.words)),
            None => diagnostic,
        }
    }
}

impl Checker {
    /// The name of a variable or enum member, or "this".
    pub fn subject(&self, value: &Expression) -> Subject {
        let local = |local| {
            let (local, _) = self.local(local)?;
            Some((local.name.clone(), Some(local.span)))
        };
        let member = || {
            let Some(TypeKind::Enum { members }) = self.types.kind(value.ty) else { return None };
            let position = usize::try_from(value_of(value)?).ok()?;
            members.get(position).map(|member| (member.clone(), None))
        };
        let named = if let ExpressionKind::Read(place) = &value.kind
            && place.steps.is_empty()
        {
            match &place.root {
                Root::Global(global) => {
                    self.globals.get(global.index()).map(|global| (global.name.clone(), Some(global.span)))
                }
                Root::Local(id) => local(*id),
                Root::Temporary(_) => None,
            }
        } else if let ExpressionKind::Value(id) = &value.kind {
            local(*id)
        } else {
            member()
        };
        match named {
            Some((name, declared)) => Subject { words: format!("`{name}`"), declared },
            None => Subject { words: "this".to_owned(), declared: None },
        }
    }
}

impl TypeTable {
    /// A type in words that fit after "is" or "needs": `a number`, "the enum `State`".
    pub fn describe(&self, id: TypeId) -> String {
        let Some(ty) = self.get(id) else { return "something unknown".to_owned() };
        if id == INTEGER {
            return "a number".to_owned();
        }
        if self.slot_owner(id).is_some() {
            return "a slot of a multiset".to_owned();
        }
        match (&ty.kind, &ty.name) {
            (TypeKind::Integer, _) => "a number".to_owned(),
            (TypeKind::Boolean, _) => "a boolean".to_owned(),
            (TypeKind::Enum { .. }, Some(name)) => format!("of the enum `{name}`"),
            (TypeKind::Enum { members }, None) => {
                let shown = members.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
                let more = if members.len() > 3 { ", …" } else { "" };
                format!("of the enum {{{shown}{more}}}")
            }
            (TypeKind::Range { low, high }, _) => format!("a number from {low} to {high}"),
            (TypeKind::Scalarset { .. }, Some(name)) => format!("an element of the scalarset `{name}`"),
            (TypeKind::Scalarset { size }, None) => format!("an element of a scalarset of {size}"),
            (TypeKind::Union(_), Some(name)) => format!("of the union `{name}`"),
            (TypeKind::Union(_), None) => "of a union".to_owned(),
            (TypeKind::Array { .. }, Some(name)) => format!("an array of type `{name}`"),
            (TypeKind::Array { index, element }, None) => {
                format!("an array (index: {}; element: {})", self.describe(*index), self.describe(*element))
            }
            (TypeKind::Record { .. }, Some(name)) => format!("a record of type `{name}`"),
            (TypeKind::Record { .. }, None) => "a record".to_owned(),
            (TypeKind::Multiset { .. }, Some(name)) => format!("a multiset of type `{name}`"),
            (TypeKind::Multiset { .. }, None) => "a multiset".to_owned(),
        }
    }

    /// What is needed where a value of this type is: "a value of the enum `State`", "a number from
    /// 0 to 3".
    pub fn describe_value(&self, id: TypeId) -> String {
        let words = self.describe(id);
        if words.starts_with("of ") { format!("a value {words}") } else { words }
    }
}
