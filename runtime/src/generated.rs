//! What generated code imports: the contract, the cells, and the operations of Murphi that Rust has
//! not.
//!
//! Everything here is small and inlined: it is the vocabulary of rules, not machinery.

pub use crate::contract::bags::Bags;
pub use crate::contract::cells::{
    Array, Eight, Four, Layout, Multiset, Nine, One, SimpleCell, Storage, Two, same_normalised,
};
pub use crate::contract::context::Context;
pub use crate::contract::fault::{Fault, FaultKind, Site};
pub use crate::contract::model::*;
pub use crate::contract::selection::{Gate, Holders, Selected};
pub use crate::contract::successors::{Change, Successors};
pub use crate::contract::symmetry::{Looking, linked, mix, new_names, nothing, plain, short, start_colours};
pub use crate::contract::undefined::{OptionalCell, UNDEFINED, compared, defined};
pub use crate::reduction::tables::TableSymmetry;
pub use std::cell::Cell;

/// A value that has to lie between two bounds.
#[inline(always)]
pub fn within(value: i64, low: i64, high: i64, site: u32) -> Result<i64, Fault> {
    if value < low || value > high { Err(Fault::with(site, value)) } else { Ok(value) }
}

#[inline(always)]
fn or_fault(value: Option<i64>, site: u32) -> Result<i64, Fault> {
    match value {
        Some(value) => Ok(value),
        None => Err(Fault::at(site)),
    }
}

#[inline(always)]
pub fn add(left: i64, right: i64, site: u32) -> Result<i64, Fault> {
    or_fault(left.checked_add(right), site)
}

#[inline(always)]
pub fn subtract(left: i64, right: i64, site: u32) -> Result<i64, Fault> {
    or_fault(left.checked_sub(right), site)
}

#[inline(always)]
pub fn multiply(left: i64, right: i64, site: u32) -> Result<i64, Fault> {
    or_fault(left.checked_mul(right), site)
}

#[inline(always)]
pub fn negate(value: i64, site: u32) -> Result<i64, Fault> {
    or_fault(value.checked_neg(), site)
}

/// Rounds towards zero.
#[inline(always)]
pub fn divide(left: i64, right: i64, by_zero: u32, overflow: u32) -> Result<i64, Fault> {
    if right == 0 { Err(Fault::at(by_zero)) } else { or_fault(left.checked_div(right), overflow) }
}

/// Has the sign of the dividend. The remainder by -1 is 0, also of the smallest number.
#[inline(always)]
pub fn modulo(left: i64, right: i64, by_zero: u32, _overflow: u32) -> Result<i64, Fault> {
    if right == 0 { Err(Fault::at(by_zero)) } else { Ok(left.wrapping_rem(right)) }
}

/// Bits that leave the number are lost; by 64 and more nothing is left; a negative distance shifts
/// right.
#[inline]
pub fn shift_left(value: i64, distance: i64) -> i64 {
    match distance {
        0..=63 => value << distance,
        64.. => 0,
        _ => shift_right(value, distance.checked_neg().unwrap_or(i64::MAX)),
    }
}

/// The sign stays; a negative distance shifts left.
#[inline]
pub fn shift_right(value: i64, distance: i64) -> i64 {
    match distance {
        0..=63 => value >> distance,
        64.. => value >> 63,
        _ => shift_left(value, distance.checked_neg().unwrap_or(i64::MAX)),
    }
}

/// `from to upto by step`.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// `None` after the last one.
    next: Option<i64>,
    upto: i64,
    step: i64,
}

/// The values of a loop: none where `from` is past `upto` already. A step of zero is a fault.
#[inline]
pub fn steps(from: i64, upto: i64, step: i64, site: u32) -> Result<Steps, Fault> {
    if step == 0 {
        return Err(Fault::at(site));
    }
    Ok(Steps { next: Some(from), upto, step })
}

impl Iterator for Steps {
    type Item = i64;

    #[inline]
    fn next(&mut self) -> Option<i64> {
        let value = self.next?;
        if (self.step > 0 && value > self.upto) || (self.step < 0 && value < self.upto) {
            self.next = None;
            return None;
        }
        self.next = value.checked_add(self.step);
        Some(value)
    }
}

/// One rule instance of a model with very many rules: as [`Successors::attempt_with_change`], but
/// compiled once for all of them.
#[inline(never)]
pub fn attempt_apart<S: Layout>(
    successors: &mut Successors,
    rule: u32,
    state: &S,
    guard: Result<bool, Fault>,
    body: &mut dyn FnMut(&S) -> Result<Change, Fault>,
) {
    successors.attempt_with_change(rule, state, guard, body);
}

/// Fires one rule instance in place.
pub fn fire_one(guard: Result<bool, Fault>, body: impl FnOnce() -> Result<(), Fault>) -> Firing {
    let result = match guard {
        Ok(false) => return Firing::Disabled,
        Ok(true) => body(),
        Err(fault) if fault == Fault::PRUNED => return Firing::Disabled,
        Err(fault) => Err(fault),
    };
    match result {
        Ok(()) => Firing::Fired,
        Err(fault) if fault == Fault::PRUNED || fault == Fault::EXCLUDED => Firing::Pruned,
        Err(fault) => Firing::Faulted(fault),
    }
}

/// An invariant must hold. Where it assumes what does not hold, it says nothing about the state;
/// the others still do.
#[inline(always)]
pub fn holds(result: Result<bool, Fault>, property: u32) -> Result<(), Violation> {
    match result {
        Ok(true) | Err(Fault::PRUNED) => Ok(()),
        Ok(false) => Err(Violation { property: PropertyId(property), fault: None }),
        Err(fault) => Err(Violation { property: PropertyId(property), fault: Some(fault) }),
    }
}

/// A cover property is counted where it is reached.
#[inline(always)]
pub fn covers(context: &Context, result: Result<bool, Fault>, property: u32) -> Result<(), Violation> {
    match result {
        Ok(true) => context.cover(property as usize),
        Ok(false) | Err(Fault::PRUNED) => {}
        Err(fault) => return Err(Violation { property: PropertyId(property), fault: Some(fault) }),
    }
    Ok(())
}

/// Reports a property that is violated, where all of them are wanted.
pub fn report_violation(result: Result<(), Violation>, report: &mut dyn FnMut(Violation)) {
    if let Err(violation) = result {
        report(violation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(from: i64, upto: i64, step: i64) -> Vec<i64> {
        steps(from, upto, step, 0).map(|steps| steps.take(10).collect()).unwrap_or_default()
    }

    #[test]
    fn loops_end_where_numbers_end() {
        assert_eq!(all(1, 3, 1), [1, 2, 3]);
        assert!(all(3, 1, 1).is_empty());
        assert_eq!(all(3, 1, -1), [3, 2, 1]);
        assert_eq!(all(0, 5, 2), [0, 2, 4]);
        assert_eq!(all(i64::MAX - 1, i64::MAX, 1), [i64::MAX - 1, i64::MAX]);
        assert_eq!(all(i64::MIN, i64::MAX, i64::MAX), [i64::MIN, -1, i64::MAX - 1]);
        assert!(steps(0, 1, 0, 7).is_err());
    }

    #[test]
    fn arithmetic_at_the_edges() {
        assert!(add(i64::MAX, 1, 1).is_err());
        assert!(divide(i64::MIN, -1, 1, 2).is_err());
        assert_eq!(modulo(i64::MIN, -1, 1, 2), Ok(0));
        assert_eq!(modulo(-7, 3, 1, 2), Ok(-1));
        assert_eq!(divide(-7, 3, 1, 2), Ok(-2));
        assert_eq!((shift_left(1, 64), shift_left(3, -1), shift_right(-8, 100)), (0, 1, -1));
    }
}
