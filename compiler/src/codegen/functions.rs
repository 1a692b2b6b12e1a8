//! The model's functions and procedures.

use super::body::{Body, Returns};
use super::shared::Shared;
use crate::semantics::model::Function;
use mcc_runtime::fault::FaultKind;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Shared<'_> {
    pub fn functions(&self) -> TokenStream {
        let functions = self.model.functions.iter().enumerate();
        functions
            .map(|(index, function)| {
                if function.recursive {
                    self.recursive(|| self.function(index, function))
                } else {
                    self.function(index, function)
                }
            })
            .collect()
    }

    fn function(&self, index: usize, function: &Function) -> TokenStream {
        let returns = match function.returns {
            None => Returns::Nothing,
            Some(ty) if self.model.is_simple(ty) => Returns::Simple(ty),
            Some(ty) => Returns::Compound(ty),
        };
        let body = Body::new(self, &function.frame, &self.plan.functions[index], returns);
        let names: Vec<_> = function.parameters.iter().map(|parameter| body.name(parameter.local)).collect();
        let types: Vec<_> = function
            .parameters
            .iter()
            .map(|parameter| {
                let ty = body.local_type(parameter.local);
                let storage = self.storage(ty);
                if parameter.by_reference {
                    return quote!(&#storage);
                }
                self.keeps(ty);
                storage
            })
            .collect();
        let result = match function.returns {
            None => quote!(()),
            Some(ty) if self.model.is_simple(ty) => quote!(i64),
            Some(ty) => self.storage(ty),
        };
        function.returns.iter().for_each(|ty| self.keeps(*ty));
        let declarations = body.declare(&function.variables);
        let statements = body.statements(&function.body);
        let end = match returns {
            Returns::Nothing => quote!(Ok(())),
            Returns::Written | Returns::Simple(_) | Returns::Compound(_) => {
                let message = self.messages().missing_return(function);
                let site = self.site(FaultKind::MissingReturn, function.span, message);
                quote!(Err(Fault::at(#site)))
            }
        };
        let name = &self.function_names[index];
        let kind = if function.returns.is_some() { "Function" } else { "Procedure" };
        let place = self.place_comment(&format!("{kind} `{}`", function.name), function.span);
        if !function.recursive {
            return quote! {
                #[doc = #place]
                fn #name(context: &Context, state: &State #(, #names: #types)*) -> Result<#result, Fault> {
                    #declarations
                    #statements
                    #end
                }
            };
        }
        let inner = format_ident!("recursive_{name}");
        let message = self.messages().recursion(function);
        let site = self.site(FaultKind::Recursion, function.span, message);
        quote! {
            #[doc = #place]
            fn #name(context: &Context, state: &State #(, #names: #types)*) -> Result<#result, Fault> {
                context.enter(#site)?;
                let result = #inner(context, state #(, #names)*);
                context.leave();
                result
            }

            /// The body of the function above.
            fn #inner(context: &Context, state: &State #(, #names: #types)*) -> Result<#result, Fault> {
                #declarations
                #statements
                #end
            }
        }
    }
}
