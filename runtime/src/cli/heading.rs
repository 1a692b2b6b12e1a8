//! What a heading says: the first line, and what visited sets are going to do.

use super::table::Chosen;
use super::{Options, SearchOrder};
use crate::bounds::advice::estimate;
use crate::bounds::assurance::at_most;
use crate::bounds::on_disk;
use crate::contract::temporal::Fairness;
use crate::search::{caching, disk_set};
use crate::settings::Compaction;
use crate::state::codec::Codec;
use crate::temporal;
use crate::text::{bytes, grouped, plural, printable};
use crate::visited::{bounded, cache, disk};

/// What is verified or simulated, and how.
pub(super) fn first(chosen: &Chosen<'_>) -> String {
    let Chosen { model, options, settings, seed, .. } = *chosen;
    let description = model.description();
    let title = description.title();
    let name = printable(&title);
    if options.simulate {
        return format!("Simulating {name}: a random walk with --seed {seed}");
    }
    let order = match options.search {
        SearchOrder::Bfs => "breadth first",
        SearchOrder::Dfs => "depth first",
    };
    let threads = match settings.threads_in_use() {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let layout = layout(&settings.codec(description), settings.packed);
    let memory = bytes(settings.memory);
    format!("Verifying {name}: {order}, {threads}, {layout}, up to {memory}")
}

/// The cache, breadth first or beside a path.
pub(super) fn cache(chosen: &Chosen<'_>) -> Vec<String> {
    let settings = chosen.settings;
    let codec = settings.codec(chosen.model.description());
    let planned = settings.cache.zip(caching::plan(settings, &codec));
    let by_levels =
        planned.and_then(|(caching, plan)| Some(cache::report::heading(caching.replace, plan.ok()?)));
    let by_path = settings.path_cache.map(|caching| bounded::report::heading(caching, codec.stored_words()));
    by_levels.into_iter().chain(by_path).collect()
}

/// Visited states on disk.
pub(super) fn disk(chosen: &Chosen<'_>) -> Vec<String> {
    let settings = chosen.settings;
    let codec = settings.codec(chosen.model.description());
    let plan = disk_set::plan(settings, &codec);
    let plain = settings.disk.is_some_and(|disk| disk.plain);
    plan.map(|plan| disk::report::heading(&settings.directory, plain, &plan)).into_iter().collect()
}

/// How states are compacted, and what may be expected of it.
pub(super) fn compaction(options: &Options, compaction: Compaction) -> String {
    let Compaction { bits, seed, probes, .. } = compaction;
    let bits = bits.get();
    let how = match options.search {
        SearchOrder::Bfs => String::new(),
        SearchOrder::Dfs => format!(", at most {}", plural(probes, "probe")),
    };
    let expected = options.expected();
    let estimate = match options.target {
        Some(target) => format!(
            "; with {} and depth {} about {} is to be expected, and {target} is wanted",
            plural(expected.states, "state"),
            grouped(expected.depth),
            at_most(match options.disk {
                Some(_) => on_disk::expected(expected, bits),
                None => estimate(expected, bits),
            })
        ),
        None => String::new(),
    };
    format!("Hash compaction to {bits} bits{how}, --seed {seed}{estimate}")
}

fn layout(codec: &Codec, packed: bool) -> String {
    let bits = codec.bits_per_state();
    if packed {
        format!("{bits} bits per state, packed")
    } else {
        format!("{bits} bits per state ({} with -b)", codec.significant_bits())
    }
}

/// How runs are checked, where the model claims something about them.
pub(super) fn temporal(chosen: &Chosen<'_>) -> Vec<String> {
    let Chosen { model, options, settings, .. } = *chosen;
    let Some(temporal) = temporal::claims(model).filter(|_| !options.simulate) else { return Vec::new() };
    let fairness = temporal::fairness(model.description(), temporal, settings.fairness);
    let strong = fairness.iter().filter(|one| **one == Fairness::Strong).count() as u64;
    let weak = fairness.iter().filter(|one| **one == Fairness::Weak).count() as u64;
    let runs = match (weak, strong) {
        (0, 0) => "all runs count".to_owned(),
        (weak, 0) => format!("runs that are weakly fair to {}", plural(weak, "rule instance")),
        (0, strong) => format!("runs that are strongly fair to {}", plural(strong, "rule instance")),
        (weak, strong) => format!(
            "runs that are weakly fair to {} and strongly to {}",
            plural(weak, "rule instance"),
            grouped(strong)
        ),
    };
    vec![format!("Properties of runs: {runs}; states are not reduced by symmetry")]
}
