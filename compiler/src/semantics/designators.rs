//! Designators: names, fields and elements, and whether they may be written.

use super::checker::{Checker, Origin, Role};
use super::constants::{constant, poison};
use super::model::{Expression, ExpressionKind, LocalKind, Place, Root, Step, TypeKind};
use super::scopes::Binding;
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::suggestions::{MOST_DIAGNOSTICS, nearest};
use crate::syntax::tree::{self, Name};

/// Why a place cannot be written.
pub(super) struct ReadOnly {
    pub why: String,
    pub declared: Option<Span>,
}

/// What a designator, or any other expression, turns out to be.
pub(super) enum Designated {
    Place { place: Place, read_only: Option<ReadOnly> },
    Value(Expression),
}

impl Checker {
    pub fn designated(&mut self, tree: &tree::Expression) -> Designated {
        match &tree.kind {
            tree::ExpressionKind::Name(name) => self.named(name, tree.span),
            tree::ExpressionKind::Field { base, field } => {
                let base = self.designated(base);
                self.field(base, field, tree.span)
            }
            tree::ExpressionKind::Index { base, index } => {
                let base = self.designated(base);
                let index = self.expression(index);
                self.element(base, index, tree.span)
            }
            _ => Designated::Value(self.expression(tree)),
        }
    }

    fn named(&mut self, name: &str, span: Span) -> Designated {
        match self.resolve(name, span) {
            Binding::Constant { value, ty } => Designated::Value(constant(value, ty, span)),
            Binding::Global(id) => match self.globals.get(id.index()) {
                Some(global) => {
                    let place = Place { root: Root::Global(id), steps: Vec::new(), ty: global.ty, span };
                    Designated::Place { place, read_only: None }
                }
                None => Designated::Value(poison(span)),
            },
            Binding::Local(id) => {
                let Some((local, facts)) = self.local(id) else { return Designated::Value(poison(span)) };
                let ty = local.ty;
                if local.kind == LocalKind::Value {
                    return Designated::Value(Expression { kind: ExpressionKind::Value(id), ty, span });
                }
                let read_only = (!facts.writable).then(|| ReadOnly {
                    why: match facts.role {
                        Role::ReadOnlyParameter => format!("`{name}` is a read-only parameter"),
                        Role::Alias => format!("`{name}` is an alias of something that cannot be written"),
                        Role::Variable
                        | Role::RulesetParameter
                        | Role::LoopVariable
                        | Role::QuantifierVariable
                        | Role::Slot
                        | Role::ReferenceParameter => format!("`{name}` is {}", self.role_words(id)),
                    },
                    declared: Some(local.span),
                });
                let place = Place { root: Root::Local(id), steps: Vec::new(), ty, span };
                Designated::Place { place, read_only }
            }
            Binding::Type(_) => {
                self.report(Diagnostic::error(
                    "type-as-value",
                    span,
                    format!("`{name}` is a type, but a value is needed here"),
                ));
                Designated::Value(poison(span))
            }
            Binding::Function(_) => {
                self.report(
                    Diagnostic::error(
                        "function-as-value",
                        span,
                        format!("`{name}` is a function, but it is not called here"),
                    )
                    .help(format!("call it with its arguments in parentheses: `{name}(…)`")),
                );
                Designated::Value(poison(span))
            }
            Binding::Poison => Designated::Value(poison(span)),
        }
    }

    /// A place to go further from; a compound result of a call becomes a temporary one.
    fn base_place(base: Designated) -> (Place, Option<ReadOnly>) {
        match base {
            Designated::Place { place, read_only } => (place, read_only),
            Designated::Value(value) => {
                let (ty, span) = (value.ty, value.span);
                let read_only =
                    ReadOnly { why: "this is the result of an expression".to_owned(), declared: None };
                (
                    Place { root: Root::Temporary(Box::new(value)), steps: Vec::new(), ty, span },
                    Some(read_only),
                )
            }
        }
    }

    fn field(&mut self, base: Designated, field: &Name, span: Span) -> Designated {
        let (mut place, read_only) = Self::base_place(base);
        let Some(kind) = self.types.kind(place.ty) else { return Designated::Value(poison(span)) };
        let TypeKind::Record { fields } = kind else {
            let words = self.types.describe(place.ty);
            self.report(Diagnostic::error(
                "not-a-record",
                place.span,
                format!("only records have fields, but this is {words}"),
            ));
            return Designated::Value(poison(span));
        };
        let Some(position) = fields.iter().position(|one| one.name == field.text) else {
            let mut diagnostic = Diagnostic::error(
                "unknown-field",
                field.span,
                format!("this is {}, which has no field `{}`", self.types.describe(place.ty), field.text),
            );
            let suggest = self.diagnostics.len() < MOST_DIAGNOSTICS;
            let names = fields.iter().map(|one| one.name.as_str()).filter(|_| suggest);
            if let Some(near) = nearest(&field.text, names) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            } else if fields.is_empty() {
                diagnostic = diagnostic.help("the record has no fields at all");
            } else {
                let names: Vec<_> = fields.iter().take(8).map(|one| format!("`{}`", one.name)).collect();
                diagnostic = diagnostic.help(format!("its fields are {}", names.join(", ")));
            }
            self.report(diagnostic);
            return Designated::Value(poison(span));
        };
        place.ty = fields[position].ty;
        place.span = span;
        place.steps.push(Step::Field(position as u32));
        Designated::Place { place, read_only }
    }

    fn element(&mut self, base: Designated, index: Expression, span: Span) -> Designated {
        let (mut place, read_only) = Self::base_place(base);
        match self.types.kind(place.ty) {
            None => return Designated::Value(poison(span)),
            Some(TypeKind::Array { index: wanted, element }) => {
                let (wanted, element) = (*wanted, *element);
                let index = self.coerce(index, wanted, "the index of this array");
                if index.ty == POISON {
                    // The element's type is known all the same, so the rest can still be checked.
                    return Designated::Place { place: Place { ty: element, span, ..place }, read_only };
                }
                place.ty = element;
                place.steps.push(Step::Index(Box::new(index)));
            }
            Some(TypeKind::Multiset { element, .. }) => {
                let element = *element;
                let multiset = place.ty;
                self.require_slot(&index, multiset);
                place.ty = element;
                place.steps.push(Step::Slot(Box::new(index)));
            }
            Some(_) => {
                let words = self.types.describe(place.ty);
                self.report(Diagnostic::error(
                    "not-an-array",
                    place.span,
                    format!("only arrays and multisets have elements, but this is {words}"),
                ));
                return Designated::Value(poison(span));
            }
        }
        place.span = span;
        Designated::Place { place, read_only }
    }

    /// A place that is about to be written; notes the effect. `action` fits after "cannot be".
    pub fn written_place(&mut self, tree: &tree::Expression, action: &str) -> Option<Place> {
        match self.designated(tree) {
            Designated::Place { place, read_only: None } => {
                let origin = self.origin(&place);
                self.effects.write(origin, tree.span);
                Some(place)
            }
            Designated::Place { read_only: Some(reason), .. } => {
                let message = format!("{}, so it cannot be {action}", reason.why);
                let mut diagnostic = Diagnostic::error("read-only", tree.span, message);
                if let Some(declared) = reason.declared {
                    diagnostic = diagnostic.also(declared, "declared here");
                }
                if reason.why.contains("read-only parameter") {
                    diagnostic = diagnostic
                        .help("declare the parameter with `var` to change the caller's variable, or copy it into a local");
                }
                self.report(diagnostic);
                None
            }
            Designated::Value(value) => {
                if value.ty == POISON {
                    return None;
                }
                let diagnostic = self.not_a_place(tree, action);
                self.report(diagnostic);
                None
            }
        }
    }

    fn not_a_place(&self, tree: &tree::Expression, action: &str) -> Diagnostic {
        if let tree::ExpressionKind::Name(name) = &tree.kind {
            let known = self.scopes.lookup(name);
            let words = known.map_or("a constant", |entry| self.binding_words(entry.binding));
            let message = format!("`{name}` is {words}, so it cannot be {action}");
            let diagnostic = Diagnostic::error("not-assignable", tree.span, message);
            return match known {
                Some(entry) => diagnostic.also(entry.span, "declared here"),
                None => diagnostic,
            };
        }
        let message = format!("this is not a variable, so it cannot be {action}");
        Diagnostic::error("not-assignable", tree.span, message)
    }

    /// Whose storage a place belongs to.
    pub fn origin(&self, place: &Place) -> Origin {
        match &place.root {
            Root::Global(_) => Origin::Global,
            Root::Local(local) => self.local(*local).map_or(Origin::Own, |(_, facts)| facts.origin),
            Root::Temporary(_) => Origin::Own,
        }
    }

    /// Reads what a designator stands for.
    pub fn read(designated: Designated) -> Expression {
        match designated {
            Designated::Place { place, .. } => {
                let (ty, span) = (place.ty, place.span);
                Expression { kind: ExpressionKind::Read(place), ty, span }
            }
            Designated::Value(value) => value,
        }
    }
}
