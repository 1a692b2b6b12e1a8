//! What a heading says: the first line, and what visited sets are going to do.

use super::SearchOrder;
use super::table::Chosen;
use crate::state::codec::Codec;
use crate::text::{bytes, printable};

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

fn layout(codec: &Codec, packed: bool) -> String {
    let bits = codec.bits_per_state();
    if packed {
        format!("{bits} bits per state, packed")
    } else {
        format!("{bits} bits per state ({} with -b)", codec.significant_bits())
    }
}
