//! What rules and properties read, for reports: which steps of a trace an error depends on.
//!
//! The lists are on the safe side: what is read is in them, and what is in them may be read. They
//! serve explanations alone; no engine asks for them.

/// What the guards, rules and properties of a model read. Positions are those of the description,
/// except that variables are counted without the hidden ones.
#[derive(Clone, Copy, Debug)]
pub struct Dependencies {
    /// For each rule as written: its guard, its body and what stands around it.
    pub rules: &'static [&'static [Reading]],
    /// For each rule as written: its guard and what stands around it.
    pub guards: &'static [&'static [Reading]],
    pub properties: &'static [&'static [Reading]],
}

/// A variable, or a part of one. A multiset is one part: its elements move between slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub variable: u32,
    pub steps: &'static [ReadingStep],
}

/// A step from a variable to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadingStep {
    /// The field at this position.
    Field(u32),
    /// The array's element at this position, counted from 0.
    Element(i64),
    /// The array's element at this position, counted from 0: the value of a parameter of the rule,
    /// with something added.
    Parameter { number: u32, shift: i64 },
    /// Any element.
    Any,
}

impl Reading {
    /// The positions of the steps for these values of the rule's parameters; `None`: any. Without
    /// values, for all of them.
    pub fn resolved(&self, arguments: Option<&[i64]>) -> Vec<Option<usize>> {
        let position = |value: i64| usize::try_from(value).ok();
        let step = |step: &ReadingStep| match *step {
            ReadingStep::Field(at) => Some(at as usize),
            ReadingStep::Element(at) => position(at),
            ReadingStep::Parameter { number, shift } => {
                arguments.and_then(|values| position(values.get(number as usize)?.checked_add(shift)?))
            }
            ReadingStep::Any => None,
        };
        self.steps.iter().map(step).collect()
    }
}
