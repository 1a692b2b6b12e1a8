//! The kinds of visited sets, one line each.

use super::plugin::SetPlugin;

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident($config:ty),)*) => {
        /// Which kind of visited set a search uses, with its configuration.
        #[derive(Clone, Debug, PartialEq)]
        pub enum SetKind {
            $($(#[$meta])* $name($config),)*
        }

        impl SetKind {
            /// What the rest of the verifier knows about it.
            pub fn plugin(&self) -> &dyn SetPlugin {
                match self {
                    $(SetKind::$name(config) => config,)*
                }
            }

            /// As [`SetKind::plugin`], to change it.
            pub fn plugin_mut(&mut self) -> &mut dyn SetPlugin {
                match self {
                    $(SetKind::$name(config) => config,)*
                }
            }
        }
    };
}

kinds! {
    /// All states, in memory.
    Exact(super::exact::plugin::ExactConfig),
    /// All states, as trees of shared parts.
    Tree(super::tree::plugin::TreeConfig),
    /// Signatures of states, in a table.
    Compact(super::compact::plugin::CompactConfig),
    /// States or signatures, some of which are evicted where there is no room.
    Cache(super::cache::plugin::CacheConfig),
    /// The states of a path and some others.
    PathCache(super::bounded::PathCaching),
    /// States or signatures, on disk.
    Disk(super::disk::plugin::DiskConfig),
}
