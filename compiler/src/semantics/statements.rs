//! Statements.

use super::checker::{Body, Checker, LocalFacts, Origin, Role};
use super::constants::value_of;
use super::designators::Designated;
use super::model::{
    AliasBinding, AliasValue, Binder, CoverStatement, Expression, ExpressionKind, LocalKind, Root, Statement,
    StatementKind, SwitchCase, TypeId,
};
use super::scopes::Binding;
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, Quantifier, Text};

impl Checker {
    pub fn statements(&mut self, trees: &[tree::Statement]) -> Vec<Statement> {
        let mut statements = Vec::with_capacity(trees.len());
        for tree in trees {
            self.statement(tree, &mut statements);
        }
        statements
    }

    fn statement(&mut self, tree: &tree::Statement, out: &mut Vec<Statement>) {
        let kind = match &tree.kind {
            tree::StatementKind::Assign { target, value } => self.assignment(target, value),
            tree::StatementKind::If { arms, otherwise } => {
                Some(self.if_statement(arms, otherwise.as_deref().unwrap_or_default()))
            }
            tree::StatementKind::Switch { subject, cases, otherwise } => {
                self.switch(subject, cases, otherwise.as_deref().unwrap_or_default())
            }
            tree::StatementKind::For { quantifiers, body } => self.for_loop(quantifiers, body, tree.span),
            tree::StatementKind::While { condition, body } => {
                let condition = self.condition(condition, "the condition of `while`");
                Some(StatementKind::While { condition, body: self.statements(body) })
            }
            tree::StatementKind::Alias { bindings, body } => {
                self.alias_statement(bindings, body, tree.span, out);
                None
            }
            tree::StatementKind::Call { name, arguments } => {
                self.call(name, arguments, tree.span).map(StatementKind::Call)
            }
            tree::StatementKind::Clear(target) => self.clear(target),
            tree::StatementKind::Undefine(target) => {
                self.written_place(target, "made undefined").map(StatementKind::Undefine)
            }
            tree::StatementKind::Error(text) => Some(StatementKind::Error(text.text.clone())),
            tree::StatementKind::Assert { condition, message } => {
                let condition = self.condition(condition, "an assertion");
                let message = message.as_ref().map_or_else(String::new, |text| text.text.clone());
                Some(StatementKind::Assert { condition, message })
            }
            tree::StatementKind::Assume { condition, message: _ } => {
                let condition = self.condition(condition, "an assumption");
                Some(StatementKind::Assume { condition })
            }
            tree::StatementKind::Cover { condition, message } => {
                Some(self.cover(condition, message.as_ref(), tree.span))
            }
            tree::StatementKind::PutText(text) => {
                self.effects.has_side_effects = true;
                Some(StatementKind::PutText(text.text.clone()))
            }
            tree::StatementKind::PutValue(value) => self.put(value),
            tree::StatementKind::Return(value) => self.return_statement(value.as_ref(), tree.span),
            tree::StatementKind::MultisetAdd { value, multiset } => self.multiset_add(value, multiset),
            tree::StatementKind::MultisetRemove { slot, multiset } => self.multiset_remove(slot, multiset),
            tree::StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                self.multiset_remove_predicate(variable, multiset, condition)
            }
        };
        out.extend(kind.map(|kind| Statement { kind, span: tree.span }));
    }

    fn assignment(&mut self, target: &tree::Expression, value: &tree::Expression) -> Option<StatementKind> {
        let target = self.written_place(target, "assigned");
        if value.kind == tree::ExpressionKind::Undefined {
            return target.map(StatementKind::Undefine);
        }
        let value = self.expression(value);
        let target = target?;
        let value = self.coerce(value, target.ty, "this assignment");
        if self.types.is_compound(target.ty) {
            return Some(StatementKind::Copy { target, source: value });
        }
        Some(StatementKind::Assign { target, value })
    }

    fn if_statement(
        &mut self,
        arms: &[(tree::Expression, Vec<tree::Statement>)],
        otherwise: &[tree::Statement],
    ) -> StatementKind {
        let mut decided = false;
        let mut checked = Vec::with_capacity(arms.len());
        for (condition, body) in arms {
            let condition =
                self.reached_unless(decided, |checker| checker.condition(condition, "the condition of `if`"));
            let known = value_of(&condition);
            let dead = decided || known == Some(0);
            let body = self.reached_unless(dead, |checker| checker.statements(body));
            decided |= known == Some(1);
            checked.push((condition, body));
        }
        let otherwise = self.reached_unless(decided, |checker| checker.statements(otherwise));
        StatementKind::If { arms: checked, otherwise }
    }

    fn switch(
        &mut self,
        subject: &tree::Expression,
        cases: &[tree::SwitchCase],
        otherwise: &[tree::Statement],
    ) -> Option<StatementKind> {
        let mut subject = self.expression(subject);
        if self.types.is_compound(subject.ty) {
            let words = self.types.describe(subject.ty);
            self.report(Diagnostic::error(
                "switch-compound",
                subject.span,
                format!("`switch` needs a simple value, but this is {words}"),
            ));
            subject.ty = POISON;
        }
        let mut ty = subject.ty;
        let mut seen: Vec<(i64, TypeId, Span)> = Vec::new();
        let mut checked = Vec::with_capacity(cases.len());
        for case in cases {
            let mut values = Vec::with_capacity(case.values.len());
            for value in &case.values {
                let value = self.expression(value);
                match self.join(ty, value.ty, value.span) {
                    Some(POISON) => {}
                    Some(joined) => {
                        self.warn_repeated_case(&value, &mut seen);
                        ty = joined;
                        values.push(value);
                    }
                    None => {
                        let diagnostic = self.mismatch(&value, ty, "a case of this `switch`");
                        self.report(diagnostic);
                    }
                }
            }
            checked.push(SwitchCase { values, body: self.statements(&case.body) });
        }
        let otherwise = self.statements(otherwise);
        // Cases may widen the type, as when the subject is a member of their union: count alike in
        // the end.
        let subject = self.convert(subject, ty);
        for case in &mut checked {
            let values = std::mem::take(&mut case.values);
            case.values = values.into_iter().map(|value| self.convert(value, ty)).collect();
        }
        Some(StatementKind::Switch { subject, cases: checked, otherwise })
    }

    fn warn_repeated_case(&mut self, value: &Expression, seen: &mut Vec<(i64, TypeId, Span)>) {
        let Some(known) = value_of(value) else { return };
        let ty = if self.types.is_number(value.ty) { super::types::INTEGER } else { value.ty };
        match seen.iter().find(|(earlier, its, _)| *earlier == known && *its == ty) {
            Some((_, _, earlier)) => {
                let diagnostic = Diagnostic::warning(
                    "repeated-case",
                    value.span,
                    "an earlier case has this value already, so this one is never taken for it",
                )
                .also(*earlier, "the earlier case");
                self.report(diagnostic);
            }
            None => seen.push((known, ty, value.span)),
        }
    }

    fn for_loop(
        &mut self,
        quantifiers: &[Quantifier],
        body: &[tree::Statement],
        span: Span,
    ) -> Option<StatementKind> {
        let mut binders: Vec<Option<Binder>> = Vec::with_capacity(quantifiers.len());
        for quantifier in quantifiers {
            self.scopes.enter();
            binders.push(self.binder(quantifier, Role::LoopVariable));
        }
        let mut body = self.statements(body);
        for _ in quantifiers {
            self.scopes.leave();
        }
        let mut binders = binders.into_iter().rev().collect::<Option<Vec<_>>>()?.into_iter();
        let innermost = binders.next()?;
        let mut kind = StatementKind::For { binder: innermost, body };
        for binder in binders {
            body = vec![Statement { kind, span }];
            kind = StatementKind::For { binder, body };
        }
        Some(kind)
    }

    /// An alias of a constant is the constant; its body then stands where the alias stood.
    fn alias_statement(
        &mut self,
        bindings: &[tree::AliasBinding],
        body: &[tree::Statement],
        span: Span,
        out: &mut Vec<Statement>,
    ) {
        let mut checked = Vec::with_capacity(bindings.len());
        for binding in bindings {
            self.scopes.enter();
            checked.extend(self.alias(binding));
        }
        let mut body = self.statements(body);
        for _ in bindings {
            self.scopes.leave();
        }
        for binding in checked.into_iter().rev() {
            body = vec![Statement { kind: StatementKind::Alias { binding, body }, span }];
        }
        out.extend(body);
    }

    /// Declares an alias in the scope at hand; `None` where nothing is left to do when it is
    /// entered.
    pub fn alias(&mut self, tree: &tree::AliasBinding) -> Option<AliasBinding> {
        let (value, ty, kind, facts) = match self.designated(&tree.value) {
            Designated::Place { place, .. } if place.ty == POISON => {
                self.declare(&tree.name, Binding::Poison);
                return None;
            }
            // A part of a temporary: it has no storage that a name could stand for, so it is
            // copied.
            Designated::Place { place, .. } if matches!(place.root, Root::Temporary(_)) => {
                let (ty, span) = (place.ty, place.span);
                let value = Expression { kind: ExpressionKind::Read(place), ty, span };
                let facts = LocalFacts { role: Role::Alias, origin: Origin::Own, writable: false };
                let kind = self.alias_kind(&value);
                (AliasValue::Expression(value), ty, kind, facts)
            }
            Designated::Place { place, read_only } => {
                let origin = self.origin(&place);
                let facts = LocalFacts { role: Role::Alias, origin, writable: read_only.is_none() };
                (AliasValue::Place(place.clone()), place.ty, LocalKind::Reference, facts)
            }
            Designated::Value(value) => {
                if value.ty == POISON {
                    self.declare(&tree.name, Binding::Poison);
                    return None;
                }
                if let Some(known) = value_of(&value) {
                    self.declare(&tree.name, Binding::Constant { value: known, ty: value.ty });
                    return None;
                }
                let ty = value.ty;
                let facts = LocalFacts { role: Role::Alias, origin: Origin::Own, writable: false };
                let kind = self.alias_kind(&value);
                (AliasValue::Expression(value), ty, kind, facts)
            }
        };
        let local = self.add_local(&tree.name, ty, kind, facts);
        Some(AliasBinding { local, value })
    }

    fn alias_kind(&self, value: &Expression) -> LocalKind {
        let may_be_undefined =
            self.types.has_undefined(value.ty) && !matches!(value.kind, ExpressionKind::Value(_));
        if self.types.is_simple(value.ty) && !may_be_undefined {
            LocalKind::Value
        } else {
            LocalKind::Storage
        }
    }

    fn clear(&mut self, target: &tree::Expression) -> Option<StatementKind> {
        let place = self.written_place(target, "cleared")?;
        if self.types.has_symmetric_part(place.ty) {
            let words = self.types.describe(place.ty);
            let message = if self.types.is_simple(place.ty) {
                format!("`clear` sets the smallest value, but this is {words}, whose values have no order")
            } else {
                format!(
                    "`clear` sets the smallest value, but this is {words}, and a scalarset inside it has none"
                )
            };
            self.report(
                Diagnostic::error("clear-scalarset", target.span, message)
                    .help("use `undefine`, or assign each part"),
            );
            return None;
        }
        Some(StatementKind::Clear(place))
    }

    fn cover(&mut self, condition: &tree::Expression, message: Option<&Text>, span: Span) -> StatementKind {
        self.effects.has_side_effects = true;
        let index = self.covers.len() as u32;
        let name = message.map_or_else(|| format!("cover {}", index + 1), |text| text.text.clone());
        self.covers.push(CoverStatement { name, span });
        let condition = self.condition(condition, "what `cover` looks for");
        StatementKind::Cover { index, condition }
    }

    fn put(&mut self, tree: &tree::Expression) -> Option<StatementKind> {
        self.effects.has_side_effects = true;
        let value = self.expression(tree);
        if self.types.is_compound(value.ty) && !matches!(value.kind, ExpressionKind::Read(_)) {
            let words = self.types.describe(value.ty);
            self.report(
                Diagnostic::error(
                    "put-compound-value",
                    tree.span,
                    format!(
                        "`put` prints a variable or a simple value, but this is {words} that was computed"
                    ),
                )
                .help("assign it to a local variable and print that"),
            );
            return None;
        }
        Some(StatementKind::PutValue(value))
    }

    fn return_statement(&mut self, value: Option<&tree::Expression>, span: Span) -> Option<StatementKind> {
        let function = match self.body {
            Body::Function(id) => self
                .signatures
                .get(id.index())
                .map(|signature| (signature.name.text.clone(), signature.name.span, signature.returns)),
            Body::Rule | Body::Expression => None,
        };
        match (function, value) {
            (Some((name, _, Some(ty))), Some(value)) => {
                self.returns_seen = true;
                let value = self.expression(value);
                let value = self.coerce(value, ty, &format!("the result of `{name}`"));
                Some(StatementKind::Return(Some(value)))
            }
            (Some((name, declared, Some(ty))), None) => {
                self.returns_seen = true;
                let needed = self.types.describe_value(ty);
                self.report(
                    Diagnostic::error(
                        "return-without-value",
                        span,
                        format!("`{name}` is a function, so `return` needs {needed}"),
                    )
                    .also(declared, "declared here"),
                );
                None
            }
            (Some((name, declared, None)), Some(value)) => {
                self.expression(value);
                self.report(
                    Diagnostic::error(
                        "return-with-value",
                        value.span,
                        format!("`{name}` is a procedure, so `return` cannot take a value"),
                    )
                    .also(declared, "declared here")
                    .help("a function declares the type of its result after its parameters"),
                );
                None
            }
            (None, Some(value)) => {
                self.expression(value);
                self.report(Diagnostic::error(
                    "return-with-value",
                    value.span,
                    "a rule has no result, so `return` cannot take a value here",
                ));
                None
            }
            (Some((_, _, None)) | None, None) => Some(StatementKind::Return(None)),
        }
    }
}
