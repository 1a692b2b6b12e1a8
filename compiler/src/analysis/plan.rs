//! All decisions about the code of a model, made before the first token is printed.

use super::Analysis;
use super::dependencies::{Dependencies, dependencies};
use super::facts::Facts;
use super::guards::{self, Level};
use super::hoisting::{self, Order};
use super::independence::Independence;
use super::independence::footprint::Demand;
use super::independence::tabulate::Table;
use super::optimisations::{Optimisation, Optimisations};
use super::parameters::{ParameterValues, parameters};
use super::recheck::Rechecks;
use super::selection::Selection;
use super::settling::Settling;
use super::signs::{self, Sign};
use super::writing::WriteReports;
use crate::semantics::model::{Function, Model, Property, Rule, Scope, Start};

/// What the code of a model does, and in which order.
#[derive(Debug)]
pub(crate) struct Plan<'m> {
    pub functions: Vec<Facts>,
    pub starts: Vec<StartPlan>,
    pub rules: Vec<RulePlan<'m>>,
    pub properties: Vec<PropertyPlan<'m>>,
    /// Of the conditions in temporal formulas.
    pub atoms: Vec<StartPlan>,
    /// Which instances of rules are tried.
    pub selection: Selection,
    /// Which invariants are evaluated only after some rules.
    pub rechecks: Rechecks,
    /// What is done to a state after a rule.
    pub settling: Settling,
    /// The independence of rules, unless there are too many for a table of all pairs.
    pub independence: Option<Table>,
    /// What rules and properties read, unless that would be a large table.
    pub dependencies: Option<Dependencies>,
}

/// Entries of a table of what is read that is worth its time to compile.
const MOST_READINGS: usize = 20_000;

/// Of a start state, or of a condition in a temporal formula.
#[derive(Debug)]
pub(crate) struct StartPlan {
    pub facts: Facts,
    pub parameters: Vec<ParameterValues>,
}

#[derive(Debug)]
pub(crate) struct RulePlan<'m> {
    pub facts: Facts,
    pub parameters: Vec<ParameterValues>,
    /// Guard and body are one function, and the guard has no levels.
    pub is_whole: bool,
    /// What is evaluated of the guard inside the loops of how many parameters.
    pub levels: Vec<Level<'m>>,
    /// Places that are compared to see that the rule has changed something.
    pub signs: Vec<Sign>,
    /// Where the body reports that it may write; `None` where it reports nothing.
    pub reports: Option<WriteReports>,
}

#[derive(Debug)]
pub(crate) struct PropertyPlan<'m> {
    pub facts: Facts,
    /// Whether all instances are evaluated, whatever the others say.
    pub goes_through_all: bool,
    /// An order in which less has to be asked to see that an invariant holds.
    pub shortcut: Option<Order<'m>>,
}

impl<'m> Plan<'m> {
    pub fn new(model: &'m Model, analysis: &Analysis, optimisations: &Optimisations) -> Self {
        let planner = Planner { model, analysis, optimisations };
        let accesses = analysis.accesses(model);
        let rules: Vec<RulePlan<'m>> =
            model.rules.iter().enumerate().map(|(index, rule)| planner.rule(index, rule)).collect();
        let functions = model.functions.iter().map(Function::code);
        let settling = optimisations.has(Optimisation::Settling).then_some(accesses);
        Plan {
            functions: functions.map(|code| Facts::of_code(model, code, optimisations)).collect(),
            starts: model.starts.iter().map(|start| planner.start(start)).collect(),
            selection: if optimisations.has(Optimisation::Selection) {
                Selection::new(model, &rules)
            } else {
                Selection::default()
            },
            rules,
            properties: model.properties.iter().map(|property| planner.property(property)).collect(),
            atoms: model.atoms.iter().map(|atom| planner.atom(atom)).collect(),
            rechecks: if optimisations.has(Optimisation::Recheck) {
                Rechecks::new(model, &analysis.reach, accesses)
            } else {
                Rechecks::default()
            },
            settling: Settling::new(model, settling, &analysis.symmetry),
            independence: Independence::is_tabulated(model)
                .then(|| analysis.independence(model, Demand::Apart).table()),
            dependencies: Some(dependencies(model, analysis))
                .filter(|found| found.readings() <= MOST_READINGS),
        }
    }
}

struct Planner<'m, 'a> {
    model: &'m Model,
    analysis: &'a Analysis,
    optimisations: &'a Optimisations,
}

impl<'m> Planner<'m, '_> {
    fn start(&self, start: &Start) -> StartPlan {
        let facts = Facts::of_instances(self.model, start.code(), self.optimisations);
        StartPlan { facts, parameters: parameters(&start.scopes) }
    }

    fn atom(&self, atom: &Property) -> StartPlan {
        let facts = Facts::of_instances(self.model, atom.code(), self.optimisations);
        StartPlan { facts, parameters: parameters(&atom.scopes) }
    }

    fn rule(&self, index: usize, rule: &'m Rule) -> RulePlan<'m> {
        let facts = Facts::of_instances(self.model, rule.code(), self.optimisations);
        let parameters = parameters(&rule.scopes);
        if guards::needs_whole(rule) {
            let (levels, signs) = (Vec::new(), Vec::new());
            return RulePlan { facts, parameters, is_whole: true, levels, signs, reports: None };
        }
        let has = |one| self.optimisations.has(one);
        let levels = if has(Optimisation::Guards) {
            guards::levels(self.model, rule, &facts.intervals)
        } else {
            guards::innermost(rule)
        };
        let signs = if has(Optimisation::Signs) {
            signs::of(self.model, self.analysis.accesses(self.model), index, &parameters)
        } else {
            Vec::new()
        };
        let reports =
            has(Optimisation::Writing).then(|| WriteReports::of(&self.analysis.reach, rule)).flatten();
        RulePlan { facts, parameters, is_whole: false, levels, signs, reports }
    }

    fn property(&self, property: &'m Property) -> PropertyPlan<'m> {
        let facts = Facts::of_code(self.model, property.code(), self.optimisations);
        let shortens =
            property.kind.must_hold() && !property.writes && self.optimisations.has(Optimisation::Hoisting);
        let shortcut = shortens.then(|| hoisting::order(self.model, property, &facts.intervals)).flatten();
        let goes_through_all = !property.kind.must_hold() && self.has_symmetric_parameter(property);
        PropertyPlan { facts, goes_through_all, shortcut }
    }

    /// Elements of a scalarset have no first one: if a property fails for one of them, that is
    /// found, whatever it says about the others. An invariant that is false is an error as well.
    fn has_symmetric_parameter(&self, property: &Property) -> bool {
        property.scopes.iter().any(|scope| match scope {
            Scope::Parameter(binder) => {
                let local = property.frame.locals.get(binder.variable.index());
                local.is_some_and(|local| self.model.is_symmetric(local.ty))
            }
            // Slots are sorted by values that may be elements.
            Scope::Choose { .. } => true,
            Scope::Alias(_) => false,
        })
    }
}
