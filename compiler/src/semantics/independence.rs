//! Loops over scalarsets whose iterations could depend on each other.
//!
//! Symmetry reduction takes for granted that the elements of a scalarset can be exchanged, so the result of
//! a `for` over one must not depend on the order of its iterations. The check looks at each variable that
//! the body writes at a place that does not depend on the loop variable. Adding to it, or joining it with
//! `&` or `|`, gives the same result in any order, and so does writing the same value every time;
//! otherwise the loop gets a warning that names the variable. What procedures do to global variables is
//! not followed, and neither are loops that would take too long.

use super::accesses::{Access, Accesses, Form, Path, PathRoot};
use super::model::{
    Binder, Expression, Frame, LocalId, LocalKind, Model, Statement, StatementKind, TypeId, TypeKind,
};
use crate::diagnostics::Diagnostic;

/// How often two accesses of a loop's body may be compared, in all loops of a model together.
const MOST_COMPARISONS: usize = 20_000_000;

pub(super) fn warn(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let bodies = (model.functions.iter().map(|one| (&one.frame, &one.body)))
        .chain(model.starts.iter().map(|one| (&one.frame, &one.body)))
        .chain(model.rules.iter().map(|one| (&one.frame, &one.body)));
    let mut comparisons_left = MOST_COMPARISONS;
    for (frame, body) in bodies {
        let mut search = Search { model, frame, diagnostics, aliases: Vec::new(), comparisons_left };
        search.statements(body);
        comparisons_left = search.comparisons_left;
    }
}

struct Search<'m, 'd> {
    model: &'m Model,
    frame: &'m Frame,
    diagnostics: &'d mut Vec<Diagnostic>,
    /// The aliases around the statement at hand.
    aliases: Vec<&'m super::model::AliasBinding>,
    comparisons_left: usize,
}

impl<'m> Search<'m, '_> {
    fn statements(&mut self, statements: &'m [Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::For { binder, body } => {
                    self.for_loop(binder, body);
                    self.statements(body);
                }
                StatementKind::Alias { binding, body } => {
                    self.aliases.push(binding);
                    self.statements(body);
                    self.aliases.pop();
                }
                StatementKind::If { arms, otherwise } => {
                    arms.iter().for_each(|(_, body)| self.statements(body));
                    self.statements(otherwise);
                }
                StatementKind::Switch { cases, otherwise, .. } => {
                    cases.iter().for_each(|case| self.statements(&case.body));
                    self.statements(otherwise);
                }
                StatementKind::While { body, .. } => self.statements(body),
                StatementKind::Assign { .. }
                | StatementKind::Copy { .. }
                | StatementKind::Call(_)
                | StatementKind::Clear(_)
                | StatementKind::Undefine(_)
                | StatementKind::Error(_)
                | StatementKind::Assert { .. }
                | StatementKind::Assume { .. }
                | StatementKind::Cover { .. }
                | StatementKind::PutText(_)
                | StatementKind::PutValue(_)
                | StatementKind::Return(_)
                | StatementKind::MultisetAdd { .. }
                | StatementKind::MultisetRemove { .. }
                | StatementKind::MultisetRemovePredicate { .. } => {}
            }
        }
    }

    fn for_loop(&mut self, binder: &'m Binder, body: &'m [Statement]) {
        let Some(local) = self.frame.locals.get(binder.variable.index()) else { return };
        if !is_symmetric(self.model, local.ty) {
            return;
        }
        let mut accesses = Accesses::new(binder.variable);
        self.aliases.iter().for_each(|binding| accesses.alias(binding));
        accesses.statements(body);
        let writes = accesses.list.iter().filter(|access| matches!(access, Access::Write { .. })).count();
        let Some(left) = self.comparisons_left.checked_sub(writes * accesses.list.len()) else { return };
        self.comparisons_left = left;
        let mut named: Vec<PathRoot> = Vec::new();
        for access in &accesses.list {
            let Access::Write { path, span, .. } = access else { continue };
            if accesses.depends_path(path) || named.contains(&path.root) {
                continue;
            }
            if self.is_coupled(path, &accesses) {
                named.push(path.root);
                let name = self.name(path.root);
                self.diagnostics.push(
                    Diagnostic::warning(
                        "dependent-iterations",
                        binder.span,
                        format!(
                            "the iterations over {} could depend on each other through `{name}`",
                            type_words(self.model, local.ty)
                        ),
                    )
                    .also(*span, format!("`{name}` is written here"))
                    .help("the elements of a scalarset have no order, so the result must not depend on one"),
                );
            }
        }
        self.check_return(binder, &accesses);
    }

    /// Leaving the loop early is fine for a search that changes nothing and finds the same for everyone.
    fn check_return(&mut self, binder: &Binder, accesses: &Accesses<'m>) {
        let writes = accesses.list.iter().any(|access| match access {
            Access::Write { path, .. } => !self.is_own_storage(path.root),
            Access::Read(_) | Access::Return { .. } => false,
        });
        for access in &accesses.list {
            let Access::Return { value, span } = access else { continue };
            let depends = value.is_some_and(|value| accesses.depends(value));
            if depends || writes {
                let what =
                    if depends { "its result depends on the iteration" } else { "the rest is skipped" };
                self.diagnostics.push(
                    Diagnostic::warning(
                        "dependent-iterations",
                        binder.span,
                        "the iterations over a scalarset could depend on each other through `return`",
                    )
                    .also(*span, format!("the loop is left here, and {what}"))
                    .help("the elements of a scalarset have no order, so the result must not depend on one"),
                );
                return;
            }
        }
    }

    /// Whether the order of iterations can be seen in a place that all of them share.
    fn is_coupled(&self, place: &Path<'m>, accesses: &Accesses<'m>) -> bool {
        let mut first_is_write = None;
        let mut read = false;
        let mut forms: Vec<(Form, Option<&Expression>)> = Vec::new();
        for access in &accesses.list {
            match access {
                Access::Read(path) if path.overlaps(place) => {
                    read = true;
                    first_is_write.get_or_insert(false);
                }
                Access::Write { path, form, value, .. } if path.overlaps(place) => {
                    first_is_write.get_or_insert(*form == Form::Plain);
                    forms.push((*form, *value));
                }
                Access::Read(_) | Access::Write { .. } | Access::Return { .. } => {}
            }
        }
        // A local that each iteration writes before it reads it carries nothing over.
        if read && first_is_write == Some(true) && self.is_own_storage(place.root) {
            return false;
        }
        if read {
            return true;
        }
        let Some((first, first_value)) = forms.first() else { return false };
        if forms.iter().any(|(form, _)| form != first) {
            return true;
        }
        match first {
            Form::Sum | Form::And | Form::Or | Form::Maximum | Form::Minimum | Form::Bag => false,
            Form::Unknown => true,
            Form::Plain => {
                let depends =
                    forms.iter().any(|(_, value)| value.is_some_and(|value| accesses.depends(value)));
                depends || forms.iter().any(|(_, value)| !same_constant(*value, *first_value, forms.len()))
            }
        }
    }

    fn is_own_storage(&self, root: PathRoot) -> bool {
        match root {
            PathRoot::Global(_) => false,
            PathRoot::Local(local) => self.kind(local) == Some(LocalKind::Storage),
            PathRoot::Temporary => true,
        }
    }

    fn kind(&self, local: LocalId) -> Option<LocalKind> {
        self.frame.locals.get(local.index()).map(|local| local.kind)
    }

    fn name(&self, root: PathRoot) -> &str {
        match root {
            PathRoot::Global(global) => {
                self.model.globals.get(global.index()).map_or("", |global| global.name.as_str())
            }
            PathRoot::Local(local) => {
                self.frame.locals.get(local.index()).map_or("", |local| local.name.as_str())
            }
            PathRoot::Temporary => "",
        }
    }
}

/// Whether two writes leave the same behind: the same constant, both nothing, or they are one write.
fn same_constant(left: Option<&Expression>, right: Option<&Expression>, writes: usize) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => {
            let (one, other) = (super::constants::value_of(left), super::constants::value_of(right));
            writes == 1 || (one.is_some() && one == other)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn is_symmetric(model: &Model, ty: TypeId) -> bool {
    match model.types.get(ty.index()).map(|ty| &ty.kind) {
        Some(TypeKind::Scalarset { .. }) => true,
        Some(TypeKind::Union(union)) => union.members.iter().any(|member| is_symmetric(model, member.ty)),
        Some(
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Array { .. }
            | TypeKind::Record { .. }
            | TypeKind::Multiset { .. },
        )
        | None => false,
    }
}

fn type_words(model: &Model, ty: TypeId) -> String {
    match model.types.get(ty.index()).and_then(|ty| ty.name.as_ref()) {
        Some(name) => format!("`{name}`"),
        None => "a scalarset".to_owned(),
    }
}
