//! Random formulas, in normal form for the search, and their meaning on a word with a loop.

use mcc_runtime::host::random::Random;
use mcc_runtime::temporal::ltl::{FormulaId, Formulas};

/// A formula over two propositions about states and one about steps (rule 0 fires).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    True,
    Proposition(u32),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Next(Box<Tree>),
    Until(Box<Tree>, Box<Tree>),
    Release(Box<Tree>, Box<Tree>),
}

pub fn random_tree(random: &mut Random, depth: u32) -> Tree {
    let one = |random: &mut Random| Box::new(random_tree(random, depth - 1));
    match if depth == 0 { 0 } else { random.below(12) } {
        0 | 1 => Tree::Proposition(random.below(3) as u32),
        2 => Tree::Not(one(random)),
        3 => Tree::And(one(random), one(random)),
        4 => Tree::Or(one(random), one(random)),
        5 => Tree::Next(one(random)),
        6 | 7 => Tree::Until(one(random), one(random)),
        8 => Tree::Release(one(random), one(random)),
        9 => eventually(one(random)),
        _ => always(one(random)),
    }
}

pub fn eventually(one: Box<Tree>) -> Tree {
    Tree::Until(Box::new(Tree::True), one)
}

pub fn always(one: Box<Tree>) -> Tree {
    Tree::Release(Box::new(Tree::Not(Box::new(Tree::True))), one)
}

/// The formula for the search: its negation where `positive` is false.
pub fn build(formulas: &mut Formulas, tree: &Tree, positive: bool) -> FormulaId {
    match tree {
        Tree::True => formulas.constant(positive),
        Tree::Proposition(number) => formulas.literal(*number, positive),
        Tree::Not(one) => build(formulas, one, !positive),
        Tree::And(left, right) | Tree::Or(left, right) => {
            let (l, r) = (build(formulas, left, positive), build(formulas, right, positive));
            if matches!(tree, Tree::And(..)) == positive { formulas.and(l, r) } else { formulas.or(l, r) }
        }
        Tree::Next(one) => {
            let one = build(formulas, one, positive);
            formulas.next(one)
        }
        Tree::Until(left, right) | Tree::Release(left, right) => {
            let (l, r) = (build(formulas, left, positive), build(formulas, right, positive));
            if matches!(tree, Tree::Until(..)) == positive {
                formulas.until(l, r)
            } else {
                formulas.release(l, r)
            }
        }
    }
}

/// The parts of a formula, inner ones first.
pub fn parts(tree: &Tree, all: &mut Vec<Tree>) {
    match tree {
        Tree::True | Tree::Proposition(_) => {}
        Tree::Not(one) | Tree::Next(one) => parts(one, all),
        Tree::And(left, right)
        | Tree::Or(left, right)
        | Tree::Until(left, right)
        | Tree::Release(left, right) => {
            parts(left, all);
            parts(right, all);
        }
    }
    if !all.contains(tree) {
        all.push(tree.clone());
    }
}

/// A formula over the two propositions about states, without `next`.
pub fn random_state_tree(random: &mut Random, depth: u32) -> Tree {
    let one = |random: &mut Random| Box::new(random_state_tree(random, depth - 1));
    match if depth == 0 { 0 } else { random.below(9) } {
        0 | 1 => Tree::Proposition(random.below(2) as u32),
        2 => Tree::Not(one(random)),
        3 => Tree::And(one(random), one(random)),
        4 | 5 => Tree::Or(one(random), one(random)),
        6 => Tree::Until(one(random), one(random)),
        _ => Tree::Release(one(random), one(random)),
    }
}

/// The value of a formula at each position of a word with a loop.
pub fn value(tree: &Tree, labels: &[u64], back: usize) -> Vec<bool> {
    let following = |at: usize| if at + 1 < labels.len() { at + 1 } else { back };
    let of = |one: &Tree| value(one, labels, back);
    let settle = |first: bool, rule: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![first; labels.len()];
        for _ in 0..=labels.len() {
            for at in (0..labels.len()).rev() {
                values[at] = rule(at, values[following(at)]);
            }
        }
        values
    };
    match tree {
        Tree::True => vec![true; labels.len()],
        Tree::Proposition(number) => labels.iter().map(|label| label >> number & 1 == 1).collect(),
        Tree::Not(one) => of(one).iter().map(|value| !value).collect(),
        Tree::And(l, r) => of(l).iter().zip(of(r)).map(|(l, r)| *l && r).collect(),
        Tree::Or(l, r) => of(l).iter().zip(of(r)).map(|(l, r)| *l || r).collect(),
        Tree::Next(one) => {
            let values = of(one);
            (0..labels.len()).map(|at| values[following(at)]).collect()
        }
        Tree::Until(l, r) => {
            let (l, r) = (of(l), of(r));
            settle(false, &|at, then| r[at] || l[at] && then)
        }
        Tree::Release(l, r) => {
            let (l, r) = (of(l), of(r));
            settle(true, &|at, then| r[at] && (l[at] || then))
        }
    }
}
