//! Which multiset a `choose` parameter is a slot of, so that people see the element and no number.

use super::model::Description;
use super::values::{Instance, Value, variables};

/// The multiset of one `choose` parameter of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The rule as written, by its position in [`Description::rules`].
    pub family: usize,
    /// The parameter that is a slot, by its position in the family.
    pub parameter: usize,
    /// The variable that the multiset is, or is a part of, by its position.
    pub variable: usize,
    /// The steps from the variable to the multiset.
    pub steps: &'static [ChoiceStep],
}

/// A step from a variable to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceStep {
    /// The field at this position.
    Field(usize),
    /// The array's element at this position, counted from 0.
    Element(i64),
    /// The array's element at this position, counted from 0: the value of a parameter of the rule,
    /// with something added.
    Parameter { number: usize, shift: i64 },
}

/// The element in the slot that a parameter of a rule chooses in a state, where the parameter is
/// one of a `choose`.
pub fn chosen(
    choices: &[Choice],
    description: &Description,
    instance: &Instance,
    parameter: usize,
    state: &[u64],
) -> Option<Value> {
    let choice =
        choices.iter().find(|choice| choice.family == instance.index && choice.parameter == parameter)?;
    let (_, mut value) = variables(description, state).into_iter().nth(choice.variable)?;
    for step in choice.steps {
        value = match (step, value) {
            (ChoiceStep::Field(at), Value::Record(mut fields)) if *at < fields.len() => {
                fields.swap_remove(*at).1
            }
            (ChoiceStep::Element(at), Value::Array(elements)) => element(elements, *at)?,
            (ChoiceStep::Parameter { number, shift }, Value::Array(elements)) => {
                element(elements, instance.arguments.get(*number)?.value.checked_add(*shift)?)?
            }
            _ => return None,
        };
    }
    let slot = usize::try_from(instance.arguments.get(parameter)?.value).ok()?;
    match value {
        Value::Bag(mut slots) if slot < slots.len() => slots.swap_remove(slot),
        _ => None,
    }
}

fn element<N>(mut elements: Vec<(N, Value)>, at: i64) -> Option<Value> {
    let at = usize::try_from(at).ok().filter(|at| *at < elements.len())?;
    Some(elements.swap_remove(at).1)
}
