//! The table of types: which are the same, how many values they have, how much room they take.
//!
//! Enums and named scalarsets are new types wherever they are written. Everything else is compared
//! by its shape: compound types of the same shape share one [`TypeId`], so that a copy between them
//! is a copy between equal types; subranges and unions keep the name under which they were
//! declared, and [`TypeTable::canonical`] says which of them are the same.

use std::collections::HashMap;

use super::model::{RecordField, Type, TypeId, TypeKind, Union, UnionMember};
use crate::source::Span;

pub(super) const INTEGER: TypeId = TypeId(0);
pub(super) const BOOLEAN: TypeId = TypeId(1);
/// The type of whatever is wrong already. It is in no table, and no model contains it.
pub(super) const POISON: TypeId = TypeId(u32::MAX);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Shape {
    Range(i64, i64),
    Scalarset(u32),
    Union(Vec<TypeId>),
    Array(TypeId, TypeId),
    Record(Vec<(String, TypeId)>),
    Multiset(u32, TypeId),
}

pub(super) struct TypeTable {
    types: Vec<Type>,
    canonical: Vec<TypeId>,
    bits: Vec<u64>,
    /// Records without fields among the parts of each type.
    empty_parts: Vec<u64>,
    /// How deep records, arrays and multisets are nested in each type.
    depth: Vec<u32>,
    /// Whether elements of a scalarset are part of the values.
    symmetric_part: Vec<bool>,
    shapes: HashMap<Shape, TypeId>,
    anonymous: HashMap<Shape, TypeId>,
    /// The types of slot variables, by the multiset they belong to, and back.
    slots: HashMap<TypeId, TypeId>,
    slot_owners: HashMap<TypeId, TypeId>,
}

impl TypeTable {
    pub fn new() -> Self {
        let mut table = TypeTable {
            types: Vec::new(),
            canonical: Vec::new(),
            bits: Vec::new(),
            empty_parts: Vec::new(),
            depth: Vec::new(),
            symmetric_part: Vec::new(),
            shapes: HashMap::new(),
            anonymous: HashMap::new(),
            slots: HashMap::new(),
            slot_owners: HashMap::new(),
        };
        table.push(None, TypeKind::Integer, Span::default());
        table.push(Some("boolean"), TypeKind::Boolean, Span::default());
        table
    }

    pub fn into_types(self) -> Vec<Type> {
        self.types
    }

    fn push(&mut self, name: Option<&str>, kind: TypeKind, span: Span) -> TypeId {
        let id = TypeId(self.types.len() as u32);
        // Types nest without end, and share their parts, so what is asked of all parts is kept.
        let bits = self.measure(&kind);
        let empty_parts = self.count_empty_parts(&kind);
        let depth = self.measure_depth(&kind);
        let symmetric_part = self.contains_symmetric(&kind);
        self.types.push(Type { name: name.map(str::to_owned), kind, span });
        self.canonical.push(id);
        self.bits.push(bits);
        self.empty_parts.push(empty_parts);
        self.depth.push(depth);
        self.symmetric_part.push(symmetric_part);
        id
    }

    pub fn get(&self, id: TypeId) -> Option<&Type> {
        self.types.get(id.index())
    }

    /// `None` for the poisoned type.
    pub fn kind(&self, id: TypeId) -> Option<&TypeKind> {
        self.get(id).map(|ty| &ty.kind)
    }

    /// The representative of all types with the same values and the same layout.
    pub fn canonical(&self, id: TypeId) -> TypeId {
        self.canonical.get(id.index()).copied().unwrap_or(id)
    }

    pub fn same(&self, left: TypeId, right: TypeId) -> bool {
        self.canonical(left) == self.canonical(right)
    }

    /// Bits that a variable of this type takes at most, "undefined" included; saturates.
    pub fn bits(&self, id: TypeId) -> u64 {
        self.bits.get(id.index()).copied().unwrap_or(0)
    }

    /// How deep records, arrays and multisets are nested: 0 for a simple type.
    pub fn depth(&self, id: TypeId) -> u32 {
        self.depth.get(id.index()).copied().unwrap_or(0)
    }

    /// Parts of a variable of this type that hold nothing: records without fields. They take no
    /// bits, but rustc and whatever goes through the parts of a variable take time and memory for
    /// each; saturates.
    pub fn empty_parts(&self, id: TypeId) -> u64 {
        self.empty_parts.get(id.index()).copied().unwrap_or(0)
    }

    pub fn bounds(&self, id: TypeId) -> Option<(i64, i64)> {
        match self.kind(id)? {
            TypeKind::Integer => Some((i64::MIN, i64::MAX)),
            TypeKind::Boolean => Some((0, 1)),
            TypeKind::Enum { members } => Some((0, members.len() as i64 - 1)),
            TypeKind::Range { low, high } => Some((*low, *high)),
            TypeKind::Scalarset { size } => Some((0, i64::from(*size) - 1)),
            TypeKind::Union(union) => Some((0, union.count() - 1)),
            TypeKind::Array { .. } | TypeKind::Record { .. } | TypeKind::Multiset { .. } => None,
        }
    }

    /// The number of values of a simple type.
    pub fn count(&self, id: TypeId) -> Option<i128> {
        self.bounds(id).map(|(low, high)| i128::from(high) - i128::from(low) + 1)
    }

    pub fn is_simple(&self, id: TypeId) -> bool {
        self.bounds(id).is_some()
    }

    /// Whether "undefined" is one of its values, see
    /// [`Model::has_undefined`](super::model::Model::has_undefined).
    pub fn has_undefined(&self, id: TypeId) -> bool {
        matches!(self.kind(id), Some(TypeKind::Scalarset { .. } | TypeKind::Union(_)))
    }

    pub fn is_compound(&self, id: TypeId) -> bool {
        matches!(
            self.kind(id),
            Some(TypeKind::Array { .. } | TypeKind::Record { .. } | TypeKind::Multiset { .. })
        )
    }

    pub fn is_number(&self, id: TypeId) -> bool {
        !self.slot_owners.contains_key(&id)
            && matches!(self.kind(id), Some(TypeKind::Integer | TypeKind::Range { .. }))
    }

    /// The multiset whose slots this type counts.
    pub fn slot_owner(&self, id: TypeId) -> Option<TypeId> {
        self.slot_owners.get(&id).copied()
    }

    /// Whether elements of a scalarset are part of its values: then it has no smallest one.
    pub fn has_symmetric_part(&self, id: TypeId) -> bool {
        self.symmetric_part.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether its values are elements of a scalarset, always or sometimes.
    pub fn is_symmetric(&self, id: TypeId) -> bool {
        self.has_symmetric_part(id) && !self.is_compound(id)
    }

    fn contains_symmetric(&self, kind: &TypeKind) -> bool {
        match kind {
            TypeKind::Scalarset { .. } => true,
            TypeKind::Union(union) => union.members.iter().any(|member| self.has_symmetric_part(member.ty)),
            TypeKind::Record { fields } => fields.iter().any(|field| self.has_symmetric_part(field.ty)),
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => {
                self.has_symmetric_part(*element)
            }
            TypeKind::Integer | TypeKind::Boolean | TypeKind::Enum { .. } | TypeKind::Range { .. } => false,
        }
    }

    pub fn range(&mut self, low: i64, high: i64, name: Option<&str>, span: Span) -> TypeId {
        self.named_shape(Shape::Range(low, high), TypeKind::Range { low, high }, name, span)
    }

    /// A named scalarset is a type of its own; anonymous ones of the same size are one type, as
    /// they have no names to distinguish them.
    pub fn scalarset(&mut self, size: u32, name: Option<&str>, span: Span) -> TypeId {
        let kind = TypeKind::Scalarset { size };
        match name {
            Some(name) => self.push(Some(name), kind, span),
            None => self.named_shape(Shape::Scalarset(size), kind, None, span),
        }
    }

    pub fn enumeration(&mut self, members: Vec<String>, name: Option<&str>, span: Span) -> TypeId {
        self.push(name, TypeKind::Enum { members }, span)
    }

    /// `members` are enums and scalarsets, each at most once.
    pub fn union(&mut self, members: &[TypeId], name: Option<&str>, span: Span) -> TypeId {
        let mut first = 0;
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            let count = self.bounds(*member).map_or(0, |(low, high)| high - low + 1);
            parts.push(UnionMember { ty: *member, first, count });
            first += count;
        }
        let kind = TypeKind::Union(Union { members: parts });
        self.named_shape(Shape::Union(members.to_vec()), kind, name, span)
    }

    pub fn array(&mut self, index: TypeId, element: TypeId, name: Option<&str>, span: Span) -> TypeId {
        let shape = Shape::Array(self.canonical(index), self.canonical(element));
        self.shared_shape(shape, TypeKind::Array { index, element }, name, span)
    }

    pub fn record(&mut self, fields: Vec<RecordField>, name: Option<&str>, span: Span) -> TypeId {
        let shape = fields.iter().map(|field| (field.name.clone(), self.canonical(field.ty))).collect();
        self.shared_shape(Shape::Record(shape), TypeKind::Record { fields }, name, span)
    }

    pub fn multiset(&mut self, capacity: u32, element: TypeId, name: Option<&str>, span: Span) -> TypeId {
        let shape = Shape::Multiset(capacity, self.canonical(element));
        self.shared_shape(shape, TypeKind::Multiset { capacity, element }, name, span)
    }

    /// The type of a variable that numbers the slots of a multiset.
    pub fn slot(&mut self, multiset: TypeId, capacity: u32, span: Span) -> TypeId {
        if let Some(slot) = self.slots.get(&multiset) {
            return *slot;
        }
        let high = i64::from(capacity.max(1)) - 1;
        let slot = self.push(None, TypeKind::Range { low: 0, high }, span);
        self.slots.insert(multiset, slot);
        self.slot_owners.insert(slot, multiset);
        slot
    }

    /// Types of one shape are the same type, but keep their own names.
    fn named_shape(&mut self, shape: Shape, kind: TypeKind, name: Option<&str>, span: Span) -> TypeId {
        if name.is_none()
            && let Some(known) = self.anonymous.get(&shape)
        {
            return *known;
        }
        let id = self.push(name, kind, span);
        let representative = *self.shapes.entry(shape.clone()).or_insert(id);
        if let Some(canonical) = self.canonical.get_mut(id.index()) {
            *canonical = representative;
        }
        if name.is_none() {
            self.anonymous.insert(shape, id);
        }
        id
    }

    /// Types of one shape are one entry, under the first name given.
    fn shared_shape(&mut self, shape: Shape, kind: TypeKind, name: Option<&str>, span: Span) -> TypeId {
        if let Some(known) = self.shapes.get(&shape).copied() {
            if let Some(ty) = self.types.get_mut(known.index())
                && ty.name.is_none()
            {
                ty.name = name.map(str::to_owned);
            }
            return known;
        }
        let id = self.push(name, kind, span);
        self.shapes.insert(shape, id);
        id
    }

    fn measure_depth(&self, kind: &TypeKind) -> u32 {
        match kind {
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_) => 0,
            TypeKind::Array { element, .. } | TypeKind::Multiset { element, .. } => {
                self.depth(*element).saturating_add(1)
            }
            TypeKind::Record { fields } => {
                fields.iter().map(|field| self.depth(field.ty)).max().unwrap_or(0).saturating_add(1)
            }
        }
    }

    fn count_empty_parts(&self, kind: &TypeKind) -> u64 {
        match kind {
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_) => 0,
            TypeKind::Array { index, element } => {
                let count = self.count(*index).unwrap_or(0);
                self.empty_parts(*element).saturating_mul(u64::try_from(count).unwrap_or(u64::MAX))
            }
            TypeKind::Record { fields } if fields.is_empty() => 1,
            TypeKind::Record { fields } => {
                fields.iter().fold(0u64, |sum, field| sum.saturating_add(self.empty_parts(field.ty)))
            }
            TypeKind::Multiset { capacity, element } => {
                self.empty_parts(*element).saturating_mul(u64::from(*capacity))
            }
        }
    }

    fn measure(&self, kind: &TypeKind) -> u64 {
        let simple = |count: i128| u64::from(128 - count.max(0).leading_zeros());
        match kind {
            TypeKind::Integer => 64,
            TypeKind::Boolean => 2,
            TypeKind::Enum { members } => simple(members.len() as i128),
            TypeKind::Range { low, high } => simple(i128::from(*high) - i128::from(*low) + 1),
            TypeKind::Scalarset { size } => simple(i128::from(*size)),
            TypeKind::Union(union) => simple(i128::from(union.count())),
            TypeKind::Array { index, element } => {
                let count = self.count(*index).unwrap_or(0);
                self.bits(*element).saturating_mul(u64::try_from(count).unwrap_or(u64::MAX))
            }
            TypeKind::Record { fields } => {
                fields.iter().fold(0u64, |sum, field| sum.saturating_add(self.bits(field.ty)))
            }
            TypeKind::Multiset { capacity, element } => {
                self.bits(*element).saturating_add(1).saturating_mul(u64::from(*capacity))
            }
        }
    }
}
