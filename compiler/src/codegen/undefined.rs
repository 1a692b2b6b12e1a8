//! Values of scalarsets and unions that may be undefined: an `i64`, and -1 (`UNDEFINED`) stands for
//! "undefined".
//!
//! Where such a value is compared, generated code asks the context, which notes the place or, with
//! `--strict-undefined`, makes it a fault. So the code for both is the same, and the question is on
//! a path that is taken only where something is undefined.

use super::body::Body;
use super::expressions::{block, whole};
use crate::semantics::model::{Call, Expression, ExpressionKind};
use mcc_runtime::fault::FaultKind;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// What becomes of a value that may be undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is one side of `=` or `!=`, or the subject or a label of `switch`.
    Compared,
    /// It is assigned, returned, put into a multiset or printed, or asked for its membership.
    Copied,
}

impl Body<'_> {
    /// A simple expression as an `i64`, or `UNDEFINED`.
    pub fn optional(&self, expression: &Expression, purpose: Purpose) -> TokenStream {
        if !self.shared.model.may_be_undefined(expression) {
            return self.value(expression);
        }
        self.deeper(expression, || quote!(i64), || self.optional_here(expression, purpose))
    }

    fn optional_here(&self, expression: &Expression, purpose: Purpose) -> TokenStream {
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let site = self.undefined_site(place);
                let path = self.place(place);
                let (before, path) = (path.before, path.tokens);
                let read = match purpose {
                    Purpose::Compared => quote!(#path.compared(context, #site)?),
                    Purpose::Copied => quote!(#path.copied(context, #site)?),
                };
                block(before, read)
            }
            ExpressionKind::Call(call) => {
                let result = self.call(call);
                match purpose {
                    Purpose::Compared => {
                        let site = self.undefined_result_site(call);
                        quote!(compared(context, #result, #site)?)
                    }
                    // With `--strict-undefined` the function has not returned.
                    Purpose::Copied => result,
                }
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let branch = |branch: &Expression| {
                    if self.shared.model.may_be_undefined(branch) {
                        whole(self.optional(branch, purpose))
                    } else {
                        whole(self.typed_value(branch))
                    }
                };
                let (then, otherwise) = (branch(then), branch(otherwise));
                quote!((if #condition { #then } else { #otherwise }))
            }
            ExpressionKind::Convert { value, pieces } => {
                let inner = self.optional(value, purpose);
                if let [piece] = &pieces[..]
                    && piece.shift == 0
                    && self.fits(value, (piece.low, piece.high))
                {
                    return inner;
                }
                let converted = self.convert(quote!(value), value, pieces, expression);
                quote!((match #inner { UNDEFINED => UNDEFINED, value => #converted }))
            }
            // Nothing else may be undefined.
            _ => self.value(expression),
        }
    }

    /// The result of a call that has to be defined.
    pub fn defined_result(&self, call: &Call) -> TokenStream {
        let result = self.call(call);
        if !self.shared.model.returns_undefined(call) {
            return result;
        }
        let site = self.undefined_result_site(call);
        quote!(defined(#result, #site)?)
    }

    fn undefined_result_site(&self, call: &Call) -> Literal {
        self.shared.site(FaultKind::Undefined, call.span, self.shared.messages().undefined_result(call))
    }
}
