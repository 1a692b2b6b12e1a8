//! Sleep sets have a loop for each of the common widths of rows, and one along a path for all
//! others. They are one search.

#![cfg(test)]

mod models;

use mcc_runtime::context::Context;
use mcc_runtime::contract::cells::{Array, Layout, One, SimpleCell};
use mcc_runtime::fault::Fault;
use mcc_runtime::independence::{Independence, Relation};
use mcc_runtime::model::{
    Description, Family, Firing, Model, Parameter, Position, Property, PropertyId, PropertyKind, RuleId,
    Simple, StartId, Type, Variable, Violation,
};
use mcc_runtime::successors::Successors;
use models::{numbers, report};

const SHAFTS: u32 = 6;
const HERE: Position = Position { line: 1, column: 1 };

#[repr(C, align(8))]
struct State {
    turned: Array<One<0>, { SHAFTS as usize }, 0>,
    rest: Array<One<0>, { 8 - SHAFTS as usize }, 0>,
}

// SAFETY: eight bytes of cells, aligned to eight.
unsafe impl Layout for State {}

static INDEX: Simple = numbers("0..5", 0, SHAFTS as i64 - 1);
static CELL: Type = Type::Simple(numbers("0..3", 0, 3));
static TURNED: Type = Type::Array { index: &INDEX, element: &CELL, stride: 1 };
static VARIABLES: [Variable; 1] = [Variable { name: "turned", offset: 0, ty: &TURNED }];
static UNUSED: Simple = numbers("0..999", 0, 999);
static NAMES: [&str; SHAFTS as usize] = ["first", "second", "third", "fourth", "fifth", "sixth"];

/// Shafts of which the first turns for ever and the others three times. Neighbours are said to be
/// dependent. Before the rules that turn them there are some that never fire, so that they have
/// higher numbers.
struct Shafts {
    idle: u32,
    /// The invariant breaks where the second and the third have turned all the way.
    broken: bool,
    description: &'static Description,
    independence: &'static Independence,
}

impl Shafts {
    fn new(idle: u32, broken: bool) -> Self {
        let unused = Parameter { name: "i", ty: &UNUSED, first: 0, step: 1, count: idle };
        let nothing = Family {
            name: "idle",
            position: HERE,
            parameters: vec![unused].leak(),
            first: 0,
            instances: idle,
        };
        let turns = (0..SHAFTS).map(|shaft| Family {
            name: NAMES[shaft as usize],
            position: HERE,
            parameters: &[],
            first: idle + shaft,
            instances: 1,
        });
        let rules: Vec<Family> = std::iter::once(nothing).chain(turns).collect();
        let description = Description {
            name: "shafts.m",
            fingerprint: 4,
            words: 1,
            variables: &VARIABLES,
            starts: &[Family { name: "start", position: HERE, parameters: &[], first: 0, instances: 1 }],
            rules: rules.leak(),
            properties: &[Property { kind: PropertyKind::Invariant, name: "free", position: HERE }],
            ..Description::EMPTY
        };
        let families = SHAFTS as usize + 1;
        let row = |family: usize| -> &'static [u16] {
            let relation = |other: usize| u16::from(family > 0 && other > family + 1);
            (family..families).map(relation).collect::<Vec<u16>>().leak()
        };
        let rows = (0..families).map(row).collect::<Vec<_>>().leak();
        let independence = Independence { relations: &[Relation::Dependent, Relation::Independent], rows };
        Shafts {
            idle,
            broken,
            description: Box::leak(Box::new(description)),
            independence: Box::leak(Box::new(independence)),
        }
    }

    fn turns(state: &State, shaft: u32) -> bool {
        shaft == 0 || state.turned.item(i64::from(shaft)).value() != Some(3)
    }

    fn turn(state: &State, shaft: u32) -> Result<(), Fault> {
        let cell = state.turned.item(i64::from(shaft));
        cell.set((cell.get(0)? + 1) % 4);
        Ok(())
    }

    fn attempt(&self, shaft: u32, state: &State, successors: &mut Successors) {
        let guard = Ok(Self::turns(state, shaft));
        successors.attempt(self.idle + shaft, state, guard, |next| Self::turn(next, shaft));
    }
}

impl Model for Shafts {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn independence(&self) -> Option<&'static Independence> {
        Some(self.independence)
    }

    fn start(&self, _: &Context, _: StartId, state: &mut [u64]) -> Firing {
        let state = State::view(state);
        (0..i64::from(SHAFTS)).for_each(|shaft| state.turned.item(shaft).set(0));
        Firing::Fired
    }

    fn expand(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        (0..SHAFTS).for_each(|shaft| self.attempt(shaft, State::view(state), successors));
    }

    fn expand_some(&self, _: &Context, state: &mut [u64], successors: &mut Successors) {
        for shaft in 0..SHAFTS {
            if successors.tries(self.idle + shaft, 1) {
                self.attempt(shaft, State::view(state), successors);
            }
        }
    }

    fn fire(&self, _: &Context, rule: RuleId, state: &mut [u64]) -> Firing {
        let Some(shaft) = rule.0.checked_sub(self.idle) else { return Firing::Disabled };
        match Self::turns(State::view(state), shaft) {
            false => Firing::Disabled,
            true => match Self::turn(State::view(state), shaft) {
                Ok(()) => Firing::Fired,
                Err(fault) => Firing::Faulted(fault),
            },
        }
    }

    fn check(&self, _: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let state = State::view(state);
        if self.broken && (1..3).all(|shaft| state.turned.item(shaft).value() == Some(3)) {
            Err(Violation { property: PropertyId(0), fault: None })
        } else {
            Ok(())
        }
    }
}

/// Rows of one to five words.
const IDLE: [u32; 5] = [0, 100, 150, 250, 300];

#[test]
fn the_width_of_rows_does_not_matter() {
    for options in ["", "-b", "--max-depth 12", "--max-states 777", "--queue disk --queue-memory 8K"] {
        let line = format!("-vdfs --sleep -ndl --max-errors 0 {options}");
        for broken in [false, true] {
            let narrow = report(&Shafts::new(IDLE[0], broken), &line);
            for idle in IDLE {
                let found = report(&Shafts::new(idle, broken), &line);
                for key in ["verdict", "states", "rules", "depth", "path", "errors"] {
                    assert_eq!(found[key], narrow[key], "{line} {idle} {key}");
                }
            }
        }
    }
}

/// A cache that evicts nothing goes along a path, and nothing else is different.
#[test]
fn with_and_without_a_path_it_is_one_search() {
    for idle in IDLE {
        let model = Shafts::new(idle, false);
        let pathless = report(&model, "-vdfs --sleep -ndl");
        let along = report(&model, "-vdfs --sleep -ndl --cache-states 4096");
        assert_eq!((&pathless["verdict"], &pathless["states"]), (&"verified".into(), &4096.into()));
        for key in ["states", "rules", "depth"] {
            assert_eq!(pathless[key], along[key], "{idle} {key}");
        }
        for key in ["matched", "longest_path", "sleep"] {
            assert_eq!(pathless["path"][key], along["path"][key], "{idle} {key}");
        }
        // All of it happens: states are met again with smaller sets, and with others.
        let sleep = &pathless["path"]["sleep"];
        assert!(sleep["revisits"].as_u64() > Some(10), "{sleep}");
        assert!(pathless["path"]["matched"].as_u64() > sleep["revisits"].as_u64(), "{}", pathless["path"]);
        let plain = report(&model, "-vdfs -ndl");
        assert!(pathless["rules"].as_u64() < plain["rules"].as_u64().map(|rules| rules * 3 / 4));
    }
}
