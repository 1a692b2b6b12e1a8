//! A tree of 2,047 states: there is one way to each of them, so a state is missed as soon as one on
//! the way to it is. Where signatures take the place of states that is the worst case.
//!
//! The model itself takes note of the states that are checked, so what was missed is measured and
//! not reported.

use super::numbers;
use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Layout, SimpleCell, Two};
use mcc_runtime::fault::{FaultKind, Site};
use mcc_runtime::model::{
    Description, Family, Firing, Model, Parameter, Position, RuleId, Simple, StartId, Type, Variable,
    Violation,
};
use mcc_runtime::successors::Successors;
use std::sync::atomic::{AtomicBool, Ordering};

/// The level of the leaves.
pub const DEPTH: u32 = 10;
/// Nodes are numbered from 1 on: the children of n are 2n and 2n + 1.
pub const STATES: usize = (1 << (DEPTH + 1)) - 1;
pub const LEAVES: usize = 1 << DEPTH;

/// Which nodes were checked.
pub struct Tree(Vec<AtomicBool>);

#[repr(C, align(8))]
struct State {
    node: Two<1>,
    rest: [Two<1>; 3],
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

static SIDE: Simple = numbers("0..1", 0, 1);
static NODE: Type =
    Type::Simple(Simple { width: mcc_runtime::model::Width::Two, ..numbers("1..2047", 1, STATES as i64) });
const HERE: Position = Position { line: 1, column: 1 };
static EACH: [Parameter; 1] = [Parameter { name: "side", ty: &SIDE, first: 0, step: 1, count: 2 }];

static DESCRIPTION: Description = Description {
    constants: &[],
    name: "tree.m",
    source: "",
    fingerprint: 19,
    words: 1,
    variables: &[Variable { name: "node", offset: 0, ty: &NODE }],
    starts: &[Family { name: "root", position: HERE, parameters: &[], first: 0, instances: 1 }],
    rules: &[Family { name: "descend", position: HERE, parameters: &EACH, first: 0, instances: 2 }],
    properties: &[],
    cover_statements: &[],
    parts: &[],
    scalarsets: &[],
    sites: &[Site { position: HERE, kind: FaultKind::Pruned, message: "" }],
};

impl Default for Tree {
    fn default() -> Self {
        Tree((0..=STATES).map(|_| AtomicBool::new(false)).collect())
    }
}

impl Tree {
    /// States that were not checked, and how many of them are leaves.
    pub fn missed(&self) -> (usize, usize) {
        let missed = |nodes: &[AtomicBool]| nodes.iter().filter(|seen| !seen.load(Ordering::Relaxed)).count();
        (missed(&self.0[1..]), missed(&self.0[LEAVES..]))
    }

    fn node(state: &State) -> i64 {
        state.node.value().unwrap_or(0)
    }
}

impl Model for Tree {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        State::view(state).node.set(1);
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        let state = State::view(state);
        let node = Self::node(state);
        for side in 0..2 {
            successors.attempt(side as u32, state, Ok((node as usize) < LEAVES), |next| {
                next.node.set(2 * node + side);
                Ok(())
            });
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        let node = Self::node(state);
        if node as usize >= LEAVES {
            return Firing::Disabled;
        }
        state.node.set(2 * node + i64::from(rule.0));
        Firing::Fired
    }

    fn check(&self, _: &Context, state: &mut [u64]) -> Result<(), Violation> {
        if let Some(seen) = self.0.get(Self::node(State::view(state)) as usize) {
            seen.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}
