//! `--checkpoint` and `--resume`, from the command line to the search and back: what is refused
//! before it begins, and what is reported when it ends.

use crate::checkpoint::{CheckpointDirectory, Manifest, refusal};
use crate::cli::{Options, murphi, table};
use crate::contract::model::Model;
use crate::refusal::Refusal;
use crate::search::saving::{Checkpoints, SEED, identity, too_tight};
use crate::search::{Ending, Outcome};
use crate::settings::Settings;
use crate::storage::SystemArchive;
use crate::temporal;
use crate::text::{place, plural, steers};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// What a run needs to be saved, and the settings that follow from where it was saved.
#[derive(Debug)]
pub struct Safety {
    pub checkpoints: Checkpoints,
    pub settings: Settings,
    pub seed: u64,
    directory: PathBuf,
    every: f64,
    /// Process 0 of several keeps the directory.
    is_kept_elsewhere: bool,
}

/// Creates a directory that files of a search go to, unless it is there.
pub fn create_directory(option: &'static str, directory: &Path) -> Result<(), Refusal> {
    std::fs::create_dir_all(directory).map_err(|error| {
        let why = format!("{} cannot be created: {error}", place(directory));
        Refusal::of(option, why).instead("another directory")
    })
}

/// Opens the directory, if there is one.
pub fn open(
    model: &dyn Model,
    options: &Options,
    arguments: &[OsString],
    seed: u64,
    is_kept_elsewhere: bool,
) -> Result<Option<Safety>, Refusal> {
    let description = model.description();
    let Some(directory) = options.checkpoints(description.file_name()) else { return Ok(None) };
    let resume = options.resume.is_some();
    let option = if resume { "--resume" } else { "--checkpoint-directory" };
    if !resume {
        create_directory(option, &directory)?;
    }
    if !directory.is_dir() {
        return Err(refusal::empty(&directory));
    }
    let archive = Arc::new(SystemArchive::new(&directory));
    let opened = if is_kept_elsewhere {
        CheckpointDirectory::join(archive)
    } else {
        CheckpointDirectory::open(archive)
    };
    let opened = opened.map_err(|unusable| refusal::unusable(option, &directory, &unusable))?;
    check_parts(opened.current().filter(|_| resume), options)?;
    let settings_with = |seed| {
        // Whether states are reduced may depend on the fairness that is asked for.
        let settings = temporal::plain(model, options.settings_with(seed));
        Settings { checkpoints: Some(directory.clone()), ..settings }
    };
    let codec = options.settings().codec(description);
    let (mut settings, mut seed, mut every) = (settings_with(seed), seed, options.checkpoint);
    let mut begun = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    match (opened.current(), resume) {
        (None, false) => {}
        // Process 0 says so.
        (Some(_), false) if is_kept_elsewhere => {}
        (Some(manifest), false) => return Err(refusal::occupied(&directory, manifest)),
        (None, true) => return Err(refusal::empty(&directory)),
        (Some(manifest), true) => {
            // It may have been drawn, and nobody typed it.
            let drawn = manifest.identity.options.get(SEED).and_then(|seed| seed.parse().ok());
            if let (None, Some(drawn)) = (options.seed, drawn) {
                (settings, seed) = (settings_with(drawn), drawn);
            }
            let here = identity(description, &settings, &codec, table::identity(&settings));
            let differences = manifest.identity.differences(&here);
            if !differences.is_empty() {
                let command = command(&manifest.arguments, &[], &[], &directory);
                return Err(refusal::different(&directory, &differences, command));
            }
            if let Some(refusal) = too_tight(manifest, &settings) {
                return Err(refusal);
            }
            every = every.or(Some(manifest.every));
            begun = manifest.arguments.clone();
            // Limits may be others than before.
            begun.truncate(1);
            begun.extend(arguments.iter().skip(1).map(|argument| argument.to_string_lossy().into_owned()));
        }
    }
    let every = every.unwrap_or_default();
    let here = identity(description, &settings, &codec, table::identity(&settings));
    let checkpoints = Checkpoints::new(opened, here, begun, Duration::from_secs_f64(every * 60.0));
    Ok(Some(Safety { checkpoints, settings, seed, directory, every, is_kept_elsewhere }))
}

/// Whether a search of several processes goes on as one of several, and one of a single process as
/// that.
fn check_parts(saved: Option<&Manifest>, options: &Options) -> Result<(), Refusal> {
    let Some(saved) = saved else { return Ok(()) };
    match (saved.facts.contains_key("parts"), options.cluster.is_some()) {
        (true, false) => {
            let why = "the checkpoint is one of several processes";
            Err(Refusal::of("--resume", why).instead("--cluster local:1 with it, or with more processes"))
        }
        (false, true) => {
            let why = "the checkpoint is one of a search without --cluster";
            Err(Refusal::of("--resume", why).instead("--resume without --cluster"))
        }
        (true, true) | (false, false) => Ok(()),
    }
}

impl Safety {
    pub fn heading(&self) -> String {
        let place = place(&self.directory);
        let every = match self.every {
            0.0 => "after each level".to_owned(),
            1.0 => "every minute".to_owned(),
            minutes => format!("every {minutes} minutes"),
        };
        match self.checkpoints.saved() {
            None => format!("Saved {every}, in {place}"),
            Some(saved) => {
                let standing = &saved.manifest().standing;
                let states = plural(standing.states, "state");
                format!("Resumed from level {} with {states}, and saved {every}, in {place}", standing.level)
            }
        }
    }

    /// What to try after a search that can be gone on with.
    pub fn advice(&self, outcome: &Outcome, advice: Option<String>) -> Option<String> {
        let advice = advice?;
        if is_over(&outcome.ending) {
            return Some(advice);
        }
        let Some(level) = self.checkpoints.figures().level else {
            return Some(format!("{advice}; it ended before there was a checkpoint"));
        };
        let arguments = self.checkpoints.arguments();
        // The limit that was just reached would be reached again at once.
        let (changed, option, instead) = match &outcome.ending {
            Ending::Interrupted => {
                let command = command(arguments, &[], &[], &self.directory);
                return Some(format!(
                    "{command}\n\t     which continues from the checkpoint of level {level}"
                ));
            }
            // Then there is nothing to go on from.
            Ending::Disk(failure) if failure.is_of_checkpoint() => return Some(advice),
            Ending::Internal(_) => return Some(advice),
            Ending::Depth(_) => (", without --max-depth", Some("--max-depth"), None),
            Ending::States(_) => (", without --max-states", Some("--max-states"), None),
            // There is a limit also if none was asked for.
            Ending::Collisions => (
                ", with no limit of collisions",
                Some("--max-collisions"),
                Some("--max-collisions=0".to_owned()),
            ),
            Ending::Memory => {
                let twice = self.settings.memory.saturating_mul(2).div_ceil(1 << 20);
                (", with twice the memory", Some("--memory"), Some(format!("--memory={twice}M")))
            }
            _ => ("", None, None),
        };
        let command = command(arguments, option.as_slice(), instead.as_slice(), &self.directory);
        Some(format!("{advice}\n\tor go on from the checkpoint of level {level}{changed}: {command}"))
    }

    /// A checkpoint is kept as long as a search may resume from it.
    pub fn finish(self, outcome: &Outcome, err: &mut dyn Write) {
        if self.is_kept_elsewhere || !is_over(&outcome.ending) {
            return;
        }
        if let Err(error) = self.checkpoints.clear() {
            let place = place(&self.directory);
            let _ = writeln!(
                err,
                "warning: the checkpoint in {place} is not needed any more, and could not be removed: {error}"
            );
            return;
        }
        // If something else is in there, it is not ours, and stays.
        let _ = std::fs::remove_dir(&self.directory);
    }
}

/// Whether there is nothing to go on with.
fn is_over(ending: &Ending) -> bool {
    match ending {
        Ending::Complete
        | Ending::Errors
        | Ending::NoStart
        | Ending::Asymmetric(_)
        | Ending::NotReplayed(_) => true,
        // A table has the slots that it has, and numbers the bits.
        Ending::Table | Ending::Probes | Ending::Numbers => true,
        Ending::Steps(_) | Ending::Halted(_) => true,
        Ending::Depth(_)
        | Ending::States(_)
        | Ending::Memory
        | Ending::Collisions
        | Ending::Disk(_)
        | Ending::Interrupted
        | Ending::Lost(_)
        | Ending::Internal(_) => false,
    }
}

/// The command that goes on with a search that was begun with these arguments, without some options
/// and with others.
fn command(arguments: &[String], without: &[&str], with: &[String], directory: &Path) -> String {
    let mut rest = arguments.iter();
    // The program is one word, unless it is a command by itself, of the interpreter.
    let program = rest
        .next()
        .map(|program| if program.starts_with("mcc ") { program.clone() } else { quoted(program) });
    let left_out = ["--checkpoint", "--checkpoint-directory", "--resume"];
    let is_left_out = |option: &str| left_out.contains(&option) || without.contains(&option);
    let mut words: Vec<String> = program.into_iter().collect();
    while let Some(word) = rest.next() {
        let next = rest.clone().next().map(String::as_str);
        // CMurphi's forms, such as -maxl500, are left out by the long names.
        let name = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
        let (option, takes_next) = match murphi::with_number(word, next) {
            Ok(Some((long, took_next))) => (name(&long), took_next),
            // A value follows behind the sign, or as the next word; those that are left out all
            // have one.
            _ => (name(word), !word.contains('=')),
        };
        if !is_left_out(&option) {
            words.push(quoted(word));
        } else if takes_next {
            rest.next();
        }
    }
    words.extend(with.iter().map(|word| quoted(word)));
    words.push("--resume".to_owned());
    words.push(quoted(&directory.to_string_lossy()));
    words.join(" ")
}

/// As a shell takes it for one word, whatever is in it.
fn quoted(word: &str) -> String {
    if word.contains(steers) {
        // The form of words that most shells have for what cannot be printed.
        let byte = |byte: u8| match byte {
            b'\'' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("\\x{byte:02x}"),
        };
        return format!("$'{}'", word.bytes().map(byte).collect::<String>());
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,+%@".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_go_on() {
        let line = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            command(&words, &[], &[], Path::new("my dir"))
        };
        assert_eq!(line("./v -b --checkpoint 5 -c"), "./v -b -c --resume 'my dir'");
        assert_eq!(line("./v --checkpoint=5 --checkpoint-directory x -ndl"), "./v -ndl --resume 'my dir'");
        assert_eq!(line("./v --resume old --json a&b"), "./v --json 'a&b' --resume 'my dir'");
        let interpreter = ["mcc interpret my.m --".to_owned(), "-b".to_owned()];
        let expected = "mcc interpret my.m -- -b --resume d";
        assert_eq!(command(&interpreter, &[], &[], Path::new("d")), expected);
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("\u{1b}[2J'"), r"$'\x1b[2J\''");
    }

    /// A limit that was reached is not advised again, in whatever form it was typed.
    #[test]
    fn limits_that_were_reached_are_left_out() {
        let line = |words: &str, without: &str, with: &[&str]| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            let with: Vec<String> = with.iter().map(|&word| word.to_owned()).collect();
            command(&words, &[without], &with, Path::new("d"))
        };
        let depth = "--max-depth";
        for typed in ["--max-depth 9", "--max-depth=9", "-maxl9", "-maxl 9"] {
            assert_eq!(
                line(&format!("./v -b {typed} -ndl"), depth, &[]),
                "./v -b -ndl --resume d",
                "{typed}"
            );
        }
        for typed in ["--memory 9M", "--memory=9M", "-m9", "-m 9", "-k9000"] {
            let found = line(&format!("./v {typed} -ndl --max-depth 7"), "--memory", &["--memory=18M"]);
            assert_eq!(found, "./v -ndl --max-depth 7 --memory=18M --resume d", "{typed}");
        }
        assert_eq!(line("./v -p -m 9", depth, &[]), "./v -p -m 9 --resume d");
    }
}
