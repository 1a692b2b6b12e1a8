//! How scalarset elements are found and renamed in a state: straight code for the types of one
//! model.
//!
//! For each type that has to do with scalarsets there is a function that looks at a value
//! (`look_n`), one that renames it (`rename_n`), and for each scalarset some that compare it with
//! itself after an exchange of two elements (`fixed_n_s`, `swapped_n_s`). Their purpose is
//! documented in `runtime/src/contract/symmetry.rs`.

mod exchange;
mod items;
mod looks;
mod renaming;
mod rows;

use super::shared::{Shared, number};
use crate::semantics::model::{TypeId, TypeKind};
use mcc_runtime::model::Span;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Which functions of a kind have been asked for, and which exist.
#[derive(Default)]
struct WantedFunctions {
    asked: RefCell<BTreeSet<(FunctionKind, TypeId, usize)>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FunctionKind {
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
    wanted: WantedFunctions,
}

/// More items than this are not spelled out one by one, nor are the bytes of larger states: then
/// the tables serve.
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
        let symmetry = if Symmetry::new(self).is_too_large() {
            quote!(&const { TableSymmetry(&DESCRIPTION) })
        } else {
            quote!(self)
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
        let mut symmetry = Symmetry {
            shared,
            has_items: Vec::new(),
            indexed: Vec::new(),
            wanted: WantedFunctions::default(),
        };
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

    /// The name of a function, which will then be emitted.
    fn want(&self, kind: FunctionKind, ty: TypeId, scalarset: usize) -> Ident {
        self.wanted.asked.borrow_mut().insert((kind, ty, scalarset));
        match kind {
            FunctionKind::Look => format_ident!("look_{}", ty.0),
            FunctionKind::Rename => format_ident!("rename_{}", ty.0),
            FunctionKind::Fixed => format_ident!("fixed_{}_{}", ty.0, scalarset),
            FunctionKind::Swapped => format_ident!("swapped_{}_{}", ty.0, scalarset),
            FunctionKind::Plain => format_ident!("PLAIN_{}", ty.0),
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
                FunctionKind::Look => self.look(ty),
                FunctionKind::Rename => self.rename(ty),
                FunctionKind::Fixed => self.fixed(ty, scalarset),
                FunctionKind::Swapped => self.swapped(ty, scalarset),
                FunctionKind::Plain => self.plain_masks(ty),
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
            let rename = self.want(FunctionKind::Rename, global.ty, 0);
            quote!(#rename(&state.#name, &next.#name, to, bags);)
        });
        let alike = self.shared.scalarsets.iter().enumerate().map(|(scalarset, described)| {
            let conditions = globals
                .iter()
                .filter(|(global, _)| self.is_indexed_by(global.ty, scalarset))
                .map(|(global, name)| {
                    let fixed = self.want(FunctionKind::Fixed, global.ty, scalarset);
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

                fn rename(&self, words: &mut [u64], to: &[u16], bags: Bags, into: &mut [u64]) {
                    let state = State::view(words);
                    let next = State::view(into);
                    let to = new_names::<#elements>(to);
                    #(#renames)*
                }
            }
        }
    }

    /// How many there are of all scalarsets together.
    fn elements(&self) -> Literal {
        let sizes = self.shared.scalarsets.iter().map(|scalarset| scalarset.size as usize);
        Literal::usize_unsuffixed(sizes.sum())
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
