//! Finds everything that goes through elements or slots, and collects what is not proved.

mod doubts;

use std::cell::Cell;

use super::definedness::Definedness;
use super::liveness::Liveness;
use super::loops::{self, Finding};
use super::path::Base;
use super::slots::{self, Refills};
use super::walker::IterationWalker;
use super::{Doubt, SymmetryProof};
use crate::analysis::reach::Reach;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{
    AliasBinding, AliasValue, Binder, Expression, ExpressionKind, Frame, LocalId, Model, Place, PropertyKind,
    Root, Scope, Statement, StatementKind, Step, TypeId, TypeKind,
};
use crate::semantics::visit::{Nesting, each, expressions_of, has_call};
use crate::source::Span;
use doubts::type_words;

/// How many statements and expressions are looked at in all loops of a model together.
const MOST_STEPS: usize = 8_000_000;

/// What is gone through.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Slots,
    Elements,
}

pub(super) fn run(model: &Model, reach: &Reach) -> (SymmetryProof, Vec<Diagnostic>) {
    let definedness = Definedness::new(model);
    let called = crate::analysis::calls::called(model, model.executed());
    let steps_left = Cell::new(MOST_STEPS);
    let mut proof = SymmetryProof::default();
    let mut diagnostics = Vec::new();
    for (ty, span) in crate::analysis::slots::uncertain(model, reach) {
        let message = "this could be a slot of another multiset".to_string();
        proof.multisets.entry(ty).or_insert(Doubt { span, message });
    }
    // What is added to a doubtful multiset in a loop shows the order of the loop, so multisets come
    // first.
    for pass in [Pass::Slots, Pass::Elements] {
        let doubtful: Vec<TypeId> = proof.multisets.keys().copied().collect();
        let refills = Refills::new(model);
        // What is never called makes no difference.
        for (function, _) in model.functions.iter().zip(&called).filter(|(_, called)| **called) {
            let mut search = Search::new(
                model,
                &definedness,
                &doubtful,
                &function.frame,
                pass,
                &mut proof,
                &mut diagnostics,
                &steps_left,
            );
            search.body(&[], None, &function.body);
        }
        for rule in &model.rules {
            let mut search = Search::new(
                model,
                &definedness,
                &doubtful,
                &rule.frame,
                pass,
                &mut proof,
                &mut diagnostics,
                &steps_left,
            );
            search.refills(&refills, &rule.scopes, rule.guard.as_ref(), &rule.body);
            search.body(&rule.scopes, rule.guard.as_ref(), &rule.body);
        }
        for property in model.evaluated() {
            let mut search = Search::new(
                model,
                &definedness,
                &doubtful,
                &property.frame,
                pass,
                &mut proof,
                &mut diagnostics,
                &steps_left,
            );
            search.body(&property.scopes, Some(&property.condition), &[]);
            search.rulesets(&property.scopes, &property.condition, property.kind);
        }
    }
    (proof, diagnostics)
}

struct Search<'m, 'd> {
    model: &'m Model,
    definedness: &'m Definedness,
    doubtful: &'m [TypeId],
    frame: &'m Frame,
    pass: Pass,
    proof: &'d mut SymmetryProof,
    diagnostics: &'d mut Vec<Diagnostic>,
    /// How much may still be looked at in the whole model.
    steps_left: &'m Cell<usize>,
    /// The aliases around the statement at hand.
    aliases: Vec<&'m AliasBinding>,
}

impl<'m, 'd> Search<'m, 'd> {
    #[allow(clippy::too_many_arguments)]
    fn new(
        model: &'m Model,
        definedness: &'m Definedness,
        doubtful: &'m [TypeId],
        frame: &'m Frame,
        pass: Pass,
        proof: &'d mut SymmetryProof,
        diagnostics: &'d mut Vec<Diagnostic>,
        steps_left: &'m Cell<usize>,
    ) -> Self {
        Search {
            model,
            definedness,
            doubtful,
            frame,
            pass,
            proof,
            diagnostics,
            steps_left,
            aliases: Vec::new(),
        }
    }

    fn body(&mut self, scopes: &'m [Scope], condition: Option<&'m Expression>, body: &'m [Statement]) {
        for scope in scopes {
            match scope {
                Scope::Parameter(_) => {}
                Scope::Choose { multiset, .. } => self.indices(multiset),
                Scope::Alias(binding) => {
                    self.alias_parts(binding);
                    self.aliases.push(binding);
                }
            }
        }
        condition.into_iter().for_each(|condition| self.expression(condition));
        let liveness = Liveness::new(body);
        self.statements(body, &liveness);
    }

    fn alias_parts(&mut self, binding: &'m AliasBinding) {
        match &binding.value {
            AliasValue::Place(place) => self.indices(place),
            AliasValue::Expression(value) => self.expression(value),
        }
    }

    fn indices(&mut self, place: &'m Place) {
        if let Root::Temporary(value) = &place.root {
            self.expression(value);
        }
        for step in &place.steps {
            match step {
                Step::Field(_) => {}
                Step::Index(index) | Step::Slot(index) => self.expression(index),
            }
        }
    }

    fn walker(&self, own: Option<LocalId>) -> IterationWalker<'m> {
        let mut walker = IterationWalker::new(self.model, self.definedness, self.doubtful, self.frame, own);
        walker.steps_left = walker.steps_left.min(self.steps_left.get());
        self.aliases.iter().for_each(|binding| walker.outer_alias(binding));
        walker
    }

    fn statements(&mut self, statements: &'m [Statement], liveness: &Liveness) {
        for statement in statements {
            let mut expressions = Vec::new();
            expressions_of(statement, |expression| expressions.push(expression));
            expressions.into_iter().for_each(|expression| self.expression(expression));
            let aliases = self.aliases.len();
            if let StatementKind::For { binder, body } = &statement.kind {
                if self.pass == Pass::Elements {
                    self.for_loop(binder, body, liveness);
                }
            } else if let StatementKind::Alias { binding, .. } = &statement.kind {
                self.aliases.push(binding);
            } else if let StatementKind::MultisetRemovePredicate { variable, multiset, condition } =
                &statement.kind
            {
                self.condition_on_slots(*variable, multiset, condition, statement.span, true);
            }
            for body in Nesting::of(statement).bodies() {
                self.statements(body, liveness);
            }
            self.aliases.truncate(aliases);
        }
    }

    /// Quantifiers and conditions on elements inside an expression.
    fn expression(&mut self, expression: &'m Expression) {
        let mut found = Vec::new();
        each(expression, |part| match &part.kind {
            ExpressionKind::Forall { .. }
            | ExpressionKind::Exists { .. }
            | ExpressionKind::MultisetCount { .. } => found.push(part),
            _ => {}
        });
        for part in found {
            match &part.kind {
                ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                    self.quantifier(binder.variable, body, binder.span, "this quantifier");
                }
                ExpressionKind::MultisetCount { variable, multiset, condition } => {
                    self.condition_on_slots(*variable, multiset, condition, part.span, false);
                }
                _ => {}
            }
        }
    }

    /// The instances of a property are evaluated one after the other, as in a quantifier.
    fn rulesets(&mut self, scopes: &'m [Scope], condition: &'m Expression, kind: PropertyKind) {
        let what = match kind {
            PropertyKind::Invariant => "this invariant",
            PropertyKind::Assume => "this assumption",
            PropertyKind::Cover => "this cover property",
            PropertyKind::Reject => "this reject property",
            PropertyKind::Deadlock
            | PropertyKind::Liveness
            | PropertyKind::Ltl
            | PropertyKind::Safety
            | PropertyKind::Atom => "this temporal property",
        };
        // What stands around it is evaluated for each instance, too.
        let mut parts = vec![condition];
        for scope in scopes {
            let place = match scope {
                Scope::Parameter(_) => None,
                Scope::Alias(AliasBinding { value: AliasValue::Expression(value), .. }) => {
                    parts.push(value);
                    None
                }
                Scope::Alias(AliasBinding { value: AliasValue::Place(place), .. }) => Some(place),
                Scope::Choose { multiset, .. } => Some(multiset),
            };
            let Some(place) = place else { continue };
            if let Root::Temporary(value) = &place.root {
                parts.push(value);
            }
            parts.extend(place.steps.iter().filter_map(|step| match step {
                Step::Field(_) => None,
                Step::Index(index) | Step::Slot(index) => Some(&**index),
            }));
        }
        for scope in scopes {
            for part in &parts {
                match scope {
                    Scope::Alias(_) => {}
                    Scope::Parameter(binder) => self.quantifier(binder.variable, part, binder.span, what),
                    Scope::Choose { multiset, .. } => {
                        if self.pass == Pass::Slots
                            && has_call(part)
                            && let Some(finding) = self.effects(None, part, what)
                        {
                            self.doubt_slots(multiset.ty, multiset.span, finding.message);
                        }
                    }
                }
            }
        }
    }

    /// Which values come first, and whether others come at all, depends on the order: nothing may
    /// be seen of it but that something failed, which is looked for in all of them.
    fn quantifier(&mut self, variable: LocalId, body: &'m Expression, span: Span, what: &str) {
        let Some(ty) = self.symmetric(variable) else { return };
        if self.pass != Pass::Elements || !has_call(body) {
            return;
        }
        if let Some(finding) = self.effects(Some(variable), body, what) {
            self.doubt_elements(ty, span, finding.message.clone(), finding);
        }
    }

    /// What could be seen of an evaluation, whatever its result.
    fn effects(&self, variable: Option<LocalId>, body: &'m Expression, what: &str) -> Option<Finding> {
        let mut walker = self.walker(variable);
        walker.expression(body);
        let is_own = |base| matches!(base, Base::Local(activation, _) if activation > 0);
        let written =
            walker.accesses.iter().find(|access| access.write.is_some() && !is_own(access.path.base));
        if walker.gave_up {
            Some(Finding {
                base: None,
                message: format!(
                    "{what} is too large or calls recursive functions, which is not looked into"
                ),
                label: None,
            })
        } else if let Some(access) = written {
            let name = self.name(access.path.base);
            Some(Finding {
                base: Some(access.path.base),
                message: format!(
                    "{what} calls a function that writes `{name}`, and the order of the calls could be seen in it"
                ),
                label: Some((access.span, format!("`{name}` is written here"))),
            })
        } else if walker.events.assumes || walker.events.covers {
            Some(Finding {
                base: None,
                message: format!(
                    "{what} calls a function with `assume` or `cover`, and the order of the calls could be seen in it"
                ),
                label: None,
            })
        } else {
            None
        }
    }

    fn for_loop(&mut self, binder: &'m Binder, body: &'m [Statement], liveness: &Liveness) {
        let Some(ty) = self.symmetric(binder.variable) else { return };
        let mut walker = self.walker(Some(binder.variable));
        let steps = walker.steps_left;
        walker.statements(body);
        self.steps_left.set(self.steps_left.get().saturating_sub(steps - walker.steps_left));
        let findings = loops::judge(&walker, liveness, binder.span, &|base| self.name(base));
        let words = type_words(self.model, ty);
        for finding in findings {
            let message = match finding.message.strip_prefix("could depend") {
                Some(rest) => format!("the iterations over {words} could depend{rest}"),
                None => finding.message.clone(),
            };
            self.doubt_elements(ty, binder.span, message, finding);
        }
    }

    /// The type of a variable that runs through two elements of a scalarset or more.
    fn symmetric(&self, variable: LocalId) -> Option<TypeId> {
        let ty = self.frame.locals.get(variable.index())?.ty;
        let several = self
            .model
            .scalarsets(ty)
            .iter()
            .any(|ty| matches!(self.model.ty(*ty).kind, TypeKind::Scalarset { size } if size > 1));
        several.then_some(ty)
    }

    fn condition_on_slots(
        &mut self,
        variable: LocalId,
        multiset: &'m Place,
        condition: &'m Expression,
        span: Span,
        removes: bool,
    ) {
        if self.pass != Pass::Slots {
            return;
        }
        let mut walker = self.walker(None);
        let bag = walker.quietly(|walker| walker.path(multiset));
        walker.condition_on_slots(variable, multiset, condition);
        // Looking at the elements one by one is what the condition is for.
        let own = walker.accesses.iter().rposition(|access| access.path.base == bag.base);
        own.into_iter().for_each(|at| drop(walker.accesses.remove(at)));
        if let Some(message) = slots::condition(&walker, removes.then_some(&bag)) {
            self.doubt_slots(multiset.ty, span, message);
        }
    }

    fn refills(
        &mut self,
        refills: &Refills<'m>,
        scopes: &'m [Scope],
        guard: Option<&'m Expression>,
        body: &'m [Statement],
    ) {
        if self.pass != Pass::Slots {
            return;
        }
        for (ty, span) in refills.rule(scopes, guard, body) {
            let message = "this slot may hold another element by now: one was removed and one was added, into the first slot that was free";
            self.doubt_slots(ty, span, message.to_string());
        }
    }
}
