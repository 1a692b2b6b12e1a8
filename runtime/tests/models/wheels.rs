//! Eight wheels that turn independently of each other: 65,536 states, enough for several threads.

use super::numbers;
use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Array, Layout, One, SimpleCell};
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::independence::{Independence, Relation};
use mcc_runtime::model::{
    Cover, Description, Family, Firing, Model, Parameter, Position, Property, PropertyId, PropertyKind,
    RuleId, Simple, StartId, Type, Variable, Violation,
};
use mcc_runtime::successors::Successors;

const WHEELS: i64 = 8;

/// What is wrong with the wheels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wheels {
    Right,
    /// The invariant breaks where the first five wheels have turned all the way: 64 states, the
    /// nearest after 15 steps.
    Broken,
    /// Nothing can happen there.
    Stuck,
    /// The last wheel cannot be turned there.
    Faulty,
    /// Six wheels turn, right or broken: 4,096 states, 580 of them in the largest level.
    Six,
    SixBroken,
}

pub static INDEPENDENT: Independence =
    Independence { relations: &[Relation::Dependent, Relation::Independent], rows: &[&[1]] };
pub static DEPENDENT: Independence = Independence { relations: &[Relation::Dependent], rows: &[&[0]] };

#[repr(C, align(8))]
struct State {
    turned: Array<One<0>, { WHEELS as usize }, 0>,
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

static INDEX: Simple = numbers("0..7", 0, WHEELS - 1);
static CELL: Type = Type::Simple(numbers("0..3", 0, 3));
static TURNED: Type = Type::Array { index: &INDEX, element: &CELL, stride: 1 };
const HERE: Position = Position { line: 1, column: 1 };
static EACH: [Parameter; 1] = [Parameter { name: "i", ty: &INDEX, first: 0, step: 1, count: WHEELS as u32 }];

static DESCRIPTION: Description = Description {
    name: "wheels.m",
    fingerprint: 3,
    words: 1,
    variables: &[Variable { name: "turned", offset: 0, ty: &TURNED }],
    starts: &[Family { name: "start", position: HERE, parameters: &[], first: 0, instances: 1 }],
    rules: &[Family { name: "turn", position: HERE, parameters: &EACH, first: 0, instances: WHEELS as u32 }],
    properties: &[
        Property { kind: PropertyKind::Invariant, name: "free", position: HERE },
        Property { kind: PropertyKind::Cover, name: "two are where they began", position: HERE },
    ],
    cover_statements: &[Cover { name: "a wheel is through", position: HERE }],
    sites: &[
        Site { position: HERE, kind: FaultKind::Pruned, message: "" },
        Site { position: HERE, kind: FaultKind::Assertion, message: "it is jammed" },
    ],
    ..Description::EMPTY
};

impl Wheels {
    fn jammed(state: &State) -> bool {
        (0..5).all(|wheel| state.turned.item(wheel).value() == Some(3))
    }

    fn guard(self, state: &State, wheel: i64) -> bool {
        match self {
            Wheels::Right | Wheels::Broken | Wheels::Faulty => true,
            Wheels::Stuck => !Self::jammed(state),
            Wheels::Six | Wheels::SixBroken => wheel < 6,
        }
    }

    fn body(self, context: &Context, state: &State, wheel: i64) -> Result<(), Fault> {
        if self == Wheels::Faulty && wheel == WHEELS - 1 && Self::jammed(state) {
            return Err(Fault::at(1));
        }
        let cell = state.turned.item(wheel);
        let next = (cell.get(0)? + 1) % 4;
        if next == 0 {
            context.cover(2);
        }
        cell.set(next);
        Ok(())
    }
}

impl Model for Wheels {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    /// Each wheel turns for itself, except where whether it can depends on the others.
    fn independence(&self) -> Option<&'static Independence> {
        Some(match self {
            Wheels::Right | Wheels::Broken | Wheels::Six | Wheels::SixBroken => &INDEPENDENT,
            Wheels::Stuck | Wheels::Faulty => &DEPENDENT,
        })
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        (0..WHEELS).for_each(|wheel| state.turned.item(wheel).set(0));
        Firing::Fired
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        let state = State::view(state);
        for wheel in 0..WHEELS {
            successors.attempt(wheel as u32, state, Ok(self.guard(state, wheel)), |next| {
                self.body(context, next, wheel)
            });
        }
    }

    fn fire(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        match self.guard(state, i64::from(rule.0)) {
            false => Firing::Disabled,
            true => match self.body(context, state, i64::from(rule.0)) {
                Ok(()) => Firing::Fired,
                Err(fault) => Firing::Faulted(fault),
            },
        }
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let state = State::view(state);
        if state.turned.item(0).value() == Some(0) && state.turned.item(1).value() == Some(0) {
            context.cover(1);
        }
        if matches!(self, Wheels::Broken | Wheels::SixBroken) && Self::jammed(state) {
            Err(Violation { property: PropertyId(0), fault: None })
        } else {
            Ok(())
        }
    }
}
