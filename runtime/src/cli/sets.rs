//! From options to the order of the search and the kind of visited set: the only place where they
//! are chosen. What cannot be combined was refused before (`checks`).

use super::{Options, ReplaceChoice, SearchOrder, SleepChoice};
use crate::bounds::advice::Expected;
use crate::bounds::assurance::first_bits;
use crate::hashing::signature::Bits;
use crate::settings::{Order, Shortcut, SleepSets};
use crate::visited::SetKind;
use crate::visited::bounded::PathCaching;
use crate::visited::bounded::choice::Eviction;
use crate::visited::cache::plan::Size;
use crate::visited::cache::plugin::CacheConfig;
use crate::visited::cache::sets::Replace;
use crate::visited::compact::plugin::CompactConfig;
use crate::visited::disk::plugin::DiskConfig;
use crate::visited::exact::plugin::ExactConfig;
use crate::visited::signatures::{SignatureConfig, Target};
use crate::visited::tree::plugin::TreeConfig;

/// A search with a cache that collides more often than this is going round in circles, as in the
/// paper.
const MAX_COLLISIONS: f64 = 0.9;
/// Slots that a depth-first search looks into, unless the user says otherwise.
const PROBES: u64 = 256;
/// Memory for a table on disk, unless the user says otherwise: this part of --memory, or 64 MiB.
const TABLE_MEMORY: u64 = 64 << 20;
const TABLE_PART: u64 = 2;
/// States that are expected without a word from the user: as many as a table of the default size
/// has slots.
const EXPECTED_STATES: u64 = 50_000_000;

impl Options {
    /// The order of the search.
    pub(super) fn order(&self) -> Order {
        match self.search {
            SearchOrder::Bfs if self.sleep.is_some() => Order::BreadthFirst(Shortcut::SleepSets),
            SearchOrder::Bfs if self.compress_paths => Order::BreadthFirst(Shortcut::CompressPaths),
            SearchOrder::Bfs => Order::BreadthFirst(Shortcut::None),
            SearchOrder::Dfs => {
                let sleep = self.sleep.map(|choice| match choice {
                    None | Some(SleepChoice::Revisit) => SleepSets::Revisit,
                    Some(SleepChoice::Path) => SleepSets::Path,
                });
                if sleep.is_some() || self.cache_size().is_some() {
                    Order::AlongPath { sleep }
                } else {
                    Order::DepthFirst { compress_paths: self.compress_paths }
                }
            }
        }
    }

    /// The kind of visited set, if hash functions are drawn with this seed.
    pub(super) fn set(&self, seed: u64) -> SetKind {
        let signatures = self.signatures(seed);
        if self.disk.is_some() {
            return SetKind::Disk(DiskConfig {
                memory: self.table_memory.unwrap_or_else(|| self.usual_table_memory()),
                plain: self.disk_plain,
                signatures,
            });
        }
        match (self.cache_size(), self.search, signatures) {
            (Some(size), SearchOrder::Bfs, signatures) => {
                let max_collisions = self.max_collisions.unwrap_or(MAX_COLLISIONS);
                SetKind::Cache(CacheConfig {
                    size,
                    replace: self.replace.and_then(ReplaceChoice::replace).unwrap_or(Replace::Oldest),
                    max_collisions: (max_collisions > 0.0).then_some(max_collisions),
                    signatures,
                })
            }
            (Some(size), SearchOrder::Dfs, _) => SetKind::PathCache(PathCaching {
                size,
                eviction: self.replace.and_then(ReplaceChoice::eviction).unwrap_or(Eviction::Small),
                seed: self.seed.unwrap_or(1),
            }),
            (None, _, Some(signatures)) => SetKind::Compact(CompactConfig {
                signatures,
                slots: self.slots,
                probes: self.probes.unwrap_or(PROBES),
                all_memory: self.memory.is_some(),
            }),
            (None, _, None) if self.tree => SetKind::Tree(TreeConfig),
            (None, _, None) => SetKind::Exact(ExactConfig),
        }
    }

    pub(super) fn cache_size(&self) -> Option<Size> {
        self.cache.map(Size::Bytes).or(self.cache_states.map(Size::States))
    }

    fn usual_table_memory(&self) -> u64 {
        match self.memory {
            Some(memory) => memory / TABLE_PART,
            None => TABLE_MEMORY.min(self.memory_of_process() / TABLE_PART),
        }
    }

    /// How signatures take the place of states, if they do.
    fn signatures(&self, seed: u64) -> Option<SignatureConfig> {
        let states = self.expect_states.or(self.slots).unwrap_or(EXPECTED_STATES);
        let expected = Expected { states, depth: self.expect_depth };
        let bits = match (self.bits, self.target) {
            (Some(bits), _) => bits,
            (None, Some(target)) => first_bits(expected, target, self.disk.is_some()),
            (None, None) if self.disk.is_some() => Bits::ON_DISK,
            (None, None) => Bits::DEFAULT,
        };
        let target = self.target.map(|bound| Target { bound, expected });
        self.compact.then_some(SignatureConfig { bits, seed, target })
    }
}
