//! Rows of conditions of which the first that holds decides what is executed: `if` with its
//! `elsif`, and `switch`.
//!
//! A short row is an `if … else if …` of Rust. Rust nests each `else`, so a long row is divided
//! into functions that say whether one of their arms was taken.

use super::body::Body;
use super::pieces::{Asked, Extra, Joined, weight};
use crate::analysis::locals::FreeLocals;
use crate::analysis::size;
use crate::semantics::model::{Expression, Statement};
use crate::semantics::visit::has_return;
use proc_macro2::TokenStream;
use quote::quote;

/// An arm: it is taken if one of the tests holds.
pub struct Arm<'m> {
    pub tests: Vec<&'m Expression>,
    pub body: &'m [Statement],
}

impl Arm<'_> {
    fn weight(&self) -> usize {
        let tests: usize = self.tests.iter().map(|test| weight(size::of_expression(test))).sum();
        tests + weight(size::of_statements(self.body))
    }
}

impl Body<'_> {
    /// The arms, tried in order, and what is executed if none is taken.
    pub fn arms(&self, arms: &[Arm<'_>], otherwise: Option<&[Statement]>, asked: Asked) -> TokenStream {
        if arms.len() > 1 && self.shared.limits.is_long(arms.iter().map(Arm::weight).sum()) {
            return self.long_arms(arms, otherwise.unwrap_or_default(), asked);
        }
        let mut code = TokenStream::new();
        for arm in arms {
            let (test, body) = (self.test(arm, asked), self.statements(arm.body));
            let word = if code.is_empty() { quote!(if) } else { quote!(else if) };
            code.extend(quote!(#word #test { #body }));
        }
        if let Some(otherwise) = otherwise {
            let otherwise = self.statements(otherwise);
            code.extend(if code.is_empty() { otherwise } else { quote!(else { #otherwise }) });
        }
        code
    }

    fn test(&self, arm: &Arm<'_>, asked: Asked) -> TokenStream {
        let tests = self.tests(&arm.tests, Joined::Any, asked);
        quote!(#(#tests)||*)
    }

    fn long_arms(&self, arms: &[Arm<'_>], otherwise: &[Statement], asked: Asked) -> TokenStream {
        let label = self.label("taken");
        let leave = self.leave();
        let calls: TokenStream = self
            .shared
            .limits
            .parts(arms, Arm::weight)
            .into_iter()
            .map(|part| {
                let (call, returns) = self.arms_piece(part, asked);
                if !returns {
                    return quote!(if #call? { break #label; });
                }
                quote! {
                    match #call? {
                        ::core::ops::ControlFlow::Continue(false) => {}
                        ::core::ops::ControlFlow::Continue(true) => break #label,
                        ::core::ops::ControlFlow::Break(result) => { #leave }
                    }
                }
            })
            .collect();
        let otherwise = self.statements(otherwise);
        quote!(#label: { #calls #otherwise })
    }

    /// The call of a function that tries these arms and says whether one was taken, and whether
    /// there is a `return` in it.
    fn arms_piece(&self, arms: &[Arm<'_>], asked: Asked) -> (TokenStream, bool) {
        let returns = arms.iter().any(|arm| has_return(arm.body));
        let mut free = FreeLocals::default();
        for arm in arms {
            arm.tests.iter().for_each(|test| free.add_expression(test));
            free.add_statements(arm.body);
        }
        let span = arms.first().and_then(|arm| arm.tests.first()).map(|test| test.span).unwrap_or_default();
        let extra = Extra { subject: asked == Asked::Labels, statements: true };
        let said = |taken: bool| {
            if returns { quote!(Ok(::core::ops::ControlFlow::Continue(#taken))) } else { quote!(Ok(#taken)) }
        };
        let (taken, not_taken) = (said(true), said(false));
        let result = if returns { self.flow(&quote!(bool)) } else { quote!(bool) };
        let call = self.piece(&free, span, extra, &result, || {
            let code: TokenStream =
                if arms.len() > 1 && self.shared.limits.is_long(arms.iter().map(Arm::weight).sum()) {
                    self.shared
                        .limits
                        .parts(arms, Arm::weight)
                        .into_iter()
                        .map(|part| match self.arms_piece(part, asked) {
                            (call, false) => quote!(if #call? { return #taken; }),
                            (call, true) => quote! {
                                match #call? {
                                    ::core::ops::ControlFlow::Continue(false) => {}
                                    other => return Ok(other),
                                }
                            },
                        })
                        .collect()
                } else {
                    arms.iter()
                        .map(|arm| {
                            let (test, body) = (self.test(arm, asked), self.statements(arm.body));
                            quote!(if #test { #body return #taken; })
                        })
                        .collect()
                };
            quote!(#code #not_taken)
        });
        (call, returns)
    }
}
