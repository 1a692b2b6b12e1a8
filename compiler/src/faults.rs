//! What is said where a model goes wrong: one wording for generated code and for the interpreter.
//!
//! In each message `{}` stands for the number that caused the error, if there is one; the model's
//! own words never look like it.

use crate::semantics::model::{
    Binder, Call, Expression, ExpressionKind, Function, Model, Place, TypeId, TypeKind,
};
use crate::source::{Source, Span};

/// An assumption does not hold. This is no error, but has a place in the table of messages.
pub const PRUNED: &str = "an assumption does not hold";

/// The model whose words the messages quote.
#[derive(Clone, Copy, Debug)]
pub struct Messages<'a> {
    pub model: &'a Model,
    pub source: &'a Source,
}

impl Messages<'_> {
    pub fn undefined(&self, place: &Place) -> String {
        format!("`{}` is undefined", self.excerpt(place.span))
    }

    /// What a function has returned.
    pub fn undefined_result(&self, call: &Call) -> String {
        format!("`{}` is undefined", self.excerpt(call.span))
    }

    pub fn overflow(&self, span: Span) -> String {
        format!("`{}` does not fit 64 bits", self.excerpt(span))
    }

    pub fn division(&self, span: Span) -> String {
        format!("division by zero in `{}`", self.excerpt(span))
    }

    pub fn zero_step(&self, binder: &Binder) -> String {
        format!("the step of `{}` is zero", self.excerpt(binder.span))
    }

    /// A value of a union where one of its members, or another union, is needed.
    pub fn not_a_member(&self, expression: &Expression) -> String {
        let value = self.excerpt(expression.span);
        format!("the value of `{value}` is not one of {}", self.type_text(expression.ty))
    }

    /// A number outside the type of what it is assigned to, passed to, returned as or put into.
    pub fn range(&self, ty: TypeId, span: Span) -> String {
        format!("{{}} is outside {}, in `{}`", self.type_text(ty), self.excerpt(span))
    }

    /// An index outside the bounds of the array, which is a part of `place`.
    pub fn index(&self, place: &Place, (low, high): (i64, i64)) -> String {
        let place = self.excerpt(place.span);
        format!("index {{}} is outside `{place}`, whose indices run from {low} to {high}")
    }

    /// A slot of the multiset that is a part of `place`.
    pub fn no_element(&self, place: &Place) -> String {
        format!("slot {{}} is empty or does not exist in `{}`", self.excerpt(place.span))
    }

    pub fn already_removed(&self, multiset: &Place) -> String {
        format!("slot {{}} of `{}` is empty already", self.excerpt(multiset.span))
    }

    pub fn full(&self, multiset: &Place) -> String {
        format!("`{}` is full: it has {{}} slots", self.excerpt(multiset.span))
    }

    pub fn loop_bound(&self, condition: &Expression) -> String {
        format!("the loop `while {}` has turned {{}} times without an end", self.excerpt(condition.span))
    }

    pub fn missing_return(&self, function: &Function) -> String {
        format!("function `{}` ended without `return`", function.name)
    }

    pub fn recursion(&self, function: &Function) -> String {
        format!("calls of `{}` are nested more than {{}} deep", function.name)
    }

    /// The user's own words, if there are any.
    pub fn assertion(&self, condition: &Expression, message: &str) -> String {
        match message {
            // `assert false` marks what is not to be reached.
            "" if matches!(condition.kind, ExpressionKind::Constant(0)) => {
                format!("`assert {}` is reached", self.excerpt(condition.span))
            }
            "" => format!("`{}` is false", self.excerpt(condition.span)),
            message => message.to_owned(),
        }
    }

    /// The model's own words at a place, on one line and not too long.
    pub fn excerpt(&self, span: Span) -> String {
        const MOST: usize = 60;
        let words: Vec<&str> = span.text(&self.source.text).split_whitespace().collect();
        let text: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
        let text = text.replace("{}", "{ }");
        if text.chars().count() <= MOST {
            return text;
        }
        let cut: String = text.chars().take(MOST - 1).collect();
        format!("{cut}…")
    }

    /// How a message calls a type: by its name, or by its bounds.
    fn type_text(&self, ty: TypeId) -> String {
        match (&self.model.ty(ty).name, self.model.bounds(ty)) {
            (Some(name), Some((low, high))) if matches!(self.model.ty(ty).kind, TypeKind::Range { .. }) => {
                format!("`{name}` ({low}..{high})")
            }
            (Some(name), _) => format!("`{name}`"),
            (None, Some((low, high))) => format!("{low}..{high}"),
            (None, None) => "its type".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_model_are_short_and_leave_room_for_the_number() {
        let source = Source::new("m.m", format!("a  {{}}\n\tb{}", "c".repeat(100)));
        let (model, _) = crate::check(&Source::new("m.m", "startstate end;"));
        let model = model.expect("a model");
        let messages = Messages { model: &model, source: &source };
        assert_eq!(messages.excerpt(Span { start: 0, end: 8 }), "a { } b");
        assert_eq!(messages.excerpt(Span { start: 0, end: 90 }).chars().count(), 60);
    }
}
