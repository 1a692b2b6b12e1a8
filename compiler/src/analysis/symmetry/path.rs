//! Places as one iteration of a loop names them, and whether two iterations can name the same one.

use crate::semantics::model::{GlobalId, LocalId, Model, TypeId, TypeKind};

/// A call that is followed has a number of its own; 0 is the body that is judged.
pub(super) type Activation = u32;

/// What a path begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Global(GlobalId),
    /// A variable with storage of its own.
    Local(Activation, LocalId),
    /// A `var` parameter of the function that is judged: some object of this type.
    Reference(LocalId, TypeId),
    /// What an expression returns: nobody else can reach it.
    Temporary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Index {
    Constant(i64),
    /// The loop variable itself, which has another value in each iteration, between these bounds.
    Own {
        low: i64,
        high: i64,
    },
    /// The variable of a loop inside the loop, and whether that goes through all indices of the
    /// array.
    Inner(Activation, LocalId, bool),
    /// A value that is the same in all iterations; the text distinguishes such values.
    Fixed(String),
    /// All elements, for what has been written.
    Every,
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathPart {
    Field(u32),
    Element(Index),
    /// An element of a multiset, with the variable that names its slot.
    Slot(Option<(Activation, LocalId)>),
    /// The elements of a multiset of which this field (or the element itself, if there are no
    /// fields) is the loop variable.
    Keyed(Vec<u32>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LoopPath {
    pub base: Base,
    pub parts: Vec<PathPart>,
}

impl LoopPath {
    pub fn new(base: Base) -> LoopPath {
        LoopPath { base, parts: Vec::new() }
    }

    /// Whether this path, in one iteration, and another path, in another iteration, are certainly
    /// different places.
    pub fn is_apart(&self, other: &LoopPath, model: &Model) -> bool {
        // Objects of one type are the same or have nothing in common, so their parts can be
        // compared one by one.
        match (self.base, other.base) {
            (Base::Temporary, _) | (_, Base::Temporary) => return true,
            (Base::Reference(_, one), Base::Reference(_, two)) => {
                if !is_alike(model, one, two) {
                    return !contains(model, one, two) && !contains(model, two, one);
                }
            }
            (Base::Reference(_, part), Base::Global(global))
            | (Base::Global(global), Base::Reference(_, part)) => {
                let whole = model.globals.get(global.index()).map(|global| global.ty);
                match whole {
                    Some(whole) if is_alike(model, whole, part) => {}
                    Some(whole) => return !contains(model, whole, part),
                    None => return false,
                }
            }
            // A caller's object is no variable of the function itself, nor of what it calls.
            (Base::Reference(..), Base::Local(..)) | (Base::Local(..), Base::Reference(..)) => return true,
            (Base::Global(_) | Base::Local(..), Base::Global(_) | Base::Local(..)) => {
                if self.base != other.base {
                    return true;
                }
            }
        }
        self.parts.iter().zip(&other.parts).any(|(one, two)| one.is_apart(two))
    }

    /// Whether a write of this path has certainly written all of another one, in the same
    /// iteration.
    pub fn covers(&self, other: &LoopPath) -> bool {
        self.base == other.base
            && self.parts.len() <= other.parts.len()
            && self.parts.iter().zip(&other.parts).all(|(one, two)| match (one, two) {
                (PathPart::Field(one), PathPart::Field(two)) => one == two,
                (PathPart::Element(Index::Every), PathPart::Element(_)) => true,
                (PathPart::Element(Index::Any), _) => false,
                (PathPart::Element(one), PathPart::Element(two)) => one == two,
                (PathPart::Field(_) | PathPart::Element(_) | PathPart::Slot(_) | PathPart::Keyed(_), _) => {
                    false
                }
            })
    }
}

impl PathPart {
    fn is_apart(&self, other: &PathPart) -> bool {
        match (self, other) {
            (PathPart::Field(one), PathPart::Field(two)) => one != two,
            (PathPart::Element(one), PathPart::Element(two)) => match (one, two) {
                (Index::Constant(one), Index::Constant(two)) => one != two,
                (Index::Own { .. }, Index::Own { .. }) => true,
                (Index::Constant(value), Index::Own { low, high })
                | (Index::Own { low, high }, Index::Constant(value)) => value < low || value > high,
                (
                    Index::Constant(_)
                    | Index::Own { .. }
                    | Index::Inner(..)
                    | Index::Fixed(_)
                    | Index::Every
                    | Index::Any,
                    _,
                ) => false,
            },
            (PathPart::Keyed(one), PathPart::Keyed(two)) => one == two,
            (PathPart::Field(_) | PathPart::Element(_) | PathPart::Slot(_) | PathPart::Keyed(_), _) => false,
        }
    }
}

/// Whether an object of one type may be passed where the other one is wanted: ranges and unions
/// have one type for each name, others one for each shape.
fn is_alike(model: &Model, one: TypeId, two: TypeId) -> bool {
    let kind = |ty: TypeId| model.types.get(ty.index()).map(|ty| &ty.kind);
    one == two
        || match (kind(one), kind(two)) {
            (
                Some(TypeKind::Integer | TypeKind::Range { .. }),
                Some(TypeKind::Integer | TypeKind::Range { .. }),
            )
            | (Some(TypeKind::Union(_)), Some(TypeKind::Union(_))) => true,
            (_, _) => false,
        }
}

/// Whether an object of type `part` may be a proper part of one of type `whole`.
pub(super) fn contains(model: &Model, whole: TypeId, part: TypeId) -> bool {
    let inside = |ty: TypeId| is_alike(model, ty, part) || contains(model, ty, part);
    model.types.get(whole.index()).is_some_and(|ty| ty.kind.parts().into_iter().any(inside))
}
