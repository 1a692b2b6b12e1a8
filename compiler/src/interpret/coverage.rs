//! How often statements, guards and properties are evaluated: `--coverage`.
//!
//! A part of the model is known by where it begins in the text, so its counter is found without a
//! search.

use crate::analysis::parts::parts;
use crate::semantics::model::Model;
use crate::source::{Source, Span};
use mcc_runtime::contract::coverage::{Part, PartKind};
use mcc_runtime::model::Position;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters for each byte of the text, once somebody wants them.
#[derive(Debug, Default)]
pub struct Coverage {
    counts: OnceLock<Vec<AtomicU64>>,
}

/// The counters of a machine that counts.
pub type Counters<'a> = Option<&'a [AtomicU64]>;

/// Counts that what stands here is evaluated.
pub fn count(counters: Counters<'_>, span: Span) {
    if let Some(counter) = counters.and_then(|counters| counters.get(span.start as usize)) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

impl Coverage {
    /// Counts from now on.
    pub fn begin(&self, text: &str) {
        self.counts.get_or_init(|| (0..=text.len()).map(|_| AtomicU64::new(0)).collect());
    }

    pub fn counters(&self) -> Counters<'_> {
        self.counts.get().map(Vec::as_slice)
    }

    /// All parts of the model in the order of the text.
    pub fn parts(&self, model: &Model, source: &Source) -> Vec<Part> {
        let Some(counters) = self.counters() else { return Vec::new() };
        let part = |(start, kind): (u32, PartKind)| {
            let at = source.position(start);
            let count = counters.get(start as usize).map_or(0, |count| count.load(Ordering::Relaxed));
            Part { position: Position { line: at.line, column: at.column }, kind, count }
        };
        parts(model).into_iter().map(part).collect()
    }
}
