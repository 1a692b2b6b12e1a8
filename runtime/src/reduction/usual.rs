//! What the places of a state hold most of the time.
//!
//! Most of what a model keeps for pairs of elements (channels, sharers) is as it was at the start.
//! A look at the links passes over such places: that a place is as usual depends on no element's
//! name, as long as renaming leaves the usual state as it is and no element is a value in it.

use super::tables::{element, read, rename};
use crate::contract::bags::Bags;
use crate::contract::context::Context;
use crate::contract::model::{Description, Firing, Model, StartId, Type};

/// The bytes of the model's first start state; of variables for which that would not do, undefined.
pub fn usual(model: &dyn Model) -> Vec<u8> {
    let description = model.description();
    let mut start = vec![0; description.words];
    let context = Context::new(description.counters());
    if description.start_instances() == 0 || model.start(&context, StartId(0), &mut start) != Firing::Fired {
        start.fill(0);
    }
    let mut usual = bytes(&start);
    for to in generators(description) {
        let mut renamed = vec![0; description.words];
        rename(description, &to, Bags::None, &start, &mut renamed);
        let renamed = bytes(&renamed);
        for variable in description.variables {
            let range = variable.offset..variable.offset + variable.ty.bytes();
            if let (Some(usual), Some(renamed)) = (usual.get_mut(range.clone()), renamed.get(range))
                && (usual != renamed || !is_plain(variable.ty, usual))
            {
                usual.fill(0);
            }
        }
    }
    usual
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// Two renamings for each scalarset that together make all of them: an exchange, and one that moves
/// all by one.
fn generators(description: &'static Description) -> impl Iterator<Item = Vec<u16>> {
    description.scalarsets.iter().flat_map(|scalarset| {
        let identity: Vec<u16> = (0..description.elements()).map(|element| element as u16).collect();
        let elements = scalarset.first as usize..(scalarset.first + scalarset.size) as usize;
        let (mut exchange, mut cycle) = (identity.clone(), identity);
        exchange.swap(elements.start, elements.start + 1);
        if let Some(cycle) = cycle.get_mut(elements) {
            cycle.rotate_left(1);
        }
        [exchange, cycle]
    })
}

/// Whether no element is a value in it, and no place in it moves when others change.
fn is_plain(ty: &Type, bytes: &[u8]) -> bool {
    match ty {
        Type::Simple(simple) => read(simple, bytes).is_none_or(|value| element(simple, value).is_none()),
        Type::Array { element, stride, .. } => {
            bytes.chunks_exact((*stride).max(1)).all(|part| is_plain(element, part))
        }
        Type::Record { fields } => fields.iter().all(|field| {
            bytes
                .get(field.offset..field.offset + field.ty.bytes())
                .is_some_and(|part| is_plain(field.ty, part))
        }),
        Type::Multiset { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::model::{
        Family, Labels, Position, Scalarset, Simple, Span, StartId, Variable, Violation, Width,
    };
    use crate::contract::successors::Successors;

    const fn simple(high: i64, spans: &'static [Span]) -> Simple {
        Simple { name: "", width: Width::One, low: 1, high, labels: Labels::Numbers, spans }
    }

    static INDEX: Simple = simple(3, &[Span { low: 1, size: 3, first: 0 }]);
    static ELEMENT: Type = Type::Simple(simple(3, &[Span { low: 1, size: 3, first: 0 }]));
    static NUMBER: Type = Type::Simple(simple(9, &[]));
    static ROW: Type = Type::Array { index: &INDEX, element: &NUMBER, stride: 1 };
    static MATRIX: Type = Type::Array { index: &INDEX, element: &ROW, stride: 3 };
    static NAMES: Type = Type::Array { index: &INDEX, element: &ELEMENT, stride: 1 };
    static BAG: Type = Type::Multiset { capacity: 1, element: &NUMBER, stride: 2, doubt: None };

    static DESCRIPTION: Description = Description {
        words: 3,
        variables: &[
            Variable { name: "diagonal", offset: 0, ty: &MATRIX },
            Variable { name: "uneven", offset: 9, ty: &ROW },
            Variable { name: "names", offset: 12, ty: &NAMES },
            Variable { name: "bag", offset: 15, ty: &BAG },
            Variable { name: "owner", offset: 17, ty: &ELEMENT },
            Variable { name: "number", offset: 18, ty: &NUMBER },
        ],
        scalarsets: &[Scalarset { name: "", size: 3, first: 0, doubt: None }],
        starts: &[Family {
            name: "",
            position: Position { line: 1, column: 1 },
            parameters: &[],
            first: 0,
            instances: 1,
        }],
        ..Description::EMPTY
    };

    /// Fails to start where there are no bytes to start with.
    struct Start(Option<[u8; 24]>);

    impl Model for Start {
        fn description(&self) -> &'static Description {
            &DESCRIPTION
        }

        fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
            let (words, _) = self.0.as_ref().map_or(&[][..], |bytes| bytes).as_chunks::<8>();
            if words.is_empty() {
                state.fill(7);
                return Firing::Pruned;
            }
            state.iter_mut().zip(words).for_each(|(word, bytes)| *word = u64::from_ne_bytes(*bytes));
            Firing::Fired
        }

        fn expand(&self, _: &Context, _: &mut [u64], _: &mut Successors) {}

        fn check(&self, _: &Context, _: &mut [u64]) -> Result<(), Violation> {
            Ok(())
        }
    }

    /// A variable stays if renaming leaves it as it is and it names no element; `names` is like the
    /// first but not the second.
    #[test]
    fn places_that_distinguish_elements_are_left_out() {
        let diagonal = [5, 4, 4, 4, 5, 4, 4, 4, 5];
        let start = [&diagonal[..], &[2, 2, 3], &[1, 2, 3], &[1, 4], &[2], &[6], &[0; 5]].concat();
        let found = usual(&Start(start.try_into().ok()));
        assert_eq!(found, [&diagonal[..], &[0; 9], &[6], &[0; 5]].concat());
    }

    #[test]
    fn a_start_that_fails_leaves_everything_undefined() {
        assert_eq!(usual(&Start(None)), [0; 24]);
    }
}
