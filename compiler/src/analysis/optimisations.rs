//! Which optimisations the generated code makes use of: all of them, unless a test asks for less.
//!
//! Each one may only change how long a verifier takes. So two verifiers of one model, built with
//! and without one of them, have to say the same; `mcc-second-opinion --optimisations` compares
//! them.

use std::collections::BTreeSet;

/// Something that generated code does to be quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Optimisation {
    /// Rules are tried for the instances that hold what they ask for (`analysis/selection.rs`).
    Selection,
    /// Invariants are first evaluated in an order that asks less (`analysis/hoisting.rs`).
    Hoisting,
    /// Parts of guards are evaluated outside the loops of inner parameters (`analysis/guards.rs`).
    Guards,
    /// Invariants are evaluated only after rules that may change them (`analysis/recheck.rs`).
    Recheck,
    /// A rule that came to no statement that writes has changed nothing (`analysis/writing.rs`).
    Writing,
    /// A few places are compared before all of the state is (`analysis/signs.rs`).
    Signs,
    /// Quantifiers over elements stop early where the body cannot fail (`analysis/facts.rs`).
    Quantifiers,
    /// Bags are sorted only after rules that may write them (`analysis/settling.rs`).
    Settling,
    /// Code is divided into functions only where it is long or deep (`codegen/pieces.rs`); without,
    /// as small as can be.
    Whole,
}

impl Optimisation {
    pub const ALL: [Optimisation; 9] = [
        Optimisation::Selection,
        Optimisation::Hoisting,
        Optimisation::Guards,
        Optimisation::Recheck,
        Optimisation::Writing,
        Optimisation::Signs,
        Optimisation::Quantifiers,
        Optimisation::Settling,
        Optimisation::Whole,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Optimisation::Selection => "selection",
            Optimisation::Hoisting => "hoisting",
            Optimisation::Guards => "guards",
            Optimisation::Recheck => "recheck",
            Optimisation::Writing => "writing",
            Optimisation::Signs => "signs",
            Optimisation::Quantifiers => "quantifiers",
            Optimisation::Settling => "settling",
            Optimisation::Whole => "whole",
        }
    }
}

/// The optimisations that are made: all but some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Optimisations {
    without: BTreeSet<Optimisation>,
}

impl Optimisations {
    /// All but these.
    pub fn without(without: impl IntoIterator<Item = Optimisation>) -> Self {
        Optimisations { without: without.into_iter().collect() }
    }

    /// All but those of a list of names with commas between them; `all` stands for each of them. A
    /// name that there is not is the error.
    pub fn without_named(list: &str) -> Result<Self, UnknownOptimisationError> {
        let mut without = BTreeSet::new();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match Optimisation::ALL.into_iter().find(|one| one.name() == name) {
                Some(one) => {
                    without.insert(one);
                }
                None if name == "all" => without.extend(Optimisation::ALL),
                None => return Err(UnknownOptimisationError(name.to_owned())),
            }
        }
        Ok(Optimisations { without })
    }

    pub fn has(&self, one: Optimisation) -> bool {
        !self.without.contains(&one)
    }
}

/// A name that no optimisation has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownOptimisationError(pub String);

impl std::fmt::Display for UnknownOptimisationError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = Optimisation::ALL.map(Optimisation::name).join(", ");
        write!(to, "there is no optimisation `{}`; there are {names}, and all", self.0)
    }
}

impl std::error::Error for UnknownOptimisationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_name_what_is_left_out() {
        let some = Optimisations::without_named("selection, signs");
        assert_eq!(some, Ok(Optimisations::without([Optimisation::Selection, Optimisation::Signs])));
        assert_eq!(Optimisations::without_named(""), Ok(Optimisations::default()));
        let none = Optimisations::without_named("all").unwrap_or_default();
        assert!(Optimisation::ALL.into_iter().all(|one| !none.has(one)));
        let unknown = Optimisations::without_named("guards,haste");
        assert_eq!(unknown, Err(UnknownOptimisationError("haste".to_owned())));
    }
}
