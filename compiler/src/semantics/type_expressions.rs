//! Types as they are written: bounds computed, limits kept, members declared.

use std::collections::HashMap;

use super::checker::Checker;
use super::declarations::{MAX_EMPTY_PARTS, MAX_STATE_BITS};
use super::model::{RecordField, TypeId, TypeKind};
use super::scopes::Binding;
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{Expression, Field, Name, TypeExpression, TypeExpressionKind};

/// The most elements that an array, a scalarset or a multiset may have.
pub(super) const MAX_ELEMENTS: i64 = 1 << 24;
/// How deep records, arrays and multisets may be nested. rustc gives up at 128 types inside of each
/// other, some of which are the runtime's own.
const MAX_TYPE_DEPTH: u32 = 40;

impl Checker {
    /// The type that is written here; `name` is the one it is being declared under.
    pub fn type_expression(&mut self, tree: &TypeExpression, name: Option<&Name>) -> TypeId {
        let span = name.map_or(tree.span, |name| name.span);
        let text = name.map(|name| name.text.as_str());
        match &tree.kind {
            TypeExpressionKind::Name(name) => self.resolve_type(name),
            TypeExpressionKind::Enum(members) => self.enum_type(members, text, tree.span, span),
            TypeExpressionKind::Range { low, high } => self.range_type(low, high, text, tree.span, span),
            TypeExpressionKind::Scalarset(size) => {
                match self.element_count(size, "scalarset-size", "the size of a scalarset") {
                    Some(size) => self.types.scalarset(size, text, span),
                    None => POISON,
                }
            }
            TypeExpressionKind::Union(members) => self.union_type(members, text, tree.span, span),
            TypeExpressionKind::Array { index, element } => self.array_type(index, element, text, span),
            TypeExpressionKind::Record(fields) => self.record_type(fields, text, span),
            TypeExpressionKind::Multiset { capacity, element } => {
                let capacity = self.element_count(capacity, "multiset-size", "the size of a multiset");
                let element = self.type_expression(element, None);
                match capacity {
                    Some(capacity) if element != POISON => {
                        let multiset = self.types.multiset(capacity, element, text, span);
                        self.limit_size(multiset, tree.span)
                    }
                    Some(_) | None => POISON,
                }
            }
            TypeExpressionKind::Real => {
                self.report(
                    Diagnostic::error("unsupported-real", tree.span, "mcc does not support real numbers")
                        .help(
                            "scale the quantity and use a subrange, such as `0 .. 1000` for tenths up to 100",
                        ),
                );
                POISON
            }
        }
    }

    fn enum_type(&mut self, members: &[Name], name: Option<&str>, whole: Span, span: Span) -> TypeId {
        if members.is_empty() {
            self.report(Diagnostic::error("empty-enum", whole, "an enum needs at least one member"));
            return POISON;
        }
        let texts = members.iter().map(|member| member.text.clone()).collect();
        let ty = self.types.enumeration(texts, name, span);
        for (value, member) in members.iter().enumerate() {
            self.declare(member, Binding::Constant { value: value as i64, ty });
        }
        ty
    }

    fn range_type(
        &mut self,
        low: &Expression,
        high: &Expression,
        name: Option<&str>,
        whole: Span,
        span: Span,
    ) -> TypeId {
        let low = self.constant_number(low, "the lower bound of a subrange");
        let high = self.constant_number(high, "the upper bound of a subrange");
        let (Some(low), Some(high)) = (low, high) else { return POISON };
        if low > high {
            self.report(
                Diagnostic::error(
                    "empty-range",
                    whole,
                    format!("this subrange is empty: its lower bound {low} is above its upper bound {high}"),
                )
                .help("a subrange needs at least one value"),
            );
            return POISON;
        }
        self.types.range(low, high, name, span)
    }

    /// The size of a scalarset or multiset.
    fn element_count(&mut self, tree: &Expression, code: &'static str, what: &str) -> Option<u32> {
        let size = self.constant_number(tree, what)?;
        if (1..=MAX_ELEMENTS).contains(&size) {
            return u32::try_from(size).ok();
        }
        let limit = if size < 1 { "at least 1".to_owned() } else { format!("at most {MAX_ELEMENTS}") };
        self.report(Diagnostic::error(
            code,
            tree.span,
            format!("{what} must be {limit}, but this is {size}"),
        ));
        None
    }

    fn union_type(
        &mut self,
        members: &[TypeExpression],
        name: Option<&str>,
        whole: Span,
        span: Span,
    ) -> TypeId {
        let mut seen: HashMap<TypeId, Span> = HashMap::new();
        let mut flat = Vec::new();
        let mut poisoned = false;
        for tree in members {
            let member = self.type_expression(tree, None);
            let parts = match self.types.kind(member) {
                None => {
                    poisoned = true;
                    continue;
                }
                Some(TypeKind::Enum { .. } | TypeKind::Scalarset { .. }) => vec![member],
                Some(TypeKind::Union(union)) => union.members.iter().map(|part| part.ty).collect(),
                Some(
                    TypeKind::Integer
                    | TypeKind::Boolean
                    | TypeKind::Range { .. }
                    | TypeKind::Array { .. }
                    | TypeKind::Record { .. }
                    | TypeKind::Multiset { .. },
                ) => {
                    let words = self.types.describe(member);
                    self.report(
                        Diagnostic::error(
                            "union-member",
                            tree.span,
                            format!("a union joins enums and scalarsets, but this is {words}"),
                        )
                        .help("an enum can stand for the values of a small subrange"),
                    );
                    poisoned = true;
                    continue;
                }
            };
            for part in parts {
                match seen.get(&part) {
                    Some(earlier) => {
                        let message = format!(
                            "a union can have a type only once, but this is {} again",
                            self.types.describe_value(part)
                        );
                        let diagnostic = Diagnostic::error("duplicate-union-member", tree.span, message)
                            .also(*earlier, "first here");
                        self.report(diagnostic);
                        poisoned = true;
                    }
                    None => {
                        seen.insert(part, tree.span);
                        flat.push(part);
                    }
                }
            }
        }
        if poisoned {
            return POISON;
        }
        if flat.is_empty() {
            self.report(Diagnostic::error("empty-union", whole, "a union needs at least one member"));
            return POISON;
        }
        self.types.union(&flat, name, span)
    }

    fn array_type(
        &mut self,
        index: &TypeExpression,
        element: &TypeExpression,
        name: Option<&str>,
        span: Span,
    ) -> TypeId {
        let index_type = self.type_expression(index, None);
        let element = self.type_expression(element, None);
        if index_type == POISON || element == POISON {
            return POISON;
        }
        let Some(count) = self.types.count(index_type) else {
            let words = self.types.describe(index_type);
            self.report(
                Diagnostic::error(
                    "array-index-type",
                    index.span,
                    format!("an array is indexed by a simple type, but this is {words}"),
                )
                .help("use a boolean, an enum, a subrange, a scalarset or a union"),
            );
            return POISON;
        };
        if count > i128::from(MAX_ELEMENTS) {
            self.report(
                Diagnostic::error(
                    "array-too-large",
                    index.span,
                    format!("this array has {count} elements; mcc allows {MAX_ELEMENTS}"),
                )
                .help("a smaller index type keeps the state small enough to search"),
            );
            return POISON;
        }
        let array = self.types.array(index_type, element, name, span);
        self.limit_size(array, index.span)
    }

    /// Refuses a type whose variables no state could hold.
    fn limit_size(&mut self, ty: TypeId, span: Span) -> TypeId {
        let depth = self.types.depth(ty);
        if depth > MAX_TYPE_DEPTH {
            self.report(
                Diagnostic::error("type-too-deep", span, format!("this type is nested {depth} levels deep"))
                    .help(format!(
                        "at most {MAX_TYPE_DEPTH} records, arrays and multisets may be inside of each other"
                    )),
            );
            return POISON;
        }
        let empty_parts = self.types.empty_parts(ty);
        if empty_parts > MAX_EMPTY_PARTS {
            self.report(
                Diagnostic::error(
                    "too-many-parts",
                    span,
                    format!("one variable of this type would have {empty_parts} parts that hold nothing; mcc allows {MAX_EMPTY_PARTS}"),
                )
                .help("a record without fields has one value only: leave it out"),
            );
            return POISON;
        }
        let bits = self.types.bits(ty);
        if bits <= MAX_STATE_BITS {
            return ty;
        }
        self.report(Diagnostic::error(
            "type-too-large",
            span,
            format!("one variable of this type would take {} MiB; mcc allows 64 MiB", bits >> 23),
        ));
        POISON
    }

    fn record_type(&mut self, tree: &[Field], name: Option<&str>, span: Span) -> TypeId {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        let mut fields = Vec::new();
        let mut poisoned = false;
        for field in tree {
            let ty = self.type_expression(&field.definition, None);
            poisoned |= ty == POISON;
            for name in &field.names {
                if let Some(earlier) = seen.insert(&name.text, name.span) {
                    self.report(
                        Diagnostic::error(
                            "duplicate-field",
                            name.span,
                            format!("this record has two fields called `{}`", name.text),
                        )
                        .also(earlier, "first declared here"),
                    );
                    poisoned = true;
                }
                fields.push(RecordField { name: name.text.clone(), ty });
            }
        }
        if poisoned {
            return POISON;
        }
        let record = self.types.record(fields, name, span);
        self.limit_size(record, span)
    }
}
