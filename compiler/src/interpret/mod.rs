//! The reference interpreter: a second way from the typed model to states, by the plainest route
//! there is.
//!
//! It fulfils the same contract as generated code, so every engine, option and report works on it.
//! It shares nothing with `codegen` but the typed model and the byte layout of finished states: it
//! computes on a list of *slots*, one for each simple value, each a number or nothing. Read it
//! beside the language's meaning; where the two agree and a compiled verifier does not, the
//! compiler is wrong.
//!
//! - [`slots`]: how values lie in slots, and how slots become the words of a state
//! - [`machine`]: memory, names, places
//! - [`expressions`], [`statements`]: what each construct does
//! - [`instances`]: the values that the parameters of rules run through
//! - [`explain`]: why a property is false
//! - [`coverage`]: how often the parts of the text are evaluated
//! - [`evaluate`], [`value_tree`]: expressions that are no part of the model, and their values
//! - [`sites`], [`description`], [`independence`], [`temporal`]:
//!   the static tables that the engines ask for

pub(crate) mod beginning;
mod contract;
mod coverage;
mod description;
pub mod evaluate;
mod explain;
mod expressions;
mod independence;
mod instances;
mod machine;
mod sites;
mod slots;
mod statements;
mod temporal;
mod undefined;
pub mod value_tree;

use crate::analysis::{Analysis, Demand, Independence as RuleIndependence, analyse};
use crate::semantics::model::{Model, Property, PropertyKind, Rule, Scope};
use crate::source::Source;
use crate::tables;
use coverage::Coverage;
use instances::Instances;
use machine::Machine;
use mcc_runtime::context::Context;
use mcc_runtime::contract::choice::Choice;
use mcc_runtime::contract::dependencies::Dependencies;
use mcc_runtime::contract::temporal::Temporal;
use mcc_runtime::fault::Fault;
use mcc_runtime::host::TableSymmetry;
use mcc_runtime::independence::Independence;
use mcc_runtime::model::{Description, PropertyId, RuleId, Violation};
use mcc_runtime::successors::Successors;
use sites::SiteTable;
use slots::Slots;
use std::sync::OnceLock;

/// A model that runs without being compiled.
pub struct Interpreter {
    model: Model,
    analysis: Analysis,
    slots: Slots,
    sites: SiteTable,
    rules: Vec<Instances>,
    starts: Vec<Instances>,
    /// The rules in the order in which they are tried: by priority, then as written.
    order: Vec<usize>,
    description: &'static Description,
    temporal: Option<&'static Temporal>,
    choices: &'static [Choice],
    symmetry: TableSymmetry,
    independence: OnceLock<&'static Independence>,
    dependencies: OnceLock<&'static Dependencies>,
    coverage: Coverage,
}

impl Interpreter {
    /// The tables that the engines need live as long as the program, so each interpreter leaves
    /// some memory behind; a program makes one or a few.
    pub fn new(model: Model, source: &Source) -> Self {
        let analysis = analyse(&model);
        Self::with_analysis(model, analysis, source)
    }

    /// An interpreter of a model that has been analysed.
    pub fn with_analysis(model: Model, analysis: Analysis, source: &Source) -> Self {
        let slots = Slots::new(&model, &analysis.symmetry);
        let types = description::types(&model, source, &slots);
        let mut sites = SiteTable::new(&model, source, types);
        let rules = instances::number(model.rules.iter().map(|rule| rule.scopes.as_slice()));
        let starts = instances::number(model.starts.iter().map(|start| start.scopes.as_slice()));
        let description = description::describe(&model, source, &slots, &mut sites, &rules, &starts);
        let temporal = temporal::describe(&model, source, &slots);
        let choices = description::leak_all(choices(&model));
        let mut order: Vec<usize> = (0..model.rules.len()).collect();
        order.sort_by_key(|rule| model.rules[*rule].priority);
        Interpreter {
            model,
            analysis,
            slots,
            sites,
            rules,
            starts,
            order,
            description,
            temporal,
            choices,
            symmetry: TableSymmetry(description),
            independence: OnceLock::new(),
            dependencies: OnceLock::new(),
            coverage: Coverage::default(),
        }
    }

    /// The model that is run.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Which instances of its rules have so little to do with each other as is demanded.
    pub fn rule_independence(&self, demand: Demand) -> RuleIndependence {
        self.analysis.independence(&self.model, demand)
    }

    fn machine<'a>(&'a self, context: &'a Context, state: &[u64]) -> Machine<'a> {
        let memory = self.slots.load(&self.model, state);
        let mut machine = Machine::new(&self.model, &self.slots, &self.sites, context, memory);
        machine.counters = self.coverage.counters();
        machine
    }

    /// After a rule or start state: bags are sorted, assumptions are checked.
    fn settle<'a>(&'a self, machine: &mut Machine<'a>) -> Result<(), Fault> {
        machine.settle_bags();
        for property in &self.model.properties {
            if property.kind == PropertyKind::Assume && !self.holds(machine, property)? {
                return Err(Fault::EXCLUDED);
            }
        }
        Ok(())
    }

    /// Whether a property holds for all its parameters; a cover: for some.
    fn holds<'a>(&'a self, machine: &mut Machine<'a>, property: &'a Property) -> Result<bool, Fault> {
        coverage::count(machine.counters, property.condition.span);
        let globals = machine.memory.len();
        machine.enter(&property.frame);
        let all = property.kind != PropertyKind::Cover;
        // Where parameters have no order, one for which it fails is found, whatever it says about
        // the others. An invariant that is false is an error as well.
        let through_all = !property.kind.must_hold()
            && property.scopes.iter().any(|scope| match scope {
                Scope::Parameter(binder) => {
                    self.model.is_symmetric(property.frame.locals[binder.variable.index()].ty)
                }
                Scope::Choose { .. } => true,
                Scope::Alias(_) => false,
            });
        machine.unchanged = property.writes.then(|| machine.memory.clone());
        let decided = machine.decided(&property.scopes, &property.condition, !all, through_all);
        machine.memory.truncate(globals);
        machine.restore();
        machine.unchanged = None;
        Ok(decided? != all)
    }

    /// Checks one property, and counts a cover that is reached.
    fn check_one<'a>(
        &'a self,
        machine: &mut Machine<'a>,
        context: &Context,
        index: usize,
    ) -> Result<(), Violation> {
        let Some(property) = self.model.properties.get(index) else { return Ok(()) };
        let violation = |fault| Err(Violation { property: PropertyId(index as u32), fault });
        match property.kind {
            PropertyKind::Invariant | PropertyKind::Reject | PropertyKind::Safety | PropertyKind::Cover => {}
            PropertyKind::Assume
            | PropertyKind::Deadlock
            | PropertyKind::Liveness
            | PropertyKind::Ltl
            | PropertyKind::Atom => return Ok(()),
        }
        match self.holds(machine, property) {
            // It says nothing about this state; the others still do.
            Err(Fault::PRUNED) => Ok(()),
            Err(fault) => violation(Some(fault)),
            Ok(true) if property.kind == PropertyKind::Cover => {
                context.cover(index);
                Ok(())
            }
            Ok(false) if property.kind.must_hold() => violation(None),
            Ok(_) => Ok(()),
        }
    }

    /// Fires one instance of a rule in the state that the machine was made with. With `guard_only`
    /// nothing is executed but the guard, and not even that where it may write.
    fn fire_rule<'a>(
        &'a self,
        machine: &mut Machine<'a>,
        rule: &'a Rule,
        values: &[i64],
        guard_only: bool,
    ) -> Attempt {
        if guard_only && rule.guard_writes {
            return Attempt::Slept;
        }
        machine.enter(&rule.frame);
        let enabled = machine.scopes(&rule.scopes, values).and_then(|enabled| match &rule.guard {
            Some(guard) if enabled => {
                coverage::count(machine.counters, guard.span);
                Ok(machine.value(guard)? != 0)
            }
            _ => Ok(enabled),
        });
        match enabled {
            Ok(false) => Attempt::Disabled,
            Ok(true) if guard_only => Attempt::Slept,
            Ok(true) => match machine.body(&rule.variables, &rule.body).and_then(|()| self.settle(machine)) {
                Ok(()) => Attempt::Fired(self.slots.store(&self.model, machine)),
                Err(fault) => Attempt::BodyFault(fault),
            },
            Err(fault) => Attempt::GuardFault(fault),
        }
    }
}

impl Interpreter {
    /// Fires one instance for what it does beside changing the state: what it prints, and the
    /// `cover` statements that it reaches.
    pub fn perform(&self, context: &Context, rule: RuleId, state: &[u64]) {
        if let Some((family, values)) = instances::find(&self.rules, rule.0) {
            self.fire_rule(&mut self.machine(context, state), &self.model.rules[family], &values, false);
        }
    }

    /// Fires the enabled rules of the families that are to be tried.
    fn expand_if(
        &self,
        context: &Context,
        state: &mut [u64],
        successors: &mut Successors,
        tried: impl Fn(&mut Successors, &Instances) -> bool,
    ) {
        let before = successors.firings();
        let mut machine = self.machine(context, state);
        let globals = machine.memory.clone();
        let mut priority = None;
        for &index in &self.order {
            let rule = &self.model.rules[index];
            let lower = priority.is_some_and(|other| other < rule.priority);
            if context.priorities && lower && successors.firings() > before {
                return;
            }
            priority = Some(rule.priority);
            let instances = &self.rules[index];
            if !tried(successors, instances) {
                continue;
            }
            let mut values = instances.first_values();
            for number in (instances.first..instances.first + instances.count).map(RuleId) {
                let sleeps = successors.sleeps(number);
                let guard_only = sleeps || successors.passes_by() && !rule.guard_writes;
                let attempt = self.fire_rule(&mut machine, rule, &values, guard_only);
                instances.advance(&mut values);
                match attempt {
                    Attempt::Slept if sleeps => successors.count_sleeping(),
                    Attempt::Slept => successors.pass_by(),
                    Attempt::Disabled
                    | Attempt::Fired(_)
                    | Attempt::GuardFault(_)
                    | Attempt::BodyFault(_) => {}
                }
                if matches!(attempt, Attempt::Disabled | Attempt::Slept) && !rule.guard_writes {
                    // Nothing was written but storage of its own.
                    machine.memory.truncate(globals.len());
                    continue;
                }
                machine.memory.clear();
                machine.memory.extend_from_slice(&globals);
                match attempt {
                    Attempt::Disabled | Attempt::Slept => {}
                    Attempt::Fired(words) => successors.push_from(state, number, &words),
                    Attempt::GuardFault(fault) => successors.refuse(number, fault),
                    Attempt::BodyFault(fault) => successors.abandon(number, fault),
                }
            }
        }
    }
}

/// What became of one instance of a rule.
enum Attempt {
    Disabled,
    /// It would have fired, and only the guard was executed.
    Slept,
    Fired(Vec<u64>),
    GuardFault(Fault),
    BodyFault(Fault),
}

fn choices(model: &Model) -> Vec<Choice> {
    let found = tables::choices(model).into_iter().map(|choice| Choice {
        family: choice.family,
        parameter: choice.parameter,
        variable: choice.variable,
        steps: description::leak_all(choice.steps),
    });
    found.collect()
}

/// Whether a scope stands for a parameter of the rule.
fn is_parameter(scope: &Scope) -> bool {
    !matches!(scope, Scope::Alias(_))
}
