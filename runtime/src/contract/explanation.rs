//! Why a property is false in a state: the part of its condition that decides, with values.

/// One line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How deep inside the condition the part is.
    pub depth: usize,
    /// The part as it is written in the model, or the witness of a quantifier.
    pub text: String,
    /// What it is in this state: `false`, or the values of its sides.
    pub value: String,
}
