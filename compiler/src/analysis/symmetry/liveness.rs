//! Which local variables are still read after a loop.

use std::collections::{BTreeSet, HashMap};

use crate::semantics::model::{
    AliasValue, Argument, Expression, ExpressionKind, LocalId, Place, Root, Statement, StatementKind,
};
use crate::semantics::walk::{each, expressions_of};
use crate::syntax::span::Span;

type Locals = BTreeSet<LocalId>;

/// For each loop of a body, by its place: the locals whose values may be read after it.
pub(super) struct Liveness {
    after: HashMap<Span, Locals>,
    /// What a turn of each loop reads before it writes it, by the place of the loop.
    turns: HashMap<Span, Locals>,
    /// Those with another name, under which they may be read as well: taken to be read always.
    renamed: Locals,
}

impl Liveness {
    pub fn new(body: &[Statement]) -> Self {
        let mut liveness = Liveness { after: HashMap::new(), turns: HashMap::new(), renamed: Locals::new() };
        liveness.statements(body, &mut Locals::new(), true);
        liveness.statements(body, &mut Locals::new(), false);
        liveness
    }

    /// Whether a local may be read after the loop whose binder stands here.
    pub fn is_live_after(&self, binder: Span, local: LocalId) -> bool {
        self.renamed.contains(&local) || self.after.get(&binder).is_none_or(|live| live.contains(&local))
    }

    /// Backwards: `live` is what is read after the statements, and becomes what is read from them on. The first
    /// time, only the turns of loops are looked at, from the inside out, so that nothing is walked more than twice.
    fn statements(&mut self, statements: &[Statement], live: &mut Locals, first: bool) {
        for statement in statements.iter().rev() {
            self.statement(statement, live, first);
        }
    }

    /// A loop may turn any number of times: what the next turn reads is read after this one.
    fn turns(&mut self, at: Span, body: &[Statement], live: &mut Locals, first: bool) {
        if first {
            let mut inside = Locals::new();
            self.statements(body, &mut inside, true);
            live.extend(inside.iter().copied());
            self.turns.insert(at, inside);
        } else {
            live.extend(self.turns.get(&at).into_iter().flatten().copied());
            self.statements(body, &mut live.clone(), false);
        }
    }

    fn statement(&mut self, statement: &Statement, live: &mut Locals, first: bool) {
        match &statement.kind {
            StatementKind::Assign { target, .. }
            | StatementKind::Copy { target, .. }
            | StatementKind::Clear(target)
            | StatementKind::Undefine(target) => {
                if let Root::Local(local) = &target.root
                    && target.steps.is_empty()
                {
                    live.remove(local);
                }
            }
            StatementKind::If { arms, otherwise } => {
                let after = live.clone();
                self.statements(otherwise, live, first);
                for (_, body) in arms {
                    let mut inside = after.clone();
                    self.statements(body, &mut inside, first);
                    live.extend(inside);
                }
            }
            StatementKind::Switch { cases, otherwise, .. } => {
                let after = live.clone();
                self.statements(otherwise, live, first);
                for case in cases {
                    let mut inside = after.clone();
                    self.statements(&case.body, &mut inside, first);
                    live.extend(inside);
                }
            }
            StatementKind::For { binder, body } => {
                if !first {
                    self.after.insert(binder.span, live.clone());
                }
                self.turns(binder.span, body, live, first);
            }
            StatementKind::While { condition, body } => {
                mention(condition, live);
                self.turns(statement.span, body, live, first);
            }
            StatementKind::Alias { binding, body } => {
                self.statements(body, live, first);
                if let AliasValue::Place(place) = &binding.value {
                    read(place, live);
                    read(place, &mut self.renamed);
                }
            }
            StatementKind::Call(call) => {
                for argument in &call.arguments {
                    if let Argument::Reference(place) = argument {
                        read(place, live);
                    }
                }
            }
            StatementKind::MultisetAdd { multiset, .. }
            | StatementKind::MultisetRemove { multiset, .. }
            | StatementKind::MultisetRemovePredicate { multiset, .. } => read(multiset, live),
            StatementKind::Error(_)
            | StatementKind::Assert { .. }
            | StatementKind::Assume { .. }
            | StatementKind::Cover { .. }
            | StatementKind::PutText(_)
            | StatementKind::PutValue(_)
            | StatementKind::Return(_) => {}
        }
        expressions_of(statement, &mut |expression| mention(expression, live));
    }
}

fn read(place: &Place, live: &mut Locals) {
    if let Root::Local(local) = &place.root {
        live.insert(*local);
    }
}

fn mention(expression: &Expression, live: &mut Locals) {
    each(expression, &mut |part| match &part.kind {
        ExpressionKind::Read(place) | ExpressionKind::IsUndefined(place) => read(place, live),
        ExpressionKind::MultisetCount { multiset, .. } => read(multiset, live),
        ExpressionKind::Call(call) => {
            for argument in &call.arguments {
                if let Argument::Reference(place) = argument {
                    read(place, live);
                }
            }
        }
        _ => {}
    });
}
