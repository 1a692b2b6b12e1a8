//! Which local variables are still read after a loop.

use std::collections::{BTreeSet, HashMap};

use crate::semantics::model::{LocalId, Place, Root, Statement, StatementKind};
use crate::semantics::visit::{Nesting, PlaceUse, Visit, walk_parts, walk_place};
use crate::source::Span;

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

    /// Backwards: `live` is what is read after the statements, and becomes what is read from them
    /// on. The first time, only the turns of loops are looked at, from the inside out, so that
    /// nothing is walked more than twice.
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
        let mut uses = Uses::default();
        walk_parts(&mut uses, statement);
        uses.replaced.iter().for_each(|local| {
            live.remove(local);
        });
        match Nesting::of(statement) {
            Nesting::Nothing => {}
            Nesting::Branches(bodies) => {
                let after = live.clone();
                live.clear();
                for body in bodies {
                    let mut inside = after.clone();
                    self.statements(body, &mut inside, first);
                    live.extend(inside);
                }
            }
            Nesting::Loop(body) => {
                let mut at = statement.span;
                if let StatementKind::For { binder, .. } = &statement.kind {
                    at = binder.span;
                    if !first {
                        self.after.insert(at, live.clone());
                    }
                } else {
                    // The condition is evaluated after each turn.
                    live.extend(&uses.read);
                }
                self.turns(at, body, live, first);
            }
            Nesting::Once(body) => {
                self.statements(body, live, first);
                self.renamed.extend(&uses.renamed);
            }
        }
        live.extend(uses.read);
    }
}

/// The locals that stand in a statement.
#[derive(Default)]
struct Uses {
    /// Those that it may read, a part or all of them.
    read: Locals,
    /// Those of which it replaces all.
    replaced: Locals,
    /// Those that get another name.
    renamed: Locals,
}

impl<'m> Visit<'m> for Uses {
    fn visit_place(&mut self, place: &'m Place, usage: PlaceUse) {
        if let Root::Local(local) = &place.root {
            match usage {
                PlaceUse::Assigned | PlaceUse::Replaced => {
                    if place.steps.is_empty() {
                        self.replaced.insert(*local);
                    }
                }
                PlaceUse::Aliased => {
                    self.read.insert(*local);
                    self.renamed.insert(*local);
                }
                PlaceUse::Read
                | PlaceUse::Tested
                | PlaceUse::Counted
                | PlaceUse::Changed
                | PlaceUse::Passed => {
                    self.read.insert(*local);
                }
            }
        }
        walk_place(self, place);
    }
}
