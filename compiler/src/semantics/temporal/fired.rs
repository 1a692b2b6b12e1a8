//! `fired("rule", values)`: which rule is meant, decided when all rules are known.

use super::super::checker::Checker;
use super::super::constants::value_of;
use super::super::model::{ExpressionKind, Scope, TypeId, TypeKind};
use super::super::types::POISON;
use super::{Fairness, FiredArgument, Formula};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree;

/// A use of `fired` whose rule may come later in the text.
pub(in super::super) struct Firing {
    rule: tree::Text,
    span: Span,
    arguments: Vec<(FiredArgument, TypeId, Span)>,
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

impl Checker {
    /// Notes the use; [`Checker::resolve_fired`] finds the rule.
    pub(super) fn fired(&mut self, rule: &tree::Text, trees: &[tree::Expression], span: Span) -> Formula {
        let mut arguments = Vec::new();
        for tree in trees {
            let value = self.expression(tree);
            let parameters = self.frame.scopes.iter().filter_map(|scope| match scope {
                Scope::Parameter(binder) => Some(binder.variable),
                Scope::Alias(_) | Scope::Choose { .. } => None,
            });
            let argument = match (&value.kind, value_of(&value)) {
                _ if value.ty == POISON => continue,
                (_, Some(number)) => Some(FiredArgument::Value(number)),
                (ExpressionKind::Value(local), None) => {
                    let mut parameters = parameters;
                    let at = parameters.position(|parameter| parameter == *local);
                    at.map(|at| FiredArgument::Parameter(at as u32))
                }
                (_, None) => None,
            };
            match argument {
                Some(argument) => arguments.push((argument, value.ty, tree.span)),
                None => self.report(
                    Diagnostic::error(
                        "fired-argument",
                        tree.span,
                        "an argument of `fired` is a constant or a variable of a quantifier or ruleset",
                    )
                    .help("a value that depends on the state cannot name an instance of a rule"),
                ),
            }
        }
        self.note_pure("an argument of `fired`");
        self.firings.push(Firing { rule: rule.clone(), span, arguments });
        // Until all rules are known, the position of the use stands for the rule.
        Formula::Fired { rule: self.firings.len() - 1, arguments: None }
    }

    /// Finds the rules that formulas say to fire.
    pub fn resolve_fired(&mut self) {
        let firings = std::mem::take(&mut self.firings);
        let resolved: Vec<_> = firings.iter().map(|firing| self.resolve_firing(firing)).collect();
        for claim in &mut self.claims {
            claim.formula.for_each_fired(&mut |rule, arguments| {
                if let Some(Some((found, values))) = resolved.get(*rule) {
                    (*rule, *arguments) = (*found, values.clone());
                }
            });
        }
    }

    fn resolve_firing(&mut self, firing: &Firing) -> Option<(usize, Option<Vec<FiredArgument>>)> {
        let named = |(_, rule): &(usize, &super::super::model::Rule)| rule.name == firing.rule.text;
        let mut candidates = self.rules.iter().enumerate().filter(named);
        let Some((at, rule)) = candidates.next() else {
            let message = format!("there is no rule named \"{}\"", firing.rule.text);
            self.report(Diagnostic::error("unknown-rule", firing.rule.span, message));
            return None;
        };
        if let Some((_, other)) = candidates.next() {
            let message = format!("there are several rules named \"{}\"", firing.rule.text);
            let diagnostic = Diagnostic::error("ambiguous-rule", firing.rule.span, message)
                .also(rule.header, "this is one of them")
                .also(other.header, "this is another one")
                .help("give the rule that is meant a name of its own");
            self.report(diagnostic);
            return None;
        }
        if firing.arguments.is_empty() {
            return Some((at, None));
        }
        let chooses = rule.scopes.iter().any(|scope| matches!(scope, Scope::Choose { .. }));
        let parameters: Vec<TypeId> = rule
            .scopes
            .iter()
            .filter_map(|scope| match scope {
                Scope::Parameter(binder) => Some(rule.frame.locals.get(binder.variable.index())?.ty),
                Scope::Alias(_) | Scope::Choose { .. } => None,
            })
            .collect();
        let header = rule.header;
        if chooses {
            let message = "an instance of a rule inside `choose` cannot be named";
            let diagnostic = Diagnostic::error("fired-choose", firing.span, message)
                .also(header, "this rule chooses a slot")
                .help("`fired` with the rule's name alone means any of its instances");
            self.report(diagnostic);
            return None;
        }
        if parameters.len() != firing.arguments.len() {
            let message = format!(
                "this rule has {}, but `fired` has {}",
                counted(parameters.len(), "parameter"),
                counted(firing.arguments.len(), "value")
            );
            let diagnostic = Diagnostic::error("fired-arguments", firing.span, message)
                .also(header, "this is the rule")
                .help("give a value for each parameter of its rulesets, from the outside in, or none");
            self.report(diagnostic);
            return None;
        }
        let mut arguments = Vec::new();
        for ((argument, ty, span), parameter) in firing.arguments.iter().zip(&parameters) {
            let Some(argument) = self.fitting(*argument, *ty, *parameter) else {
                let (given, wanted) = (self.types.describe(*ty), self.types.describe(*parameter));
                let message = format!("this is {given}, and the rule's parameter is {wanted}");
                let mut diagnostic = Diagnostic::error("type-mismatch", *span, message);
                if self.are_compatible(*ty, *parameter) {
                    diagnostic = diagnostic.help("use a variable of the type of the rule's parameter");
                }
                self.report(diagnostic);
                return None;
            };
            arguments.push(argument);
        }
        Some((at, Some(arguments)))
    }

    /// An argument in the numbering of the rule's parameter. `None`: it is none of its values, or a
    /// variable that would have other numbers there.
    fn fitting(&self, argument: FiredArgument, ty: TypeId, parameter: TypeId) -> Option<FiredArgument> {
        let pieces = self.conversion(ty, parameter)?;
        if pieces.is_empty() {
            return Some(argument);
        }
        let is_union = matches!(self.types.kind(ty), Some(TypeKind::Union(_)));
        match argument {
            FiredArgument::Value(value) => {
                let piece = pieces.iter().find(|piece| (piece.low..=piece.high).contains(&value))?;
                Some(FiredArgument::Value(value + piece.shift))
            }
            FiredArgument::Parameter(_) => match pieces.as_slice() {
                [piece] if piece.shift == 0 && !is_union => Some(argument),
                _ => None,
            },
        }
    }

    /// What `fair` before a rule or the rulesets around it says.
    pub fn fairness(&mut self, tree: Option<tree::Fairness>, chooses: bool) -> Fairness {
        let Some(fairness) = tree.or(self.fair_around) else { return Fairness::None };
        if chooses {
            self.report(
                Diagnostic::error("fair-choose", fairness.span, "a rule inside `choose` cannot be fair")
                    .help("the slots of a multiset have no identity from one state to the next"),
            );
        }
        if fairness.strong { Fairness::Strong } else { Fairness::Weak }
    }
}
