//! What rules and properties read, as reports need it: the part of a trace that an error depends
//! on. The footprints of [`super::independence`] in the numbering of a model's description.

use super::Analysis;
use super::independence::footprint::{AccessKind, Footprint};
use super::independence::formula::Formula;
use super::independence::path::{Index, StatePath, StateStep};
use crate::semantics::model::{Model, PropertyKind, TypeId, TypeKind};
use mcc_runtime::contract::dependencies::ReadingStep;

/// A variable, counted without the hidden ones, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reading {
    pub variable: u32,
    pub steps: Vec<ReadingStep>,
}

/// The readings of each rule, of its guard, and of each property.
#[derive(Clone, Debug)]
pub struct Dependencies {
    pub rules: Vec<Vec<Reading>>,
    pub guards: Vec<Vec<Reading>>,
    pub properties: Vec<Vec<Reading>>,
}

impl Dependencies {
    /// The entries of all lists.
    pub fn readings(&self) -> usize {
        [&self.rules, &self.guards, &self.properties].into_iter().flatten().map(Vec::len).sum()
    }
}

pub(crate) fn dependencies(model: &Model, analysis: &Analysis) -> Dependencies {
    let accesses = analysis.footprints(model);
    let lister = Lister { model, numbers: numbers(model) };
    let list = |footprint: &Footprint| lister.readings([footprint]);
    // A property about runs is decided by the conditions in its formula, which have footprints of
    // their own.
    let atoms = analysis.atom_footprints(model);
    let properties =
        model.properties.iter().zip(&accesses.properties).map(|(property, own)| match property.kind {
            PropertyKind::Deadlock
            | PropertyKind::Liveness
            | PropertyKind::Ltl
            | PropertyKind::Safety
            | PropertyKind::Atom => lister.readings(atoms.iter().chain([own])),
            PropertyKind::Invariant | PropertyKind::Assume | PropertyKind::Cover | PropertyKind::Reject => {
                list(own)
            }
        });
    Dependencies {
        rules: accesses.rules.iter().map(|family| list(&family.footprint)).collect(),
        guards: accesses.guards.iter().map(list).collect(),
        properties: properties.collect(),
    }
}

/// The position of each variable among those that are not hidden.
fn numbers(model: &Model) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |hidden: bool| {
        (!hidden).then(|| {
            next += 1;
            next - 1
        })
    };
    model.globals.iter().map(|global| global.hidden).map(number).collect()
}

struct Lister<'m> {
    model: &'m Model,
    numbers: Vec<Option<u32>>,
}

impl Lister<'_> {
    fn readings<'f>(&self, footprints: impl IntoIterator<Item = &'f Footprint>) -> Vec<Reading> {
        let accesses = footprints.into_iter().flat_map(|footprint| &footprint.accesses);
        let read = accesses.filter(|access| access.kind == AccessKind::Read);
        let mut readings: Vec<Reading> = read.filter_map(|access| self.reading(&access.path)).collect();
        readings.sort();
        readings.dedup();
        readings
    }

    /// `None`: it is hidden from users.
    fn reading(&self, path: &StatePath) -> Option<Reading> {
        let variable = (*self.numbers.get(path.root.index())?)?;
        let mut ty = self.model.globals.get(path.root.index())?.ty;
        let mut steps = Vec::new();
        for step in &path.steps {
            let Some((step, next)) = self.step(step, ty) else { break };
            steps.push(step);
            ty = next;
        }
        Some(Reading { variable, steps })
    }

    /// A step into a part of type `ty`, and the part's type.
    fn step(&self, step: &StateStep, ty: TypeId) -> Option<(ReadingStep, TypeId)> {
        match (step, &self.model.ty(ty).kind) {
            (StateStep::Field(at), TypeKind::Record { fields }) => {
                Some((ReadingStep::Field(*at), fields.get(*at as usize)?.ty))
            }
            (StateStep::Element(index, _), TypeKind::Array { index: of, element }) => {
                let low = self.model.bounds(*of).map(|(low, _)| low);
                let known = low.and_then(|low| position(index, low.checked_neg()?));
                Some((known.unwrap_or(ReadingStep::Any), *element))
            }
            _ => None,
        }
    }
}

/// An index that is a constant or a parameter, with what is to be added to count from 0.
fn position(index: &Index, shift: i64) -> Option<ReadingStep> {
    let Index::Known(formula) = index else { return None };
    of_formula(formula, shift)
}

fn of_formula(formula: &Formula, shift: i64) -> Option<ReadingStep> {
    match formula {
        Formula::Constant(value) => Some(ReadingStep::Element(value.checked_add(shift)?)),
        Formula::Parameter(number) => {
            Some(ReadingStep::Parameter { number: u32::try_from(*number).ok()?, shift })
        }
        // One piece moves all values by one distance.
        Formula::Convert(value, pieces) => match pieces.as_slice() {
            [(_, _, by)] => of_formula(value, shift.checked_add(*by)?),
            _ => None,
        },
        Formula::Arithmetic(..) | Formula::Compare(..) | Formula::Conditional(..) => None,
    }
}
