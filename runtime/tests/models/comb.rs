//! A comb: a back of states one behind the other, and from each of them a tooth that violates one
//! to three properties. Depth first, the path to a tooth is as long as the back up to there.

use super::numbers;
use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Four, Layout, One, SimpleCell};
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::generated::{covers, holds, report_violation};
use mcc_runtime::model::{
    Description, Family, Firing, Model, Position, Property, PropertyKind, RuleId, Simple, StartId, Type,
    Variable, Violation, Width,
};
use mcc_runtime::successors::Successors;

#[derive(Clone, Copy, Debug)]
pub struct Comb {
    /// The number of the last state of the back; the first is 0.
    pub last: i64,
    /// Whether there is one tooth only, at its end.
    pub one_tooth: bool,
}

#[repr(C, align(8))]
struct State {
    node: Four<0>,
    tooth: One<0>,
    rest: [One<0>; 3],
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

const HERE: Position = Position { line: 1, column: 1 };
static NODE: Type = Type::Simple(Simple { width: Width::Four, ..numbers("0..1000000", 0, 1_000_000) });
static TOOTH: Type = Type::Simple(numbers("0..1", 0, 1));

const fn family(name: &'static str, first: u32) -> Family {
    Family { name, position: HERE, parameters: &[], first, instances: 1 }
}

const fn property(kind: PropertyKind, name: &'static str) -> Property {
    Property { kind, name, position: HERE }
}

static DESCRIPTION: Description = Description {
    name: "comb.m",
    fingerprint: 29,
    words: 1,
    variables: &[
        Variable { name: "node", offset: 0, ty: &NODE },
        Variable { name: "tooth", offset: 4, ty: &TOOTH },
    ],
    starts: &[family("start", 0)],
    rules: &[family("on", 0), family("off", 1)],
    properties: &[
        property(PropertyKind::Cover, "a state"),
        property(PropertyKind::Invariant, "no tooth"),
        property(PropertyKind::Invariant, "no even tooth"),
        property(PropertyKind::Invariant, "every fourth cannot be evaluated"),
        property(PropertyKind::Invariant, "no last tooth"),
    ],
    sites: &[
        Site { position: HERE, kind: FaultKind::Pruned, message: "" },
        Site { position: HERE, kind: FaultKind::Range, message: "{} is out of range" },
    ],
    ..Description::EMPTY
};

impl Comb {
    /// The number of errors: each tooth, those with an even number, with one that four divides,
    /// and the last.
    pub fn errors(self) -> u64 {
        if self.one_tooth {
            2 + u64::from(self.last % 2 == 0) + u64::from(self.last % 4 == 0)
        } else {
            (self.last + 1 + self.last / 2 + 1 + self.last / 4 + 1 + 1) as u64
        }
    }

    fn guard(self, rule: u32, state: &State) -> bool {
        let (node, tooth) = (state.node.value().unwrap_or(0), state.tooth.value());
        match rule {
            _ if tooth == Some(1) => false,
            0 => node < self.last,
            _ => !self.one_tooth || node == self.last,
        }
    }

    fn body(rule: u32, state: &State) -> Result<(), Fault> {
        match rule {
            0 => state.node.set(state.node.get(1)? + 1),
            _ => state.tooth.set(1),
        }
        Ok(())
    }

    /// What one property says.
    fn evaluate(self, context: &Context, state: &State, property: u32) -> Result<(), Violation> {
        let (node, tooth) = (state.node.value().unwrap_or(0), state.tooth.value() == Some(1));
        match property {
            0 => covers(context, Ok(true), property),
            1 => holds(Ok(!tooth), property),
            2 => holds(Ok(!tooth || node % 2 == 1), property),
            3 if tooth && node % 4 == 0 => holds(Err(Fault::with(1, node)), property),
            3 => Ok(()),
            _ => holds(Ok(!tooth || node < self.last), property),
        }
    }
}

impl Model for Comb {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        state.node.set(0);
        state.tooth.set(0);
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        let state = State::view(state);
        for rule in 0..2 {
            successors.attempt(rule, state, Ok(self.guard(rule, state)), |next| Comb::body(rule, next));
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        match self.guard(rule.0, state).then(|| Comb::body(rule.0, state)) {
            None => Firing::Disabled,
            Some(Ok(())) => Firing::Fired,
            Some(Err(fault)) => Firing::Faulted(fault),
        }
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let state = State::view(state);
        (0..5).try_for_each(|property| self.evaluate(context, state, property))
    }

    fn check_all(&self, context: &Context, state: &mut [u64], report: &mut dyn FnMut(Violation)) {
        let state = State::view(state);
        (0..5).for_each(|property| report_violation(self.evaluate(context, state, property), report));
    }
}
