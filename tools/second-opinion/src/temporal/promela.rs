//! A table as a graph of positions in Promela, with a formula for each property.
//!
//! A position is a state with the step that is taken next. `turn` changes with each step. Positions
//! from which a run cannot go on for ever are left out, since Spin would let it stay there.

use super::drawing::{Edge, Fairness, Table};
use super::formula::Formula;
use std::fmt::Write as _;

/// Propositions in one variable.
const WORD: usize = 30;

/// The graph of positions of a table.
#[derive(Clone, Debug)]
pub struct Positions {
    nodes: Vec<(usize, Edge)>,
    starts: Vec<usize>,
    next: Vec<Vec<usize>>,
}

impl Positions {
    /// `None`: the model has no run.
    pub fn new(table: &Table) -> Option<Positions> {
        let all: Vec<(usize, Edge)> = (0..table.states)
            .flat_map(|state| table.edges(state).into_iter().map(move |edge| (state, edge)))
            .collect();
        let mut live = vec![true; all.len()];
        loop {
            let before = live.clone();
            for (at, (_, edge)) in all.iter().enumerate() {
                live[at] = live[at] && (0..all.len()).any(|to| live[to] && all[to].0 == edge.to);
            }
            if live == before {
                break;
            }
        }
        let nodes: Vec<(usize, Edge)> =
            all.into_iter().zip(live).filter(|(_, live)| *live).map(|(node, _)| node).collect();
        let of_state = |state: usize| (0..nodes.len()).filter(|&at| nodes[at].0 == state).collect::<Vec<_>>();
        let starts: Vec<usize> = table.starts().into_iter().flat_map(of_state).collect();
        let next = nodes.iter().map(|(_, edge)| of_state(edge.to)).collect();
        (!starts.is_empty()).then_some(Positions { nodes, starts, next })
    }

    /// The model, and what it is to fulfil for each of these formulas.
    pub fn model(&self, table: &Table, formulas: &[Formula]) -> (String, Vec<String>) {
        let mut names = Names { positions: self, defined: Vec::new() };
        let fair: Vec<String> = table
            .fair()
            .into_iter()
            .map(|(rule, instance, fairness)| {
                let enabled = names.name(|(state, _)| table.changes(*state, rule, instance));
                let taken =
                    names.name(|(state, edge)| edge.fires == Some((rule, instance)) && edge.to != *state);
                match fairness {
                    Fairness::Strong => format!("((<>[] !{enabled}) || ([]<> {taken}))"),
                    Fairness::Weak | Fairness::None => format!("(([]<> !{enabled}) || ([]<> {taken}))"),
                }
            })
            .collect();
        let mut properties = Vec::new();
        for formula in formulas {
            let mut atom = |one: &Formula| match one {
                Formula::In(states) => names.name(|(state, _)| states[*state]),
                Formula::Fired(rule, instance) => names.name(|(_, edge)| {
                    edge.fires.is_some_and(|(fired, which)| {
                        fired == *rule && instance.is_none_or(|instance| instance == which)
                    })
                }),
                _ => "true".to_owned(),
            };
            let formula = formula.spin(&mut atom, "turn_");
            let whole = match fair.is_empty() {
                true => formula,
                false => format!("(({}) -> {formula})", fair.join(" && ")),
            };
            // The first position is none of a run.
            properties.push(format!("(root_ U (!root_ && {whole}))"));
        }
        let mut text = String::from("bit root = 1; bit turn = 0; byte at = 255;\n");
        text += "#define root_ (root == 1)\n#define turn_ (turn == 1)\n";
        for word in 0..names.defined.len().div_ceil(WORD) {
            let _ = writeln!(text, "int label{word} = 0;");
        }
        for bit in 0..names.defined.len() {
            let _ = writeln!(text, "#define p{bit} ((label{} & {}) != 0)", bit / WORD, 1 << (bit % WORD));
        }
        text += "active proctype Run() {\n  do\n";
        for &start in &self.starts {
            let label = names.label(start);
            let _ = writeln!(text, "  :: d_step {{ root == 1 -> root = 0; at = {start}; {label} }}");
        }
        for (from, next) in self.next.iter().enumerate() {
            for &to in next {
                let label = names.label(to);
                let _ = writeln!(text, "  :: d_step {{ at == {from} -> at = {to}; {label}turn = 1 - turn }}");
            }
        }
        (text + "  od\n}\n", properties)
    }
}

/// Propositions, each a bit of the label of a position.
struct Names<'a> {
    positions: &'a Positions,
    defined: Vec<Vec<bool>>,
}

impl Names<'_> {
    fn name(&mut self, holds: impl Fn(&(usize, Edge)) -> bool) -> String {
        let values: Vec<bool> = self.positions.nodes.iter().map(holds).collect();
        let known = self.defined.iter().position(|known| *known == values);
        let bit = known.unwrap_or_else(|| {
            self.defined.push(values);
            self.defined.len() - 1
        });
        format!("p{bit}")
    }

    /// Statements that set the propositions of a position.
    fn label(&self, node: usize) -> String {
        let words = self.defined.chunks(WORD).enumerate();
        let statements = words.map(|(word, bits)| {
            let bits = bits.iter().enumerate().filter(|(_, holds)| holds[node]).map(|(bit, _)| 1 << bit);
            format!("label{word} = {}; ", bits.sum::<u32>())
        });
        statements.collect()
    }
}
