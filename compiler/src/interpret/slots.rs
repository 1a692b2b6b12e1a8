//! How values lie in slots, and how slots become the words of a state.
//!
//! A simple value is one slot: a number, or `None` for undefined. Arrays and records are their
//! parts one after the other. A multiset is `capacity` places, each one slot that says whether it
//! is occupied (`Some(1)`) and then the element.

use super::machine::Machine;
use crate::analysis::SymmetryProof;
use crate::layout::{Layout, Shape};
use crate::semantics::model::{Model, TypeId, TypeKind};
use mcc_runtime::model::Width;
use std::cmp::Ordering;

pub type Slot = Option<i64>;

pub struct Slots {
    pub layout: Layout,
    /// The number of slots of each type.
    sizes: Vec<usize>,
    /// The smallest and largest value of each simple type.
    bounds: Vec<Option<(i64, i64)>>,
    /// The first slot of each field of a record, counted from the record's own.
    fields: Vec<Vec<usize>>,
    /// The first slot of each global.
    pub globals: Vec<usize>,
    /// What was not proved to be symmetric.
    pub proof: SymmetryProof,
}

impl Slots {
    pub fn new(model: &Model, proof: &SymmetryProof) -> Self {
        let layout = Layout::new(model);
        // A type comes after its parts.
        let mut sizes = Vec::with_capacity(model.types.len());
        for ty in 0..model.types.len() {
            sizes.push(size(model, TypeId(ty as u32), &sizes));
        }
        let one_after_the_other = |types: &mut dyn Iterator<Item = TypeId>| {
            let mut next = 0;
            let first = types.map(|ty| {
                let first = next;
                next += sizes[ty.index()];
                first
            });
            first.collect::<Vec<usize>>()
        };
        let types = (0..model.types.len()).map(|ty| TypeId(ty as u32));
        let fields = types.clone().map(|ty| one_after_the_other(&mut fields(model, ty))).collect();
        let globals = one_after_the_other(&mut model.globals.iter().map(|global| global.ty));
        let bounds = types.map(|ty| model.bounds(ty)).collect();
        Slots { layout, sizes, bounds, fields, globals, proof: proof.clone() }
    }

    #[inline]
    pub fn size(&self, ty: TypeId) -> usize {
        self.sizes[ty.index()]
    }

    /// The smallest and largest value of a simple type.
    #[inline]
    pub fn bounds(&self, ty: TypeId) -> Option<(i64, i64)> {
        self.bounds[ty.index()]
    }

    pub fn is_simple(&self, ty: TypeId) -> bool {
        self.bounds(ty).is_some()
    }

    /// The first slot of a field, counted from the record's own.
    #[inline]
    pub fn field(&self, record: TypeId, field: u32) -> usize {
        self.fields[record.index()][field as usize]
    }

    /// How many slots a multiset has for elements, and how many of ours each of them takes.
    #[inline]
    pub fn bag(&self, multiset: TypeId) -> (usize, usize) {
        match &self.layout.ty(multiset).shape {
            Shape::Multiset { capacity, element } => (*capacity, 1 + self.size(*element)),
            Shape::Simple { .. } | Shape::Array { .. } | Shape::Record { .. } => (0, 1),
        }
    }

    /// Which of two slots of a multiset has the smaller bytes.
    pub fn compare(&self, model: &Model, multiset: TypeId, left: &[Slot], right: &[Slot]) -> Ordering {
        let Some(at) = left.iter().zip(right).position(|(left, right)| left != right) else {
            return Ordering::Equal;
        };
        let (width, low) = self.simple_at(model, multiset, at);
        let bytes = |slot| {
            let mut bytes = [0; 9];
            write_simple(width, low, slot, &mut bytes);
            bytes
        };
        bytes(left[at]).cmp(&bytes(right[at]))
    }

    /// How the slot at a position of a value is stored.
    fn simple_at(&self, model: &Model, ty: TypeId, at: usize) -> (Width, i64) {
        match &self.layout.ty(ty).shape {
            Shape::Simple { width, low } => (*width, *low),
            Shape::Array { element, .. } => self.simple_at(model, *element, at % self.size(*element).max(1)),
            Shape::Record { .. } => {
                let first = &self.fields[ty.index()];
                // The last field that does not begin behind it; empty ones have no slots.
                let field = first.partition_point(|first| *first <= at).saturating_sub(1);
                match fields(model, ty).nth(field) {
                    Some(part) => self.simple_at(model, part, at - first[field]),
                    None => (Width::One, 0),
                }
            }
            Shape::Multiset { element, .. } => match at % (1 + self.size(*element)) {
                // Whether it is occupied: 0 or 1.
                0 => (Width::One, 1),
                at => self.simple_at(model, *element, at - 1),
            },
        }
    }

    /// The slots of all globals, from the words of a state.
    pub fn load(&self, model: &Model, state: &[u64]) -> Vec<Slot> {
        let mut bytes = Vec::with_capacity(state.len() * 8);
        state.iter().for_each(|word| bytes.extend_from_slice(&word.to_ne_bytes()));
        let mut slots = Vec::new();
        for (global, offset) in model.globals.iter().zip(&self.layout.offsets) {
            self.read(model, global.ty, &bytes[*offset..], &mut slots);
        }
        slots
    }

    /// The words of a state, from the slots of all globals.
    pub fn store(&self, model: &Model, machine: &Machine) -> Vec<u64> {
        let mut bytes = vec![0; self.layout.words * 8];
        let places = self.globals.iter().zip(&self.layout.offsets);
        for (global, (first, offset)) in model.globals.iter().zip(places) {
            self.write(model, global.ty, &machine.memory[*first..], &mut bytes[*offset..]);
        }
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().map(|word| u64::from_ne_bytes(*word)).collect()
    }

    fn read(&self, model: &Model, ty: TypeId, bytes: &[u8], slots: &mut Vec<Slot>) {
        match &self.layout.ty(ty).shape {
            Shape::Simple { width, low } => slots.push(read_simple(*width, *low, bytes)),
            Shape::Array { count, element, .. } => {
                let stride = self.layout.ty(*element).bytes;
                (0..*count).for_each(|at| self.read(model, *element, &bytes[at * stride..], slots));
            }
            Shape::Record { offsets } => {
                for (field, offset) in fields(model, ty).zip(offsets) {
                    self.read(model, field, &bytes[*offset..], slots);
                }
            }
            Shape::Multiset { capacity, element } => {
                let stride = 1 + self.layout.ty(*element).bytes;
                for slot in bytes.chunks(stride).take(*capacity) {
                    if slot[0] == 0 {
                        // Nothing in it is defined.
                        slots.resize(slots.len() + 1 + self.size(*element), None);
                    } else {
                        slots.push(Some(1));
                        self.read(model, *element, &slot[1..], slots);
                    }
                }
            }
        }
    }

    /// Writes the bytes of a value in the byte-aligned layout over zeros.
    fn write(&self, model: &Model, ty: TypeId, slots: &[Slot], bytes: &mut [u8]) {
        match &self.layout.ty(ty).shape {
            Shape::Simple { width, low } => write_simple(*width, *low, slots[0], bytes),
            Shape::Array { count, element, .. } => {
                let (size, stride) = (self.size(*element), self.layout.ty(*element).bytes);
                for at in 0..*count {
                    self.write(model, *element, &slots[at * size..], &mut bytes[at * stride..]);
                }
            }
            Shape::Record { offsets } => {
                let places = self.fields[ty.index()].iter().zip(offsets);
                for (field, (first, offset)) in fields(model, ty).zip(places) {
                    self.write(model, field, &slots[*first..], &mut bytes[*offset..]);
                }
            }
            Shape::Multiset { capacity, element } => {
                let (size, stride) = (1 + self.size(*element), 1 + self.layout.ty(*element).bytes);
                let places = slots.chunks(size).zip(bytes.chunks_mut(stride)).take(*capacity);
                for (slot, bytes) in places.filter(|(slot, _)| slot[0].is_some()) {
                    bytes[0] = 1;
                    self.write(model, *element, &slot[1..], &mut bytes[1..]);
                }
            }
        }
    }

    /// The bytes of a value in the byte-aligned layout.
    pub fn bytes(&self, model: &Model, ty: TypeId, slots: &[Slot]) -> Vec<u8> {
        let mut bytes = vec![0; self.layout.ty(ty).bytes];
        self.write(model, ty, slots, &mut bytes);
        bytes
    }
}

fn fields(model: &Model, ty: TypeId) -> impl Iterator<Item = TypeId> {
    match &model.ty(ty).kind {
        TypeKind::Record { fields } => fields.as_slice(),
        _ => &[],
    }
    .iter()
    .map(|field| field.ty)
}

fn size(model: &Model, ty: TypeId, before: &[usize]) -> usize {
    match &model.ty(ty).kind {
        TypeKind::Integer
        | TypeKind::Boolean
        | TypeKind::Enum { .. }
        | TypeKind::Range { .. }
        | TypeKind::Scalarset { .. }
        | TypeKind::Union(_) => 1,
        TypeKind::Array { index, element } => {
            let (low, high) = model.bounds(*index).unwrap_or((0, 0));
            (i128::from(high) - i128::from(low) + 1) as usize * before[element.index()]
        }
        TypeKind::Record { fields } => fields.iter().map(|field| before[field.ty.index()]).sum(),
        TypeKind::Multiset { capacity, element } => *capacity as usize * (1 + before[element.index()]),
    }
}

fn read_simple(width: Width, low: i64, bytes: &[u8]) -> Slot {
    let number = |from: usize, count: usize| {
        let mut number = [0; 8];
        number[..count].copy_from_slice(&bytes[from..from + count]);
        u64::from_le_bytes(number)
    };
    match width {
        Width::Nine => (bytes[0] != 0).then(|| low.wrapping_add(number(1, 8) as i64)),
        Width::One | Width::Two | Width::Four | Width::Eight => match number(0, width.bytes()) {
            0 => None,
            stored => Some(low.wrapping_add((stored - 1) as i64)),
        },
    }
}

fn write_simple(width: Width, low: i64, slot: Slot, bytes: &mut [u8]) {
    match (width, slot) {
        (_, None) => bytes[..width.bytes()].fill(0),
        (Width::Nine, Some(value)) => {
            bytes[0] = 1;
            bytes[1..9].copy_from_slice(&value.wrapping_sub(low).to_le_bytes());
        }
        (Width::One | Width::Two | Width::Four | Width::Eight, Some(value)) => {
            let stored = (value.wrapping_sub(low) as u64).wrapping_add(1).to_le_bytes();
            bytes[..width.bytes()].copy_from_slice(&stored[..width.bytes()]);
        }
    }
}
