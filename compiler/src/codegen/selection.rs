//! Prints how rules are selected: gates and groups are read once for each state, and each rule gets
//! the instances that hold what it asks for. Which rules are selected, and why that is sound, is
//! decided in `analysis/selection.rs`.

use super::body::{Body, Returns};
use super::conditions::compare_operator;
use super::rules::{expand_name, values_of};
use super::shared::{Shared, typed_number};
use crate::analysis::selection::{Group, Question, Selected};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

impl Shared<'_> {
    /// Reads the places of all gates and groups.
    pub fn holders(&self) -> TokenStream {
        let (selection, mut code) = (&self.plan.selection, TokenStream::new());
        for (gate, asked) in selection.gates.iter().enumerate() {
            let (name, value) = (gate_name(gate), typed_number(asked.value));
            let operator = compare_operator(asked.operator);
            let each = self.each_instance(
                asked,
                |place| quote!(#name.add(instance, #place.value().map(|value| value #operator #value));),
            );
            code.extend(quote!(let mut #name = Gate::default(); #each));
        }
        for (group, Group { question, low, values }) in selection.groups.iter().enumerate() {
            let name = holders_name(group);
            let (low, values) = (typed_number(*low), Literal::usize_unsuffixed(*values));
            let each = self.each_instance(question, |place| quote!(#name.add(instance, #place.value());));
            code.extend(quote!(let mut #name = Holders::<{ #low }, #values>::default(); #each));
        }
        code
    }

    /// Code for the place of each instance.
    fn each_instance(&self, asked: &Question, add: impl FnOnce(&TokenStream) -> TokenStream) -> TokenStream {
        let facts = &self.plan.rules[asked.rule].facts;
        let body = Body::new(self, &self.model.rules[asked.rule].frame, facts, Returns::Nothing);
        let add = add(&body.place(&asked.place).tokens);
        if let [parameter] = &asked.parameters[..] {
            let (name, range) = (body.name(parameter.local), values_of(parameter));
            return quote!(for (instance, #name) in (#range).enumerate() { #add });
        }
        let loops = asked.parameters.iter().rev().fold(quote!(#add instance += 1;), |inner, parameter| {
            let (name, range) = (body.name(parameter.local), values_of(parameter));
            quote!(for #name in #range { #inner })
        });
        quote!({ let mut instance = 0; #loops })
    }

    /// What the call of a rule's part of `expand` uses of what [`Shared::holders`] binds: names and
    /// types.
    pub fn holders_of(&self, index: usize) -> Vec<(Ident, TokenStream)> {
        let selection = &self.plan.selection;
        let Some(Selected { gate, value, .. }) = selection.rule(index) else { return Vec::new() };
        let gate = gate.map(|gate| (gate_name(gate), quote!(Gate)));
        let group = value.and_then(|(group, _)| Some((group, selection.groups.get(group)?)));
        let holders = group.map(|(number, Group { low, values, .. })| {
            let (low, values) = (typed_number(*low), Literal::usize_unsuffixed(*values));
            (holders_name(number), quote!(Holders<{ #low }, #values>))
        });
        gate.into_iter().chain(holders).collect()
    }

    /// The call of a rule's part of `expand`.
    pub fn expand_call(&self, index: usize) -> TokenStream {
        let expand = expand_name(index);
        let Some(Selected { gate, value, .. }) = self.plan.selection.rule(index) else {
            return quote!(#expand(context, state, successors););
        };
        let holders = value.map(|(group, value)| {
            let (holders, value) = (holders_name(group), typed_number(value));
            quote!(#holders.of(#value))
        });
        let selected = match (gate.map(gate_name), holders) {
            (None, holders) => quote!(#holders),
            (Some(gate), None) => quote!(#gate.open()),
            (Some(gate), Some(holders)) => quote!(#gate.among(#holders)),
        };
        quote! {
            if let Some(selected) = #selected {
                #expand(context, state, successors, selected);
            }
        }
    }
}

fn gate_name(gate: usize) -> Ident {
    format_ident!("gate_{gate}")
}

fn holders_name(group: usize) -> Ident {
    format_ident!("holders_{group}")
}
