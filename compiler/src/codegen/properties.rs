//! Invariants, assumptions and cover properties.

use super::body::{Body, Returns};
use super::expressions::whole;
use super::shared::Shared;
use crate::semantics::model::{Expression, ExpressionKind, Property, PropertyKind, Scope};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// A property with more conjuncts than a few times this is emitted as several functions.
const PART: usize = 100;

impl Shared<'_> {
    pub fn property(&self, index: usize, property: &Property) -> TokenStream {
        let name = property_name(index);
        let kind = match property.kind {
            PropertyKind::Invariant => "Invariant",
            PropertyKind::Assume => "Assumption",
            PropertyKind::Cover => "Cover",
        };
        let place = self.place_comment(&format!("{kind} {:?}", property.name), property.header);
        let body = Body::new(self, &property.frame, Returns::Nothing);
        if let ExpressionKind::And(conjuncts) = &property.condition.kind
            && conjuncts.len() > 2 * PART
            && property.scopes.is_empty()
            && property.kind != PropertyKind::Cover
        {
            return self.property_in_parts(&name, &place, &body, conjuncts);
        }
        // An invariant holds if it does for all parameters; a cover is reached if it is for one.
        let (code, otherwise) = match property.kind {
            // Elements of a scalarset have no first one: if it fails for one of them, that is found, whatever it says
            // about the others. An invariant that is false is an error as well.
            PropertyKind::Assume if self.has_symmetric_parameter(property) => {
                let code = body.nested(&property.scopes, |body| {
                    let condition = whole(body.condition(&property.condition));
                    quote!(all_hold &= #condition;)
                });
                (quote!(let mut all_hold = true; #code), quote!(Ok(all_hold)))
            }
            PropertyKind::Cover if self.has_symmetric_parameter(property) => {
                let code = body.nested(&property.scopes, |body| {
                    let condition = whole(body.condition(&property.condition));
                    quote!(one_holds |= #condition;)
                });
                (quote!(let mut one_holds = false; #code), quote!(Ok(one_holds)))
            }
            PropertyKind::Invariant | PropertyKind::Assume => {
                let code = body.nested(&property.scopes, |body| {
                    body.conjuncts(&property.condition, &quote!(return Ok(false);), &TokenStream::new())
                });
                (code, quote!(Ok(true)))
            }
            PropertyKind::Cover => {
                let code = body.nested(&property.scopes, |body| {
                    let condition = body.condition(&property.condition);
                    quote!(if #condition { return Ok(true); })
                });
                (code, quote!(Ok(false)))
            }
        };
        quote! {
            #[doc = #place]
            fn #name(context: &Context, state: &State) -> Result<bool, Fault> {
                #code
                #otherwise
            }
        }
    }

    fn has_symmetric_parameter(&self, property: &Property) -> bool {
        property.scopes.iter().any(|scope| match scope {
            Scope::Parameter(binder) => {
                let local = property.frame.locals.get(binder.variable.index());
                local.is_some_and(|local| self.model.is_symmetric(local.ty))
            }
            // Slots are sorted by values that may be elements.
            Scope::Choose { .. } => true,
            Scope::Alias(_) => false,
        })
    }

    /// A property of very many conjuncts in several functions, since rustc takes more than twice the time for one
    /// that is twice as long.
    fn property_in_parts(
        &self,
        name: &Ident,
        place: &str,
        body: &Body,
        conjuncts: &[Expression],
    ) -> TokenStream {
        let parts: Vec<&[Expression]> = conjuncts.chunks(PART).collect();
        let names: Vec<Ident> = (1..=parts.len()).map(|part| format_ident!("{name}_part_{part}")).collect();
        let functions = parts.iter().zip(&names).map(|(part, name)| {
            let tests = part.iter().map(|conjunct| {
                let condition = body.condition(conjunct);
                quote!(if !(#condition) { return Ok(false); })
            });
            quote! {
                /// A part of the property above.
                #[inline(never)]
                fn #name(context: &Context, state: &State) -> Result<bool, Fault> {
                    #(#tests)*
                    Ok(true)
                }
            }
        });
        quote! {
            #[doc = #place]
            fn #name(context: &Context, state: &State) -> Result<bool, Fault> {
                #(if !#names(context, state)? { return Ok(false); })*
                Ok(true)
            }

            #(#functions)*
        }
    }

    /// What is done to a state after a rule or start state: bags sorted, assumptions checked.
    pub fn settle(&self) -> TokenStream {
        if !self.needs_settling() {
            return TokenStream::new();
        }
        let globals = self.model.globals.iter().zip(&self.global_names);
        let bags = globals
            .filter(|(global, _)| self.layout.ty(global.ty).has_multiset)
            .map(|(_, name)| name)
            .collect::<Vec<_>>();
        let bags = (!bags.is_empty()).then(|| {
            quote! {
                match before {
                    _ if context.keep_slots => { #(state.#bags.tidy();)* }
                    Some(before) => { #(state.#bags.normalise_since(&before.#bags);)* }
                    None => { #(state.#bags.normalise();)* }
                }
            }
        });
        let assumptions = self
            .model
            .properties
            .iter()
            .enumerate()
            .filter(|(_, property)| property.kind == PropertyKind::Assume)
            .map(|(index, _)| {
                let name = property_name(index);
                quote!(if !#name(context, state)? { return Err(Fault::EXCLUDED); })
            });
        quote! {
            /// Brings bags into the order that stands for them, where `before` is the state in which a rule fired;
            /// drops states that break an assumption.
            fn settle(context: &Context, before: Option<&State>, state: &State) -> Result<(), Fault> {
                #bags
                #(#assumptions)*
                Ok(())
            }
        }
    }

    /// The statements of `check`.
    pub fn checks(&self) -> TokenStream {
        let properties = self.model.properties.iter().enumerate();
        properties
            .map(|(index, property)| {
                let name = property_name(index);
                let number = Literal::usize_unsuffixed(index);
                match property.kind {
                    PropertyKind::Invariant => quote!(holds(#name(context, state), #number)?;),
                    PropertyKind::Cover => quote!(covers(context, #name(context, state), #number)?;),
                    PropertyKind::Assume => TokenStream::new(),
                }
            })
            .collect()
    }
}

fn property_name(index: usize) -> Ident {
    format_ident!("property_{index}")
}
