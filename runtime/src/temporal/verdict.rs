//! Deciding each property about runs on the graph of states, and reporting those that do not hold.

use super::automaton::Automaton;
use super::build::{Numbering, States, Unevaluated};
use super::graph::Graph;
use super::product::{Product, Stopped};
use super::propositions::{Obligation, Proposition, obligations};
use super::reach::{reaching, way_to};
use super::{Undecided, claims, fairness};
use crate::contract::model::{PropertyId, RuleId, StartId};
use crate::contract::problem::{Finding, Lasso, Path, Problem, Treated, Treatment};
use crate::contract::temporal::{Claim, ClaimKind, Fairness, Formula};
use crate::memory::Account;
use crate::search::explore::Explored;
use crate::search::outcome::Checked;
use crate::search::{Ending, Observer};
use std::time::Instant;

/// Decides what a model claims about its runs, when a search is over. `None`: it claims nothing.
pub fn check(explored: Explored<'_>, observer: &mut dyn Observer) -> Option<(Vec<Finding>, Checked)> {
    let temporal = claims(explored.model)?;
    let started = Instant::now();
    let description = explored.model.description();
    let mut checker = Checker {
        explored,
        account: Account::new(explored.budget.clone()),
        fairness: fairness(description, temporal, explored.settings.fairness),
        findings: Vec::new(),
        checked: Checked::default(),
    };
    if let Err(undecided) = checker.run(temporal.claims, observer) {
        checker.give_up(undecided);
    }
    let Checker { findings, mut checked, .. } = checker;
    checked.seconds = started.elapsed().as_secs_f64();
    Some((findings, checked))
}

struct Checker<'a> {
    explored: Explored<'a>,
    account: Account,
    /// Of each instance of a rule.
    fairness: Vec<Fairness>,
    findings: Vec<Finding>,
    checked: Checked,
}

impl Checker<'_> {
    fn give_up(&mut self, undecided: Undecided) {
        self.checked.undecided.get_or_insert_with(|| undecided.reason().to_owned());
        self.checked.advice = self.checked.advice.take().or(undecided.advice().map(str::to_owned));
    }

    fn run(&mut self, claims: &[Claim], observer: &mut dyn Observer) -> Result<(), Undecided> {
        let explored = self.explored;
        if *explored.ending != Ending::Complete || !explored.is_all {
            return Err(Undecided::Incomplete);
        }
        let states = explored.states.ok_or(Undecided::Unkept)?;
        let numbering = Numbering::new(states);
        let states = States::new(explored, states, &numbering);
        let all_idle = claims.iter().any(|claim| speaks_of_rules(&claim.formula));
        let graph = states.graph(&mut self.account, all_idle, observer)?;
        self.checked.edges = graph.edge_count();
        if u32::try_from(self.checked.edges).is_err() {
            return Err(Undecided::Memory);
        }
        for claim in claims {
            let decided = match claim.kind {
                ClaimKind::Deadlock => continue,
                ClaimKind::Liveness | ClaimKind::Ltl => self.claim(claim, &states, &graph, observer),
            };
            match decided {
                Ok(None) => {
                    self.checked.hold.insert(claim.property);
                }
                Ok(Some(finding)) => {
                    observer.found(&finding);
                    self.findings.push(finding);
                    let found = self.findings.len() as u64;
                    if explored.settings.max_errors.is_some_and(|most| found >= most) {
                        return Ok(());
                    }
                }
                // Another formula may be smaller.
                Err(undecided @ Undecided::Formula) => self.give_up(undecided),
                Err(undecided) => return Err(undecided),
            }
        }
        Ok(())
    }

    /// The first violation of a claim, if there is one.
    fn claim(
        &mut self,
        claim: &Claim,
        states: &States<'_>,
        graph: &Graph,
        observer: &mut dyn Observer,
    ) -> Result<Option<Finding>, Undecided> {
        let description = self.explored.model.description();
        let parts = obligations(description, claim).map_err(|_| Undecided::Formula)?;
        for part in &parts {
            let size = self.sizes(graph, part, claim.kind);
            self.account.add(size).map_err(|_| Undecided::Memory)?;
            let found = match labels(states, part, observer)? {
                Err(unevaluated) => Some(unevaluated_at(graph, part.property, unevaluated)),
                Ok(labels) => match claim.kind {
                    ClaimKind::Liveness => lost(graph, &labels, part),
                    ClaimKind::Ltl | ClaimKind::Deadlock => self.ltl(graph, &labels, part)?,
                },
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Bytes that deciding a part takes beside the graph, about.
    fn sizes(&self, graph: &Graph, part: &Obligation, kind: ClaimKind) -> u64 {
        let (states, edges) = (graph.states as u64, self.checked.edges);
        let labels = states * 8;
        match kind {
            ClaimKind::Liveness => labels + states * 10 + edges * 4,
            ClaimKind::Ltl | ClaimKind::Deadlock => {
                let width = Automaton::new(&part.formulas, part.negation)
                    .map_or(1, |automaton| automaton.states.len() as u64);
                labels + states * width * 8
            }
        }
    }

    fn ltl(
        &mut self,
        graph: &Graph,
        labels: &[u64],
        part: &Obligation,
    ) -> Result<Option<Finding>, Undecided> {
        let automaton = Automaton::new(&part.formulas, part.negation).map_err(|_| Undecided::Formula)?;
        let fired = fired_masks(part, self.explored.model.description().rule_instances());
        let product =
            Product { graph, labels, fired: &fired, automaton: &automaton, fairness: &self.fairness };
        self.checked.product += product.size() as u64;
        let interrupted = self.explored.interrupted;
        let found = product.find(&mut |_| !interrupted.is_requested()).map_err(|stopped| match stopped {
            Stopped::Interrupted => Undecided::Interrupted,
            Stopped::Memory => Undecided::Memory,
        })?;
        let Some(places) = found else { return Ok(None) };
        let run = product.run_into(&places).ok_or(Undecided::Contradiction)?;
        let (rules, stem) = run.rules();
        let first = product.state(run.start);
        let start = graph.starts.iter().find(|(state, _)| *state == first);
        let start = start.map_or(StartId(0), |(_, start)| *start);
        let fair = treated(graph, &self.fairness, first, &rules, stem).ok_or(Undecided::Contradiction)?;
        let path = Path { start, rules: rules.into_iter().map(RuleId).collect() };
        let problem = Problem::Temporal { property: part.property };
        Ok(Some(Finding::looping(problem, path, Lasso { stem, fair })))
    }
}

/// Whether a formula speaks of rules that fire.
fn speaks_of_rules(formula: &Formula) -> bool {
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => false,
        Formula::Fired { .. } => true,
        Formula::Not(one)
        | Formula::Always(one)
        | Formula::Eventually(one)
        | Formula::Next(one)
        | Formula::Forall(_, one)
        | Formula::Exists(_, one) => speaks_of_rules(one),
        Formula::And(all) | Formula::Or(all) => all.iter().any(speaks_of_rules),
        Formula::Until(left, right) | Formula::WeakUntil(left, right) | Formula::Release(left, right) => {
            speaks_of_rules(left) || speaks_of_rules(right)
        }
    }
}

fn labels(
    states: &States<'_>,
    part: &Obligation,
    observer: &mut dyn Observer,
) -> Result<Result<Vec<u64>, Unevaluated>, Undecided> {
    let atoms: Vec<_> = part
        .propositions
        .iter()
        .zip(0..)
        .filter_map(|(proposition, bit)| match proposition {
            Proposition::Atom { atom, values } => Some((bit, *atom, values.as_slice())),
            Proposition::Fired(_) => None,
        })
        .collect();
    states.labels(&atoms, observer)
}

/// Which propositions about steps are true for each instance of a rule.
fn fired_masks(part: &Obligation, instances: u32) -> Vec<u64> {
    if !part.propositions.iter().any(|one| matches!(one, Proposition::Fired(_))) {
        return Vec::new();
    }
    let mut masks = vec![0; instances as usize];
    for (bit, proposition) in part.propositions.iter().enumerate() {
        if let Proposition::Fired(rules) = proposition {
            rules.clone().for_each(|rule| masks[rule as usize] |= 1 << bit);
        }
    }
    masks
}

fn unevaluated_at(graph: &Graph, property: PropertyId, unevaluated: Unevaluated) -> Finding {
    let Unevaluated { state, fault, value } = unevaluated;
    let problem = Problem::PropertyFault { property, fault, value };
    finding(graph, problem, |one| one == state)
}

fn finding(graph: &Graph, problem: Problem, wanted: impl Fn(u32) -> bool) -> Finding {
    match way_to(graph, wanted) {
        Some((start, rules)) => {
            Finding::traced(problem, Path { start, rules: rules.into_iter().map(RuleId).collect() })
        }
        None => Finding::pathless(problem),
    }
}

/// The way to a state from which the condition cannot be reached again.
fn lost(graph: &Graph, labels: &[u64], part: &Obligation) -> Option<Finding> {
    // The negation of the condition is a literal, or a constant.
    let good = match part.propositions.is_empty() {
        true if part.formulas.node(part.negation) == super::ltl::Node::False => return None,
        true => 0,
        false => 1,
    };
    let reaches = reaching(graph, labels, good);
    if reaches.iter().all(|reaches| *reaches) {
        return None;
    }
    let problem = Problem::Temporal { property: part.property };
    Some(finding(graph, problem, |state| !reaches[state as usize]))
}

/// Why a loop is fair to each rule that is enabled in it. `None`: it is not.
fn treated(
    graph: &Graph,
    fairness: &[Fairness],
    first: u32,
    rules: &[u32],
    stem: usize,
) -> Option<Vec<Treated>> {
    if fairness.is_empty() {
        return Some(Vec::new());
    }
    let mut states = vec![first];
    for &rule in rules {
        let from = *states.last()?;
        states.push(graph.edges(from).find(|edge| edge.rule == rule)?.to);
    }
    let enabled =
        |state: u32, rule: u32| graph.edges(state).any(|edge| edge.rule == rule && edge.to != state);
    let within = states.get(stem..)?;
    let mut asked: Vec<u32> = within
        .iter()
        .flat_map(|&state| graph.edges(state).filter(move |edge| edge.to != state).map(|edge| edge.rule))
        .filter(|&rule| fairness.get(rule as usize).is_some_and(|one| *one != Fairness::None))
        .collect();
    asked.sort_unstable();
    asked.dedup();
    let mut treated = Vec::new();
    for rule in asked {
        let strong = fairness.get(rule as usize) == Some(&Fairness::Strong);
        let fires = (stem..rules.len()).find(|&at| rules[at] == rule && states[at] != states[at + 1]);
        let disabled = (stem..states.len()).find(|&at| !enabled(states[at], rule));
        let how = match (fires, disabled) {
            (Some(step), _) => Treatment::Fires(step),
            (None, Some(at)) if !strong => Treatment::Disabled(at),
            (None, _) => return None,
        };
        treated.push(Treated { rule: RuleId(rule), strong, how });
    }
    Some(treated)
}
