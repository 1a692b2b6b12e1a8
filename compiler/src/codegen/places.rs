//! Designators: `a.b[i]` becomes the path to a cell of the state.

use super::body::Body;
use crate::layout::Shape;
use crate::semantics::model::{Place, Root, Step, TypeId, TypeKind};
use mcc_runtime::fault::FaultKind;
use proc_macro2::TokenStream;
use quote::quote;

/// A path to a value: method calls may follow it directly.
pub struct PlaceCode {
    pub tokens: TokenStream,
    /// Whether the path is a reference already, or names the value itself.
    is_reference: bool,
    /// Bindings that must come before the path is used: temporaries that functions return.
    pub before: TokenStream,
}

impl PlaceCode {
    /// The path as an expression of reference type.
    pub fn reference(&self) -> TokenStream {
        let tokens = &self.tokens;
        if self.is_reference { quote!(#tokens) } else { quote!(&#tokens) }
    }
}

impl Body<'_> {
    pub fn place(&self, place: &Place) -> PlaceCode {
        let model = self.shared.model;
        let mut before = TokenStream::new();
        let (mut tokens, mut is_reference, mut ty) = match &place.root {
            Root::Global(global) => {
                let name = &self.shared.global_names[global.index()];
                (quote!(state.#name), false, model.globals[global.index()].ty)
            }
            Root::Local(local) => {
                let name = self.name(*local);
                (quote!(#name), self.is_reference(*local), self.local_type(*local))
            }
            Root::Temporary(expression) => {
                let value = self.owned(expression);
                before = quote!(let temporary = #value;);
                (quote!(temporary), false, expression.ty)
            }
        };
        for step in &place.steps {
            match step {
                Step::Field(field) => {
                    let name = &self.shared.member_names[ty.index()][*field as usize];
                    tokens = quote!(#tokens.#name);
                    is_reference = false;
                }
                Step::Index(index) => {
                    let value = self.value(index);
                    let bounds = self.index_bounds(ty);
                    tokens = if self.fits(index, bounds) {
                        quote!(#tokens.item(#value))
                    } else {
                        let message = self.shared.messages().index(place, bounds);
                        let site = self.shared.site(FaultKind::Index, index.span, message);
                        quote!(#tokens.at(#value, #site)?)
                    };
                    is_reference = true;
                }
                Step::Slot(slot) => {
                    let value = self.value(slot);
                    let message = self.shared.messages().no_element(place);
                    let site = self.shared.site(FaultKind::Multiset, slot.span, message);
                    tokens = quote!(#tokens.at(#value, #site)?);
                    is_reference = true;
                }
            }
            ty = self.after(ty, step);
        }
        PlaceCode { tokens, is_reference, before }
    }

    /// The type that one step leads to.
    fn after(&self, ty: TypeId, step: &Step) -> TypeId {
        match (&self.shared.model.ty(ty).kind, step) {
            (TypeKind::Record { fields }, Step::Field(field)) => fields[*field as usize].ty,
            (TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. }, _) => *element,
            // The checker lets no other pair through.
            _ => ty,
        }
    }

    fn index_bounds(&self, array: TypeId) -> (i64, i64) {
        match &self.shared.layout.ty(array).shape {
            Shape::Array { count, low, .. } => (*low, low + (*count as i64 - 1)),
            Shape::Simple { .. } | Shape::Record { .. } | Shape::Multiset { .. } => (0, -1),
        }
    }

    /// The number of slots of the multiset at a place.
    pub fn capacity(&self, multiset: &Place) -> i64 {
        match &self.shared.layout.ty(multiset.ty).shape {
            Shape::Multiset { capacity, .. } => *capacity as i64,
            Shape::Simple { .. } | Shape::Record { .. } | Shape::Array { .. } => 0,
        }
    }
}
