//! How values lie in slots, and how slots become the words of a state.
//!
//! A simple value is one slot: a number, or `None` for undefined. Arrays and records are their parts one
//! after the other. A multiset is `capacity` places, each one slot that says whether it is occupied
//! (`Some(1)`) and then the element.

use super::machine::Machine;
use crate::layout::{Layout, Shape};
use crate::semantics::model::{Model, TypeId, TypeKind};
use mcc_runtime::model::Width;

pub type Slot = Option<i64>;

pub struct Slots {
    pub layout: Layout,
    /// The number of slots of each type.
    sizes: Vec<usize>,
    /// The first slot of each global.
    pub globals: Vec<usize>,
}

impl Slots {
    pub fn new(model: &Model) -> Self {
        let layout = Layout::new(model);
        // A type comes after its parts.
        let mut sizes = Vec::with_capacity(model.types.len());
        for ty in 0..model.types.len() {
            sizes.push(size(model, TypeId(ty as u32), &sizes));
        }
        let mut next = 0;
        let globals = model
            .globals
            .iter()
            .map(|global| {
                let first = next;
                next += sizes[global.ty.index()];
                first
            })
            .collect();
        Slots { layout, sizes, globals }
    }

    pub fn size(&self, ty: TypeId) -> usize {
        self.sizes[ty.index()]
    }

    /// The slots of all globals, from the words of a state.
    pub fn load(&self, model: &Model, state: &[u64]) -> Vec<Slot> {
        let bytes: Vec<u8> = state.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let mut slots = Vec::new();
        for (global, offset) in model.globals.iter().zip(&self.layout.offsets) {
            self.read(model, global.ty, &bytes[*offset..], &mut slots);
        }
        slots
    }

    /// The words of a state, from the slots of all globals.
    pub fn store(&self, model: &Model, machine: &Machine) -> Vec<u64> {
        let mut bytes = Vec::with_capacity(self.layout.words * 8);
        for (global, first) in model.globals.iter().zip(&self.globals) {
            self.write(model, global.ty, &machine.memory[*first..], &mut bytes);
        }
        bytes.resize(self.layout.words * 8, 0);
        bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default())).collect()
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
                for at in 0..*capacity {
                    slots.push((bytes[at * stride] != 0).then_some(1));
                    self.read(model, *element, &bytes[at * stride + 1..], slots);
                }
            }
        }
    }

    /// Appends the bytes of a value in the byte-aligned layout.
    pub fn write(&self, model: &Model, ty: TypeId, slots: &[Slot], bytes: &mut Vec<u8>) {
        match &self.layout.ty(ty).shape {
            Shape::Simple { width, low } => write_simple(*width, *low, slots[0], bytes),
            Shape::Array { count, element, .. } => {
                let size = self.size(*element);
                (0..*count).for_each(|at| self.write(model, *element, &slots[at * size..], bytes));
            }
            Shape::Record { .. } => {
                let mut first = 0;
                for field in fields(model, ty) {
                    self.write(model, field, &slots[first..], bytes);
                    first += self.size(field);
                }
            }
            Shape::Multiset { capacity, element } => {
                let size = 1 + self.size(*element);
                for at in 0..*capacity {
                    bytes.push(u8::from(slots[at * size].is_some()));
                    self.write(model, *element, &slots[at * size + 1..], bytes);
                }
            }
        }
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
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    match width {
        Width::Nine => (bytes[0] != 0).then(|| low.wrapping_add(number(&bytes[1..9]) as i64)),
        Width::One | Width::Two | Width::Four | Width::Eight => match number(&bytes[..width.bytes()]) {
            0 => None,
            stored => Some(low.wrapping_add((stored - 1) as i64)),
        },
    }
}

fn write_simple(width: Width, low: i64, slot: Slot, bytes: &mut Vec<u8>) {
    let stored = match (width, slot) {
        (Width::Nine, Some(value)) => {
            bytes.push(1);
            bytes.extend(value.wrapping_sub(low).to_le_bytes());
            return;
        }
        (_, None) => 0,
        (_, Some(value)) => (value.wrapping_sub(low) as u64).wrapping_add(1),
    };
    let length = bytes.len() + width.bytes();
    bytes.extend(stored.to_le_bytes().into_iter().take(width.bytes()));
    bytes.resize(length, 0);
}
