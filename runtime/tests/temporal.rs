//! Random small graphs, formulas and fairness: the search against a decision of its own.
//!
//! The reference is written from the definitions. Its nodes are a state, the edge that is taken
//! next, and what is true of each part of the formula, consistent from step to step; nested fixed
//! points find the nodes from which a fair run goes on for ever. No automaton, normal form or
//! component search of the runtime is used.

#![cfg(test)]

#[path = "temporal/formula.rs"]
mod formula;

use formula::{Tree, build, parts, random_state_tree, random_tree, value};
use mcc_runtime::contract::temporal::Fairness;
use mcc_runtime::host::random::Random;
use mcc_runtime::model::StartId;
use mcc_runtime::temporal::automaton::Automaton;
use mcc_runtime::temporal::graph::{Edge, Graph, STUTTER};
use mcc_runtime::temporal::judging::Effort;
use mcc_runtime::temporal::ltl::Formulas;
use mcc_runtime::temporal::monitor::Monitor;
use mcc_runtime::temporal::product::Product;

struct Small {
    edges: Vec<Vec<Edge>>,
    labels: Vec<u64>,
    fairness: Vec<Fairness>,
}

/// A graph of which each state can be reached, as of a model.
fn random_graph(random: &mut Random) -> Small {
    loop {
        let small = any_graph(random);
        let mut seen = vec![0];
        let mut at = 0;
        while let Some(&state) = seen.get(at) {
            at += 1;
            let next = small.edges[state as usize].iter().map(|edge| edge.to);
            let fresh: Vec<u32> = next.filter(|to| !seen.contains(to)).collect();
            fresh.into_iter().for_each(|to| {
                if !seen.contains(&to) {
                    seen.push(to)
                }
            });
        }
        if seen.len() == small.edges.len() {
            return small;
        }
    }
}

fn any_graph(random: &mut Random) -> Small {
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
                    Tree::True => has(truth, one),
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
                    Tree::True | Tree::Proposition(_) | Tree::Not(_) | Tree::And(..) | Tree::Or(..) => true,
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

/// What one thread finds, which is what several find, however small the parts are that they divide.
fn found_by_all(product: &Product<'_>) -> Option<Vec<usize>> {
    let find = |threads, large| product.find(Effort { threads, large }, &mut |_| Ok(())).unwrap();
    let found = find(1, usize::MAX);
    for threads in [1, 2, 3, 8] {
        assert_eq!(find(threads, 1), found, "{threads} threads");
    }
    found
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
    let Some(places) = found_by_all(&product) else { return false };
    let run = product.run_into(&places, &mut |_| Ok(())).unwrap().expect("a run");
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

/// Graphs of many chunks, so that threads really divide them: mostly forward edges, some back.
#[test]
fn several_threads_find_what_one_does() {
    const STATES: u64 = 20_000;
    let mut random = Random(setting("MCC_TEMPORAL_SEED", 7));
    let (mut done, mut found) = (0, 0);
    while done < setting("MCC_TEMPORAL_LARGE", 30) {
        let back = [0, 1, 3, 40][random.below(4) as usize];
        let edges = |state: u64, random: &mut Random| -> Vec<Edge> {
            let mut edges: Vec<Edge> = Vec::new();
            for rule in 0..3 {
                let forward = (state + 1 + random.below(300)).min(STATES - 1);
                match random.below(100) {
                    way if way < back => edges.push(Edge { to: random.below(state + 1) as u32, rule }),
                    way if way < 70 => edges.push(Edge { to: forward as u32, rule }),
                    _ => {}
                }
            }
            if edges.is_empty() {
                edges.push(Edge { to: state as u32, rule: STUTTER });
            }
            edges
        };
        let edges: Vec<Vec<Edge>> = (0..STATES).map(|state| edges(state, &mut random)).collect();
        // The first proposition holds where most runs end.
        let last = STATES - random.below(3) * 400;
        let label = |state: u64, random: &mut Random| u64::from(state >= last - 1) | random.below(2) << 1;
        let labels = (0..STATES).map(|state| label(state, &mut random)).collect();
        let choices = [Fairness::None, Fairness::Weak, Fairness::Strong];
        let fairness = (0..3).map(|_| choices[random.below(3) as usize]).collect();
        let small = Small { edges, labels, fairness };
        found += u64::from(search(&small, &random_tree(&mut random, 3)));
        done += 1;
    }
    println!("{done} graphs, {found} with a run");
    assert!(found > 0 && found < done, "{found} of {done}");
}

/// Whether a path leads a monitor to its violated state.
fn is_violated(small: &Small, monitor: &Monitor) -> bool {
    let first = monitor.next(monitor.first(), small.labels[0]);
    let mut seen = vec![(0, first)];
    let mut at = 0;
    while let Some(&(state, memory)) = seen.get(at) {
        at += 1;
        if memory == Monitor::VIOLATED {
            return true;
        }
        for edge in &small.edges[state] {
            let to = edge.to as usize;
            let next = (to, monitor.next(memory, small.labels[to]));
            if !seen.contains(&next) {
                seen.push(next);
            }
        }
    }
    false
}

/// A safety formula is violated by a path exactly if a fair run violates it: the reference looks
/// for such a run, and knows nothing of prefixes.
#[test]
fn monitors_agree_with_the_closure() {
    let pairs = setting("MCC_TEMPORAL_PAIRS", 300);
    let mut random = Random(setting("MCC_TEMPORAL_SEED", 26));
    let (mut done, mut violated, mut fair, mut remembering) = (0, 0, 0, 0);
    while done < pairs {
        let small = random_graph(&mut random);
        let tree = random_state_tree(&mut random, 4);
        let negation = Tree::Not(Box::new(tree.clone()));
        let mut closure = Vec::new();
        parts(&negation, &mut closure);
        if closure.len() > 8 {
            continue;
        }
        let mut formulas = Formulas::default();
        let formula = build(&mut formulas, &tree, true);
        let Some(monitor) = Monitor::new(&formulas, formula, 2) else { continue };
        let (expected, is) = (reference(&small, &negation), is_violated(&small, &monitor));
        let graph = (&small.edges, &small.labels, &small.fairness);
        assert_eq!(is, expected, "pair {done}: {tree:?} on {graph:?}");
        done += 1;
        violated += u64::from(is);
        fair += u64::from(!small.fairness.is_empty());
        remembering += u64::from(monitor.states() > 2);
    }
    println!("{done} pairs, {violated} violated, {fair} with fairness, {remembering} with memory");
    assert!(violated > pairs / 5 && violated < pairs * 9 / 10, "{violated} of {pairs}");
    assert!(remembering > pairs / 10, "{remembering} of {pairs}");
}
