//! What a heading says: the first line, and what visited sets are going to do.

use super::SearchOrder;
use super::table::Chosen;
use crate::contract::temporal::Fairness;
use crate::state::codec::Codec;
use crate::temporal::{self, Named};
use crate::text::{bytes, grouped, plural, printable};

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

/// What the visited set is going to do.
pub(super) fn set(chosen: &Chosen<'_>) -> Vec<String> {
    let (description, settings) = (chosen.model.description(), chosen.settings);
    settings.set.plugin().heading(&settings.demand(description, &settings.codec(description)))
}

/// Which processes work together.
pub(super) fn cluster(chosen: &Chosen<'_>) -> Vec<String> {
    let Some(hub) = &chosen.settings.cluster else { return Vec::new() };
    let threads: usize = hub.places().iter().map(|place| place.threads).sum();
    let how = if hub.is_encrypted { "encrypted" } else { "not encrypted" };
    let processes = match hub.count() {
        1 => "1 process".to_owned(),
        count => format!("{count} processes"),
    };
    vec![format!("Cluster: {processes} with {} in all, messages {how}", plural(threads as u64, "thread"))]
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
    let is_reduced = settings.extent().is_reduction(model.description());
    let apart = settings.apart.len() as u64;
    let reduced = match temporal::named(model, settings.fairness) {
        Named::Nothing if is_reduced => {
            "; no property distinguishes elements, so states are reduced by symmetry".to_owned()
        }
        Named::Nothing => String::new(),
        Named::Elements(_) if is_reduced && apart > 0 => {
            let what = plural(apart, "element");
            format!("; states are reduced by symmetry, with {what} of scalarsets kept apart")
        }
        Named::Elements(_) if is_reduced => "; states are reduced by symmetry".to_owned(),
        Named::Elements(_) | Named::All => "; states are not reduced by symmetry".to_owned(),
    };
    vec![format!("Properties of runs: {runs}{reduced}")]
}
