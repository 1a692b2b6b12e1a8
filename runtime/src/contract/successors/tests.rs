//! What is taken, left out and passed by, and what rules say of themselves.

use super::*;
use crate::contract::cells::{Layout, One, SimpleCell, Storage};

#[repr(C, align(8))]
struct State {
    first: One<0>,
    rest: [One<0>; 7],
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

/// What a rule says is believed; what it does not say is found out.
#[test]
fn a_change_is_said_or_found_out() {
    let mut words = [0u64];
    let state = State::view(&mut words);
    let mut successors = Successors::new(1);
    successors.attempt_with_change(0, state, Ok(true), |_| Ok(Change::Nothing));
    successors.attempt_with_change(1, state, Ok(true), |next| {
        next.first.set(3);
        Ok(Change::seen(!next.first.same(&state.first)))
    });
    // The place that is looked at stays, another one does not.
    successors.attempt_with_change(2, state, Ok(true), |next| {
        next.rest[6].set(4);
        Ok(Change::seen(!next.first.same(&state.first)))
    });
    successors.attempt_with_change(3, state, Ok(true), |next| {
        next.first.set(3);
        next.first.undefine();
        Ok(Change::seen(!next.first.same(&state.first)))
    });
    successors.attempt_with_change(4, state, Ok(false), |_| Ok(Change::Something));
    assert_eq!(successors.rules(), [RuleId(1), RuleId(2)]);
    assert_eq!(successors.unchanged(), [RuleId(0), RuleId(3)]);
    assert_eq!(successors.words(), [4, 5 << 56]);
    assert_eq!(successors.firings(), 4);
}

/// Fires ten rules of every kind: as many events, whatever the piece.
fn fire_all(state: &State, successors: &mut Successors) {
    for rule in 0..10 {
        match rule {
            2 => successors.refuse(RuleId(rule), Fault::at(7)),
            3 => successors.attempt(rule, state, Ok(true), |_| Ok(())),
            4 => successors.attempt(rule, state, Ok(true), |_| Err(Fault::EXCLUDED)),
            5 => successors.attempt(rule, state, Ok(false), |_| Ok(())),
            6 => successors.attempt_in_successor(rule, state, |next, enabled| {
                enabled.set(true);
                next.first.set(6);
                Ok(true)
            }),
            _ => successors.attempt(rule, state, Ok(true), |next| {
                next.first.set(i64::from(rule));
                Ok(())
            }),
        }
    }
}

/// However small the pieces are, all of them together are what one expansion gives, and firings
/// count all the time.
#[test]
fn pieces_together_are_the_whole() {
    let mut words = [0u64];
    let state = State::view(&mut words);
    for asleep in [0, 0b1000_0001] {
        let mut whole = Successors::new(1);
        whole.put_to_sleep(&[asleep]);
        fire_all(state, &mut whole);
        assert!(!whole.go_on());
        for bound in 1..8 {
            let mut pieces = Successors::in_pieces(1, bound);
            pieces.put_to_sleep(&[asleep]);
            let (mut states, mut rules, mut rare, mut slept, mut count) = (vec![], vec![], vec![], 0, 0);
            pieces.begin();
            loop {
                pieces.clear();
                fire_all(state, &mut pieces);
                assert!(pieces.len() <= bound && pieces.firings() == whole.firings());
                states.extend_from_slice(pieces.words());
                rules.extend_from_slice(pieces.rules());
                rare.extend(pieces.unchanged().iter().chain(pieces.excluded()).copied());
                rare.extend(pieces.faults().iter().map(|faulty| faulty.rule));
                slept += pieces.slept();
                count += 1;
                if !pieces.go_on() {
                    break;
                }
            }
            rare.sort();
            assert_eq!((&states[..], &rules[..]), (whole.words(), whole.rules()));
            assert_eq!((rare, slept), (vec![RuleId(2), RuleId(3), RuleId(4)], whole.slept()));
            assert!(count == whole.len().div_ceil(bound) || count == whole.len().div_ceil(bound) + 1);
        }
    }
}

/// Only the code of a rule knows whether it is so, and builds for debugging ask.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "what a rule says about itself is true")]
fn a_wrong_claim_is_noticed() {
    let mut words = [0u64];
    let state = State::view(&mut words);
    Successors::new(1).attempt_with_change(0, state, Ok(true), |next| {
        next.first.set(3);
        Ok(Change::Nothing)
    });
}
