//! Draws a model of the shapes that optimisations key on.
//!
//! - four to seven rules that ask the same question, of a place or of a name of it, alone or after
//!   a comparison, mostly in vain
//! - rulesets and aliases around them in any order; indices of aliases are variables, remainders,
//!   quotients and calls, and may fail
//! - bodies that write nothing on some paths, that leave what they found, or that write what no
//!   invariant reads
//! - invariants over pairs, as the shapes that are evaluated in another order, with parts that may
//!   fail in any position
//! - a part of the state that is undefined, and functions that count, print, assume, or end without
//!   `return`

mod contents;

use super::{Dialect, Drawn};
use crate::random::Random;
use crate::tree;
use crate::tree::Tree;
use std::collections::BTreeSet;
use std::fmt::Write;

const STEPS: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];

struct Shapes {
    random: Random,
    /// Elements of `id`, which may be a scalarset.
    size: i64,
    symmetric: bool,
    steps: usize,
    /// How many of a hundred places may be undefined, indices fail, functions do something else
    /// than return.
    risk: usize,
    bag: bool,
}

/// A rule's surroundings: the lines that open them, and what can be named inside.
#[derive(Default)]
struct Around {
    /// Entering it cannot fail, unless a name is bound before there is a parameter.
    tame: bool,
    open: String,
    blocks: usize,
    /// Names of parameters that are elements of `id`.
    elements: Vec<&'static str>,
    numbers: Vec<&'static str>,
    /// A name of a step, and what it is a name of.
    step: Option<(&'static str, String)>,
    /// A name of a number from 0 to 3.
    number: Option<&'static str>,
    /// A name of a record of the net.
    record: Option<&'static str>,
    slot: Option<&'static str>,
}

/// The model of a seed.
pub fn draw(seed: u64) -> Drawn {
    let mut random = Random::new(seed);
    let mut shapes = Shapes {
        size: random.between(2, 3),
        symmetric: random.percent(25),
        steps: random.between(4, 7) as usize,
        risk: *random.pick(&[0, 0, 5, 10, 15, 30, 50]),
        bag: random.percent(25),
        random,
    };
    let tree = shapes.model();
    let deadlock = shapes.random.percent(15);
    Drawn { seed, dialect: Dialect::Optimised, tree, deadlock, features: BTreeSet::new() }
}

impl Shapes {
    fn model(&mut self) -> Tree {
        let id = match self.symmetric {
            true => format!("scalarset({})", self.size),
            false => format!("0..{}", self.size - 1),
        };
        let steps = STEPS[..self.steps].join(", ");
        // Only elements and members can be united.
        let (node, own) = if self.symmetric { ("id", "") } else { ("node", "type node: scalarset(2);\n") };
        let bag = if self.bag { "bag: multiset [2] of 0..1;\n" } else { "" };
        let declarations = format!(
            "type id: {id}; step: enum {{{steps}}};\n\
             {own}type mixed: union {{{node}, step}};\ntype wider: union {{{node}, step, enum {{Beyond}}}};\n\
             type cell: record count: 0..2; kind: step; end;\n\
             var pc: array [id] of step;\nvar arr: array [id] of 0..3;\nvar flag: array [id] of boolean;\n\
             var net: array [id] of array [id] of cell;\nvar wide: array [mixed] of 0..1;\n\
             var x: id;\nvar y: 0..2;\nvar z: 0..3;\n{bag}"
        );
        let mut items = vec![tree!(Fixed, declarations)];
        let functions = self.functions();
        items.push(tree!(Fixed, functions));
        items.push(tree!(Fixed, self.start()));
        for number in 0..self.random.between(1, 2) {
            items.push(self.group(number));
        }
        for number in 0..self.random.between(1, 3) {
            let rule = self.mover(number);
            items.push(tree!(Rule, rule));
        }
        for _ in 0..self.random.between(1, 4) {
            let property = self.property();
            items.push(tree!(Rule, property));
        }
        Tree::list(items)
    }

    fn risky(&mut self) -> bool {
        self.random.percent(self.risk)
    }

    fn step(&mut self) -> &'static str {
        STEPS[self.random.below(self.steps)]
    }

    /// The last step is what most processes are in, and what no rule of a group asks for.
    fn rest(&self) -> &'static str {
        STEPS[self.steps - 1]
    }

    /// `chosen` gives an element, `count` a number, `holds` a condition, `put_in` writes what it is
    /// given.
    fn functions(&mut self) -> String {
        let seen = |random: &mut Random, risk: usize| match random.percent(risk / 2) {
            false => "",
            true => *random.pick(&[
                "cover z = 1;\n",
                "put \"told\\n\";\n",
                "assume z != 2;\n",
                "assert z != 3 \"asserted\";\n",
                "while z < 2 do if z = 1 then return E_; end; end;\n",
            ]),
        };
        let (first, second, third) = (
            seen(&mut self.random, self.risk).replace("E_", "x"),
            seen(&mut self.random, self.risk).replace("E_", "0"),
            seen(&mut self.random, self.risk).replace("E_", "true"),
        );
        let chosen = match self.risky() {
            true => *self.random.pick(&["if y = 0 then return x; end;\n", "if z > 0 then return x; end;\n"]),
            false => "if y = 0 then return x; end;\nfor k: id do return k; end;\n",
        };
        let count = match self.risky() {
            true => {
                *self.random.pick(&["return z / y;\n", "if y > 0 then return y; end;\n", "return arr[x];\n"])
            }
            false => "return z;\n",
        };
        format!(
            "function chosen(): id;\nbegin\n{first}{chosen}end;\n\
             function count(): 0..3;\nbegin\n{second}{count}end;\n\
             function holds(i: id): boolean;\nbegin\n{third}return flag[i];\nend;\n\
             procedure put_in(var place: 0..3; value: 0..3);\nbegin\nif y != 1 then place := value; end;\nend;\n"
        )
    }

    fn start(&mut self) -> String {
        let rest = self.rest();
        let mut text = String::from("startstate \"start\"\nbegin\n");
        let assign = |shapes: &mut Self, text: &mut String, line: &str| {
            if !shapes.risky() {
                text.push_str(line);
            }
        };
        assign(self, &mut text, &format!("for i: id do pc[i] := {rest}; end;\n"));
        assign(self, &mut text, "for i: id do arr[i] := 0; end;\n");
        assign(self, &mut text, "for i: id do flag[i] := false; end;\n");
        assign(
            self,
            &mut text,
            &format!("for i: id do for j: id do net[i][j].count := 0; net[i][j].kind := {rest}; end; end;\n"),
        );
        assign(self, &mut text, "for m: mixed do wide[m] := 0; end;\n");
        if !self.risky() && !self.symmetric {
            text.push_str("x := 0;\n");
        }
        let y = self.random.between(0, 2);
        assign(self, &mut text, &format!("y := {y};\n"));
        assign(self, &mut text, "z := 0;\n");
        text.push_str("end;\n");
        if self.symmetric {
            // Which element it is does not matter.
            text = match self.random.percent(50) {
                true => format!("ruleset s: id do\n{}end;\n", text.replace("y :=", "x := s;\ny :=")),
                false => text,
            };
        }
        text
    }

    /// An index of an array over `id`.
    fn index(&mut self, around: &Around) -> String {
        if !around.elements.is_empty() && (around.tame || self.random.percent(35)) {
            let element = *self.random.pick(&around.elements);
            let other = !self.symmetric && self.random.percent(20);
            return if other { format!("({element} + 1) % {}", self.size) } else { element.to_owned() };
        }
        let n = self.size;
        match self.random.below(if self.symmetric { 4 } else { 10 }) {
            0..3 => "x".to_owned(),
            3 => "chosen()".to_owned(),
            4 => format!("(x + 1) % {n}"),
            5 => "x % y".to_owned(),
            6 => "y".to_owned(),
            7 => "z % 2".to_owned(),
            8 => "count() % 2".to_owned(),
            _ => "2 / y % 2".to_owned(),
        }
    }

    fn around(&mut self) -> Around {
        let mut around = Around { tame: self.random.percent(45), ..Around::default() };
        let mut kinds = vec!["i"];
        for (percent, kind) in
            [(40, "j"), (25, "v"), (65, "number"), (35, "step"), (30, "record"), (20, "value")]
        {
            if self.random.percent(percent) {
                kinds.push(kind);
            }
        }
        if self.bag && self.random.percent(25) {
            kinds.push("slot");
        }
        self.random.shuffle(&mut kinds);
        if around.tame {
            kinds.retain(|kind| *kind != "value");
            kinds.sort_by_key(|kind| *kind != "i");
        }
        for kind in kinds {
            let index = self.index(&around);
            let line = match kind {
                "i" | "j" => {
                    around.elements.push(kind);
                    format!("ruleset {kind}: id do\n")
                }
                "v" => {
                    around.numbers.push(kind);
                    let domain = *self.random.pick(&[": 1..2", ": 0..1", " := 0 to 2 by 2"]);
                    format!("ruleset v{domain} do\n")
                }
                "number" => {
                    around.number = Some("r");
                    format!("alias r: arr[{index}] do\n")
                }
                "step" => {
                    around.step = Some(("p", format!("pc[{index}]")));
                    format!("alias p: pc[{index}] do\n")
                }
                "record" => {
                    around.record = Some("c");
                    let second = self.index(&around);
                    format!("alias c: net[{index}][{second}] do\n")
                }
                "value" => {
                    let value = *self.random.pick(&["z + 1", "2 / y", "count()", "y"]);
                    format!("alias e: {value} do\n")
                }
                _ => {
                    around.slot = Some("k");
                    "choose k: bag do\n".to_owned()
                }
            };
            around.open.push_str(&line);
            around.blocks += 1;
        }
        around
    }

    /// What all rules of a group ask, where `?` stands for what each of them wants.
    fn question(&mut self, around: &Around) -> String {
        let own = *self.random.pick(&around.elements);
        let other = *self.random.pick(&around.elements);
        let place = match (&around.step, around.record) {
            (Some((name, _)), _) if self.random.percent(50) => (*name).to_owned(),
            (_, Some(record)) if self.random.percent(50) => format!("{record}.kind"),
            _ if self.random.percent(25) => format!("net[{own}][{other}].kind"),
            _ => format!("pc[{own}]"),
        };
        let wants = match self.random.percent(85) {
            true => format!("{place} = ?"),
            false => format!("? = {place}"),
        };
        let rest = self.rest();
        match self.random.below(10) {
            0..6 => wants,
            6 => format!("{place} != {rest} & {wants}"),
            7 => format!("net[{own}][{other}].count > 0 & {wants}"),
            8 => format!("arr[{own}] >= 1 & {wants}"),
            _ => match around.record {
                Some(record) => format!("{record}.count != 0 & {record}.kind = ?"),
                None => format!("0 < arr[{own}] & {wants}"),
            },
        }
    }

    fn group(&mut self, number: i64) -> Tree {
        let around = self.around();
        let question = self.question(&around);
        let mut rules = Vec::new();
        let count = self.random.between(4, 7) as usize;
        for at in 0..count {
            let wanted = STEPS[at % self.steps];
            let mut guard = question.replace('?', wanted);
            if self.random.percent(35) {
                let more = self.condition(&around.elements, Some(&around));
                let _ = write!(guard, " & {more}");
            }
            if self.random.percent(6) {
                let before = self.condition(&around.elements, Some(&around));
                guard = format!("{before} & {guard}");
            }
            let body = self.body(&around, at);
            let priority = if self.random.percent(3) { "1 " } else { "" };
            rules.push(tree!(
                Rule,
                format!("rule {priority}\"g{number} {at}\" {guard} ==>\nbegin\n{body}end;\n")
            ));
        }
        let end = "end;\n".repeat(around.blocks);
        tree!(Rule, around.open, Tree::list(rules), end)
    }
}
