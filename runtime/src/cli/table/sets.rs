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
                "Store a signature instead of each state: much less memory, with a bound on the \
                 probability of a missed error",
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
                 as fit into --memory in addition to the frontier; without --memory, into 128 \
                 MiB]",
            )
            .argument(|argument| argument.value_name("N").value_parser(parse_count).requires("compact")),
        OptionSpec::new("target", |options| &mut options.target)
            .help("The acceptable probability of a missed error, such as 0.001")
            .argument(|argument| argument.value_name("P").value_parser(parse_target).requires("compact")),
        OptionSpec::new("expect-states", |options| &mut options.expect_states)
            .help("With --target: the expected number of states [default: the number of slots]")
            .argument(|argument| argument.value_name("N").value_parser(parse_count).requires("target")),
        OptionSpec::new("expect-depth", |options| &mut options.expect_depth)
            .help("With --target: the expected depth")
            .argument(|argument| argument.value_name("N").default_value("1000").requires("target")),
        OptionSpec::new("runs", |options| &mut options.runs)
            .help("Search N times with different signatures: the bounds multiply")
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
                "Store visited states in a cache of this size, such as 200M, which evicts states \
                 when it is full: a search that ends by itself has visited all states",
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
            .help("Store visited states in a cache of N states")
            .argument(|argument| {
                argument.value_name("N").value_parser(parse_count).conflicts_with_all(["simulate", "slots"])
            }),
        OptionSpec::new("replace", |options| &mut options.replace)
            .help("Which state is evicted [default: oldest; with -vdfs: small]")
            .argument(|argument| argument.value_name("HOW")),
        OptionSpec::new("max-collisions", |options| &mut options.max_collisions)
            .help(
                "Stop when more than this fraction of the stored states evicted another one; 0 is \
                 no limit [default: 0.9]",
            )
            .argument(|argument| argument.value_name("P").value_parser(parse_rate)),
    ],
};

pub(super) const DISK: Group = Group {
    title: Some("Disk"),
    options: &[
        OptionSpec::new("disk", |options| &mut options.disk)
            .help(
                "Store the visited states, or with --compact their signatures, in files in this \
                 directory",
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
                "With --disk: memory for candidates and known states [default: half of --memory, \
                 or 64M without it]",
            )
            .argument(|argument| argument.value_name("SIZE").value_parser(size::parse).requires("disk")),
        OptionSpec::new("disk-plain", |options| &mut options.disk_plain)
            .help("With --disk: one unsorted table, as in the paper; for comparison")
            .argument(|argument| argument.requires("disk")),
    ],
};
