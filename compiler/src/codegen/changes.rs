//! What a rule reports about the change that it made: nothing was written, a place differs, or
//! neither is known.

use super::shared::{Shared, number};
use crate::analysis::signs::{Sign, SignIndex, SignStep};
use crate::semantics::model::TypeKind;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

impl Shared<'_> {
    /// The attempt to fire one instance of a rule: `condition` is what is left of its guard,
    /// `called` the call of its body, `names` those of its parameters. Some bodies report whether
    /// they came to a statement that may write.
    pub fn attempt(
        &self,
        rule: usize,
        (condition, called): (&TokenStream, &TokenStream),
        names: &[&Ident],
    ) -> TokenStream {
        let settling = &self.plan.settling;
        let settle = settling.is_needed_after(rule).then(|| quote!(settle(context, Some(state), next)?;));
        let reports = self.plan.rules[rule].reports.is_some();
        let seen = match self.sign(rule, names) {
            Some(differs) => quote!(Ok(Change::seen(#differs))),
            None if reports => quote!(Ok(Change::Unknown)),
            None if self.model.rules.len() > self.limits.rules => quote!(Ok(Change::Unknown)),
            None => {
                return quote! {
                    successors.attempt(rule, state, #condition, |next| {
                        #called?;
                        #settle
                        Ok(())
                    });
                };
            }
        };
        let called = if reports {
            // Bags are in their order where nothing was written; what an assumption asks may be
            // counted.
            let settle = settle.clone().filter(|_| settling.has_assumptions);
            quote!(if !#called? { #settle return Ok(Change::Nothing); })
        } else {
            quote!(#called?;)
        };
        if self.model.rules.len() > self.limits.rules {
            return quote! {
                attempt_apart(successors, rule, state, #condition, &mut |next: &State| {
                    #called
                    #settle
                    #seen
                });
            };
        }
        quote! {
            successors.attempt_with_change(rule, state, #condition, |next| {
                #called
                #settle
                #seen
            });
        }
    }

    /// Whether one of the places at which a change is likely to show differs; `None` where there is
    /// no such place.
    fn sign(&self, rule: usize, names: &[&Ident]) -> Option<TokenStream> {
        let tests: Vec<TokenStream> =
            self.plan.rules[rule].signs.iter().map(|sign| self.differs(sign, names)).collect();
        (!tests.is_empty()).then(|| quote!(#(#tests)||*))
    }

    /// The test that a simple place of `next` is not what it is in `state`.
    fn differs(&self, sign: &Sign, names: &[&Ident]) -> TokenStream {
        let name = &self.global_names[sign.root.index()];
        let mut ty = self.model.globals[sign.root.index()].ty;
        let (mut steps, mut is_reference) = (quote!(#name), false);
        for step in &sign.steps {
            let (next, code) = match (step, &self.model.ty(ty).kind) {
                (SignStep::Field(field), TypeKind::Record { fields }) => {
                    let name = &self.member_names[ty.index()][*field as usize];
                    (fields[*field as usize].ty, quote!(#steps.#name))
                }
                (SignStep::Element(index), TypeKind::Array { element, .. }) => {
                    let index = match index {
                        SignIndex::Constant(value) => number(*value),
                        SignIndex::Parameter(position) => names[*position].to_token_stream(),
                        SignIndex::Shifted(position, shift) => {
                            let (name, shift) = (names[*position], number(*shift));
                            quote!(#name + #shift)
                        }
                    };
                    (*element, quote!(#steps.item(#index)))
                }
                // A sign follows the types of its place.
                (SignStep::Field(_) | SignStep::Element(_), _) => (ty, steps),
            };
            (ty, steps, is_reference) = (next, code, matches!(step, SignStep::Element(_)));
        }
        let before = if is_reference { quote!(state.#steps) } else { quote!(&state.#steps) };
        quote!(!next.#steps.same(#before))
    }
}
