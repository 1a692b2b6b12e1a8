//! Conditions: expressions as a `bool`.

use super::body::Body;
use super::expressions::{block, whole};
use super::pieces::{Asked, Joined};
use super::shared::number;
use super::undefined::Purpose;
use crate::semantics::model::{CompareOperator, Expression, ExpressionKind, TypeKind};
use proc_macro2::TokenStream;
use quote::quote;

impl Body<'_> {
    /// A boolean expression as a `bool`.
    pub fn condition(&self, expression: &Expression) -> TokenStream {
        self.deeper(expression, || quote!(bool), || self.condition_here(expression))
    }

    fn condition_here(&self, expression: &Expression) -> TokenStream {
        match &expression.kind {
            ExpressionKind::Constant(value) => {
                if *value == 0 {
                    quote!(false)
                } else {
                    quote!(true)
                }
            }
            ExpressionKind::Not(operand) => {
                let operand = self.condition(operand);
                quote!(!(#operand))
            }
            ExpressionKind::Compare { operator, left, right } => self.compare(*operator, left, right),
            ExpressionKind::CompareCompound { negated, left, right } => {
                let ty = left.ty;
                let (left, right) = (self.compound(left), self.compound(right));
                let same = if self.shared.layout.ty(ty).has_multiset {
                    self.shared.keeps(ty);
                    self.shared.keeps(ty);
                    quote!(same_normalised(#left, #right))
                } else {
                    quote!((#left).same(#right))
                };
                if *negated { quote!(!#same) } else { same }
            }
            ExpressionKind::And(operands) => self.chain(operands, Joined::All),
            ExpressionKind::Or(operands) => self.chain(operands, Joined::Any),
            ExpressionKind::Implies(left, right) => {
                let (left, right) = (self.condition(left), self.condition(right));
                quote!((!(#left) || #right))
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let condition = self.condition(condition);
                let (then, otherwise) = (self.condition(then), self.condition(otherwise));
                let (then, otherwise) = (whole(then), whole(otherwise));
                quote!((if #condition { #then } else { #otherwise }))
            }
            ExpressionKind::Forall { binder, body: operand } => {
                let label = self.label("forall");
                let head = self.for_head(binder);
                let body = self.condition(operand);
                if self.facts.goes_through_all(binder) {
                    let body = whole(body);
                    return quote!({ let mut all_hold = true; #head { all_hold &= #body; } all_hold });
                }
                quote!(#label: { #head { if !(#body) { break #label false; } } true })
            }
            ExpressionKind::Exists { binder, body: operand } => {
                let label = self.label("exists");
                let head = self.for_head(binder);
                let body = self.condition(operand);
                if self.facts.goes_through_all(binder) {
                    let body = whole(body);
                    return quote!({ let mut one_holds = false; #head { one_holds |= #body; } one_holds });
                }
                quote!(#label: { #head { if #body { break #label true; } } false })
            }
            ExpressionKind::IsUndefined(place) => {
                let path = self.place(place);
                let (before, tokens) = (path.before, path.tokens);
                let test = if self.shared.model.is_simple(place.ty) {
                    quote!(#tokens.is_undefined())
                } else {
                    quote!(#tokens.is_all_undefined())
                };
                block(before, test)
            }
            ExpressionKind::IsMember { value, ranges } if ranges.is_empty() => {
                // Never, but the value is evaluated all the same.
                let ignored = match &value.kind {
                    ExpressionKind::Read(place) => {
                        let path = self.place(place);
                        let (before, reference) = (&path.before, path.reference());
                        quote!(#before let _ = #reference;)
                    }
                    _ => {
                        let value = self.optional(value, Purpose::Copied);
                        quote!(let _ = #value;)
                    }
                };
                quote!({ #ignored false })
            }
            ExpressionKind::IsMember { value, ranges } => {
                let ranges = ranges.iter().map(|(low, high)| {
                    let (low, high) = (number(*low), number(*high));
                    quote!(#low..=#high)
                });
                if let ExpressionKind::Read(place) = &value.kind {
                    // Undefined is a member of nothing, as in CMurphi.
                    let path = self.place(place);
                    let (before, tokens) = (path.before, path.tokens);
                    return block(before, quote!(matches!(#tokens.value(), Some(#(#ranges)|*))));
                }
                let value = self.optional(value, Purpose::Copied);
                quote!(matches!(#value, #(#ranges)|*))
            }
            // All others are said to be numbers in `value`.
            _ => {
                let value = self.value(expression);
                quote!(#value != 0)
            }
        }
    }

    fn chain(&self, operands: &[Expression], joined: Joined) -> TokenStream {
        let row: Vec<&Expression> = operands.iter().collect();
        let tests = self.tests(&row, joined, Asked::Conditions);
        match joined {
            Joined::All => quote!((#(#tests)&&*)),
            Joined::Any => quote!((#(#tests)||*)),
        }
    }

    fn compare(&self, operator: CompareOperator, left: &Expression, right: &Expression) -> TokenStream {
        let boolean = matches!(self.shared.model.ty(left.ty).kind, TypeKind::Boolean)
            && matches!(self.shared.model.ty(right.ty).kind, TypeKind::Boolean);
        let (left, right) = if boolean {
            let (left, right) = (self.condition(left), self.condition(right));
            (quote!((#left)), quote!((#right)))
        } else if self.compares_strictly.get() {
            (self.value(left), self.value(right))
        } else {
            (self.optional(left, Purpose::Compared), self.optional(right, Purpose::Compared))
        };
        let operator = compare_operator(operator);
        quote!(#left #operator #right)
    }
}

/// The operator as Rust writes it.
pub fn compare_operator(operator: CompareOperator) -> TokenStream {
    match operator {
        CompareOperator::Equal => quote!(==),
        CompareOperator::NotEqual => quote!(!=),
        CompareOperator::Less => quote!(<),
        CompareOperator::LessOrEqual => quote!(<=),
        CompareOperator::Greater => quote!(>),
        CompareOperator::GreaterOrEqual => quote!(>=),
    }
}
