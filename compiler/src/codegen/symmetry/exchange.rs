//! Whether two elements can be exchanged.

use super::{FunctionKind, Symmetry, bounds, numbers};
use crate::semantics::model::{TypeId, TypeKind};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Symmetry<'_> {
    /// The function that returns whether exchanging two elements, which are nowhere a value, leaves
    /// a value as it is.
    pub(super) fn fixed(&self, ty: TypeId, scalarset: usize) -> TokenStream {
        let name = format_ident!("fixed_{}_{}", ty.0, scalarset);
        let storage = self.shared.storage(ty);
        let condition = match &self.shared.model.ty(ty).kind {
            TypeKind::Record { fields } => {
                let names = &self.shared.member_names[ty.index()];
                let parts =
                    fields.iter().zip(names).filter(|(field, _)| self.is_indexed_by(field.ty, scalarset));
                let parts = parts.map(|(field, name)| {
                    let fixed = self.want(FunctionKind::Fixed, field.ty, scalarset);
                    quote!(&& #fixed(&value.#name, left, right))
                });
                quote!(true #(#parts)*)
            }
            TypeKind::Array { index, element } => {
                let inner = self.is_indexed_by(*element, scalarset);
                let fixed = inner.then(|| self.want(FunctionKind::Fixed, *element, scalarset));
                match (self.span_of(*index, scalarset), fixed) {
                    (Some(span), Some(fixed)) => {
                        let swapped = self.want(FunctionKind::Swapped, *element, scalarset);
                        let (low, _, _) = numbers(span);
                        let (first, last) = bounds(self.shared, *index);
                        quote! {
                            #swapped(value.item(#low + left), value.item(#low + right), left, right)
                                && (#first..=#last).all(|at| {
                                    at == #low + left || at == #low + right || #fixed(value.item(at), left, right)
                                })
                        }
                    }
                    (Some(span), None) => {
                        let (low, _, _) = numbers(span);
                        quote!(value.item(#low + left).same(value.item(#low + right)))
                    }
                    (None, Some(fixed)) => quote!(value.iter().all(|row| #fixed(row, left, right))),
                    (None, None) => quote!(true),
                }
            }
            // The order of slots would have to be undone: left to the slow way.
            TypeKind::Multiset { .. } => quote!(false),
            _ => quote!(true),
        };
        quote! {
            fn #name(value: &#storage, left: i64, right: i64) -> bool {
                #condition
            }
        }
    }

    /// The function that returns whether exchanging two such elements makes one value the other.
    pub(super) fn swapped(&self, ty: TypeId, scalarset: usize) -> TokenStream {
        let name = format_ident!("swapped_{}_{}", ty.0, scalarset);
        let storage = self.shared.storage(ty);
        let same = |ty: TypeId, value: TokenStream, other: TokenStream| {
            if self.is_indexed_by(ty, scalarset) {
                let swapped = self.want(FunctionKind::Swapped, ty, scalarset);
                quote!(#swapped(#value, #other, left, right))
            } else {
                quote!(#value.same(#other))
            }
        };
        let condition = match &self.shared.model.ty(ty).kind {
            TypeKind::Record { fields } => {
                let names = &self.shared.member_names[ty.index()];
                let parts = fields.iter().zip(names).map(|(field, name)| {
                    let part = same(field.ty, quote!((&value.#name)), quote!(&other.#name));
                    quote!(&& #part)
                });
                quote!(true #(#parts)*)
            }
            TypeKind::Array { index, element } => {
                let part = same(*element, quote!(value.item(at)), quote!(other.item(to)));
                let to = match self.span_of(*index, scalarset) {
                    Some(span) => {
                        let (low, _, _) = numbers(span);
                        quote! {
                            match at {
                                _ if at == #low + left => #low + right,
                                _ if at == #low + right => #low + left,
                                _ => at,
                            }
                        }
                    }
                    None => quote!(at),
                };
                let (first, last) = bounds(self.shared, *index);
                quote! {
                    (#first..=#last).all(|at| {
                        let to = #to;
                        #part
                    })
                }
            }
            TypeKind::Multiset { .. } => quote!(false),
            _ => quote!(value.same(other)),
        };
        quote! {
            fn #name(value: &#storage, other: &#storage, left: i64, right: i64) -> bool {
                #condition
            }
        }
    }
}
