//! What a model says about its runs: a function for each condition, and the table of formulas,
//! inside the method that gives it out. Its names are its own, whatever the model calls its types.

use super::body::{Body, Returns};
use super::shared::{Shared, number};
use super::sites::position;
use crate::analysis::parameters::{ParameterValues, parameters};
use crate::semantics::model::{Frame, PropertyKind, Scope};
use crate::semantics::temporal::{Claim, Fairness, FiredArgument, Formula, Quantified};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl Shared<'_> {
    /// A function for each condition of a formula, with its parameters.
    pub fn temporal(&self) -> TokenStream {
        let planned = self.model.atoms.iter().zip(&self.plan.atoms);
        let functions = planned.enumerate().map(|(index, (atom, plan))| {
            let place = self.place_comment("Condition of a temporal property", atom.header);
            let name = format_ident!("property_condition_{index}");
            let body = Body::new(self, &atom.frame, &plan.facts, Returns::Nothing);
            let signature = body.signature(&plan.parameters);
            let around = body.around(&atom.scopes, atom.scopes.len(), &TokenStream::new());
            let condition = body.condition(&atom.condition);
            quote! {
                #[doc = #place]
                fn #name(context: &Context, state: &State #signature) -> Result<bool, Fault> {
                    #around
                    Ok(#condition)
                }
            }
        });
        functions.collect()
    }

    /// `temporal` and `atom`, where the model says something about its runs.
    pub fn temporal_methods(&self) -> TokenStream {
        let model = self.model;
        let fair = model.rules.iter().any(|rule| rule.fairness != Fairness::None);
        if model.claims.is_empty() && !fair {
            return TokenStream::new();
        }
        let arms = model.atoms.iter().enumerate().map(|(index, atom)| {
            let number = Literal::u32_unsuffixed(index as u32);
            let name = format_ident!("property_condition_{index}");
            let values: Vec<_> = (0..parameters(&atom.scopes).len())
                .map(|parameter| format_ident!("parameter_{parameter}"))
                .collect();
            quote!((#number, &[#(#values),*]) => #name(context, State::view(words) #(, #values)*),)
        });
        let atoms = model.atoms.iter().map(|atom| {
            let position = position(self.source, atom.header);
            let parameters = parameters(&atom.scopes);
            let count = Literal::u32_unsuffixed(parameters.len() as u32);
            let names_elements = atom.scopes.iter().any(|scope| match scope {
                Scope::Parameter(binder) => {
                    let local = atom.frame.locals.get(binder.variable.index());
                    local.is_some_and(|local| model.is_symmetric(local.ty))
                }
                // A slot is as much as an element: the order of slots may be changed as well.
                Scope::Choose { .. } => true,
                Scope::Alias(_) => false,
            });
            quote!(Atom { position: #position, parameters: #count, names_elements: #names_elements })
        });
        let claims = model.claims.iter().map(|claim| self.claim(claim));
        let fairness = model.rules.iter().map(|rule| match rule.fairness {
            Fairness::None => quote!(Fairness::None),
            Fairness::Weak => quote!(Fairness::Weak),
            Fairness::Strong => quote!(Fairness::Strong),
        });
        quote! {
            fn temporal(&self) -> Option<&'static ::mcc_runtime::contract::temporal::Temporal> {
                use ::mcc_runtime::contract::temporal::{
                    Argument, Atom, AtomId, Claim, ClaimKind, Fairness, Formula, Temporal,
                };
                static ATOMS: &[Atom] = &[#(#atoms),*];
                static CLAIMS: &[Claim] = &[#(#claims),*];
                static FAIRNESS: &[Fairness] = &[#(#fairness),*];
                static TABLE: Temporal = Temporal { atoms: ATOMS, claims: CLAIMS, fairness: FAIRNESS };
                Some(&TABLE)
            }

            fn atom(
                &self,
                context: &Context,
                atom: ::mcc_runtime::contract::temporal::AtomId,
                values: &[i64],
                words: &mut [u64],
            ) -> Result<bool, Fault> {
                match (atom.0, values) {
                    #(#arms)*
                    _ => Ok(false),
                }
            }
        }
    }

    fn claim(&self, claim: &Claim) -> TokenStream {
        let property = Literal::u32_unsuffixed(claim.property as u32);
        let kind = match self.model.properties.get(claim.property).map(|property| property.kind) {
            Some(PropertyKind::Deadlock) => quote!(Deadlock),
            Some(PropertyKind::Liveness) => quote!(Liveness),
            Some(PropertyKind::Safety) => quote!(Safety),
            Some(
                PropertyKind::Ltl
                | PropertyKind::Invariant
                | PropertyKind::Assume
                | PropertyKind::Cover
                | PropertyKind::Reject
                | PropertyKind::Atom,
            )
            | None => quote!(Ltl),
        };
        let parameters = claim.parameters.iter().map(|parameter| self.quantified(parameter));
        let formula = self.formula(&claim.formula);
        quote! {
            Claim {
                property: PropertyId(#property),
                kind: ClaimKind::#kind,
                parameters: &[#(#parameters),*],
                formula: #formula,
            }
        }
    }

    fn quantified(&self, quantified: &Quantified) -> TokenStream {
        let Quantified { binder, local } = quantified;
        let values = parameters(&[Scope::Parameter(binder.clone())]);
        let empty = ParameterValues { local: binder.variable, first: 0, step: 1, count: 0 };
        let mut values = values.first().copied().unwrap_or(empty);
        // The table of a parameter looks its local up in a frame; this one has it alone.
        values.local = crate::semantics::model::LocalId(0);
        self.parameter(&values, &Frame { locals: vec![local.clone()] })
    }

    fn formula(&self, formula: &Formula) -> TokenStream {
        let one = |name: &str, one: &Formula| {
            let (name, one) = (format_ident!("{name}"), self.formula(one));
            quote!(Formula::#name(&#one))
        };
        let two = |name: &str, left: &Formula, right: &Formula| {
            let (name, left, right) = (format_ident!("{name}"), self.formula(left), self.formula(right));
            quote!(Formula::#name(&#left, &#right))
        };
        let all = |name: &str, all: &[Formula]| {
            let (name, all) = (format_ident!("{name}"), all.iter().map(|one| self.formula(one)));
            quote!(Formula::#name(&[#(#all),*]))
        };
        let over = |name: &str, variable: &Quantified, body: &Formula| {
            let name = format_ident!("{name}");
            let (variable, body) = (self.quantified(variable), self.formula(body));
            quote!(Formula::#name(#variable, &#body))
        };
        match formula {
            Formula::Atom(atom) => {
                let atom = Literal::u32_unsuffixed(*atom as u32);
                quote!(Formula::Atom(AtomId(#atom)))
            }
            Formula::Fired { rule, arguments } => {
                let family = Literal::u32_unsuffixed(*rule as u32);
                let arguments = match arguments {
                    None => quote!(None),
                    Some(arguments) => {
                        let arguments = arguments.iter().map(|argument| match argument {
                            FiredArgument::Value(value) => {
                                let value = number(*value);
                                quote!(Argument::Value(#value))
                            }
                            FiredArgument::Parameter(at) => {
                                let at = Literal::u32_unsuffixed(*at);
                                quote!(Argument::Parameter(#at))
                            }
                        });
                        quote!(Some(&[#(#arguments),*]))
                    }
                };
                quote!(Formula::Fired { family: #family, arguments: #arguments })
            }
            Formula::Constant(value) => quote!(Formula::Constant(#value)),
            Formula::Not(inner) => one("Not", inner),
            Formula::And(inner) => all("And", inner),
            Formula::Or(inner) => all("Or", inner),
            Formula::Always(inner) => one("Always", inner),
            Formula::Eventually(inner) => one("Eventually", inner),
            Formula::Next(inner) => one("Next", inner),
            Formula::Until(left, right) => two("Until", left, right),
            Formula::WeakUntil(left, right) => two("WeakUntil", left, right),
            Formula::Release(left, right) => two("Release", left, right),
            Formula::Forall(variable, body) => over("Forall", variable, body),
            Formula::Exists(variable, body) => over("Exists", variable, body),
        }
    }
}
