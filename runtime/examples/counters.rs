//! A model made for measuring the engines: counters that turn independently of each other.
//!
//! With n counters there are 4^n states and n times as many rules fired, and a rule does next to
//! nothing, so what is measured is the search alone. States take two words, or 3n bits with `-b`.
//!
//!     COUNTERS=11 cargo run --release -p mcc-runtime --example counters -- -b

use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Array, Layout, One, SimpleCell};
use mcc_runtime::fault::Fault;
use mcc_runtime::model::{
    Description, Family, Firing, Labels, Model, Parameter, Position, RuleId, Simple, StartId, Type, Variable,
    Violation, Width,
};
use mcc_runtime::successors::Successors;
use std::process::ExitCode;

const MOST: usize = 16;

#[repr(C, align(8))]
struct State {
    turned: Array<One<0>, MOST, 0>,
}

// SAFETY: sixteen bytes of cells, aligned to eight.
unsafe impl Layout for State {}

const fn numbers(high: i64) -> Simple {
    Simple { name: "", width: Width::One, low: 0, high, labels: Labels::Numbers, spans: &[] }
}

static CELL: Type = Type::Simple(numbers(3));

struct Counters {
    count: i64,
    description: &'static Description,
}

impl Counters {
    fn new(count: i64) -> Self {
        let index: &'static Simple = Box::leak(Box::new(numbers(count - 1)));
        let array: &'static Type = Box::leak(Box::new(Type::Array { index, element: &CELL, stride: 1 }));
        let position = Position { line: 1, column: 1 };
        let parameter = Parameter { name: "i", ty: index, first: 0, step: 1, count: count as u32 };
        let turn = Family {
            name: "turn",
            position,
            parameters: Box::leak(Box::new([parameter])),
            first: 0,
            instances: count as u32,
        };
        let start = Family { name: "start", position, parameters: &[], first: 0, instances: 1 };
        let description = Description {
            name: "counters",
            source: "",
            fingerprint: 0,
            constants: &[],
            words: State::WORDS,
            variables: Box::leak(Box::new([Variable { name: "turned", offset: 0, ty: array }])),
            scalarsets: &[],
            starts: Box::leak(Box::new([start])),
            rules: Box::leak(Box::new([turn])),
            properties: &[],
            cover_statements: &[],
            parts: &[],
            sites: &[],
        };
        Counters { count, description: Box::leak(Box::new(description)) }
    }

    #[inline(always)]
    fn turn(state: &State, counter: i64) -> Result<(), Fault> {
        let cell = state.turned.item(counter);
        cell.set((cell.get(0)? + 1) % 4);
        Ok(())
    }
}

impl Model for Counters {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        (0..self.count).for_each(|counter| state.turned.item(counter).set(0));
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        let state = State::view(state);
        for counter in 0..self.count {
            successors.attempt(counter as u32, state, Ok(true), |next| Self::turn(next, counter));
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        match Self::turn(State::view(state), i64::from(rule.0)) {
            Ok(()) => Firing::Fired,
            Err(fault) => Firing::Faulted(fault),
        }
    }

    fn check(&self, _: &Context, _: &mut [u64]) -> Result<(), Violation> {
        Ok(())
    }
}

fn main() -> ExitCode {
    let wanted = std::env::var("COUNTERS").ok().and_then(|text| text.parse().ok());
    mcc_runtime::main(&Counters::new(wanted.unwrap_or(9).clamp(1, MOST as i64)))
}
