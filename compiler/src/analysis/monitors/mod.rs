//! Formulas whose violation shows in a finite prefix of a run, checked by every search.
//!
//! Such a formula becomes a deterministic automaton, whose state is a hidden variable of the model
//! (an array over the parameters around the formula). Start states and rules step it after their
//! last statement, and the property says that it is not in its violated state. All of that is
//! ordinary code of the typed model ([`code`]), so analyses, code, interpreter, symmetry reduction
//! and engines know nothing of it. Where the automaton has one state beside the violated one, there
//! is nothing to remember, and the property is an invariant.
//!
//! # What has to be proved
//! `docs/internals/temporal.md` has the proofs; here is what they rest on.
//!
//! - A path violates the formula exactly if each run that begins with it does, and such a run
//!   exists that is fair. Every path goes on to a fair run, unless an assumption excludes all ways
//!   on. So a model with assumptions is left to the search of the product.
//! - Reading the conditions of a state again changes nothing ([`Monitor`] checks it), which needs
//!   formulas without `next` and `fired`. So a rule that changes nothing of the user's changes
//!   nothing at all, deadlocks stay what they are, runs that end need no further step, and a rule
//!   that writes nothing of what the conditions read need not step the automaton.
//! - The step is the last thing that a rule does. So a rule must not end by `return`.
//! - The conditions are evaluated before elements are renamed and multisets sorted, so they may
//!   depend on neither (`recheck` decides it).
//! - Symmetry: the finished model is proved symmetric anew. A formula that adds a doubt is left to
//!   the search of the product.

mod code;
pub(super) mod lint;
mod normal;
mod parts;

use super::Analysis;
use super::recheck;
use crate::diagnostics::Diagnostic;
use crate::semantics::model::{Model, Property, PropertyKind, Scope, Statement, StatementKind};
use crate::semantics::visit::{Visit, has_return, walk_statement};
use mcc_runtime::temporal::monitor::Monitor;
use parts::Part;

/// Hidden variables of one byte that all formulas of a model may have.
const MOST_BYTES: u128 = 1 << 10;

/// A formula that is checked by every search.
struct Watched {
    /// Position in [`Model::claims`].
    claim: usize,
    parts: Vec<Part>,
}

/// Why a formula is decided when the search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    NotSafety,
    CountsSteps,
    Assumptions,
    Returns,
    Alias,
    SideEffects,
    Order,
    Quantifier,
    Size,
    Constant,
    Symmetry,
}

impl Why {
    /// What is reported of it.
    fn reason(self) -> &'static str {
        match self {
            Why::NotSafety => "a violation need not show in a finite part of a run",
            Why::CountsSteps => "it has `next` or `fired`",
            Why::Assumptions => "the model has assumptions, which end runs",
            Why::Returns => "a rule or start state has a `return`",
            Why::Alias => "an alias stands around it",
            Why::SideEffects => "a function in it counts, prints or has an assumption",
            Why::Order => "a condition may depend on the order of elements or slots",
            Why::Quantifier => "a quantifier inside of it has temporal operators",
            Why::Size => "it is too large for a deterministic automaton beside the state",
            Why::Constant => "it does not depend on the state",
            Why::Symmetry => "it is not proved to be symmetric",
        }
    }
}

/// The model in which formulas are checked by every search, where that is possible.
pub(crate) fn weave(model: Model, analysis: Analysis) -> (Model, Analysis) {
    let (watched, _) = watched(&model, &analysis);
    let chosen = symmetric(&model, &analysis, watched);
    match code::woven(&model, &analysis, &chosen) {
        Some(woven) => {
            let analysis = super::analyse(&woven);
            (woven, analysis)
        }
        None => (model, analysis),
    }
}

/// An `ltl` property, by its position, and why it is decided when the search is over; `Ok` if it is
/// checked by the search itself.
type Course = (usize, Result<(), Why>);

/// Says of each `ltl` property when it is checked.
fn courses(model: &Model, analysis: &Analysis) -> Vec<Course> {
    let (watched, mut courses) = watched(model, analysis);
    let chosen = symmetric(model, analysis, watched);
    for (property, course) in &mut courses {
        let is_chosen = chosen.iter().any(|one| model.claims[one.claim].property == *property);
        if course.is_ok() && !is_chosen {
            *course = Err(Why::Symmetry);
        }
    }
    courses
}

/// A note on each `ltl` property that says when it is checked.
pub(crate) fn notes(model: &Model, analysis: &Analysis) -> Vec<Diagnostic> {
    let note = |(property, course): Course| {
        let property = model.properties.get(property)?;
        let name = &property.name;
        let message = match course {
            Ok(()) => format!("the formula \"{name}\" is checked in every state by every search"),
            Err(why) => {
                format!("the formula \"{name}\" is decided when all states are explored: {}", why.reason())
            }
        };
        Some(Diagnostic::note("formula-check", property.header, message))
    };
    courses(model, analysis).into_iter().filter_map(note).collect()
}

/// Those formulas that leave the model as symmetric as it is.
fn symmetric(model: &Model, analysis: &Analysis, watched: Vec<Watched>) -> Vec<Watched> {
    let is_symmetric = |chosen: &[Watched]| {
        let Some(woven) = code::woven(model, analysis, chosen) else { return true };
        let proof = super::analyse(&woven).symmetry;
        let known = &analysis.symmetry;
        proof.scalarsets.keys().all(|ty| known.scalarsets.contains_key(ty))
            && proof.multisets.keys().all(|ty| known.multisets.contains_key(ty))
    };
    if is_symmetric(&watched) {
        return watched;
    }
    let mut chosen = Vec::new();
    for one in watched {
        chosen.push(one);
        if !is_symmetric(&chosen) {
            chosen.pop();
        }
    }
    chosen
}

/// The formulas that can be checked by every search, and what becomes of each.
fn watched(model: &Model, analysis: &Analysis) -> (Vec<Watched>, Vec<Course>) {
    let mut watched = Vec::new();
    let mut courses = Vec::new();
    let mut bytes = 0u128;
    for (claim, one) in model.claims.iter().enumerate() {
        let Some(property) = model.properties.get(one.property) else { continue };
        if property.kind != PropertyKind::Ltl {
            continue;
        }
        let parts = fits(model).and_then(|()| parts::parts(model, one)).and_then(|parts| {
            let atoms = parts.iter().flat_map(|part| &part.atoms).filter_map(|atom| model.atoms.get(*atom));
            atoms.into_iter().try_for_each(|atom| condition(model, analysis, atom))?;
            code::frame(model, &parts).ok_or(Why::Alias)?;
            let needed: u128 = parts.iter().map(Part::bytes).sum();
            bytes = bytes.saturating_add(needed);
            if bytes <= MOST_BYTES { Ok(parts) } else { Err(Why::Size) }
        });
        courses.push((one.property, parts.as_ref().map(|_| ()).map_err(|why| *why)));
        watched.extend(parts.ok().map(|parts| Watched { claim, parts }));
    }
    (watched, courses)
}

/// Whether a model can have formulas that are checked by every search.
fn fits(model: &Model) -> Result<(), Why> {
    let mut assumes = Assumes(false);
    model.codes().for_each(|code| code.visit(&mut assumes));
    if assumes.0 || model.properties.iter().any(|property| property.kind == PropertyKind::Assume) {
        return Err(Why::Assumptions);
    }
    let bodies = model.rules.iter().map(|rule| &rule.body);
    let bodies = bodies.chain(model.starts.iter().map(|start| &start.body));
    if bodies.into_iter().any(|body| has_return(body)) {
        return Err(Why::Returns);
    }
    Ok(())
}

/// Whether a condition can be evaluated at the end of a rule.
fn condition(model: &Model, analysis: &Analysis, atom: &Property) -> Result<(), Why> {
    if !atom.scopes.iter().all(|scope| matches!(scope, Scope::Parameter(_))) {
        return Err(Why::Alias);
    }
    if atom.writes || recheck::has_side_effects(&analysis.reach, atom) {
        return Err(Why::SideEffects);
    }
    if recheck::depends_on_order(model, atom) {
        return Err(Why::Order);
    }
    Ok(())
}

struct Assumes(bool);

impl<'m> Visit<'m> for Assumes {
    fn visit_statement(&mut self, statement: &'m Statement) {
        self.0 |= matches!(statement.kind, StatementKind::Assume { .. });
        walk_statement(self, statement);
    }
}
