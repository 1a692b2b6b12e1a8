//! Where each variable's bytes live in the state.
//!
//! This is the byte-aligned layout that generated code computes on: one after the other, without
//! gaps, each simple value in as many bytes as its type needs. The packed layout of `-b` follows
//! from the same figures at run time, see `runtime/src/state`.

use crate::semantics::model::{Model, TypeId, TypeKind};
use mcc_runtime::model::Width;

/// The layout of a whole model.
#[derive(Debug)]
pub struct Layout {
    /// Indexed by [`TypeId`].
    types: Vec<TypeLayout>,
    /// The first byte of each global, indexed by `GlobalId`.
    pub offsets: Vec<usize>,
    /// Bytes that the globals take together.
    pub bytes: usize,
    /// 64-bit words of a state; at least one, so that a model without variables has a state too.
    pub words: usize,
}

/// How values of one type lie in memory.
#[derive(Clone, Debug)]
pub struct TypeLayout {
    pub bytes: usize,
    pub shape: Shape,
    /// Whether there is a multiset in it, whose slots have to be sorted after a rule.
    pub has_multiset: bool,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Simple {
        width: Width,
        low: i64,
    },
    Array {
        count: usize,
        low: i64,
        element: TypeId,
    },
    /// The offset of each field.
    Record {
        offsets: Vec<usize>,
    },
    Multiset {
        capacity: usize,
        element: TypeId,
    },
}

impl Layout {
    pub fn new(model: &Model) -> Self {
        let mut types: Vec<Option<TypeLayout>> = vec![None; model.types.len()];
        let types = (0..model.types.len())
            .map(|index| lay_out(model, TypeId(index as u32), &mut types))
            .collect::<Vec<_>>();
        let mut offsets = Vec::new();
        let mut bytes = 0;
        for global in &model.globals {
            offsets.push(bytes);
            bytes += types[global.ty.index()].bytes;
        }
        Layout { types, offsets, bytes, words: bytes.div_ceil(8).max(1) }
    }

    pub fn ty(&self, id: TypeId) -> &TypeLayout {
        &self.types[id.index()]
    }
}

/// Types may be declared in any order, so each is laid out when first asked for, and remembered.
fn lay_out(model: &Model, id: TypeId, known: &mut Vec<Option<TypeLayout>>) -> TypeLayout {
    if let Some(layout) = &known[id.index()] {
        return layout.clone();
    }
    let layout = match &model.ty(id).kind {
        TypeKind::Integer
        | TypeKind::Boolean
        | TypeKind::Enum { .. }
        | TypeKind::Range { .. }
        | TypeKind::Scalarset { .. }
        | TypeKind::Union(_) => {
            let (low, high) = model.bounds(id).unwrap_or((0, 0));
            let width = width(low, high);
            TypeLayout { bytes: width.bytes(), shape: Shape::Simple { width, low }, has_multiset: false }
        }
        TypeKind::Array { index, element } => {
            let (low, high) = model.bounds(*index).unwrap_or((0, 0));
            let count = (i128::from(high) - i128::from(low) + 1) as usize;
            let inner = lay_out(model, *element, known);
            TypeLayout {
                bytes: count * inner.bytes,
                shape: Shape::Array { count, low, element: *element },
                has_multiset: inner.has_multiset,
            }
        }
        TypeKind::Record { fields } => {
            let mut offsets = Vec::new();
            let mut bytes = 0;
            let mut has_multiset = false;
            for field in fields {
                let inner = lay_out(model, field.ty, known);
                offsets.push(bytes);
                bytes += inner.bytes;
                has_multiset |= inner.has_multiset;
            }
            TypeLayout { bytes, shape: Shape::Record { offsets }, has_multiset }
        }
        TypeKind::Multiset { capacity, element } => {
            let inner = lay_out(model, *element, known);
            TypeLayout {
                bytes: *capacity as usize * (1 + inner.bytes),
                shape: Shape::Multiset { capacity: *capacity as usize, element: *element },
                has_multiset: true,
            }
        }
    };
    known[id.index()] = Some(layout.clone());
    layout
}

/// The fewest bytes that hold all values from `low` to `high` and "undefined".
fn width(low: i64, high: i64) -> Width {
    match high.abs_diff(low) {
        // `high - low + 1` is the largest number stored.
        0..=0xfe => Width::One,
        0xff..=0xfffe => Width::Two,
        0xffff..=0xffff_fffe => Width::Four,
        0xffff_ffff..=0xffff_ffff_ffff_fffe => Width::Eight,
        u64::MAX => Width::Nine,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undefined_has_room_beside_all_values() {
        assert_eq!(width(0, 0), Width::One);
        assert_eq!(width(1, 255), Width::One);
        assert_eq!(width(0, 255), Width::Two);
        assert_eq!(width(-1, 0xfffd), Width::Two);
        assert_eq!(width(0, 0xffff), Width::Four);
        assert_eq!(width(0, 0xffff_ffff), Width::Eight);
        assert_eq!(width(i64::MIN, i64::MAX - 1), Width::Eight);
        assert_eq!(width(i64::MIN, i64::MAX), Width::Nine);
    }
}
