//! Why a property is false: a function for each invariant that evaluates it once more and notes
//! what decides, for reports. Searches never call it.
//!
//! What is explained, and how, is the plan in `analysis/why.rs`; a test compares the reports with
//! those of the interpreter.

use super::body::{Body, Returns};
use super::shared::Shared;
use super::undefined::Purpose;
use crate::analysis::size;
use crate::analysis::why::{Explained, is_explained, parameters};
use crate::semantics::model::{Binder, Expression, LocalId, Property};
use crate::source::Span;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Nodes of conditions that are explained in one model. Properties after that are not: the code
/// would cost more time to compile than an explanation is worth.
const MOST_NODES: usize = 8_000;
/// Nodes of a condition that is explained: its function is not divided, as others are, and rustc
/// takes more than in proportion for longer ones.
const MOST_NODES_OF_ONE: usize = 1_500;

impl Shared<'_> {
    /// `explain`, and the functions that it calls.
    pub fn explanations(&self) -> (TokenStream, TokenStream) {
        let mut left = MOST_NODES;
        let mut functions = TokenStream::new();
        let mut arms = TokenStream::new();
        for (index, property) in self.model.properties.iter().enumerate() {
            if !is_explained(property) {
                continue;
            }
            let nodes = size::of_expression(&property.condition);
            if nodes > MOST_NODES_OF_ONE {
                continue;
            }
            let Some(rest) = left.checked_sub(nodes) else { continue };
            left = rest;
            let name = format_ident!("why_{index}");
            let number = Literal::u32_unsuffixed(index as u32);
            arms.extend(quote!(#number => #name(context, state, &mut why),));
            functions.extend(self.explanation(index, &name, property));
        }
        if arms.is_empty() {
            return Default::default();
        }
        let method = quote! {
            fn explain(
                &self, context: &Context, property: PropertyId, words: &mut [u64],
            ) -> Vec<::mcc_runtime::contract::explanation::Reason> {
                let state = State::view(words);
                let mut why = ::mcc_runtime::contract::explanation::Why::new(DESCRIPTION.source);
                let noted = match property.0 {
                    #arms
                    _ => return Vec::new(),
                };
                if noted.is_ok() { why.reasons() } else { Vec::new() }
            }
        };
        (method, functions)
    }

    fn explanation(&self, index: usize, name: &Ident, property: &Property) -> TokenStream {
        let place = self.place_comment(&format!("Why {:?} is false", property.name), property.header);
        let body = Body::new(self, &property.frame, &self.plan.properties[index].facts, Returns::Nothing);
        let parameters: TokenStream = parameters(property)
            .map(|variable| {
                let (value, text, ty) = body.named(variable);
                quote!(why.parameter(#text, #ty, #value);)
            })
            .collect();
        let code = body.nested(&property.scopes, |body| {
            let condition = body.noted(&property.condition, 0);
            quote! {
                why.clear();
                #parameters
                if !#condition {
                    return Ok(());
                }
            }
        });
        quote! {
            #[doc = #place]
            #[cold]
            #[inline(never)]
            fn #name(
                context: &Context, state: &State, why: &mut ::mcc_runtime::contract::explanation::Why,
            ) -> Result<(), Fault> {
                #code
                why.clear();
                Ok(())
            }
        }
    }
}

fn part(span: Span) -> TokenStream {
    let (begin, end) = (Literal::u32_unsuffixed(span.start), Literal::u32_unsuffixed(span.end));
    quote!(::mcc_runtime::contract::explanation::part(#begin, #end))
}

/// A condition as a function that may be called when its turn comes.
fn later(condition: &TokenStream) -> TokenStream {
    quote!(&|why| Ok(#condition))
}

impl Body<'_> {
    /// A local with its name as text and its type.
    fn named(&self, local: LocalId) -> (TokenStream, &str, TokenStream) {
        let name = self.name(local);
        let text = self.frame.locals.get(local.index()).map_or("", |local| local.name.as_str());
        (quote!(#name), text, self.shared.simple_table(self.local_type(local)))
    }

    /// A condition as a `bool` that notes in `why` what decides.
    fn noted(&self, expression: &Expression, level: usize) -> TokenStream {
        let part = part(expression.span);
        let inside = |inner: &Expression| self.noted(inner, level + 1);
        let operands = |operands: &[Expression]| -> Vec<TokenStream> {
            operands.iter().map(|operand| later(&inside(operand))).collect()
        };
        match Explained::of(expression, level) {
            Explained::All(all) => {
                let operands = operands(all);
                quote!(why.all(&[#(#operands),*])?)
            }
            Explained::Any(any) => {
                let operands = operands(any);
                quote!(why.any(&[#(#operands),*])?)
            }
            Explained::Not(operand) => {
                let operand = inside(operand);
                quote!((!#operand))
            }
            Explained::Implies(left, right) => {
                let (left, right) = (later(&inside(left)), later(&inside(right)));
                quote!(why.implies(#part, #left, #right)?)
            }
            Explained::Conditional(parts) => {
                let [condition, then, otherwise] = parts.map(|inner| later(&inside(inner)));
                quote!(why.conditional(#part, #condition, #then, #otherwise)?)
            }
            Explained::Forall(binder, body) => {
                let arguments = self.quantifier(binder, &inside(body));
                quote!(why.forall(#part, #arguments)?)
            }
            Explained::Exists(binder, body) => {
                let arguments = self.quantifier(binder, &inside(body));
                quote!(why.exists(#part, #arguments)?)
            }
            Explained::Compared(sides) => {
                let value = self.condition(expression);
                let sides = sides.into_iter().map(|side| self.side(side));
                quote!(why.compared(#part, #value, &[#(#sides),*]))
            }
            Explained::Value => {
                let value = self.condition(expression);
                quote!(why.value(#part, #value))
            }
        }
    }

    /// The variable, the values and the body of a quantifier.
    fn quantifier(&self, binder: &Binder, body: &TokenStream) -> TokenStream {
        let (name, text, ty) = self.named(binder.variable);
        let values = self.domain(binder);
        quote! {
            ::mcc_runtime::contract::explanation::Bound { name: #text, ty: #ty },
            &mut (#values),
            &|why, #name| Ok(#body)
        }
    }

    /// A side of a comparison.
    fn side(&self, side: &Expression) -> TokenStream {
        let (part, ty) = (part(side.span), self.shared.simple_table(side.ty));
        let value = self.optional(side, Purpose::Compared);
        let value = if self.shared.model.may_be_undefined(side) {
            quote!(Some(#value).filter(|value: &i64| *value != UNDEFINED))
        } else {
            quote!(Some(#value))
        };
        quote!(::mcc_runtime::contract::explanation::Side { part: #part, value: #value, ty: #ty })
    }
}
