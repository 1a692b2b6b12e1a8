//! An order in which less has to be asked to see that an invariant holds.
//!
//! `forall i do forall j do i = j | pc[i] != critical | pc[j] != critical` asks about `pc[i]` for
//! every pair. Asked before the loop of `j` it spares the loop for nearly every `i`. Evaluated in
//! that order an invariant may come to another error than in the order of the text, or to one where
//! there is none. So the order found here serves to see that an invariant holds, and where it fails
//! the text is evaluated as it stands.
//!
//! # What has to be proved
//! If it comes to its end without an error and without a counterexample, then so does the
//! text:
//!
//! - A disjunct is taken out only if none of those before it can fail or be seen
//!   ([`Failure::expression`]). Where it holds, the text comes to it, or to one before it that
//!   holds, without an error.
//! - Where it does not hold, it has been evaluated without an error, and the rest of it shows
//!   the same of the other disjuncts, which keep their order, for all values of the other
//!   variables.
//! - No domain is empty or computed, so each disjunct that it evaluates belongs to some
//!   values of all variables, and each combination of values is covered. Quantifiers inside a
//!   disjunct stay as they are.
//! - Nothing sees that parts are evaluated twice, or not at all: there are no calls.
//!
//! What it finds otherwise, an error or a counterexample, is not used.

use super::failure::Failure;
use super::intervals::Intervals;
use super::locals;
use crate::semantics::model::{Binder, Domain, Expression, ExpressionKind, Model, Property, Scope};
use crate::semantics::visit::has_call;

/// A part of a disjunction.
#[derive(Clone, Copy, Debug)]
pub struct Disjunct<'m> {
    pub expression: &'m Expression,
    pub negated: bool,
}

/// Loops around tests.
#[derive(Debug)]
pub struct Order<'m> {
    pub binders: Vec<&'m Binder>,
    pub inside: Inside<'m>,
}

#[derive(Debug)]
pub enum Inside<'m> {
    /// Where this does not hold, the rest of the order has to be followed.
    Unless(Disjunct<'m>, Box<Order<'m>>),
    /// One of these has to hold, tried in this order.
    Any(Vec<Disjunct<'m>>),
}

/// Disjuncts of an invariant, at most: the code for an order has a level for each of them.
const MOST_DISJUNCTS: usize = 50;

/// An order for an invariant, if there is one that asks less than the text does.
pub fn order<'m>(model: &Model, property: &'m Property, intervals: &Intervals) -> Option<Order<'m>> {
    let mut binders = Vec::new();
    for scope in &property.scopes {
        let Scope::Parameter(binder) = scope else { return None };
        binders.push(binder);
    }
    // What is evaluated twice must not be seen, and in expressions only calls can be.
    if has_call(&property.condition) {
        return None;
    }
    let mut whole = Disjunct { expression: &property.condition, negated: false };
    loop {
        match (&whole.expression.kind, whole.negated) {
            (ExpressionKind::Forall { binder, body }, false)
            | (ExpressionKind::Exists { binder, body }, true) => {
                binders.push(binder);
                whole.expression = body;
            }
            (ExpressionKind::Not(operand), negated) => {
                whole = Disjunct { expression: operand, negated: !negated };
            }
            (_, _) => break,
        }
    }
    let constant = |binder: &&Binder| matches!(binder.domain, Domain::Constant { .. });
    if !binders.iter().all(constant) {
        return None;
    }
    let mut disjuncts = Vec::new();
    split(whole, &mut disjuncts);
    if disjuncts.len() > MOST_DISJUNCTS {
        return None;
    }
    let failure = Failure::new(model, &property.frame, intervals);
    let order = arrange(&failure, binders, disjuncts);
    matches!(order.inside, Inside::Unless(..)).then_some(order)
}

/// The parts of a disjunction, in the order in which they are evaluated.
fn split<'m>(whole: Disjunct<'m>, parts: &mut Vec<Disjunct<'m>>) {
    let Disjunct { expression, negated } = whole;
    match (&expression.kind, negated) {
        (ExpressionKind::Or(operands), false) | (ExpressionKind::And(operands), true) => {
            operands.iter().for_each(|operand| split(Disjunct { expression: operand, negated }, parts));
        }
        (ExpressionKind::Implies(left, right), false) => {
            split(Disjunct { expression: left, negated: true }, parts);
            split(Disjunct { expression: right, negated: false }, parts);
        }
        (ExpressionKind::Not(operand), negated) => {
            split(Disjunct { expression: operand, negated: !negated }, parts);
        }
        (_, _) => parts.push(whole),
    }
}

/// Takes the first disjunct out that spares a loop, and that nothing that can fail comes before.
fn arrange<'m>(
    failure: &Failure<'_>,
    binders: Vec<&'m Binder>,
    mut disjuncts: Vec<Disjunct<'m>>,
) -> Order<'m> {
    for at in 0..disjuncts.len() {
        let mentioned = locals::mentioned(disjuncts[at].expression);
        let (outer, inner): (Vec<&Binder>, Vec<&Binder>) =
            binders.iter().copied().partition(|binder| mentioned.contains(&binder.variable));
        if inner.iter().any(|binder| size(binder) > 1) {
            let first = disjuncts.remove(at);
            let rest = Box::new(arrange(failure, inner, disjuncts));
            return Order { binders: outer, inside: Inside::Unless(first, rest) };
        }
        if failure.expression(disjuncts[at].expression) {
            break;
        }
    }
    Order { binders, inside: Inside::Any(disjuncts) }
}

fn size(binder: &Binder) -> i128 {
    match binder.domain {
        Domain::Constant { low, high } => i128::from(high) - i128::from(low) + 1,
        Domain::Steps { .. } => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    /// The order for the first property of a model: loops with what is asked inside them, as a
    /// line.
    fn ordered(property: &str) -> String {
        let text = format!(
            "type id: 0..2; one: 0..0; var a: array [id] of 0..3; b: boolean;\n\
             function f(i: id): boolean; begin return a[i] = 1; end;\n\
             startstate begin clear a; b := false; end; rule begin b := !b; end;\n{property}"
        );
        let source = Source::new("model.m", text.as_str());
        let (model, diagnostics) = crate::check(&source);
        let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
        let property = &model.properties[0];
        let intervals = Intervals::of_code(&model, property.code());
        let Some(mut order) = super::order(&model, property, &intervals) else { return "none".to_owned() };
        let asked = |disjunct: &Disjunct| {
            let span = disjunct.expression.span;
            let text = &text[span.start as usize..span.end as usize];
            if disjunct.negated { format!("not {text}") } else { text.to_owned() }
        };
        let mut line = String::new();
        loop {
            for binder in &order.binders {
                let local = &property.frame.locals[binder.variable.index()];
                line.push_str(&format!("{}: ", local.name));
            }
            match order.inside {
                Inside::Unless(disjunct, rest) => {
                    line.push_str(&format!("{} or ", asked(&disjunct)));
                    order = *rest;
                }
                Inside::Any(disjuncts) => {
                    let disjuncts: Vec<String> = disjuncts.iter().map(asked).collect();
                    return line + &disjuncts.join(" | ");
                }
            }
        }
    }

    #[test]
    fn what_spares_a_loop_comes_first() {
        let pairs = "invariant forall i: id do forall j: id do i = j | a[i] != 1 | a[j] != 1 end end;";
        assert_eq!(ordered(pairs), "i: a[i] != 1 or j: i = j | a[j] != 1");
        let none = "invariant !exists i: id do exists j: id do i != j & a[i] = 1 & a[j] = 1 end end;";
        assert_eq!(ordered(none), "i: not a[i] = 1 or j: not i != j | not a[j] = 1");
        let scope = "ruleset i: id do invariant forall j: id do a[i] = 1 -> a[j] = 1 end; end;";
        assert_eq!(ordered(scope), "i: not a[i] = 1 or j: a[j] = 1");
    }

    /// Nothing comes before what may fail in the text before it, and nothing is gained where there
    /// is one loop.
    #[test]
    fn what_may_fail_stays_first() {
        let fails = "invariant forall i: id do forall j: id do a[a[i]] = j | a[i] = 1 end end;";
        assert_eq!(ordered(fails), "none");
        assert_eq!(ordered("invariant forall i: id do a[i] = 1 | b end;"), "none");
        let single = "invariant forall i: id do forall j: one do a[i] = 1 | a[j] = 1 end end;";
        assert_eq!(ordered(single), "none");
    }

    /// Functions may print, and bounds may fail.
    #[test]
    fn calls_and_computed_bounds_are_left_alone() {
        assert_eq!(ordered("invariant forall i: id do forall j: id do f(i) | f(j) end end;"), "none");
        let bounds = "invariant forall i: id do forall j := 0 to a[i] do a[i] = 1 | a[j] = 1 end end;";
        assert_eq!(ordered(bounds), "none");
    }
}
