//! The table of independent rules, inside the one function that gives it out. Its names are its
//! own, whatever the model calls its types.

use super::shared::{Shared, number};
use crate::analysis::independence::formula::{Arithmetic, Comparison, Formula};
use crate::analysis::independence::path::Condition;
use crate::analysis::independence::relation::Relation;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

impl Shared<'_> {
    /// Empty for models with more rules than a table of all pairs is worth: it would be larger than
    /// the rest of the code.
    pub fn independence_method(&self) -> TokenStream {
        let Some(table) = &self.plan.independence else { return TokenStream::new() };
        let relations = table.relations.iter().map(relation);
        let rows = table.rows.iter().map(|row| {
            let numbers = row.iter().map(|number| Literal::u16_unsuffixed(*number));
            quote!(&[#(#numbers),*])
        });
        quote! {
            fn independence(&self) -> Option<&'static ::mcc_runtime::independence::Independence> {
                use ::mcc_runtime::independence::{Condition, Formula, Independence, Relation};
                static RELATIONS: &[Relation] = &[#(#relations),*];
                static ROWS: &[&[u16]] = &[#(#rows),*];
                static TABLE: Independence = Independence { relations: RELATIONS, rows: ROWS };
                Some(&TABLE)
            }
        }
    }
}

fn relation(relation: &Relation) -> TokenStream {
    match relation {
        Relation::Independent => quote!(Relation::Independent),
        Relation::Dependent => quote!(Relation::Dependent),
        Relation::When(lists) => {
            let lists = lists.iter().map(|list| {
                let conditions = list.iter().map(condition);
                quote!(&[#(#conditions),*])
            });
            quote!(Relation::Unless(&[#(#lists),*]))
        }
    }
}

fn condition(condition: &Condition) -> TokenStream {
    match condition {
        Condition::Equal(left, right) => {
            let (left, right) = (formula(left), formula(right));
            quote!(Condition::Equal(#left, #right))
        }
        Condition::LeftWithin(value, range) => {
            let (value, low, high) = (formula(value), number(range.low), number(range.high));
            quote!(Condition::LeftWithin(#value, #low, #high))
        }
        Condition::RightWithin(value, range) => {
            let (value, low, high) = (formula(value), number(range.low), number(range.high));
            quote!(Condition::RightWithin(#value, #low, #high))
        }
    }
}

fn formula(value: &Formula) -> TokenStream {
    match value {
        Formula::Constant(constant) => {
            let constant = number(*constant);
            quote!(Formula::Constant(#constant))
        }
        Formula::Parameter(position) => {
            let position = Literal::usize_unsuffixed(*position);
            quote!(Formula::Parameter(#position))
        }
        Formula::Arithmetic(operator, left, right) => {
            let operator = match operator {
                Arithmetic::Add => "Add",
                Arithmetic::Subtract => "Subtract",
                Arithmetic::Multiply => "Multiply",
                Arithmetic::Divide => "Divide",
                Arithmetic::Modulo => "Modulo",
            };
            of_two(operator, left, right)
        }
        Formula::Compare(operator, left, right) => {
            let operator = match operator {
                Comparison::Equal => "Equal",
                Comparison::NotEqual => "NotEqual",
                Comparison::Less => "Less",
                Comparison::LessOrEqual => "LessOrEqual",
                Comparison::Greater => "Greater",
                Comparison::GreaterOrEqual => "GreaterOrEqual",
            };
            of_two(operator, left, right)
        }
        Formula::Conditional(condition, then, otherwise) => {
            let (condition, then, otherwise) = (formula(condition), formula(then), formula(otherwise));
            quote!(Formula::Conditional(&#condition, &#then, &#otherwise))
        }
        Formula::Convert(value, pieces) => {
            let value = formula(value);
            let pieces = pieces.iter().map(|(low, high, shift)| {
                let (low, high, shift) = (number(*low), number(*high), number(*shift));
                quote!((#low, #high, #shift))
            });
            quote!(Formula::Convert(&#value, &[#(#pieces),*]))
        }
    }
}

fn of_two(operator: &str, left: &Formula, right: &Formula) -> TokenStream {
    let (operator, left, right) = (format_ident!("{operator}"), formula(left), formula(right));
    quote!(Formula::#operator(&#left, &#right))
}
