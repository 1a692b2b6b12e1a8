//! Statements.

use super::arms::Arm;
use super::body::{Body, Returns};
use super::expressions::block;
use super::pieces::Asked;
use super::shared::{number, typed_number};
use super::undefined::Purpose;
use crate::semantics::model::{
    AliasBinding, AliasValue, ConvertPiece, Expression, ExpressionKind, Place, Statement, StatementKind,
    TypeId,
};
use crate::source::Span;
use mcc_runtime::contract::coverage::PartKind;
use mcc_runtime::fault::FaultKind;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Body<'_> {
    pub fn statements(&self, statements: &[Statement]) -> TokenStream {
        self.sequence(statements)
    }

    /// A statement, and before it, where that has to be reported, that it may write to the state.
    pub fn reporting_statement(&self, statement: &Statement) -> TokenStream {
        let (count, code) =
            (self.shared.count(statement.span, PartKind::Statement), self.statement(statement));
        let code = quote!(#count #code);
        if !self.reports.is_some_and(|reports| reports.is_before(statement)) {
            return code;
        }
        let written = self.note_written();
        quote!(#written #code)
    }

    fn statement(&self, statement: &Statement) -> TokenStream {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let path = self.place(target);
                if is_plain(&target.steps) || copied(value).is_none() {
                    return self.assign(&path.tokens, target.ty, value, statement.span);
                }
                let reference = path.reference();
                let assign = self.assign(&quote!(target), target.ty, value, statement.span);
                quote!({ let target = #reference; #assign })
            }
            StatementKind::Copy { target, source } => {
                let source = self.compound(source);
                let target = self.place(target).tokens;
                quote!(#target.copy_from(#source);)
            }
            StatementKind::If { arms, otherwise } => {
                let arms: Vec<Arm<'_>> =
                    arms.iter().map(|(condition, body)| Arm { tests: vec![condition], body }).collect();
                let otherwise = (!otherwise.is_empty()).then_some(&otherwise[..]);
                self.arms(&arms, otherwise, Asked::Conditions)
            }
            StatementKind::Switch { subject, cases, otherwise } => {
                let subject = self.optional(subject, Purpose::Compared);
                let arms =
                    cases.iter().map(|case| Arm { tests: case.values.iter().collect(), body: &case.body });
                let arms: Vec<Arm<'_>> = arms.collect();
                let code = self.arms(&arms, Some(otherwise), Asked::Labels);
                quote!({ let subject: i64 = #subject; #code })
            }
            StatementKind::For { binder, body } => {
                let head = self.for_head(binder);
                let body = self.statements(body);
                quote!(#head { #body })
            }
            StatementKind::While { condition, body } => {
                let message = self.shared.messages().loop_bound(condition);
                let site = self.shared.site(FaultKind::LoopBound, statement.span, message);
                let (condition, body) = (self.condition(condition), self.statements(body));
                quote!({
                    let mut turns = 0;
                    while #condition {
                        context.turn(&mut turns, #site)?;
                        #body
                    }
                })
            }
            StatementKind::Alias { binding, body } => {
                let binding = self.alias(binding);
                let body = self.statements(body);
                quote!({ #binding #body })
            }
            StatementKind::Call(call) => {
                let call = self.call(call);
                quote!(#call;)
            }
            StatementKind::Clear(place) => {
                let path = self.place(place).tokens;
                quote!(#path.clear();)
            }
            StatementKind::Undefine(place) => {
                let path = self.place(place).tokens;
                quote!(#path.undefine();)
            }
            StatementKind::Error(message) => {
                let site = self.shared.site(FaultKind::ErrorStatement, statement.span, message.clone());
                quote!(return Err(Fault::at(#site));)
            }
            StatementKind::Assert { condition, message } => {
                let message = self.shared.messages().assertion(condition, message);
                let site = self.shared.site(FaultKind::Assertion, statement.span, message);
                let condition = self.condition(condition);
                quote!(if !(#condition) { return Err(Fault::at(#site)); })
            }
            StatementKind::Assume { condition } => {
                let condition = self.condition(condition);
                quote!(if !(#condition) { return Err(Fault::PRUNED); })
            }
            StatementKind::Cover { index, condition } => {
                let condition = self.condition(condition);
                let counter = self.shared.model.properties.len() + *index as usize;
                let counter = Literal::usize_unsuffixed(counter);
                quote!(if #condition { context.cover(#counter); })
            }
            StatementKind::PutText(text) => quote!(context.put_text(#text);),
            StatementKind::PutValue(value) => self.put(value),
            StatementKind::Return(value) => self.return_statement(value.as_ref()),
            StatementKind::MultisetAdd { value, multiset } => {
                self.multiset_add(value, multiset, statement.span)
            }
            StatementKind::MultisetRemove { slot, multiset } => {
                let site = self.empty_slot_site(multiset, slot.span);
                let slot = self.value(slot);
                let path = self.place(multiset).tokens;
                quote!(#path.remove(#slot, #site)?;)
            }
            StatementKind::MultisetRemovePredicate { variable, multiset, condition } => {
                let site = self.empty_slot_site(multiset, statement.span);
                let capacity = self.capacity(multiset);
                let name = self.name(*variable);
                let reference = self.place(multiset).reference();
                let condition = self.condition(condition);
                let capacity = typed_number(capacity);
                quote!({
                    let multiset = #reference;
                    for #name in 0..#capacity {
                        if multiset.occupied(#name) && #condition {
                            multiset.remove(#name, #site)?;
                        }
                    }
                })
            }
        }
    }

    /// Assigns a simple value to the cell at `target`. A mere copy of a variable copies "undefined"
    /// too, unless the verifier runs with `--strict-undefined`.
    pub fn assign(&self, target: &TokenStream, ty: TypeId, value: &Expression, span: Span) -> TokenStream {
        self.store(target, ty, value, span, |place| {
            let site = self.undefined_site(place);
            quote!(#target.copy_undefined(context, #site)?)
        })
    }

    /// Fills a read-only parameter, which may always be undefined.
    pub fn pass(&self, target: &TokenStream, ty: TypeId, value: &Expression) -> TokenStream {
        self.store(target, ty, value, value.span, |_| quote!(#target.undefine()))
    }

    fn store(
        &self,
        target: &TokenStream,
        ty: TypeId,
        value: &Expression,
        span: Span,
        copy_undefined: impl FnOnce(&Place) -> TokenStream,
    ) -> TokenStream {
        let (low, high) = self.shared.model.bounds(ty).unwrap_or((i64::MIN, i64::MAX));
        let fits = self.fits(value, (low, high));
        let checked = |value: TokenStream| {
            if fits {
                return value;
            }
            let message = self.shared.messages().range(ty, span);
            let site = self.shared.site(FaultKind::Range, span, message);
            let (low, high) = (number(low), number(high));
            quote!(within(#value, #low, #high, #site)?)
        };
        let Some((place, converted)) = copied(value) else {
            // Where it may be undefined, it has the type of the target, and nothing is checked.
            let value = checked(self.optional(value, Purpose::Copied));
            return quote!(#target.set(#value););
        };
        let copy_undefined = copy_undefined(place);
        let path = self.place(place);
        let (before, tokens) = (&path.before, &path.tokens);
        let set = match converted {
            Some((read, pieces)) => checked(self.convert(quote!(value), read, pieces, value)),
            None => checked(quote!(value)),
        };
        let code = quote! {
            match #tokens.value() {
                Some(value) => #target.set(#set),
                None => #copy_undefined,
            }
        };
        block(before.clone(), code)
    }

    /// `alias name: …`: the name, bound.
    pub fn alias(&self, binding: &AliasBinding) -> TokenStream {
        let name = self.name(binding.local);
        match &binding.value {
            AliasValue::Place(place) => {
                let reference = self.place(place).reference();
                quote!(let #name = #reference;)
            }
            AliasValue::Expression(value)
                if self.shared.model.is_simple(value.ty) && self.is_storage(binding.local) =>
            {
                let cell = self.shared.storage(value.ty);
                self.shared.keeps(value.ty);
                let value = self.optional(value, Purpose::Copied);
                quote!(let #name = <#cell>::new(#value);)
            }
            AliasValue::Expression(value) if self.shared.model.is_simple(value.ty) => {
                let value = self.value(value);
                quote!(let #name: i64 = #value;)
            }
            AliasValue::Expression(value) => {
                let value = self.owned(value);
                quote!(let #name = #value;)
            }
        }
    }

    fn put(&self, value: &Expression) -> TokenStream {
        if let ExpressionKind::Read(place) = &value.kind {
            let (name, table) =
                (self.shared.messages().excerpt(place.span), self.shared.type_table(place.ty));
            let path = self.place(place);
            let (before, tokens) = (path.before, path.tokens);
            return block(before, quote!(context.put_place(#name, #table, &#tokens.copied_bytes());));
        }
        if self.shared.model.is_simple(value.ty) {
            let table = self.shared.simple_table(value.ty);
            if self.shared.model.may_be_undefined(value) {
                let value = self.optional(value, Purpose::Copied);
                return quote!(context.put_optional(#table, #value););
            }
            let value = self.value(value);
            return quote!(context.put_value(#table, #value););
        }
        let (name, table) = (self.shared.messages().excerpt(value.span), self.shared.type_table(value.ty));
        let value = self.owned(value);
        quote!(context.put_place(#name, #table, &#value.copied_bytes());)
    }

    fn return_statement(&self, value: Option<&Expression>) -> TokenStream {
        match (self.returns, value) {
            (Returns::Written | Returns::Nothing, _) | (_, None) => self.return_with(None),
            (Returns::Compound(_), Some(value)) => {
                let value = self.owned(value);
                self.return_with(Some(value))
            }
            (Returns::Simple(ty), Some(value)) => {
                let bounds = self.shared.model.bounds(ty).unwrap_or((i64::MIN, i64::MAX));
                let value = self.in_range(value, ty, bounds, value.span);
                self.return_with(Some(value))
            }
        }
    }

    fn multiset_add(&self, value: &Expression, multiset: &Place, span: Span) -> TokenStream {
        let message = self.shared.messages().full(multiset);
        let site = self.shared.site(FaultKind::Multiset, span, message);
        let path = self.place(multiset).tokens;
        // The value comes first: it may depend on the multiset as it is now.
        let element = self.element(multiset.ty);
        let value = match self.shared.model.bounds(element) {
            Some(bounds) => {
                let cell = self.shared.storage(element);
                let value = self.in_range(value, element, bounds, span);
                quote!(<#cell>::new(#value))
            }
            None => self.owned(value),
        };
        quote!({ let value = #value; #path.add(#site)?.copy_from(&value); })
    }

    /// A simple value that must fit a type. It has to be defined, unless it is a scalarset or
    /// union.
    fn in_range(&self, value: &Expression, ty: TypeId, bounds: (i64, i64), span: Span) -> TokenStream {
        let emitted = self.optional(value, Purpose::Copied);
        if self.fits(value, bounds) {
            return emitted;
        }
        let message = self.shared.messages().range(ty, span);
        let site = self.shared.site(FaultKind::Range, span, message);
        let (low, high) = (number(bounds.0), number(bounds.1));
        quote!(within(#emitted, #low, #high, #site)?)
    }

    fn element(&self, multiset: TypeId) -> TypeId {
        use crate::semantics::model::TypeKind;
        match &self.shared.model.ty(multiset).kind {
            TypeKind::Multiset { element, .. } => *element,
            _ => multiset,
        }
    }

    fn empty_slot_site(&self, multiset: &Place, span: Span) -> Literal {
        self.shared.site(FaultKind::Multiset, span, self.shared.messages().already_removed(multiset))
    }
}

/// Whether a place needs no evaluation, so that it may be named again and again.
fn is_plain(steps: &[crate::semantics::model::Step]) -> bool {
    steps.iter().all(|step| matches!(step, crate::semantics::model::Step::Field(_)))
}

/// What is read, and how its numbering changes.
type Converted<'m> = (&'m Expression, &'m [ConvertPiece]);

/// The place that an expression merely copies, and the change of numbering on the way.
fn copied(value: &Expression) -> Option<(&Place, Option<Converted<'_>>)> {
    match &value.kind {
        ExpressionKind::Read(place) => Some((place, None)),
        ExpressionKind::Convert { value, pieces } => match &value.kind {
            ExpressionKind::Read(place) => Some((place, Some((value, pieces)))),
            _ => None,
        },
        _ => None,
    }
}
