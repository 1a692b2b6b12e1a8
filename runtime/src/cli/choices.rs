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
    /// All of it in memory
    Memory,
    /// Both ends in memory, the rest on disk
    Disk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReplaceChoice {
    /// The one that was not found for the longest; those that are found late, again and again, are
    /// kept longer
    Oldest,
    /// Breadth first: any one, by chance
    Direct,
    /// Depth first: any one, by chance
    Random,
    /// Depth first: one that was reached by the rule whose states are found again least often
    Type,
    /// Depth first: one behind which there was little to explore
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
    /// Keep the sleep set of each state, and go there again for rules that are not in a later one
    Revisit,
    /// Keep none: a rule that leads to a state on the path does not sleep, as in the paper
    Path,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SymmetryChoice {
    /// One state for each orbit
    #[default]
    Exact,
    /// Less work for each state, and now and then several states for an orbit
    Fast,
    /// Like exact, and also of what was not proved to be symmetric: then the verdict is conditional
    Trust,
    /// No reduction
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TraceStyle {
    /// What each step changes, and the first and the last state
    #[default]
    Diff,
    /// All states
    Full,
    /// Only the steps and values that the error depends on
    Short,
    /// Variables down, steps across, and only what changes
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
    /// All of them
    None,
    /// Those in which a rule that stays enabled fires again and again
    Weak,
    /// Those in which a rule that is enabled again and again fires again and again
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
