//! The multisets of `choose` parameters, for reports.

use super::shared::{Shared, number as signed};
use crate::tables::{self, Choice};
use mcc_runtime::contract::choice::ChoiceStep;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Shared<'_> {
    /// `choices`, where the model has some.
    pub fn choices_method(&self) -> TokenStream {
        let found = tables::choices(self.model);
        if found.is_empty() {
            return TokenStream::new();
        }
        let rows = found.iter().map(|Choice { family, parameter, variable, steps }| {
            let number = |number: &usize| Literal::usize_unsuffixed(*number);
            let (family, parameter, variable) = (number(family), number(parameter), number(variable));
            let steps = steps.iter().map(|step| match step {
                ChoiceStep::Field(at) => {
                    let at = number(at);
                    quote!(ChoiceStep::Field(#at))
                }
                ChoiceStep::Element(at) => {
                    let at = signed(*at);
                    quote!(ChoiceStep::Element(#at))
                }
                ChoiceStep::Parameter { number: of, shift } => {
                    let (of, shift) = (number(of), signed(*shift));
                    quote!(ChoiceStep::Parameter { number: #of, shift: #shift })
                }
            });
            quote! {
                Choice {
                    family: #family,
                    parameter: #parameter,
                    variable: #variable,
                    steps: &[#(#steps),*],
                }
            }
        });
        let import = match found.iter().any(|choice| !choice.steps.is_empty()) {
            true => quote!(
                use ::mcc_runtime::contract::choice::ChoiceStep;
            ),
            false => TokenStream::new(),
        };
        quote! {
            fn choices(&self) -> &'static [::mcc_runtime::contract::choice::Choice] {
                use ::mcc_runtime::contract::choice::Choice;
                #import
                static CHOICES: &[Choice] = &[#(#rows),*];
                CHOICES
            }
        }
    }
}
