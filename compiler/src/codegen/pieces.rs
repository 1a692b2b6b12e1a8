//! Code in pieces: what is too long or too deep for one function of Rust becomes several.
//!
//! rustc and LLVM descend once for each level of an expression, and take more than twice the time
//! for a function that is twice as long. So a chain of operators, a list of statements or a row of
//! `elsif` that is long is divided, and each part becomes a function, which is divided again if
//! need be; and what is nested deeply continues in a function. Models of ordinary size are not
//! divided at all.
//!
//! # What stays as it is
//! A piece evaluates what stood in its place, in the same order, and stops where that stopped: a
//! fault leaves it by `?`, and so does it leave the caller; a `return` of the model is handed on as
//! `ControlFlow::Break`. Locals from outside are parameters: values as they are, since they never
//! change, and storage by reference.

use super::body::{Body, Returns};
use super::shared::Shared;
use super::undefined::Purpose;
use crate::analysis::locals::FreeLocals;
use crate::analysis::size;
use crate::analysis::{Optimisation, Optimisations};
use crate::semantics::model::{Expression, LocalId, LocalKind, Statement};
use crate::semantics::visit::has_return;
use crate::source::Span;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// What an operand, a statement or a case counts at least.
const LEAST_NODES: usize = 10;

/// How large functions may become.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nodes of the model in one function, about: what is larger is divided.
    nodes: usize,
    /// Something is divided into about as many parts at a time.
    parts: usize,
    /// Levels of nesting in one function.
    levels: u32,
    /// Levels that are not worth a function.
    shallow: u32,
    /// Calls in one function of a row of calls.
    pub calls: usize,
    /// Start states in one function.
    pub starts: usize,
    /// Rules that have all code of an attempt to fire for themselves.
    pub rules: usize,
}

impl Limits {
    pub fn new(optimisations: &Optimisations) -> Self {
        if optimisations.has(Optimisation::Whole) {
            return Limits {
                nodes: 2_000,
                parts: 16,
                levels: 48,
                shallow: 4,
                calls: 256,
                starts: 64,
                rules: 1_000,
            };
        }
        Limits { nodes: 2 * LEAST_NODES, parts: 2, levels: 3, shallow: 1, calls: 1, starts: 1, rules: 0 }
    }

    /// Whether a row of this weight has to be divided.
    pub fn is_long(&self, weight: usize) -> bool {
        weight > self.nodes
    }

    /// Divides a row into parts of about the same weight. Each is shorter than the row, if that is
    /// long and not a single item.
    pub fn parts<'r, T>(&self, row: &'r [T], weigh: impl Fn(&T) -> usize) -> Vec<&'r [T]> {
        let weights: Vec<usize> = row.iter().map(weigh).collect();
        let total: usize = weights.iter().sum();
        let share = total.div_ceil(self.parts).max(self.nodes / 2);
        let mut parts = Vec::new();
        let (mut first, mut sum) = (0, 0);
        for (at, weight) in weights.into_iter().enumerate() {
            if at > first && sum + weight > share {
                parts.extend(row.get(first..at));
                (first, sum) = (at, 0);
            }
            sum += weight;
        }
        parts.extend(row.get(first..).filter(|rest| !rest.is_empty()));
        parts
    }
}

/// How conditions are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// By `&`: the first that is false decides.
    All,
    /// By `|`: the first that is true decides.
    Any,
}

/// What the conditions of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Boolean expressions.
    Conditions,
    /// Values that the `subject` of a `switch` may have.
    Labels,
}

/// What a piece gets as arguments beside the locals that it uses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extra {
    /// The `subject` of a `switch`.
    pub subject: bool,
    /// Statements, which may have to note that they write.
    pub statements: bool,
}

/// Where the emitter is, as far as pieces are concerned.
#[derive(Debug, Default)]
pub struct Depth {
    /// Levels around the code at hand, in the function that it stands in.
    level: u32,
    /// Whether that function is a piece.
    in_piece: bool,
    /// Locals with storage that belongs to another function, and that are references here.
    borrowed: BTreeSet<LocalId>,
}

/// What an item of a row counts when the row is divided.
pub fn weight(nodes: usize) -> usize {
    nodes.max(LEAST_NODES)
}

impl Shared<'_> {
    /// The functions that were asked for so far.
    pub fn pieces(&self) -> TokenStream {
        self.pieces.borrow().iter().cloned().collect()
    }

    /// A function for a part of something; how it is called is the caller's business.
    pub fn add_piece(&self, function: impl FnOnce(&Ident) -> TokenStream) -> Ident {
        let number = self.piece_count.get();
        self.piece_count.set(number + 1);
        let name = format_ident!("piece_{number}");
        let function = function(&name);
        self.pieces.borrow_mut().push(function);
        name
    }
}

impl Body<'_> {
    /// Emits an expression one level deeper, or, where that is too deep, as a function with this
    /// result.
    pub fn deeper(
        &self,
        expression: &Expression,
        result: impl FnOnce() -> TokenStream,
        emit: impl FnOnce() -> TokenStream,
    ) -> TokenStream {
        if !self.is_too_deep() || !size::is_deeper(expression, self.shared.limits.shallow) {
            return self.one_level(emit);
        }
        let mut free = FreeLocals::default();
        free.add_expression(expression);
        let call = self.piece(&free, expression.span, Extra::default(), &result(), || {
            let value = emit();
            quote!(Ok(#value))
        });
        quote!(#call?)
    }

    fn is_too_deep(&self) -> bool {
        self.depth.borrow().level >= self.shared.limits.levels
    }

    fn one_level(&self, emit: impl FnOnce() -> TokenStream) -> TokenStream {
        self.depth.borrow_mut().level += 1;
        let code = emit();
        self.depth.borrow_mut().level -= 1;
        code
    }

    /// Whether the storage of this local belongs to another function.
    pub fn is_borrowed(&self, local: LocalId) -> bool {
        self.depth.borrow().borrowed.contains(&local)
    }

    /// Emits a function, and gives the call of it, without `?`.
    pub fn piece(
        &self,
        free: &FreeLocals,
        span: Span,
        extra: Extra,
        result: &TokenStream,
        emit: impl FnOnce() -> TokenStream,
    ) -> TokenStream {
        let (mut parameters, mut arguments) = (TokenStream::new(), TokenStream::new());
        let mut depth = Depth { level: 0, in_piece: true, borrowed: BTreeSet::new() };
        for local in free.iter() {
            let name = self.name(local);
            let reference = self.is_reference(local);
            if self.frame.locals[local.index()].kind == LocalKind::Value {
                parameters.extend(quote!(, #name: i64));
                arguments.extend(quote!(, #name));
                continue;
            }
            let storage = self.shared.storage(self.local_type(local));
            parameters.extend(quote!(, #name: &#storage));
            arguments.extend(if reference { quote!(, #name) } else { quote!(, &#name) });
            depth.borrowed.insert(local);
        }
        if extra.subject {
            parameters.extend(quote!(, subject: i64));
            arguments.extend(quote!(, subject));
        }
        if extra.statements && self.returns == Returns::Written {
            parameters.extend(quote!(, written: &mut bool));
            arguments.extend(if self.depth.borrow().in_piece {
                quote!(, written)
            } else {
                quote!(, &mut written)
            });
        }
        let outside = self.depth.replace(depth);
        let code = emit();
        self.depth.replace(outside);
        let place = self.shared.place_comment("A part of the code", span);
        let name = self.shared.add_piece(|name| {
            quote! {
                #[doc = #place]
                #[inline(never)]
                fn #name(context: &Context, state: &State #parameters) -> Result<#result, Fault> {
                    #code
                }
            }
        });
        quote!(#name(context, state #arguments))
    }

    /// Conditions, or labels, that are joined: as they are, or a call for each of some parts of the
    /// row.
    pub fn tests(&self, row: &[&Expression], joined: Joined, asked: Asked) -> Vec<TokenStream> {
        let one = |operand: &Expression| match asked {
            Asked::Conditions => self.condition(operand),
            Asked::Labels => {
                let value = self.optional(operand, Purpose::Compared);
                quote!(subject == #value)
            }
        };
        let weigh = |operand: &&Expression| weight(size::of_expression(operand));
        if row.len() < 2 || !self.shared.limits.is_long(row.iter().map(weigh).sum()) {
            return row.iter().map(|operand| one(operand)).collect();
        }
        let part = |part: &[&Expression]| {
            let &[first, _, ..] = part else { return part.iter().map(|operand| one(operand)).collect() };
            let mut free = FreeLocals::default();
            part.iter().for_each(|operand| free.add_expression(operand));
            let extra = Extra { subject: asked == Asked::Labels, statements: false };
            let call = self.piece(&free, first.span, extra, &quote!(bool), || {
                let tests = self.tests(part, joined, asked);
                match joined {
                    Joined::All => quote!(#(if !(#tests) { return Ok(false); })* Ok(true)),
                    Joined::Any => quote!(#(if #tests { return Ok(true); })* Ok(false)),
                }
            });
            quote!(#call?)
        };
        self.shared.limits.parts(row, weigh).into_iter().map(part).collect()
    }

    /// Statements in order, in as many functions as it takes.
    pub fn sequence(&self, statements: &[Statement]) -> TokenStream {
        if !statements.is_empty() && self.is_too_deep() {
            return self.statement_piece(statements);
        }
        self.one_level(|| self.sequence_here(statements))
    }

    fn sequence_here(&self, statements: &[Statement]) -> TokenStream {
        let weigh = |statement: &Statement| weight(size::of_statement(statement));
        if statements.len() < 2 || !self.shared.limits.is_long(statements.iter().map(weigh).sum()) {
            return statements.iter().map(|statement| self.reporting_statement(statement)).collect();
        }
        let part = |part: &[Statement]| match part {
            [single] => self.reporting_statement(single),
            part => self.statement_piece(part),
        };
        self.shared.limits.parts(statements, weigh).into_iter().map(part).collect()
    }

    /// Statements as a function, and the call of it.
    fn statement_piece(&self, statements: &[Statement]) -> TokenStream {
        let mut free = FreeLocals::default();
        free.add_statements(statements);
        let span = statements.first().map(|statement| statement.span).unwrap_or_default();
        let returns = has_return(statements);
        let extra = Extra { subject: false, statements: true };
        let (result, end) = if returns {
            let flow = self.flow(&quote!(()));
            (flow, quote!(Ok(::core::ops::ControlFlow::Continue(()))))
        } else {
            (quote!(()), quote!(Ok(())))
        };
        let call = self.piece(&free, span, extra, &result, || {
            let code = self.sequence_here(statements);
            quote!(#code #end)
        });
        if !returns {
            return quote!(#call?;);
        }
        let leave = self.leave();
        quote!(if let ::core::ops::ControlFlow::Break(result) = #call? { #leave })
    }

    /// What a piece with a `return` in it gives back: what is returned, or what it says otherwise.
    pub fn flow(&self, otherwise: &TokenStream) -> TokenStream {
        let returned = match self.returns {
            Returns::Nothing | Returns::Written => quote!(()),
            Returns::Simple(_) => quote!(i64),
            Returns::Compound(ty) => self.shared.storage(ty),
        };
        quote!(::core::ops::ControlFlow<#returned, #otherwise>)
    }

    /// The statement that leaves with the `result` of a piece.
    pub fn leave(&self) -> TokenStream {
        if self.depth.borrow().in_piece {
            return quote!(return Ok(::core::ops::ControlFlow::Break(result)););
        }
        match self.returns {
            Returns::Nothing => quote!(return Ok(());),
            Returns::Written => quote!(return Ok(written);),
            Returns::Simple(_) | Returns::Compound(_) => quote!(return Ok(result);),
        }
    }

    /// Notes that the model may write from here on.
    pub fn note_written(&self) -> TokenStream {
        if self.depth.borrow().in_piece { quote!(*written = true;) } else { quote!(written = true;) }
    }

    /// `return`, with this value or none.
    pub fn return_with(&self, value: Option<TokenStream>) -> TokenStream {
        match (value, self.depth.borrow().in_piece, self.returns) {
            (Some(value), true, _) => quote!(return Ok(::core::ops::ControlFlow::Break(#value));),
            (None, true, _) => quote!(return Ok(::core::ops::ControlFlow::Break(()));),
            (Some(value), false, _) => quote!(return Ok(#value);),
            (None, false, Returns::Written) => quote!(return Ok(written);),
            (None, false, _) => quote!(return Ok(());),
        }
    }
}
