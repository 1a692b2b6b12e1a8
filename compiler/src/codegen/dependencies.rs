//! What rules and properties read, for reports that show what an error depends on: a table inside
//! the one function that gives it out.

use super::shared::{Shared, number};
use crate::analysis::dependencies::Reading;
use mcc_runtime::contract::dependencies::ReadingStep;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Shared<'_> {
    /// Empty for models whose table would be larger than it is worth.
    pub fn dependencies_method(&self) -> TokenStream {
        let Some(found) = &self.plan.dependencies else { return TokenStream::new() };
        let lists = [&found.rules, &found.guards, &found.properties];
        let [rules, guards, properties] = lists.map(|lists| table(lists));
        let has_steps = lists.into_iter().flatten().flatten().any(|reading| !reading.steps.is_empty());
        let import = has_steps.then(|| {
            quote!(
                use ::mcc_runtime::contract::dependencies::ReadingStep;
            )
        });
        quote! {
            fn dependencies(&self) -> Option<&'static ::mcc_runtime::contract::dependencies::Dependencies> {
                use ::mcc_runtime::contract::dependencies::{Dependencies, Reading};
                #import
                static TABLE: Dependencies =
                    Dependencies { rules: #rules, guards: #guards, properties: #properties };
                Some(&TABLE)
            }
        }
    }
}

fn table(lists: &[Vec<Reading>]) -> TokenStream {
    let lists = lists.iter().map(|list| {
        let readings = list.iter().map(reading);
        quote!(&[#(#readings),*])
    });
    quote!(&[#(#lists),*])
}

fn reading(reading: &Reading) -> TokenStream {
    let variable = Literal::u32_unsuffixed(reading.variable);
    let steps = reading.steps.iter().map(step);
    quote!(Reading { variable: #variable, steps: &[#(#steps),*] })
}

fn step(step: &ReadingStep) -> TokenStream {
    match step {
        ReadingStep::Field(at) => {
            let at = Literal::u32_unsuffixed(*at);
            quote!(ReadingStep::Field(#at))
        }
        ReadingStep::Element(at) => {
            let at = number(*at);
            quote!(ReadingStep::Element(#at))
        }
        ReadingStep::Parameter { number: of, shift } => {
            let (of, shift) = (Literal::u32_unsuffixed(*of), number(*shift));
            quote!(ReadingStep::Parameter { number: #of, shift: #shift })
        }
        ReadingStep::Any => quote!(ReadingStep::Any),
    }
}
