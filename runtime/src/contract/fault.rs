//! What goes wrong inside a rule: a value that names a place in the model, never a panic.
//!
//! A [`Fault`] is only the number of its [`Site`], so that a `Result<i64, Fault>` travels in two
//! registers through the hottest code there is. The number that caused it (the index that was out
//! of range, say) is left in a cell of the thread, and [`Fault::value`] picks it up from there;
//! faults are rare, and each is looked at before the next one can happen.

use crate::contract::model::Position;
use std::cell::Cell;
use std::num::NonZeroU32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault(NonZeroU32);

/// The kinds of run-time errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Not an error: an `assume` did not hold. Only site 0 ([`Fault::PRUNED`]) is of this kind.
    Pruned,
    /// An assertion in a rule or function is false.
    Assertion,
    /// An `error` statement was reached.
    ErrorStatement,
    /// A value does not fit the variable that it is assigned to.
    Range,
    /// An array index is outside the array.
    Index,
    /// An undefined value was used.
    Undefined,
    Division,
    Overflow,
    /// A loop ran more often than `--loop-limit` allows.
    LoopBound,
    /// A function ended without `return`.
    MissingReturn,
    /// `multisetadd` to a multiset whose slots are all taken, or a use of an empty slot.
    Multiset,
    /// Calls nested deeper than any sensible model needs.
    Recursion,
}

/// A place in the model where a fault can arise.
#[derive(Debug)]
pub struct Site {
    pub kind: FaultKind,
    pub position: Position,
    /// What the message says, complete but for the offending number. Where a number makes sense,
    /// `{}` stands in its place.
    pub message: &'static str,
}

thread_local! {
    static VALUE: Cell<i64> = const { Cell::new(0) };
}

impl Fault {
    /// An `assume` in the rule does not hold: it is as if the rule were not enabled.
    pub const PRUNED: Fault = Fault(NonZeroU32::MIN);

    /// The successor breaks an assumption about all states: the rule fired, but the state does not
    /// count.
    pub const EXCLUDED: Fault = Fault(NonZeroU32::MAX);

    /// A fault at the site of this number.
    #[cold]
    #[inline(never)]
    pub fn at(site: u32) -> Fault {
        Fault(NonZeroU32::MIN.saturating_add(site))
    }

    /// The fault of a site, with the number that caused it.
    #[cold]
    #[inline(never)]
    pub fn with(site: u32, value: i64) -> Fault {
        VALUE.set(value);
        Fault::at(site)
    }

    /// The position in [`crate::contract::model::Description::sites`].
    pub fn site(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The number that caused the last fault of this thread; meaningful only right after it.
    pub fn value() -> i64 {
        VALUE.get()
    }
}
