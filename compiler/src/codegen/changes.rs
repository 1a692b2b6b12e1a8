//! What a rule tells about the change that it made: nothing was written, a place differs, or
//! neither is known.

use super::optimisations::Optimisation;
use super::rules::ParameterValues;
use super::shared::{Shared, number};
use crate::analysis::independence::formula::Formula;
use crate::analysis::independence::path::{Index, Path, Step};
use crate::analysis::signs;
use crate::layout::Shape;
use crate::semantics::model::TypeKind;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Shared<'_> {
    /// The attempt to fire one instance of a rule: `condition` is what is left of its guard,
    /// `called` the call of its body. With `tells` the body says whether it came to a statement
    /// that may write.
    pub fn attempt(
        &self,
        rule: usize,
        (condition, called): (&TokenStream, &TokenStream),
        tells: bool,
        parameters: &[ParameterValues],
        names: &[&Ident],
    ) -> TokenStream {
        let settle = self.needs_settling_after(rule).then(|| quote!(settle(context, Some(state), next)?;));
        let seen = match self.sign(rule, parameters, names) {
            Some(differs) => quote!(Ok(Change::seen(#differs))),
            None if tells => quote!(Ok(Change::Unknown)),
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
        let called = if tells {
            // Bags are in their order where nothing was written; what an assumption asks may be
            // counted.
            let settle = settle.clone().filter(|_| self.has_assumptions());
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
    fn sign(&self, rule: usize, parameters: &[ParameterValues], names: &[&Ident]) -> Option<TokenStream> {
        if !self.optimisations.has(Optimisation::Signs) {
            return None;
        }
        let (family, guard) = (self.accesses.rules.get(rule)?, self.accesses.guards.get(rule)?);
        let mut tests = Vec::new();
        signs::of(&family.footprint, guard, &family.ranges, &mut |path| {
            let test = self.differs(path, parameters, names);
            let suits = test.is_some();
            tests.extend(test);
            suits
        });
        (!tests.is_empty()).then(|| quote!(#(#tests)||*))
    }

    /// The test that a simple place of `next` is not what it is in `state`, if the path to it
    /// cannot fail.
    fn differs(&self, path: &Path, parameters: &[ParameterValues], names: &[&Ident]) -> Option<TokenStream> {
        let mut ty = self.model.globals.get(path.root.index())?.ty;
        let name = self.global_names.get(path.root.index())?;
        let (mut steps, mut is_reference) = (quote!(#name), false);
        for step in &path.steps {
            match (step, &self.model.ty(ty).kind) {
                (Step::Field(field), TypeKind::Record { fields }) => {
                    let name = self.member_names.get(ty.index())?.get(*field as usize)?;
                    ty = fields.get(*field as usize)?.ty;
                    (steps, is_reference) = (quote!(#steps.#name), false);
                }
                (Step::Element(Index::Known(formula), _), TypeKind::Array { element, .. }) => {
                    let Shape::Array { count, low, .. } = &self.layout.ty(ty).shape else { return None };
                    let bounds = (*low, low + (*count as i64 - 1));
                    let index = index(formula, bounds, parameters, names)?;
                    ty = *element;
                    (steps, is_reference) = (quote!(#steps.item(#index)), true);
                }
                (_, _) => return None,
            }
        }
        if !matches!(self.layout.ty(ty).shape, Shape::Simple { .. }) {
            return None;
        }
        let before = if is_reference { quote!(state.#steps) } else { quote!(&state.#steps) };
        Some(quote!(!next.#steps.same(#before)))
    }
}

/// An index that is certainly inside these bounds.
fn index(
    formula: &Formula,
    bounds: (i64, i64),
    parameters: &[ParameterValues],
    names: &[&Ident],
) -> Option<TokenStream> {
    let inside = |low: i64, high: i64| bounds.0 <= low && high <= bounds.1;
    match formula {
        Formula::Constant(value) => inside(*value, *value).then(|| number(*value)),
        Formula::Parameter(position) => {
            let (low, high) = parameters.get(*position)?.bounds()?;
            let name = names.get(*position)?;
            inside(low, high).then(|| quote!(#name))
        }
        Formula::Convert(value, pieces) => {
            let Formula::Parameter(position) = value.as_ref() else { return None };
            let (low, high) = parameters.get(*position)?.bounds()?;
            let (_, _, shift) = pieces.iter().find(|piece| piece.0 <= low && high <= piece.1)?;
            let name = names.get(*position)?;
            let within = inside(low.checked_add(*shift)?, high.checked_add(*shift)?);
            let shift = number(*shift);
            within.then(|| quote!(#name + #shift))
        }
        Formula::Arithmetic(..) | Formula::Compare(..) | Formula::Conditional(..) => None,
    }
}
