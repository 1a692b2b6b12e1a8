//! Options of the search: its order, its reductions, its threads.

use super::{Group, OptionSpec, exact_set, switch};
use crate::cli::values::parse_threads;
use crate::reduction::canonical::Reduction;
use crate::report::symmetry;
use crate::settings::Settings;
use crate::settings::watch::Watch;

pub(super) const SEARCH: Group = Group {
    title: Some("Search"),
    options: &[
        OptionSpec::new("verify", |options| &mut options.verify)
            .help("Search exhaustively: the default")
            .argument(|argument| argument.conflicts_with("simulate")),
        OptionSpec::new("search", |options| &mut options.search)
            .help("The order of the search: breadth first finds the shortest traces")
            .argument(|argument| {
                argument.value_name("SEARCH").default_value("bfs").conflicts_with("simulate")
            })
            .report(|chosen| vec![("search", chosen.search().into())]),
        OptionSpec::new("threads", |options| &mut options.threads)
            .help(
                "Threads of a breadth-first search [default: one for each processor; with --serve, \
                 one that only stores]",
            )
            .argument(|argument| argument.short('j').value_name("N").value_parser(parse_threads))
            .report(|chosen| {
                let threads = if chosen.options.simulate { 1 } else { chosen.settings.threads_in_use() };
                vec![("threads", threads.into())]
            }),
        OptionSpec::new("threads-from", |options| &mut options.threads_from)
            .help("Use several threads for levels of at least N states: for tests")
            .argument(|argument| argument.hide(true).value_name("N").default_value("4096")),
        OptionSpec::new("simulate", |options| &mut options.simulate).help("Random walk instead of a search"),
        OptionSpec::new("steps", |options| &mut options.steps)
            .help("With --simulate: the length of the walk [default: 1000000]")
            .argument(|argument| argument.value_name("N"))
            .report(|chosen| {
                let steps = chosen.options.simulate.then(|| chosen.options.walk_steps());
                steps.map(|steps| ("steps", steps.into())).into_iter().collect()
            }),
        // The seed of signatures, and of caches beside a path, is reported with them.
        OptionSpec::new("seed", |options| &mut options.seed)
            .help("The seed of the random choices of --simulate, --symmetry-check or --compact")
            .argument(|argument| argument.value_name("N"))
            .report(|chosen| {
                chosen.options.simulate.then(|| ("seed", chosen.seed.into())).into_iter().collect()
            }),
        OptionSpec::new("sleep", |options| &mut options.sleep)
            .help("Skip rules whose effect is found in another order (sleep sets)")
            .argument(|argument| argument.value_name("HOW").conflicts_with("simulate"))
            .report(|chosen| {
                chosen.settings.sleep_name().map(|name| ("sleep", name.into())).into_iter().collect()
            })
            .heading(1, |chosen| {
                let line = |name| {
                    format!("Sleep sets ({name}): rules whose effect is found in another order are left out")
                };
                chosen.settings.sleep_name().map(line).into_iter().collect()
            }),
        OptionSpec::new("compress-paths", |options| &mut options.compress_paths)
            .help(
                "Do not store states with one successor: less memory for mostly deterministic \
                 models, more rules fired",
            )
            .argument(|argument| argument.conflicts_with("simulate"))
            .report(|chosen| vec![("compress_paths", chosen.settings.compresses_paths().into())])
            .heading(2, |chosen| {
                let line = "Path compression: states with one successor are walked through, and not stored";
                chosen.settings.compresses_paths().then(|| line.to_owned()).into_iter().collect()
            }),
        exact_set("tree", |options| &mut options.tree)
            .help("Store states as trees of shared parts: exact, in a fraction of the memory"),
        OptionSpec::new("packed", |options| &mut options.packed)
            .help("Store states packed to the bit: less memory, a little slower")
            .report(|chosen| vec![("packed", chosen.settings.packed.into())])
            .identity(|settings| switch(settings.packed)),
        OptionSpec::new("watch", |options| &mut options.watch)
            .help("Tell whether this state was found, or how many different ones: for experiments")
            .argument(|argument| argument.hide(true).value_name("STATE").value_parser(Watch::parse)),
        OptionSpec::new("symmetry", |options| &mut options.symmetry)
            .help(
                "Store one state for all states that differ only in the identities of scalarset \
                 elements. Scalarsets and multisets without a proof of symmetry are not reduced, \
                 except with trust",
            )
            .argument(|argument| argument.value_name("HOW").default_value("exact"))
            .report(|chosen| vec![("symmetry", symmetry_name(chosen.settings).into())])
            .identity(|settings| Some(symmetry_name(settings).to_owned()))
            .heading(5, |chosen| symmetry::heading(chosen.model.description(), chosen.settings)),
        OptionSpec::new("symmetry-check", |options| &mut options.symmetry_check)
            .help(
                "Test symmetry: in each state, permute the elements of scalarsets (in all ways, \
                 or some random ones if there are many) and the slots of multisets, and stop if \
                 the behaviour differs",
            )
            .argument(|argument| argument.conflicts_with("simulate")),
        OptionSpec::new("no-multiset", |options| &mut options.no_multiset)
            .help("Do not sort multisets: elements stay in their slots")
            .report(|chosen| {
                let multisets = if chosen.settings.keep_slots { "slots" } else { "bags" };
                vec![("multisets", multisets.into())]
            })
            .identity(|settings| switch(settings.keep_slots)),
        OptionSpec::new("no-priorities", |options| &mut options.no_priorities)
            .help("Ignore rule priorities: every enabled rule fires")
            .report(|chosen| vec![("priorities", chosen.settings.priorities.into())])
            .identity(|settings| switch(!settings.priorities)),
    ],
};

fn symmetry_name(settings: &Settings) -> &'static str {
    match settings.symmetry {
        Some(Reduction::Exact) if settings.trust => "trust",
        Some(Reduction::Exact) => "exact",
        Some(Reduction::Fast) => "fast",
        None => "off",
    }
}
