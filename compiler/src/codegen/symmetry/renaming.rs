//! The state with other names.

use super::items::{Item, ItemKind, walk_both};
use super::{FunctionKind, Symmetry, numbers};
use crate::codegen::shared::number;
use crate::semantics::model::TypeId;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Symmetry<'_> {
    /// The function that writes a value to `into`, renamed.
    pub(super) fn rename(&self, ty: TypeId) -> TokenStream {
        let elements = self.elements();
        let name = format_ident!("rename_{}", ty.0);
        let storage = self.shared.storage(ty);
        let items = self.items(ty);
        // An array that elements index is written row by row.
        let copy = match items.as_slice() {
            [Item { way, kind: ItemKind::Rows { .. }, .. }] if way.is_empty() => TokenStream::new(),
            _ => {
                let unlinked = self.unlinked(ty);
                quote! {
                    into.copy_from(value);
                    if #unlinked {
                        return;
                    }
                }
            }
        };
        let items = items.iter().map(|item| {
            walk_both(&item.way, &quote!(value), &quote!(into), 0, &|from, into| match item.kind {
                ItemKind::Value => {
                    let arms = self.spans(item.ty).into_iter().map(|span| {
                        let (low, _, first) = numbers(span);
                        let high = number(span.low + i64::from(span.size) - 1);
                        quote! {
                            Some(element @ #low..=#high) => {
                                #into.set(#low + to[#first + (element - #low) as usize] as i64 - #first as i64);
                            }
                        }
                    });
                    quote!(match #from.value() { #(#arms)* _ => {} })
                }
                ItemKind::Rows { index, element } => {
                    let spans = self.spans(index);
                    let write = if self.has_items[element.index()] { let rename = self.want(FunctionKind::Rename, element, 0);
                            quote!(#rename(row, place, to, bags);) } else { quote!(place.copy_from(row);) };
                    let loops = spans.iter().map(|span| {
                        let (low, size, first) = numbers(*span);
                        quote! {
                            for at in 0..#size {
                                let row = #from.item(#low + at as i64);
                                let place = #into.item(#low + to[#first + at] as i64 - #first as i64);
                                #write
                            }
                        }
                    });
                    let others = self.others(index, &spans).into_iter().map(|(first, last)| {
                        let (first, last) = (number(first), number(last));
                        quote! {
                            for at in #first..=#last {
                                let (row, place) = (#from.item(at), #into.item(at));
                                #write
                            }
                        }
                    });
                    quote!(#(#loops)* #(#others)*)
                }
                ItemKind::Bag { element } => {
                    let rename = self.want(FunctionKind::Rename, element, 0);
                    let doubtful = self.shared.proof.multisets.contains_key(&item.ty);
                    quote! {
                        for (row, place) in #from.places().zip(#into.places()) {
                            #rename(row, place, to, bags);
                        }
                        if bags.sorts(#doubtful) {
                            #into.sort();
                        }
                    }
                }
            })
        });
        quote! {
            #[inline]
            fn #name(value: &#storage, into: &#storage, to: &[u16; #elements], bags: Bags) {
                #copy
                #(#items)*
            }
        }
    }
}
