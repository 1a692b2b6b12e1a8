//! What is checked and opened before a search begins, with the model at hand: what cannot work is
//! refused here, not after hours.

use super::files::OutputFile;
use super::safety::{self, Safety};
use crate::cli::{Options, QueuePlace, SymmetryChoice};
use crate::contract::model::Model;
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::storage::Unnamed;
use crate::temporal;
use crate::text::place;
use crate::visited::plugin::Files;
use std::ffi::OsString;

/// Everything that a run needs, and that can be had before it begins.
pub(super) struct Prepared {
    pub settings: Settings,
    /// Of all random choices.
    pub seed: u64,
    pub safety: Option<Safety>,
    /// Where the report goes.
    pub json_file: Option<OutputFile>,
    /// Where the histogram of locality goes.
    pub histogram: Option<OutputFile>,
}

/// Checks whether this model can be searched like that, and opens what is needed.
pub(super) fn prepare(
    model: &dyn Model,
    options: &Options,
    arguments: &[OsString],
) -> Result<Prepared, Refusal> {
    let description = model.description();
    if let Some(directory) = options.directory.as_ref().filter(|directory| !directory.is_dir()) {
        return Err(Refusal::of("--directory", format!("{} is not a directory", place(directory))));
    }
    check_sleep(model, options)?;
    check_temporal(model, options)?;
    check_directory(options)?;
    let settings = options.settings();
    settings.set.plugin().check(&settings.demand(description, &settings.codec(description)))?;
    let seed = options.seed.unwrap_or_else(crate::random::seed_from_clock);
    let safety = safety::open(model, options, arguments, seed)?;
    let json_file = OutputFile::open("--json", options.json.as_deref())?;
    let histogram = OutputFile::open("--locality-svg", options.locality_svg.as_deref())?;
    // A search that goes on takes the seed from where it was saved.
    let (seed, settings) = match &safety {
        Some(safety) => (safety.seed, safety.settings.clone()),
        None => (seed, options.settings_with(seed)),
    };
    let settings = temporal::plain(model, settings);
    Ok(Prepared { settings, seed, safety, json_file, histogram })
}

/// Whether properties about runs can be checked like that, where there are some.
fn check_temporal(model: &dyn Model, options: &Options) -> Result<(), Refusal> {
    if temporal::claims(model).is_none() || options.simulate {
        return Ok(());
    }
    let (option, why) = if options.compact {
        ("--compact", "signatures may be those of other states")
    } else if options.cache.is_some() || options.cache_states.is_some() {
        ("--cache", "a cache evicts states")
    } else if options.disk.is_some() {
        ("--disk", "states on disk cannot be looked up one by one")
    } else if options.tree {
        ("--tree", "a tree cannot be asked where a state is")
    } else if options.compress_paths {
        ("--compress-paths", "states that are walked through are not stored")
    } else if options.symmetry_check {
        ("--symmetry-check", "states are not reduced by symmetry")
    } else if !matches!(options.symmetry, SymmetryChoice::Exact | SymmetryChoice::Off) {
        ("--symmetry", "states are not reduced by symmetry")
    } else {
        return Ok(());
    };
    let why = format!("the model has liveness or ltl properties, and {why}");
    Err(Refusal::of(option, why).instead("leave it out"))
}

/// Whether rules of this model can sleep.
fn check_sleep(model: &dyn Model, options: &Options) -> Result<(), Refusal> {
    let settings = options.settings();
    if settings.sleep_name().is_none() {
        return Ok(());
    }
    if model.symmetry().is_some() && settings.extent().renames_any(model.description()) {
        let why = "the elements of scalarsets get other names on the way, and so do the rules that \
                   sleep for them";
        Err(Refusal::of("--sleep", why).instead("-nosym (--symmetry off), or leave it out"))
    } else if model.independence().is_none() {
        let why = "the model does not say which of its rules are independent (mcc finds that out \
                   for up to 1,000 rules)";
        Err(Refusal::of("--sleep", why).instead("leave it out"))
    } else {
        Ok(())
    }
}

/// Whether files can be made where they are needed.
fn check_directory(options: &Options) -> Result<(), Refusal> {
    let settings = options.settings();
    let directory = &settings.directory;
    let (option, instead) = match settings.set.plugin().files() {
        Files::None if options.queue_place() == QueuePlace::Memory => return Ok(()),
        Files::None | Files::Shared => ("--directory", "another directory, with -d DIR".to_owned()),
        Files::Own(option) => {
            safety::create_directory(option, directory)?;
            (option, format!("another directory, with {option} DIR"))
        }
    };
    match Unnamed::create(directory) {
        Ok(_) => Ok(()),
        Err(error) => {
            let why = format!("no file can be created in {}: {error}", place(directory));
            Err(Refusal::of(option, why).instead(instead))
        }
    }
}
