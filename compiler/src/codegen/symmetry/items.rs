//! Where elements of scalarsets are in a value, and the way there.
//!
//! A value is seen as one block of bytes that have nothing to do with scalarsets, and *items*:
//! elements as values, arrays that elements index, and bags of such things. Records and other
//! arrays are only the way to the items.

use super::{FunctionKind, Symmetry};
use crate::layout::Shape;
use crate::semantics::model::{TypeId, TypeKind};
use crate::tables;
use mcc_runtime::model::Span;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Something in a value that has to do with scalarsets, and the way to it.
pub(super) struct Item {
    pub(super) way: Vec<ItemStep>,
    pub(super) kind: ItemKind,
    pub(super) ty: TypeId,
}

pub(super) enum ItemStep {
    Field(Ident),
    /// Through all elements of an array whose index is no scalarset.
    Each,
}

pub(super) enum ItemKind {
    /// A simple value that may be an element.
    Value,
    /// An array that elements index.
    Rows { index: TypeId, element: TypeId },
    /// A multiset whose elements have items.
    Bag { element: TypeId },
}

impl Symmetry<'_> {
    pub(super) fn finds_items(&self, ty: TypeId) -> bool {
        let has = |ty: &TypeId| self.has_items[ty.index()];
        match &self.shared.model.ty(ty).kind {
            TypeKind::Array { index, element } => !self.spans(*index).is_empty() || has(element),
            TypeKind::Record { fields } => fields.iter().any(|field| has(&field.ty)),
            TypeKind::Multiset { element, .. } => has(element),
            _ => !self.spans(ty).is_empty(),
        }
    }

    pub(super) fn spans(&self, ty: TypeId) -> Vec<Span> {
        tables::spans(&self.shared.scalarsets, self.shared.model, ty)
    }

    /// Whether elements of one scalarset index an array in it.
    pub(super) fn is_indexed_by(&self, ty: TypeId, scalarset: usize) -> bool {
        self.indexed[ty.index()][scalarset]
    }

    pub(super) fn finds_index(&self, ty: TypeId, scalarset: usize) -> bool {
        match &self.shared.model.ty(ty).kind {
            TypeKind::Array { index, element } => {
                self.span_of(*index, scalarset).is_some() || self.is_indexed_by(*element, scalarset)
            }
            TypeKind::Record { fields } => fields.iter().any(|field| self.is_indexed_by(field.ty, scalarset)),
            TypeKind::Multiset { element, .. } => self.is_indexed_by(*element, scalarset),
            _ => false,
        }
    }

    pub(super) fn span_of(&self, index: TypeId, scalarset: usize) -> Option<Span> {
        let first = self.shared.scalarsets[scalarset].first;
        self.spans(index).into_iter().find(|span| span.first == first)
    }

    /// The items of a value.
    pub(super) fn items(&self, ty: TypeId) -> Vec<Item> {
        let mut items = Vec::new();
        self.collect(ty, &mut Vec::new(), &mut items);
        items
    }

    fn collect(&self, ty: TypeId, way: &mut Vec<ItemStep>, items: &mut Vec<Item>) {
        if !self.has_items[ty.index()] {
            return;
        }
        let mut add = |kind, way: &[ItemStep]| items.push(Item { way: copy(way), kind, ty });
        match &self.shared.model.ty(ty).kind {
            TypeKind::Array { index, element } if !self.spans(*index).is_empty() => {
                add(ItemKind::Rows { index: *index, element: *element }, way);
            }
            TypeKind::Multiset { element, .. } => add(ItemKind::Bag { element: *element }, way),
            TypeKind::Array { element, .. } => {
                way.push(ItemStep::Each);
                self.collect(*element, way, items);
                way.pop();
            }
            TypeKind::Record { fields } => {
                for (field, name) in fields.iter().zip(&self.shared.member_names[ty.index()]) {
                    way.push(ItemStep::Field(name.clone()));
                    self.collect(field.ty, way, items);
                    way.pop();
                }
            }
            _ => add(ItemKind::Value, way),
        }
    }

    /// Which bytes of a value have nothing to do with scalarsets.
    pub(super) fn plain_bytes(&self, ty: TypeId) -> Vec<bool> {
        let layout = self.shared.layout.ty(ty);
        if !self.has_items[ty.index()] {
            return vec![true; layout.bytes];
        }
        match (&layout.shape, &self.shared.model.ty(ty).kind) {
            (Shape::Array { count, element, .. }, TypeKind::Array { index, .. })
                if self.spans(*index).is_empty() =>
            {
                self.plain_bytes(*element).repeat(*count)
            }
            (Shape::Record { .. }, TypeKind::Record { fields }) => {
                fields.iter().flat_map(|field| self.plain_bytes(field.ty)).collect()
            }
            _ => vec![false; layout.bytes],
        }
    }

    pub(super) fn has_plain(&self, ty: TypeId) -> bool {
        self.plain_bytes(ty).contains(&true)
    }

    pub(super) fn plain_masks(&self, ty: TypeId) -> TokenStream {
        let name = format_ident!("PLAIN_{}", ty.0);
        let bytes = self.plain_bytes(ty);
        let masks: Vec<u64> = bytes
            .chunks(8)
            .map(|chunk| {
                chunk
                    .iter()
                    .enumerate()
                    .filter(|(_, plain)| **plain)
                    .fold(0, |mask, (at, _)| mask | 0xff << (8 * at))
            })
            .collect();
        let count = Literal::usize_unsuffixed(masks.len());
        let masks = masks.into_iter().map(Literal::u64_unsuffixed);
        quote!(const #name: [u64; #count] = [#(#masks),*];)
    }

    /// The values of an index that are no elements: ranges of a union's other members.
    pub(super) fn others(&self, index: TypeId, spans: &[Span]) -> Vec<(i64, i64)> {
        let (low, high) = self.shared.model.bounds(index).unwrap_or((0, -1));
        let mut others = Vec::new();
        let mut from = low;
        let mut sorted: Vec<&Span> = spans.iter().collect();
        sorted.sort_by_key(|span| span.low);
        for span in sorted {
            if from < span.low {
                others.push((from, span.low - 1));
            }
            from = span.low + i64::from(span.size);
        }
        if from <= high {
            others.push((from, high));
        }
        others
    }

    /// Whether there is nothing of scalarsets in `value`, as most often in a place for what comes
    /// and goes: then its items need not be gone through.
    pub(super) fn unlinked(&self, ty: TypeId) -> TokenStream {
        if self.has_plain(ty) {
            let masks = self.want(FunctionKind::Plain, ty, 0);
            quote!(!linked(value, &#masks))
        } else {
            quote!(nothing(value))
        }
    }
}

fn copy(way: &[ItemStep]) -> Vec<ItemStep> {
    way.iter()
        .map(|step| match step {
            ItemStep::Field(name) => ItemStep::Field(name.clone()),
            ItemStep::Each => ItemStep::Each,
        })
        .collect()
}

/// The place of an item on whose way there is no loop.
pub(super) fn direct(way: &[ItemStep], place: &TokenStream) -> Option<TokenStream> {
    way.iter().try_fold(place.clone(), |place, step| match step {
        ItemStep::Field(name) => Some(quote!(#place.#name)),
        ItemStep::Each => None,
    })
}

/// Goes the way to an item. Inside of loops the salt depends on where they are.
pub(super) fn walk(
    way: &[ItemStep],
    place: &TokenStream,
    salt: TokenStream,
    inner: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    fn go(
        way: &[ItemStep],
        place: TokenStream,
        salt: TokenStream,
        depth: usize,
        inner: Box<dyn FnOnce(TokenStream, TokenStream) -> TokenStream + '_>,
    ) -> TokenStream {
        match way {
            [] => inner(place, salt),
            [ItemStep::Field(name), rest @ ..] => go(rest, quote!(#place.#name), salt, depth, inner),
            [ItemStep::Each, rest @ ..] => {
                let part = format_ident!("part_{depth}");
                let (position, inside) = (format_ident!("position_{depth}"), format_ident!("salt_{depth}"));
                let body = go(rest, quote!(#part), quote!(#inside), depth + 1, inner);
                quote! {
                    for (#position, #part) in #place.iter().enumerate() {
                        let #inside = mix(#salt, #position as u64);
                        #body
                    }
                }
            }
        }
    }
    go(way, place.clone(), salt, 0, Box::new(inner))
}

/// Goes the way in two values of the same type at once.
pub(super) fn walk_both(
    way: &[ItemStep],
    left: &TokenStream,
    right: &TokenStream,
    depth: usize,
    inner: &dyn Fn(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    match way {
        [] => inner(left.clone(), right.clone()),
        [ItemStep::Field(name), rest @ ..] => {
            walk_both(rest, &quote!(#left.#name), &quote!(#right.#name), depth, inner)
        }
        [ItemStep::Each, rest @ ..] => {
            let (from, into) = (format_ident!("from_{depth}"), format_ident!("into_{depth}"));
            let body = walk_both(rest, &quote!(#from), &quote!(#into), depth + 1, inner);
            quote! {
                for (#from, #into) in #left.iter().zip(#right.iter()) {
                    #body
                }
            }
        }
    }
}
