//! Invariants, assumptions and cover properties.

use super::body::{Body, Returns};
use super::expressions::whole;
use super::instance_bounds;
use super::rows::{RowCall, RowKind};
use super::shared::Shared;
use super::tables::InstanceNumbers;
use crate::analysis::hoisting::{Disjunct, Inside, Order};
use crate::analysis::plan::PropertyPlan;
use crate::analysis::recheck::Rechecks;
use crate::semantics::model::{Property, PropertyKind};
use mcc_runtime::contract::coverage::PartKind;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeMap;

impl Shared<'_> {
    pub fn property(&self, index: usize, property: &Property) -> TokenStream {
        let name = property_name(index);
        let kind = match property.kind {
            PropertyKind::Invariant => "Invariant",
            PropertyKind::Assume => "Assumption",
            PropertyKind::Cover => "Cover",
            PropertyKind::Reject => "Reject",
            PropertyKind::Safety => "Formula",
            // Nothing is evaluated but the conditions of their formulas.
            PropertyKind::Deadlock | PropertyKind::Liveness | PropertyKind::Ltl | PropertyKind::Atom => {
                return TokenStream::new();
            }
        };
        let place = self.place_comment(&format!("{kind} {:?}", property.name), property.header);
        let plan = &self.plan.properties[index];
        let body = Body::new(self, &property.frame, &plan.facts, Returns::Nothing);
        // An invariant holds if it does for all parameters; a cover is reached if it is for one.
        let (code, otherwise) = match property.kind {
            PropertyKind::Assume if plan.goes_through_all => {
                let code = body.nested(&property.scopes, |body| {
                    let condition = whole(self.property_condition(body, property));
                    quote!(all_hold &= #condition;)
                });
                (quote!(let mut all_hold = true; #code), quote!(Ok(all_hold)))
            }
            PropertyKind::Cover if plan.goes_through_all => {
                let code = body.nested(&property.scopes, |body| {
                    let condition = whole(self.property_condition(body, property));
                    quote!(one_holds |= #condition;)
                });
                (quote!(let mut one_holds = false; #code), quote!(Ok(one_holds)))
            }
            PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety | PropertyKind::Assume
                if property.writes =>
            {
                let code = body.nested(&property.scopes, |body| {
                    let condition = self.property_condition(body, property);
                    quote!(if !#condition { return Ok(false); })
                });
                (code, quote!(Ok(true)))
            }
            PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety | PropertyKind::Assume => {
                let code = body.nested(&property.scopes, |body| {
                    body.conjuncts(&property.condition, &quote!(return Ok(false);), &TokenStream::new())
                });
                (code, quote!(Ok(true)))
            }
            PropertyKind::Cover
            | PropertyKind::Deadlock
            | PropertyKind::Liveness
            | PropertyKind::Ltl
            | PropertyKind::Atom => {
                let code = body.nested(&property.scopes, |body| {
                    let condition = self.property_condition(body, property);
                    quote!(if #condition { return Ok(true); })
                });
                (code, quote!(Ok(false)))
            }
        };
        let count = self.count(property.condition.span, PartKind::Property);
        if property.writes {
            let on_copy = format_ident!("{name}_on_copy");
            return quote! {
                #[doc = #place]
                fn #name(context: &Context, state: &State) -> Result<bool, Fault> {
                    #count
                    let mut copy = state.copied();
                    #on_copy(context, State::view(&mut copy), state)
                }

                /// The property above, on a copy of the state, since it calls what writes to it.
                fn #on_copy(context: &Context, state: &State, unchanged: &State) -> Result<bool, Fault> {
                    #code
                    #otherwise
                }
            };
        }
        let (shortcut, function) = self.shortcut(&name, property, plan).unzip();
        quote! {
            #[doc = #place]
            fn #name(context: &Context, state: &State) -> Result<bool, Fault> {
                #count
                #shortcut
                #code
                #otherwise
            }

            #function
        }
    }

    /// The condition of a property for one instance. One that writes finds the state as it was for
    /// the next one: instances know nothing of each other.
    fn property_condition(&self, body: &Body, property: &Property) -> TokenStream {
        let condition = body.condition(&property.condition);
        if !property.writes {
            return condition;
        }
        let names = &self.global_names;
        quote!(({ let holds = #condition; #(state.#names.copy_from(&unchanged.#names);)* holds }))
    }

    /// A quicker way to see that an invariant holds, where there is one: what comes first in its
    /// function, and a function of its own, which does not report how the invariant fails.
    fn shortcut(
        &self,
        name: &Ident,
        property: &Property,
        plan: &PropertyPlan<'_>,
    ) -> Option<(TokenStream, TokenStream)> {
        let order = plan.shortcut.as_ref()?;
        let body = Body::new(self, &property.frame, &plan.facts, Returns::Nothing);
        // Where an undefined value is compared, what is evaluated and noted is the text.
        body.compares_strictly.set(true);
        let code = body.order(order);
        let shortcut = format_ident!("{name}_shortcut");
        let call = quote! {
            if let Ok(true) = #shortcut(context, state) {
                return Ok(true);
            }
        };
        let function = quote! {
            /// Whether the invariant above certainly holds, found out with fewer questions.
            fn #shortcut(context: &Context, state: &State) -> Result<bool, Fault> {
                #code
                Ok(true)
            }
        };
        Some((call, function))
    }

    /// What is done to a state after a rule or start state: bags sorted, assumptions checked.
    pub fn settle(&self) -> TokenStream {
        if !self.plan.settling.is_needed() {
            return TokenStream::new();
        }
        let globals = self.model.globals.iter().zip(&self.global_names);
        let bags = globals
            .filter(|(global, _)| self.layout.ty(global.ty).has_multiset)
            .map(|(_, name)| name)
            .collect::<Vec<_>>();
        let (proved, functions) = self.settle_proved();
        let bags = (!bags.is_empty()).then(|| {
            quote! {
                match before {
                    _ if context.bags == Bags::None => { #(state.#bags.tidy();)* }
                    #proved
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
                let code = quote!(if !#name(context, state)? { return Err(Fault::EXCLUDED); });
                RowCall { code, uses: Vec::new() }
            });
        let kind = RowKind {
            parameters: TokenStream::new(),
            arguments: TokenStream::new(),
            result: Some(quote!(Result<(), Fault>)),
        };
        let assumptions = self.row(&assumptions.collect::<Vec<_>>(), &kind);
        quote! {
            /// Brings bags into the order that stands for them, where `before` is the state in
            /// which a rule fired; drops states that break an assumption.
            fn settle(context: &Context, before: Option<&State>, state: &State) -> Result<(), Fault> {
                #bags
                #assumptions
                Ok(())
            }

            #functions
        }
    }

    /// The statements that check all properties. Those in `masked` are checked where their bits are
    /// set in `due`.
    fn checks(&self, masked: &[usize]) -> TokenStream {
        let properties = self.model.properties.iter().enumerate();
        let check = |(index, property): (usize, &Property)| {
            let name = property_name(index);
            let number = Literal::usize_unsuffixed(index);
            match property.kind {
                PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety => {
                    let check = quote!(holds(#name(context, state), #number)?;);
                    match masked.iter().position(|masked| *masked == index) {
                        Some(bit) => {
                            let bit = Literal::u64_unsuffixed(1 << bit);
                            quote!(if due & #bit != 0 { #check })
                        }
                        None => check,
                    }
                }
                PropertyKind::Cover => quote!(covers(context, #name(context, state), #number)?;),
                PropertyKind::Assume
                | PropertyKind::Deadlock
                | PropertyKind::Liveness
                | PropertyKind::Ltl
                | PropertyKind::Atom => TokenStream::new(),
            }
        };
        let call = |code| RowCall { code, uses: Vec::new() };
        let due = !masked.is_empty();
        let kind = RowKind {
            parameters: if due { quote!(, due: u64) } else { TokenStream::new() },
            arguments: if due { quote!(, due) } else { TokenStream::new() },
            result: Some(quote!(Result<(), Violation>)),
        };
        self.row(&properties.map(check).map(call).collect::<Vec<_>>(), &kind)
    }

    /// `check`; where it makes a difference which rule has led to a state also `check_after`, and
    /// the function behind both.
    pub fn check_methods(&self, rules: &[InstanceNumbers]) -> (TokenStream, TokenStream) {
        let Rechecks { masked, due } = &self.plan.rechecks;
        let checks = self.checks(masked);
        let check_all = self.check_all();
        if masked.is_empty() {
            let check = quote! {
                fn check(&self, context: &Context, words: &mut [u64]) -> Result<(), Violation> {
                    let state = State::view(words);
                    #checks
                    Ok(())
                }

                #check_all
            };
            return (check, TokenStream::new());
        }
        let function = quote! {
            /// Checks the invariants whose bits are set and those that have none, and counts what
            /// is covered.
            fn check_due(context: &Context, state: &State, due: u64) -> Result<(), Violation> {
                #checks
                Ok(())
            }
        };
        // Rules after which the same is due. Those after which all is due need no patterns.
        let mut groups: BTreeMap<u64, Vec<InstanceNumbers>> = BTreeMap::new();
        for (instances, due) in rules.iter().zip(due).filter(|(instances, _)| instances.count > 0) {
            let group = groups.entry(*due).or_default();
            match group.last_mut() {
                Some(last) if last.first + last.count == instances.first => last.count += instances.count,
                _ => group.push(*instances),
            }
        }
        let all = u64::MAX >> (64 - masked.len());
        groups.remove(&all);
        let arms = groups.iter().map(|(due, group)| {
            let patterns = group.iter().map(|instances| instance_bounds(*instances));
            let due = Literal::u64_unsuffixed(*due);
            quote!(#(#patterns)|* => #due,)
        });
        let methods = quote! {
            fn check(&self, context: &Context, words: &mut [u64]) -> Result<(), Violation> {
                check_due(context, State::view(words), u64::MAX)
            }

            fn check_after(&self, context: &Context, rule: RuleId, words: &mut [u64]) -> Result<(), Violation> {
                let due = match rule.0 {
                    #(#arms)*
                    _ => u64::MAX,
                };
                check_due(context, State::view(words), due)
            }

            #check_all
        };
        (methods, function)
    }

    /// `check_all`, where a state can violate more than one property.
    fn check_all(&self) -> Option<TokenStream> {
        let properties = self.model.properties.iter().enumerate();
        let reports: Vec<TokenStream> = properties
            .filter_map(|(index, property)| {
                let name = property_name(index);
                let number = Literal::usize_unsuffixed(index);
                match property.kind {
                    PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety => {
                        Some(quote!(report_violation(holds(#name(context, state), #number), report);))
                    }
                    PropertyKind::Cover => Some(
                        quote!(report_violation(covers(context, #name(context, state), #number), report);),
                    ),
                    PropertyKind::Assume
                    | PropertyKind::Deadlock
                    | PropertyKind::Liveness
                    | PropertyKind::Ltl
                    | PropertyKind::Atom => None,
                }
            })
            .collect();
        (reports.len() > 1).then(|| {
            let kind = RowKind {
                parameters: quote!(, report: &mut dyn FnMut(Violation)),
                arguments: quote!(, report),
                result: None,
            };
            let reports = reports.into_iter().map(|code| RowCall { code, uses: Vec::new() });
            let reports = self.row(&reports.collect::<Vec<_>>(), &kind);
            quote! {
                fn check_all(&self, context: &Context, words: &mut [u64], report: &mut dyn FnMut(Violation)) {
                    let state = State::view(words);
                    #reports
                }
            }
        })
    }
}

impl Body<'_> {
    /// The loops and tests in this order; a counterexample leaves the function.
    fn order(&self, order: &Order<'_>) -> TokenStream {
        let heads: Vec<TokenStream> = order.binders.iter().map(|binder| self.for_head(binder)).collect();
        let inside = match &order.inside {
            Inside::Unless(disjunct, rest) => {
                let (fails, rest) = (self.fails(disjunct), self.order(rest));
                quote!(if #fails { #rest })
            }
            Inside::Any(disjuncts) => {
                let fails = disjuncts.iter().map(|disjunct| self.fails(disjunct));
                fails.rev().fold(quote!(return Ok(false);), |inner, fails| quote!(if #fails { #inner }))
            }
        };
        heads.iter().rev().fold(inside, |inside, head| quote!(#head { #inside }))
    }

    fn fails(&self, disjunct: &Disjunct<'_>) -> TokenStream {
        let condition = self.condition(disjunct.expression);
        if disjunct.negated { quote!((#condition)) } else { quote!(!(#condition)) }
    }
}

fn property_name(index: usize) -> Ident {
    format_ident!("property_{index}")
}
