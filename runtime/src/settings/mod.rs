//! What the user wants of a search: everything that decides what it does and where it stops.

pub mod watch;

use crate::contract::bags::Bags;
use crate::contract::context::{Context, Put};
use crate::contract::model::{Description, Model};
use crate::contract::temporal::Fairness;
use crate::hashing::signature::Bits;
use crate::reduction::canonical::Reduction;
use crate::reduction::extent::Extent;
use crate::reduction::form::Form;
use crate::state::codec::Codec;
use crate::visited::bounded::PathCaching;
use crate::visited::cache::plan::Size;
use crate::visited::cache::sets::Replace;
use std::path::PathBuf;
use watch::Watch;

/// In which order states are expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    BreadthFirst,
    DepthFirst,
}

/// What the user wants of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    pub order: Order,
    /// Store states packed to the bit.
    pub packed: bool,
    /// Whether a deadlock is an error.
    pub deadlock: bool,
    /// Bytes that may be used.
    pub memory: u64,
    pub max_states: Option<u64>,
    pub max_depth: Option<u32>,
    /// Stop after so many errors; `None`: find all.
    pub max_errors: Option<u64>,
    pub loop_limit: u64,
    pub strict_undefined: bool,
    /// How states that differ in the names of scalarset elements are reduced to one; `None`: not at
    /// all.
    pub symmetry: Option<Reduction>,
    /// Rename the elements of each state explored, and see whether it behaves the same; the seed.
    pub symmetry_check: Option<u64>,
    /// Reduce also what was not proved to be symmetric.
    pub trust: bool,
    /// Elements of multisets stay in their slots: bags with the same elements may be different
    /// states.
    pub keep_slots: bool,
    /// Honour rule priorities.
    pub priorities: bool,
    pub put: Put,
    /// Show every state as it is found.
    pub show_states: bool,
    /// Threads that may be used.
    pub threads: usize,
    /// They are used for levels of so many states; the visited set is small up to there.
    pub threads_from: u64,
    /// Keep signatures instead of states.
    pub compaction: Option<Compaction>,
    /// Evict states where there is no room for them.
    pub cache: Option<Caching>,
    /// Keep what was visited on disk.
    pub disk: Option<Disk>,
    /// Depth first, keep the path and some other states, and evict the rest.
    pub path_cache: Option<PathCaching>,
    /// Rules whose effect is found in another order sleep.
    pub sleep: Option<SleepSets>,
    /// Walk through states with one successor, and do not store them.
    pub compress_paths: bool,
    /// Where files go that a search needs.
    pub directory: PathBuf,
    /// Where the search is saved, if it is.
    pub checkpoints: Option<PathBuf>,
    /// What waits in memory goes to disk beyond so many bytes; `None`: it stays there.
    pub queue_memory: Option<u64>,
    /// A state to look out for.
    pub watch: Watch,
    /// Measure how far transitions lead.
    pub locality: bool,
    /// How all rules are treated by the runs that count; `None`: as the model says.
    pub fairness: Option<Fairness>,
}

/// How it is seen to that what sleeping rules lead to is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepSets {
    /// Breadth first: the sets of the states that wait, see [`sleeping`].
    Levels,
    /// Depth first: the sleep set of each state is kept. A state that is met again with a smaller
    /// one is explored for the rules that are not in it.
    Revisit,
    /// The same by the paper's Figure 3: a rule does not sleep if it leads to a state on the path.
    Path,
}

impl SleepSets {
    pub fn name(self) -> &'static str {
        match self {
            SleepSets::Levels => "levels",
            SleepSets::Revisit => "revisit",
            SleepSets::Path => "path",
        }
    }
}

/// How states are forgotten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caching {
    pub size: Size,
    pub replace: Replace,
    /// The search ends when more than this part of the states stored took the place of others.
    pub max_collisions: Option<f64>,
}

/// How what was visited is kept on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// Bytes of memory for the table.
    pub memory: u64,
    /// As in the paper: one table, in the order of the search, and nothing in memory but
    /// candidates.
    pub plain: bool,
}

/// How signatures take the place of states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compaction {
    pub bits: Bits,
    /// The table has at least so many slots; `None`: as many as fit into the memory.
    pub slots: Option<u64>,
    /// Depth first, a state is looked for in at most so many slots.
    pub probes: u64,
    /// Whether the limit of the memory was set by the user, so that all of it may be used.
    pub all_memory: bool,
    /// The hash functions are drawn with it.
    pub seed: u64,
}

impl Settings {
    /// A context for the search itself.
    pub fn context(&self, description: &Description) -> Context {
        let counters = description.properties.len() + description.cover_statements.len();
        let mut context = Context::new(counters);
        context.loop_limit = self.loop_limit;
        context.strict_undefined = self.strict_undefined;
        context.priorities = self.priorities;
        context.bags = self.extent().bags();
        context.put = self.put;
        context
    }

    /// A context for one concrete run, such as a trace: it prints nothing, and what is in a
    /// multiset stays in its slot.
    pub fn trace_context(&self, description: &Description) -> Context {
        let mut context = self.context(description);
        context.put = Put::Nowhere;
        context.bags = Bags::None;
        context
    }

    /// A context for doing again what the search did: it prints nothing.
    pub fn rerun_context(&self, description: &Description) -> Context {
        let mut context = self.context(description);
        context.put = Put::Nowhere;
        context
    }

    /// A form that is the same for all states that the search may take for one. The fast reduction
    /// gives several forms to an orbit, depending on the names at hand, so going over what it did
    /// takes the exact one.
    pub fn form<'m>(&self, model: &'m dyn Model) -> Form<'m> {
        Form::new(model, Extent { renaming: self.symmetry.map(|_| Reduction::Exact), ..self.extent() })
    }

    /// How far states are reduced.
    pub fn extent(&self) -> Extent {
        Extent { renaming: self.symmetry, trust: self.trust, keep_slots: self.keep_slots }
    }

    /// Whether the search goes along a path, state by state.
    pub fn follows_path(&self) -> bool {
        self.order == Order::DepthFirst && (self.sleep.is_some() || self.path_cache.is_some())
    }

    /// Whether a state that breaks a property is expanded nevertheless, if the search goes on at
    /// all: depth first with sleep sets.
    pub fn goes_behind(&self) -> bool {
        self.order == Order::DepthFirst && self.sleep.is_some()
    }

    /// Whether rules sleep, level after level.
    pub fn sleeps_by_level(&self) -> bool {
        self.sleep == Some(SleepSets::Levels)
    }

    /// Whether a state may be found and checked more than once.
    pub fn finds_again(&self) -> bool {
        self.cache.is_some() || self.path_cache.is_some() || self.compress_paths
    }

    /// Threads that a search with these settings can use.
    pub fn threads_in_use(&self) -> usize {
        match self.order {
            // States are shown in the order in which one thread finds them.
            Order::BreadthFirst if !self.show_states => self.threads.max(1),
            Order::BreadthFirst | Order::DepthFirst => 1,
        }
    }

    pub fn codec(&self, description: &Description) -> Codec {
        match self.packed {
            true => Codec::packed(description),
            false => Codec::aligned(description),
        }
    }
}
