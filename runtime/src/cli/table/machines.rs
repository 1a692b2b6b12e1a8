//! Options of searches with several processes or machines.

use super::{Group, OptionSpec};
use crate::cli::heading;
use crate::cli::values::parse_minutes;

pub(super) const CLUSTER: Group = Group {
    title: Some("Cluster"),
    options: &[
        OptionSpec::new("cluster", |options| &mut options.cluster)
            .help(
                "Search with several processes: a file with a line host:port for each, or local:N \
                 for N processes on this machine",
            )
            .argument(|argument| argument.value_name("LIST"))
            .report(|chosen| match &chosen.settings.cluster {
                Some(hub) => vec![("processes", hub.count().into())],
                None => Vec::new(),
            })
            .heading(6, heading::cluster),
        OptionSpec::new("process", |options| &mut options.process)
            .help(
                "The number of this process in the list, from 0 [default: as set by Slurm, Open \
                 MPI or an indexed Kubernetes job]",
            )
            .argument(|argument| argument.value_name("K").requires("cluster")),
        OptionSpec::new("secret", |options| &mut options.secret)
            .help(
                "A file with the shared secret of all processes; required for connections between \
                 machines",
            )
            .argument(|argument| argument.value_name("FILE")),
        OptionSpec::new("plain", |options| &mut options.plain)
            .help("Do not encrypt messages between processes"),
    ],
};

pub(super) const WORKERS: Group = Group {
    title: Some("Workers"),
    options: &[
        OptionSpec::new("serve", |options| &mut options.serve)
            .help(
                "Store states here, and let workers that come to this address compute their \
                 successors: HOST:PORT, or unix:PATH",
            )
            .argument(|argument| argument.value_name("ADDRESS").conflicts_with_all(["cluster", "work"])),
        OptionSpec::new("work", |options| &mut options.work)
            .help(
                "Compute successors for the server at this address, with the options of the \
                 server and with --threads N",
            )
            .argument(|argument| argument.value_name("ADDRESS").conflicts_with("cluster")),
        OptionSpec::new("retry", |options| &mut options.retry)
            .help("With --work: how long to try to reach a server, also after it was lost")
            .argument(|argument| argument.value_name("SECONDS").default_value("10").requires("work")),
        OptionSpec::new("work-for", |options| &mut options.work_for)
            .help("With --work: leave the server after this time")
            .argument(|argument| argument.value_name("MINUTES").value_parser(parse_minutes).requires("work")),
        OptionSpec::new("nice", |options| &mut options.nice)
            .help("With --work: give all other programs on this machine priority")
            .argument(|argument| argument.requires("work")),
        OptionSpec::new("pace", |options| &mut options.pace)
            .help(
                "With --work: take at least this many microseconds for each rule fired, as a \
                 slower processor would; for experiments",
            )
            .argument(|argument| argument.value_name("MICROSECONDS").requires("work")),
    ],
};
