//! Options that say what an error is, and where a search ends and is saved.

use super::{Group, OptionSpec, switch};
use crate::cli::values::parse_minutes;
use crate::cli::{heading, size};
use crate::text::{bytes, place};

pub(super) const ERRORS: Group = Group {
    title: Some("Errors"),
    options: &[
        OptionSpec::new("no-deadlock", |options| &mut options.no_deadlock)
            .help("A deadlock is not an error")
            .report(|chosen| vec![("deadlock", chosen.settings.deadlock.into())])
            .identity(|settings| switch(!settings.deadlock)),
        OptionSpec::new("max-errors", |options| &mut options.max_errors)
            .help("Continue until N errors are found; 0 finds all")
            .argument(|argument| argument.value_name("N").default_value("1"))
            .report(|chosen| vec![("max_errors", chosen.options.max_errors.into())]),
        OptionSpec::new("fairness", |options| &mut options.fairness)
            .help(
                "The runs for `ltl` properties: all, or those that are weakly or strongly fair to \
                 each instance of each rule [default: according to `fair` in the model]",
            )
            .argument(|argument| argument.value_name("HOW").conflicts_with("simulate"))
            .report(|chosen| match chosen.options.fairness {
                Some(choice) => vec![("fairness", choice.word().into())],
                None => Vec::new(),
            })
            .heading(0, heading::temporal),
        OptionSpec::new("strict-undefined", |options| &mut options.strict_undefined)
            .help("Comparing or copying an undefined variable is an error, as in Rumur")
            .report(|chosen| vec![("strict_undefined", chosen.settings.strict_undefined.into())])
            .identity(|settings| switch(settings.strict_undefined)),
    ],
};

pub(super) const LIMITS: Group = Group {
    title: Some("Limits"),
    options: &[
        OptionSpec::new("memory", |options| &mut options.memory)
            .help(
                "The memory limit of the search, such as 2G [default: 80 % of the memory of the \
                 machine]",
            )
            .argument(|argument| argument.value_name("SIZE").value_parser(size::parse))
            .report(|chosen| vec![("memory_bytes", chosen.settings.memory.into())]),
        OptionSpec::new("max-depth", |options| &mut options.max_depth)
            .help("Search no deeper than N rules from a start state")
            .argument(|argument| argument.value_name("N"))
            .report(|chosen| vec![("max_depth", chosen.settings.max_depth.into())]),
        OptionSpec::new("max-states", |options| &mut options.max_states)
            .help("Store no more than N states")
            .argument(|argument| argument.value_name("N"))
            .report(|chosen| vec![("max_states", chosen.settings.max_states.into())]),
        OptionSpec::new("queue", |options| &mut options.queue)
            .help(
                "Where the frontier is stored: in memory, or in files in --directory [default: \
                 memory; with --disk: disk]",
            )
            .argument(|argument| argument.value_name("WHERE").conflicts_with("simulate"))
            .report(|chosen| {
                let disk = if chosen.settings.queue_memory.is_some() { "disk" } else { "memory" };
                vec![("queue", disk.into())]
            })
            .heading(3, |chosen| {
                let directory = place(&chosen.settings.directory);
                let line = |memory| {
                    format!("Queue on disk, in {directory}, and up to {} of it in memory", bytes(memory))
                };
                chosen.settings.queue_memory.map(line).into_iter().collect()
            }),
        OptionSpec::new("queue-memory", |options| &mut options.queue_memory)
            .help(
                "With --queue disk: the part of the memory that the queue may use [default: 64M, \
                 or an eighth of --memory if that is less]",
            )
            .argument(|argument| argument.value_name("SIZE").value_parser(size::parse))
            .report(|chosen| {
                let memory = chosen.settings.queue_memory;
                memory.map(|memory| ("queue_memory_bytes", memory.into())).into_iter().collect()
            }),
        OptionSpec::new("loop-limit", |options| &mut options.loop_limit)
            .help("A `while` loop with more iterations is an error")
            .argument(|argument| argument.value_name("N").default_value("1000"))
            .report(|chosen| vec![("loop_limit", chosen.settings.loop_limit.into())])
            .identity(|settings| Some(settings.loop_limit.to_string())),
    ],
};

pub(super) const CHECKPOINTS: Group = Group {
    title: Some("Checkpoints"),
    options: &[
        OptionSpec::new("checkpoint", |options| &mut options.checkpoint)
            .help(
                "Save the search at the end of a level every MINUTES, such as 30 or 0.5; 0 saves \
                 it after each level",
            )
            .argument(|argument| argument.value_name("MINUTES").value_parser(parse_minutes)),
        OptionSpec::new("checkpoint-directory", |options| &mut options.checkpoint_directory)
            .help(
                "The directory of the checkpoint [default: the name of the model with \
                 .checkpoint, in the current directory]",
            )
            .argument(|argument| argument.value_name("DIR").conflicts_with("resume").requires("checkpoint")),
        OptionSpec::new("resume", |options| &mut options.resume)
            .help(
                "Continue the search that was saved in this directory, with the same options, and \
                 save it there again",
            )
            .argument(|argument| argument.value_name("DIR")),
    ],
};
