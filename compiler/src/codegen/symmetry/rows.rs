//! What a state says about each element alone.

use super::items::{ItemKind, direct, walk};
use super::looks::salt;
use super::{FunctionKind, Symmetry, numbers};
use crate::codegen::shared::number;
use crate::semantics::model::Global;
use mcc_runtime::model::Span;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// A row of eight bytes or less that no loop is needed for.
struct ShortRow {
    place: TokenStream,
    low: i64,
    masks: Ident,
    bytes: usize,
}

impl Symmetry<'_> {
    /// Adds what the rows of arrays say about the elements that index them. Short rows of the same
    /// element are taken together, eight bytes at a time.
    pub(super) fn rows(&self, globals: &[(&Global, &Ident)]) -> TokenStream {
        let mut code = TokenStream::new();
        let mut short: Vec<(Span, Vec<ShortRow>)> = Vec::new();
        for (global, name) in globals {
            for (at, item) in self.items(global.ty).iter().enumerate() {
                let ItemKind::Rows { index, element } = item.kind else { continue };
                if !self.has_plain(element) {
                    continue;
                }
                let bytes = self.shared.layout.ty(element).bytes;
                let masks = self.want(FunctionKind::Plain, element, 0);
                let spans = self.spans(index);
                if let (Some(place), true) = (direct(&item.way, &quote!(state.#name)), bytes <= 8) {
                    for span in spans {
                        let row =
                            ShortRow { place: place.clone(), low: span.low, masks: masks.clone(), bytes };
                        match short.iter_mut().find(|(other, _)| other.first == span.first) {
                            Some((_, rows)) => rows.push(row),
                            None => short.push((span, vec![row])),
                        }
                    }
                    continue;
                }
                code.extend(walk(
                    &item.way,
                    &quote!(state.#name),
                    salt(&name.to_string(), at),
                    |place, salt| {
                        let spans = spans.iter().map(|span| {
                            let (low, size, first) = numbers(*span);
                            quote! {
                                for at in 0..#size {
                                    let row = #place.item(#low + at as i64);
                                    colours[#first + at] =
                                        colours[#first + at].wrapping_add(mix(#salt, plain(row, &#masks)));
                                }
                            }
                        });
                        quote!(#(#spans)*)
                    },
                ));
            }
        }
        for (span, rows) in &short {
            code.extend(self.short_rows(*span, rows));
        }
        code
    }

    fn short_rows(&self, span: Span, rows: &[ShortRow]) -> TokenStream {
        let mut words: Vec<Vec<TokenStream>> = Vec::new();
        let mut filled = 8;
        for row in rows {
            if filled + row.bytes > 8 {
                words.push(Vec::new());
                filled = 0;
            }
            let (place, low, masks) = (&row.place, number(row.low), &row.masks);
            let shift = Literal::usize_unsuffixed(8 * filled);
            if let Some(word) = words.last_mut() {
                word.push(quote!(short(#place.item(#low + at as i64), &#masks) << #shift));
            }
            filled += row.bytes;
        }
        let words = words.iter().enumerate().map(|(number, parts)| {
            let salt = salt("short rows", number);
            quote!(colour = colour.wrapping_add(mix(#(#parts)|*, #salt));)
        });
        let (_, size, first) = numbers(span);
        quote! {
            for at in 0..#size {
                let mut colour = colours[#first + at];
                #(#words)*
                colours[#first + at] = colour;
            }
        }
    }
}
