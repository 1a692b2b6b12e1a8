//! A person climbs a ladder, one or two rungs at a time, and may jump down from the top. Flavours
//! of it go wrong in every way there is.

use super::numbers;
use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Layout, One, SimpleCell};
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::model::{
    Cover, Description, Family, Firing, Model, Parameter, Position, Property, PropertyId, PropertyKind,
    RuleId, Simple, StartId, Type, Variable, Violation,
};
use mcc_runtime::successors::Successors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Rungs 0 to 7, and down again.
    Plain,
    /// An invariant says that rung 5 is never reached.
    Invariant,
    /// The invariant cannot be evaluated on rung 5.
    InvariantFault,
    /// Stepping on rung 5 ends in a fault of this kind.
    Body(FaultKind),
    /// The guard of "up" cannot be evaluated on rung 4.
    Guard,
    /// Nobody jumps down.
    NoJump,
    /// An `assume` statement forbids to leave rung 3.
    Pruned,
    /// An assumption at top level says that rung 4 and above do not exist.
    Excluded,
    /// The only start state breaks an assumption.
    NoStart,
    /// The start state goes wrong.
    StartFault,
    /// One start state on rung 0, one on rung 6, one on rung 0 again.
    ManyStarts,
    /// A `cover` statement and property that are not reached.
    Uncovered,
}

#[derive(Debug)]
pub struct Ladder(pub Flavour);

#[repr(C, align(8))]
struct State {
    rung: One<0>,
    spare: [One<0>; 7],
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

static RUNG: Type = Type::Simple(numbers("0..7", 0, 7));
static STEP: Simple = numbers("1..2", 1, 2);

const SOURCE: &str = "var rung: 0..7;\nrule \"up\"\n\trung := rung + by;\ninvariant \"low\" rung < 5;\n";

const fn position(line: u32, column: u32) -> Position {
    Position { line, column }
}

const fn site(kind: FaultKind, message: &'static str) -> Site {
    Site { kind, position: position(3, 2), message }
}

static SITES: &[Site] = &[
    site(FaultKind::Pruned, ""),
    site(FaultKind::Assertion, "assertion \"not so high\" failed"),
    site(FaultKind::ErrorStatement, "fell off"),
    site(FaultKind::Range, "{} is not in 0..4"),
    site(FaultKind::Index, "index {} is outside"),
    site(FaultKind::Undefined, "rung is undefined"),
    site(FaultKind::Division, "division by zero"),
    site(FaultKind::Overflow, "overflow"),
    site(FaultKind::LoopBound, "the loop turned more than {} times"),
    site(FaultKind::MissingReturn, "no return"),
    site(FaultKind::Multiset, "the multiset is full"),
    site(FaultKind::Recursion, "too deep"),
];

pub const FAULTS: [(FaultKind, &str); 11] = [
    (FaultKind::Assertion, "assertion"),
    (FaultKind::ErrorStatement, "error"),
    (FaultKind::Range, "range"),
    (FaultKind::Index, "index"),
    (FaultKind::Undefined, "undefined"),
    (FaultKind::Division, "division"),
    (FaultKind::Overflow, "overflow"),
    (FaultKind::LoopBound, "loop"),
    (FaultKind::MissingReturn, "return"),
    (FaultKind::Multiset, "multiset"),
    (FaultKind::Recursion, "recursion"),
];

fn fault(kind: FaultKind, value: i64) -> Fault {
    let site = SITES.iter().position(|site| site.kind == kind).unwrap();
    Fault::with(site as u32, value)
}

static VARIABLES: [Variable; 1] = [Variable { name: "rung", offset: 0, ty: &RUNG }];
static BY: [Parameter; 1] = [Parameter { name: "by", ty: &STEP, first: 1, step: 1, count: 2 }];
static RULES: [Family; 2] = [
    Family { name: "up", position: position(2, 1), parameters: &BY, first: 0, instances: 2 },
    Family { name: "jump", position: position(2, 1), parameters: &[], first: 2, instances: 1 },
];
static PROPERTIES: [Property; 2] = [
    Property { kind: PropertyKind::Invariant, name: "low", position: position(4, 1) },
    Property { kind: PropertyKind::Cover, name: "high", position: position(4, 1) },
];
static COVERS: [Cover; 1] = [Cover { name: "jumped", position: position(3, 1) }];

const fn describe(starts: &'static [Family]) -> Description {
    Description {
        name: "ladder.m",
        source: SOURCE,
        fingerprint: 0xabc,
        words: 1,
        variables: &VARIABLES,
        starts,
        rules: &RULES,
        properties: &PROPERTIES,
        cover_statements: &COVERS,
        parts: &[],
        sites: SITES,
        ..Description::EMPTY
    }
}

const fn foot(instances: u32) -> Family {
    Family { name: "foot", position: position(1, 1), parameters: &[], first: 0, instances }
}

static ONE_FOOT: [Family; 1] = [foot(1)];
static THREE_FEET: [Family; 1] = [foot(3)];
static ONE_START: Description = describe(&ONE_FOOT);
static MANY_STARTS: Description = describe(&THREE_FEET);

impl Ladder {
    fn guard(&self, state: &State, rule: u32) -> Result<bool, Fault> {
        let rung = state.rung.get(5)?;
        match rule {
            2 => Ok(rung == 7 && self.0 != Flavour::NoJump),
            _ if self.0 == Flavour::Guard && rung == 4 => Err(fault(FaultKind::Index, rung)),
            by => Ok(rung + i64::from(by) < 7),
        }
    }

    fn body(&self, context: &Context, state: &State, rule: u32) -> Result<(), Fault> {
        let rung = state.rung.get(5)?;
        if rule == 2 {
            state.rung.set(0);
            if self.0 != Flavour::Uncovered {
                context.cover(2);
            }
            return Ok(());
        }
        context.put_text(&format!("rung {rung}\n"));
        if self.0 == Flavour::Pruned && rung == 3 {
            return Err(Fault::PRUNED);
        }
        let next = rung + i64::from(rule) + 1;
        match self.0 {
            Flavour::Body(kind) if next == 5 => return Err(fault(kind, next)),
            Flavour::Excluded if next >= 4 => return Err(Fault::EXCLUDED),
            _ => state.rung.set(next),
        }
        Ok(())
    }
}

impl Model for Ladder {
    fn description(&self) -> &'static Description {
        match self.0 {
            Flavour::ManyStarts => &MANY_STARTS,
            _ => &ONE_START,
        }
    }

    fn start(&self, _: &Context, start: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        match self.0 {
            Flavour::NoStart => return Firing::Pruned,
            Flavour::StartFault => return Firing::Faulted(fault(FaultKind::Range, 9)),
            Flavour::ManyStarts if start.0 == 1 => state.rung.set(6),
            _ => state.rung.set(0),
        }
        Firing::Fired
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        let state = State::view(state);
        for rule in 0..3 {
            successors.attempt(rule, state, self.guard(state, rule), |next| self.body(context, next, rule));
        }
    }

    fn fire(&self, context: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        match self.guard(state, rule.0) {
            Ok(false) => Firing::Disabled,
            Err(fault) => Firing::Faulted(fault),
            Ok(true) => match self.body(context, state, rule.0) {
                Ok(()) => Firing::Fired,
                Err(Fault::PRUNED | Fault::EXCLUDED) => Firing::Pruned,
                Err(fault) => Firing::Faulted(fault),
            },
        }
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let rung = State::view(state).rung.value();
        if rung == Some(6) && self.0 != Flavour::Uncovered {
            context.cover(1);
        }
        let property = PropertyId(0);
        match self.0 {
            Flavour::Invariant if rung == Some(5) => Err(Violation { property, fault: None }),
            Flavour::InvariantFault if rung == Some(5) => {
                Err(Violation { property, fault: Some(fault(FaultKind::Division, 0)) })
            }
            _ => Ok(()),
        }
    }
}
