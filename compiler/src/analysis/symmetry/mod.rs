//! Which scalarsets and multisets a model treats symmetrically, so that states may be reduced by them.
//!
//! What the check of loops warns of is in doubt: the scalarset that such a loop runs through, and where the warning is about a
//! condition on the slots of a multiset, all multisets and scalarsets.

use crate::semantics::dependent_iterations;
use crate::semantics::model::{
    Binder, Expression, ExpressionKind, Frame, Model, Statement, StatementKind, TypeId, TypeKind,
};
use crate::semantics::walk::{each, expressions_of};
use crate::syntax::span::Span;
use std::collections::BTreeMap;

/// What could not be proved about the symmetry of a model. What is absent is proved.
#[derive(Clone, Debug, Default)]
pub struct SymmetryProof {
    pub scalarsets: BTreeMap<TypeId, Doubt>,
    pub multisets: BTreeMap<TypeId, Doubt>,
}

/// The first reason why the elements of a scalarset, or the slots of a multiset type, may not be interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub span: Span,
    pub message: String,
}

pub fn prove(model: &Model) -> SymmetryProof {
    let mut proof = SymmetryProof::default();
    let mut binders = Vec::new();
    let bodies = model.functions.iter().map(|one| (&one.frame, &one.body));
    let bodies = bodies.chain(model.starts.iter().map(|one| (&one.frame, &one.body)));
    for (frame, body) in bodies.chain(model.rules.iter().map(|one| (&one.frame, &one.body))) {
        collect(frame, body, &mut binders);
    }
    for rule in &model.rules {
        rule.guard.iter().for_each(|guard| quantifiers(&rule.frame, guard, &mut binders));
    }
    for diagnostic in dependent_iterations(model) {
        let doubt = Doubt { span: diagnostic.primary.span, message: diagnostic.message };
        let loops: Vec<TypeId> =
            binders.iter().filter(|(span, _)| *span == doubt.span).map(|(_, ty)| *ty).collect();
        for (index, ty) in model.types.iter().enumerate() {
            let id = TypeId(index as u32);
            match &ty.kind {
                TypeKind::Scalarset { .. } if loops.is_empty() || runs_through(model, &loops, id) => {
                    proof.scalarsets.entry(id).or_insert_with(|| doubt.clone());
                }
                TypeKind::Multiset { .. } if loops.is_empty() => {
                    proof.multisets.entry(id).or_insert_with(|| doubt.clone());
                }
                _ => {}
            }
        }
    }
    proof
}

fn runs_through(model: &Model, loops: &[TypeId], scalarset: TypeId) -> bool {
    loops.iter().any(|ty| match &model.ty(*ty).kind {
        TypeKind::Union(union) => union.members.iter().any(|member| member.ty == scalarset),
        _ => *ty == scalarset,
    })
}

/// Where each loop and quantifier is, and the type of its variable.
fn collect(frame: &Frame, statements: &[Statement], binders: &mut Vec<(Span, TypeId)>) {
    for statement in statements {
        expressions_of(statement, &mut |expression| quantifiers(frame, expression, binders));
        match &statement.kind {
            StatementKind::For { binder, body } => {
                note(frame, binder, binders);
                collect(frame, body, binders);
            }
            StatementKind::If { arms, otherwise } => {
                arms.iter().for_each(|(_, body)| collect(frame, body, binders));
                collect(frame, otherwise, binders);
            }
            StatementKind::Switch { cases, otherwise, .. } => {
                cases.iter().for_each(|case| collect(frame, &case.body, binders));
                collect(frame, otherwise, binders);
            }
            StatementKind::While { body, .. } | StatementKind::Alias { body, .. } => {
                collect(frame, body, binders);
            }
            _ => {}
        }
    }
}

fn quantifiers(frame: &Frame, expression: &Expression, binders: &mut Vec<(Span, TypeId)>) {
    each(expression, &mut |part| {
        if let ExpressionKind::Forall { binder, .. } | ExpressionKind::Exists { binder, .. } = &part.kind {
            note(frame, binder, binders);
        }
    });
}

fn note(frame: &Frame, binder: &Binder, binders: &mut Vec<(Span, TypeId)>) {
    binders.extend(frame.locals.get(binder.variable.index()).map(|local| (binder.span, local.ty)));
}
