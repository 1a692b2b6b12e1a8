//! The table of places where a rule can go wrong. Generated code names them by number.

use crate::faults::PRUNED;
use crate::source::{Source, Span};
use mcc_runtime::fault::FaultKind;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::HashMap;

#[derive(Debug)]
pub struct Sites {
    entries: Vec<(FaultKind, Span, String)>,
    known: HashMap<(u32, Span, String), u32>,
}

impl Sites {
    /// Site 0 is not an error: it stands for an assumption that does not hold.
    pub fn new() -> Self {
        let pruned = (FaultKind::Pruned, Span::default(), PRUNED.to_owned());
        Sites { entries: vec![pruned], known: HashMap::new() }
    }

    /// The number of a site; the same one for the same place and message.
    pub fn add(&mut self, kind: FaultKind, span: Span, message: String) -> u32 {
        let next = self.entries.len() as u32;
        let key = (kind as u32, span, message);
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        self.entries.push((kind, span, key.2.clone()));
        self.known.insert(key, next);
        next
    }

    pub fn table(&self, source: &Source) -> TokenStream {
        let entries = self.entries.iter().map(|(kind, span, message)| {
            let kind = format_ident!("{kind:?}");
            let position = position(source, *span);
            quote!(Site { kind: FaultKind::#kind, position: #position, message: #message })
        });
        quote! {
            /// Where rules can go wrong, by the number that the code carries.
            static SITES: &[Site] = &[#(#entries),*];
        }
    }
}

/// A place of the model's text as a constant of the generated code.
pub fn position(source: &Source, span: Span) -> TokenStream {
    let position = source.position(span.start);
    let (line, column) = (
        proc_macro2::Literal::u32_unsuffixed(position.line),
        proc_macro2::Literal::u32_unsuffixed(position.column),
    );
    quote!(Position { line: #line, column: #column })
}
