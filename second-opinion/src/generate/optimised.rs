//! Draws a model of the shapes that optimisations key on.
//!
//! - four to seven rules that ask the same question, of a place or of a name of it, alone or after a comparison, mostly in vain
//! - rulesets and aliases around them in any order; indices of aliases are variables, remainders, quotients and calls, and may fail
//! - bodies that write nothing on some paths, that leave what they found, or that write what no invariant reads
//! - invariants over pairs, as the shapes that are evaluated in another order, with parts that may fail in any position
//! - a part of the state that is undefined, and functions that count, print, assume, or end without `return`

use super::{Dialect, Drawn};
use crate::random::Random;
use crate::tree;
use crate::tree::Tree;
use std::collections::BTreeSet;
use std::fmt::Write;

const STEPS: [&str; 7] = ["A", "B", "C", "D", "E", "F", "G"];

/// Conditions that go through elements.
const QUANTIFIED: [&str; 6] = [
    "forall q: id do arr[q] <= 2 end",
    "exists q: id do isundefined(arr[q]) end",
    "forall q: mixed do wide[q] = 0 end",
    "exists q: mixed do wide[q] = 1 end",
    "forall q: id do isundefined(pc[q]) | true end",
    "exists q: wider do isundefined(wide[q]) end",
];

struct Shapes {
    random: Random,
    /// Elements of `id`, which may be a scalarset.
    size: i64,
    symmetric: bool,
    steps: usize,
    /// How many of a hundred places may be undefined, indices fail, functions do something else than return.
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

    /// `chosen` gives an element, `count` a number, `holds` a condition, `put_in` writes what it is given.
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

    /// A condition of a guard or invariant, of the names at hand.
    fn condition(&mut self, elements: &[&str], around: Option<&Around>) -> String {
        let own = *self.random.pick(elements);
        let other = *self.random.pick(elements);
        if let Some(around) = around
            && self.random.percent(25)
        {
            if let Some(number) = around.number {
                return format!("{number} <= {}", self.random.between(0, 3));
            }
            if let Some(slot) = around.slot {
                return format!("bag[{slot}] = 0");
            }
        }
        match self.random.below(14) {
            0 => format!("flag[{own}]"),
            1 => format!("!flag[{own}]"),
            2 => format!("arr[{own}] <= {}", self.random.between(0, 3)),
            3 => format!("pc[{own}] != {}", self.step()),
            4 => format!("net[{own}][{other}].count < {}", self.random.between(1, 2)),
            5 => format!("{own} = {other}"),
            6 => format!("{own} != x"),
            7 => format!("isundefined(arr[{own}])"),
            8 => format!("holds({own})"),
            9 => format!("y {} {}", *self.random.pick(&["=", "!=", "<"]), self.random.between(0, 2)),
            10 => format!("2 / y >= {}", self.random.between(0, 2)),
            11 => "arr[x] != 3".to_owned(),
            12 => (*self.random.pick(&QUANTIFIED)).to_owned(),
            _ => format!("pc[{own}] = {}", self.step()),
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

    fn body(&mut self, around: &Around, at: usize) -> String {
        let own = *self.random.pick(&around.elements);
        let next = STEPS[(at + 1) % self.steps];
        let moved = match &around.step {
            Some((name, _)) if self.random.percent(50) => format!("{name} := {next};\n"),
            _ => format!("pc[{own}] := {next};\n"),
        };
        let mut body = match self.random.below(5) {
            0 => format!("if {} then\n{moved}end;\n", self.condition(&around.elements, Some(around))),
            1 => format!("if y = 1 then return; end;\n{moved}"),
            _ => moved,
        };
        for _ in 0..self.random.below(3) {
            body.push_str(&self.statement(around));
        }
        body
    }

    fn statement(&mut self, around: &Around) -> String {
        let own = *self.random.pick(&around.elements);
        let other = *self.random.pick(&around.elements);
        if self.risky() {
            return match self.random.below(6) {
                0 => "undefine x;\n".to_owned(),
                1 => format!("undefine arr[{own}];\n"),
                2 => format!("undefine pc[{own}];\n"),
                3 => format!("arr[{own}] := arr[{other}] + 1;\n"),
                4 => format!("net[{own}][{other}].count := y + z;\n"),
                _ => format!("undefine net[{own}][{other}].kind;\n"),
            };
        }
        match self.random.below(12) {
            0 | 1 => match around.number {
                Some(number) => format!("{number} := {};\n", self.random.between(0, 3)),
                None => format!("arr[{own}] := {};\n", self.random.between(0, 3)),
            },
            2 => format!("x := {own};\n"),
            3 => format!("y := {};\n", self.random.between(0, 2)),
            4 => format!("flag[{own}] := !flag[{other}];\n"),
            5 => format!("net[{own}][{other}].count := {};\n", self.random.between(0, 2)),
            6 => format!("net[{own}][{other}].kind := {};\n", self.step()),
            7 => format!("put_in(arr[{own}], {});\n", self.random.between(0, 3)),
            8 => format!("for q: id do if q = {own} then z := {}; end; end;\n", self.random.between(0, 3)),
            9 => format!("arr[{own}] := arr[{own}];\n"),
            10 if self.bag => match around.slot {
                Some(slot) if self.random.percent(50) => format!("multisetremove({slot}, bag);\n"),
                _ => "if multisetcount(b: bag, true) < 2 then multisetadd(1, bag); end;\n".to_owned(),
            },
            _ => format!("wide[{}] := {};\n", self.step(), self.random.between(0, 1)),
        }
    }

    /// A rule of another kind, so that groups have something to do.
    fn mover(&mut self, number: i64) -> String {
        let mut around = Around { elements: vec!["i"], ..Around::default() };
        if self.random.percent(40) {
            around.elements.push("j");
        }
        let open: String =
            around.elements.iter().map(|element| format!("ruleset {element}: id do\n")).collect();
        let mut guard = match self.random.below(3) {
            0 => format!("pc[i] = {}", self.rest()),
            1 => format!("y = {}", self.random.between(0, 2)),
            _ => self.condition(&around.elements, None),
        };
        if self.random.percent(40) {
            let more = self.condition(&around.elements, None);
            let _ = write!(guard, " & {more}");
        }
        let mut body = format!("pc[i] := {};\n", self.step());
        for _ in 0..self.random.between(1, 2) {
            body.push_str(&self.statement(&around));
        }
        let end = "end;\n".repeat(around.elements.len());
        format!("{open}rule \"m{number}\" {guard} ==>\nbegin\n{body}end;\n{end}")
    }

    fn property(&mut self) -> String {
        let pair = ["i", "j"];
        let (first, second, third) =
            (self.condition(&pair, None), self.condition(&pair, None), self.condition(&["j"], None));
        let early = self.condition(&["i"], None);
        // Seldom evaluated, and true unless it is undefined.
        let last = if self.random.percent(70) { " | y < 3" } else { "" };
        match self.random.below(12) {
            0..2 => format!(
                "invariant \"pairs\" forall i: id do forall j: id do i = j | {early} | {third} | {first}{last} end end;\n"
            ),
            2 => format!(
                "invariant \"pairs\" forall i: id do forall j: id do {first} | {early} | {third} | pc[i] != {}{last} end end;\n",
                self.step()
            ),
            3 => format!(
                "invariant \"none\" !exists i: id do exists j: id do i != j & {early} & {third} & {first} & {second} end end;\n"
            ),
            4 => format!(
                "ruleset i: id do\ninvariant \"implies\" forall j: id do {early} -> ({third} | {second} | {first}{last}) end;\nend;\n"
            ),
            5 => format!(
                "invariant \"constants\" forall i: id do forall v: 0..2 do {early} | v != {} | z = v | y < 3 end end;\n",
                self.random.between(0, 2)
            ),
            6 => {
                let value = *self.random.pick(&["count()", "z", "2 / y"]);
                format!("alias e: {value} do\ninvariant \"name\" e <= 3;\nend;\n")
            }
            7 => "ruleset i: id do\nalias r: arr[x] do\ninvariant \"index\" r <= 3 | flag[i];\nend;\nend;\n"
                .to_owned(),
            8 => format!("invariant \"calls\" count() <= 3 | forall i: id do {early} end;\n"),
            9 => format!("cover \"cover\" exists i: id do {early} end;\n"),
            10 if self.random.percent(50) => {
                format!("assume \"assumption\" forall i: id do {early} | y < 3 end;\n")
            }
            10 => format!("ruleset i: id do\ncover \"each\" {early};\nend;\n"),
            _ => format!("invariant \"one\" forall i: id do {early} | z <= 3 end;\n"),
        }
    }
}
