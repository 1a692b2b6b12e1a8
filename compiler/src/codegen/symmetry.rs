//! How scalarset elements are found and renamed in a state: straight code for the types of one model.
//!
//! For each type that has to do with scalarsets there is a function that looks at a value (`look_n`), one that
//! renames it (`rename_n`), and for each scalarset some that compare it with itself after an exchange of two elements
//! (`fixed_n_s`, `swapped_n_s`). What they are for is told in `runtime/src/reduction/look.rs`.
//!
//! A value is seen as one block of bytes that have nothing to do with scalarsets, and *items*: elements as values,
//! arrays that elements index, and bags of such things. Records and other arrays are only the way to the items.

use super::shared::{Shared, number};
use crate::layout::Shape;
use crate::semantics::model::{Global, TypeId, TypeKind};
use crate::tables;
use mcc_runtime::model::Span;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Something in a value that has to do with scalarsets, and the way to it.
struct Item {
    way: Vec<Step>,
    kind: ItemKind,
    ty: TypeId,
}

enum Step {
    Field(Ident),
    /// Through all elements of an array whose index is no scalarset.
    Each,
}

enum ItemKind {
    /// A simple value that may be an element.
    Value,
    /// An array that elements index.
    Rows { index: TypeId, element: TypeId },
    /// A multiset whose elements have items.
    Bag { element: TypeId },
}

/// Which functions of a kind have been asked for, and which exist.
#[derive(Default)]
struct Wanted {
    asked: RefCell<BTreeSet<(Kind, TypeId, usize)>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Look,
    Rename,
    Fixed,
    Swapped,
    Plain,
}

struct Symmetry<'a> {
    shared: &'a Shared<'a>,
    /// For each type, whether there are items in it.
    has_items: Vec<bool>,
    /// For each type and scalarset, whether elements index an array in it.
    indexed: Vec<Vec<bool>>,
    wanted: Wanted,
}

/// More items than this are not spelled out one by one, nor are the bytes of larger states: then the tables serve.
const MOST_ITEMS: usize = 2_000;
const MOST_BYTES: usize = 1 << 16;

impl Shared<'_> {
    /// The part of the contract about symmetry; nothing for a model without scalarsets.
    pub fn symmetry(&self) -> TokenStream {
        if self.scalarsets.is_empty() {
            return TokenStream::new();
        }
        let symmetry = Symmetry::new(self);
        if symmetry.is_too_large() {
            return TokenStream::new();
        }
        let implementation = symmetry.implementation();
        let functions = symmetry.functions();
        quote!(#functions #implementation)
    }

    /// The method of the model that gives it out.
    pub fn symmetry_method(&self) -> TokenStream {
        if self.scalarsets.is_empty() {
            return TokenStream::new();
        }
        let symmetry = match Symmetry::new(self).is_too_large() {
            true => quote!(&const { TableSymmetry(&DESCRIPTION) }),
            false => quote!(self),
        };
        quote! {
            fn symmetry(&self) -> Option<&dyn Symmetry> {
                Some(#symmetry)
            }
        }
    }
}

impl<'a> Symmetry<'a> {
    fn new(shared: &'a Shared<'a>) -> Self {
        let mut symmetry =
            Symmetry { shared, has_items: Vec::new(), indexed: Vec::new(), wanted: Wanted::default() };
        // A type comes after its parts.
        for ty in (0..shared.model.types.len()).map(|index| TypeId(index as u32)) {
            symmetry.has_items.push(symmetry.finds_items(ty));
            let indexed =
                (0..shared.scalarsets.len()).map(|scalarset| symmetry.finds_index(ty, scalarset)).collect();
            symmetry.indexed.push(indexed);
        }
        symmetry
    }

    fn is_too_large(&self) -> bool {
        let mut counts: Vec<usize> = Vec::new();
        for (index, ty) in self.shared.model.types.iter().enumerate() {
            counts.push(match &ty.kind {
                _ if !self.has_items[index] => 0,
                TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => {
                    counts[element.index()].saturating_add(1)
                }
                TypeKind::Record { fields } => {
                    fields.iter().fold(0, |sum, field| sum.saturating_add(counts[field.ty.index()]))
                }
                _ => 1,
            });
        }
        let items = self.shared.model.globals.iter().map(|global| counts[global.ty.index()]);
        items.fold(0, usize::saturating_add) > MOST_ITEMS || self.shared.layout.bytes > MOST_BYTES
    }

    fn finds_items(&self, ty: TypeId) -> bool {
        let has = |ty: &TypeId| self.has_items[ty.index()];
        match &self.shared.model.ty(ty).kind {
            TypeKind::Array { index, element } => !self.spans(*index).is_empty() || has(element),
            TypeKind::Record { fields } => fields.iter().any(|field| has(&field.ty)),
            TypeKind::Multiset { element, .. } => has(element),
            _ => !self.spans(ty).is_empty(),
        }
    }

    fn spans(&self, ty: TypeId) -> Vec<Span> {
        tables::spans(&self.shared.scalarsets, self.shared.model, ty)
    }

    /// Whether elements of one scalarset index an array in it.
    fn is_indexed_by(&self, ty: TypeId, scalarset: usize) -> bool {
        self.indexed[ty.index()][scalarset]
    }

    fn finds_index(&self, ty: TypeId, scalarset: usize) -> bool {
        match &self.shared.model.ty(ty).kind {
            TypeKind::Array { index, element } => {
                self.span_of(*index, scalarset).is_some() || self.is_indexed_by(*element, scalarset)
            }
            TypeKind::Record { fields } => fields.iter().any(|field| self.is_indexed_by(field.ty, scalarset)),
            TypeKind::Multiset { element, .. } => self.is_indexed_by(*element, scalarset),
            _ => false,
        }
    }

    fn span_of(&self, index: TypeId, scalarset: usize) -> Option<Span> {
        let first = self.shared.scalarsets[scalarset].first;
        self.spans(index).into_iter().find(|span| span.first == first)
    }

    /// The items of a value.
    fn items(&self, ty: TypeId) -> Vec<Item> {
        let mut items = Vec::new();
        self.collect(ty, &mut Vec::new(), &mut items);
        items
    }

    fn collect(&self, ty: TypeId, way: &mut Vec<Step>, items: &mut Vec<Item>) {
        if !self.has_items[ty.index()] {
            return;
        }
        let mut add = |kind, way: &[Step]| items.push(Item { way: copy(way), kind, ty });
        match &self.shared.model.ty(ty).kind {
            TypeKind::Array { index, element } if !self.spans(*index).is_empty() => {
                add(ItemKind::Rows { index: *index, element: *element }, way);
            }
            TypeKind::Multiset { element, .. } => add(ItemKind::Bag { element: *element }, way),
            TypeKind::Array { element, .. } => {
                way.push(Step::Each);
                self.collect(*element, way, items);
                way.pop();
            }
            TypeKind::Record { fields } => {
                for (field, name) in fields.iter().zip(&self.shared.member_names[ty.index()]) {
                    way.push(Step::Field(name.clone()));
                    self.collect(field.ty, way, items);
                    way.pop();
                }
            }
            _ => add(ItemKind::Value, way),
        }
    }

    /// Which bytes of a value have nothing to do with scalarsets.
    fn plain_bytes(&self, ty: TypeId) -> Vec<bool> {
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

    fn has_plain(&self, ty: TypeId) -> bool {
        self.plain_bytes(ty).contains(&true)
    }

    /// The name of a function, which will then be emitted.
    fn want(&self, kind: Kind, ty: TypeId, scalarset: usize) -> Ident {
        self.wanted.asked.borrow_mut().insert((kind, ty, scalarset));
        match kind {
            Kind::Look => format_ident!("look_{}", ty.0),
            Kind::Rename => format_ident!("rename_{}", ty.0),
            Kind::Fixed => format_ident!("fixed_{}_{}", ty.0, scalarset),
            Kind::Swapped => format_ident!("swapped_{}_{}", ty.0, scalarset),
            Kind::Plain => format_ident!("PLAIN_{}", ty.0),
        }
    }

    /// All that were asked for, and what those ask for.
    fn functions(&self) -> TokenStream {
        let mut done = BTreeSet::new();
        let mut code = TokenStream::new();
        loop {
            let next = self.wanted.asked.borrow().iter().find(|wanted| !done.contains(*wanted)).copied();
            let Some(wanted) = next else {
                return code;
            };
            done.insert(wanted);
            let (kind, ty, scalarset) = wanted;
            code.extend(match kind {
                Kind::Look => self.look(ty),
                Kind::Rename => self.rename(ty),
                Kind::Fixed => self.fixed(ty, scalarset),
                Kind::Swapped => self.swapped(ty, scalarset),
                Kind::Plain => self.plain_masks(ty),
            });
        }
    }

    fn implementation(&self) -> TokenStream {
        let globals: Vec<_> = self
            .shared
            .model
            .globals
            .iter()
            .zip(&self.shared.global_names)
            .filter(|(global, _)| self.has_items[global.ty.index()])
            .collect();
        let elements = self.elements();
        let rows = self.rows(&globals);
        let links: TokenStream =
            globals.iter().map(|(global, name)| self.links(global.ty, &quote!(state.#name), name)).collect();
        let renames = globals.iter().map(|(global, name)| {
            let rename = self.want(Kind::Rename, global.ty, 0);
            quote!(#rename(&state.#name, &next.#name, to, keep_slots);)
        });
        let alike = self.shared.scalarsets.iter().enumerate().map(|(scalarset, described)| {
            let conditions = globals
                .iter()
                .filter(|(global, _)| self.is_indexed_by(global.ty, scalarset))
                .map(|(global, name)| {
                    let fixed = self.want(Kind::Fixed, global.ty, scalarset);
                    quote!(&& #fixed(&state.#name, left, right))
                });
            let first = Literal::usize_unsuffixed(described.first as usize);
            let last = Literal::usize_unsuffixed((described.first + described.size) as usize - 1);
            quote! {
                #first..=#last => {
                    let (left, right) = (left as i64 - #first, right as i64 - #first);
                    true #(#conditions)*
                }
            }
        });
        quote! {
            impl Symmetry for TheModel {
                fn rows(&self, words: &mut [u64], colours: &mut [u64]) {
                    let state = State::view(words);
                    let colours = start_colours::<#elements>(colours);
                    #rows
                }

                fn links(&self, words: &mut [u64], looking: &mut Looking) {
                    looking.begin::<#elements>();
                    let state = State::view(words);
                    #links
                }

                fn alike(&self, words: &mut [u64], left: usize, right: usize) -> bool {
                    let state = State::view(words);
                    match left {
                        #(#alike)*
                        _ => false,
                    }
                }

                fn rename(&self, words: &mut [u64], to: &[u16], keep_slots: bool, into: &mut [u64]) {
                    let state = State::view(words);
                    let next = State::view(into);
                    let to = new_names::<#elements>(to);
                    #(#renames)*
                }
            }
        }
    }

    /// Adds what the rows of arrays say about the elements that index them. Short rows of the same element are taken
    /// together, eight bytes at a time.
    fn rows(&self, globals: &[(&Global, &Ident)]) -> TokenStream {
        let mut code = TokenStream::new();
        let mut short: Vec<(Span, Vec<ShortRow>)> = Vec::new();
        for (global, name) in globals {
            for (at, item) in self.items(global.ty).iter().enumerate() {
                let ItemKind::Rows { index, element } = item.kind else { continue };
                if !self.has_plain(element) {
                    continue;
                }
                let bytes = self.shared.layout.ty(element).bytes;
                let masks = self.want(Kind::Plain, element, 0);
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

    /// Looks at the items of a global. What nothing but an element's own row says is known from the rows already.
    fn links(&self, ty: TypeId, place: &TokenStream, name: &Ident) -> TokenStream {
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
    fn look(&self, ty: TypeId) -> TokenStream {
        let name = format_ident!("look_{}", ty.0);
        let storage = self.shared.storage(ty);
        let plain = match self.has_plain(ty) {
            true => {
                let masks = self.want(Kind::Plain, ty, 0);
                quote!(plain(value, &#masks))
            }
            false => quote!(0),
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

    /// Whether there is nothing of scalarsets in `value`, as most often in a place for what comes and goes: then its items need
    /// not be gone through.
    fn unlinked(&self, ty: TypeId) -> TokenStream {
        match self.has_plain(ty) {
            true => {
                let masks = self.want(Kind::Plain, ty, 0);
                quote!(!linked(value, &#masks))
            }
            false => quote!(nothing(value)),
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
        let gather = |look: TokenStream| match shape.is_empty() {
            true => quote!(#look;),
            false => quote!(#shape = #shape.wrapping_add(#look);),
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
                let rest = match high - low + 1 > all && !shape.is_empty() {
                    true => {
                        let look = gather(quote!(mix(other as u64, #salt)));
                        quote!(Some(other) => { #look })
                    }
                    false => TokenStream::new(),
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
        let call = match self.has_items[ty.index()] {
            true => Some((self.want(Kind::Look, ty, 0), spread.clone())),
            false => None,
        };
        let masks = call.is_none().then(|| self.want(Kind::Plain, ty, 0));
        move |tie| match (&call, &masks) {
            (Some((look, spread)), _) => quote!(#look::<#spread>(row, #tie, looking)),
            (None, Some(masks)) => quote!(plain(row, &#masks)),
            (None, None) => quote!(0),
        }
    }

    /// The values of an index that are no elements: ranges of a union's other members.
    fn others(&self, index: TypeId, spans: &[Span]) -> Vec<(i64, i64)> {
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

    fn plain_masks(&self, ty: TypeId) -> TokenStream {
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

    /// How many there are of all scalarsets together.
    fn elements(&self) -> Literal {
        let sizes = self.shared.scalarsets.iter().map(|scalarset| scalarset.size as usize);
        Literal::usize_unsuffixed(sizes.sum())
    }

    /// The function that writes a value to `into`, renamed.
    fn rename(&self, ty: TypeId) -> TokenStream {
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
                    let write = match self.has_items[element.index()] {
                        true => {
                            let rename = self.want(Kind::Rename, element, 0);
                            quote!(#rename(row, place, to, keep_slots);)
                        }
                        false => quote!(place.copy_from(row);),
                    };
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
                    let rename = self.want(Kind::Rename, element, 0);
                    quote! {
                        for (row, place) in #from.places().zip(#into.places()) {
                            #rename(row, place, to, keep_slots);
                        }
                        if !keep_slots {
                            #into.sort();
                        }
                    }
                }
            })
        });
        quote! {
            #[inline]
            fn #name(value: &#storage, into: &#storage, to: &[u16; #elements], keep_slots: bool) {
                #copy
                #(#items)*
            }
        }
    }

    /// The function that tells whether exchanging two elements, which are nowhere a value, leaves a value as it is.
    fn fixed(&self, ty: TypeId, scalarset: usize) -> TokenStream {
        let name = format_ident!("fixed_{}_{}", ty.0, scalarset);
        let storage = self.shared.storage(ty);
        let condition = match &self.shared.model.ty(ty).kind {
            TypeKind::Record { fields } => {
                let names = &self.shared.member_names[ty.index()];
                let parts =
                    fields.iter().zip(names).filter(|(field, _)| self.is_indexed_by(field.ty, scalarset));
                let parts = parts.map(|(field, name)| {
                    let fixed = self.want(Kind::Fixed, field.ty, scalarset);
                    quote!(&& #fixed(&value.#name, left, right))
                });
                quote!(true #(#parts)*)
            }
            TypeKind::Array { index, element } => {
                let inner = self.is_indexed_by(*element, scalarset);
                let fixed = inner.then(|| self.want(Kind::Fixed, *element, scalarset));
                match (self.span_of(*index, scalarset), fixed) {
                    (Some(span), Some(fixed)) => {
                        let swapped = self.want(Kind::Swapped, *element, scalarset);
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

    /// The function that tells whether exchanging two such elements makes one value the other.
    fn swapped(&self, ty: TypeId, scalarset: usize) -> TokenStream {
        let name = format_ident!("swapped_{}_{}", ty.0, scalarset);
        let storage = self.shared.storage(ty);
        let same =
            |ty: TypeId, value: TokenStream, other: TokenStream| match self.is_indexed_by(ty, scalarset) {
                true => {
                    let swapped = self.want(Kind::Swapped, ty, scalarset);
                    quote!(#swapped(#value, #other, left, right))
                }
                false => quote!(#value.same(#other)),
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

fn copy(way: &[Step]) -> Vec<Step> {
    way.iter()
        .map(|step| match step {
            Step::Field(name) => Step::Field(name.clone()),
            Step::Each => Step::Each,
        })
        .collect()
}

/// A row of eight bytes or less that no loop is needed for.
struct ShortRow {
    place: TokenStream,
    low: i64,
    masks: Ident,
    bytes: usize,
}

/// The place of an item on whose way there is no loop.
fn direct(way: &[Step], place: &TokenStream) -> Option<TokenStream> {
    way.iter().try_fold(place.clone(), |place, step| match step {
        Step::Field(name) => Some(quote!(#place.#name)),
        Step::Each => None,
    })
}

/// Goes the way to an item. Inside of loops the salt depends on where they are.
fn walk(
    way: &[Step],
    place: &TokenStream,
    salt: TokenStream,
    inner: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    fn go(
        way: &[Step],
        place: TokenStream,
        salt: TokenStream,
        depth: usize,
        inner: Box<dyn FnOnce(TokenStream, TokenStream) -> TokenStream + '_>,
    ) -> TokenStream {
        match way {
            [] => inner(place, salt),
            [Step::Field(name), rest @ ..] => go(rest, quote!(#place.#name), salt, depth, inner),
            [Step::Each, rest @ ..] => {
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
fn walk_both(
    way: &[Step],
    left: &TokenStream,
    right: &TokenStream,
    depth: usize,
    inner: &dyn Fn(TokenStream, TokenStream) -> TokenStream,
) -> TokenStream {
    match way {
        [] => inner(left.clone(), right.clone()),
        [Step::Field(name), rest @ ..] => {
            walk_both(rest, &quote!(#left.#name), &quote!(#right.#name), depth, inner)
        }
        [Step::Each, rest @ ..] => {
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

fn bounds(shared: &Shared, index: TypeId) -> (TokenStream, TokenStream) {
    let (low, high) = shared.model.bounds(index).unwrap_or((0, -1));
    (number(low), number(high))
}

/// The first value, the number of elements, and the number of the first element.
fn numbers(span: Span) -> (TokenStream, Literal, Literal) {
    let size = Literal::usize_unsuffixed(span.size as usize);
    (number(span.low), size, Literal::usize_unsuffixed(span.first as usize))
}

/// A number that stands for an item: nothing depends on what it is, but it must not be another item's.
fn salt(name: &str, item: usize) -> TokenStream {
    let salt = Literal::u64_suffixed(tables::fingerprint(&format!("{name} {item}")));
    quote!(#salt)
}
