//! The model's types as Rust types: a struct for each record, constants for each enum, and the
//! state itself.

use super::shared::{Shared, number};
use crate::semantics::model::{TypeId, TypeKind};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Shared<'_> {
    pub fn types(&self) -> TokenStream {
        let ids = (0..self.model.types.len()).map(|index| TypeId(index as u32));
        ids.map(|id| match &self.model.ty(id).kind {
            TypeKind::Record { .. } => self.record(id),
            TypeKind::Enum { members } => self.enumeration(id, members.len()),
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_)
            | TypeKind::Array { .. }
            | TypeKind::Multiset { .. } => TokenStream::new(),
        })
        .collect()
    }

    fn record(&self, id: TypeId) -> TokenStream {
        let TypeKind::Record { fields } = &self.model.ty(id).kind else {
            return TokenStream::new();
        };
        let name = &self.type_names[id.index()];
        let names = &self.member_names[id.index()];
        let storages = fields.iter().map(|field| self.storage(field.ty));
        let place = self.place_comment("Record", self.model.ty(id).span);
        let bags: Vec<_> = fields
            .iter()
            .zip(names)
            .filter(|(field, _)| self.layout.ty(field.ty).has_multiset)
            .map(|(_, name)| name)
            .collect();
        let settling = (!bags.is_empty()).then(|| {
            quote! {
                fn normalise(&self) { #(self.#bags.normalise();)* }
                fn normalise_since(&self, before: &Self) {
                    #(self.#bags.normalise_since(&before.#bags);)*
                }
                fn tidy(&self) { #(self.#bags.tidy();)* }
            }
        });
        quote! {
            #[doc = #place]
            #[repr(C)]
            pub struct #name { #(pub #names: #storages),* }

            /// Sound because every field is such a type, and with alignment 1 there is no padding.
            unsafe impl Storage for #name {
                fn clear(&self) { #(self.#names.clear();)* }
                #settling
            }
        }
    }

    fn enumeration(&self, id: TypeId, count: usize) -> TokenStream {
        let name = &self.type_names[id.index()];
        let members = &self.member_names[id.index()];
        let values = (0..count as i64).map(number);
        let place = self.place_comment("Enum", self.model.ty(id).span);
        quote! {
            #[doc = #place]
            pub enum #name {}

            impl #name { #(pub const #members: i64 = #values;)* }
        }
    }

    /// The struct of all global variables.
    pub fn state(&self) -> TokenStream {
        let names = &self.global_names;
        let storages = self.model.globals.iter().map(|global| self.storage(global.ty));
        let padding = Literal::usize_unsuffixed(self.layout.words * 8 - self.layout.bytes);
        quote! {
            /// The state: the model's variables, one after the other.
            #[repr(C, align(8))]
            pub struct State { #(pub #names: #storages,)* padding: Array<One<0>, #padding, 0> }

            /// Sound because every field is a `Storage`, and the padding is written out.
            unsafe impl Layout for State {}
        }
    }
}
