//! What a state says about elements that have to do with each other.

use super::items::{Item, ItemKind, walk};
use super::{FunctionKind, Symmetry, numbers};
use crate::codegen::shared::number;
use crate::semantics::model::TypeId;
use crate::tables;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

impl Symmetry<'_> {
    /// Looks at the items of a global. What nothing but an element's own row says is known from the
    /// rows already.
    pub(super) fn links(&self, ty: TypeId, place: &TokenStream, name: &Ident) -> TokenStream {
        let items = self.items(ty);
        let links = items.iter().enumerate().filter_map(|(at, item)| match item.kind {
            ItemKind::Rows { element, .. } if !self.has_items[element.index()] => None,
            _ => {
                let salt = salt(&name.to_string(), at);
                Some(walk(&item.way, place, salt, |place, salt| {
                    self.look_at(item, &place, &quote!(0), &salt, &quote!(true), &TokenStream::new())
                }))
            }
        });
        quote!(#(#links)*)
    }

    /// The function that looks at a value inside of a row or a bag and returns how it looks.
    pub(super) fn look(&self, ty: TypeId) -> TokenStream {
        let name = format_ident!("look_{}", ty.0);
        let storage = self.shared.storage(ty);
        let plain = if self.has_plain(ty) {
            let masks = self.want(FunctionKind::Plain, ty, 0);
            quote!(plain(value, &#masks))
        } else {
            quote!(0)
        };
        let items = self.items(ty);
        let items = items.iter().enumerate().map(|(at, item)| {
            walk(&item.way, &quote!(value), salt(&name.to_string(), at), |place, salt| {
                self.look_at(item, &place, &quote!(tie), &salt, &quote!(SPREAD), &quote!(shape))
            })
        });
        // Where there are only items, the caller has seen that something is defined.
        let leave = self.has_plain(ty).then(|| {
            let unlinked = self.unlinked(ty);
            quote! {
                if #unlinked {
                    return shape;
                }
            }
        });
        quote! {
            #[inline]
            fn #name<const SPREAD: bool>(value: &#storage, tie: u64, looking: &mut Looking) -> u64 {
                let mut shape: u64 = #plain;
                #leave
                let tie = mix(tie, shape);
                #(#items)*
                shape
            }
        }
    }

    /// Looks at one item. `shape` is the variable that gathers how things look, or nothing.
    fn look_at(
        &self,
        item: &Item,
        place: &TokenStream,
        tie: &TokenStream,
        salt: &TokenStream,
        spread: &TokenStream,
        shape: &TokenStream,
    ) -> TokenStream {
        let gather = |look: TokenStream| {
            if shape.is_empty() { quote!(#look;) } else { quote!(#shape = #shape.wrapping_add(#look);) }
        };
        match item.kind {
            ItemKind::Value => {
                let spans = self.spans(item.ty);
                let all = spans.iter().map(|span| i64::from(span.size)).sum::<i64>();
                let (low, high) = self.shared.model.bounds(item.ty).unwrap_or((0, 0));
                let arms = spans.iter().map(|span| {
                    let (low, _, first) = numbers(*span);
                    let high = number(span.low + i64::from(span.size) - 1);
                    let look = gather(
                        quote!(looking.value::<#spread>(#first + (element - #low) as usize, #tie ^ #salt, #salt)),
                    );
                    quote!(Some(element @ #low..=#high) => { #look })
                });
                // What is in a union but no scalarset.
                let rest = if high - low + 1 > all && !shape.is_empty() {
                    let look = gather(quote!(mix(other as u64, #salt)));
                    quote!(Some(other) => { #look })
                } else {
                    TokenStream::new()
                };
                quote! {
                    match #place.value() {
                        #(#arms)*
                        #rest
                        _ => {}
                    }
                }
            }
            ItemKind::Rows { index, element } => {
                let (look, spans) = (self.look_call(element, spread), self.spans(index));
                let loops = spans.iter().map(|span| {
                    let (low, size, first) = numbers(*span);
                    let inner = look(&quote!(mix(#tie ^ #salt, looking.colour(#first + at))));
                    let outer = gather(quote!(looking.index::<#spread>(#first + at, #tie, #salt, inner)));
                    quote! {
                        for at in 0..#size {
                            let row = #place.item(#low + at as i64);
                            if !looking.is_usual(row) {
                                let inner: u64 = #inner;
                                #outer
                            }
                        }
                    }
                });
                let others = self.others(index, &spans);
                let rest = (!others.is_empty()).then(|| {
                    let inner = look(&quote!(mix(#tie ^ #salt, at as u64)));
                    let outer = gather(quote!(mix(inner, #salt ^ at as u64)));
                    let others = others.iter().map(|(from, to)| {
                        let (from, to) = (number(*from), number(*to));
                        quote! {
                            for at in #from..=#to {
                                let row = #place.item(at);
                                if !looking.is_usual(row) {
                                    let inner: u64 = #inner;
                                    #outer
                                }
                            }
                        }
                    });
                    quote!(#(#others)*)
                });
                quote!(#(#loops)* #rest)
            }
            ItemKind::Bag { element } => {
                let shape_of = self.look_call(element, &quote!(false))(&quote!(0));
                let telling = self.look_call(element, spread)(&quote!(mix(#tie ^ #salt, inner)));
                let outer = gather(quote!(mix(inner, #salt)));
                quote! {
                    for row in #place.elements() {
                        let inner: u64 = #shape_of;
                        if #spread {
                            #telling;
                        }
                        #outer
                    }
                }
            }
        }
    }

    /// A look at `row`, a value of this type, given what it is tied to.
    fn look_call(&self, ty: TypeId, spread: &TokenStream) -> impl Fn(&TokenStream) -> TokenStream {
        let call = if self.has_items[ty.index()] {
            Some((self.want(FunctionKind::Look, ty, 0), spread.clone()))
        } else {
            None
        };
        let masks = call.is_none().then(|| self.want(FunctionKind::Plain, ty, 0));
        move |tie| match (&call, &masks) {
            (Some((look, spread)), _) => quote!(#look::<#spread>(row, #tie, looking)),
            (None, Some(masks)) => quote!(plain(row, &#masks)),
            (None, None) => quote!(0),
        }
    }
}

/// A number that stands for an item: nothing depends on what it is, but it must not be another
/// item's.
pub(super) fn salt(name: &str, item: usize) -> TokenStream {
    let salt = Literal::u64_suffixed(tables::fingerprint(&format!("{name} {item}")));
    quote!(#salt)
}
