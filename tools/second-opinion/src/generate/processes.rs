//! Draws a model of processes and buffers: more processes, arrays and rules than the other models
//! have, most of which can happen in any order.
//!
//! Some processes, all alike or each with rules of its own, have a step, a value and a flag each.
//! They send each other values through buffers, of one place, with a count, or bags, and share a
//! variable. What can go wrong does now and then: values leave their range, undefined ones are
//! read, `assert` and `error`, invariants, deadlocks.

use super::{Dialect, Drawn};
use crate::random::Random;
use crate::tree;
use std::collections::BTreeSet;
use std::fmt::Write;

/// How values get from one process to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Buffer {
    /// One place for each process; 0 is empty.
    Place,
    /// A place for each pair of processes.
    Pairs,
    /// An array and a count.
    Counted,
    /// A multiset.
    Bag,
}

struct Protocol {
    random: Random,
    processes: i64,
    steps: i64,
    values: i64,
    capacity: i64,
    buffer: Buffer,
    /// How many of a hundred statements may go wrong.
    risk: usize,
    /// Whether rules have a second parameter.
    other: bool,
}

/// The model of a seed.
pub fn draw(seed: u64) -> Drawn {
    let mut random = Random::new(seed);
    let mut protocol = Protocol {
        processes: *random.pick(&[2, 2, 2, 3, 3, 4]),
        steps: random.between(2, 3),
        values: *random.pick(&[1, 1, 2]),
        capacity: random.between(1, 2),
        buffer: *random.pick(&[Buffer::Place, Buffer::Place, Buffer::Pairs, Buffer::Counted, Buffer::Bag]),
        risk: *random.pick(&[0, 0, 0, 2, 6]),
        other: false,
        random,
    };
    let text = protocol.model();
    let deadlock = protocol.random.percent(40);
    Drawn { seed, dialect: Dialect::Processes, tree: tree!(Fixed, text), deadlock, features: BTreeSet::new() }
}

impl Protocol {
    fn model(&mut self) -> String {
        let Protocol { processes, steps, values, capacity, .. } = *self;
        let buffer = match self.buffer {
            Buffer::Place => "box: array [process] of value;\n".to_owned(),
            Buffer::Pairs => "box: array [process] of array [process] of value;\n".to_owned(),
            Buffer::Counted => format!(
                "box: array [process] of array [0..{}] of value;\nheld: array [process] of 0..{capacity};\n",
                capacity - 1
            ),
            Buffer::Bag => format!("box: array [process] of multiset [{capacity}] of value;\n"),
        };
        let mut text = format!(
            "type process: 0..{}; step: 0..{}; value: 0..{values};\nvar at: array [process] of step;\nhas: array [process] of value;\n\
             flag: array [process] of boolean;\nshared: value;\n{buffer}",
            processes - 1,
            steps - 1
        );
        let init = self.init();
        let _ = writeln!(text, "startstate \"first\" begin\n{init}end;");
        if self.random.percent(15) {
            let init = self.init();
            let _ = writeln!(text, "startstate \"second\" begin\n{init}at[0] := 1;\nend;");
        }
        // There is a way on from each step, and some more.
        for number in 0..steps + self.random.between(1, 5) {
            let rule = self.rule(number);
            text.push_str(&rule);
        }
        for _ in 0..self.random.below(3) {
            let (value, step) = (self.random.between(0, values), self.random.between(0, steps - 1));
            let property = match self.random.below(4) {
                0 => format!("at[0] = {step} -> at[{}] != {step} | shared <= {value}", processes - 1),
                1 => format!("forall p: process do has[p] <= {value} | at[p] != {step} end"),
                2 => format!("exists p: process do flag[p] | at[p] != {step} end"),
                _ => format!("shared <= {values}"),
            };
            let _ = writeln!(text, "invariant {property};");
        }
        text
    }

    fn init(&mut self) -> String {
        let own = match self.buffer {
            Buffer::Place => "box[p] := 0;",
            Buffer::Pairs => "for q: process do box[p][q] := 0; end;",
            Buffer::Counted => "held[p] := 0; clear box[p];",
            Buffer::Bag => "undefine box[p];",
        };
        let has = if self.random.percent(self.risk) { "" } else { "has[p] := 0; " };
        let flag = *self.random.pick(&["false", "true", "p = 0"]);
        format!("shared := 0;\nfor p: process do at[p] := 0; {has}flag[p] := {flag}; {own} end;\n")
    }

    /// A process as a rule may call it.
    fn whom(&mut self) -> String {
        let n = self.processes;
        match self.random.below(10) {
            0..5 => "p".to_owned(),
            5..7 => format!("(p + 1) % {n}"),
            7 => format!("(p + {}) % {n}", n - 1),
            8 if self.other => "q".to_owned(),
            8 => "p".to_owned(),
            _ => self.random.between(0, n - 1).to_string(),
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(6) {
            0 => "shared".to_owned(),
            1 | 2 => format!("has[{}]", self.whom()),
            _ => self.random.between(0, self.values).to_string(),
        }
    }

    fn atom(&mut self) -> String {
        let (whom, value) = (self.whom(), self.value());
        match self.random.below(12) {
            0..4 => format!("has[{whom}] = {value}"),
            4 => format!("flag[{whom}]"),
            5 => format!("!flag[{whom}]"),
            6 => format!("shared = {}", self.random.between(0, self.values)),
            7 => format!("at[{whom}] != {}", self.random.between(0, self.steps - 1)),
            8 => "forall r: process do r = p | flag[r] end".to_owned(),
            _ => self.waits(&whom),
        }
    }

    /// Whether something is in a buffer, or could be put there.
    fn waits(&mut self, whom: &str) -> String {
        match (self.buffer, self.random.percent(50)) {
            (Buffer::Place, true) => format!("box[{whom}] = 0"),
            (Buffer::Place, false) => format!("box[{whom}] != 0"),
            (Buffer::Pairs, true) => format!("box[{whom}][p] = 0"),
            (Buffer::Pairs, false) => format!("box[p][{whom}] != 0"),
            (Buffer::Counted, true) => format!("held[{whom}] < {}", self.capacity),
            (Buffer::Counted, false) => format!("held[{whom}] > 0"),
            (Buffer::Bag, true) => format!("MultisetCount(s: box[{whom}], true) < {}", self.capacity),
            (Buffer::Bag, false) => format!("MultisetCount(s: box[{whom}], true) > 0"),
        }
    }

    /// Sends to a process, or receives from its buffer, if that is possible.
    fn exchange(&mut self) -> String {
        let (whom, value) = (self.whom(), self.value());
        let capacity = self.capacity;
        match (self.buffer, self.random.percent(50)) {
            (Buffer::Place, true) => format!("if box[{whom}] = 0 then box[{whom}] := {value}; end;\n"),
            (Buffer::Place, false) => "has[p] := box[p]; box[p] := 0;\n".to_owned(),
            (Buffer::Pairs, true) => format!("box[{whom}][p] := {value};\n"),
            (Buffer::Pairs, false) => format!("has[p] := box[p][{whom}]; box[p][{whom}] := 0;\n"),
            (Buffer::Counted, true) => format!(
                "if held[{whom}] < {capacity} then box[{whom}][held[{whom}]] := {value}; held[{whom}] := held[{whom}] + 1; end;\n"
            ),
            (Buffer::Counted, false) => format!(
                "if held[p] > 0 then has[p] := box[p][0];\nfor k := 1 to {capacity} - 1 do box[p][k - 1] := box[p][k]; end;\n\
                 box[p][{capacity} - 1] := 0; held[p] := held[p] - 1; end;\n"
            ),
            (Buffer::Bag, true) => format!(
                "if MultisetCount(s: box[{whom}], true) < {capacity} then MultisetAdd({value}, box[{whom}]); end;\n"
            ),
            (Buffer::Bag, false) => {
                format!(
                    "MultisetRemovePred(s: box[p], box[p][s] = {});\n",
                    self.random.between(0, self.values)
                )
            }
        }
    }

    fn statement(&mut self) -> String {
        let (whom, value) = (self.whom(), self.value());
        let most = self.values;
        if self.random.percent(self.risk) {
            return match self.random.below(4) {
                0 => format!("has[{whom}] := has[{whom}] + 1;\n"),
                1 => format!("assert has[{whom}] = {value} \"what it has\";\n"),
                2 => format!("if {} then error \"not this\"; end;\n", self.atom()),
                _ => format!("undefine has[{whom}];\n"),
            };
        }
        match self.random.below(10) {
            0..3 => format!("has[{whom}] := {value};\n"),
            3 => format!("has[p] := (has[p] + 1) % {};\n", most + 1),
            4 => format!("flag[{whom}] := !flag[{whom}];\n"),
            5 => format!("shared := {};\n", self.random.between(0, most)),
            6 => format!("if {} then has[{whom}] := {value}; end;\n", self.atom()),
            _ => self.exchange(),
        }
    }

    fn rule(&mut self, number: i64) -> String {
        let n = self.processes;
        self.other = self.random.percent(25);
        let on = number < self.steps;
        // Many instances, of which one at most is enabled: sets of more than 64 rules.
        let many = self.random.percent(8);
        let header = match (self.random.below(if on { 6 } else { 3 }), self.other) {
            (0, true) => format!("ruleset p: process; q: 0..{} do ", n - 1),
            (_, true) => "ruleset p: process; q: process do ".to_owned(),
            // A process of its own.
            (0 | 1, false) if !on => {
                let one = self.random.between(0, n - 1);
                format!("ruleset p: {one}..{one} do ")
            }
            (_, false) => "ruleset p: process do ".to_owned(),
        };
        let step = if on { number } else { self.random.between(0, self.steps - 1) };
        let mut guard = format!("at[p] = {step}");
        for _ in 0..self.random.below(if on { 2 } else { 3 }) {
            let _ = write!(guard, " & {}", self.atom());
        }
        let header = if many { format!("{header}ruleset k: 0..39 do ") } else { header };
        if many {
            guard.push_str(" & k = has[p] + 8 * at[p]");
        }
        let next = (step + if on { 1 } else { self.random.between(0, 1) }) % self.steps;
        let mut body = format!("at[p] := {next};\n");
        for _ in 0..self.random.below(3) {
            body.push_str(&self.statement());
        }
        let end = if many { "end; " } else { "" };
        format!("{header}rule \"rule {number}\" {guard} ==> begin\n{body}end; {end}end;\n")
    }
}
