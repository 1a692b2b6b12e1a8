//! Rules and start states: for each rule its guard, its body, and the loop over its instances.

use super::body::{Body, Returns};
use super::shared::{Shared, typed_number};
use crate::analysis::interval::Interval;
use crate::semantics::model::{Domain, Expression, ExpressionKind, LocalId, Rule, Scope, Start};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The values that one parameter of a rule runs through.
#[derive(Clone, Copy, Debug)]
pub struct ParameterValues {
    pub local: LocalId,
    pub first: i64,
    pub step: i64,
    pub count: u32,
}

/// The parameters of a rule, from the outside in: of rulesets and of `choose`.
pub fn parameters(scopes: &[Scope]) -> Vec<ParameterValues> {
    let mut parameters = Vec::new();
    for scope in scopes {
        match scope {
            Scope::Parameter(binder) => {
                let (first, last, step) = constant_domain(&binder.domain);
                let count = match step {
                    0 => 0,
                    step => (i128::from(last) - i128::from(first)) / i128::from(step) + 1,
                };
                let backwards = (step > 0 && last < first) || (step < 0 && last > first);
                let count = if backwards { 0 } else { u32::try_from(count).unwrap_or(0) };
                parameters.push(ParameterValues { local: binder.variable, first, step, count });
            }
            Scope::Choose { variable, capacity, .. } => {
                parameters.push(ParameterValues { local: *variable, first: 0, step: 1, count: *capacity });
            }
            Scope::Alias(_) => {}
        }
    }
    parameters
}

/// The checker has made sure that the bounds of rulesets are constants.
fn constant_domain(domain: &Domain) -> (i64, i64, i64) {
    let constant = |expression: &Expression| match expression.kind {
        ExpressionKind::Constant(value) => value,
        _ => 0,
    };
    match domain {
        Domain::Constant { low, high } => (*low, *high, 1),
        Domain::Steps { from, upto, step } => (constant(from), constant(upto), constant(step)),
    }
}

impl Shared<'_> {
    /// One rule: guard, body, and its part of `expand`.
    pub fn rule(&self, index: usize, rule: &Rule, first: u32) -> TokenStream {
        let (guard_name, body_name) = (guard_name(index), body_name(index));
        let parameters = parameters(&rule.scopes);
        let place = self.place_comment(&format!("Rule {:?}", rule.name), rule.header);

        let guard = Body::new(self, &rule.frame, Returns::Nothing);
        let guard_parameters = guard.signature(&parameters);
        let around = guard.around(&rule.scopes, &quote!(return Ok(false);));
        let condition = match &rule.guard {
            Some(condition) => guard.conjuncts(condition, &quote!(return Ok(false);), &quote!(Ok(true))),
            None => quote!(Ok(true)),
        };

        let body = Body::new(self, &rule.frame, Returns::Nothing);
        let body_parameters = body.signature(&parameters);
        let body_around = body.around(&rule.scopes, &quote!(return Ok(());));
        let declarations = body.declare(&rule.variables);
        let statements = body.statements(&rule.body);

        let expand = self.expand_loop(index, &parameters, &guard, first);
        quote! {
            #[doc = #place]
            ///
            /// The guard.
            #[inline]
            fn #guard_name(context: &Context, state: &State #guard_parameters) -> Result<bool, Fault> {
                #around
                #condition
            }

            #[doc = #place]
            ///
            /// The body.
            #[inline]
            fn #body_name(context: &Context, state: &State #body_parameters) -> Result<(), Fault> {
                #body_around
                #declarations
                #statements
                Ok(())
            }

            #expand
        }
    }

    fn expand_loop(
        &self,
        index: usize,
        parameters: &[ParameterValues],
        names: &Body,
        first: u32,
    ) -> TokenStream {
        let expand = expand_name(index);
        let (guard, body) = (guard_name(index), body_name(index));
        let values: Vec<&Ident> = parameters.iter().map(|parameter| names.name(parameter.local)).collect();
        let settle = self.needs_settling().then(|| quote!(settle(context, next)?;));
        let first_literal = Literal::u32_unsuffixed(first);
        let number = if parameters.is_empty() { quote!(#first_literal) } else { quote!(rule) };
        let attempt = quote! {
            successors.attempt(#number, state, #guard(context, state #(, #values)*), |next| {
                #body(context, next #(, #values)*)?;
                #settle
                Ok(())
            });
        };
        let code = if parameters.is_empty() {
            attempt
        } else {
            let mut code = quote!(#attempt rule += 1;);
            for parameter in parameters.iter().rev() {
                let name = names.name(parameter.local);
                let values = values_of(parameter);
                code = quote!(for #name in #values { #code });
            }
            quote!(let mut rule = #first_literal; #code)
        };
        quote! {
            /// Every instance of the rule above.
            fn #expand(context: &Context, state: &State, successors: &mut Successors) {
                #code
            }
        }
    }

    pub fn start(&self, index: usize, start: &Start) -> TokenStream {
        let name = start_name(index);
        let parameters = parameters(&start.scopes);
        let place = self.place_comment(&format!("Start state {:?}", start.name), start.header);
        let body = Body::new(self, &start.frame, Returns::Nothing);
        let signature = body.signature(&parameters);
        let around = body.around(&start.scopes, &quote!(return Ok(());));
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

    /// Whether anything has to be done to a state after a rule: bags sorted, assumptions checked.
    pub fn needs_settling(&self) -> bool {
        use crate::semantics::model::PropertyKind;
        self.model.properties.iter().any(|property| property.kind == PropertyKind::Assume)
            || self.model.globals.iter().any(|global| self.layout.ty(global.ty).has_multiset)
    }
}

impl Body<'_> {
    /// The parameters of a rule as parameters of a Rust function; their bounds are known from here on.
    fn signature(&self, parameters: &[ParameterValues]) -> TokenStream {
        parameters
            .iter()
            .map(|parameter| {
                let last = parameter.first + parameter.step * (i64::from(parameter.count.max(1)) - 1);
                let bounds = Interval::new(parameter.first.min(last), parameter.first.max(last));
                self.bound(parameter.local, bounds);
                let name = self.name(parameter.local);
                quote!(, #name: i64)
            })
            .collect()
    }

    /// The aliases around a rule, and the test that a chosen slot is occupied; `otherwise` leaves the function.
    fn around(&self, scopes: &[Scope], otherwise: &TokenStream) -> TokenStream {
        scopes
            .iter()
            .map(|scope| match scope {
                Scope::Parameter(_) => TokenStream::new(),
                Scope::Alias(binding) => self.alias(binding),
                Scope::Choose { variable, multiset, .. } => {
                    let path = self.place(multiset).tokens;
                    let name = self.name(*variable);
                    quote!(if !#path.occupied(#name) { #otherwise })
                }
            })
            .collect()
    }

    /// A condition as one test after the other, which reads better than one long expression and does not
    /// nest thousands of conjuncts.
    pub fn conjuncts(&self, condition: &Expression, fails: &TokenStream, holds: &TokenStream) -> TokenStream {
        let ExpressionKind::And(operands) = &condition.kind else {
            let condition = self.condition(condition);
            return quote!(if !(#condition) { #fails } #holds);
        };
        let tests = operands.iter().map(|operand| {
            let operand = self.condition(operand);
            quote!(if !(#operand) { #fails })
        });
        quote!(#(#tests)* #holds)
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
                self.bound(*variable, Interval::new(0, i64::from(*capacity) - 1));
                let path = self.place(multiset).tokens;
                let name = self.name(*variable);
                let capacity = typed_number(i64::from(*capacity));
                let inner = self.nested(rest, inner);
                quote!(for #name in 0..#capacity { if #path.occupied(#name) { #inner } })
            }
        }
    }
}

fn values_of(parameter: &ParameterValues) -> TokenStream {
    let first = typed_number(parameter.first);
    let count = i64::from(parameter.count);
    if parameter.step == 1 {
        let end = typed_number(parameter.first.wrapping_add(count - 1));
        // An empty range of Rust is one that ends before it starts, as here.
        return if count == 0 { quote!(#first..#first) } else { quote!(#first..=#end) };
    }
    let (step, count) = (typed_number(parameter.step), typed_number(count));
    quote!((0..#count).map(|turn| #first + turn * #step))
}

pub fn guard_name(index: usize) -> Ident {
    format_ident!("rule_{index}_guard")
}

pub fn body_name(index: usize) -> Ident {
    format_ident!("rule_{index}_body")
}

pub fn expand_name(index: usize) -> Ident {
    format_ident!("rule_{index}_expand")
}

pub fn start_name(index: usize) -> Ident {
    format_ident!("start_{index}")
}
