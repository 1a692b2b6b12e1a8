//! Which expressions may be undefined without being an error.
//!
//! Scalarsets and unions have the value "undefined" beside their elements, as in CMurphi: it may be
//! compared, returned, passed on and put into a multiset, and equals itself and nothing else. It is
//! no index. To read an undefined number, enum or boolean is an error, except where a variable is
//! merely copied.

use crate::semantics::flow::{ValueSource, source};
use crate::semantics::model::{Call, Expression, Model, TypeId, TypeKind};

impl Model {
    /// Whether "undefined" is one of the values of a simple type that may be compared.
    pub fn has_undefined(&self, id: TypeId) -> bool {
        let kind = self.types.get(id.index()).map(|ty| &ty.kind);
        matches!(kind, Some(TypeKind::Scalarset { .. } | TypeKind::Union(_)))
    }

    /// Whether the result of a call may be undefined.
    pub fn returns_undefined(&self, call: &Call) -> bool {
        let function = self.functions.get(call.function.index());
        function.and_then(|function| function.returns).is_some_and(|ty| self.has_undefined(ty))
    }

    /// Whether the value of an expression may be undefined where that is no error. What is read
    /// decides, not what it is converted to: an undefined enum is an error also where it is
    /// compared with a union.
    pub fn may_be_undefined(&self, expression: &Expression) -> bool {
        match source(expression) {
            ValueSource::Place(place) => self.has_undefined(place.ty),
            ValueSource::Result(call) => self.returns_undefined(call),
            ValueSource::Either(then, otherwise) => {
                self.may_be_undefined(then) || self.may_be_undefined(otherwise)
            }
            ValueSource::Converted(value) => self.may_be_undefined(value),
            ValueSource::Local(_) | ValueSource::Computed => false,
        }
    }
}
