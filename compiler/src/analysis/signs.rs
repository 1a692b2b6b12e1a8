//! Where it probably shows that a rule has changed the state: a few places that are compared before
//! all of it is.
//!
//! Nothing rests on the choice. Where one of the places differs the states do; where none does, all
//! of the state is compared. Most rules change what their guard asks about (`pc[i] = ready`,
//! `Count < Max`). A rule that takes a message out of an array leaves another one in its place.
//!
//! # What has to be proved
//! If one of the places differs, the stored states do. The places are simple variables or parts of
//! arrays and records, never of bags, whose elements move when they are sorted; they are compared
//! once the successor is complete. Following the path to them cannot fail, since indices are
//! constants and parameters whose values all lie inside the array ([`inside`]).

use super::independence::Accesses;
use super::independence::footprint::AccessKind;
use super::independence::formula::Formula;
use super::independence::path::{Index, StatePath, StateStep};
use super::parameters::ParameterValues;
use crate::semantics::model::{GlobalId, Model, TypeKind};

/// Places that are compared for one rule, at most.
const MOST: usize = 3;

/// A simple place that is compared.
#[derive(Clone, Debug)]
pub(crate) struct Sign {
    pub root: GlobalId,
    pub steps: Vec<SignStep>,
}

#[derive(Clone, Debug)]
pub(crate) enum SignStep {
    Field(u32),
    Element(SignIndex),
}

/// An index that is certainly inside its array.
#[derive(Clone, Debug)]
pub(crate) enum SignIndex {
    Constant(i64),
    /// The parameter at this position.
    Parameter(usize),
    /// The parameter at this position, in another numbering.
    Shifted(usize, i64),
}

/// Places that a rule may write, the most likely to differ first.
pub(crate) fn of(
    model: &Model,
    accesses: &Accesses,
    rule: usize,
    parameters: &[ParameterValues],
) -> Vec<Sign> {
    let (Some(family), Some(guard)) = (accesses.rules.get(rule), accesses.guards.get(rule)) else {
        return Vec::new();
    };
    let (footprint, ranges) = (&family.footprint, &family.ranges);
    let asked = |path: &StatePath| guard.accesses.iter().any(|access| access.path == *path);
    let written = footprint.writes().map(|access| &access.path);
    let (first, second): (Vec<&StatePath>, Vec<&StatePath>) = written.partition(|path| asked(path));
    let reads = footprint.accesses.iter().filter(|access| access.kind == AccessKind::Read);
    let meets = |path: &&StatePath| {
        footprint.writes().any(|write| write.path.meeting(path, ranges, ranges).is_some())
    };
    let reads = reads.map(|access| &access.path).filter(meets);
    let mut chosen: Vec<&StatePath> = Vec::new();
    let mut signs = Vec::new();
    for path in first.into_iter().chain(second).chain(reads) {
        if signs.len() < MOST
            && !chosen.contains(&path)
            && path.is_fixed()
            && let Some(sign) = sign(model, path, parameters)
        {
            chosen.push(path);
            signs.push(sign);
        }
    }
    signs
}

/// A path as a sign, if it ends at a simple place and cannot fail.
fn sign(model: &Model, path: &StatePath, parameters: &[ParameterValues]) -> Option<Sign> {
    let mut ty = model.globals.get(path.root.index())?.ty;
    let mut steps = Vec::with_capacity(path.steps.len());
    for step in &path.steps {
        match (step, &model.ty(ty).kind) {
            (StateStep::Field(field), TypeKind::Record { fields }) => {
                ty = fields.get(*field as usize)?.ty;
                steps.push(SignStep::Field(*field));
            }
            (StateStep::Element(Index::Known(formula), _), TypeKind::Array { index, element }) => {
                steps.push(SignStep::Element(inside(formula, model.bounds(*index)?, parameters)?));
                ty = *element;
            }
            (_, _) => return None,
        }
    }
    model.is_simple(ty).then_some(Sign { root: path.root, steps })
}

/// An index that is certainly inside these bounds.
fn inside(formula: &Formula, bounds: (i64, i64), parameters: &[ParameterValues]) -> Option<SignIndex> {
    let fits = |low: i64, high: i64| bounds.0 <= low && high <= bounds.1;
    match formula {
        Formula::Constant(value) => fits(*value, *value).then_some(SignIndex::Constant(*value)),
        Formula::Parameter(position) => {
            let (low, high) = parameters.get(*position)?.bounds()?;
            fits(low, high).then_some(SignIndex::Parameter(*position))
        }
        Formula::Convert(value, pieces) => {
            let Formula::Parameter(position) = value.as_ref() else { return None };
            let (low, high) = parameters.get(*position)?.bounds()?;
            let (_, _, shift) = pieces.iter().find(|piece| piece.0 <= low && high <= piece.1)?;
            let fits = fits(low.checked_add(*shift)?, high.checked_add(*shift)?);
            fits.then_some(SignIndex::Shifted(*position, *shift))
        }
        Formula::Arithmetic(..) | Formula::Compare(..) | Formula::Conditional(..) => None,
    }
}
