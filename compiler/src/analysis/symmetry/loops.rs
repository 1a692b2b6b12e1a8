//! Loops over scalarsets: proved to give the same result in any order of their iterations, or not
//! proved.
//!
//! # What is proved
//! A *result* is the state after the loop, or that something failed (no matter what), or that an
//! assumption excludes the state, or what is returned. It is the same in any order if
//!
//! 1. whatever an iteration reads is not written by another one, so that each iteration does the
//!    same whenever its turn comes. What counts as another place, see [`super::path`]; a place that
//!    only the iteration with `i = x` comes to is left alone by the others.
//! 2. what two iterations write is written in a way that commutes, failures included: the same
//!    value every time, or one kind of update ([`super::updates`]). A read that is part of such an
//!    update is no read.
//! 3. the same statement, executed by several iterations, may read what it wrote before, if it uses
//!    nothing of the iteration: it is then one function, applied some number of times. Nothing else
//!    may write what it reads, or see what it has written, and it must not return from what
//!    surrounds it.
//! 4. a local variable that each iteration writes before it reads it carries nothing over, unless
//!    it is read after the loop.
//! 5. with `assume` in the loop nothing may fail, with `cover` nothing may fail or be assumed:
//!    which of them comes first would show.
//! 6. with `return` in the loop nothing may fail, be assumed, covered or written, and what is
//!    returned is always the same.
//!
//! Whatever is not covered by this is not proved, and neither is a loop that is too large to be
//! looked at.

use std::cell::Cell;

use super::liveness::Liveness;
use super::near::Near;
use super::path::{Base, LoopPath, PathPart};
use super::walker::{Form, IterationAccess, IterationWalker, IterationWrite};
use crate::semantics::model::Model;
use crate::source::Span;

/// How many pairs of accesses are compared.
const MOST_PAIRS: usize = 5_000_000;

/// Why a loop is not proved: in words, with the place and the text for a label.
pub(super) struct Finding {
    pub base: Option<Base>,
    pub message: String,
    pub label: Option<(Span, String)>,
}

impl Finding {
    fn plain(message: &str, span: Option<Span>, label: &str) -> Finding {
        let label = span.map(|span| (span, label.to_string()));
        Finding { base: None, message: message.to_string(), label }
    }
}

/// Everything that stands against a loop that has been walked through.
pub(super) fn judge(
    walker: &IterationWalker<'_>,
    liveness: &Liveness,
    binder: Span,
    name: &dyn Fn(Base) -> String,
) -> Vec<Finding> {
    let subject = "the iterations over a scalarset could depend on each other";
    if walker.gave_up {
        let message = format!(
            "{subject}: this loop is too large or calls recursive functions, which is not looked into"
        );
        return vec![Finding { base: None, message, label: None }];
    }
    let writes: Vec<&IterationAccess> =
        walker.accesses.iter().filter(|access| access.write.is_some()).collect();
    let judge = Judge {
        walker,
        model: walker.model,
        near: Near::new(walker.accesses.iter()),
        near_writes: Near::new(writes.iter().copied()),
        writes,
        scratch: Vec::new(),
        uniform: Vec::new(),
        pairs: Cell::new(0),
    };
    judge.run(liveness, binder, name).unwrap_or_else(|| {
        let message = format!("{subject}: this loop is too large to be looked into");
        vec![Finding { base: None, message, label: None }]
    })
}

struct Judge<'w, 'm> {
    walker: &'w IterationWalker<'m>,
    model: &'m Model,
    writes: Vec<&'w IterationAccess>,
    near: Near<'w>,
    near_writes: Near<'w>,
    /// Local variables that carry nothing over.
    scratch: Vec<Base>,
    /// For each statement that uses nothing of the iteration: whether nothing else writes what it
    /// reads.
    uniform: Vec<bool>,
    /// How many pairs have been compared.
    pairs: Cell<usize>,
}

impl Judge<'_, '_> {
    fn run(
        mut self,
        liveness: &Liveness,
        binder: Span,
        name: &dyn Fn(Base) -> String,
    ) -> Option<Vec<Finding>> {
        self.find_scratch(liveness, binder);
        self.find_uniform();
        let mut found: Vec<Finding> = Vec::new();
        for write in &self.writes {
            let base = write.path.base;
            if found.iter().any(|finding| finding.base == Some(base)) || self.is_private(base) {
                continue;
            }
            if self.pairs.get() > MOST_PAIRS {
                return None;
            }
            if self.near.to(&write.path).any(|other| self.is_coupled(write, other)) {
                let name = name(base);
                found.push(Finding {
                    base: Some(base),
                    message: format!("could depend on each other through `{name}`"),
                    label: Some((write.span, format!("`{name}` is written here"))),
                });
            }
        }
        found.extend(self.early_ends());
        (self.pairs.get() <= MOST_PAIRS).then_some(found)
    }

    /// Counts a comparison; beyond a bound nothing is proved, and whatever is answered does not
    /// matter.
    fn is_too_much(&self) -> bool {
        self.pairs.set(self.pairs.get() + 1);
        self.pairs.get() > MOST_PAIRS
    }

    fn is_private(&self, base: Base) -> bool {
        match base {
            Base::Temporary => true,
            Base::Local(activation, _) => activation > 0 || self.scratch.contains(&base),
            Base::Global(_) | Base::Reference(..) => false,
        }
    }

    fn find_scratch(&mut self, liveness: &Liveness, binder: Span) {
        let mut candidates: Vec<Base> = Vec::new();
        for write in &self.writes {
            if let Base::Local(0, local) = write.path.base
                && !candidates.contains(&write.path.base)
                && !liveness.is_live_after(binder, local)
            {
                candidates.push(write.path.base);
            }
        }
        candidates.retain(|base| {
            self.near
                .to(&LoopPath::new(*base))
                .filter(|access| access.path.base == *base)
                .all(|access| access.fresh)
        });
        self.scratch = candidates;
    }

    /// A statement that uses nothing of the iteration does the same each time only if nothing else,
    /// in its own iteration or in another, writes what it reads.
    fn find_uniform(&mut self) {
        self.uniform = vec![true; self.walker.next_statement as usize];
        for access in &self.walker.accesses {
            let Some(number) = access.uniform else { continue };
            // And nothing else, not even in the same iteration, may see what it has written.
            let list = if access.write.is_some() { &self.near } else { &self.near_writes };
            let disturbed = list.to(&access.path).any(|other| {
                self.is_too_much()
                    || other.uniform != Some(number) && !access.path.is_apart(&other.path, self.model)
            });
            if disturbed && let Some(entry) = self.uniform.get_mut(number as usize) {
                *entry = false;
            }
        }
    }

    /// Whether the order of two iterations can be seen where one of them writes and the other one
    /// comes, too.
    fn is_coupled(&self, write: &IterationAccess, other: &IterationAccess) -> bool {
        let Some(form) = &write.write else { return false };
        if self.is_too_much() {
            return true;
        }
        let bag = |path: &LoopPath| LoopPath {
            base: path.base,
            parts: path
                .parts
                .iter()
                .take_while(|part| !matches!(part, PathPart::Keyed(_)))
                .cloned()
                .collect(),
        };
        let apart = match &other.write {
            // Elements of their own they may be, but room in the bag is for all.
            Some(second) if !removes(form) || !removes(second) => {
                bag(&write.path).is_apart(&bag(&other.path), self.model)
            }
            Some(_) | None => write.path.is_apart(&other.path, self.model),
        };
        if apart || self.in_one_iteration(write, other) {
            return false;
        }
        if let (Some(one), Some(two)) = (write.uniform, other.uniform)
            && one == two
            && self.uniform.get(one as usize) == Some(&true)
        {
            return false;
        }
        match &other.write {
            // The element that is read is written by one iteration only, with what is there
            // already.
            None => {
                let reads = write.broadcast.and_then(|number| self.walker.broadcasts.get(number));
                write.broadcast != other.broadcast || !reads.is_some_and(|reads| self.is_untouched(reads))
            }
            Some(second) => !self.commute(form, second),
        }
    }

    /// Both are behind the same condition on the loop variable.
    fn in_one_iteration(&self, one: &IterationAccess, two: &IterationAccess) -> bool {
        one.singles.iter().any(|single| {
            two.singles.iter().any(|other| other.term == single.term) && self.is_untouched(&single.reads)
        })
    }

    /// Nothing in the loop writes any of these.
    fn is_untouched(&self, paths: &[LoopPath]) -> bool {
        paths.iter().all(|path| {
            self.near_writes
                .to(path)
                .all(|write| !self.is_too_much() && path.is_apart(&write.path, self.model))
        })
    }

    fn commute(&self, one: &Form, two: &Form) -> bool {
        match (one, two) {
            (Form::Plain(IterationWrite::Varying), _) | (_, Form::Plain(IterationWrite::Varying)) => false,
            (Form::Unknown, _) | (_, Form::Unknown) => false,
            // Whether an element is still there when it is looked at would show.
            (Form::Remove { fails: true }, _) => false,
            (Form::Plain(IterationWrite::Fixed(one, reads)), Form::Plain(IterationWrite::Fixed(two, _))) => {
                one == two && self.is_untouched(reads)
            }
            (
                Form::Plain(_)
                | Form::Up
                | Form::Down
                | Form::And
                | Form::Or
                | Form::BitAnd
                | Form::BitOr
                | Form::Maximum
                | Form::Minimum
                | Form::Add(_)
                | Form::Remove { fails: false },
                _,
            ) => one == two,
        }
    }

    /// What ends the loop, or the rule, before its time.
    fn early_ends(&self) -> Vec<Finding> {
        let events = self.walker.events;
        let mut found = Vec::new();
        if (events.assumes && (events.fails || events.covers)) || (events.covers && events.fails) {
            found.push(Finding::plain(
                "could depend on each other through `assume` or `cover`: another iteration may fail first, or be excluded",
                None,
                "",
            ));
        }
        let Some((first, reads, span)) = self.walker.returns.first() else { return found };
        let same = self.walker.returns.iter().all(|(term, _, _)| term.is_some() && term == first);
        let writes = self.writes.iter().any(|write| !self.is_private(write.path.base));
        let reason = if !same || !self.is_untouched(reads) {
            "and its result depends on the iteration"
        } else if writes {
            "and the rest is skipped"
        } else if events.fails || events.assumes || events.covers {
            "and whether something else fails first, or is covered, depends on the order"
        } else {
            return found;
        };
        found.push(Finding::plain(
            "could depend on each other through `return`",
            Some(*span),
            &format!("the loop is left here, {reason}"),
        ));
        found
    }
}

fn removes(form: &Form) -> bool {
    matches!(form, Form::Remove { .. })
}
