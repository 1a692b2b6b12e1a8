//! From text to syntax tree: cuts the model into pieces, has the grammar parse each, and puts the
//! results together. All errors of a model are found in one run.

mod assembly;
mod declarations;
mod expressions;
mod hints;
mod literals;
mod lone;
mod mistakes;
mod operators;
mod recovery;
mod rules;
mod statements;
#[cfg(test)]
mod tests;
mod types;

use super::outline::{MAXIMUM_NESTING, outline};
use super::scan::scan;
use super::tree::{Item, Program, RuleItem};
use crate::diagnostics::Diagnostic;
use crate::source::{Source, Span};
use assembly::Assembly;
pub use lone::parse_expression;
use pest::iterators::{Pair, Pairs};

// The derive makes a public `Rule` that nobody outside needs to see or read about.
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "syntax/murphi.pest"]
    pub(in crate::syntax) struct Grammar;
}
pub(in crate::syntax) use grammar::Grammar;
pub(crate) use grammar::Rule;

/// A model with more mistakes than this is not a model; the rest of the list would help nobody.
const MAXIMUM_ERRORS: usize = 100;

/// Parses a model. There is no program if, and only if, one of the diagnostics is an error.
pub fn parse(source: &Source) -> (Option<Program>, Vec<Diagnostic>) {
    let (program, diagnostics) = recover(source);
    (Some(program).filter(|program| !program.damaged), diagnostics)
}

/// Parses as much of a model as can be parsed. The program is damaged if, and only if, one of the
/// diagnostics is an error.
pub fn recover(source: &Source) -> (Program, Vec<Diagnostic>) {
    if u32::try_from(source.text.len()).is_err() {
        let message = "the model is larger than 4 GiB";
        let refusal = Diagnostic::error("model-too-large", Span::default(), message);
        return (Program { items: Vec::new(), damaged: true }, vec![refusal]);
    }
    let scan = scan(&source.text);
    let mut assembly = Assembly::new(&source.text, &scan);
    for piece in outline(&source.text, &scan) {
        if assembly.has_enough() {
            break;
        }
        assembly.piece(&piece);
    }
    assembly.finish()
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error("nesting-too-deep", span, "this is nested too deeply")
        .help(format!("at most {MAXIMUM_NESTING} brackets, blocks and their names may be open at one place"))
}

/// Turns what the grammar matched into nodes of the tree.
///
/// Its functions return `None` only if grammar and builder disagree, or after an error was noted.
struct Builder {
    /// Where in the model the parsed text starts.
    offset: u32,
    diagnostics: Vec<Diagnostic>,
    /// How deep the deepest expression since the last look was; see `expressions.rs`.
    height: u32,
    /// How many loop variables and aliases the blocks around declare.
    levels: usize,
}

impl Builder {
    fn new(offset: u32) -> Self {
        Builder { offset, diagnostics: Vec::new(), height: 0, levels: 0 }
    }

    fn top_level(&mut self, pairs: Pairs<'_, Rule>) -> Option<Vec<Item>> {
        let mut items = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::top_level_item => {
                    for inner in pair.into_inner() {
                        self.item(inner, &mut items)?;
                    }
                }
                Rule::EOI => {}
                _ => self.item(pair, &mut items)?,
            }
        }
        Some(items)
    }

    fn item(&mut self, pair: Pair<'_, Rule>, items: &mut Vec<Item>) -> Option<()> {
        match pair.as_rule() {
            Rule::constants
            | Rule::types
            | Rule::variables
            | Rule::constant
            | Rule::named_type
            | Rule::variable => {
                let mut declarations = Vec::new();
                self.declarations(pair, &mut declarations)?;
                items.extend(declarations.into_iter().map(Item::Declaration));
            }
            Rule::function => items.push(Item::Function(self.function(pair)?)),
            Rule::external => items.push(self.external(pair)?),
            Rule::simple_rule => items.push(Item::Rule(RuleItem::Rule(self.simple_rule(pair)?))),
            Rule::start_state => items.push(Item::Rule(RuleItem::StartState(self.start_state(pair)?))),
            Rule::ltl_property | Rule::state_property => {
                items.push(Item::Rule(RuleItem::Property(self.temporal_property(pair)?)));
            }
            Rule::property => items.push(Item::Rule(RuleItem::Property(self.property(pair)?))),
            _ => return None,
        }
        Some(())
    }

    /// Builds what stands inside of a block that declares names. Later passes descend once for each
    /// name.
    fn inside<T>(
        &mut self,
        levels: usize,
        span: Span,
        build: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.levels + levels > MAXIMUM_NESTING {
            self.diagnostics.push(too_deep(span));
            return None;
        }
        self.levels += levels;
        let built = build(self);
        self.levels -= levels;
        built
    }

    /// The place of what was matched, without the white space that the grammar skips after it.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let matched = pair.as_span();
        let length = matched.as_str().trim_end().len();
        let start = self.offset as usize + matched.start();
        Span::new(start, start + length)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }
}
