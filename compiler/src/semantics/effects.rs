//! What functions change. A property is evaluated in any order and any number of times, so one that
//! calls what changes the state is evaluated on a copy. A guard that changes the state is evaluated
//! in the successor. What stands around rules belongs to all of them and must leave the state
//! alone.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use super::checker::{Checker, Origin};
use super::cycles;
use super::model::{Function, FunctionId};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// What a body writes, apart from its own locals.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Where it writes a global variable.
    pub writes_globals: Option<Span>,
    /// The positions of the `var` parameters that it writes.
    pub writes_parameters: BTreeSet<usize>,
    /// Whether it executes a `cover` or a `put`: then it matters how often it is evaluated.
    pub has_side_effects: bool,
    pub calls: Vec<CallEffect>,
}

#[derive(Clone, Debug)]
pub(super) struct CallEffect {
    pub callee: FunctionId,
    /// Whose storage is passed to each `var` parameter.
    pub references: Vec<(usize, Origin)>,
    pub span: Span,
}

/// Calls that should not change the state, and where they stand: "a guard".
pub(super) struct PureUse {
    pub calls: Vec<CallEffect>,
    pub place: &'static str,
    pub use_of: Use,
    /// The positions of the rules whose guard it is, or which it stands around.
    pub rules: Range<usize>,
}

/// What becomes of a call that changes the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// The guard of a rule: the change becomes part of what the rule does.
    Guard,
    /// The property at this position: the change is dropped.
    Property(usize),
    /// What stands around rules: it is an error.
    Around,
}

impl Effects {
    pub fn write(&mut self, origin: Origin, span: Span) {
        match origin {
            Origin::Global => {
                self.writes_globals.get_or_insert(span);
            }
            Origin::Parameter(position) => {
                self.writes_parameters.insert(position);
            }
            Origin::Own => {}
        }
    }
}

impl Checker {
    /// Sets aside the calls noted since the last time, as calls that must be pure.
    pub fn note_pure(&mut self, place: &'static str) {
        self.note_calls(place, Use::Around, 0..0);
    }

    /// Notes the calls in the condition of the property that will have this position.
    pub fn note_property(&mut self, place: &'static str, property: usize) {
        self.note_calls(place, Use::Property(property), 0..0);
    }

    /// Notes the calls in the guard of the rule that will have this position.
    pub fn note_guard(&mut self, rule: usize) {
        self.note_calls("a guard", Use::Guard, rule..rule + 1);
    }

    fn note_calls(&mut self, place: &'static str, use_of: Use, rules: Range<usize>) {
        let effects = std::mem::take(&mut self.effects);
        if !effects.calls.is_empty() {
            self.pure_uses.push(PureUse { calls: effects.calls, place, use_of, rules });
        }
    }

    /// Checks what stands around rules, and then the rules; calls noted by `around` belong to all
    /// of them.
    pub fn with_rules<T>(&mut self, around: impl FnOnce(&mut Self) -> T, inside: impl FnOnce(&mut Self, T)) {
        let (uses, first) = (self.pure_uses.len(), self.rules.len());
        let found = around(self);
        let uses = uses..self.pure_uses.len();
        inside(self, found);
        let rules = first..self.rules.len();
        for used in self.pure_uses.get_mut(uses).into_iter().flatten() {
            used.rules = rules.clone();
        }
    }

    /// Reports every guard and property that changes the state.
    pub fn check_purity(&mut self) {
        self.close_effects();
        for used in std::mem::take(&mut self.pure_uses) {
            for call in &used.calls {
                if self
                    .function_effects
                    .get(call.callee.index())
                    .is_some_and(|effects| effects.has_side_effects)
                {
                    let rules = self.rules.get_mut(used.rules.clone());
                    rules.into_iter().flatten().for_each(|rule| rule.guard_has_side_effects = true);
                }
                let Some(written) = self.global_write(call) else { continue };
                let Some(name) = self.declared_at(call.callee).map(|(name, _)| name.to_owned()) else {
                    continue;
                };
                let place = used.place;
                let diagnostic = match used.use_of {
                    Use::Guard => {
                        let rules = self.rules.get_mut(used.rules.clone());
                        rules.into_iter().flatten().for_each(|rule| rule.guard_writes = true);
                        let message = format!("this guard changes the state, because `{name}` does");
                        Diagnostic::warning("impure-guard", call.span, message)
                            .help("where the guard holds, the change becomes part of what the rule does")
                    }
                    Use::Property(property) => {
                        let property = self.properties.get_mut(property);
                        property.into_iter().for_each(|property| property.writes = true);
                        let message = format!("{place} should not change the state, but `{name}` does");
                        Diagnostic::warning("impure-property", call.span, message)
                            .help("it is evaluated on a copy of the state, and what it changes is dropped")
                    }
                    Use::Around => {
                        let message = format!("{place} must not change the state, but `{name}` does");
                        Diagnostic::error("impure-scope", call.span, message).help(
                            "compute the value in a function that only reads, and change the state in a rule's body",
                        )
                    }
                };
                self.report(diagnostic.also(written, "it writes a global variable here"));
                // Of a property, once is enough.
                if matches!(used.use_of, Use::Property(_)) {
                    break;
                }
            }
        }
    }

    /// Where a call writes a global variable, if it does.
    fn global_write(&self, call: &CallEffect) -> Option<Span> {
        let callee = self.function_effects.get(call.callee.index())?;
        let passed = call.references.iter().any(|(position, origin)| {
            *origin == Origin::Global && callee.writes_parameters.contains(position)
        });
        callee.writes_globals.or(passed.then_some(call.span))
    }

    /// Carries effects from callees to callers until nothing changes.
    fn close_effects(&mut self) {
        let number = self.function_effects.len();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); number];
        for (caller, effects) in self.function_effects.iter().enumerate() {
            for call in &effects.calls {
                if let Some(callers) = callers.get_mut(call.callee.index())
                    && callers.last() != Some(&caller)
                {
                    callers.push(caller);
                }
            }
        }
        let mut open: VecDeque<usize> = (0..number).collect();
        let mut is_open = vec![true; number];
        while let Some(caller) = open.pop_front() {
            is_open[caller] = false;
            if self.take_over_effects(caller) {
                for next in &callers[caller] {
                    if !std::mem::replace(&mut is_open[*next], true) {
                        open.push_back(*next);
                    }
                }
            }
        }
    }

    /// Adds the effects of what a function calls to its own; whether there are new ones.
    fn take_over_effects(&mut self, caller: usize) -> bool {
        let calls = std::mem::take(&mut self.function_effects[caller].calls);
        let mut changed = false;
        for call in &calls {
            let written = self.global_write(call);
            let through: Vec<usize> = match self.function_effects.get(call.callee.index()) {
                Some(callee) => call
                    .references
                    .iter()
                    .filter(|(position, _)| callee.writes_parameters.contains(position))
                    .filter_map(|(_, origin)| match origin {
                        Origin::Parameter(position) => Some(*position),
                        Origin::Global | Origin::Own => None,
                    })
                    .collect(),
                None => Vec::new(),
            };
            let has_side_effects =
                self.function_effects.get(call.callee.index()).is_some_and(|callee| callee.has_side_effects);
            let effects = &mut self.function_effects[caller];
            if has_side_effects && !effects.has_side_effects {
                effects.has_side_effects = true;
                changed = true;
            }
            if effects.writes_globals.is_none() && written.is_some() {
                effects.writes_globals = written;
                changed = true;
            }
            for position in through {
                changed |= effects.writes_parameters.insert(position);
            }
        }
        self.function_effects[caller].calls = calls;
        changed
    }

    /// Marks the functions that can reach themselves through calls.
    pub fn mark_recursion(&self, functions: &mut [Function]) {
        let callees = |effects: &Effects| effects.calls.iter().map(|call| call.callee.index()).collect();
        let graph: Vec<Vec<usize>> = self.function_effects.iter().map(callees).collect();
        for (function, on_cycle) in functions.iter_mut().zip(cycles::on_cycle(&graph)) {
            function.recursive = on_cycle;
        }
    }
}
