//! Random small graphs, formulas and fairness: the search against a decision of its own.
//!
//! The reference is written from the definitions. Its nodes are a state, the edge that is taken
//! next, and what is true of each part of the formula, consistent from step to step; nested fixed
//! points find the nodes from which a fair run goes on for ever. No automaton, normal form or
//! component search of the runtime is used.

#![cfg(test)]

use mcc_runtime::contract::temporal::Fairness;
use mcc_runtime::host::random::Random;
use mcc_runtime::model::StartId;
use mcc_runtime::temporal::automaton::Automaton;
use mcc_runtime::temporal::graph::{Edge, Graph, STUTTER};
use mcc_runtime::temporal::ltl::{FormulaId, Formulas};
use mcc_runtime::temporal::product::Product;

/// A formula over two propositions about states and one about steps (rule 0 fires).
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tree {
    Proposition(u32),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Next(Box<Tree>),
    Until(Box<Tree>, Box<Tree>),
    Release(Box<Tree>, Box<Tree>),
}

fn random_tree(random: &mut Random, depth: u32) -> Tree {
    let one = |random: &mut Random| Box::new(random_tree(random, depth - 1));
    match if depth == 0 { 0 } else { random.below(9) } {
        0 | 1 => Tree::Proposition(random.below(3) as u32),
        2 => Tree::Not(one(random)),
        3 => Tree::And(one(random), one(random)),
        4 => Tree::Or(one(random), one(random)),
        5 => Tree::Next(one(random)),
        6 | 7 => Tree::Until(one(random), one(random)),
        _ => Tree::Release(one(random), one(random)),
    }
}

/// The formula for the search: its negation where `positive` is false.
fn build(formulas: &mut Formulas, tree: &Tree, positive: bool) -> FormulaId {
    match tree {
        Tree::Proposition(number) => formulas.literal(*number, positive),
        Tree::Not(one) => build(formulas, one, !positive),
        Tree::And(left, right) | Tree::Or(left, right) => {
            let (l, r) = (build(formulas, left, positive), build(formulas, right, positive));
            match matches!(tree, Tree::And(..)) == positive {
                true => formulas.and(l, r),
                false => formulas.or(l, r),
            }
        }
        Tree::Next(one) => {
            let one = build(formulas, one, positive);
            formulas.next(one)
        }
        Tree::Until(left, right) | Tree::Release(left, right) => {
            let (l, r) = (build(formulas, left, positive), build(formulas, right, positive));
            match matches!(tree, Tree::Until(..)) == positive {
                true => formulas.until(l, r),
                false => formulas.release(l, r),
            }
        }
    }
}

/// The parts of a formula, inner ones first.
fn parts(tree: &Tree, all: &mut Vec<Tree>) {
    match tree {
        Tree::Proposition(_) => {}
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

struct Small {
    edges: Vec<Vec<Edge>>,
    labels: Vec<u64>,
    fairness: Vec<Fairness>,
}

fn random_graph(random: &mut Random) -> Small {
    let states = 1 + random.below(5) as usize;
    let mut edges = vec![Vec::new(); states];
    for (state, edges) in edges.iter_mut().enumerate() {
        for rule in 0..3 {
            if random.below(5) < 2 {
                edges.push(Edge { to: random.below(states as u64) as u32, rule });
            }
        }
        if edges.is_empty() {
            edges.push(Edge { to: state as u32, rule: STUTTER });
        }
    }
    let labels = (0..states).map(|_| random.below(4)).collect();
    let fairness = match random.below(4) {
        0 => Vec::new(),
        _ => {
            let choices = [Fairness::None, Fairness::Weak, Fairness::Strong];
            (0..3).map(|_| choices[random.below(3) as usize]).collect()
        }
    };
    Small { edges, labels, fairness }
}

/// A node of the reference: a state, the edge that is taken next, and what is true of each part.
type Node = (usize, usize, u32);

/// Whether a fair run from the first state fulfils the formula, by the closure.
fn reference(small: &Small, tree: &Tree) -> bool {
    let mut closure = Vec::new();
    parts(tree, &mut closure);
    if closure.len() > 9 {
        panic!("too large");
    }
    let at = |one: &Tree| closure.iter().position(|other| other == one).unwrap();
    let has = |truth: u32, one: &Tree| truth >> at(one) & 1 == 1;
    let mut nodes: Vec<Node> = Vec::new();
    for state in 0..small.edges.len() {
        for edge in 0..small.edges[state].len() {
            for truth in 0..1u32 << closure.len() {
                let step = u64::from(small.edges[state][edge].rule == 0) << 2;
                let label = small.labels[state] | step;
                let local = closure.iter().all(|one| match one {
                    Tree::Proposition(number) => has(truth, one) == (label >> number & 1 == 1),
                    Tree::Not(inner) => has(truth, one) != has(truth, inner),
                    Tree::And(l, r) => has(truth, one) == (has(truth, l) && has(truth, r)),
                    Tree::Or(l, r) => has(truth, one) == (has(truth, l) || has(truth, r)),
                    Tree::Next(_) | Tree::Until(..) | Tree::Release(..) => true,
                });
                if local {
                    nodes.push((state, edge, truth));
                }
            }
        }
    }
    let follows = |from: &Node, to: &Node| {
        small.edges[from.0][from.1].to as usize == to.0
            && closure.iter().all(|one| {
                let (now, then) = (has(from.2, one), has(to.2, one));
                match one {
                    Tree::Next(inner) => now == has(to.2, inner),
                    Tree::Until(l, r) => now == (has(from.2, r) || has(from.2, l) && then),
                    Tree::Release(l, r) => now == (has(from.2, r) && (has(from.2, l) || then)),
                    Tree::Proposition(_) | Tree::Not(_) | Tree::And(..) | Tree::Or(..) => true,
                }
            })
    };
    let next: Vec<Vec<usize>> =
        nodes.iter().map(|from| (0..nodes.len()).filter(|&to| follows(from, &nodes[to])).collect()).collect();
    // Emerson and Lei: the greatest set of nodes from each of which one can go on for ever within
    // the set, coming to each condition of acceptance and fairness again and again.
    let mut good: Vec<bool> = vec![true; nodes.len()];
    // Conditions: each `until` holds not, or is fulfilled; each `release` fails not, or did.
    let mut conditions: Vec<Vec<bool>> = Vec::new();
    for one in &closure {
        match one {
            Tree::Until(_, r) => {
                conditions.push(nodes.iter().map(|node| !has(node.2, one) || has(node.2, r)).collect());
            }
            Tree::Release(_, r) => {
                conditions.push(nodes.iter().map(|node| has(node.2, one) || !has(node.2, r)).collect());
            }
            _ => {}
        }
    }
    let enabled = |state: usize, rule: u32| {
        small.edges[state].iter().any(|edge| edge.rule == rule && edge.to as usize != state)
    };
    let fires = |node: &Node, rule: u32| {
        let edge = small.edges[node.0][node.1];
        edge.rule == rule && edge.to as usize != node.0
    };
    let mut strong = Vec::new();
    for (rule, fairness) in small.fairness.iter().enumerate() {
        let rule = rule as u32;
        match fairness {
            Fairness::None => {}
            Fairness::Weak => conditions
                .push(nodes.iter().map(|node| !enabled(node.0, rule) || fires(node, rule)).collect()),
            Fairness::Strong => strong.push(rule),
        }
    }
    // Strong fairness: guess which strongly fair rules fire again and again; the others are not
    // enabled from some point on.
    (0..1u32 << strong.len()).any(|guess| {
        let mut conditions = conditions.clone();
        good.fill(true);
        for (number, &rule) in strong.iter().enumerate() {
            if guess >> number & 1 == 1 {
                conditions.push(nodes.iter().map(|node| fires(node, rule)).collect());
            } else {
                for (good, node) in good.iter_mut().zip(&nodes) {
                    *good &= !enabled(node.0, rule);
                }
            }
        }
        if conditions.is_empty() {
            conditions.push(vec![true; nodes.len()]);
        }
        loop {
            let before = good.clone();
            for condition in &conditions {
                // From where can a node of the set with this condition be reached in a step or
                // more?
                let mut reaches = vec![false; nodes.len()];
                loop {
                    let mut changed = false;
                    for node in 0..nodes.len() {
                        let now = good[node]
                            && next[node].iter().any(|&to| good[to] && (condition[to] || reaches[to]));
                        if now && !reaches[node] {
                            reaches[node] = true;
                            changed = true;
                        }
                    }
                    if !changed {
                        break;
                    }
                }
                for node in 0..nodes.len() {
                    good[node] &= reaches[node];
                }
            }
            if good == before {
                break;
            }
        }
        // From the first state, with the formula true, to the set.
        let mut seen: Vec<bool> = nodes.iter().map(|node| node.0 == 0 && has(node.2, tree)).collect();
        let mut queue: Vec<usize> = (0..nodes.len()).filter(|&node| seen[node]).collect();
        while let Some(node) = queue.pop() {
            if good[node] {
                return true;
            }
            for &to in &next[node] {
                if !std::mem::replace(&mut seen[to], true) {
                    queue.push(to);
                }
            }
        }
        false
    })
}

/// What the search finds, with its run checked: it is a path, its loop closes, is accepted by the
/// meaning of the formula, and is fair.
fn search(small: &Small, tree: &Tree) -> bool {
    let graph = Graph::from_edges(&small.edges, vec![(0, StartId(0))]);
    let mut formulas = Formulas::default();
    let formula = build(&mut formulas, tree, true);
    let automaton = Automaton::new(&formulas, formula).unwrap();
    let fired = [4, 0, 0];
    let product = Product {
        graph: &graph,
        labels: &small.labels,
        fired: &fired,
        automaton: &automaton,
        fairness: &small.fairness,
    };
    let Some(places) = product.find(&mut |_| true).unwrap() else { return false };
    let run = product.run_into(&places).expect("a run");
    assert!(run.stem < run.steps.len());
    let mut states = vec![product.state(run.start) as usize];
    let mut labels = Vec::new();
    let mut taken = Vec::new();
    for step in &run.steps {
        let from = *states.last().unwrap();
        let to = product.state(step.to);
        assert!(small.edges[from].contains(&Edge { to, rule: step.rule }), "no such edge");
        labels.push(small.labels[from] | if step.rule == 0 { 4 } else { 0 });
        taken.push((from, step.rule, to as usize));
        states.push(to as usize);
    }
    assert_eq!(states[0], 0);
    assert_eq!(states.pop().unwrap(), states[run.stem], "the loop closes");
    assert!(value(tree, &labels, run.stem)[0], "the run fulfils the formula");
    for (rule, fairness) in small.fairness.iter().enumerate() {
        let enabled = |state: usize| {
            small.edges[state].iter().any(|edge| edge.rule as usize == rule && edge.to as usize != state)
        };
        let fires = taken[run.stem..].iter().any(|(from, by, to)| *by as usize == rule && from != to);
        let enabled: Vec<bool> = states[run.stem..].iter().map(|&state| enabled(state)).collect();
        match fairness {
            Fairness::None => {}
            Fairness::Weak => assert!(fires || enabled.contains(&false), "weakly fair"),
            Fairness::Strong => assert!(fires || !enabled.contains(&true), "strongly fair"),
        }
    }
    true
}

/// The value of a formula at each position of a word with a loop.
fn value(tree: &Tree, labels: &[u64], back: usize) -> Vec<bool> {
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

/// The number of pairs, and the seed, can be set for longer campaigns.
fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_search_agrees_with_the_closure() {
    let pairs = setting("MCC_TEMPORAL_PAIRS", 300);
    let mut random = Random(setting("MCC_TEMPORAL_SEED", 25));
    let (mut done, mut found, mut fair) = (0, 0, 0);
    while done < pairs {
        let small = random_graph(&mut random);
        let tree = random_tree(&mut random, 3);
        let mut closure = Vec::new();
        parts(&tree, &mut closure);
        if closure.len() > 7 {
            continue;
        }
        let (expected, is) = (reference(&small, &tree), search(&small, &tree));
        assert_eq!(is, expected, "pair {done}: {tree:?} on {:?} {:?}", small.edges, small.labels);
        done += 1;
        found += u64::from(is);
        fair += u64::from(!small.fairness.is_empty());
    }
    println!("{done} pairs, {found} with a run, {fair} with fairness");
    assert!(found > pairs / 5 && found < pairs * 9 / 10, "{found} of {pairs}");
}
