//! Rules, start states, properties, and the headers of what stands around them.

use super::grammar::Rule;
use super::{Builder, Pair, Pairs, Span};
use crate::syntax::tree::{
    AliasBinding, Domain, Expression, Fairness, Name, Property, PropertyKind, Quantifier, RuleItem,
    SimpleRule, StartState,
};

/// What stands before the `do` of a ruleset, an alias or a `choose`.
pub(super) enum Header {
    Ruleset(Option<Fairness>, Vec<Quantifier>),
    Alias(Vec<AliasBinding>),
    Choose(Name, Box<Expression>),
}

impl Header {
    /// How many levels of nesting this is to the passes that follow.
    pub(super) fn levels(&self) -> usize {
        match self {
            Header::Ruleset(_, quantifiers) => quantifiers.len().max(1),
            Header::Alias(bindings) => bindings.len().max(1),
            Header::Choose(..) => 1,
        }
    }

    pub(super) fn close(self, rules: Vec<RuleItem>, span: Span) -> RuleItem {
        match self {
            Header::Ruleset(fairness, quantifiers) => {
                RuleItem::Ruleset { fairness, quantifiers, rules, span }
            }
            Header::Alias(bindings) => RuleItem::Alias { bindings, rules, span },
            Header::Choose(variable, multiset) => {
                RuleItem::Choose { variable, multiset: *multiset, rules, span }
            }
        }
    }
}

impl Builder {
    pub(super) fn header(&mut self, mut pairs: Pairs<'_, Rule>) -> Option<Header> {
        let pair = pairs.next()?;
        let rule = pair.as_rule();
        let mut inner = pair.into_inner();
        match rule {
            Rule::ruleset_header => {
                let mut first = inner.next()?;
                let mut fairness = None;
                if first.as_rule() == Rule::fairness {
                    fairness = Some(self.fairness(&first));
                    first = inner.next()?;
                }
                match first.as_rule() {
                    Rule::ruleset_word => Some(Header::Ruleset(fairness, self.quantifiers(inner.next()?)?)),
                    _ => None,
                }
            }
            Rule::alias_header => Some(Header::Alias(self.bindings(inner.nth(1)?)?)),
            Rule::choose_header => {
                let variable = self.name(&inner.nth(1)?)?;
                let multiset = self.reference(inner.nth(1)?)?;
                Some(Header::Choose(variable, Box::new(multiset)))
            }
            _ => None,
        }
    }

    pub(super) fn simple_rule(&mut self, pair: Pair<'_, Rule>) -> Option<SimpleRule> {
        let span = self.span(&pair);
        let mut rule = SimpleRule {
            fairness: None,
            name: None,
            priority: None,
            guard: None,
            declarations: Vec::new(),
            body: Vec::new(),
            span,
            header: span,
        };
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::fairness => rule.fairness = Some(self.fairness(&inner)),
                Rule::rule_word => rule.header = self.span(&inner),
                Rule::priority => {
                    let number = inner.into_inner().next()?;
                    let kind = self.number(&number);
                    rule.priority = Some(Expression { kind, span: self.span(&number) });
                }
                Rule::string => {
                    rule.header = rule.header.to(self.span(&inner));
                    rule.name = Some(self.text(&inner)?);
                }
                Rule::guard => {
                    let condition = inner.into_inner().find(|part| part.as_rule() == Rule::expression);
                    rule.guard = match condition {
                        Some(condition) => Some(self.expression(condition)?),
                        None => None,
                    };
                }
                Rule::locals => self.declarations(inner, &mut rule.declarations)?,
                Rule::statements => rule.body = self.statements(inner)?,
                Rule::begin_word | Rule::end_of_rule => {}
                _ => return None,
            }
        }
        Some(rule)
    }

    pub(super) fn start_state(&mut self, pair: Pair<'_, Rule>) -> Option<StartState> {
        let span = self.span(&pair);
        let mut start =
            StartState { name: None, declarations: Vec::new(), body: Vec::new(), span, header: span };
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::startstate_word => start.header = self.span(&inner),
                Rule::string => {
                    start.header = start.header.to(self.span(&inner));
                    start.name = Some(self.text(&inner)?);
                }
                Rule::locals => self.declarations(inner, &mut start.declarations)?,
                Rule::statements => start.body = self.statements(inner)?,
                Rule::begin_word | Rule::end_of_startstate => {}
                _ => return None,
            }
        }
        Some(start)
    }

    pub(super) fn property(&mut self, pair: Pair<'_, Rule>) -> Option<Property> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let mut header = self.span(&word);
        let kind = match word.into_inner().next()?.as_rule() {
            Rule::invariant_word | Rule::assert_word => PropertyKind::Invariant,
            Rule::assume_word => PropertyKind::Assume,
            Rule::cover_word => PropertyKind::Cover,
            Rule::liveness_word => PropertyKind::Liveness,
            _ => return None,
        };
        let mut name = None;
        let mut condition = None;
        for part in inner {
            match part.as_rule() {
                Rule::string => {
                    if condition.is_none() {
                        header = header.to(self.span(&part));
                    }
                    name = Some(self.text(&part)?);
                }
                Rule::expression => condition = Some(self.expression(part)?),
                _ => return None,
            }
        }
        Some(Property { kind, name, condition: condition?, span, header })
    }

    /// `fair` or `strong fair`.
    fn fairness(&self, pair: &Pair<'_, Rule>) -> Fairness {
        let strong = pair.clone().into_inner().any(|word| word.as_rule() == Rule::strong_word);
        Fairness { strong, span: self.span(pair) }
    }

    /// `reject`, `deadlock` and `ltl`: a word, a name, and what is claimed.
    pub(super) fn temporal_property(&mut self, pair: Pair<'_, Rule>) -> Option<Property> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let word = inner.next()?;
        let kind = match word.as_rule() {
            Rule::reject_word => PropertyKind::Reject,
            Rule::deadlock_word => PropertyKind::Deadlock,
            Rule::ltl_word => PropertyKind::Ltl,
            _ => return None,
        };
        let string = inner.next()?;
        let header = self.span(&word).to(self.span(&string));
        let name = Some(self.text(&string)?);
        let condition = inner.next()?;
        let condition = match condition.as_rule() {
            Rule::formula => self.measured(condition)?.expression,
            _ => self.expression(condition)?,
        };
        Some(Property { kind, name, condition, span, header })
    }

    pub(super) fn quantifiers(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Quantifier>> {
        let mut quantifiers = Vec::new();
        for quantifier in pair.into_inner() {
            quantifiers.push(self.quantifier(quantifier)?);
        }
        Some(quantifiers)
    }

    fn quantifier(&mut self, pair: Pair<'_, Rule>) -> Option<Quantifier> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let variable = self.name(&inner.next()?)?;
        let next = inner.next()?;
        let domain = match next.as_rule() {
            Rule::colon => Domain::Type(self.type_expression(inner.next()?)?),
            Rule::steps => {
                let mut bounds = next.into_inner();
                let from = Box::new(self.expression(bounds.nth(1)?)?);
                let upto = Box::new(self.expression(bounds.nth(1)?)?);
                let step = match bounds.nth(1) {
                    Some(step) => Some(Box::new(self.expression(step)?)),
                    None => None,
                };
                Domain::Steps { from, upto, step }
            }
            _ => return None,
        };
        Some(Quantifier { variable, domain, span })
    }

    pub(super) fn bindings(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<AliasBinding>> {
        let mut bindings = Vec::new();
        for binding in pair.into_inner() {
            let mut inner = binding.into_inner();
            let names = self.names_of_copies(inner.next()?)?;
            let value = self.expression(inner.nth(1)?)?;
            bindings.extend(names.into_iter().map(|name| AliasBinding { name, value: value.clone() }));
        }
        Some(bindings)
    }
}
