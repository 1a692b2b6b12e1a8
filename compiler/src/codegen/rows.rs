//! Long rows of calls: all rules, all properties, all start states. One function with tens of
//! thousands of calls takes rustc longer than the calls do, so such a row is divided into
//! functions, and these again.

use super::shared::Shared;
use super::tables::InstanceNumbers;
use super::{instance_bounds, parameter_names, rules};
use crate::semantics::model::Start;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// A row is divided into as many parts at a time, unless they would be short.
const PARTS: usize = 64;

/// A statement of a row, and the names that it uses of those that the function with the row binds.
pub struct RowCall {
    pub code: TokenStream,
    pub uses: Vec<(Ident, TokenStream)>,
}

/// What the functions of a row have in common, beside `context` and `state`.
pub struct RowKind {
    /// Each with a comma before it.
    pub parameters: TokenStream,
    pub arguments: TokenStream,
    /// What a function gives back: nothing, or a `Result` with nothing in it, which is passed on by
    /// `?`.
    pub result: Option<TokenStream>,
}

impl Shared<'_> {
    /// The statements of a row, in as many functions as it takes.
    pub fn row(&self, calls: &[RowCall], kind: &RowKind) -> TokenStream {
        self.row_in(calls, kind, false)
    }

    fn row_in(&self, calls: &[RowCall], kind: &RowKind, in_piece: bool) -> TokenStream {
        if calls.len() <= self.limits.calls {
            return calls.iter().map(|call| call.code.clone()).collect();
        }
        let length = calls.len().div_ceil(PARTS).max(self.limits.calls.div_ceil(2));
        calls.chunks(length).map(|part| self.row_piece(part, kind, in_piece)).collect()
    }

    fn row_piece(&self, part: &[RowCall], kind: &RowKind, in_piece: bool) -> TokenStream {
        let mut used: Vec<&(Ident, TokenStream)> = Vec::new();
        for one in part.iter().flat_map(|call| &call.uses) {
            if used.iter().all(|(name, _)| *name != one.0) {
                used.push(one);
            }
        }
        let names: Vec<&Ident> = used.iter().map(|(name, _)| name).collect();
        let types = used.iter().map(|(_, ty)| ty);
        let RowKind { parameters, arguments, result } = kind;
        let (result, end, passed_on) = match result {
            Some(result) => (quote!(-> #result), quote!(Ok(())), quote!(?)),
            None => (TokenStream::new(), TokenStream::new(), TokenStream::new()),
        };
        let code = self.row_in(part, kind, true);
        let name = self.add_piece(|name| {
            quote! {
                /// Some of many, in the order of the text.
                #[inline(never)]
                fn #name(context: &Context, state: &State #parameters #(, #names: &#types)*) #result {
                    #code
                    #end
                }
            }
        });
        if in_piece {
            quote!(#name(context, state #arguments #(, #names)*)#passed_on;)
        } else {
            quote!(#name(context, state #arguments #(, &#names)*)#passed_on;)
        }
    }

    /// The arms of the match over the number of a start state.
    pub fn start_arms(&self, starts: &[InstanceNumbers], settle: Option<&TokenStream>) -> TokenStream {
        let families: Vec<(usize, &Start, InstanceNumbers)> = self
            .model
            .starts
            .iter()
            .zip(starts)
            .enumerate()
            .map(|(index, (start, instances))| (index, start, *instances))
            .collect();
        if families.len() > self.limits.starts {
            return self.many_start_arms(&families, settle);
        }
        let arm = |(index, start, instances): &(usize, &Start, InstanceNumbers)| {
            let name = rules::start_name(*index);
            let values = parameter_names(&start.scopes);
            let family = Literal::usize_unsuffixed(*index);
            let bounds = instance_bounds(*instances);
            quote! {
                #bounds => {
                    let [#(#values),*] = STARTS[#family].values(start.0);
                    fire_one(Ok(true), || {
                        #name(context, state #(, #values)*)?;
                        #settle
                        Ok(())
                    })
                }
            }
        };
        families.iter().map(arm).collect()
    }

    /// The arms for groups of start states, each of which is a function.
    fn many_start_arms(
        &self,
        families: &[(usize, &Start, InstanceNumbers)],
        settle: Option<&TokenStream>,
    ) -> TokenStream {
        let length = families.len().div_ceil(PARTS).max(self.limits.starts);
        families.chunks(length).map(|group| self.start_group(group, settle)).collect()
    }

    fn start_group(
        &self,
        group: &[(usize, &Start, InstanceNumbers)],
        settle: Option<&TokenStream>,
    ) -> TokenStream {
        let first = group.first().map_or(0, |(_, _, instances)| instances.first);
        let count: u32 = group.iter().map(|(_, _, instances)| instances.count).sum();
        let code = if group.len() > self.limits.starts {
            let arms = self.many_start_arms(group, settle);
            quote!(match start.0 { #arms _ => Firing::Disabled })
        } else {
            let arms = group.iter().map(|(index, start, instances)| {
                let name = rules::start_name(*index);
                let values = parameter_names(&start.scopes);
                let bounds = instance_bounds(*instances);
                if values.is_empty() {
                    return quote!(#bounds => #name(context, state),);
                }
                let family = Literal::usize_unsuffixed(*index);
                quote! {
                    #bounds => {
                        let [#(#values),*] = STARTS[#family].values(start.0);
                        #name(context, state #(, #values)*)
                    }
                }
            });
            quote! {
                let started = match start.0 { #(#arms)* _ => return Firing::Disabled };
                fire_one(Ok(true), || {
                    started?;
                    #settle
                    Ok(())
                })
            }
        };
        let name = self.add_piece(|name| {
            quote! {
                /// Some of many start states.
                #[inline(never)]
                fn #name(context: &Context, state: &State, start: StartId) -> Firing {
                    #code
                }
            }
        });
        let bounds = instance_bounds(InstanceNumbers { first, count });
        quote!(#bounds => #name(context, state, start),)
    }
}
