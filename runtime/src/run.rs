//! One run of a verifier, from the command line to the exit code.

pub mod announcement;
mod safety;

use crate::bounds::advice::estimate;
use crate::bounds::assurance::{Assurance, at_most};
use crate::bounds::on_disk;
use crate::cli::{self, ColorChoice, LICENCE, Options, ProgressChoice, QueuePlace, Refusal};
use crate::locality::svg;
use crate::model::Model;
use crate::reduction::canonical::Reduction;
use crate::report::cache;
use crate::report::console::{Console, Paint, bytes, grouped, place, plural, printable, printable_lines};
use crate::report::disk;
use crate::report::human::Human;
use crate::report::json;
use crate::report::path;
use crate::report::progress::Progress;
use crate::report::symmetry::{self, SymmetryFigures};
use crate::report::target::Target;
use crate::report::verdict::{Exit, judge};
use crate::search::caching;
use crate::search::disk_set;
use crate::search::explore::explore_saving;
use crate::search::saving::Checkpoints;
use crate::search::simulation::{Walk, simulate};
use crate::search::{Compaction, Ending, Observer, Outcome, Settings, SleepSets};
use crate::state::codec::Codec;
use crate::storage::Unnamed;
use crate::visited::cache::plan::TooSmall;
use safety::Safety;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Without `--progress`, a line for every million states.
const DEFAULT_EVERY: u64 = 1_000_000;

/// Runs a model's verifier with these arguments, the program's name first. The search ends when `interrupted` becomes true.
pub fn run(
    model: &dyn Model,
    arguments: impl IntoIterator<Item = OsString>,
    console: Console<'_>,
    interrupted: &AtomicBool,
) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let options = match cli::parse(arguments.iter().cloned()) {
        Ok(options) => options,
        Err(Refusal::Help(text)) => {
            let _ = console.out.write_all(text.as_bytes());
            return Exit::Answered;
        }
        Err(Refusal::Wrong(text)) => return wrong(console.err, &text),
    };
    let description = model.description();
    if options.licence {
        let _ = console.out.write_all(LICENCE.as_bytes());
        return Exit::Answered;
    }
    if options.version {
        let _ = writeln!(
            console.out,
            "verifier of {} ({:016x}), mcc-runtime {}",
            printable(&description.title()),
            description.fingerprint,
            env!("CARGO_PKG_VERSION")
        );
        return Exit::Answered;
    }
    if let Some(directory) = options.directory.as_ref().filter(|directory| !directory.is_dir()) {
        let text = format!("error: --directory: {} is not a directory\n", place(directory));
        return wrong(console.err, &text);
    }
    if let Err(text) = check_sleep(model, &options) {
        return wrong(console.err, &text);
    }
    if let Err(text) = check_directory(&options) {
        return wrong(console.err, &text);
    }
    let open = |option: &'static str, path: &Option<PathBuf>| match path {
        None => Ok(None),
        Some(path) => match Target::open(path) {
            Ok(target) => Ok(Some(Wanted { option, path: path.clone(), target })),
            Err(error) => Err(format!("error: {option}: cannot write {}: {error}\n", place(path))),
        },
    };
    if let Some(Err(too_small)) =
        caching::plan(&options.settings_with(0), &options.settings().codec(description))
    {
        return wrong(console.err, &small_cache(too_small));
    }
    let seed = options.seed.unwrap_or_else(random_seed);
    let safety = match safety::open(model, &options, &arguments, seed) {
        Ok(safety) => safety,
        Err(text) => return wrong(console.err, &text),
    };
    let files = open("--json", &options.json)
        .and_then(|report| Ok((report, open("--locality-svg", &options.locality_svg)?)));
    match files {
        Ok((report, histogram)) => {
            Run { model, options, arguments, report, histogram, seed, safety }.go(console, interrupted)
        }
        Err(text) => wrong(console.err, &text),
    }
}

/// A file that an option asks for.
struct Wanted {
    option: &'static str,
    path: PathBuf,
    target: Target,
}

impl Wanted {
    /// Whether it was written; otherwise the reason is told.
    fn write(
        self,
        out: &mut dyn Write,
        err: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> bool {
        let Wanted { option, path, target } = self;
        let written = target.write_with(out, write);
        if let Err(error) = &written {
            let path = place(&path);
            let _ = writeln!(err, "error: {option}: it could not be written to {path}: {error}");
        }
        written.is_ok()
    }
}

fn small_cache(TooSmall { bytes, states }: TooSmall) -> String {
    format!(
        "error: --cache: too small: there must be room for {} of this model\n\n  \
         try: --cache {bytes}B or more, or --cache-states {states}, or --threads 1, which needs fewest\n",
        plural(states, "state")
    )
}

/// Whether rules of this model can sleep.
fn check_sleep(model: &dyn Model, options: &Options) -> Result<(), String> {
    let settings = options.settings();
    let (why, instead) = match () {
        () if settings.sleep.is_none() => return Ok(()),
        () if model.symmetry().is_some() && settings.extent().renames_any(model.description()) => (
            "the elements of scalarsets get other names on the way, and so do the rules that sleep for them",
            "-nosym (--symmetry off), or leave it out",
        ),
        () if model.independence().is_none() => (
            "the model does not say which of its rules are independent (mcc finds that out for up to 1,000 rules)",
            "leave it out",
        ),
        () => return Ok(()),
    };
    Err(format!("error: --sleep: {why}\n\n  try: {instead}\n"))
}

/// Whether files can be made where they are needed.
fn check_directory(options: &Options) -> Result<(), String> {
    let settings = options.settings();
    let in_memory = options.queue_place() == QueuePlace::Memory && settings.disk.is_none();
    if in_memory && !options.compact && settings.cache.is_none() {
        return Ok(());
    }
    let (option, instead) = match settings.disk {
        Some(_) => ("--disk", "--disk DIR"),
        None => ("--directory", "-d DIR"),
    };
    let directory = settings.directory;
    if settings.disk.is_some()
        && let Err(error) = std::fs::create_dir_all(&directory)
    {
        return Err(format!(
            "error: {option}: {} cannot be created: {error}\n\n  try: another directory\n",
            place(&directory)
        ));
    }
    match Unnamed::create(&directory) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!(
            "error: {option}: no file can be created in {}: {error}\n\n  try: another directory, with {instead}\n",
            place(&directory)
        )),
    }
}

fn wrong(err: &mut dyn Write, text: &str) -> Exit {
    // A message may quote what somebody else wrote.
    let _ = err.write_all(printable_lines(text).as_bytes());
    Exit::Wrong
}

struct Run<'a> {
    model: &'a dyn Model,
    options: Options,
    arguments: Vec<OsString>,
    report: Option<Wanted>,
    histogram: Option<Wanted>,
    seed: u64,
    safety: Option<Safety>,
}

impl Run<'_> {
    fn go(self, console: Console<'_>, interrupted: &AtomicBool) -> Exit {
        let Run { model, options, arguments, report, histogram, mut seed, mut safety } = self;
        let description = model.description();
        let mut settings = options.settings_with(seed);
        if let Some(safety) = &safety {
            (seed, settings) = (safety.seed, safety.settings.clone());
        }
        let Console { out, err, out_is_terminal, err_is_terminal } = console;
        let to_err = options.json_on_standard_output();
        let (text, is_terminal): (&mut dyn Write, bool) =
            if to_err { (&mut *err, err_is_terminal) } else { (&mut *out, out_is_terminal) };
        let mut human = Human {
            model,
            context: settings.trace_context(description),
            out: text,
            paint: paint(options.color, is_terminal),
            progress: progress(&options, err_is_terminal),
            style: options.style(),
            quiet: options.quiet,
            verbose: options.verbose,
            broken: None,
        };
        human.write_heading(&heading(model, &options, &settings, seed));
        if let Some(safety) = &safety {
            human.write_heading(&[safety.heading()]);
        }

        let started = Instant::now();
        let mut outcome = match options.simulate {
            true => simulate(
                model,
                &settings,
                Walk { steps: options.walk_steps(), seed },
                interrupted,
                &mut human,
            ),
            false => {
                let checkpoints = safety.as_mut().map(|safety| &mut safety.checkpoints);
                explore_and_repeat(model, &settings, &options, checkpoints, interrupted, &mut human)
            }
        };
        let measuring = outcome.locality.as_ref().map_or(0.0, |locality| locality.seconds);
        let before = safety.as_ref().map_or(0.0, |safety| safety.checkpoints.seconds_before());
        let seconds = before + started.elapsed().as_secs_f64() - measuring;
        if let Some(broken) = human.broken.take() {
            outcome.ending = broken.into();
        }
        let mut judgement = judge(description, &outcome, &settings);
        if let Some(safety) = safety.as_ref().filter(|_| outcome.not_replayed.is_none()) {
            judgement.advice = safety.advice(&outcome, judgement.advice);
        }
        human.write_summary(&outcome, &judgement, seconds, options.rule_statistics);

        let exit = match outcome.ending {
            Ending::NoStart => Exit::Wrong,
            _ => judgement.verdict.exit(),
        };
        let mut complete = true;
        let profile = outcome.locality.as_ref().and_then(|locality| locality.profile.as_ref().ok());
        if let (Some(file), Some(profile)) = (histogram, profile) {
            let drawn = svg::draw(profile, &printable(description.name));
            complete &= file.write(out, err, |out| out.write_all(drawn.as_bytes()));
        }
        if let Some(file) = report {
            let chosen = chosen(&options, &settings, seed, &arguments);
            let about = json::Run {
                options: &chosen,
                layout: if settings.packed { "packed" } else { "aligned" },
                search: search_name(&options),
                symmetry: &SymmetryFigures::new(description, &settings),
                seconds,
            };
            let context = settings.trace_context(description);
            let report = json::report(model, &context, &outcome, &judgement, &about);
            complete &= file.write(out, err, |out| report.write(out));
        }
        if let Some(safety) = safety {
            safety.finish(&outcome, err);
        }
        if complete { exit } else { Exit::Inconclusive }
    }
}

/// Searches, and once more without reduction if the reduced search finds an error to which no trace can be replayed: what that
/// search finds, or does not find, is certain.
fn explore_and_repeat(
    model: &dyn Model,
    settings: &Settings,
    options: &Options,
    checkpoints: Option<&mut Checkpoints>,
    interrupted: &AtomicBool,
    observer: &mut dyn Observer,
) -> Outcome {
    let outcome = explore_runs(model, settings, options, checkpoints, interrupted, observer);
    let Ending::NotReplayed(error) = &outcome.ending else { return outcome };
    observer.warned(&format!(
        "an error was found in the reduced state space, but no trace leads to it ({error}): the search is repeated from the \
         beginning without reduction (--symmetry off --no-multiset)"
    ));
    let plain = Settings {
        symmetry: None,
        trust: false,
        symmetry_check: None,
        keep_slots: true,
        checkpoints: None,
        ..settings.clone()
    };
    let repeated = explore_runs(model, &plain, options, None, interrupted, observer);
    Outcome { not_replayed: Some(error.clone()), ..repeated }
}

/// Searches as often as the user wants, as long as nothing is found and nothing is left out.
fn explore_runs(
    model: &dyn Model,
    settings: &Settings,
    options: &Options,
    mut checkpoints: Option<&mut Checkpoints>,
    interrupted: &AtomicBool,
    observer: &mut dyn Observer,
) -> Outcome {
    let mut settings = settings.clone();
    let mut before = None;
    let mut run = 1;
    loop {
        let mut outcome = explore_saving(model, &settings, checkpoints.as_deref_mut(), interrupted, observer);
        let depth = u64::from(outcome.counts.depth.0);
        let Outcome { compacted, cached, on_disk, .. } = &outcome;
        let assurance = match (compacted, cached, on_disk) {
            (Some(compacted), _, _) => Some(Assurance::new(compacted, depth, options.target)),
            (None, Some(cached), _) => Assurance::of_cache(cached, depth, options.target),
            (None, None, Some(on_disk)) => Assurance::of_disk(on_disk, options.target),
            (None, None, None) => None,
        };
        let assurance = assurance.map(|assurance| assurance.after(before.take()));
        let more = run < options.runs && outcome.ending == Ending::Complete && outcome.errors.found == 0;
        match (&mut settings.compaction, more) {
            (Some(compaction), true) => compaction.seed = compaction.seed.wrapping_add(1),
            _ => {
                outcome.assurance = assurance;
                return outcome;
            }
        }
        before = assurance;
        run += 1;
    }
}

fn symmetry_name(symmetry: Option<Reduction>, trust: bool) -> &'static str {
    match symmetry {
        Some(Reduction::Exact) if trust => "trust",
        Some(Reduction::Exact) => "exact",
        Some(Reduction::Fast) => "fast",
        None => "off",
    }
}

fn search_name(options: &Options) -> &'static str {
    match (options.simulate, options.search) {
        (true, _) => "simulation",
        (false, cli::SearchOrder::Bfs) => "bfs",
        (false, cli::SearchOrder::Dfs) => "dfs",
    }
}

fn paint(choice: ColorChoice, is_terminal: bool) -> Paint {
    let on = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    Paint { on }
}

fn progress(options: &Options, err_is_terminal: bool) -> Progress {
    match options.progress {
        _ if options.quiet => Progress::off(),
        Some(ProgressChoice::Off) => Progress::off(),
        Some(ProgressChoice::Every(every)) => Progress::lines(every),
        None if options.show_states || options.verbose => Progress::off(),
        None if err_is_terminal => Progress::live(),
        None => Progress::lines(DEFAULT_EVERY),
    }
}

fn heading(model: &dyn Model, options: &Options, settings: &Settings, seed: u64) -> Vec<String> {
    let description = model.description();
    let title = description.title();
    let name = printable(&title);
    if options.simulate {
        return vec![format!("Simulating {name}: a random walk with --seed {seed}")];
    }
    let codec = settings.codec(description);
    let order = match options.search {
        cli::SearchOrder::Bfs => "breadth first",
        cli::SearchOrder::Dfs => "depth first",
    };
    let threads = match settings.threads_in_use() {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let mut heading = vec![format!(
        "Verifying {name}: {order}, {threads}, {}, up to {}",
        layout(&codec, settings.packed),
        bytes(settings.memory)
    )];
    if let Some(sets) = settings.sleep {
        let name = sets.name();
        heading
            .push(format!("Sleep sets ({name}): rules whose effect is found in another order are left out"));
    }
    if settings.compress_paths {
        heading.push(
            "Path compression: states with one successor are walked through, and not stored".to_owned(),
        );
    }
    if let Some(memory) = settings.queue_memory {
        let directory = place(&settings.directory);
        heading.push(format!("Queue on disk, in {directory}, and up to {} of it in memory", bytes(memory)));
    }
    if let Some(compaction) = settings.compaction {
        heading.push(compaction_heading(options, compaction));
    }
    if let (Some(caching), Some(Ok(plan))) = (settings.cache, caching::plan(settings, &codec)) {
        heading.push(cache::heading(caching, plan));
    }
    if let Some(plan) = disk_set::plan(settings, &codec) {
        heading.push(disk::heading(settings, &plan));
    }
    if let Some(caching) = settings.path_cache {
        heading.push(path::heading(caching, codec.stored_words()));
    }
    heading.extend(symmetry::heading(description, settings));
    heading
}

/// How states are compacted, and what may be expected of it.
fn compaction_heading(options: &Options, compaction: Compaction) -> String {
    let Compaction { bits, seed, probes, .. } = compaction;
    let bits = bits.get();
    let how = match options.search {
        cli::SearchOrder::Bfs => String::new(),
        cli::SearchOrder::Dfs => format!(", at most {}", plural(probes, "probe")),
    };
    let expected = options.expected();
    let estimate = match options.target {
        Some(target) => format!(
            "; with {} and depth {} about {} is to be expected, and {target} is wanted",
            plural(expected.states, "state"),
            grouped(expected.depth),
            at_most(match options.disk {
                Some(_) => on_disk::expected(expected, bits),
                None => estimate(expected, bits),
            })
        ),
        None => String::new(),
    };
    format!("Hash compaction to {bits} bits{how}, --seed {seed}{estimate}")
}

fn layout(codec: &Codec, packed: bool) -> String {
    match packed {
        true => format!("{} bits per state, packed", codec.bits_per_state()),
        false => {
            let (all, least) = (codec.bits_per_state(), codec.significant_bits());
            format!("{all} bits per state ({least} with -b)")
        }
    }
}

/// The options in force, for the report.
fn chosen(
    options: &Options,
    settings: &Settings,
    seed: u64,
    arguments: &[OsString],
) -> BTreeMap<&'static str, serde_json::Value> {
    let typed: Vec<_> = arguments.iter().skip(1).map(|argument| argument.to_string_lossy()).collect();
    let mut chosen = BTreeMap::from([
        ("arguments", typed.into()),
        ("search", search_name(options).into()),
        ("packed", settings.packed.into()),
        ("deadlock", settings.deadlock.into()),
        ("memory_bytes", settings.memory.into()),
        ("max_states", settings.max_states.into()),
        ("max_depth", settings.max_depth.into()),
        ("max_errors", options.max_errors.into()),
        ("loop_limit", settings.loop_limit.into()),
        ("strict_undefined", settings.strict_undefined.into()),
        ("priorities", settings.priorities.into()),
        ("symmetry", symmetry_name(settings.symmetry, settings.trust).into()),
        ("multisets", if settings.keep_slots { "slots" } else { "bags" }.into()),
        ("queue", if settings.queue_memory.is_some() { "disk" } else { "memory" }.into()),
        ("threads", if options.simulate { 1 } else { settings.threads_in_use() }.into()),
        ("compress_paths", settings.compress_paths.into()),
    ]);
    if let Some(name) = settings.sleep.map(SleepSets::name) {
        chosen.extend([("sleep", name.into())]);
    }
    if options.simulate {
        chosen.extend([("seed", seed.into()), ("steps", options.walk_steps().into())]);
    }
    if let Some(memory) = settings.queue_memory {
        chosen.extend([("queue_memory_bytes", memory.into())]);
    }
    if let Some(disk) = settings.disk {
        chosen.extend([("table_memory_bytes", disk.memory.into()), ("disk_plain", disk.plain.into())]);
    }
    if let Some(caching) = settings.cache {
        chosen.extend([
            ("replace", caching.replace.name().into()),
            ("max_collisions", caching.max_collisions.unwrap_or(0.0).into()),
        ]);
    }
    if let Some(caching) = settings.path_cache {
        chosen.extend([("replace", caching.forget.name().into()), ("seed", caching.seed.into())]);
    }
    if let Some(compaction) = settings.compaction {
        chosen.extend([
            ("seed", seed.into()),
            ("bits", compaction.bits.get().into()),
            ("runs", options.runs.into()),
            ("target", options.target.into()),
        ]);
    }
    chosen
}

/// A seed from the clock, for walks that nobody wants to repeat yet.
pub fn random_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // Few digits, so that it is easy to type again.
    now.map_or(0, |now| crate::state::hash::hash(&[now.as_nanos() as u64]) % 1_000_000_000)
}
