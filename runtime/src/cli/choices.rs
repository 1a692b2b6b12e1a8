//! Options with a few values to choose from.

use crate::contract::temporal::Fairness;
use crate::visited::bounded::choice::Eviction;
use crate::visited::cache::sets::Replace;
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SearchOrder {
    /// Breadth first
    #[default]
    Bfs,
    /// Depth first
    Dfs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QueuePlace {
    /// In memory
    Memory,
    /// Both ends in memory, the rest in files
    Disk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReplaceChoice {
    /// The one that was not found for the longest time
    Oldest,
    /// Breadth first: a random one
    Direct,
    /// Depth first: a random one
    Random,
    /// Depth first: one reached by the rule whose states are found again least often
    Type,
    /// Depth first: one with a small explored subtree
    Small,
}

impl ReplaceChoice {
    /// Breadth first.
    pub fn replace(self) -> Option<Replace> {
        match self {
            ReplaceChoice::Oldest => Some(Replace::Oldest),
            ReplaceChoice::Direct => Some(Replace::Direct),
            ReplaceChoice::Random | ReplaceChoice::Type | ReplaceChoice::Small => None,
        }
    }

    /// Depth first.
    pub fn eviction(self) -> Option<Eviction> {
        match self {
            ReplaceChoice::Oldest => Some(Eviction::Oldest),
            ReplaceChoice::Random => Some(Eviction::Random),
            ReplaceChoice::Type => Some(Eviction::Type),
            ReplaceChoice::Small => Some(Eviction::Small),
            ReplaceChoice::Direct => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SleepChoice {
    /// Store the sleep set of each state, and revisit the state for rules that are not in a later
    /// one
    Revisit,
    /// Store none: a rule that leads to a state on the path does not sleep, as in the paper
    Path,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SymmetryChoice {
    /// One state for each orbit
    #[default]
    Exact,
    /// Less work for each state, but an orbit may have several states
    Fast,
    /// As exact, but also reduces scalarsets without a proof of symmetry: the verdict is then
    /// conditional
    Trust,
    /// No reduction
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TraceStyle {
    /// The changes of each step, and the first and the last state
    #[default]
    Diff,
    /// All states
    Full,
    /// Only the steps and values that the error depends on
    Short,
    /// Variables down, steps across, changes only
    Table,
    /// No trace
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressChoice {
    Off,
    /// A line after each of this number of states.
    Every(u64),
}

/// Which runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FairnessChoice {
    /// All runs
    None,
    /// Runs in which a rule that stays enabled fires again and again
    Weak,
    /// Runs in which a rule that is enabled again and again fires again and again
    Strong,
}

impl FairnessChoice {
    pub fn fairness(self) -> Fairness {
        match self {
            FairnessChoice::None => Fairness::None,
            FairnessChoice::Weak => Fairness::Weak,
            FairnessChoice::Strong => Fairness::Strong,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            FairnessChoice::None => "none",
            FairnessChoice::Weak => "weak",
            FairnessChoice::Strong => "strong",
        }
    }
}
