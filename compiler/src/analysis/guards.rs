//! How early each part of a guard can be evaluated.
//!
//! A rule with several parameters is tried by nested loops. What stands at the front of its guard
//! and does not depend on the inner parameters is evaluated once, outside their loops. Only a
//! *prefix* of the conjuncts at each level moves out, so the order of evaluation, and with it which
//! conjunct stops the others from being evaluated, stays as it is written.
//!
//! # What has to be proved
//! For every instance, evaluating the levels from the outermost to the innermost comes to the same
//! end as evaluating scopes and guard in one go:
//!
//! - A conjunct moves out of a scope only if entering that scope, and each one inside it, cannot
//!   fail, cannot be seen and always has a value ([`Failure::scope`]). So there is no error before
//!   it in the text that comes after it now, and there is an instance that evaluates it.
//! - It mentions no local that is bound further inside, so it has one value for all instances of
//!   the inner parameters.
//! - The conjuncts before it have moved at least as far out: each level takes a prefix of what is
//!   left.
//! - Nothing sees how often it is evaluated: rules whose guard, or what stands around them, writes,
//!   counts or prints stay whole ([`needs_whole`]).
//!
//! An error at an outer level is reported once, for the first of the instances that share it. That
//! is the first error of the state as well.

use super::failure::Failure;
use super::intervals::Intervals;
use super::locals;
use crate::semantics::model::{Expression, ExpressionKind, LocalId, Model, Rule, Scope};

/// What is evaluated inside the loops of a number of parameters, and outside all others.
#[derive(Debug)]
pub struct Level<'a> {
    /// The scopes from the outermost up to this level; those before `fresh` belong to outer levels.
    pub scopes: &'a [Scope],
    pub fresh: usize,
    pub conjuncts: Vec<&'a Expression>,
}

impl Level<'_> {
    /// Whether there is anything to evaluate here: an alias, a slot that may be empty, a conjunct.
    pub fn is_empty(&self) -> bool {
        let scopes = self.scopes.get(self.fresh..).unwrap_or_default();
        self.conjuncts.is_empty() && scopes.iter().all(|scope| matches!(scope, Scope::Parameter(_)))
    }
}

/// Whether it can be seen how often, or in which state, the guard and what stands around the rule
/// are evaluated: then guard and body stay together, and nothing moves.
pub fn needs_whole(rule: &Rule) -> bool {
    rule.guard_writes || rule.guard_has_side_effects
}

/// One level more than the rule has parameters.
pub fn levels<'m>(model: &Model, rule: &'m Rule, intervals: &Intervals) -> Vec<Level<'m>> {
    let mut levels = vec![Level { scopes: &rule.scopes[..0], fresh: 0, conjuncts: Vec::new() }];
    // The level at which each local of the scopes becomes known; others are bound inside the guard.
    let mut known: Vec<(LocalId, usize)> = Vec::new();
    for (index, scope) in rule.scopes.iter().enumerate() {
        let local = match scope {
            Scope::Parameter(binder) => binder.variable,
            Scope::Choose { variable, .. } => *variable,
            Scope::Alias(binding) => binding.local,
        };
        if !matches!(scope, Scope::Alias(_)) {
            levels.push(Level { scopes: &[], fresh: index, conjuncts: Vec::new() });
        }
        known.push((local, levels.len() - 1));
        if let Some(level) = levels.last_mut() {
            level.scopes = &rule.scopes[..=index];
        }
    }
    // Nothing is evaluated outside a scope that may have no value, or that may be an error itself.
    let failure = Failure::new(model, &rule.frame, intervals);
    let mut reached = known
        .iter()
        .zip(&rule.scopes)
        .filter(|(_, scope)| failure.scope(scope))
        .map(|((_, level), _)| *level)
        .max()
        .unwrap_or(0);
    if needs_whole(rule) {
        // Evaluated for each instance of its own, as a whole.
        reached = levels.len() - 1;
    }
    for conjunct in conjuncts(rule) {
        for local in locals::mentioned(conjunct) {
            let level = known.iter().find(|(bound, _)| *bound == local).map_or(0, |(_, level)| *level);
            reached = reached.max(level);
        }
        levels[reached].conjuncts.push(conjunct);
    }
    levels
}

/// The guard as a whole, evaluated for each instance once all parameters are known; as many levels
/// as [`levels`] makes.
pub fn innermost(rule: &Rule) -> Vec<Level<'_>> {
    let parameters = rule.scopes.iter().filter(|scope| !matches!(scope, Scope::Alias(_))).count();
    let mut levels: Vec<Level<'_>> = Vec::new();
    levels.resize_with(parameters, || Level { scopes: &[], fresh: 0, conjuncts: Vec::new() });
    levels.push(Level { scopes: &rule.scopes, fresh: 0, conjuncts: conjuncts(rule) });
    levels
}

fn conjuncts(rule: &Rule) -> Vec<&Expression> {
    match &rule.guard {
        None => Vec::new(),
        Some(Expression { kind: ExpressionKind::And(operands), .. }) => operands.iter().collect(),
        Some(guard) => vec![guard],
    }
}
