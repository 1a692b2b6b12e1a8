//! Deciding each property about runs on the graph of states, and reporting those that do not hold.

use super::alike::one_of_each;
use super::apart::{is_renamed, kept_apart};
use super::build::{Numbering, States};
use super::deciding::{Deciding, Task};
use super::graph::Graph;
use super::noted::{Noted, Unseen};
use super::propositions::{Obligation, obligations};
use super::{Undecided, claims, fairness, is_about_reaching};
use crate::contract::problem::Finding;
use crate::contract::temporal::{Claim, ClaimKind, Fairness, Formula};
use crate::memory::Account;
use crate::search::explore::Explored;
use crate::search::outcome::Checked;
use crate::search::{Ending, Observer};
use crate::visited::Steps;
use std::collections::{BTreeSet, VecDeque};
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
        checked: Checked { apart: kept_apart(description, explored.settings), ..Checked::default() },
    };
    if let Err(undecided) = checker.run(temporal.claims, observer) {
        checker.give_up(undecided);
    }
    let Checker { findings, mut checked, .. } = checker;
    checked.seconds = started.elapsed().as_secs_f64();
    Some((findings, checked))
}

/// Whether what was expanded so far shows that a claim about what can be reached is violated. The
/// search is between two levels, and has noted its steps.
pub fn is_violated_so_far(explored: Explored<'_>) -> bool {
    let Some(temporal) = claims(explored.model) else { return false };
    let (Some(found), true) = (explored.states, is_about_reaching(temporal)) else { return false };
    let Some(steps) = found.steps() else { return false };
    let numbering = Numbering::new(found);
    let states = States::new(explored, found, &numbering, false);
    let Ok((parts, _)) = parts(explored, temporal.claims, false) else { return false };
    let parts: Vec<&Obligation> = parts.iter().flat_map(|(_, parts)| parts).collect();
    states.decide_noted(steps, &parts, &mut Unseen) == Ok(Noted::Violated)
}

/// The parts of the claims that are decided on the graph of states, each with the number of its
/// claim, and whether a formula was too large.
type Parts = (Vec<(usize, Vec<Obligation>)>, bool);

fn parts(explored: Explored<'_>, claims: &'static [Claim], is_whole: bool) -> Result<Parts, Undecided> {
    let description = explored.model.description();
    let settings = explored.settings;
    // Of a part of the states nothing is known about its symmetry. What is found in it is real.
    let alike = if is_whole || !settings.apart.is_empty() { &settings.alike[..] } else { &[] };
    let (mut parts, mut is_large): (Vec<(usize, Vec<Obligation>)>, bool) = Default::default();
    for (at, claim) in claims.iter().enumerate() {
        match claim.kind {
            ClaimKind::Deadlock | ClaimKind::Safety => continue,
            ClaimKind::Liveness | ClaimKind::Ltl => match obligations(description, claim) {
                Ok(found) => {
                    let found = one_of_each(found, alike);
                    // Of an element that may be renamed the graph says nothing.
                    let is_lost = |part: &Obligation| {
                        let mut values = part.parameters.iter().zip(&part.values);
                        values.any(|(parameter, &value)| is_renamed(description, settings, parameter, value))
                    };
                    let decides_elements = !settings.apart.is_empty();
                    if decides_elements && found.iter().any(is_lost) {
                        return Err(Undecided::Contradiction);
                    }
                    parts.push((at, found));
                }
                // Another formula may be smaller.
                Err(_) => is_large = true,
            },
        }
    }
    Ok((parts, is_large))
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

    fn run(&mut self, claims: &'static [Claim], observer: &mut dyn Observer) -> Result<(), Undecided> {
        let explored = self.explored;
        // What a search has found that was ended by a bound is searched for violations, too.
        let is_whole = match explored.ending {
            Ending::Complete if explored.is_all => true,
            Ending::States(_) | Ending::Depth(_) => false,
            _ => return Err(Undecided::Incomplete),
        };
        let states = explored.states.ok_or(Undecided::Unkept)?;
        let numbering = Numbering::new(states);
        let steps = states.steps().filter(|_| is_whole);
        let states = States::new(explored, states, &numbering, is_whole);
        if let Some(steps) = steps
            && self.hold_by(steps, claims, &states, observer)?
        {
            return Ok(());
        }
        let all_idle = claims.iter().any(|claim| speaks_of_rules(&claim.formula));
        let graph = states.graph(&mut self.account, all_idle, observer)?;
        self.checked.edges = graph.edge_count();
        if u32::try_from(self.checked.edges).is_err() {
            return Err(Undecided::Memory);
        }
        self.decide(claims, &states, &graph, is_whole, observer)?;
        match is_whole || self.has_enough() {
            true => Ok(()),
            false => Err(Undecided::Incomplete),
        }
    }

    /// Whether all claims are about what can be reached, and the steps that the search has noted
    /// show that they hold.
    fn hold_by(
        &mut self,
        steps: &Steps,
        claims: &'static [Claim],
        states: &States<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, Undecided> {
        let live = || claims.iter().filter(|claim| claim.kind == ClaimKind::Liveness);
        if claims.iter().any(|claim| claim.kind == ClaimKind::Ltl) {
            return Ok(false);
        }
        let (parts, is_large) = parts(self.explored, claims, true)?;
        if is_large {
            return Ok(false);
        }
        let parts: Vec<&Obligation> = parts.iter().flat_map(|(_, parts)| parts).collect();
        match states.decide_noted(steps, &parts, observer) {
            Ok(Noted::Hold) => {}
            Ok(Noted::Violated | Noted::Unknown) => return Ok(false),
            Err(Undecided::Memory) => return Ok(false),
            Err(undecided) => return Err(undecided),
        }
        self.checked.edges = steps.count();
        self.checked.by_noted = true;
        self.checked.hold.extend(live().map(|claim| claim.property));
        Ok(true)
    }

    /// Decides all claims, part by part, until as many errors are found as the user wants.
    fn decide(
        &mut self,
        claims: &'static [Claim],
        states: &States<'_>,
        graph: &Graph,
        is_whole: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Undecided> {
        let explored = self.explored;
        let (parts, is_large) = parts(explored, claims, is_whole)?;
        if is_large {
            self.give_up(Undecided::Formula);
        }
        let kind = |claim: usize| claims[claim].kind;
        let mut tasks: VecDeque<(usize, Task<'_>)> = parts
            .iter()
            .flat_map(|(at, found)| found.iter().map(|part| (*at, Task { kind: kind(*at), part })))
            .collect();
        let mut closed = BTreeSet::new();
        let fairness = std::mem::take(&mut self.fairness);
        let deciding = Deciding { explored, graph, fairness: &fairness };
        let result = self.go_through(&mut tasks, &mut closed, deciding, states, observer);
        if is_whole {
            let decided = |at: usize| !closed.contains(&at) && tasks.iter().all(|(claim, _)| *claim != at);
            let hold = parts.iter().filter(|(at, _)| decided(*at));
            self.checked.hold.extend(hold.map(|(at, _)| claims[*at].property));
        }
        result
    }

    /// Whether as many errors were found as the user wants.
    fn has_enough(&self) -> bool {
        let found = self.findings.len() as u64;
        self.explored.settings.max_errors.is_some_and(|most| found >= most)
    }

    /// Decides parts of claims in their order. Those that are left in the end are not decided;
    /// claims that are violated, or have a formula that is too large, are closed.
    fn go_through(
        &mut self,
        tasks: &mut VecDeque<(usize, Task<'_>)>,
        closed: &mut BTreeSet<usize>,
        deciding: Deciding<'_>,
        states: &States<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), Undecided> {
        while !tasks.is_empty() {
            let next: Vec<Task<'_>> = tasks.iter().map(|(_, task)| *task).collect();
            for decided in deciding.first(&next, states, observer)? {
                let Some((claim, task)) = tasks.front().copied() else { break };
                match decided {
                    Ok((None, size)) => {
                        self.checked.product += size;
                        tasks.pop_front();
                        continue;
                    }
                    Ok((Some(found), size)) => {
                        self.checked.product += size;
                        let found = states.unfold(deciding.graph, found, task.part)?;
                        observer.found(&found);
                        self.findings.push(found);
                    }
                    Err(undecided @ Undecided::Formula) => self.give_up(undecided),
                    Err(undecided) => return Err(undecided),
                }
                closed.insert(claim);
                tasks.retain(|(other, _)| *other != claim);
                if self.has_enough() {
                    return Ok(());
                }
                // The parts behind it were given up for it.
                break;
            }
        }
        Ok(())
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
