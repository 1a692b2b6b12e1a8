//! What is checked and opened before a search begins, with the model at hand: what cannot work is
//! refused here, not after hours.

use super::files::OutputFile;
use super::safety::{self, Safety};
use crate::cli::{Options, QueuePlace, SymmetryChoice};
use crate::contract::model::{Model, Variable};
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::storage::Unnamed;
use crate::temporal;
use crate::text::place;
use crate::visited::plugin::{Feature, Files};
use std::ffi::OsString;

/// The seed of all processes of a cluster, unless the user says another.
const CLUSTER_SEED: u64 = 1;

/// Everything that a run needs, and that can be had before it begins.
pub(super) struct Prepared {
    pub settings: Settings,
    /// Of all random choices.
    pub seed: u64,
    pub safety: Option<Safety>,
    /// Where the report goes.
    pub json_file: Option<OutputFile>,
    /// Where the page for browsers goes.
    pub html_file: Option<OutputFile>,
    /// Where the sequence diagram goes.
    pub sequence_file: Option<OutputFile>,
    /// Where the histogram of locality goes.
    pub histogram: Option<OutputFile>,
    /// Where the graph goes.
    pub graph: Option<OutputFile>,
}

/// Checks whether this model can be searched like that, and opens what is needed. `is_member`: this
/// is another process than the first of several.
pub(super) fn prepare(
    model: &dyn Model,
    options: &Options,
    arguments: &[OsString],
    is_member: bool,
) -> Result<Prepared, Refusal> {
    let description = model.description();
    if let Some(directory) = options.directory.as_ref().filter(|directory| !directory.is_dir()) {
        return Err(Refusal::of("--directory", format!("{} is not a directory", place(directory))));
    }
    check_lanes(model, options)?;
    check_coverage(model, options)?;
    check_sleep(model, options)?;
    check_temporal(model, options)?;
    let divided = [("--cluster", options.cluster.is_some()), ("--serve", options.serve.is_some())];
    if let Some((option, _)) = divided.iter().find(|(_, is_chosen)| *is_chosen)
        && temporal::claims(model).is_some()
    {
        let why = "the model has liveness or ltl properties, which one process decides";
        return Err(Refusal::of(*option, why).instead("leave it out"));
    }
    check_directory(options)?;
    let settings = options.settings();
    settings.set.plugin().check(&settings.demand(description, &settings.codec(description)))?;
    // All processes draw the same functions.
    let drawn = || options.cluster.as_ref().map_or_else(crate::random::seed_from_clock, |_| CLUSTER_SEED);
    let seed = options.seed.unwrap_or_else(drawn);
    let safety = safety::open(model, options, arguments, seed, is_member)?;
    let json_file = OutputFile::open("--json", options.json.as_deref())?;
    let html_file = OutputFile::open("--html", options.html.as_deref())?;
    let sequence_file = OutputFile::open("--sequence", options.sequence.as_deref())?;
    let histogram = OutputFile::open("--locality-svg", options.locality_svg.as_deref())?;
    // A search that goes on takes the seed from where it was saved.
    let (seed, settings) = match &safety {
        Some(safety) => (safety.seed, safety.settings.clone()),
        None => (seed, options.settings_with(seed)),
    };
    let settings = temporal::plain(model, settings);
    check_graph(model, options, &settings)?;
    let graph = OutputFile::open("--graph", options.graph.as_deref())?;
    Ok(Prepared { settings, seed, safety, json_file, html_file, sequence_file, histogram, graph })
}

/// Whether the model counts what is evaluated; from now on it does.
fn check_coverage(model: &dyn Model, options: &Options) -> Result<(), Refusal> {
    if !options.coverage {
        return Ok(());
    }
    let elsewhere = options.cluster.is_some() || options.serve.is_some() || options.resume.is_some();
    if elsewhere {
        let why = "it does not count what other processes, or earlier ones, executed";
        return Err(Refusal::of("--coverage", why).instead("one process, from the beginning"));
    }
    if !model.description().parts.is_empty() || model.count_coverage() {
        return Ok(());
    }
    let why = "this verifier was built without counters for what it executes";
    Err(Refusal::of("--coverage", why).instead("mcc build MODEL --coverage, or mcc run MODEL -- --coverage"))
}

/// Whether the model has what is to be drawn.
fn check_lanes(model: &dyn Model, options: &Options) -> Result<(), Refusal> {
    let description = model.description();
    if let Some(wanted) = &options.lanes {
        let types = description.rules.iter().flat_map(|family| family.parameters);
        let mut names: Vec<&str> = types.map(|parameter| parameter.ty.name).collect();
        if !names.iter().any(|name| name.eq_ignore_ascii_case(wanted)) {
            names.sort_unstable();
            names.dedup();
            let why = format!("no rule has a parameter of a type {wanted:?}");
            return Err(Refusal::of("--lanes", why).instead(format!("one of: {}", names.join(", "))));
        }
    }
    if let Some(wanted) = &options.messages
        && !description
            .variables
            .iter()
            .any(|variable| !variable.is_hidden() && variable.name.eq_ignore_ascii_case(wanted))
    {
        let shown = description.variables.iter().filter(|variable| !variable.is_hidden());
        let names: Vec<&str> = shown.map(|variable| variable.name).collect();
        let why = format!("there is no variable {wanted:?}");
        return Err(Refusal::of("--messages", why).instead(format!("one of: {}", names.join(", "))));
    }
    Ok(())
}

/// Whether the search goes over the model's own graph.
fn check_graph(model: &dyn Model, options: &Options, settings: &Settings) -> Result<(), Refusal> {
    let description = model.description();
    if options.graph.is_none() {
        return Ok(());
    }
    if settings.extent().is_reduction(description) {
        let why = "symmetry reduction changes the graph";
        return Err(Refusal::of("--graph", why).instead("--symmetry off --no-multiset with it"));
    }
    if description.variables.iter().any(Variable::is_hidden) {
        let why = "the ltl properties of the model add variables, which change the graph";
        return Err(Refusal::of("--graph", why).instead("`mcc graph MODEL FILE`, which checks no properties"));
    }
    Ok(())
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
        ("--tree", "states in a tree have no numbers")
    } else if options.compress_paths {
        ("--compress-paths", "states that are walked through are not stored")
    } else if options.symmetry_check {
        ("--symmetry-check", "where they distinguish elements states are not reduced by symmetry")
    } else if !matches!(options.symmetry, SymmetryChoice::Exact | SymmetryChoice::Off) {
        ("--symmetry", "only proved symmetry is used for them")
    } else {
        let refused = options.settings().set.plugin().refuses(Feature::Locality);
        return refused.map_or(Ok(()), |refusal| Err(refusal.about("liveness or ltl properties")));
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
        let why = "symmetry reduction permutes elements, and with them the instances of sleeping rules";
        Err(Refusal::of("--sleep", why).instead("-nosym (--symmetry off), or leave it out"))
    } else if model.independence().is_none() {
        let why = "the model has no table of independent rules (mcc computes it for up to 1,000 rules)";
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
