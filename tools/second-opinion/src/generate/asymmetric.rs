//! Models with a loop over a scalarset, or over the slots of a multiset, that may or may not show
//! the order in which it is gone through: first any values are given to the elements, then one rule
//! runs through them, then everything is asked. Undefined elements and unions are compared on the
//! way.
//!
//! An even seed and the odd one after it are twins: the invariant of one is the negation of the
//! other's.

use crate::generate::{Dialect, Drawn};
use crate::random::Random;
use crate::tree;
use crate::tree::Tree;
use std::collections::BTreeSet;

const DECLARATIONS: &str = "var a: array [p] of 0..2;
var d: array [p] of -1..1;
var o: array [p] of p;
var s: array [p] of boolean;
var x: p;
var y: p;
var w: u;
var m: multiset [2] of p;
var q: multiset [2] of 1..2;
var n: 0..3;
var c: 0..3;
var b: boolean;
var ph: 0..1;
procedure copies(var from: 0..2; var into: 0..3); begin into := from; end;
procedure counts(var it: 0..3); begin it := it + 1; end;
procedure takes(i: p); begin if isundefined(y) then y := i; end; end;
procedure marks(i: p); begin s[i] := true; end;
procedure adds(i: p); begin assert multisetcount(k: m, true) < 2; multisetadd(i, m); end;
function first(): 0..2; begin for i: p do if a[i] > 0 then return a[i]; end; end; return 0; end;
function any(): boolean; begin for i: p do if a[i] = 1 then return true; end; end; return false; end;
function writes(i: p): boolean; begin n := a[i]; return a[i] = 1; end;
function is(i: p): boolean; begin return a[i] = 1; end;
function careful(i: p): boolean; begin assume a[i] != 2; assert a[i] != 1; return true; end;
";

struct Drawer {
    random: Random,
    /// The variables in scope that hold an element of the scalarset, the loop variable first.
    elements: Vec<&'static str>,
    /// A number that an inner loop or an alias names.
    numbers: Vec<&'static str>,
    left: usize,
}

/// The model of a seed.
pub fn draw(seed: u64) -> Drawn {
    let negated = seed % 2 == 1;
    let mut drawer =
        Drawer { random: Random::new(seed / 2), elements: Vec::new(), numbers: Vec::new(), left: 8 };
    let size = *drawer.random.pick(&[2, 2, 2, 3]);
    let mut items = vec![
        tree!(Fixed, format!("type p: scalarset({size});\ntype u: union {{ p, enum {{ home }} }};\n")),
        tree!(Fixed, DECLARATIONS),
    ];
    items.push(drawer.start());
    items.extend(drawer.givers());
    items.push(drawer.go());
    items.push(drawer.property(negated));
    Drawn {
        seed,
        dialect: Dialect::Asymmetric,
        tree: Tree::list(items),
        deadlock: false,
        features: BTreeSet::new(),
    }
}

impl Drawer {
    fn start(&mut self) -> Tree {
        let mut defined = vec![
            tree!(Statement, "n := 0; "),
            tree!(Statement, "c := 1; "),
            tree!(Statement, "b := true; "),
            tree!(Statement, "for i: p do a[i] := 0; end; "),
        ];
        for text in [
            "for i: p do d[i] := 0; end; ",
            "for i: p do s[i] := false; end; ",
            "for i: p do o[i] := i; end; ",
            "multisetadd(1, q); multisetadd(2, q); ",
            "w := home; ",
        ] {
            if self.random.percent(70) {
                defined.push(tree!(Statement, text));
            }
        }
        if self.random.percent(12) {
            let left_out = self.random.below(4);
            defined.remove(left_out);
        }
        tree!(Rule, "startstate begin ph := 0; ", Tree::list(defined), "end;\n")
    }

    /// Rules that give values to elements, each element its own, and in any order.
    fn givers(&mut self) -> Vec<Tree> {
        let mut rules = vec![tree!(
            Rule,
            "ruleset i: p; v: 1..2 do rule \"a\" ph = 0 & a[i] = 0 ==> begin a[i] := v; end; end;\n"
        )];
        let optional: [&'static str; 6] = [
            "ruleset i: p do rule \"x\" ph = 0 & isundefined(x) ==> begin x := i; end; end;\n",
            "ruleset i: p; j: p do rule \"o\" ph = 0 & i != j & o[i] = i ==> begin o[i] := j; end; end;\n",
            "ruleset i: p do rule \"w\" ph = 0 & w = home ==> begin w := i; end; end;\n",
            "ruleset i: p do rule \"m\" ph = 0 & multisetcount(k: m, m[k] = i) = 0 & multisetcount(k: m, true) < 2 ==> begin multisetadd(i, m); end; end;\n",
            "ruleset i: p; v: -1..1 do rule \"d\" ph = 0 & d[i] = 0 & v != 0 ==> begin d[i] := v; end; end;\n",
            "ruleset i: p do rule \"s\" ph = 0 & !s[i] ==> begin s[i] := true; end; end;\n",
        ];
        for _ in 0..2 {
            let text = *self.random.pick(&optional);
            rules.push(tree!(Rule, text));
        }
        rules
    }

    fn go(&mut self) -> Tree {
        let mut body = Vec::new();
        if self.random.percent(15) {
            let before = self.statement(1);
            body.push(before);
        }
        body.push(self.through());
        if self.random.percent(25) {
            let after = self.statement(1);
            body.push(after);
        }
        let around = match self.random.below(8) {
            0 => ("choose h: q do ", "end;\n", "q[h] := 1; "),
            1 => ("choose h: q do ", "end;\n", "multisetremove(h, q); multisetadd(2, q); n := q[h]; "),
            2 => ("alias z: n do ", "end;\n", ""),
            _ => ("", "", ""),
        };
        tree!(
            Rule,
            around.0,
            "rule \"go\" ph = 0 & (exists i: p do a[i] != 0 end) ==> var t: 0..3; e: p; begin ph := 1; ",
            around.2,
            Tree::list(body),
            "end;\n",
            around.1
        )
    }

    /// A loop, or something else that goes through elements.
    fn through(&mut self) -> Tree {
        match self.random.below(12) {
            0 => tree!(Statement, "if forall i: p do ", self.call(), " end then n := 1; end; "),
            1 => tree!(Statement, "if exists i: p do ", self.call(), " end then c := 0; end; "),
            2 => {
                let condition = *self.random.pick(&[
                    "multisetcount(j: q, true) > 1",
                    "multisetcount(j: q, q[j] != q[k]) > 0",
                    "q[k] = 1",
                    "q[k] > n",
                ]);
                tree!(
                    Statement,
                    format!("multisetremovepred(k: q, {condition}); n := multisetcount(k: q, q[k] = 1); ")
                )
            }
            3 => tree!(Statement, "n := first(); "),
            4 => tree!(Statement, "b := any(); "),
            _ => {
                self.elements.push("i");
                let mut body = Vec::new();
                for _ in 0..self.random.between(1, 3) {
                    body.push(self.statement(2));
                }
                self.elements.pop();
                tree!(Statement, "for i: p do ", Tree::list(body), "end; ")
            }
        }
    }

    fn call(&mut self) -> Tree {
        let text =
            *self.random.pick(&["is(i)", "writes(i)", "careful(i)", "a[i] = 1", "o[i] = x", "is(i) & s[i]"]);
        tree!(Boolean, text)
    }

    fn element(&mut self) -> String {
        let mut names = vec!["x", "y", "o[x]", "e"];
        for name in &self.elements {
            names.extend([*name, *name, *name]);
        }
        (*self.random.pick(&names)).to_owned()
    }

    fn own(&mut self) -> &'static str {
        if self.elements.is_empty() {
            return "x";
        }
        let number = self.random.below(self.elements.len());
        self.elements[number]
    }

    fn number(&mut self) -> Tree {
        let own = self.own();
        if !self.numbers.is_empty() && self.random.percent(40) {
            let name = *self.random.pick(&self.numbers);
            return tree!(Number, name);
        }
        let text = match self.random.below(12) {
            0 => "n".to_owned(),
            1 => "c".to_owned(),
            2 => "t".to_owned(),
            3 => "1".to_owned(),
            4 => "2".to_owned(),
            5 => format!("a[{}]", self.element()),
            6 => format!("multisetcount(k: m, m[k] = {own})"),
            7 => "(n + 1) % 3".to_owned(),
            _ => format!("a[{own}]"),
        };
        tree!(Number, text)
    }

    fn condition(&mut self) -> Tree {
        let own = self.own();
        let operator = *self.random.pick(&["=", "!=", ">", "<=", "<"]);
        match self.random.below(12) {
            0 => tree!(Boolean, format!("{own} = {}", self.element())),
            1 => tree!(Boolean, format!("{own} != {}", self.element())),
            2 => tree!(Boolean, format!("o[{own}] = {}", self.element())),
            3 => tree!(Boolean, format!("w = {}", self.element())),
            4 => tree!(Boolean, "isundefined(y)"),
            5 => tree!(Boolean, format!("s[{own}]")),
            6 => tree!(Boolean, format!("multisetcount(k: m, m[k] = {own}) = 0")),
            7 => tree!(Boolean, "b"),
            8 => tree!(Boolean, format!("is({own})")),
            _ => tree!(Boolean, self.number(), format!(" {operator} "), self.number()),
        }
    }

    fn statement(&mut self, depth: usize) -> Tree {
        let own = self.own();
        let deep = depth > 0 && self.left > 0;
        self.left = self.left.saturating_sub(1);
        match self.random.below(if deep { 34 } else { 24 }) {
            0 => tree!(Statement, "n := ", self.number(), "; "),
            1 => tree!(Statement, "n := n + ", self.number(), "; "),
            2 => tree!(Statement, format!("n := n + d[{own}]; ")),
            3 => tree!(Statement, "c := c - ", self.number(), "; "),
            4 => tree!(Statement, "b := b & ", self.bracketed(), "; "),
            5 => tree!(Statement, "b := ", self.bracketed(), " | b; "),
            6 => tree!(Statement, "b := ", self.bracketed(), "; "),
            7 => tree!(Statement, format!("a[{own}] := "), self.number(), "; "),
            8 => tree!(Statement, format!("a[{}] := ", self.element()), self.number(), "; "),
            9 => tree!(Statement, format!("y := {}; ", self.element())),
            10 => tree!(Statement, format!("o[{own}] := {}; ", self.element())),
            11 => tree!(Statement, format!("w := {}; ", self.element())),
            12 => tree!(Statement, format!("multisetadd({own}, m); ")),
            13 => tree!(Statement, format!("multisetremovepred(k: m, m[k] = {}); ", self.element())),
            14 => tree!(Statement, format!("copies(a[{own}], n); ")),
            15 => tree!(Statement, "counts(c); "),
            16 => tree!(Statement, format!("takes({own}); ")),
            17 => tree!(Statement, format!("marks({own}); adds({own}); ")),
            18 => tree!(Statement, "t := ", self.number(), "; n := t; "),
            19 => tree!(Statement, format!("s[{own}] := "), self.bracketed(), "; "),
            20 => tree!(Statement, "undefine y; "),
            21 => match self.random.below(5) {
                0 => tree!(Statement, "return; "),
                1 => tree!(Statement, "assert ", self.bracketed(), "; "),
                2 => tree!(Statement, "assume ", self.bracketed(), "; "),
                3 => tree!(Statement, format!("put writes({own}); ")),
                _ => tree!(Statement, "cover ", self.bracketed(), "; "),
            },
            22 => tree!(Statement, format!("e := {}; ", self.element())),
            23 => tree!(Statement, format!("n := a[{own}] > n ? a[{own}] : n; ")),
            24 => tree!(
                Statement,
                format!("if a[{own}] > n then n := a[{own}]; "),
                self.list(1, depth),
                "end; "
            ),
            25 | 26 => tree!(Statement, "if ", self.condition(), " then ", self.list(2, depth), "end; "),
            27 => {
                let (condition, then) = (self.condition(), self.list(1, depth));
                tree!(Statement, "if ", condition, " then ", then, "else ", self.list(1, depth), "end; ")
            }
            28 => {
                let (one, two) = (self.list(1, depth), self.list(1, depth));
                tree!(
                    Statement,
                    format!("switch a[{own}] case 0: "),
                    one,
                    "case 1: ",
                    two,
                    "else n := 2; end; "
                )
            }
            29 => self.inner(depth, "for k: 0..2 do ", "k"),
            30 => self.inner(depth, "for k := 0 to a[i] do ", "k"),
            31 => {
                self.elements.push("j");
                let body = self.list(2, depth);
                self.elements.pop();
                tree!(Statement, "for j: p do ", body, "end; ")
            }
            32 => self.inner(depth, &format!("alias v: a[{own}] do "), "v"),
            _ => self.inner(depth, "alias v: n do ", "v"),
        }
    }

    fn inner(&mut self, depth: usize, head: &str, name: &'static str) -> Tree {
        self.numbers.push(name);
        let body = self.list(2, depth);
        self.numbers.pop();
        tree!(Statement, head, body, "end; ")
    }

    fn bracketed(&mut self) -> Tree {
        tree!(Boolean, "(", self.condition(), ")")
    }

    fn list(&mut self, most: i64, depth: usize) -> Tree {
        let count = self.random.between(1, most);
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(self.statement(depth - 1));
        }
        Tree::list(items)
    }

    fn property(&mut self, negated: bool) -> Tree {
        let text = match self.random.below(8) {
            0 => "b".to_owned(),
            1 => "c != 1".to_owned(),
            2 => "isundefined(y) | isundefined(x) | y != x".to_owned(),
            3 => "exists i: p do a[i] = 2 & s[i] end".to_owned(),
            4 => "multisetcount(k: m, true) != 1".to_owned(),
            _ => format!("n != {}", self.random.between(0, 3)),
        };
        let not = if negated { "!" } else { "" };
        tree!(Rule, format!("invariant \"asked\" ph = 0 | {not}({text});\n"))
    }
}
