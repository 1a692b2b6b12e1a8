//! What the user wants of a search: everything that decides what it does and where it stops.

pub(crate) mod watch;

use crate::cluster::hub::Hub;
use crate::contract::bags::Bags;
use crate::contract::context::{Context, Put};
use crate::contract::model::{Description, Model};
use crate::contract::temporal::Fairness;
use crate::reduction::canonical::Reduction;
use crate::reduction::extent::Extent;
use crate::reduction::form::Form;
use crate::serve::pool::Pool;
use crate::state::codec::Codec;
use crate::visited::SetKind;
use crate::visited::plugin::Demand;
use std::path::PathBuf;
use std::sync::Arc;
use watch::Watch;

/// In which order states are expanded, with what only that order can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Level after level, with several threads.
    BreadthFirst(Shortcut),
    /// The state that was found last comes first.
    DepthFirst {
        /// Walk through states with one successor, and do not store them.
        compress_paths: bool,
    },
    /// Depth first, state by state along one path: for sleep sets, and for sets that keep the
    /// states of the path and evict others.
    AlongPath { sleep: Option<SleepSets> },
}

/// What a search level by level leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut {
    None,
    /// Rules whose effect is found in another order: the sleep sets of the states that wait.
    SleepSets,
    /// States with one successor are walked through, and not stored.
    CompressPaths,
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
    /// Stop after this number of errors; `None`: find all.
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
    /// They are used for levels of at least this number of states; the visited set is small up to
    /// there.
    pub threads_from: u64,
    /// Where visited states are kept, and which of them.
    pub set: SetKind,
    /// Where files go that a search needs.
    pub directory: PathBuf,
    /// Where the search is saved, if it is.
    pub checkpoints: Option<PathBuf>,
    /// Bytes beyond which waiting states go to disk; `None`: they stay in memory.
    pub queue_memory: Option<u64>,
    /// A state to look out for.
    pub watch: Watch,
    /// Measure how far transitions lead.
    pub locality: bool,
    /// The processes that work on the search, if there are several.
    pub cluster: Option<Arc<Hub>>,
    /// The workers that expand states for this process, if it is their server.
    pub serve: Option<Arc<Pool>>,
    /// How all rules are treated by the runs that count; `None`: as the model says.
    pub fairness: Option<Fairness>,
    /// Elements that keep their names although their scalarset is reduced, since a property of runs
    /// names them: the first ones of it.
    pub apart: Vec<u16>,
    /// The scalarsets, by their first elements, of which properties of runs are decided for one
    /// choice of all that exchanges of elements turn into one another.
    pub alike: Vec<u32>,
    /// Note which state leads to which, where the visited set can: properties of what can be
    /// reached are decided by that.
    pub steps: bool,
}

/// How sleep sets along a path ensure that what sleeping rules lead to is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SleepSets {
    /// The sleep set of each state is kept. A state that is met again with a smaller one is
    /// explored for the rules that are not in it.
    Revisit,
    /// By the paper's Figure 3: a rule does not sleep if it leads to a state on the path.
    Path,
}

impl Settings {
    /// A context for the search itself.
    pub fn context(&self, description: &Description) -> Context {
        let counters = description.counters();
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
        Form::new(model, &Extent { renaming: self.symmetry.map(|_| Reduction::Exact), ..self.extent() })
    }

    /// How far states are reduced.
    pub fn extent(&self) -> Extent {
        Extent {
            renaming: self.symmetry,
            trust: self.trust,
            keep_slots: self.keep_slots,
            apart: self.apart.clone(),
        }
    }

    /// Whether the search goes level by level.
    pub fn by_levels(&self) -> bool {
        matches!(self.order, Order::BreadthFirst(_))
    }

    /// Whether the search goes along a path, state by state.
    pub fn follows_path(&self) -> bool {
        matches!(self.order, Order::AlongPath { .. })
    }

    /// How rules sleep along a path, if they do.
    pub fn sleep_along_path(&self) -> Option<SleepSets> {
        match self.order {
            Order::AlongPath { sleep } => sleep,
            Order::BreadthFirst(_) | Order::DepthFirst { .. } => None,
        }
    }

    /// Whether a state that breaks a property is expanded nevertheless, if the search goes on at
    /// all: depth first with sleep sets.
    pub fn goes_behind(&self) -> bool {
        self.sleep_along_path().is_some()
    }

    /// Whether rules sleep, level after level.
    pub fn sleeps_by_level(&self) -> bool {
        self.order == Order::BreadthFirst(Shortcut::SleepSets)
    }

    /// The name of the sleep sets, if there are any.
    pub fn sleep_name(&self) -> Option<&'static str> {
        match self.order {
            Order::BreadthFirst(Shortcut::SleepSets) => Some("levels"),
            Order::AlongPath { sleep: Some(SleepSets::Revisit) } => Some("revisit"),
            Order::AlongPath { sleep: Some(SleepSets::Path) } => Some("path"),
            Order::BreadthFirst(Shortcut::None | Shortcut::CompressPaths)
            | Order::DepthFirst { .. }
            | Order::AlongPath { sleep: None } => None,
        }
    }

    /// Whether states with one successor are walked through, and not stored.
    pub fn compresses_paths(&self) -> bool {
        match self.order {
            Order::BreadthFirst(shortcut) => shortcut == Shortcut::CompressPaths,
            Order::DepthFirst { compress_paths } => compress_paths,
            Order::AlongPath { .. } => false,
        }
    }

    /// Whether all steps between states are noted as the search takes them: it stores each state
    /// and takes each step.
    pub fn notes_steps(&self) -> bool {
        let order = match self.order {
            Order::BreadthFirst(shortcut) => shortcut == Shortcut::None,
            Order::DepthFirst { compress_paths } => !compress_paths,
            Order::AlongPath { .. } => false,
        };
        self.steps && order && !self.is_divided() && self.checkpoints.is_none()
    }

    /// Whether the steps are looked at before the search is over: a violation would end it.
    pub fn looks_at_steps(&self) -> bool {
        self.notes_steps() && self.by_levels() && self.max_errors == Some(1)
    }

    /// Whether a state may be found and checked more than once.
    pub fn finds_again(&self) -> bool {
        self.set.plugin().evicts() || self.compresses_paths()
    }

    /// Whether `--tree` is accepted instead of whole states, with the other settings as they are.
    pub fn could_use_tree(&self, model: &dyn Model) -> bool {
        let alone = self.cluster.is_none() && self.serve.is_none();
        let refused = matches!(self.order, Order::AlongPath { .. }) || self.locality;
        matches!(self.set, SetKind::Exact(_)) && alone && !refused && model.temporal().is_none()
    }

    /// Threads that a search with these settings can use.
    pub fn threads_in_use(&self) -> usize {
        match self.order {
            // States are shown in the order in which one thread finds them.
            Order::BreadthFirst(_) if !self.show_states => self.threads.max(1),
            Order::BreadthFirst(_) | Order::DepthFirst { .. } | Order::AlongPath { .. } => 1,
        }
    }

    /// Whether one thread does all the work: what it finds comes in an order that is always the
    /// same.
    pub fn works_alone(&self) -> bool {
        !self.is_divided() && self.threads_in_use() == 1
    }

    /// Whether other processes take part in the search.
    pub fn is_divided(&self) -> bool {
        self.cluster.is_some() || self.serve.is_some()
    }

    /// What the search demands of its visited set.
    pub fn demand<'a>(&'a self, description: &'a Description, codec: &'a Codec) -> Demand<'a> {
        Demand {
            description,
            codec,
            threads: self.threads_in_use(),
            memory: self.memory,
            by_levels: self.by_levels(),
            queue_on_disk: self.queue_memory.is_some(),
            is_saved: self.checkpoints.is_some(),
            directory: &self.directory,
            // Several processes count together at the end of each level.
            most: self.max_states.filter(|_| self.cluster.is_none()),
            divided: None,
        }
    }

    /// Whether each segment of the visited set has files or a table of fixed size.
    pub fn has_large_segments(&self) -> bool {
        self.queue_memory.is_some() || self.set.plugin().has_large_segments()
    }

    pub fn codec(&self, description: &Description) -> Codec {
        if self.packed { Codec::packed(description) } else { Codec::aligned(description) }
    }
}
