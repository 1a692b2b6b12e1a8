//! Loops over scalarsets whose iterations could depend on each other.
//!
//! Symmetry reduction takes for granted that the elements of a scalarset can be exchanged, so the result of
//! a `for` over one must not depend on the order of its iterations. The check looks at each pair of a write and
//! another access that may meet in two iterations:
//!
//! - `a[i]` and `a[i]` never do, where `i` is the loop variable;
//! - adding to a place, joining it with `&` or `|`, keeping its maximum or minimum, and adding to a multiset
//!   give the same result in any order, and so does writing the same value every time;
//! - a local variable that every iteration writes before it reads it carries nothing over, unless it is
//!   read after the loop.
//!
//! Everything else is a warning that names the variable. Calls are followed (see [`super::accesses`]). A quantifier
//! stops early, so a function that it calls must not write anything; nor must one in a condition on the
//! elements of a multiset, which have no order either.

use std::collections::HashSet;

use super::accesses::{Access, Accesses, Direction, Form, Path, PathRoot, Written};
use super::liveness::Liveness;
use super::model::{
    AliasBinding, Binder, Expression, ExpressionKind, Frame, LocalId, LocalKind, Model, Place, Scope,
    Statement, StatementKind, TypeId, TypeKind,
};
use super::reach::Reach;
use super::walk::{each, expressions_of};
use crate::diagnostics::Diagnostic;
use crate::syntax::span::Span;

/// How often two accesses of a loop's body may be compared, in all loops of a model together.
const MOST_COMPARISONS: usize = 20_000_000;

const HELP: &str = "the elements of a scalarset have no order, so the result must not depend on one";

pub(super) fn warn(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    if !model.types.iter().any(|ty| matches!(ty.kind, TypeKind::Scalarset { .. })) {
        return;
    }
    let reach = Reach::new(model);
    let mut comparisons_left = MOST_COMPARISONS;
    let functions = model.functions.iter().map(|one| (&one.frame, [].as_slice(), one.body.as_slice(), None));
    let starts = model.starts.iter();
    let starts = starts.map(|one| (&one.frame, one.scopes.as_slice(), one.body.as_slice(), None));
    let rules = model.rules.iter();
    let rules = rules.map(|one| (&one.frame, one.scopes.as_slice(), one.body.as_slice(), one.guard.as_ref()));
    for (frame, scopes, body, guard) in functions.chain(starts).chain(rules) {
        let aliases = scopes.iter().filter_map(|scope| match scope {
            Scope::Alias(binding) => Some(binding),
            Scope::Parameter(_) | Scope::Choose { .. } => None,
        });
        let mut search = Search {
            model,
            frame,
            reach: &reach,
            liveness: Liveness::new(body),
            diagnostics,
            aliases: aliases.collect(),
            comparisons_left,
        };
        guard.into_iter().for_each(|guard| search.expression(guard));
        search.statements(body);
        comparisons_left = search.comparisons_left;
    }
}

struct Search<'m, 'd> {
    model: &'m Model,
    frame: &'m Frame,
    reach: &'m Reach,
    liveness: Liveness,
    diagnostics: &'d mut Vec<Diagnostic>,
    /// The aliases around the statement at hand.
    aliases: Vec<&'m AliasBinding>,
    comparisons_left: usize,
}

impl<'m> Search<'m, '_> {
    fn statements(&mut self, statements: &'m [Statement]) {
        for statement in statements {
            let mut expressions = Vec::new();
            expressions_of(statement, &mut |expression| expressions.push(expression));
            expressions.into_iter().for_each(|expression| self.expression(expression));
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
                StatementKind::MultisetRemovePredicate { multiset, condition, .. } => {
                    self.condition_on_slots(multiset, condition, statement.span);
                }
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
                | StatementKind::MultisetRemove { .. } => {}
            }
        }
    }

    /// Quantifiers and conditions on elements that call functions with effects.
    fn expression(&mut self, expression: &'m Expression) {
        let mut calls = false;
        each(expression, &mut |part| calls |= matches!(part.kind, ExpressionKind::Call(_)));
        if !calls {
            return;
        }
        let mut found = Vec::new();
        each(expression, &mut |part| match &part.kind {
            ExpressionKind::Forall { .. }
            | ExpressionKind::Exists { .. }
            | ExpressionKind::MultisetCount { .. } => found.push(part),
            _ => {}
        });
        for part in found {
            match &part.kind {
                ExpressionKind::Forall { binder, body } | ExpressionKind::Exists { binder, body } => {
                    let ty = self.frame.locals.get(binder.variable.index()).map(|local| local.ty);
                    if ty.is_some_and(|ty| self.model.is_symmetric(ty)) {
                        self.effects_of(binder.variable, body, binder.span, "this quantifier");
                    }
                }
                ExpressionKind::MultisetCount { multiset, condition, .. } => {
                    self.condition_on_slots(multiset, condition, part.span);
                }
                _ => {}
            }
        }
    }

    fn condition_on_slots(&mut self, multiset: &'m Place, condition: &'m Expression, span: Span) {
        let element = match self.model.types.get(multiset.ty.index()).map(|ty| &ty.kind) {
            Some(TypeKind::Multiset { element, .. }) => *element,
            _ => return,
        };
        if has_elements(self.model, element) {
            // No variable is told from the others here, so every write is one to a place that all share.
            self.effects_of(
                LocalId(u32::MAX),
                condition,
                span,
                "this condition on the elements of a multiset",
            );
        }
    }

    /// Where the order of evaluation is nobody's business, nothing may be written.
    fn effects_of(&mut self, variable: LocalId, body: &'m Expression, span: Span, what: &str) {
        let mut calls = false;
        each(body, &mut |part| calls |= matches!(part.kind, ExpressionKind::Call(_)));
        if !calls {
            return;
        }
        let mut accesses = Accesses::new(self.model, self.reach, self.frame, variable);
        self.aliases.iter().for_each(|binding| accesses.outer_alias(binding));
        accesses.read(body);
        let write = accesses.list.iter().find_map(|access| match access {
            Access::Write { path, span, .. } if self.is_shared(path.root) => Some((path.root, *span)),
            Access::Write { .. } | Access::Read { .. } | Access::Return { .. } => None,
        });
        if let Some((root, written)) = write {
            let name = self.name(root);
            self.diagnostics.push(
                Diagnostic::warning(
                    "dependent-iterations",
                    span,
                    format!("{what} calls a function that writes `{name}`, and the order of the calls could be seen in it"),
                )
                .also(written, format!("`{name}` is written here"))
                .help(HELP),
            );
        }
    }

    fn for_loop(&mut self, binder: &'m Binder, body: &'m [Statement]) {
        let Some(local) = self.frame.locals.get(binder.variable.index()) else { return };
        if !self.model.is_symmetric(local.ty) {
            return;
        }
        let mut accesses = Accesses::new(self.model, self.reach, self.frame, binder.variable);
        self.aliases.iter().for_each(|binding| accesses.outer_alias(binding));
        accesses.statements(body);
        let writes = accesses.list.iter().filter(|access| matches!(access, Access::Write { .. })).count();
        let Some(left) = self.comparisons_left.checked_sub(writes * accesses.list.len()) else { return };
        self.comparisons_left = left;
        let mut named: Vec<PathRoot> = Vec::new();
        for access in &accesses.list {
            let Access::Write { path, span, .. } = access else { continue };
            if !self.is_shared(path.root) || named.contains(&path.root) {
                continue;
            }
            if self.is_coupled(access, &accesses, binder.span) {
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
                    .help(HELP),
                );
            }
        }
        self.check_return(binder, &accesses);
    }

    /// Leaving the loop early is fine for a search that changes nothing and finds the same for everyone.
    fn check_return(&mut self, binder: &Binder, accesses: &Accesses<'m>) {
        let writes = accesses.list.iter().any(|access| match access {
            Access::Write { path, .. } => self.is_shared(path.root) && !self.is_own_storage(path.root),
            Access::Read { .. } | Access::Return { .. } => false,
        });
        let mut first: Option<&Option<Written>> = None;
        for access in &accesses.list {
            let Access::Return { value, span } = access else { continue };
            let depends = value.as_ref().is_some_and(|value| depends(value, accesses));
            let differs = first.is_some_and(|first| !same_result(first, value));
            first.get_or_insert(value);
            if depends || differs || writes {
                let what = match (depends, differs) {
                    (true, _) => "its result depends on the iteration",
                    (false, true) => "an earlier `return` has another result",
                    (false, false) => "the rest is skipped",
                };
                self.diagnostics.push(
                    Diagnostic::warning(
                        "dependent-iterations",
                        binder.span,
                        "the iterations over a scalarset could depend on each other through `return`",
                    )
                    .also(*span, format!("the loop is left here, and {what}"))
                    .help(HELP),
                );
                return;
            }
        }
    }

    /// Whether the order of iterations can be seen where one of them writes.
    fn is_coupled(&self, write: &Access, accesses: &Accesses<'m>, binder: Span) -> bool {
        let Access::Write { path, form, value, at, .. } = write else { return false };
        let own = self.is_own_storage(path.root);
        let kept = match path.root {
            PathRoot::Local(0, local) if own => self.liveness.is_live_after(binder, local),
            PathRoot::Local(..) | PathRoot::Global(_) | PathRoot::Temporary => true,
        };
        // What the iteration has written itself is not what another one left behind.
        let fresh = |at, path: &Path| own && accesses.is_written(at, path);
        for other in &accesses.list {
            match other {
                Access::Read { path: read, at } => {
                    let is_fresh = fresh(*at, read) || (own && accesses.is_written_for_all(*at, path));
                    if meet(path, read) && !is_fresh {
                        return true;
                    }
                }
                Access::Write {
                    path: second, form: other_form, value: other_value, at: other_at, ..
                } => {
                    if !meet(path, second) {
                        continue;
                    }
                    let is_plain = |form: &Form, at, path: &Path| *form == Form::Plain || fresh(at, path);
                    let scratch =
                        !kept && is_plain(form, *at, path) && is_plain(other_form, *other_at, second);
                    if scratch {
                        continue;
                    }
                    let same = match (form, other_form) {
                        (Form::Plain, Form::Plain) => {
                            let one = std::ptr::eq(write, other);
                            !depends(value, accesses) && (one || same_value(value, other_value))
                        }
                        (Form::Unknown, _) | (_, Form::Unknown) => false,
                        // Up and down: whether it leaves its range in between depends on the order.
                        (Form::Sum(Some(Direction::Up)), Form::Sum(Some(Direction::Down)))
                        | (Form::Sum(Some(Direction::Down)), Form::Sum(Some(Direction::Up))) => false,
                        (Form::Sum(_), Form::Sum(_)) => true,
                        (
                            Form::Plain
                            | Form::Sum(_)
                            | Form::And
                            | Form::Or
                            | Form::Maximum
                            | Form::Minimum
                            | Form::Add
                            | Form::Remove,
                            _,
                        ) => form == other_form,
                    };
                    if !same {
                        return true;
                    }
                }
                Access::Return { .. } => {}
            }
        }
        false
    }

    /// Whether a variable outlives an iteration: those of the functions that it calls do not.
    fn is_shared(&self, root: PathRoot) -> bool {
        match root {
            PathRoot::Global(_) => true,
            PathRoot::Local(activation, _) => activation == 0,
            PathRoot::Temporary => false,
        }
    }

    fn is_own_storage(&self, root: PathRoot) -> bool {
        match root {
            PathRoot::Global(_) => false,
            PathRoot::Local(_, local) => {
                self.frame.locals.get(local.index()).map(|local| local.kind) == Some(LocalKind::Storage)
            }
            PathRoot::Temporary => true,
        }
    }

    fn name(&self, root: PathRoot) -> &str {
        match root {
            PathRoot::Global(global) => {
                self.model.globals.get(global.index()).map_or("", |global| global.name.as_str())
            }
            PathRoot::Local(_, local) => {
                self.frame.locals.get(local.index()).map_or("", |local| local.name.as_str())
            }
            PathRoot::Temporary => "",
        }
    }
}

/// Whether two paths may lead to the same storage in two different iterations.
fn meet(left: &Path, right: &Path) -> bool {
    left.overlaps(right) && !left.is_apart(right)
}

fn depends(value: &Written, accesses: &Accesses) -> bool {
    match value {
        Written::Constant(_) | Written::Undefined | Written::Cleared => false,
        Written::Computed(term) => accesses.depends(term),
    }
}

/// Whether two writes certainly leave the same behind.
fn same_value(left: &Written, right: &Written) -> bool {
    match (left, right) {
        (Written::Constant(left), Written::Constant(right)) => left == right,
        (Written::Undefined, Written::Undefined) | (Written::Cleared, Written::Cleared) => true,
        (Written::Constant(_) | Written::Undefined | Written::Cleared | Written::Computed(_), _) => false,
    }
}

fn same_result(left: &Option<Written>, right: &Option<Written>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => same_value(left, right),
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether elements of scalarsets are inside the values of a type, so that sorting them means something.
fn has_elements(model: &Model, ty: TypeId) -> bool {
    // Types share their parts, so each is looked at once.
    let mut seen = HashSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match model.types.get(ty.index()).map(|ty| &ty.kind) {
            Some(TypeKind::Array { index, element }) => open.extend([*index, *element]),
            Some(TypeKind::Record { fields }) => open.extend(fields.iter().map(|field| field.ty)),
            Some(TypeKind::Multiset { element, .. }) => open.push(*element),
            Some(_) if model.is_symmetric(ty) => return true,
            Some(_) | None => {}
        }
    }
    false
}

fn type_words(model: &Model, ty: TypeId) -> String {
    match model.types.get(ty.index()).and_then(|ty| ty.name.as_ref()) {
        Some(name) => format!("`{name}`"),
        None => "a scalarset".to_owned(),
    }
}
