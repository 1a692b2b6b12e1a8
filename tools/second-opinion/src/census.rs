//! Everything that a model says about its first states: successors, rules that change nothing, all
//! faults, all violations, all counts of covers.
//!
//! A search reports one error for each state, and so hides the others. Here nothing is hidden. This
//! file is a module of this crate, for the interpreter, and of the crates that are built for
//! compiled models; it knows nothing but the contract.

use mcc_runtime::context::Context;
use mcc_runtime::fault::Fault;
use mcc_runtime::model::{Description, Firing, Model, RuleId, StartId, Violation};
use mcc_runtime::successors::Successors;
use std::collections::{BTreeSet, HashMap};

/// Number of states that are inspected, at most.
const MOST_STATES: usize = 250;

/// The census of a model, as the JSON of a report.
pub fn report(model: &dyn Model, strict_undefined: bool) -> String {
    let lines = census(model, strict_undefined);
    let escaped = lines.iter().map(|line| format!("\"{}\"", line.replace('\\', "\\\\").replace('"', "\\\"")));
    format!("{{\"verdict\":\"census\",\"lines\":[{}]}}", escaped.collect::<Vec<_>>().join(","))
}

fn census(model: &dyn Model, strict_undefined: bool) -> Vec<String> {
    let description = model.description();
    let context = || {
        let counters = description.counters();
        let mut context = Context::new(counters);
        context.strict_undefined = strict_undefined;
        context
    };
    // Apart, since the engines ask for one of the two checks.
    let (firing, full, after) = (context(), context(), context());
    let mut numbers: HashMap<Vec<u64>, usize> = HashMap::new();
    let mut states: Vec<Vec<u64>> = Vec::new();
    let mut lines = Vec::new();
    let starts: u32 = description.starts.iter().map(|family| family.instances).sum();
    for start in 0..starts {
        let mut state = vec![0; description.words];
        let fired = model.start(&firing, StartId(start), &mut state);
        match fired {
            Firing::Fired => {
                let at = number(&mut numbers, &mut states, &state);
                lines.push(format!("start {start}: state {at}"));
            }
            Firing::Faulted(fault) => {
                lines.push(format!("start {start}: {}", at_site(description, fault, None)))
            }
            Firing::Disabled | Firing::Pruned => lines.push(format!("start {start}: {fired:?}")),
        }
    }
    let mut at = 0;
    while at < states.len().min(MOST_STATES) {
        let mut state = states[at].clone();
        let checked = model.check(&full, &mut state);
        let _ = model.check(&after, &mut state);
        lines.push(format!("state {at}: {}", violation(description, checked)));
        let mut successors = Successors::new(description.words);
        model.expand(&firing, &mut state, &mut successors);
        for place in 0..successors.len() {
            let (rule, mut next) = (successors.rules()[place], successors.state(place).to_vec());
            let to = number(&mut numbers, &mut states, &next);
            lines.push(format!(" rule {} to {to}", rule.0));
            // Only after a state whose invariants hold may some of them be left out.
            let (whole, part) = match checked {
                Ok(()) => (model.check(&full, &mut next), model.check_after(&after, rule, &mut next)),
                Err(_) => (Ok(()), Ok(())),
            };
            if whole != part {
                let (whole, part) = (violation(description, whole), violation(description, part));
                lines.push(format!(" after it: {part}, but in full: {whole}"));
            }
        }
        let numbers = |rules: &[RuleId]| rules.iter().map(|rule| rule.0).collect::<Vec<_>>();
        lines.push(format!(" unchanged {:?}", numbers(successors.unchanged())));
        lines.push(format!(" excluded {:?}", numbers(successors.excluded())));
        let faults = successors.faults();
        let reported =
            successors.len() + successors.unchanged().len() + successors.excluded().len() + faults.len();
        lines.push(format!(" pruned {}", successors.firings() - reported as u64));
        if let Some(first) = faults.first() {
            lines.push(format!(" first fault of rule {}", first.rule.0));
        }
        // A part of a guard that several instances share is evaluated once, and fails for all of
        // them.
        let faults: BTreeSet<String> = faults
            .iter()
            .map(|faulty| {
                let family = description.rules.iter().position(|family| {
                    (family.first..family.first + family.instances).contains(&faulty.rule.0)
                });
                let fault = at_site(description, faulty.fault, Some(faulty.value));
                format!(" family {family:?}, guard {}: {fault}", faulty.in_guard)
            })
            .collect();
        lines.extend(faults);
        at += 1;
    }
    let counts = |context: &Context| context.covered().collect::<Vec<u64>>();
    lines.push(format!("covered by rules {:?}, by checks {:?}", counts(&firing), counts(&full)));
    if counts(&full) != counts(&after) {
        lines.push(format!("covered by checks after rules {:?}", counts(&after)));
    }
    lines
}

fn number(numbers: &mut HashMap<Vec<u64>, usize>, states: &mut Vec<Vec<u64>>, state: &[u64]) -> usize {
    let next = states.len();
    *numbers.entry(state.to_vec()).or_insert_with(|| {
        states.push(state.to_vec());
        next
    })
}

fn at_site(description: &Description, fault: Fault, value: Option<i64>) -> String {
    let Some(site) = description.sites.get(fault.site()) else { return format!("{fault:?}") };
    // Without a number in its message the number is one that another fault has left behind.
    let value = value.filter(|_| site.message.contains("{}"));
    format!("{:?} at {}:{}, {} {value:?}", site.kind, site.position.line, site.position.column, site.message)
}

fn violation(description: &Description, checked: Result<(), Violation>) -> String {
    match checked {
        Ok(()) => "holds".to_owned(),
        Err(Violation { property, fault: None }) => format!("violates {}", property.0),
        Err(Violation { property, fault: Some(fault) }) => {
            format!("fails in {}: {}", property.0, at_site(description, fault, Some(Fault::value())))
        }
    }
}
