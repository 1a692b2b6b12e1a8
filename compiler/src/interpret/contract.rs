//! The interpreter as a model: what engines ask, answered without being compiled.

use super::{Interpreter, description, explain, independence, instances};
use crate::analysis::dependencies::dependencies;
use crate::analysis::{Demand, Independence as RuleIndependence};
use crate::source::Source;
use mcc_runtime::context::Context;
use mcc_runtime::contract::choice::Choice;
use mcc_runtime::contract::coverage::Part;
use mcc_runtime::contract::dependencies::Dependencies;
use mcc_runtime::contract::explanation::Reason;
use mcc_runtime::contract::temporal::{AtomId, Temporal};
use mcc_runtime::fault::Fault;
use mcc_runtime::generated::report_violation;
use mcc_runtime::independence::Independence;
use mcc_runtime::model::{
    Description, Firing, Model as Contract, PropertyId, StackUse, StartId, Symmetry, Violation,
};
use mcc_runtime::successors::Successors;

impl Contract for Interpreter {
    fn description(&self) -> &'static Description {
        self.description
    }

    fn start(&self, context: &Context, start: StartId, state: &mut [u64]) -> Firing {
        let Some((family, values)) = instances::find(&self.starts, start.0) else {
            return Firing::Disabled;
        };
        let start = &self.model.starts[family];
        let mut machine = self.machine(context, state);
        machine.enter(&start.frame);
        let result = machine.scopes(&start.scopes, &values).and_then(|chosen| {
            if !chosen {
                // A slot that is empty is no start state.
                return Err(Fault::PRUNED);
            }
            machine.body(&start.variables, &start.body)?;
            self.settle(&mut machine)
        });
        match result {
            Ok(()) => {
                state.copy_from_slice(&self.slots.store(&self.model, &machine));
                Firing::Fired
            }
            Err(fault) if fault == Fault::PRUNED || fault == Fault::EXCLUDED => Firing::Pruned,
            Err(fault) => Firing::Faulted(fault),
        }
    }

    fn expand(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.expand_if(context, state, successors, |_, _| true);
    }

    fn expand_some(&self, context: &Context, state: &mut [u64], successors: &mut Successors) {
        self.expand_if(context, state, successors, |successors, instances| {
            successors.tries(instances.first, instances.count)
        });
    }

    fn symmetry(&self) -> Option<&dyn Symmetry> {
        (!self.description.scalarsets.is_empty()).then_some(&self.symmetry)
    }

    fn independence(&self) -> Option<&'static Independence> {
        let table = || independence::leak_table(self.rule_independence(Demand::Apart).table());
        RuleIndependence::is_tabulated(&self.model).then(|| *self.independence.get_or_init(table))
    }

    fn temporal(&self) -> Option<&'static Temporal> {
        self.temporal
    }

    fn choices(&self) -> &'static [Choice] {
        self.choices
    }

    fn dependencies(&self) -> Option<&'static Dependencies> {
        let table = || description::dependencies(dependencies(&self.model, &self.analysis));
        Some(self.dependencies.get_or_init(table))
    }

    fn count_coverage(&self) -> bool {
        self.coverage.begin(self.description.source);
        true
    }

    fn coverage(&self) -> Vec<Part> {
        self.coverage.parts(&self.model, &Source::new(self.description.name, self.description.source))
    }

    fn explain(&self, context: &Context, property: PropertyId, state: &mut [u64]) -> Vec<Reason> {
        let Some(property) = self.model.properties.get(property.0 as usize) else { return Vec::new() };
        explain::explain(&mut self.machine(context, state), property, self.description.source)
    }

    fn atom(
        &self,
        context: &Context,
        atom: AtomId,
        values: &[i64],
        state: &mut [u64],
    ) -> Result<bool, Fault> {
        let Some(atom) = self.model.atoms.get(atom.0 as usize) else { return Ok(false) };
        let mut machine = self.machine(context, state);
        machine.enter(&atom.frame);
        machine.scopes(&atom.scopes, values)?;
        Ok(machine.value(&atom.condition)? != 0)
    }

    /// The model's variables are on the heap, but each nested call is several of ours.
    fn stack_use(&self) -> StackUse {
        StackUse { frames: 32 << 20, recursion: 64 << 10 }
    }

    fn check(&self, context: &Context, state: &mut [u64]) -> Result<(), Violation> {
        let mut machine = self.machine(context, state);
        (0..self.model.properties.len()).try_for_each(|index| self.check_one(&mut machine, context, index))
    }

    fn check_all(&self, context: &Context, state: &mut [u64], report: &mut dyn FnMut(Violation)) {
        for index in 0..self.model.properties.len() {
            // What was done for the last property, if it failed, is nothing to the next.
            let mut machine = self.machine(context, state);
            report_violation(self.check_one(&mut machine, context, index), report);
        }
    }
}
