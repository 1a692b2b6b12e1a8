//! Expressions: `value` emits one of type `i64`, `condition` one of type `bool`, `compound` a
//! reference to a record, array or multiset. A fault leaves the function that is being emitted by
//! `?`.

use super::body::Body;
use super::shared::{number, typed_number};
use crate::semantics::model::{
    Argument, ArithmeticOperator, Binder, Call, ConvertPiece, Domain, Expression, ExpressionKind, Place,
    TypeId, TypeKind,
};
use crate::source::Span;
use mcc_runtime::fault::FaultKind;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

impl Body<'_> {
    /// A simple expression as an `i64`.
    pub fn value(&self, expression: &Expression) -> TokenStream {
        self.deeper(expression, || quote!(i64), || self.value_here(expression))
    }

    fn value_here(&self, expression: &Expression) -> TokenStream {
        match &expression.kind {
            ExpressionKind::Constant(value) => self.shared.constant(expression.ty, *value),
            ExpressionKind::Value(local) => {
                let name = self.name(*local);
                quote!(#name)
            }
            ExpressionKind::Read(place) => {
                let site = self.undefined_site(place);
                let path = self.place(place);
                let (before, path) = (path.before, path.tokens);
                block(before, quote!(#path.get(#site)?))
            }
            ExpressionKind::Call(call) => self.defined_result(call),
            ExpressionKind::Negate(operand) => {
                let value = self.value(operand);
                if self.facts.negates(self.shared.model, operand) {
                    quote!((-#value))
                } else {
                    let site = self.overflow_site(expression.span);
                    quote!(negate(#value, #site)?)
                }
            }
            ExpressionKind::BitNot(operand) => {
                let value = self.value(operand);
                quote!((!#value))
            }
            ExpressionKind::Arithmetic { operator, left, right } => {
                self.arithmetic(*operator, left, right, expression.span)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.typed_value(then), self.typed_value(otherwise));
                let (then, otherwise) = (whole(then), whole(otherwise));
                quote!((if #condition { #then } else { #otherwise }))
            }
            ExpressionKind::MultisetCount { variable, multiset, condition } => {
                let label = self.name(*variable).clone();
                let capacity = self.capacity(multiset);
                let path = self.place(multiset);
                let (before, reference) = (&path.before, path.reference());
                let condition = self.condition(condition);
                let capacity = typed_number(capacity);
                quote!({
                    #before
                    let multiset = #reference;
                    let mut count = 0i64;
                    for #label in 0..#capacity {
                        if multiset.occupied(#label) && #condition {
                            count += 1;
                        }
                    }
                    count
                })
            }
            ExpressionKind::Convert { value, pieces } => {
                let emitted = self.value(value);
                self.convert(emitted, value, pieces, expression)
            }
            ExpressionKind::Not(_)
            | ExpressionKind::Compare { .. }
            | ExpressionKind::CompareCompound { .. }
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Implies(..)
            | ExpressionKind::Forall { .. }
            | ExpressionKind::Exists { .. }
            | ExpressionKind::IsUndefined(_)
            | ExpressionKind::IsMember { .. } => {
                let condition = self.condition(expression);
                quote!(i64::from(#condition))
            }
        }
    }

    /// The value of an expression, with its type written out where the context does not fix it:
    /// Rust takes a lone literal for a number of 32 bits.
    pub fn typed_value(&self, expression: &Expression) -> TokenStream {
        match &expression.kind {
            ExpressionKind::Constant(value)
                if !matches!(self.shared.model.ty(expression.ty).kind, TypeKind::Enum { .. }) =>
            {
                typed_number(*value)
            }
            _ => self.value(expression),
        }
    }

    /// A record, array or multiset as a reference, good for the rest of the statement.
    pub fn compound(&self, expression: &Expression) -> TokenStream {
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let path = self.place(place);
                if path.before.is_empty() {
                    return path.reference();
                }
                let owned = self.owned(expression);
                quote!(&#owned)
            }
            _ => {
                let owned = self.owned(expression);
                quote!(&#owned)
            }
        }
    }

    /// A record, array or multiset as a value of its own.
    pub fn owned(&self, expression: &Expression) -> TokenStream {
        self.shared.keeps(expression.ty);
        let result = || self.shared.storage(expression.ty);
        self.deeper(expression, result, || self.owned_here(expression))
    }

    fn owned_here(&self, expression: &Expression) -> TokenStream {
        match &expression.kind {
            ExpressionKind::Read(place) => {
                let path = self.place(place);
                let (before, tokens) = (path.before, path.tokens);
                block(before, quote!(#tokens.duplicate()))
            }
            ExpressionKind::Call(call) => self.call(call),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.owned(then), self.owned(otherwise));
                let (then, otherwise) = (whole(then), whole(otherwise));
                quote!((if #condition { #then } else { #otherwise }))
            }
            // Nothing else has a compound type; a simple value reaches here only if the checker
            // erred, and then rustc says so.
            _ => self.value(expression),
        }
    }

    pub fn call(&self, call: &Call) -> TokenStream {
        let function = &self.shared.model.functions[call.function.index()];
        let name = &self.shared.function_names[call.function.index()];
        let arguments = call.arguments.iter().zip(&function.parameters).map(|(argument, parameter)| {
            let ty = function.frame.locals[parameter.local.index()].ty;
            match argument {
                Argument::Reference(place) => self.place(place).reference(),
                Argument::Value(value) if !self.shared.model.is_simple(ty) => self.owned(value),
                Argument::Value(value) => self.fresh_with(ty, value),
            }
        });
        quote!(#name(context, state #(, #arguments)*)?)
    }

    /// A fresh cell of a simple type with the value of an expression, or undefined if it is.
    pub fn fresh_with(&self, ty: TypeId, value: &Expression) -> TokenStream {
        let fresh = self.shared.fresh(ty);
        let assign = self.pass(&quote!(parameter), ty, value);
        quote!({ let parameter = #fresh; #assign parameter })
    }

    /// `for i in …`, without the body.
    pub fn for_head(&self, binder: &Binder) -> TokenStream {
        let (name, values) = (self.name(binder.variable), self.domain(binder));
        quote!(for #name in #values)
    }

    /// The values of a variable, as an iterator.
    pub fn domain(&self, binder: &Binder) -> TokenStream {
        match &binder.domain {
            Domain::Constant { low, high } => {
                let (low, high) = (typed_number(*low), typed_number(*high));
                quote!(#low..=#high)
            }
            Domain::Steps { from, upto, step } => {
                let site = self.shared.site(
                    FaultKind::Division,
                    step.span,
                    self.shared.messages().zero_step(binder),
                );
                let (from, upto, step) = (self.value(from), self.value(upto), self.value(step));
                quote!(steps(#from, #upto, #step, #site)?)
            }
        }
    }

    fn arithmetic(
        &self,
        operator: ArithmeticOperator,
        left: &Expression,
        right: &Expression,
        span: Span,
    ) -> TokenStream {
        let never_fails = !self.facts.can_fail(self.shared.model, operator, left, right);
        let (left, right) = (self.value(left), self.value(right));
        let checked = |function: TokenStream| {
            let overflow = self.overflow_site(span);
            quote!(#function(#left, #right, #overflow)?)
        };
        match operator {
            ArithmeticOperator::Add if never_fails => quote!((#left + #right)),
            ArithmeticOperator::Add => checked(quote!(add)),
            ArithmeticOperator::Subtract if never_fails => quote!((#left - #right)),
            ArithmeticOperator::Subtract => checked(quote!(subtract)),
            ArithmeticOperator::Multiply if never_fails => quote!((#left * #right)),
            ArithmeticOperator::Multiply => checked(quote!(multiply)),
            ArithmeticOperator::Divide if never_fails => quote!((#left / #right)),
            ArithmeticOperator::Modulo if never_fails => quote!((#left % #right)),
            ArithmeticOperator::Divide | ArithmeticOperator::Modulo => {
                let message = self.shared.messages().division(span);
                let division = self.shared.site(FaultKind::Division, span, message);
                let overflow = self.overflow_site(span);
                let function =
                    if operator == ArithmeticOperator::Divide { quote!(divide) } else { quote!(modulo) };
                quote!(#function(#left, #right, #division, #overflow)?)
            }
            ArithmeticOperator::BitAnd => quote!((#left & #right)),
            ArithmeticOperator::BitOr => quote!((#left | #right)),
            ArithmeticOperator::BitXor => quote!((#left ^ #right)),
            ArithmeticOperator::ShiftLeft => quote!(shift_left(#left, #right)),
            ArithmeticOperator::ShiftRight => quote!(shift_right(#left, #right)),
        }
    }

    /// The value of `converted`, of which the code is `value`, in another numbering.
    pub fn convert(
        &self,
        value: TokenStream,
        converted: &Expression,
        pieces: &[ConvertPiece],
        expression: &Expression,
    ) -> TokenStream {
        let site = || {
            let message = self.shared.messages().not_a_member(expression);
            self.shared.site(FaultKind::Range, expression.span, message)
        };
        match pieces {
            [piece] if self.fits(converted, (piece.low, piece.high)) => shifted(&value, piece.shift),
            [piece] => {
                let site = site();
                let (low, high) = (number(piece.low), number(piece.high));
                shifted(&quote!(within(#value, #low, #high, #site)?), piece.shift)
            }
            pieces => {
                let site = site();
                let arms = pieces.iter().map(|piece| {
                    let (low, high) = (number(piece.low), number(piece.high));
                    let result = shifted(&quote!(value), piece.shift);
                    quote!(value @ #low..=#high => #result,)
                });
                quote!((match #value { #(#arms)* other => return Err(Fault::with(#site, other)) }))
            }
        }
    }

    pub fn undefined_site(&self, place: &Place) -> proc_macro2::Literal {
        self.shared.site(FaultKind::Undefined, place.span, self.shared.messages().undefined(place))
    }

    fn overflow_site(&self, span: Span) -> proc_macro2::Literal {
        self.shared.site(FaultKind::Overflow, span, self.shared.messages().overflow(span))
    }
}

fn shifted(value: &TokenStream, shift: i64) -> TokenStream {
    let amount = number(shift.abs());
    match shift {
        0 => quote!(#value),
        1.. => quote!((#value + #amount)),
        _ => quote!((#value - #amount)),
    }
}

/// An expression as all that a block contains. One that begins with a block would be taken for a
/// statement that ends with it.
pub fn whole(tokens: TokenStream) -> TokenStream {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => quote!((#tokens)),
        // The label of a block.
        Some(TokenTree::Punct(mark)) if mark.as_char() == '\'' => quote!((#tokens)),
        Some(TokenTree::Ident(word)) if word == "match" || word == "if" => quote!((#tokens)),
        _ => tokens,
    }
}

/// An expression with bindings in front of it.
pub fn block(before: TokenStream, tokens: TokenStream) -> TokenStream {
    if before.is_empty() { tokens } else { quote!({ #before #tokens }) }
}
