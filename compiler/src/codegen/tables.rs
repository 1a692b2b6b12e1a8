//! The static tables of the generated crate: what the engines know about a model before it runs.

use super::shared::{Shared, number};
use super::sites::position;
use crate::analysis::parameters::{ParameterValues, parameters};
use crate::analysis::symmetry::Doubt;
use crate::layout::Shape;
use crate::semantics::model::{Frame, PropertyKind, Scope, TypeId, TypeKind};
use crate::source::Span;
use crate::tables;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// The number of a family's instances and of its first one.
#[derive(Clone, Copy, Debug)]
pub struct InstanceNumbers {
    pub first: u32,
    pub count: u32,
}

/// Numbers the instances of families one after the other.
pub fn number_instances<'a>(scopes: impl Iterator<Item = &'a [Scope]>) -> Vec<InstanceNumbers> {
    let mut first = 0;
    scopes
        .map(|scopes| {
            let counts = parameters(scopes).into_iter().map(|parameter| parameter.count);
            // The checker has bounded the number of all instances.
            let count = counts.fold(1u32, u32::saturating_mul);
            let instances = InstanceNumbers { first, count };
            first = first.saturating_add(count);
            instances
        })
        .collect()
}

impl Shared<'_> {
    pub fn description(&self, rules: &[InstanceNumbers], starts: &[InstanceNumbers]) -> TokenStream {
        let model = self.model;
        let name = &self.source.name;
        let text = &self.source.text;
        let fingerprint = Literal::u64_unsuffixed(tables::model_fingerprint(self.source));
        let constants = self.source.definitions.iter().map(|one| {
            let (name, value) = (&one.name, &one.value);
            quote!((#name, #value))
        });
        let words = Literal::usize_unsuffixed(self.layout.words);
        let variables = model.globals.iter().zip(&self.layout.offsets).map(|(global, offset)| {
            let name = if global.hidden { "" } else { global.name.as_str() };
            let ty = self.type_table(global.ty);
            let offset = Literal::usize_unsuffixed(*offset);
            quote!(Variable { name: #name, offset: #offset, ty: #ty })
        });
        let scalarsets = self.scalarsets.iter().map(|scalarset| {
            let name = tables::type_title(model, scalarset.ty);
            let (size, first) =
                (Literal::u32_unsuffixed(scalarset.size), Literal::u32_unsuffixed(scalarset.first));
            let doubt = self.doubt(self.proof.scalarsets.get(&scalarset.ty));
            quote!(Scalarset { name: #name, size: #size, first: #first, doubt: #doubt })
        });
        let rule_families = model.rules.iter().zip(rules).map(|(rule, instances)| {
            self.family(&rule.name, rule.header, &rule.scopes, &rule.frame, *instances)
        });
        let start_families = model.starts.iter().zip(starts).map(|(start, instances)| {
            self.family(&start.name, start.header, &start.scopes, &start.frame, *instances)
        });
        let properties = model.properties.iter().map(|property| {
            let kind = match property.kind {
                PropertyKind::Invariant => quote!(Invariant),
                PropertyKind::Assume => quote!(Assume),
                PropertyKind::Cover => quote!(Cover),
                PropertyKind::Reject => quote!(Reject),
                PropertyKind::Deadlock => quote!(Deadlock),
                PropertyKind::Liveness => quote!(Liveness),
                PropertyKind::Safety => quote!(Safety),
                PropertyKind::Ltl | PropertyKind::Atom => quote!(Ltl),
            };
            let (name, position) = (&property.name, position(self.source, property.header));
            quote!(Property { kind: PropertyKind::#kind, name: #name, position: #position })
        });
        let covers = model.cover_statements.iter().map(|cover| {
            let (name, position) = (&cover.name, position(self.source, cover.span));
            quote!(Cover { name: #name, position: #position })
        });
        let parts = self.counted_parts();
        quote! {
            static RULES: &[Family] = &[#(#rule_families),*];

            static STARTS: &[Family] = &[#(#start_families),*];

            static DESCRIPTION: Description = Description {
                name: #name,
                source: #text,
                fingerprint: #fingerprint,
                constants: &[#(#constants),*],
                words: #words,
                variables: &[#(#variables),*],
                scalarsets: &[#(#scalarsets),*],
                starts: STARTS,
                rules: RULES,
                properties: &[#(#properties),*],
                cover_statements: &[#(#covers),*],
                parts: #parts,
                sites: SITES,
            };
        }
    }

    /// Why a type was not proved to be symmetric, if it was not.
    fn doubt(&self, doubt: Option<&Doubt>) -> TokenStream {
        match doubt {
            None => quote!(None),
            Some(Doubt { span, message }) => {
                let position = position(self.source, *span);
                quote!(Some(Doubt { position: #position, message: #message }))
            }
        }
    }

    fn family(
        &self,
        name: &str,
        header: Span,
        scopes: &[Scope],
        frame: &Frame,
        instances: InstanceNumbers,
    ) -> TokenStream {
        let position = position(self.source, header);
        let parameters = parameters(scopes).into_iter().map(|parameter| self.parameter(&parameter, frame));
        let (first, count) =
            (Literal::u32_unsuffixed(instances.first), Literal::u32_unsuffixed(instances.count));
        quote! {
            Family {
                name: #name,
                position: #position,
                parameters: &[#(#parameters),*],
                first: #first,
                instances: #count,
            }
        }
    }

    pub fn parameter(&self, parameter: &ParameterValues, frame: &Frame) -> TokenStream {
        let local = &frame.locals[parameter.local.index()];
        let (name, ty) = (&local.name, self.simple_table(local.ty));
        let (first, step) = (number(parameter.first), number(parameter.step));
        let count = Literal::u32_unsuffixed(parameter.count);
        quote!(Parameter { name: #name, ty: #ty, first: #first, step: #step, count: #count })
    }

    /// A reference to the table of a type.
    pub fn type_table(&self, ty: TypeId) -> TokenStream {
        self.used_tables.borrow_mut().insert(ty);
        let name = format_ident!("TYPE_{}", ty.0);
        quote!(&#name)
    }

    /// A reference to the table of a simple type.
    pub fn simple_table(&self, ty: TypeId) -> TokenStream {
        self.used_tables.borrow_mut().insert(ty);
        let name = format_ident!("SIMPLE_{}", ty.0);
        quote!(&#name)
    }

    /// The tables of all types that were asked for, and of those that they are made of.
    pub fn type_tables(&self) -> TokenStream {
        let mut done = BTreeSet::new();
        let mut code = TokenStream::new();
        loop {
            let next = self.used_tables.borrow().iter().find(|ty| !done.contains(*ty)).copied();
            let Some(ty) = next else {
                return code;
            };
            done.insert(ty);
            code.extend(self.one_type_table(ty));
        }
    }

    fn one_type_table(&self, ty: TypeId) -> TokenStream {
        let name = format_ident!("TYPE_{}", ty.0);
        let layout = self.layout.ty(ty);
        let table = match &layout.shape {
            Shape::Simple { width, low } => {
                let simple = format_ident!("SIMPLE_{}", ty.0);
                let title = tables::type_title(self.model, ty);
                let width = format_ident!("{width:?}");
                let high = number(self.model.bounds(ty).map_or(0, |(_, high)| high));
                let low = number(*low);
                let labels = match tables::labels(self.model, ty) {
                    Some(names) => quote!(Labels::Names(&[#(#names),*])),
                    None => quote!(Labels::Numbers),
                };
                let spans = tables::spans(&self.scalarsets, self.model, ty).into_iter().map(|span| {
                    let (low, size) = (number(span.low), Literal::u32_unsuffixed(span.size));
                    let first = Literal::u32_unsuffixed(span.first);
                    quote!(Span { low: #low, size: #size, first: #first })
                });
                return quote! {
                    const #simple: Simple = Simple {
                        name: #title,
                        width: Width::#width,
                        low: #low,
                        high: #high,
                        labels: #labels,
                        spans: &[#(#spans),*],
                    };
                    static #name: Type = Type::Simple(#simple);
                };
            }
            Shape::Array { element, .. } => {
                let TypeKind::Array { index, .. } = &self.model.ty(ty).kind else {
                    return TokenStream::new();
                };
                let index = self.simple_table(*index);
                let stride = Literal::usize_unsuffixed(self.layout.ty(*element).bytes);
                let element = self.type_table(*element);
                quote!(Type::Array { index: #index, element: #element, stride: #stride })
            }
            Shape::Record { offsets } => {
                let TypeKind::Record { fields } = &self.model.ty(ty).kind else {
                    return TokenStream::new();
                };
                let fields = fields.iter().zip(offsets).map(|(field, offset)| {
                    let (name, ty) = (&field.name, self.type_table(field.ty));
                    let offset = Literal::usize_unsuffixed(*offset);
                    quote!(Field { name: #name, offset: #offset, ty: #ty })
                });
                quote!(Type::Record { fields: &[#(#fields),*] })
            }
            Shape::Multiset { capacity, element } => {
                let stride = Literal::usize_unsuffixed(1 + self.layout.ty(*element).bytes);
                let capacity = Literal::usize_unsuffixed(*capacity);
                let element = self.type_table(*element);
                let doubt = self.doubt(self.proof.multisets.get(&ty));
                quote! {
                    Type::Multiset { capacity: #capacity, element: #element, stride: #stride, doubt: #doubt }
                }
            }
        };
        quote!(static #name: Type = #table;)
    }
}
