//! Owners, pointers and channels that are undefined now and then, and rules and invariants that
//! compare them all the same: with types, variables and functions of their own, so that they can be
//! put beside whatever else a model has.

use super::{Dialect, Generator};
use crate::tree;
use crate::tree::Tree;

/// Values of the scalarset: variables that may be undefined, results, and in a ruleset its element.
const ELEMENTS: [&str; 6] = ["uo", "uq", "up[uz].w", "uf(uo)", "uf(uq)", "(isundefined(ul) ? uo : uq)"];
/// Values of the union, and what may be compared with it.
const WIDE: [&str; 6] = ["ul", "uk", "ua", "ub", "ug(ul)", "(isundefined(uo) ? ul : uk)"];
/// What can be assigned to.
const ELEMENT_PLACES: [&str; 3] = ["uo", "uq", "up[uz].w"];
const WIDE_PLACES: [&str; 2] = ["ul", "uk"];

/// What an expression may name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Inside a ruleset or quantifier over the scalarset, with the element `uz`.
    Element,
    Nothing,
}

impl Generator {
    /// Declarations, rules and invariants, in some models of the dialects that have unions.
    pub fn undefined_part(&mut self) -> Vec<Tree> {
        let percent = match self.dialect {
            Dialect::Full => 25,
            Dialect::Symmetric => 35,
            Dialect::Rumur | Dialect::Processes | Dialect::Asymmetric | Dialect::Optimised => 0,
        };
        if !self.random.percent(percent) {
            return Vec::new();
        }
        self.note("undefined values compared");
        let size = self.random.between(1, 3);
        let members = *self.random.pick(&["us, ue", "ue, us", "ue, enum {uc}, us"]);
        let declarations = format!(
            "type us: scalarset({size}); ue: enum {{ua, ub}}; uu: union {{{members}}};\n\
             var uo: us; uq: us; ul: uu; uk: uu; up: array [us] of record w: us; end; um: multiset[2] of us; un: 0..2;\n\
             function uf(x: us): us; begin return x; end;\n\
             function ug(x: uu): uu; begin if x = ua then return uk; end; return x; end;\n"
        );
        let mut items = vec![tree!(Fixed, declarations)];
        for _ in 0..self.random.between(2, 5) {
            let rule = self.undefined_rule();
            items.push(rule);
        }
        for _ in 0..self.random.below(3) {
            let invariant = self.undefined_invariant();
            items.push(invariant);
        }
        if self.random.percent(25) {
            items.extend(self.undefined_family());
        }
        items
    }

    /// Many rules that ask the same of a place that may be undefined, so that compiled code asks
    /// once for all of them.
    fn undefined_family(&mut self) -> Vec<Tree> {
        let mut items = vec![tree!(Fixed, "var uw: array [0..1] of uu; uv: array [0..1] of 0..3;\n")];
        let gate = *self.random.pick(&["", "uw[uy] != ub & ", "ua != uw[uy] & "]);
        let values: [&str; 4] = if gate.is_empty() { ["ua", "ub", "ua", "ub"] } else { ["0", "1", "2", "3"] };
        let asked = if gate.is_empty() { "uw[uy]" } else { "uv[uy]" };
        items.push(tree!(
            Rule,
            "ruleset uy: 0..1 do rule \"first\" isundefined(uv[uy]) ==> begin uv[uy] := 0; end; end;\n"
        ));
        for value in values {
            let next =
                *self.random.pick(&["uw[uy] := ua;", "uw[uy] := ub;", "undefine uw[uy];", "uw[uy] := ul;"]);
            let guard = match gate {
                "" => format!("{asked} = {value}"),
                _ => format!("!isundefined(uv[uy]) & {gate}{asked} = {value}"),
            };
            // What is asked first decides whether instances are selected.
            let guard =
                if self.random.percent(50) { guard.replace("!isundefined(uv[uy]) & ", "") } else { guard };
            let step = if gate.is_empty() { "" } else { "uv[uy] := (uv[uy] + 1) % 4; " };
            items.push(tree!(
                Rule,
                format!("ruleset uy: 0..1 do rule \"many\" {guard} ==> begin {step}{next} end; end;\n")
            ));
        }
        items
    }

    fn undefined_rule(&mut self) -> Tree {
        let around = if self.random.percent(65) { Around::Element } else { Around::Nothing };
        let guard = self.undefined_condition(around, 2);
        let mut body = String::new();
        for _ in 0..self.random.between(1, 2) {
            body.push_str(&self.undefined_statement(around, 1));
        }
        self.names += 1;
        let rule = format!("rule \"u{}\" {guard} ==> begin\n{body}end;\n", self.names);
        match around {
            Around::Element => tree!(Rule, "ruleset uz: us do\n", tree!(Rule, rule), "end;\n"),
            Around::Nothing => tree!(Rule, rule),
        }
    }

    fn undefined_invariant(&mut self) -> Tree {
        let mut parts = String::new();
        for _ in 0..self.random.between(1, 3) {
            parts.push_str(&self.undefined_condition(Around::Element, 1));
            let joined = *self.random.pick(&[" | ", " | ", " -> "]);
            parts.push_str(joined);
        }
        // Mostly true: a model whose first state is violating has nothing else to show.
        let last = *self.random.pick(&[
            "isundefined(un) | un < 2",
            "isundefined(un) | un < 2",
            "uo = uo",
            "ul != uk",
            "!isundefined(uo)",
        ]);
        let text = match self.random.below(3) {
            0 => format!("invariant forall uz: us do {parts}{last} end;\n"),
            1 => format!(
                "invariant forall uz: us do forall uy: us do uz = uy | uo != uy | {parts}{last} end end;\n"
            ),
            _ => format!("ruleset uz: us do invariant {parts}{last}; end;\n"),
        };
        tree!(Rule, text)
    }

    fn undefined_element(&mut self, around: Around) -> String {
        if around == Around::Element && self.random.percent(30) {
            return "uz".to_owned();
        }
        let found = *self.random.pick(&ELEMENTS);
        if found.contains("uz") && around == Around::Nothing { "uo".to_owned() } else { found.to_owned() }
    }

    fn undefined_value(&mut self, around: Around) -> String {
        match self.random.percent(45) {
            true => self.undefined_element(around),
            false => (*self.random.pick(&WIDE)).to_owned(),
        }
    }

    fn undefined_condition(&mut self, around: Around, depth: usize) -> String {
        if depth > 0 && self.random.percent(40) {
            let (left, right) =
                (self.undefined_condition(around, depth - 1), self.undefined_condition(around, depth - 1));
            return match self.random.below(4) {
                0 => format!("({left} | {right})"),
                1 => format!("!({left})"),
                _ => format!("({left} & {right})"),
            };
        }
        let operator = *self.random.pick(&["=", "!="]);
        match self.random.below(9) {
            0 => format!("isundefined({})", self.random.pick(&["uo", "ul", "uk"])),
            1 => format!("ismember({}, us)", self.random.pick(&["ul", "uk"])),
            2 => "(isundefined(un) | un < 2)".to_owned(),
            3 => format!("(exists ux: us do ux {operator} {} end)", self.undefined_element(around)),
            4 => format!("multisetcount(ui: um, um[ui] {operator} {}) < 2", self.undefined_element(around)),
            5 | 6 => {
                let (left, right) = (self.undefined_element(around), self.undefined_element(around));
                format!("{left} {operator} {right}")
            }
            _ => {
                // One side of the union, so that the two have values in common.
                let (left, right) =
                    (*self.random.pick(&["ul", "uk", "ug(uk)"]), self.undefined_value(around));
                match self.random.percent(50) {
                    true => format!("{left} {operator} {right}"),
                    false => format!("{right} {operator} {left}"),
                }
            }
        }
    }

    fn undefined_statement(&mut self, around: Around, depth: usize) -> String {
        let place = |generator: &mut Self| {
            let found = *generator.random.pick(&ELEMENT_PLACES);
            if found.contains("uz") && around == Around::Nothing { "uo" } else { found }
        };
        match self.random.below(10) {
            0 | 1 => format!("undefine {};\n", place(self)),
            2 => format!("undefine {};\n", self.random.pick(&WIDE_PLACES)),
            3 | 4 => format!("{} := {};\n", place(self), self.undefined_element(around)),
            5 => format!("{} := {};\n", self.random.pick(&WIDE_PLACES), self.undefined_value(around)),
            6 => "un := isundefined(un) ? 0 : (un + 1) % 3;\n".to_owned(),
            7 if self.random.percent(60) => format!(
                "if multisetcount(ui: um, true) < 2 then multisetadd({}, um); end;\n",
                self.undefined_element(around)
            ),
            7 => {
                let element = self.undefined_element(around);
                format!("multisetremovepred(ui: um, um[ui] = {element});\n")
            }
            8 if depth > 0 => {
                let (one, other) = (
                    self.undefined_statement(around, depth - 1),
                    self.undefined_statement(around, depth - 1),
                );
                format!("switch {} case ua: {one}else {other}end;\n", self.random.pick(&["ul", "uk"]))
            }
            _ if depth > 0 => {
                let condition = self.undefined_condition(around, 1);
                let (one, other) = (
                    self.undefined_statement(around, depth - 1),
                    self.undefined_statement(around, depth - 1),
                );
                format!("if {condition} then {one}else {other}end;\n")
            }
            _ => format!("{} := {};\n", self.random.pick(&WIDE_PLACES), self.random.pick(&WIDE)),
        }
    }
}
