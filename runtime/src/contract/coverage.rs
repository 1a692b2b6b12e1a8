//! How often parts of the model's text were evaluated: `--coverage`.

use super::model::Position;

/// A part of the model's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PartKind {
    Statement,
    /// The guard of a rule.
    Guard,
    /// The condition of a property.
    Property,
}

impl PartKind {
    /// One word for it, as in the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            PartKind::Statement => "statement",
            PartKind::Guard => "guard",
            PartKind::Property => "property",
        }
    }
}

/// A part with the number of times that it was evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub position: Position,
    pub kind: PartKind,
    pub count: u64,
}
