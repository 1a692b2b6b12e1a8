//! Rules, start states and properties, with the rulesets, aliases and choices around them.

use super::checker::{Body, Checker, FrameInProgress, Role};
use super::constants::value_of;
use super::domains;
use super::model::{Property, PropertyKind, Rule, Scope, Start};
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{self, Program, RuleItem};

/// The most instances that all rules may have together.
const MAX_INSTANCES: u128 = 1 << 31;

/// What stands around a rule.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// How many instances it makes of each rule.
    count: u128,
    /// The ruleset that multiplies most.
    largest: Option<(u128, Span)>,
}

impl Around {
    pub const NOTHING: Around = Around { count: 1, largest: None };

    fn times(self, count: u128, span: Span) -> Around {
        let largest = match self.largest {
            Some((most, span)) if most >= count => Some((most, span)),
            Some(_) | None => Some((count, span)),
        };
        Around { count: self.count.saturating_mul(count), largest }
    }
}

impl Checker {
    pub fn rule_item(&mut self, item: &RuleItem, around: Around) {
        match item {
            RuleItem::Rule(rule) => self.leaf(|checker| checker.rule(rule, around)),
            RuleItem::StartState(start) => self.leaf(|checker| checker.start(start, around)),
            RuleItem::Property(property) => self.leaf(|checker| checker.property(property, around)),
            RuleItem::Ruleset { fairness, quantifiers, rules, span } => {
                self.nested(quantifiers.len(), |checker| {
                    let outer = checker.fair_around;
                    checker.fair_around = fairness.or(outer);
                    let mut around = around;
                    for quantifier in quantifiers {
                        checker.scopes.enter();
                        if let Some(binder) = checker.binder(quantifier, Role::RulesetParameter) {
                            let header = Span { start: span.start, end: quantifier.span.end };
                            around = around.times(domains::count(&binder.domain), header);
                            checker.frame.scopes.push(Scope::Parameter(binder));
                        }
                    }
                    checker.rule_items(rules, around);
                    checker.fair_around = outer;
                })
            }
            RuleItem::Alias { bindings, rules, .. } => self.nested(bindings.len(), |checker| {
                let aliases = |checker: &mut Self| {
                    for binding in bindings {
                        checker.scopes.enter();
                        let alias = checker.alias(binding);
                        checker.frame.scopes.extend(alias.map(Scope::Alias));
                        checker.note_pure("an alias around rules");
                    }
                };
                checker.with_rules(aliases, |checker, ()| checker.rule_items(rules, around));
            }),
            RuleItem::Choose { variable, multiset, rules, .. } => self.nested(1, |checker| {
                let choice = |checker: &mut Self| {
                    let bag = checker.bag(multiset, None);
                    checker.note_pure("the multiset of `choose`");
                    bag
                };
                checker.with_rules(choice, |checker, bag| {
                    checker.scopes.enter();
                    let local = checker.slot_variable(variable, bag.as_ref());
                    let mut around = around;
                    if let Some(bag) = bag {
                        around = around.times(u128::from(bag.capacity), multiset.span);
                        let (multiset, capacity) = (bag.place, bag.capacity);
                        checker.frame.scopes.push(Scope::Choose { variable: local, multiset, capacity });
                    }
                    checker.rule_items(rules, around);
                });
            }),
            RuleItem::Unparsed { header, rules, .. } => self.nested(1, |checker| {
                checker.scopes.enter();
                checker.poison(header);
                checker.rule_items(rules, around);
            }),
        }
    }

    fn rule_items(&mut self, rules: &[RuleItem], around: Around) {
        for rule in rules {
            self.rule_item(rule, around);
        }
    }

    /// Checks what stands inside `levels` new scopes, and puts the frame back as it was.
    fn nested(&mut self, levels: usize, inside: impl FnOnce(&mut Self)) {
        let outer = self.frame.clone();
        inside(self);
        self.frame = outer;
        for _ in 0..levels {
            self.scopes.leave();
        }
    }

    /// Checks one rule in a frame and a scope of its own, which begin with what stands around it.
    fn leaf(&mut self, check: impl FnOnce(&mut Self)) {
        self.nested(1, |checker| {
            checker.scopes.enter();
            checker.unknown.clear();
            checker.effects = Default::default();
            check(checker);
            checker.effects = Default::default();
            checker.body = Body::Expression;
        });
    }

    fn rule(&mut self, tree: &tree::SimpleRule, around: Around) {
        self.count_instances(around, tree.header);
        let priority = tree.priority.as_ref().map_or(0, |priority| self.priority(priority));
        // In CMurphi a rule is probabilistic if its guard is a real number.
        let is_real = |guard: &&tree::Expression| matches!(guard.kind, tree::ExpressionKind::Real);
        let probability = tree.guard.as_ref().filter(is_real).map(|guard| guard.span);
        if let Some(span) = probability {
            self.report(
                Diagnostic::error(
                    "unsupported-probability",
                    span,
                    "mcc does not support probabilistic rules",
                )
                .help("without the probability, the rule is explored as one of several possibilities"),
            );
        }
        let guard = tree.guard.as_ref().filter(|guard| !is_real(guard));
        let guard = guard.map(|guard| self.condition(guard, "a guard"));
        self.note_guard(self.rules.len());
        // A guard that always holds is no guard.
        let guard = guard.filter(|guard| value_of(guard) != Some(1));
        self.body = Body::Rule;
        self.local_declarations(&tree.declarations);
        let body = self.statements(&tree.body);
        let number = self.rules.len() + 1;
        let name = tree.name.as_ref().map_or_else(|| format!("Rule {number}"), |name| name.text.clone());
        let FrameInProgress { locals, variables, scopes, .. } = std::mem::take(&mut self.frame);
        let frame = super::model::Frame { locals };
        let (span, header) = (tree.span, tree.header);
        let chooses = scopes.iter().any(|scope| matches!(scope, Scope::Choose { .. }));
        let fairness = self.fairness(tree.fairness, chooses);
        self.rules.push(Rule {
            fairness,
            name,
            frame,
            scopes,
            priority,
            guard,
            guard_writes: false,
            guard_has_side_effects: false,
            variables,
            body,
            span,
            header,
        });
    }

    /// A priority is honoured as CMurphi does.
    fn priority(&mut self, tree: &tree::Expression) -> i64 {
        self.priorities.push(tree.span);
        self.constant_number(tree, "a priority").unwrap_or(0)
    }

    fn start(&mut self, tree: &tree::StartState, around: Around) {
        self.check_instances(around.count, around, tree.header);
        self.body = Body::Rule;
        self.local_declarations(&tree.declarations);
        let body = self.statements(&tree.body);
        let number = self.starts.len() + 1;
        let name =
            tree.name.as_ref().map_or_else(|| format!("Startstate {number}"), |name| name.text.clone());
        let FrameInProgress { locals, variables, scopes, .. } = std::mem::take(&mut self.frame);
        let frame = super::model::Frame { locals };
        let (span, header) = (tree.span, tree.header);
        self.starts.push(Start { name, frame, scopes, variables, body, span, header });
    }

    fn property(&mut self, tree: &tree::Property, around: Around) {
        self.check_instances(around.count, around, tree.header);
        let (kind, what, title) = match tree.kind {
            tree::PropertyKind::Invariant => (PropertyKind::Invariant, "an invariant", "Invariant"),
            tree::PropertyKind::Assume => (PropertyKind::Assume, "an assumption", "Assumption"),
            tree::PropertyKind::Cover => (PropertyKind::Cover, "a cover property", "Cover"),
            tree::PropertyKind::Reject => (PropertyKind::Reject, "a reject property", "Reject"),
            tree::PropertyKind::Liveness => return self.claim(tree, PropertyKind::Liveness, "Liveness"),
            tree::PropertyKind::Deadlock => return self.claim(tree, PropertyKind::Deadlock, "Deadlock"),
            tree::PropertyKind::Ltl => return self.claim(tree, PropertyKind::Ltl, "Formula"),
        };
        let condition = self.condition(&tree.condition, what);
        self.note_property(what, self.properties.len());
        let condition = match kind {
            PropertyKind::Reject => super::constants::negated(condition),
            _ => condition,
        };
        let number = self.properties.iter().filter(|property| property.kind == kind).count() + 1;
        let name = tree.name.as_ref().map_or_else(|| format!("{title} {number}"), |name| name.text.clone());
        let FrameInProgress { locals, scopes, .. } = std::mem::take(&mut self.frame);
        let frame = super::model::Frame { locals };
        let (span, header) = (tree.span, tree.header);
        self.properties.push(Property { kind, name, frame, scopes, condition, writes: false, span, header });
    }

    fn count_instances(&mut self, around: Around, header: Span) {
        let before = self.instances;
        self.instances = self.instances.saturating_add(around.count);
        if before < MAX_INSTANCES {
            self.check_instances(self.instances, around, header);
        }
    }

    fn check_instances(&mut self, count: u128, around: Around, header: Span) {
        if count < MAX_INSTANCES {
            return;
        }
        let mut diagnostic = Diagnostic::error(
            "too-many-instances",
            header,
            format!("this makes {count} instances; mcc allows fewer than {MAX_INSTANCES}"),
        )
        .help("smaller parameters keep the number of instances within reach of a search");
        if let Some((most, span)) = around.largest {
            diagnostic = diagnostic.also(span, format!("this ruleset multiplies it by {most}"));
        }
        self.report(diagnostic);
    }

    /// Warns of priorities, once for the whole model: they hide behaviour from the search.
    pub fn warn_of_priorities(&mut self) {
        let Some((first, others)) = self.priorities.split_first() else { return };
        let rules = match others.len() {
            0 => "this rule fires".to_owned(),
            1 => "this rule and another one fire".to_owned(),
            more => format!("this rule and {more} others fire"),
        };
        let message =
            format!("{rules} only in states where no rule with a smaller priority number is enabled");
        let diagnostic = Diagnostic::warning("rule-priority", *first, message).help(
            "this is CMurphi's meaning; the verifier's option --no-priorities lets every enabled rule fire",
        );
        self.report(diagnostic);
    }

    pub fn check_rules_exist(&mut self, program: &Program) {
        // What is missing may stand in the part that could not be parsed.
        if program.damaged {
            return;
        }
        let place = program.items.first().map_or(Span::default(), |item| match item {
            tree::Item::Declaration(
                tree::Declaration::Constant { name, .. } | tree::Declaration::Type { name, .. },
            ) => name.span,
            tree::Item::Declaration(tree::Declaration::Variables { names, definition }) => {
                names.first().map_or(definition.span, |name| name.span)
            }
            tree::Item::Declaration(tree::Declaration::Unparsed(_)) => Span::default(),
            tree::Item::Function(function) => function.name.span,
            tree::Item::External(name, _) => name.span,
            tree::Item::Formula(span) => *span,
            tree::Item::Rule(rule) => header(rule),
        });
        if self.starts.is_empty() {
            self.report(
                Diagnostic::error("no-start-state", place, "this model has no start state")
                    .help("add `startstate begin … end` that gives the variables their first values"),
            );
        } else if self.rules.is_empty() {
            self.report(Diagnostic::warning(
                "no-rules",
                place,
                "this model has no rules: only its start states are checked",
            ));
        }
    }
}

fn header(rule: &RuleItem) -> Span {
    match rule {
        RuleItem::Rule(rule) => rule.header,
        RuleItem::StartState(start) => start.header,
        RuleItem::Property(property) => property.header,
        RuleItem::Ruleset { span, .. }
        | RuleItem::Alias { span, .. }
        | RuleItem::Choose { span, .. }
        | RuleItem::Unparsed { span, .. } => *span,
    }
}
