//! Options of visited sets that are not in memory as they are: signatures, caches, files.

use super::{Group, OptionSpec, switch};
use crate::cli::values::{parse_bits, parse_count, parse_rate, parse_target};
use crate::cli::{heading, size};

pub(super) const HASH_COMPACTION: Group = Group {
    title: Some("Hash compaction"),
    options: &[
        // What the visited set reports and has to agree with is in its plug-in.
        OptionSpec::new("compact", |options| &mut options.compact)
            .help(
                "Keep a signature of each state instead of the state: much less memory, and a bound \
                 on what may be missed",
            )
            .argument(|argument| argument.conflicts_with("simulate"))
            .identity(|_| switch(false))
            .heading(4, heading::set),
        OptionSpec::new("bits", |options| &mut options.bits)
            .help(
                "Bits of a signature, from 8 to 64 [default: 40, with --disk 48, or what --target \
                 asks for]",
            )
            .argument(|argument| argument.value_name("B").value_parser(parse_bits).requires("compact")),
        OptionSpec::new("slots", |options| &mut options.slots)
            .help(
                "Slots of the table of signatures, rounded up to a prime number [default: as many \
                 as fit into --memory beside the states that wait; without --memory not more than \
                 fit into 128 MiB]",
            )
            .argument(|argument| argument.value_name("N").value_parser(parse_count).requires("compact")),
        OptionSpec::new("target", |options| &mut options.target)
            .help("The probability of a missed error that you are ready to take, such as 0.001")
            .argument(|argument| argument.value_name("P").value_parser(parse_target).requires("compact")),
        OptionSpec::new("expect-states", |options| &mut options.expect_states)
            .help("With --target: states that you expect [default: as many as there are slots]")
            .argument(|argument| argument.value_name("N").value_parser(parse_count).requires("target")),
        OptionSpec::new("expect-depth", |options| &mut options.expect_depth)
            .help("With --target: depth that you expect")
            .argument(|argument| argument.value_name("N").default_value("1000").requires("target")),
        OptionSpec::new("runs", |options| &mut options.runs)
            .help("Search N times, each time with other signatures: the bounds multiply")
            .argument(|argument| {
                argument
                    .value_name("N")
                    .value_parser(clap::value_parser!(u64).range(1..=1000))
                    .default_value("1")
                    .requires("compact")
            })
            .report(|chosen| {
                let signatures = chosen.settings.set.plugin().signatures();
                signatures.map(|_| ("runs", chosen.options.runs.into())).into_iter().collect()
            }),
        OptionSpec::new("probes", |options| &mut options.probes)
            .help("Depth first: look for a signature in at most T slots [default: 256]")
            .argument(|argument| {
                argument
                    .value_name("T")
                    .value_parser(clap::value_parser!(u64).range(1..=1_000_000))
                    .requires("compact")
            }),
    ],
};

pub(super) const CACHE: Group = Group {
    title: Some("Cache"),
    options: &[
        OptionSpec::new("cache", |options| &mut options.cache)
            .help(
                "Keep visited states in a cache of this size, such as 200M, which evicts some when \
                 it is full: a search that ends by itself has visited all",
            )
            .argument(|argument| {
                argument.value_name("SIZE").value_parser(size::parse).conflicts_with_all([
                    "simulate",
                    "cache-states",
                    "slots",
                ])
            })
            .identity(|_| switch(false)),
        OptionSpec::new("cache-states", |options| &mut options.cache_states)
            .help("Keep visited states in a cache of N states")
            .argument(|argument| {
                argument.value_name("N").value_parser(parse_count).conflicts_with_all(["simulate", "slots"])
            }),
        OptionSpec::new("replace", |options| &mut options.replace)
            .help("Which state is evicted [default: oldest; with -vdfs: small]")
            .argument(|argument| argument.value_name("HOW")),
        OptionSpec::new("max-collisions", |options| &mut options.max_collisions)
            .help(
                "Give up when more than this fraction of the stored states evicted another one; 0 \
                 never does [default: 0.9]",
            )
            .argument(|argument| argument.value_name("P").value_parser(parse_rate)),
    ],
};

pub(super) const DISK: Group = Group {
    title: Some("Disk"),
    options: &[
        OptionSpec::new("disk", |options| &mut options.disk)
            .help(
                "Keep the visited states in files in this directory, or with --compact their \
                 signatures, and check the states of a level against them all at once",
            )
            .argument(|argument| {
                argument.value_name("DIR").conflicts_with_all([
                    "simulate",
                    "slots",
                    "cache",
                    "cache-states",
                    "directory",
                ])
            })
            .identity(|_| switch(false)),
        OptionSpec::new("table-memory", |options| &mut options.table_memory)
            .help(
                "With --disk: memory for states that are still to be checked, and for those that \
                 are known [default: half of --memory, or 64M without it]",
            )
            .argument(|argument| argument.value_name("SIZE").value_parser(size::parse).requires("disk")),
        OptionSpec::new("disk-plain", |options| &mut options.disk_plain)
            .help(
                "With --disk: one table in the order of the search, read from beginning to end, as \
                 in the paper: for comparison",
            )
            .argument(|argument| argument.requires("disk")),
    ],
};
