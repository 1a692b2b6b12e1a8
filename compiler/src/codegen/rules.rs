//! Rules and start states: for each rule its guard, its body, and the loop over its instances.

use super::body::{Body, Returns};
use super::pieces::{Asked, Joined};
use super::places::PlaceCode;
use super::shared::{Shared, typed_number};
use crate::analysis::guards::Level;
use crate::analysis::parameters::ParameterValues;
use crate::analysis::plan::{RulePlan, StartPlan};
use crate::semantics::model::{Expression, ExpressionKind, Rule, Scope, Start};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Rules that may become one function without making the build slow.
const FEW_RULES: usize = 8;

/// What the loops of a rule run through.
struct InstanceLoops<'a> {
    parameters: &'a [ParameterValues],
    names: &'a [&'a Ident],
    /// The number of the first one.
    first: u32,
    /// The number of parameters, the outermost ones, whose values are selected by the caller.
    selected: usize,
}

impl Shared<'_> {
    /// One rule: its guard (in as many parts as it has levels), its body, and its part of `expand`.
    /// Where the rule is selected, `expand` gets the values of the first parameters to try.
    pub fn rule(&self, index: usize, rule: &Rule, first: u32) -> TokenStream {
        let body_name = body_name(index);
        let RulePlan { facts, parameters, is_whole, levels, reports, .. } = &self.plan.rules[index];
        let selected = self.plan.selection.rule(index).map_or(0, |selected| selected.depth);
        let place = self.place_comment(&format!("Rule {:?}", rule.name), rule.header);
        if *is_whole {
            return self.whole_rule(index, rule, first, &place);
        }
        let guards: TokenStream = levels
            .iter()
            .enumerate()
            .filter(|(_, level)| !level.is_empty())
            .map(|(depth, level)| self.guard(index, depth, level, rule, &place))
            .collect();

        let returns = if reports.is_some() { Returns::Written } else { Returns::Nothing };
        let mut body = Body::new(self, &rule.frame, facts, returns);
        body.reports = reports.as_ref();
        let signature = body.signature(parameters);
        // The guard has found the chosen slots occupied.
        let around = body.around(&rule.scopes, rule.scopes.len(), &TokenStream::new());
        let declarations = body.declare(&rule.variables);
        let statements = body.statements(&rule.body);

        let values: Vec<&Ident> = parameters.iter().map(|parameter| body.name(parameter.local)).collect();
        let guard = |depth: usize| {
            if levels[depth].is_empty() {
                return None;
            }
            let (name, values) = (guard_name(index, depth), &values[..depth]);
            Some(quote!(#name(context, state #(, #values)*)))
        };
        let condition = guard(parameters.len()).unwrap_or_else(|| quote!(Ok(true)));
        let called = quote!(#body_name(context, next #(, #values)*));
        let attempt = self.attempt(index, (&condition, &called), &values);
        let (result, written, end) = if reports.is_some() {
            (quote!(bool), quote!(let mut written = false;), quote!(Ok(written)))
        } else {
            (quote!(()), TokenStream::new(), quote!(Ok(())))
        };
        let reported = reports
            .as_ref()
            .map(|_| quote!(#[doc = " Tells whether it came to a statement that may write."]));
        let instances = InstanceLoops { parameters, names: &values, first, selected };
        let expand = self.expand_loops(index, &instances, attempt, &guard);
        quote! {
            #guards

            #[doc = #place]
            ///
            /// The body.
            #reported
            #[inline]
            fn #body_name(context: &Context, state: &State #signature) -> Result<#result, Fault> {
                #around
                #declarations
                #written
                #statements
                #end
            }

            #expand
        }
    }

    /// The part of a guard that is evaluated once the first `depth` parameters are known.
    fn guard(&self, index: usize, depth: usize, level: &Level, rule: &Rule, place: &str) -> TokenStream {
        let name = guard_name(index, depth);
        let RulePlan { facts, parameters, .. } = &self.plan.rules[index];
        let parameters = &parameters[..depth];
        let body = Body::new(self, &rule.frame, facts, Returns::Nothing);
        let signature = body.signature(parameters);
        let around = body.around(level.scopes, level.fresh, &quote!(return Ok(false);));
        let tests = body.tests(&level.conjuncts, Joined::All, Asked::Conditions);
        let tests = tests.iter().map(|test| quote!(if !(#test) { return Ok(false); }));
        let part = match parameters.last() {
            Some(last) => format!(" The guard, as far as `{}` decides it.", body.name(last.local)),
            None => " The guard, as far as no parameter decides it.".to_owned(),
        };
        quote! {
            #[doc = #place]
            ///
            #[doc = #part]
            #[inline]
            fn #name(context: &Context, state: &State #signature) -> Result<bool, Fault> {
                #around
                #(#tests)*
                Ok(true)
            }
        }
    }

    /// A rule whose guard and body are one function: what stands around it is evaluated once for
    /// both.
    fn whole_rule(&self, index: usize, rule: &Rule, first: u32, place: &str) -> TokenStream {
        let name = whole_name(index);
        let RulePlan { facts, parameters, .. } = &self.plan.rules[index];
        let body = Body::new(self, &rule.frame, facts, Returns::Nothing);
        let signature = body.signature(parameters);
        let around = body.around(&rule.scopes, 0, &quote!(return Ok(false);));
        let holds = match &rule.guard {
            Some(guard) => body.conjuncts(guard, &quote!(return Ok(false);), &TokenStream::new()),
            None => TokenStream::new(),
        };
        let declarations = body.declare(&rule.variables);
        let statements = body.statements(&rule.body);
        let values: Vec<&Ident> = parameters.iter().map(|parameter| body.name(parameter.local)).collect();
        let settle = self.plan.settling.is_needed_after(index).then(|| {
            quote!(if fires {
                settle(context, Some(state), next)?;
            })
        });
        let attempt = quote! {
            successors.attempt_in_successor(rule, state, |next, enabled| {
                let fires = #name(context, next, enabled #(, #values)*)?;
                #settle
                Ok(fires)
            });
        };
        let instances = InstanceLoops { parameters, names: &values, first, selected: 0 };
        let expand = self.expand_loops(index, &instances, attempt, &|_| None);
        quote! {
            #[doc = #place]
            ///
            /// The guard and the body.
            fn #name(context: &Context, state: &State, enabled: &Cell<bool> #signature) -> Result<bool, Fault> {
                #around
                #holds
                enabled.set(true);
                let body = || -> Result<(), Fault> {
                    #declarations
                    #statements
                    Ok(())
                };
                body()?;
                Ok(true)
            }

            #expand
        }
    }

    /// The loops over all instances around `attempt`; `guard` is the part of the guard at each
    /// depth.
    fn expand_loops(
        &self,
        index: usize,
        rule: &InstanceLoops<'_>,
        attempt: TokenStream,
        guard: &dyn Fn(usize) -> Option<TokenStream>,
    ) -> TokenStream {
        let InstanceLoops { parameters, names, first, selected } = *rule;
        let expand = expand_name(index);
        let first = Literal::u32_unsuffixed(first);
        let mut code = attempt;
        // The last level may be the one at which instances are selected by number.
        if parameters.len() > selected {
            code.extend(quote!(rule += 1;));
        }
        let mut instances = 1u32;
        for (depth, parameter) in parameters.iter().enumerate().rev() {
            if depth >= selected {
                let (name, range) = (names[depth], values_of(parameter));
                code = quote!(for #name in #range { #code });
                instances = instances.saturating_mul(parameter.count);
            } else if depth == 0 {
                code = selected_instances(rule, instances, code);
            }
            // Where instances are selected by several parameters, nothing is asked before all of
            // them are known.
            let asks = depth == 0 || depth >= selected;
            if let Some(guard) = guard(depth).filter(|_| asks) {
                // Where instances are selected, the number of the next one does not depend on this
                // one.
                let skip = (depth > selected).then(|| {
                    let instances = Literal::u32_unsuffixed(instances);
                    quote!(else { rule += #instances; })
                });
                let number = if depth == 0 { quote!(#first) } else { quote!(rule) };
                code = quote!(if successors.enabled(#number, #guard) { #code } #skip);
            }
        }
        if parameters.iter().any(|parameter| parameter.count == 0) {
            // Without instances there is nothing to evaluate either.
            code = TokenStream::new();
        }
        // Called once, it would be inlined with all others into one function, and the time that
        // LLVM takes for a function grows faster than its size.
        let apart = (self.model.rules.len() > FEW_RULES).then(|| quote!(#[inline(never)]));
        let number = match (parameters.is_empty(), selected) {
            (true, 0) => quote!(let rule: u32 = #first;),
            (false, 0) => quote!(let mut rule: u32 = #first;),
            _ => TokenStream::new(),
        };
        let selection = (selected > 0).then(|| quote!(, selected: Selected));
        quote! {
            /// Every instance of the rule above.
            #apart
            fn #expand(context: &Context, state: &State, successors: &mut Successors #selection) {
                #number
                #code
            }
        }
    }

    pub fn start(&self, index: usize, start: &Start) -> TokenStream {
        let name = start_name(index);
        let StartPlan { facts, parameters } = &self.plan.starts[index];
        let place = self.place_comment(&format!("Start state {:?}", start.name), start.header);
        let body = Body::new(self, &start.frame, facts, Returns::Nothing);
        let signature = body.signature(parameters);
        // A slot that is empty is no start state.
        let around = body.around(&start.scopes, 0, &quote!(return Err(Fault::PRUNED);));
        let declarations = body.declare(&start.variables);
        let statements = body.statements(&start.body);
        quote! {
            #[doc = #place]
            fn #name(context: &Context, state: &State #signature) -> Result<(), Fault> {
                #around
                #declarations
                #statements
                Ok(())
            }
        }
    }
}

impl Body<'_> {
    /// The parameters of a rule as parameters of a Rust function.
    pub fn signature(&self, parameters: &[ParameterValues]) -> TokenStream {
        parameters
            .iter()
            .map(|parameter| {
                let name = self.name(parameter.local);
                quote!(, #name: i64)
            })
            .collect()
    }

    /// The aliases around a rule, and the test that a chosen slot is occupied; `otherwise` leaves
    /// the function. Slots of the scopes before `fresh` have been tested before.
    pub fn around(&self, scopes: &[Scope], fresh: usize, otherwise: &TokenStream) -> TokenStream {
        scopes
            .iter()
            .enumerate()
            .map(|(index, scope)| match scope {
                Scope::Choose { variable, multiset, .. } if index >= fresh => {
                    let PlaceCode { tokens, before, .. } = self.place(multiset);
                    let name = self.name(*variable);
                    let test = quote!(if !#tokens.occupied(#name) { #otherwise });
                    if before.is_empty() { test } else { quote!({ #before #test }) }
                }
                Scope::Parameter(_) | Scope::Choose { .. } => TokenStream::new(),
                Scope::Alias(binding) => self.alias(binding),
            })
            .collect()
    }

    /// A condition as one test after the other, which reads better than one long expression and
    /// does not nest thousands of conjuncts.
    pub fn conjuncts(&self, condition: &Expression, fails: &TokenStream, holds: &TokenStream) -> TokenStream {
        let ExpressionKind::And(operands) = &condition.kind else {
            let condition = self.condition(condition);
            return quote!(if !(#condition) { #fails } #holds);
        };
        let row: Vec<&Expression> = operands.iter().collect();
        let tests = self.tests(&row, Joined::All, Asked::Conditions);
        quote!(#(if !(#tests) { #fails })* #holds)
    }

    /// Loops over the scopes of a property, around `inner`.
    pub fn nested(&self, scopes: &[Scope], inner: impl FnOnce(&Self) -> TokenStream) -> TokenStream {
        let Some((scope, rest)) = scopes.split_first() else {
            return inner(self);
        };
        match scope {
            Scope::Parameter(binder) => {
                let head = self.for_head(binder);
                let inner = self.nested(rest, inner);
                quote!(#head { #inner })
            }
            Scope::Alias(binding) => {
                let binding = self.alias(binding);
                let inner = self.nested(rest, inner);
                quote!({ #binding #inner })
            }
            Scope::Choose { variable, multiset, capacity } => {
                let path = self.place(multiset);
                let (before, bag) = (&path.before, path.reference());
                let name = self.name(*variable);
                let capacity = typed_number(i64::from(*capacity));
                let inner = self.nested(rest, inner);
                quote!({
                    #before
                    let multiset = #bag;
                    for #name in 0..#capacity { if multiset.occupied(#name) { #inner } }
                })
            }
        }
    }
}

/// The loop over selected instances around `code`, which is for `inner` instances of the other
/// parameters.
fn selected_instances(rule: &InstanceLoops<'_>, inner: u32, code: TokenStream) -> TokenStream {
    let InstanceLoops { parameters, names, first, selected } = *rule;
    let mut behind = 1u32;
    let mut values = Vec::new();
    for (depth, parameter) in parameters[..selected].iter().enumerate().rev() {
        let mut number = quote!(instance);
        if behind > 1 {
            let behind = Literal::u32_unsuffixed(behind);
            number = quote!(#number / #behind);
        }
        if depth > 0 {
            let count = Literal::u32_unsuffixed(parameter.count);
            number = quote!(#number % #count);
        }
        let (name, value) = (names[depth], typed_number(parameter.first));
        values.insert(0, quote!(let #name = #value + i64::from(#number);));
        behind = behind.saturating_mul(parameter.count);
    }
    let mutable = (parameters.len() > selected).then(|| quote!(mut));
    let (first, inner) = (Literal::u32_unsuffixed(first), Literal::u32_unsuffixed(inner));
    quote! {
        for instance in selected {
            #(#values)*
            let #mutable rule: u32 = #first + instance * #inner;
            #code
        }
    }
}

pub fn values_of(parameter: &ParameterValues) -> TokenStream {
    let first = typed_number(parameter.first);
    let count = i64::from(parameter.count);
    if parameter.step == 1 {
        let end = typed_number(parameter.first.wrapping_add(count - 1));
        // An empty range of Rust is one that ends before it starts, as here.
        return if count == 0 { quote!(#first..#first) } else { quote!(#first..=#end) };
    }
    let is_small = (count - 1).checked_mul(parameter.step).is_some();
    let (step, count) = (typed_number(parameter.step), typed_number(count));
    if is_small {
        return quote!((0..#count).map(|turn| #first + turn * #step));
    }
    // The product leaves 64 bits, but the sum does not.
    quote!((0..#count).map(|turn: i64| #first.wrapping_add(turn.wrapping_mul(#step))))
}

fn guard_name(index: usize, depth: usize) -> Ident {
    format_ident!("rule_{index}_guard_{depth}")
}

fn whole_name(index: usize) -> Ident {
    format_ident!("rule_{index}_whole")
}

fn body_name(index: usize) -> Ident {
    format_ident!("rule_{index}_body")
}

pub fn expand_name(index: usize) -> Ident {
    format_ident!("rule_{index}_expand")
}

pub fn start_name(index: usize) -> Ident {
    format_ident!("start_{index}")
}
