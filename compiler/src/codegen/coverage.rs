//! Code that counts how often statements and properties are evaluated, where that is wanted
//! (`--coverage`). Guards are not counted: which of them are evaluated for a state is a matter of
//! how rules are selected, not of the model.

use super::shared::Shared;
use super::sites::position;
use crate::analysis::parts::parts;
use crate::semantics::model::Model;
use crate::source::Span;
use mcc_runtime::contract::coverage::PartKind;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// The parts that are counted, in the order of the text; none, unless that is wanted.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    parts: Vec<(u32, PartKind)>,
}

impl Counted {
    pub fn of(model: &Model, coverage: bool) -> Self {
        let mut parts = if coverage { parts(model) } else { Vec::new() };
        parts.retain(|(_, kind)| match kind {
            PartKind::Statement | PartKind::Property => true,
            PartKind::Guard => false,
        });
        Counted { parts }
    }
}

impl Shared<'_> {
    /// Counts that what stands here is evaluated.
    pub fn count(&self, span: Span, kind: PartKind) -> TokenStream {
        let Ok(part) = self.counted.parts.binary_search(&(span.start, kind)) else {
            return TokenStream::new();
        };
        // They follow those of properties and `cover` statements.
        let before = self.model.properties.len() + self.model.cover_statements.len();
        let counter = Literal::usize_unsuffixed(before + part);
        quote!(context.cover(#counter);)
    }

    /// The table of what is counted.
    pub fn counted_parts(&self) -> TokenStream {
        let parts = self.counted.parts.iter().map(|(start, kind)| {
            let position = position(self.source, Span { start: *start, end: *start });
            let kind = format_ident!("{kind:?}");
            quote!((#position, ::mcc_runtime::contract::coverage::PartKind::#kind))
        });
        quote!(&[#(#parts),*])
    }
}
