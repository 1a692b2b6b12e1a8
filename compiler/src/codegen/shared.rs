//! What all emitters need: the model, its layout, the Rust names, the table of sites.

use super::Flavour;
use super::coverage::Counted;
use super::names::{BINDINGS, ITEMS, Names, VALUES};
use super::pieces::Limits;
use super::sites::Sites;
use crate::analysis::SymmetryProof;
use crate::analysis::plan::Plan;
use crate::faults::Messages;
use crate::layout::{Layout, Shape};
use crate::semantics::model::{Model, TypeId, TypeKind};
use crate::source::{Source, Span};
use crate::tables::{self, Scalarset};
use mcc_runtime::fault::FaultKind;
use mcc_runtime::model::Width;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

/// Decided before the first token is emitted.
pub struct Shared<'a> {
    pub model: &'a Model,
    pub source: &'a Source,
    pub layout: &'a Layout,
    /// What the code does, and in which order.
    pub plan: &'a Plan<'a>,
    /// How large functions may become.
    pub limits: Limits,
    pub scalarsets: Vec<Scalarset>,
    /// Which of them, and which multisets, were not proved to be symmetric.
    pub proof: &'a SymmetryProof,
    /// The Rust name of each type that gets an item of its own (records and enums).
    pub type_names: Vec<Option<Ident>>,
    /// The Rust names of a record's fields or of an enum's members.
    pub member_names: Vec<Vec<Ident>>,
    pub global_names: Vec<Ident>,
    pub function_names: Vec<Ident>,
    /// Names that no local may have.
    reserved_for_locals: Rc<HashSet<String>>,
    sites: RefCell<Sites>,
    /// Bytes of the variables and temporaries in the code emitted so far.
    frames: Cell<usize>,
    /// Bytes of the variables and temporaries of recursive functions alone.
    recursion: Cell<usize>,
    /// Functions for parts of the code, see `pieces.rs`.
    pub pieces: RefCell<Vec<TokenStream>>,
    pub piece_count: Cell<u32>,
    /// Types whose description the tables must hold.
    pub used_tables: RefCell<BTreeSet<TypeId>>,
    /// What is counted while the model runs.
    pub counted: Counted,
}

impl<'a> Shared<'a> {
    pub fn new(
        model: &'a Model,
        source: &'a Source,
        layout: &'a Layout,
        plan: &'a Plan<'a>,
        proof: &'a SymmetryProof,
        flavour: &Flavour<'_>,
    ) -> Self {
        let mut items = Names::beside_generated(ITEMS.iter().chain(VALUES).chain(BINDINGS).copied());
        let mut type_names = Vec::new();
        let mut member_names = Vec::new();
        for (index, ty) in model.types.iter().enumerate() {
            let (fallback, members): (_, Vec<&str>) = match &ty.kind {
                TypeKind::Record { fields } => ("Record", fields.iter().map(|f| f.name.as_str()).collect()),
                TypeKind::Enum { members } => ("Enum", members.iter().map(String::as_str).collect()),
                TypeKind::Integer
                | TypeKind::Boolean
                | TypeKind::Range { .. }
                | TypeKind::Scalarset { .. }
                | TypeKind::Union(_)
                | TypeKind::Array { .. }
                | TypeKind::Multiset { .. } => {
                    type_names.push(None);
                    member_names.push(Vec::new());
                    continue;
                }
            };
            let wanted = ty.name.clone().unwrap_or_else(|| format!("{fallback}{index}"));
            type_names.push(Some(items.claim(&wanted)));
            let mut names = Names::new([]);
            member_names.push(members.into_iter().map(|member| names.claim(member)).collect());
        }
        let mut fields = Names::new(["padding"]);
        let mut functions = Names::new([]);
        let function_names: Vec<Ident> = model
            .functions
            .iter()
            .map(|function| functions.claim(&format!("function_{}", function.name)))
            .collect();
        Shared {
            model,
            source,
            layout,
            limits: Limits::new(flavour.optimisations),
            scalarsets: tables::scalarsets(model),
            plan,
            proof,
            reserved_for_locals: reserved_for_locals(&function_names, &type_names),
            type_names,
            member_names,
            global_names: model.globals.iter().map(|global| fields.claim(&global.name)).collect(),
            function_names,
            sites: RefCell::new(Sites::new()),
            frames: Cell::new(0),
            recursion: Cell::new(0),
            pieces: RefCell::default(),
            piece_count: Cell::new(0),
            used_tables: RefCell::default(),
            counted: Counted::of(model, flavour.coverage),
        }
    }

    /// Names for the locals of one rule, function or property: none of them hides a function or a
    /// table, or the name of an enum, which Rust would take for a pattern.
    pub fn local_names(&self) -> Names {
        Names::beside(&self.reserved_for_locals)
    }

    pub fn site(&self, kind: FaultKind, span: Span, message: impl Into<String>) -> Literal {
        Literal::u32_unsuffixed(self.sites.borrow_mut().add(kind, span, message.into()))
    }

    pub fn site_table(&self) -> TokenStream {
        self.sites.borrow().table(self.source)
    }

    pub fn messages(&self) -> Messages<'_> {
        Messages { model: self.model, source: self.source }
    }

    /// The Rust type in which values of this type are stored.
    pub fn storage(&self, ty: TypeId) -> TokenStream {
        match &self.layout.ty(ty).shape {
            Shape::Simple { width, low } => {
                let cell = match width {
                    Width::One => format_ident!("One"),
                    Width::Two => format_ident!("Two"),
                    Width::Four => format_ident!("Four"),
                    Width::Eight => format_ident!("Eight"),
                    Width::Nine => format_ident!("Nine"),
                };
                let low = generic(*low);
                quote!(#cell<#low>)
            }
            Shape::Array { count, low, element } => {
                let (element, low) = (self.storage(*element), generic(*low));
                let count = Literal::usize_unsuffixed(*count);
                quote!(Array<#element, #count, #low>)
            }
            Shape::Record { .. } => {
                let name = &self.type_names[ty.index()];
                quote!(#name)
            }
            Shape::Multiset { capacity, element } => {
                let element = self.storage(*element);
                let capacity = Literal::usize_unsuffixed(*capacity);
                quote!(Multiset<#element, #capacity>)
            }
        }
    }

    /// The code at hand keeps a value of this type on the stack.
    pub fn keeps(&self, ty: TypeId) {
        self.frames.set(self.frames.get().saturating_add(self.layout.ty(ty).bytes));
    }

    /// Emits a recursive function, whose share of the stack counts for every call.
    pub fn recursive(&self, emit: impl FnOnce() -> TokenStream) -> TokenStream {
        let before = self.frames.get();
        let code = emit();
        self.recursion.set(self.recursion.get().saturating_add(self.frames.get() - before));
        code
    }

    /// The method that returns what the code takes of the stack. A model without large variables
    /// needs none.
    pub fn stack_use(&self) -> TokenStream {
        const LARGE: usize = 1 << 10;
        /// Functions whose return addresses and temporaries fit into what every verifier has.
        const MANY_FUNCTIONS: usize = 1_000;
        let mut frames = self.frames.get();
        if self.model.functions.len() > MANY_FUNCTIONS {
            // Each may call the next one.
            frames = frames.saturating_add(self.model.functions.len().saturating_mul(LARGE));
        }
        if frames < LARGE {
            return TokenStream::new();
        }
        let frames = Literal::usize_unsuffixed(frames);
        let recursion = Literal::usize_unsuffixed(self.recursion.get());
        quote! {
            fn stack_use(&self) -> StackUse {
                StackUse { frames: #frames, recursion: #recursion }
            }
        }
    }

    /// A fresh, undefined value of this type.
    pub fn fresh(&self, ty: TypeId) -> TokenStream {
        let storage = self.storage(ty);
        self.keeps(ty);
        quote!(<#storage>::undefined())
    }

    /// A constant of this type: enum members by name.
    pub fn constant(&self, ty: TypeId, value: i64) -> TokenStream {
        let member = usize::try_from(value).ok().and_then(|at| self.member_names[ty.index()].get(at));
        match (&self.model.ty(ty).kind, &self.type_names[ty.index()], member) {
            (TypeKind::Enum { .. }, Some(name), Some(member)) => quote!(#name::#member),
            _ => number(value),
        }
    }
}

/// The names of functions, of types and of what generated code uses itself.
fn reserved_for_locals(functions: &[Ident], types: &[Option<Ident>]) -> Rc<HashSet<String>> {
    let functions: Vec<String> =
        functions.iter().flat_map(|name| [name.to_string(), format!("recursive_{name}")]).collect();
    let types: Vec<String> = types.iter().flatten().map(Ident::to_string).collect();
    let general = VALUES.iter().chain(ITEMS).copied();
    Names::new(general.chain(functions.iter().chain(&types).map(String::as_str))).into_reserved()
}

/// A number as an expression of type `i64`.
pub fn number(value: i64) -> TokenStream {
    if value == i64::MIN {
        return quote!(i64::MIN);
    }
    let magnitude = Literal::i64_unsuffixed(value.abs());
    if value < 0 { quote!((-#magnitude)) } else { quote!(#magnitude) }
}

/// A number whose type cannot be guessed from what stands around it.
pub fn typed_number(value: i64) -> TokenStream {
    if value == i64::MIN {
        return quote!(i64::MIN);
    }
    let magnitude = Literal::i64_suffixed(value.abs());
    if value < 0 { quote!((-#magnitude)) } else { quote!(#magnitude) }
}

/// A number as a constant parameter of a type.
fn generic(value: i64) -> TokenStream {
    if value < 0 {
        let value = number(value);
        quote!({ #value })
    } else {
        number(value)
    }
}
