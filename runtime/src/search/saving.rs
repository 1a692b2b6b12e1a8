//! What a search saves at the end of a level, apart from the visited set, and how it goes on from
//! there.
//!
//! The file `search` has, one after the other: what was counted ([`Totals`]), the errors that are
//! kept, what is known of those that are not, hashes of those that a search that finds states again
//! reports only once, what went to disk and how much memory was used, and the frontier.

use super::errors::kept::{ErrorStats, Findings};
use super::errors::reported::Reported;
use crate::checkpoint::directory::About;
use crate::checkpoint::{
    CheckpointDirectory, Entry, Identity, Manifest, Reader, Saved, Standing, Transaction, Writer,
};
use crate::contract::fault::Fault;
use crate::contract::model::{Description, PropertyId, RuleId, StartId};
use crate::contract::problem::Path;
use crate::contract::problem::{Finding, Problem, Untraced};
use crate::contract::undefined::Places;
use crate::frontier::Level;
use crate::frontier::levels::Levels;
use crate::hashing::words::hash;
use crate::memory::Budget;
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::spool::{SpillStats, Supply};
use crate::state::codec::Codec;
use crate::state::validity::Inspector;
use crate::storage::ResourceError;
use crate::storage::{Purpose, StorageError};
use crate::visited::Visited;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The option whose value a resumed search takes from the checkpoint, if the user says nothing: it
/// may have been drawn.
pub const SEED: &str = "--seed";

/// What all threads have counted together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub states: u64,
    pub rules: u64,
    pub depth: Level,
    pub unreduced: u64,
    pub fired: Vec<u64>,
    pub covered: Vec<u64>,
    /// Where undefined values were compared.
    pub undefined_compared: Places,
    /// States that were expanded, the number of batches, and the states of the next one.
    pub expanded: u64,
    pub batches: u64,
    pub batch: u64,
    pub beyond_depth: bool,
}

impl Totals {
    /// Nothing yet.
    pub fn new(description: &Description) -> Self {
        let covers = description.counters();
        let (fired, covered) = (vec![0; description.rules.len()], vec![0; covers]);
        Totals { fired, covered, ..Totals::default() }
    }

    fn save(&self, file: &mut Writer) -> Result<(), StorageError> {
        let Totals {
            states,
            rules,
            depth,
            unreduced,
            fired,
            covered,
            undefined_compared,
            expanded,
            batches,
            batch,
            beyond_depth,
        } = self;
        let depth = u64::from(depth.0);
        file.words(&[
            *states,
            *rules,
            depth,
            *unreduced,
            *expanded,
            *batches,
            *batch,
            u64::from(*beyond_depth),
        ])?;
        file.list(fired)?;
        file.list(covered)?;
        file.list(undefined_compared.words())
    }

    fn restore(file: &mut Reader, description: &Description) -> Result<Self, StorageError> {
        let expected = Totals::new(description);
        let mut words = [0; 8];
        file.counters(&mut words)?;
        let [states, rules, depth, unreduced, expanded, batches, batch, beyond_depth] = words;
        let (fired, covered) = (file.counter_list()?, file.counter_list()?);
        let lengths = (fired.len(), covered.len()) == (expected.fired.len(), expected.covered.len());
        if !lengths || depth > u64::from(u32::MAX) || beyond_depth > 1 {
            return Err(file.unexpected());
        }
        let undefined_compared =
            Places::from_words(file.list()?, description).ok_or_else(|| file.unexpected())?;
        let (depth, beyond_depth) = (Level(depth as u32), beyond_depth != 0);
        Ok(Totals {
            states,
            rules,
            depth,
            unreduced,
            fired,
            covered,
            undefined_compared,
            expanded,
            batches,
            batch,
            beyond_depth,
        })
    }
}

/// What came of saving.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckpointStats {
    /// Checkpoints written, those before the search was resumed included, and those that failed.
    pub written: u64,
    pub failed: u64,
    /// The level of the last complete one, if it is there.
    pub level: Option<u32>,
    /// Of the last one that this process wrote, and the time for all that it wrote.
    pub bytes: u64,
    pub seconds: f64,
    /// The levels from which the search was resumed.
    pub resumed: Vec<u32>,
}

/// The checkpoints of one search.
#[derive(Debug)]
pub struct Checkpoints {
    directory: CheckpointDirectory,
    identity: Identity,
    arguments: Vec<String>,
    every: Duration,
    due: Instant,
    /// When this process began, and the time of the search before that.
    began: Instant,
    before: f64,
    /// What the search goes on from.
    saved: Option<Saved>,
    figures: CheckpointStats,
}

impl Checkpoints {
    /// For a search that begins, or goes on from the last checkpoint in the directory.
    pub fn new(
        mut directory: CheckpointDirectory,
        identity: Identity,
        arguments: Vec<String>,
        every: Duration,
    ) -> Self {
        let mut standing = directory.current().map(|manifest| manifest.standing.clone()).unwrap_or_default();
        if directory.current().is_some() && directory.is_locked() {
            standing.resumed.push(standing.level);
            // Only for the report; if it fails, the next checkpoint reports this resumption.
            let _ = directory.amend(standing.clone());
        }
        let saved = directory.saved();
        let mut figures = CheckpointStats {
            written: standing.written,
            failed: standing.failed,
            resumed: standing.resumed,
            ..CheckpointStats::default()
        };
        if saved.is_some() {
            figures.level = Some(standing.level);
        }
        // What a process left that died while it wrote.
        if directory.is_locked() {
            directory.sweep();
        }
        let (began, before) = (Instant::now(), standing.seconds);
        Checkpoints {
            directory,
            identity,
            arguments,
            every,
            due: began + every,
            began,
            before,
            saved,
            figures,
        }
    }

    /// What the search goes on from.
    pub fn saved(&self) -> Option<&Saved> {
        self.saved.as_ref()
    }

    /// The number of the checkpoint that the search goes on from.
    pub fn generation(&self) -> Option<u64> {
        self.saved.as_ref().map(|saved| saved.manifest().generation)
    }

    pub fn due(&self) -> Instant {
        self.due
    }

    pub fn figures(&self) -> &CheckpointStats {
        &self.figures
    }

    /// Time of the search before this process.
    pub fn seconds_before(&self) -> f64 {
        self.before
    }

    /// How the search was begun.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Whether this level is saved already.
    pub fn has(&self, level: Level) -> bool {
        self.figures.level == Some(level.0)
    }

    /// Writes a checkpoint.
    pub fn write(
        &mut self,
        level: Level,
        states: u64,
        errors: u64,
        save: impl FnOnce(&mut Transaction<'_>) -> Result<(), ResourceError>,
    ) -> Result<(), ResourceError> {
        let started = Instant::now();
        let mut transaction = self.directory.begin();
        let standing = Standing {
            level: level.0,
            states,
            errors,
            seconds: self.before + self.began.elapsed().as_secs_f64(),
            resumed: self.figures.resumed.clone(),
            written: self.figures.written + 1,
            failed: self.figures.failed,
        };
        let about = About {
            identity: self.identity.clone(),
            standing,
            arguments: self.arguments.clone(),
            every: self.every.as_secs_f64() / 60.0,
        };
        let written = match save(&mut transaction) {
            Ok(()) => transaction.commit(about).map_err(ResourceError::from),
            Err(shortage) => Err(shortage),
        };
        match &written {
            Ok(bytes) => {
                (self.figures.bytes, self.figures.level) = (*bytes, Some(level.0));
                self.figures.written += 1;
            }
            Err(_) => self.figures.failed += 1,
        }
        self.figures.seconds += started.elapsed().as_secs_f64();
        self.due = Instant::now() + self.every;
        written.map(drop)
    }

    /// Writes the part of a checkpoint that is this process's, for process 0 to complete.
    pub fn write_part(
        &mut self,
        generation: u64,
        save: impl FnOnce(&mut Transaction<'_>) -> Result<(), ResourceError>,
    ) -> Result<Vec<Entry>, ResourceError> {
        let mut transaction = self.directory.begin_part(generation);
        save(&mut transaction)?;
        Ok(transaction.hand_over())
    }

    /// The search is over, and nobody will go on with it.
    pub fn clear(self) -> std::io::Result<()> {
        self.directory.clear()
    }
}

/// All that belongs to the search itself.
pub struct Parts<'a> {
    pub totals: &'a Totals,
    pub findings: &'a Findings,
    pub reported: &'a Reported,
    pub spilled: Option<SpillStats>,
    pub peak_memory: u64,
    pub levels: &'a mut Levels,
}

/// What was saved, read again.
#[derive(Debug)]
pub struct Resumed {
    pub totals: Totals,
    pub findings: Findings,
    pub reported: Reported,
    pub spilled: SpillStats,
    pub peak_memory: u64,
    pub levels: Levels,
}

/// Saves a search with its visited set.
pub fn save(
    visited: &mut dyn Visited,
    parts: Parts<'_>,
    checkpoint: &mut Transaction<'_>,
) -> Result<(), ResourceError> {
    let unable =
        || StorageError::new(Purpose::SavedStates, crate::storage::Operation::Create, &unsupported());
    visited.persist().ok_or_else(unable)?.save(checkpoint)?;
    let mut file = checkpoint.create("search", Purpose::SavedSearch)?;
    let levels = save_search(parts, &mut file)?;
    levels.save(&mut file)?;
    checkpoint.add(file.finish()?);
    Ok(())
}

/// Saves all that is neither a state nor a frontier, which is handed back.
pub fn save_search<'p>(parts: Parts<'p>, file: &mut Writer) -> Result<&'p mut Levels, StorageError> {
    let Parts { totals, findings, reported, spilled, peak_memory, levels } = parts;
    totals.save(file)?;
    file.number(findings.kept().len() as u64)?;
    for finding in findings.kept() {
        save_finding(finding, file)?;
    }
    let ErrorStats { found, hides_states, repeated, violated } = findings.all();
    file.words(&[*found, u64::from(*hides_states), u64::from(*repeated)])?;
    file.list(&violated.iter().map(|property| u64::from(property.0)).collect::<Vec<_>>())?;
    reported.save(file)?;
    let SpillStats { entry_bytes, written_bytes, peak_bytes } = spilled.unwrap_or_default();
    file.words(&[entry_bytes, written_bytes, peak_bytes, peak_memory])?;
    Ok(levels)
}

fn unsupported() -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}

/// What [`save_search`] saved.
#[derive(Debug)]
pub struct SavedSearch {
    pub totals: Totals,
    pub findings: Findings,
    pub reported: Reported,
    pub spilled: SpillStats,
    pub peak_memory: u64,
}

/// Reads what [`save_search`] wrote.
pub fn restore_search(
    file: &mut Reader,
    description: &Description,
    budget: &Arc<Budget>,
) -> Result<SavedSearch, ResourceError> {
    let totals = Totals::restore(file, description)?;
    let findings = restore_findings(file, description, budget)?;
    let reported = Reported::restore(file, budget)?;
    let mut words = [0; 4];
    file.counters(&mut words)?;
    let [entry_bytes, written_bytes, peak_bytes, peak_memory] = words;
    let spilled = SpillStats { entry_bytes, written_bytes, peak_bytes };
    Ok(SavedSearch { totals, findings, reported, spilled, peak_memory })
}

/// Makes an empty visited set, and everything else, what was saved.
pub fn restore(
    saved: &Saved,
    visited: &mut dyn Visited,
    description: &Description,
    codec: &Codec,
    supply: Supply,
    budget: &Arc<Budget>,
) -> Result<Resumed, ResourceError> {
    let unable = || StorageError::new(Purpose::SavedStates, crate::storage::Operation::Read, &unsupported());
    let mut inspector = Inspector::new(description, codec);
    visited.persist().ok_or_else(unable)?.restore(saved, &mut inspector)?;
    let mut file = saved.reader("search", Purpose::SavedSearch)?;
    let SavedSearch { totals, findings, reported, spilled, peak_memory } =
        restore_search(&mut file, description, budget)?;
    let segmentation = visited.segmentation();
    let set = visited.persist().ok_or_else(unable)?;
    let levels = Levels::restore(&mut file, segmentation, &|segment| set.places(segment), supply)?;
    let standing = &saved.manifest().standing;
    let said = (standing.level, standing.states, standing.errors);
    if said != (levels.level().0, totals.states, findings.all().found) {
        return Err(file.unexpected().into());
    }
    file.finish()?;
    Ok(Resumed { totals, findings, reported, spilled, peak_memory, levels })
}

/// The errors that were kept, as far as they fit now, and what is known of all.
fn restore_findings(
    file: &mut Reader,
    description: &Description,
    budget: &Arc<Budget>,
) -> Result<Findings, StorageError> {
    let mut findings = Findings::new(budget);
    for _ in 0..file.count(8)? {
        let finding = restore_finding(file, description)?;
        findings.keep(finding);
    }
    let found = file.number()?;
    let (hides_states, repeated) = (file.at_most(1)? != 0, file.at_most(1)? != 0);
    let violated =
        file.list()?.into_iter().map(|number| match number < description.properties.len() as u64 {
            true => Ok(PropertyId(number as u32)),
            false => Err(file.unexpected()),
        });
    let violated = violated.collect::<Result<_, _>>()?;
    // Those that are kept were counted as such.
    let found = found.checked_sub(findings.all().found).ok_or_else(|| file.unexpected())?;
    findings.count(&ErrorStats { found, hides_states, repeated, violated });
    Ok(findings)
}

fn save_finding(finding: &Finding, file: &mut Writer) -> Result<(), StorageError> {
    file.words(&problem_words(&finding.problem))?;
    file.number(match (&finding.path, finding.untraced) {
        (Some(_), _) => 1,
        (None, None) => 0,
        (None, Some(Untraced::Symmetry)) => 2,
        (None, Some(Untraced::Memory)) => 3,
    })?;
    if let Some(Path { start, rules }) = &finding.path {
        file.number(u64::from(start.0))?;
        file.list(&rules.iter().map(|rule| u64::from(rule.0)).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn restore_finding(file: &mut Reader, description: &Description) -> Result<Finding, StorageError> {
    let problem = restore_problem(file, description)?;
    let untraced = match file.at_most(3)? {
        0 => None,
        1 => {
            let start = file.number()?;
            let rules = file.list()?;
            let instances = u64::from(description.rule_instances());
            if start >= u64::from(description.start_instances())
                || rules.iter().any(|&rule| rule >= instances)
            {
                return Err(file.unexpected());
            }
            let rules = rules.iter().map(|&rule| RuleId(rule as u32)).collect();
            return Ok(Finding::traced(problem, Path { start: StartId(start as u32), rules }));
        }
        2 => Some(Untraced::Symmetry),
        _ => Some(Untraced::Memory),
    };
    Ok(Finding { problem, path: None, untraced, lasso: None })
}

/// Which kind it is, what it is about, where in the model, the value, and whether it is in a guard.
pub fn problem_words(problem: &Problem) -> [u64; 5] {
    let site = |fault: Fault| fault.site() as u64;
    match *problem {
        Problem::Deadlock => [0; 5],
        Problem::Violated { property } => [1, u64::from(property.0), 0, 0, 0],
        Problem::PropertyFault { property, fault, value } => {
            [2, u64::from(property.0), site(fault), value as u64, 0]
        }
        Problem::RuleFault { rule, fault, value, in_guard } => {
            [3, u64::from(rule.0), site(fault), value as u64, u64::from(in_guard)]
        }
        Problem::StartFault { start, fault, value } => [4, u64::from(start.0), site(fault), value as u64, 0],
        Problem::NeverCovered { counter } => [5, counter as u64, 0, 0, 0],
        Problem::ClaimedDeadlock { property } => [6, u64::from(property.0), 0, 0, 0],
        // Found when the search is over, and so never saved.
        Problem::Temporal { property } => [7, u64::from(property.0), 0, 0, 0],
    }
}

fn restore_problem(file: &mut Reader, description: &Description) -> Result<Problem, StorageError> {
    let mut words = [0; 5];
    file.words(&mut words)?;
    problem_of_words(words, description).ok_or_else(|| file.unexpected())
}

/// The problem of which [`problem_words`] made these words; `None`: the model has no such problem.
pub fn problem_of_words(words: [u64; 5], description: &Description) -> Option<Problem> {
    let [kind, number, site, value, in_guard] = words;
    // What there is of each kind in the model.
    let properties = description.properties.len();
    let (numbers, sites) = match kind {
        0 => (1, 1),
        1 | 6 | 7 => (properties, 1),
        2 => (properties, description.sites.len()),
        3 => (description.rule_instances() as usize, description.sites.len()),
        4 => (description.start_instances() as usize, description.sites.len()),
        5 => (properties + description.cover_statements.len(), 1),
        _ => (0, 0),
    };
    if number >= numbers as u64 || site >= sites as u64 || in_guard > 1 {
        return None;
    }
    let (fault, value) = (Fault::at(site as u32), value as i64);
    let (property, rule, start) = (PropertyId(number as u32), RuleId(number as u32), StartId(number as u32));
    Some(match kind {
        0 => Problem::Deadlock,
        1 => Problem::Violated { property },
        2 => Problem::PropertyFault { property, fault, value },
        3 => Problem::RuleFault { rule, fault, value, in_guard: in_guard != 0 },
        4 => Problem::StartFault { start, fault, value },
        5 => Problem::NeverCovered { counter: number as usize },
        6 => Problem::ClaimedDeadlock { property },
        7 => Problem::Temporal { property },
        _ => return None,
    })
}

/// Which search it is that these settings and these options make: everything that decides what is
/// found.
pub fn identity(
    description: &Description,
    settings: &Settings,
    codec: &Codec,
    mut options: BTreeMap<String, String>,
) -> Identity {
    if let Some(set) = description.constants_set() {
        options.insert("-D".to_owned(), set);
    }
    Identity {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        model: description.file_name().to_owned(),
        fingerprint: format!("{:016x}", description.fingerprint),
        layout: layout(description, settings, codec, description.sites.len()),
        options,
    }
}

/// How states are stored and rules numbered, as a hash. `sites`: places of the model where
/// something can fail, if their numbers mean the same.
pub fn layout(description: &Description, settings: &Settings, codec: &Codec, sites: usize) -> String {
    let numbers = [
        description.words,
        description.rule_instances() as usize,
        description.start_instances() as usize,
        description.properties.len(),
        description.cover_statements.len() + description.parts.len(),
        sites,
        // What is not reduced may change with what the compiler can prove.
        settings.extent().left_out(description).len(),
        // The bytes of a word are places in memory to a model, so words mean something else in
        // another order.
        usize::from(cfg!(target_endian = "little")),
    ];
    let layout: Vec<u64> =
        numbers.iter().map(|&number| number as u64).chain(codec.stored_masks().iter().copied()).collect();
    format!("{:016x}", hash(&layout))
}

/// Why these limits leave no room for what was found before, if they do not.
pub fn too_tight(manifest: &Manifest, settings: &Settings) -> Option<Refusal> {
    let Standing { level, states, errors, .. } = manifest.standing;
    let refusal = if settings.max_depth.is_some_and(|depth| depth < level) {
        Refusal::of("--max-depth", format!("the checkpoint is at depth {level} already"))
    } else if settings.max_states.is_some_and(|most| most < states) {
        Refusal::of("--max-states", format!("the checkpoint has {states} states already"))
    } else if settings.max_errors.is_some_and(|most| most <= errors) {
        let why = format!("{errors} errors were found already when the checkpoint was written");
        Refusal::of("--max-errors", why)
    } else {
        return None;
    };
    Some(refusal.instead("a larger number, or none"))
}
