//! A model in which violating states are found early, by one thread, and are met again later, by
//! several.
//!
//! "jump" leads from the start to 32 violating states. A detour of six steps leads close to the
//! same states, where "approach" and "switch on" are independent: one order goes through the
//! violating state, where the search ends, the other one round it. So every rule must be awake
//! there, in every thread, or the states behind are lost.

use super::{names, numbers};
use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Layout, One, SimpleCell};
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::independence::{Independence, Relation};
use mcc_runtime::model::{
    Description, Family, Firing, Model, Parameter, Position, Property, PropertyId, PropertyKind, RuleId,
    Simple, StartId, Type, Variable, Violation,
};
use mcc_runtime::successors::Successors;

/// Ways of both kinds.
const WAYS: u32 = 32;
/// Steps of the detour.
const STEPS: i64 = 6;
const START: i64 = 0;
const THERE: i64 = 1;
const CLOSE: i64 = 2;

/// Whether the states that are found only by the detour are violating, too.
#[derive(Clone, Copy, Debug)]
pub struct Detour {
    pub behind: bool,
}

// The rules, by their first instance.
const JUMP: u32 = 0;
const COUNT: u32 = WAYS;
const ARRIVE: u32 = WAYS + 1;
const APPROACH: u32 = 2 * WAYS + 1;
const SWITCH_ON: u32 = APPROACH + 1;
const INSTANCES: u32 = SWITCH_ON + 1;

/// Only "approach" and "switch on" are independent.
pub static INDEPENDENCE: Independence = Independence {
    relations: &[Relation::Dependent, Relation::Independent],
    // Each family with itself and with those after it.
    rows: &[&[0, 0, 0, 0, 0], &[0, 0, 0, 0], &[0, 0, 0], &[0, 1], &[0]],
};

#[repr(C, align(8))]
struct State {
    place: One<0>,
    on: One<0>,
    powered: One<0>,
    way: One<0>,
    step: One<0>,
    rest: [One<0>; 3],
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

static PLACE: Type = Type::Simple(names("place", &["start", "there", "close"]));
static FLAG: Type = Type::Simple(names("boolean", &["false", "true"]));
static INDEX: Simple = numbers("0..31", 0, WAYS as i64 - 1);
static WAY: Type = Type::Simple(numbers("0..31", 0, WAYS as i64 - 1));
static STEP: Type = Type::Simple(numbers("0..6", 0, STEPS));
const HERE: Position = Position { line: 1, column: 1 };
static EACH: [Parameter; 1] = [Parameter { name: "w", ty: &INDEX, first: 0, step: 1, count: WAYS }];

static DESCRIPTION: Description = Description {
    constants: &[],
    name: "detour.m",
    source: "",
    fingerprint: 17,
    words: 1,
    variables: &[
        Variable { name: "place", offset: 0, ty: &PLACE },
        Variable { name: "on", offset: 1, ty: &FLAG },
        Variable { name: "powered", offset: 2, ty: &FLAG },
        Variable { name: "way", offset: 3, ty: &WAY },
        Variable { name: "step", offset: 4, ty: &STEP },
    ],
    starts: &[Family { name: "start", position: HERE, parameters: &[], first: 0, instances: 1 }],
    rules: &[
        Family { name: "jump", position: HERE, parameters: &EACH, first: JUMP, instances: WAYS },
        Family { name: "count", position: HERE, parameters: &[], first: COUNT, instances: 1 },
        Family { name: "arrive", position: HERE, parameters: &EACH, first: ARRIVE, instances: WAYS },
        Family { name: "approach", position: HERE, parameters: &[], first: APPROACH, instances: 1 },
        Family { name: "switch on", position: HERE, parameters: &[], first: SWITCH_ON, instances: 1 },
    ],
    properties: &[
        Property { kind: PropertyKind::Invariant, name: "on when there", position: HERE },
        Property { kind: PropertyKind::Invariant, name: "never there", position: HERE },
    ],
    cover_statements: &[],
    parts: &[],
    scalarsets: &[],
    sites: &[Site { position: HERE, kind: FaultKind::Pruned, message: "" }],
};

fn guard(state: &State, rule: u32) -> Result<bool, Fault> {
    let (place, step) = (state.place.get(0)?, state.step.get(0)?);
    Ok(match rule {
        COUNT => place == START && step < STEPS,
        APPROACH => place == CLOSE,
        SWITCH_ON => state.powered.get(0)? == 1 && state.on.get(0)? == 0,
        _ if rule < COUNT => place == START && step == 0,
        _ => place == START && step == STEPS,
    })
}

fn body(state: &State, rule: u32) -> Result<(), Fault> {
    let go = |place: i64, way: u32| {
        state.place.set(place);
        state.powered.set(1);
        state.way.set(i64::from(way));
        state.step.set(0);
    };
    match rule {
        COUNT => state.step.set(state.step.get(0)? + 1),
        APPROACH => state.place.set(THERE),
        SWITCH_ON => state.on.set(1),
        _ if rule < COUNT => go(THERE, rule - JUMP),
        _ => go(CLOSE, rule - ARRIVE),
    }
    Ok(())
}

impl Model for Detour {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn independence(&self) -> Option<&'static Independence> {
        Some(&INDEPENDENCE)
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        for cell in [&state.place, &state.on, &state.powered, &state.way, &state.step] {
            cell.set(0);
        }
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        let state = State::view(state);
        for rule in 0..INSTANCES {
            successors.attempt(rule, state, guard(state, rule), |next| body(next, rule));
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        match guard(state, rule.0).and_then(|holds| holds.then(|| body(state, rule.0)).transpose()) {
            Ok(None) => Firing::Disabled,
            Ok(Some(())) => Firing::Fired,
            Err(fault) => Firing::Faulted(fault),
        }
    }

    fn check(&self, _: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let state = State::view(state);
        let there = state.place.value() == Some(THERE);
        let on = state.on.value() == Some(1);
        let violated = |property| Err(Violation { property: PropertyId(property), fault: None });
        match (there, on) {
            (true, false) => violated(0),
            (true, true) if self.behind => violated(1),
            _ => Ok(()),
        }
    }
}
