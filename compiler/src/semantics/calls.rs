//! Calls of functions and procedures.

use super::checker::{Body, Checker, LocalFacts, Origin, Role};
use super::constants::poison;
use super::effects::CallEffect;
use super::model::{
    Argument, Call, Expression, ExpressionKind, FunctionId, LocalKind, Place, Root, TypeId, TypeKind,
};
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::suggestions::{MOST_DIAGNOSTICS, nearest};
use crate::syntax::tree::{self, Name};

/// CMurphi's functions on real numbers.
const REAL_FUNCTIONS: [&str; 16] = [
    "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "fabs", "floor", "fmod", "log", "log10", "pow",
    "sin", "sqrt", "tan",
];

impl Checker {
    /// A call where a value is needed.
    pub fn function_call(&mut self, name: &Name, arguments: &[tree::Expression], span: Span) -> Expression {
        let Some(call) = self.call(name, arguments, span) else { return poison(span) };
        let signature = self.signatures.get(call.function.index());
        match signature.map(|signature| (signature.returns, signature.name.span)) {
            Some((Some(ty), _)) => Expression { kind: ExpressionKind::Call(call), ty, span },
            Some((None, declared)) => {
                self.report(
                    Diagnostic::error(
                        "procedure-as-value",
                        span,
                        format!(
                            "`{}` is a procedure and returns nothing, but a value is needed here",
                            name.text
                        ),
                    )
                    .also(declared, "declared here")
                    .help("make it a function that returns a value"),
                );
                poison(span)
            }
            None => poison(span),
        }
    }

    pub fn call(&mut self, name: &Name, arguments: &[tree::Expression], span: Span) -> Option<Call> {
        let Some(function) = self.function_names.get(&name.text).copied() else {
            self.unknown_function(name);
            for argument in arguments {
                if !matches!(argument.kind, tree::ExpressionKind::Undefined) {
                    self.expression(argument);
                }
            }
            return None;
        };
        let signature = self.signatures.get(function.index())?;
        let parameters: Vec<(Name, TypeId, bool)> =
            signature.parameters.iter().map(|one| (one.name.clone(), one.ty, one.by_reference)).collect();
        let declared = signature.name.span;
        if parameters.len() != arguments.len() {
            let count = |count: usize| {
                if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
            };
            self.report(
                Diagnostic::error(
                    "argument-count",
                    span,
                    format!(
                        "`{}` takes {}, but {} given here",
                        name.text,
                        count(parameters.len()),
                        match arguments.len() {
                            0 => "none is".to_owned(),
                            1 => "1 is".to_owned(),
                            more => format!("{more} are"),
                        }
                    ),
                )
                .also(declared, "declared here"),
            );
        }
        let mut effect = CallEffect { callee: function, references: Vec::new(), span };
        let mut checked = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            match parameters.get(position) {
                Some((parameter, ty, true)) => {
                    if let Some(place) = self.reference_argument(argument, name, parameter, *ty) {
                        effect.references.push((position, self.origin(&place)));
                        checked.push(Argument::Reference(place));
                    }
                }
                Some((parameter, ty, false)) => {
                    checked.push(Argument::Value(self.value_argument(argument, name, parameter, *ty)));
                }
                None => {
                    self.expression(argument);
                }
            }
        }
        self.effects.calls.push(effect);
        Some(Call { function, arguments: checked, span })
    }

    fn value_argument(
        &mut self,
        argument: &tree::Expression,
        function: &Name,
        parameter: &Name,
        ty: TypeId,
    ) -> Expression {
        if argument.kind == tree::ExpressionKind::Undefined {
            return self.undefined_argument(ty, argument.span);
        }
        let value = self.expression(argument);
        self.coerce(value, ty, &format!("the parameter `{}` of `{}`", parameter.text, function.text))
    }

    /// `undefined` as an argument is a variable of the caller that is never assigned.
    fn undefined_argument(&mut self, ty: TypeId, span: Span) -> Expression {
        if self.body == Body::Expression {
            self.report(Diagnostic::error(
                "undefined-value",
                span,
                "`undefined` can be passed only by the statements of a rule or function",
            ));
            return poison(span);
        }
        let facts = LocalFacts { role: Role::Variable, origin: Origin::Own, writable: false };
        let known = self.frame.variables.iter().copied().find(|local| {
            self.local(*local).is_some_and(|(local, _)| local.name == "undefined" && local.ty == ty)
        });
        let local = match known {
            Some(local) => local,
            None => {
                let local = self.hidden_local("undefined", ty, LocalKind::Storage, facts, span);
                self.frame.variables.push(local);
                local
            }
        };
        let place = Place { root: Root::Local(local), steps: Vec::new(), ty, span };
        Expression { kind: ExpressionKind::Read(place), ty, span }
    }

    /// A `var` parameter needs a variable of exactly its own type, since it is written as such.
    fn reference_argument(
        &mut self,
        argument: &tree::Expression,
        function: &Name,
        parameter: &Name,
        ty: TypeId,
    ) -> Option<Place> {
        if argument.kind == tree::ExpressionKind::Undefined {
            self.report(Diagnostic::error(
                "undefined-value",
                argument.span,
                format!("`{}` is a `var` parameter and needs a variable, not `undefined`", parameter.text),
            ));
            return None;
        }
        // What the callee does to it is settled once all bodies are known, so no write is noted
        // here.
        let globals = self.effects.writes_globals;
        let parameters = self.effects.writes_parameters.clone();
        let place =
            self.written_place(argument, &format!("passed to the `var` parameter `{}`", parameter.text));
        self.effects.writes_globals = globals;
        self.effects.writes_parameters = parameters;
        let place = place?;
        if place.ty == POISON || ty == POISON || self.types.same(place.ty, ty) {
            return Some(place);
        }
        let message = format!(
            "the `var` parameter `{}` of `{}` needs {}, but this is {}",
            parameter.text,
            function.text,
            self.types.describe_value(ty),
            self.types.describe(place.ty)
        );
        let mut diagnostic = Diagnostic::error("var-argument-type", argument.span, message)
            .also(parameter.span, "the parameter is declared here");
        let both_ranges = matches!(self.types.kind(ty), Some(TypeKind::Range { .. }))
            && matches!(self.types.kind(place.ty), Some(TypeKind::Range { .. }));
        diagnostic = diagnostic.help(if both_ranges {
            "a `var` parameter writes straight into the variable, so both need the same bounds"
        } else {
            "a `var` parameter and its argument need the same type"
        });
        self.report(diagnostic);
        None
    }

    fn unknown_function(&mut self, name: &Name) {
        let mut diagnostic;
        if self.lost.contains(&name.text) {
            return;
        }
        if let Some(entry) = self.scopes.lookup(&name.text) {
            if entry.binding == super::scopes::Binding::Poison {
                return;
            }
            let words = self.binding_words(entry.binding);
            diagnostic = Diagnostic::error(
                "not-a-function",
                name.span,
                format!("`{}` is {words} and cannot be called", name.text),
            )
            .also(entry.span, "declared here");
        } else if REAL_FUNCTIONS.contains(&name.text.to_ascii_lowercase().as_str()) {
            diagnostic = Diagnostic::error(
                "unsupported-real",
                name.span,
                format!("mcc does not support real numbers, so it has no `{}`", name.text),
            );
        } else {
            diagnostic = Diagnostic::error(
                "unknown-function",
                name.span,
                format!("there is no function or procedure called `{}`", name.text),
            );
            let names = self.function_names.keys().map(String::as_str);
            if self.diagnostics.len() < MOST_DIAGNOSTICS
                && let Some(near) = nearest(&name.text, names)
            {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
        }
        self.report(diagnostic);
    }

    /// Where a function was declared.
    pub fn declared_at(&self, function: FunctionId) -> Option<(&str, Span)> {
        self.signatures
            .get(function.index())
            .map(|signature| (signature.name.text.as_str(), signature.name.span))
    }
}
