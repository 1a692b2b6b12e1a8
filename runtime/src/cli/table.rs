//! One row for each option: what the report, the heading and a checkpoint say about it.
//!
//! The command line itself, with names, values and help, is [`Options`]. Whatever else follows from
//! an option follows from its row here, and a test sees to it that there is one for each. So a new
//! option is a field of [`Options`], a row, and what it does.

use super::{Options, SearchOrder, heading};
use crate::contract::model::Model;
use crate::datum::Datum;
use crate::reduction::canonical::Reduction;
use crate::report::symmetry;
use crate::settings::Settings;
use crate::text::{bytes, place};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// What the user has chosen, with what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    pub model: &'a dyn Model,
    pub options: &'a Options,
    pub settings: &'a Settings,
    /// Of all random choices.
    pub seed: u64,
    pub arguments: &'a [OsString],
}

/// An option, and what is said about it.
struct OptionSpec {
    /// As typed, without the dashes.
    long: &'static str,
    /// Keys of the report's `options`, with their values, where the option matters.
    report: fn(&Chosen<'_>) -> Vec<(&'static str, Datum)>,
    /// What a checkpoint has to agree with, if the option decides what is found.
    identity: fn(&Settings) -> Option<String>,
    /// Lines above a search.
    heading: fn(&Chosen<'_>) -> Vec<String>,
}

/// An option that changes neither what is found nor what is reported about it.
const fn silent(long: &'static str) -> OptionSpec {
    OptionSpec { long, report: |_| Vec::new(), identity: |_| None, heading: |_| Vec::new() }
}

fn switch(on: bool) -> Option<String> {
    Some(if on { "on" } else { "off" }.to_owned())
}

/// All options. Lines of the heading come in this order.
const OPTIONS: &[OptionSpec] = &[
    silent("verify"),
    OptionSpec {
        report: |chosen| match chosen.options.fairness {
            Some(choice) => vec![("fairness", choice.word().into())],
            None => Vec::new(),
        },
        heading: heading::temporal,
        ..silent("fairness")
    },
    OptionSpec { report: |chosen| vec![("search", chosen.search().into())], ..silent("search") },
    OptionSpec {
        report: |chosen| {
            let threads = if chosen.options.simulate { 1 } else { chosen.settings.threads_in_use() };
            vec![("threads", threads.into())]
        },
        ..silent("threads")
    },
    silent("threads-from"),
    silent("simulate"),
    OptionSpec {
        report: |chosen| {
            let steps = chosen.options.simulate.then(|| chosen.options.walk_steps());
            steps.map(|steps| ("steps", steps.into())).into_iter().collect()
        },
        ..silent("steps")
    },
    OptionSpec {
        // Sets with signatures, and caches beside a path, say it themselves.
        report: |chosen| chosen.options.simulate.then(|| ("seed", chosen.seed.into())).into_iter().collect(),
        ..silent("seed")
    },
    OptionSpec {
        report: |chosen| {
            chosen.settings.sleep_name().map(|name| ("sleep", name.into())).into_iter().collect()
        },
        heading: |chosen| {
            let line = |name| {
                format!("Sleep sets ({name}): rules whose effect is found in another order are left out")
            };
            chosen.settings.sleep_name().map(line).into_iter().collect()
        },
        ..silent("sleep")
    },
    OptionSpec {
        report: |chosen| vec![("compress_paths", chosen.settings.compresses_paths().into())],
        heading: |chosen| {
            let line = "Path compression: states with one successor are walked through, and not stored";
            chosen.settings.compresses_paths().then(|| line.to_owned()).into_iter().collect()
        },
        ..silent("compress-paths")
    },
    OptionSpec { identity: |_| switch(false), ..silent("tree") },
    OptionSpec {
        report: |chosen| vec![("packed", chosen.settings.packed.into())],
        identity: |settings| switch(settings.packed),
        ..silent("packed")
    },
    OptionSpec {
        report: |chosen| {
            let disk = if chosen.settings.queue_memory.is_some() { "disk" } else { "memory" };
            vec![("queue", disk.into())]
        },
        heading: |chosen| {
            let directory = place(&chosen.settings.directory);
            let line = |memory| {
                format!("Queue on disk, in {directory}, and up to {} of it in memory", bytes(memory))
            };
            chosen.settings.queue_memory.map(line).into_iter().collect()
        },
        ..silent("queue")
    },
    OptionSpec {
        report: |chosen| {
            let memory = chosen.settings.queue_memory;
            memory.map(|memory| ("queue_memory_bytes", memory.into())).into_iter().collect()
        },
        ..silent("queue-memory")
    },
    // What the visited set reports and has to agree with is in its plug-in.
    OptionSpec { identity: |_| switch(false), heading: heading::set, ..silent("compact") },
    silent("bits"),
    silent("slots"),
    silent("target"),
    silent("expect-states"),
    silent("expect-depth"),
    OptionSpec {
        report: |chosen| {
            let signatures = chosen.settings.set.plugin().signatures();
            signatures.map(|_| ("runs", chosen.options.runs.into())).into_iter().collect()
        },
        ..silent("runs")
    },
    silent("probes"),
    OptionSpec { identity: |_| switch(false), ..silent("cache") },
    silent("cache-states"),
    silent("replace"),
    silent("max-collisions"),
    OptionSpec { identity: |_| switch(false), ..silent("disk") },
    silent("table-memory"),
    silent("disk-plain"),
    silent("watch"),
    OptionSpec {
        report: |chosen| vec![("deadlock", chosen.settings.deadlock.into())],
        identity: |settings| switch(!settings.deadlock),
        ..silent("no-deadlock")
    },
    OptionSpec {
        report: |chosen| vec![("max_errors", chosen.options.max_errors.into())],
        ..silent("max-errors")
    },
    OptionSpec {
        report: |chosen| vec![("strict_undefined", chosen.settings.strict_undefined.into())],
        identity: |settings| switch(settings.strict_undefined),
        ..silent("strict-undefined")
    },
    OptionSpec {
        report: |chosen| vec![("symmetry", symmetry_name(chosen.settings).into())],
        identity: |settings| Some(symmetry_name(settings).to_owned()),
        heading: |chosen| symmetry::heading(chosen.model.description(), chosen.settings),
        ..silent("symmetry")
    },
    silent("symmetry-check"),
    OptionSpec {
        report: |chosen| {
            let multisets = if chosen.settings.keep_slots { "slots" } else { "bags" };
            vec![("multisets", multisets.into())]
        },
        identity: |settings| switch(settings.keep_slots),
        ..silent("no-multiset")
    },
    OptionSpec {
        report: |chosen| vec![("priorities", chosen.settings.priorities.into())],
        identity: |settings| switch(!settings.priorities),
        ..silent("no-priorities")
    },
    OptionSpec { report: |chosen| vec![("memory_bytes", chosen.settings.memory.into())], ..silent("memory") },
    OptionSpec {
        report: |chosen| vec![("max_depth", chosen.settings.max_depth.into())],
        ..silent("max-depth")
    },
    OptionSpec {
        report: |chosen| vec![("max_states", chosen.settings.max_states.into())],
        ..silent("max-states")
    },
    silent("checkpoint"),
    silent("checkpoint-directory"),
    silent("resume"),
    OptionSpec {
        report: |chosen| match &chosen.settings.cluster {
            Some(hub) => vec![("processes", hub.count().into())],
            None => Vec::new(),
        },
        heading: heading::cluster,
        ..silent("cluster")
    },
    silent("process"),
    silent("secret"),
    silent("plain"),
    silent("serve"),
    silent("work"),
    silent("retry"),
    silent("work-for"),
    silent("nice"),
    silent("pace"),
    OptionSpec {
        report: |chosen| vec![("loop_limit", chosen.settings.loop_limit.into())],
        identity: |settings| Some(settings.loop_limit.to_string()),
        ..silent("loop-limit")
    },
    silent("trace"),
    silent("violating-trace"),
    silent("show-states"),
    silent("locality"),
    silent("locality-svg"),
    silent("graph"),
    silent("graph-limit"),
    silent("rule-statistics"),
    silent("coverage"),
    silent("progress"),
    silent("verbose"),
    silent("quiet"),
    silent("json"),
    silent("html"),
    silent("sequence"),
    silent("lanes"),
    silent("messages"),
    silent("color"),
    silent("directory"),
    silent("licence"),
    silent("version"),
];

impl Chosen<'_> {
    /// The name of the search in reports.
    pub fn search(&self) -> &'static str {
        match self.options.search {
            _ if self.options.simulate => "simulation",
            SearchOrder::Bfs => "bfs",
            SearchOrder::Dfs => "dfs",
        }
    }

    /// The options in force, for the report.
    pub fn report(&self) -> BTreeMap<&'static str, Datum> {
        let typed: Vec<String> =
            self.arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        let in_force = OPTIONS.iter().flat_map(|option| (option.report)(self));
        let of_set = match self.options.simulate {
            true => Vec::new(),
            false => self.settings.set.plugin().options(),
        };
        in_force.chain(of_set).chain([("arguments", typed.into())]).collect()
    }

    /// The lines above a search, or above a random walk.
    pub fn heading(&self) -> Vec<String> {
        let first = heading::first(self);
        if self.options.simulate {
            return vec![first];
        }
        [first].into_iter().chain(OPTIONS.iter().flat_map(|option| (option.heading)(self))).collect()
    }
}

/// The options that decide what a search finds, as a checkpoint keeps them.
pub(crate) fn identity(settings: &Settings) -> BTreeMap<String, String> {
    let decisive = OPTIONS.iter().filter_map(|option| {
        let value = (option.identity)(settings)?;
        Some((format!("--{}", option.long), value))
    });
    let of_set = settings.set.plugin().identity().into_iter();
    decisive.chain(of_set.map(|(option, value)| (option.to_owned(), value))).collect()
}

fn symmetry_name(settings: &Settings) -> &'static str {
    match settings.symmetry {
        Some(Reduction::Exact) if settings.trust => "trust",
        Some(Reduction::Exact) => "exact",
        Some(Reduction::Fast) => "fast",
        None => "off",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Whoever adds an option says here what it means for reports and checkpoints.
    #[test]
    fn each_option_has_one_row() {
        let command = Options::command();
        let mut typed: Vec<&str> = command.get_arguments().filter_map(|option| option.get_long()).collect();
        let mut rows: Vec<&str> = OPTIONS.iter().map(|option| option.long).collect();
        typed.sort_unstable();
        rows.sort_unstable();
        assert_eq!(typed, rows);
    }
}
