//! What the body of a loop reads and writes, in the order of the text, seen from its loop variable.
//!
//! Calls are followed: the body of the function takes the place of the call, with the arguments in the place of
//! the parameters. Recursive functions, and calls after very many accesses, are taken to change in an
//! unknown way whatever they can reach.

mod calls;
mod expressions;
mod paths;
mod statements;
mod updates;
mod values;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::model::{AliasBinding, AliasValue, Frame, FunctionId, LocalId, Model};
use super::reach::Reach;
use crate::syntax::span::Span;
use paths::{Activation, Index, PathStep};
pub(super) use paths::{Path, PathRoot};
use values::Term;
pub(super) use values::{Direction, Form, Written};

/// A point in the body: what has certainly been written in this iteration when it is reached.
pub(super) type Moment = Option<usize>;

pub(super) enum Access {
    Read { path: Rc<Path>, at: Moment },
    Write { path: Rc<Path>, form: Form, value: Written, span: Span, at: Moment },
    Return { value: Option<Written>, span: Span },
}

/// What a local stands for: an alias, or a parameter of a function that is followed.
#[derive(Clone)]
struct Bound {
    /// The place that it is another name of.
    place: Option<Rc<Path>>,
    index: Index,
    term: Term,
}

pub(super) struct Accesses<'m> {
    model: &'m Model,
    reach: &'m Reach,
    variable: LocalId,
    pub list: Vec<Access>,
    bounds: HashMap<(Activation, LocalId), Bound>,
    /// The frames of the calls that are being followed, and the functions.
    frames: Vec<(Activation, &'m Frame)>,
    following: Vec<FunctionId>,
    activations: Activation,
    /// Certain writes: each with the one before it.
    certain: Vec<(Rc<Path>, Moment)>,
    now: Moment,
    /// Locals of the loop's own frame that get their values inside it: inner loop variables and aliases.
    inner: HashSet<LocalId>,
    /// Only looking, without noting anything.
    silent: bool,
}

impl<'m> Accesses<'m> {
    pub fn new(model: &'m Model, reach: &'m Reach, frame: &'m Frame, variable: LocalId) -> Self {
        Accesses {
            model,
            reach,
            variable,
            list: Vec::new(),
            bounds: HashMap::new(),
            frames: vec![(0, frame)],
            following: Vec::new(),
            activations: 0,
            certain: Vec::new(),
            now: None,
            inner: HashSet::new(),
            silent: false,
        }
    }

    /// An alias that was entered before the loop.
    pub fn outer_alias(&mut self, binding: &'m AliasBinding) {
        if let AliasValue::Place(place) = &binding.value {
            let path = self.path_alone(place);
            let bound = Bound { place: Some(path), index: Index::Unknown, term: Term::default() };
            self.bounds.insert((0, binding.local), bound);
        }
    }

    /// Whether the storage of a path was certainly written before, in the same iteration.
    pub fn is_written(&self, mut at: Moment, path: &Path) -> bool {
        while let Some((written, before)) = at.and_then(|at| self.certain.get(at)) {
            if written.begins(path, true) {
                return true;
            }
            at = *before;
        }
        false
    }

    /// Whether the storage to which a path leads in any iteration was certainly written before, in this one.
    pub fn is_written_for_all(&self, mut at: Moment, path: &Path) -> bool {
        while let Some((written, before)) = at.and_then(|at| self.certain.get(at)) {
            if !self.varies(written) && written.begins(path, true) {
                return true;
            }
            at = *before;
        }
        false
    }

    /// Whether a path may lead elsewhere in another iteration.
    fn varies(&self, path: &Path) -> bool {
        path.steps.iter().any(|step| match step {
            PathStep::Field(_) | PathStep::Element(Index::Constant(_) | Index::Every, _) => false,
            PathStep::Element(Index::Fixed(activation, local), _) => {
                *activation > 0 || self.inner.contains(local)
            }
            PathStep::Element(Index::Iteration | Index::Variable(_) | Index::Unknown, _) => true,
        })
    }

    /// Whether a value may differ between iterations.
    pub fn depends(&self, term: &Term) -> bool {
        term.iteration
            || self.list.iter().any(|access| match access {
                Access::Write { path, .. } => term.reads.iter().any(|read| read.overlaps(path)),
                Access::Read { .. } | Access::Return { .. } => false,
            })
    }
}
