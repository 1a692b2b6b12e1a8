//! How multisets are settled after a rule where some of them keep the order of their slots.
//!
//! For each type with a multiset in it whose slots were not proved to be interchangeable there is a
//! function (`settle_n`) that sorts the others and leaves elements of that one in their slots.

use super::shared::Shared;
use crate::semantics::model::{TypeId, TypeKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

impl Shared<'_> {
    /// The arm of the match in `settle` that sorts only what was proved, and the functions that it
    /// needs. Nothing where everything was.
    pub fn settle_proved(&self) -> (TokenStream, TokenStream) {
        let mut functions = BTreeSet::new();
        let globals: Vec<TokenStream> = self
            .model
            .globals
            .iter()
            .zip(&self.global_names)
            .filter(|(global, _)| self.layout.ty(global.ty).has_multiset)
            .map(|(global, name)| self.settle_part(global.ty, &quote!(&state.#name), &mut functions))
            .collect();
        if functions.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        let mut done = BTreeSet::new();
        let mut code = TokenStream::new();
        while let Some(ty) = functions.iter().find(|ty| !done.contains(*ty)).copied() {
            done.insert(ty);
            code.extend(self.settle_function(ty, &mut functions));
        }
        (quote!(_ if context.bags == Bags::Proved => { #(#globals)* }), code)
    }

    /// The statement that settles a value of this type; notes the function that it calls.
    fn settle_part(&self, ty: TypeId, place: &TokenStream, functions: &mut BTreeSet<TypeId>) -> TokenStream {
        if !self.plan.settling.is_doubtful(ty) {
            return quote!((#place).normalise(););
        }
        functions.insert(ty);
        let name = settle_name(ty);
        quote!(#name(#place);)
    }

    fn settle_function(&self, ty: TypeId, functions: &mut BTreeSet<TypeId>) -> TokenStream {
        let (name, storage) = (settle_name(ty), self.storage(ty));
        let has_bags = |ty: TypeId| self.layout.ty(ty).has_multiset;
        let body = match &self.model.ty(ty).kind {
            TypeKind::Array { element, .. } => {
                let settle = self.settle_part(*element, &quote!(row), functions);
                quote!(for row in value.iter() { #settle })
            }
            TypeKind::Record { fields } => fields
                .iter()
                .zip(&self.member_names[ty.index()])
                .filter(|(field, _)| has_bags(field.ty))
                .map(|(field, name)| self.settle_part(field.ty, &quote!(&value.#name), functions))
                .collect(),
            TypeKind::Multiset { element, .. } => {
                let inner = has_bags(*element).then(|| {
                    let settle = self.settle_part(*element, &quote!(row), functions);
                    quote!(for row in value.elements() { #settle })
                });
                let outer = if self.proof.multisets.contains_key(&ty) {
                    quote!(value.tidy();)
                } else {
                    quote!(value.sort();)
                };
                quote!(#inner #outer)
            }
            _ => TokenStream::new(),
        };
        quote! {
            /// Sorts the multisets in a value, but for those whose slots were not proved to be
            /// interchangeable.
            fn #name(value: &#storage) { #body }
        }
    }
}

fn settle_name(ty: TypeId) -> Ident {
    format_ident!("settle_{}", ty.0)
}
