//! A train on a railway: where there are no points there is one way to go.
//!
//! From station 0 two lines of 300 stations lead to station 700, and from there one line of 100
//! more back to station 0. Flavours go wrong on the way, or have no points at all.

use mcc_runtime::context::Context;
use mcc_runtime::fault::{Fault, FaultKind, Site};
use mcc_runtime::model::{
    Description, Family, Firing, Labels, Model, Position, Property, PropertyId, PropertyKind, RuleId, Simple,
    StartId, Type, Variable, Violation, Width,
};
use mcc_runtime::successors::Successors;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Railway {
    Right,
    /// An invariant says that the train never comes to station 750.
    Closed,
    /// The invariant cannot be evaluated there.
    Unclear,
    /// Going on from station 750 ends in a fault.
    Derailed,
    /// There it ends.
    DeadEnd,
    /// No points: one line of 1,000 stations that comes back to station 400.
    Circle,
    /// One line of 1,000 stations, and nothing behind.
    Line,
}

const STATION: Simple =
    Simple { name: "0..2000", width: Width::Two, low: 0, high: 2000, labels: Labels::Numbers, spans: &[] };
static TYPE: Type = Type::Simple(STATION);
const HERE: Position = Position { line: 1, column: 1 };
/// Where something is wrong.
const THERE: u64 = 750;

static DESCRIPTION: Description = Description {
    name: "railway.m",
    source: "",
    fingerprint: 4,
    constants: &[],
    words: 1,
    variables: &[Variable { name: "station", offset: 0, ty: &TYPE }],
    starts: &[Family { name: "start", position: HERE, parameters: &[], first: 0, instances: 1 }],
    rules: &[
        Family { name: "go on", position: HERE, parameters: &[], first: 0, instances: 1 },
        Family { name: "turn off", position: HERE, parameters: &[], first: 1, instances: 1 },
    ],
    properties: &[
        Property { kind: PropertyKind::Invariant, name: "open", position: HERE },
        Property { kind: PropertyKind::Cover, name: "the last station is reached", position: HERE },
    ],
    cover_statements: &[],
    parts: &[],
    scalarsets: &[],
    sites: &[
        Site { position: HERE, kind: FaultKind::Pruned, message: "" },
        Site { position: HERE, kind: FaultKind::Assertion, message: "off the rails" },
    ],
};

impl Railway {
    /// Where the rules lead to.
    fn ways(self, station: u64) -> [Option<u64>; 2] {
        let on = Some(station + 1);
        match (self, station) {
            (Railway::Circle, 999) => [Some(400), None],
            (Railway::Line, 999) | (Railway::DeadEnd, THERE) => [None, None],
            (Railway::Circle | Railway::Line, _) => [on, None],
            (_, 0) => [Some(1), Some(301)],
            (_, 300 | 600) => [Some(700), None],
            (_, 800) => [Some(0), None],
            (_, _) => [on, None],
        }
    }
}

impl Model for Railway {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        state[0] = 1;
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        let station = state[0] - 1;
        if *self == Railway::Derailed && station == THERE {
            successors.abandon(RuleId(0), Fault::at(1));
            return;
        }
        for (rule, to) in self.ways(station).into_iter().enumerate() {
            if let Some(to) = to {
                successors.push(RuleId(rule as u32), &[to + 1]);
            }
        }
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let station = state[0] - 1;
        if matches!(station, 800 | 999) {
            context.cover(1);
        }
        let property = PropertyId(0);
        match self {
            Railway::Closed if station == THERE => Err(Violation { property, fault: None }),
            Railway::Unclear if station == THERE => Err(Violation { property, fault: Some(Fault::at(1)) }),
            _ => Ok(()),
        }
    }
}
