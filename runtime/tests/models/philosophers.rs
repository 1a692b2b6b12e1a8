//! Dining philosophers who take one fork after the other, with a bag of meals served, so that
//! arrays, enums, records and multisets are all in the state.

use super::{names, numbers};
use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Array, Layout, Multiset, One, SimpleCell, Two};
use mcc_runtime::fault::Fault;
use mcc_runtime::model::{
    Description, Family, Field, Firing, Labels, Model, Parameter, Position, RuleId, Simple, StartId, Type,
    Variable, Violation, Width,
};
use mcc_runtime::successors::Successors;

const SEATS: usize = 4;
const MEALS: usize = 3;

/// Philosophers; the polite ones let go of the first fork when the second is taken.
#[derive(Debug)]
pub struct Philosophers {
    pub polite: bool,
}

#[repr(C)]
struct Seat {
    doing: One<0>,
    hunger: Two<-1>,
}

#[repr(C, align(8))]
struct State {
    seats: Array<SeatCell, SEATS, 1>,
    forks: Array<One<1>, SEATS, 1>,
    served: Multiset<One<1>, MEALS>,
    spare: [One<0>; 2],
}

#[repr(transparent)]
struct SeatCell(Seat);

// SAFETY: cells without padding.
unsafe impl mcc_runtime::contract::cells::Storage for SeatCell {
    fn clear(&self) {
        self.undefine();
    }
}
// SAFETY: 24 bytes of cells, aligned to eight.
unsafe impl Layout for State {}

static PHILOSOPHER: Simple = Simple {
    name: "Philosopher",
    width: Width::One,
    low: 1,
    high: SEATS as i64,
    labels: Labels::Names(&["Philosopher_1", "Philosopher_2", "Philosopher_3", "Philosopher_4"]),
    spans: &[],
};
static OWNER: Type = Type::Simple(Simple {
    name: "Philosopher",
    width: Width::One,
    low: 1,
    high: SEATS as i64,
    labels: Labels::Names(&["Philosopher_1", "Philosopher_2", "Philosopher_3", "Philosopher_4"]),
    spans: &[],
});
static DOING: Type = Type::Simple(names("Doing", &["THINKS", "WAITS", "EATS"]));
static HUNGER: Type = Type::Simple(Simple {
    name: "-1..300",
    width: Width::Two,
    low: -1,
    high: 300,
    labels: Labels::Numbers,
    spans: &[],
});
static SEAT: Type = Type::Record {
    fields: &[
        Field { name: "doing", offset: 0, ty: &DOING },
        Field { name: "hunger", offset: 1, ty: &HUNGER },
    ],
};
static SEATS_TYPE: Type = Type::Array { index: &PHILOSOPHER, element: &SEAT, stride: 3 };
static FORKS: Type = Type::Array { index: &PHILOSOPHER, element: &OWNER, stride: 1 };
static SERVED: Type = Type::Multiset { capacity: MEALS, element: &OWNER, stride: 2, doubt: None };
static SLOT: Simple = numbers("0..2", 0, 2);

const HERE: Position = Position { line: 1, column: 1 };
static EACH: [Parameter; 1] =
    [Parameter { name: "p", ty: &PHILOSOPHER, first: 1, step: 1, count: SEATS as u32 }];
static MEAL: [Parameter; 1] = [Parameter { name: "m", ty: &SLOT, first: 0, step: 1, count: MEALS as u32 }];

const fn family(name: &'static str, parameters: &'static [Parameter], first: u32, instances: u32) -> Family {
    Family { name, position: HERE, parameters, first, instances }
}

static DESCRIPTION: Description = Description {
    name: "philosophers.m",
    source: "",
    fingerprint: 1,
    constants: &[],
    words: 3,
    scalarsets: &[],
    variables: &[
        Variable { name: "seats", offset: 0, ty: &SEATS_TYPE },
        Variable { name: "forks", offset: 12, ty: &FORKS },
        Variable { name: "served", offset: 16, ty: &SERVED },
    ],
    starts: &[family("all think", &[], 0, 1)],
    rules: &[
        family("take the left fork", &EACH, 0, 4),
        family("take the right fork", &EACH, 4, 4),
        family("eat and think", &EACH, 8, 4),
        family("let go", &EACH, 12, 4),
        family("clear away", &MEAL, 16, 3),
    ],
    properties: &[],
    cover_statements: &[],
    parts: &[],
    sites: &[],
};

impl Philosophers {
    fn step(&self, rule: u32, state: &State) -> Result<bool, Fault> {
        if rule >= 16 {
            let slot = i64::from(rule - 16);
            if !state.served.occupied(slot) {
                return Ok(false);
            }
            state.served.remove(slot, 0)?;
            state.served.sort();
            return Ok(true);
        }
        let me = i64::from(rule % 4) + 1;
        let seat = &state.seats.item(me).0;
        let (left, right) = (state.forks.item(me), state.forks.item(me % 4 + 1));
        let doing = seat.doing.value();
        match rule / 4 {
            0 if doing == Some(0) && left.is_undefined() => {
                left.set(me);
                seat.doing.set(1);
            }
            1 if doing == Some(1) && right.is_undefined() => {
                right.set(me);
                seat.doing.set(2);
                seat.hunger.set(0);
            }
            2 if doing == Some(2) => {
                if !(0..MEALS as i64).all(|slot| state.served.occupied(slot)) {
                    state.served.add(0)?.set(me);
                    state.served.sort();
                }
                undefine(left);
                undefine(right);
                seat.doing.set(0);
                seat.hunger.set(300);
            }
            3 if self.polite && doing == Some(1) && !right.is_undefined() => {
                undefine(left);
                seat.doing.set(0);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn undefine(cell: &One<1>) {
    mcc_runtime::contract::cells::Storage::undefine(cell);
}

impl Model for Philosophers {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        for me in 1..=SEATS as i64 {
            state.seats.item(me).0.doing.set(0);
        }
        Firing::Fired
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        for rule in 0..19 {
            let mut next = state.to_vec();
            if self.fire(context, RuleId(rule), &mut next) == Firing::Fired {
                successors.push(RuleId(rule), &next);
            }
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        match self.step(rule.0, State::view(state)) {
            Ok(true) => Firing::Fired,
            Ok(false) => Firing::Disabled,
            Err(fault) => Firing::Faulted(fault),
        }
    }

    fn check(&self, _: &Context, _: &mut [u64]) -> Result<(), Violation> {
        Ok(())
    }
}
