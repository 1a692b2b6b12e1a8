//! What stands in the rules and properties of such a model: conditions, bodies, invariants.

use super::{Around, STEPS, Shapes};
use std::fmt::Write;

/// Conditions that go through elements.
const QUANTIFIED: [&str; 6] = [
    "forall q: id do arr[q] <= 2 end",
    "exists q: id do isundefined(arr[q]) end",
    "forall q: mixed do wide[q] = 0 end",
    "exists q: mixed do wide[q] = 1 end",
    "forall q: id do isundefined(pc[q]) | true end",
    "exists q: wider do isundefined(wide[q]) end",
];

impl Shapes {
    /// A condition of a guard or invariant, of the names at hand.
    pub(super) fn condition(&mut self, elements: &[&str], around: Option<&Around>) -> String {
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

    pub(super) fn body(&mut self, around: &Around, at: usize) -> String {
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
    pub(super) fn mover(&mut self, number: i64) -> String {
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

    pub(super) fn property(&mut self) -> String {
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
