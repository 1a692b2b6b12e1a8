//! The code of one rule, function or property: what is in scope while it is emitted.

use super::pieces::Depth;
use super::shared::Shared;
use crate::analysis::facts::Facts;
use crate::analysis::writing::WriteReports;
use crate::semantics::model::{Expression, Frame, LocalId, LocalKind, TypeId};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::cell::{Cell, RefCell};

/// What `return` means in the body at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// A rule, start state or procedure.
    Nothing,
    /// A rule that says whether it came to a statement that may write to the state.
    Written,
    /// A function with a simple result.
    Simple(TypeId),
    /// A function with a record, array or multiset as its result.
    Compound(TypeId),
}

pub struct Body<'a> {
    pub shared: &'a Shared<'a>,
    pub frame: &'a Frame,
    pub returns: Returns,
    names: Vec<Ident>,
    pub facts: &'a Facts,
    labels: Cell<u32>,
    pub depth: RefCell<Depth>,
    /// Where the body reports that it may write.
    pub reports: Option<&'a WriteReports>,
    /// To compare an undefined value is a fault: for a plan that is given up where anything is out
    /// of the ordinary.
    pub compares_strictly: Cell<bool>,
}

impl<'a> Body<'a> {
    pub fn new(shared: &'a Shared<'a>, frame: &'a Frame, facts: &'a Facts, returns: Returns) -> Self {
        let mut names = shared.local_names();
        Body {
            shared,
            frame,
            returns,
            names: frame.locals.iter().map(|local| names.claim(&local.name)).collect(),
            facts,
            labels: Cell::new(0),
            depth: RefCell::default(),
            reports: None,
            compares_strictly: Cell::new(false),
        }
    }

    pub fn name(&self, local: LocalId) -> &Ident {
        &self.names[local.index()]
    }

    pub fn local_type(&self, local: LocalId) -> TypeId {
        self.frame.locals[local.index()].ty
    }

    pub fn is_reference(&self, local: LocalId) -> bool {
        self.frame.locals[local.index()].kind == LocalKind::Reference || self.is_borrowed(local)
    }

    pub fn is_storage(&self, local: LocalId) -> bool {
        self.frame.locals[local.index()].kind == LocalKind::Storage
    }

    /// Whether a value certainly lies in these bounds, so that it need not be checked.
    pub fn fits(&self, value: &Expression, bounds: (i64, i64)) -> bool {
        self.facts.fits(self.shared.model, value, bounds)
    }

    /// A block label that is not in use around the code at hand.
    pub fn label(&self, purpose: &str) -> TokenStream {
        let number = self.labels.get();
        self.labels.set(number + 1);
        let name = format_ident!("{purpose}_{number}");
        let lifetime = syn::Lifetime::new(&format!("'{name}"), proc_macro2::Span::call_site());
        quote!(#lifetime)
    }

    /// Declares locals with storage of their own, all undefined.
    pub fn declare(&self, variables: &[LocalId]) -> TokenStream {
        variables
            .iter()
            .map(|variable| {
                let name = self.name(*variable);
                let fresh = self.shared.fresh(self.local_type(*variable));
                quote!(let #name = #fresh;)
            })
            .collect()
    }
}
