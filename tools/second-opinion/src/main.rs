//! `cargo run --release -p mcc-second-opinion -- --models 200 --seed 1`

use clap::Parser;
use mcc_second_opinion::clusters;
use mcc_second_opinion::compiled::Workshop;
use mcc_second_opinion::generate::{Dialect, Drawn, draw};
use mcc_second_opinion::harness::{Disagreement, Harness, Tally};
use mcc_second_opinion::independence;
use mcc_second_opinion::layout::indented;
use mcc_second_opinion::optimisations::{OptimisationHarness, OptimisationStats};
use mcc_second_opinion::rumur;
use mcc_second_opinion::searches;
use mcc_second_opinion::sleep;
use mcc_second_opinion::symmetry::{self, SymmetryHarness};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Larger models are not compared with sleep sets.
const SLEEP_STATES: u64 = 800;

/// Runs random models through the interpreter, the compiled verifier and Rumur, and shows where
/// they disagree.
#[derive(Debug, Parser)]
struct Options {
    /// How many models to draw
    #[arg(long, default_value_t = 200)]
    models: u64,
    /// The number of the first; each model has one of its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Models in one crate
    #[arg(long, default_value_t = 100)]
    batch: u64,
    /// Draw what Rumur accepts, and ask it as well
    #[arg(long)]
    rumur: bool,
    /// Draw models with scalarsets, and compare states and errors with and without symmetry
    /// reduction
    #[arg(long, conflicts_with = "rumur")]
    symmetry: bool,
    /// Draw loops over scalarsets that may show their order, as twins with opposite invariants, and
    /// compare as with --symmetry
    #[arg(long, conflicts_with_all = ["rumur", "symmetry"])]
    asymmetry: bool,
    /// Test in the interpreter that rules are independent where mcc says so; nothing is built
    #[arg(long, conflicts_with_all = ["rumur", "symmetry", "survey"])]
    independence: bool,
    /// Compare states and errors of searches with sleep sets and caches along a path with those of
    /// a plain one, in the interpreter; nothing is built
    #[arg(long, conflicts_with_all = ["rumur", "symmetry", "survey", "independence"])]
    sleep: bool,
    /// Compare breadth-first searches with sleep sets, and all with path compression, with plain
    /// ones, in the interpreter; nothing is built
    #[arg(long, conflicts_with_all = ["rumur", "symmetry", "survey", "independence", "sleep"])]
    searches: bool,
    /// Compare searches of several processes with those of one thread, in the interpreter; nothing
    /// is built
    #[arg(long, conflicts_with_all = ["rumur", "symmetry", "survey", "independence", "sleep", "searches"])]
    clusters: bool,
    /// Draw models of the shapes that optimisations key on, and compare them interpreted, compiled,
    /// and compiled without each optimisation: all errors of all states
    #[arg(long, conflicts_with_all = ["rumur", "symmetry", "survey", "independence", "sleep", "searches", "processes"])]
    optimisations: bool,
    /// With --optimisations: build each model without each optimisation, and not without one of
    /// them alone
    #[arg(long, requires = "optimisations")]
    every: bool,
    /// With --optimisations: draw models of the whole language
    #[arg(long, requires = "optimisations")]
    whole_language: bool,
    /// With --independence, --sleep or --searches, or to compare verifiers: draw models of
    /// processes and buffers
    #[arg(long, conflicts_with_all = ["rumur", "symmetry", "survey"])]
    processes: bool,
    /// Stop after the batch in which this number of minutes has passed
    #[arg(long)]
    minutes: Option<u64>,
    /// How much rustc optimises the models
    #[arg(long, default_value_t = 0)]
    optimisation: u8,
    /// Do not make models smaller
    #[arg(long)]
    no_shrink: bool,
    /// Print the model of the seed, and do nothing else
    #[arg(long)]
    print: bool,
    /// Only say what the models contain and which errors they meet; nothing is built
    #[arg(long)]
    survey: bool,
    /// Where crates are built
    #[arg(long, default_value = "target/second-opinion")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.rumur && !rumur::is_installed() {
        eprintln!("error: rumur is not on the path");
        return ExitCode::from(2);
    }
    match run(&options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

impl Options {
    /// What is drawn where any model will do.
    fn dialect(&self) -> Dialect {
        if self.processes { Dialect::Processes } else { Dialect::Full }
    }
}

fn run(options: &Options) -> io::Result<usize> {
    let dialect = match () {
        () if options.rumur => Dialect::Rumur,
        () if options.symmetry => Dialect::Symmetric,
        () if options.asymmetry => Dialect::Asymmetric,
        () if options.optimisations && !options.whole_language => Dialect::Optimised,
        () => options.dialect(),
    };
    if options.print {
        print!("{}", indented(&draw(options.seed, dialect).tree.text()));
        return Ok(0);
    }
    if options.independence {
        return Ok(run_independence(options));
    }
    if options.sleep {
        return Ok(run_sleep(options));
    }
    if options.searches {
        return Ok(run_searches(options));
    }
    if options.clusters {
        return Ok(run_clusters(options));
    }
    let workshop = Workshop::new(&std::path::absolute(&options.folder)?, options.optimisation)?;
    if options.symmetry || options.asymmetry {
        return run_symmetric(options, dialect, workshop);
    }
    if options.optimisations {
        return run_optimisations(options, dialect, workshop);
    }
    let mut harness = Harness { workshop, rumur: options.rumur, tally: Tally::default() };
    let started = Instant::now();
    let (mut next, last) = (options.seed, options.seed + options.models);
    let mut found = 0;
    while next < last {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let end = last.min(next + options.batch);
        let drawn: Vec<Drawn> = (next..end).map(|seed| draw(seed, dialect)).collect();
        if options.survey {
            harness.look(drawn);
            next = end;
            continue;
        }
        for disagreement in harness.batch(drawn, !options.no_shrink)? {
            found += 1;
            show(&disagreement);
        }
        next = end;
        println!(
            "up to seed {}: {} compared, {} refused by the checker, {} also by rumur, {found} disagreements, {} s",
            end - 1,
            harness.tally.compared,
            harness.tally.refused,
            harness.tally.rumur_compared,
            started.elapsed().as_secs()
        );
    }
    summary(&harness.tally, found);
    Ok(found)
}

/// Tests the independence of rules, state by state.
fn run_independence(options: &Options) -> usize {
    let started = Instant::now();
    let (mut models, mut states, mut pairs, mut found) = (0, 0, 0, 0);
    for seed in options.seed..options.seed + options.models {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let drawn = draw(seed, options.dialect());
        match independence::ask(&drawn) {
            independence::Outcome::Refused => {}
            independence::Outcome::Tested(tested) => {
                models += 1;
                states += tested.states;
                pairs += tested.pairs;
            }
            independence::Outcome::Wrong(why) => {
                found += 1;
                println!("seed {seed}: not independent\n{why}\n{}", indented(&drawn.tree.text()));
            }
        }
    }
    let seconds = started.elapsed().as_secs();
    println!("{models} models, {states} states, {pairs} pairs of rules tested, {found} wrong, {seconds} s");
    found
}

/// Compares searches along a path with plain ones.
fn run_sleep(options: &Options) -> usize {
    let started = Instant::now();
    let (mut models, mut refused, mut large, mut found) = (0, 0, 0, 0);
    let (mut states, mut rules, mut errors, mut searches, mut given_up) = (0, [0; 3], 0, 0, 0);
    for seed in options.seed..options.seed + options.models {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let drawn = draw(seed, options.dialect());
        match sleep::ask(&drawn, SLEEP_STATES) {
            sleep::Answer::Refused => refused += 1,
            sleep::Answer::Large => large += 1,
            sleep::Answer::Compared(compared) => {
                models += 1;
                states += compared.states;
                errors += compared.errors;
                searches += compared.searches;
                given_up += compared.given_up;
                rules.iter_mut().zip(compared.rules).for_each(|(sum, count)| *sum += count);
            }
            sleep::Answer::Wrong(why) => {
                found += 1;
                println!("seed {seed}: {why}\n{}", indented(&drawn.tree.text()));
            }
        }
    }
    let [plain, revisit, path] = rules;
    println!(
        "{models} models compared, {refused} refused by the checker, {large} too large; {states} states, {errors} errors, \
         {searches} searches, {given_up} given up; {plain} rules fired, {revisit} with --sleep, {path} with --sleep=path; \
         {found} wrong, {} s",
        started.elapsed().as_secs()
    );
    found
}

/// Compares searches that leave something out with plain ones.
fn run_searches(options: &Options) -> usize {
    let started = Instant::now();
    let (mut models, mut large, mut refused, mut found) = (0, 0, 0, 0);
    let mut sum = searches::Compared::default();
    for seed in options.seed..options.seed + options.models {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let drawn = draw(seed, options.dialect());
        match searches::ask(&drawn) {
            searches::Outcome::Refused => refused += 1,
            searches::Outcome::Large => large += 1,
            searches::Outcome::Compared(compared) => {
                models += 1;
                sum.states += compared.states;
                sum.rules += compared.rules;
                sum.errors += compared.errors;
                sum.slept += compared.slept;
                sum.unstored += compared.unstored;
            }
            searches::Outcome::Wrong(why) => {
                found += 1;
                println!("seed {seed}: {why}\n{}", indented(&drawn.tree.text()));
            }
        }
    }
    let searches::Compared { states, rules, errors, slept, unstored } = sum;
    let seconds = started.elapsed().as_secs();
    println!(
        "{models} models compared, {large} too large, {refused} refused by the checker: {states} states, {rules} rules, \
         {errors} errors; {slept} rules slept, {unstored} states were not stored; {found} wrong, {seconds} s"
    );
    found
}

/// Compares searches of several processes with those of one thread.
fn run_clusters(options: &Options) -> usize {
    let started = Instant::now();
    let (mut models, mut large, mut refused, mut found) = (0, 0, 0, 0);
    let (mut states, mut errors) = (0, 0);
    for seed in options.seed..options.seed + options.models {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let drawn = draw(seed, options.dialect());
        match clusters::ask(&drawn, &options.folder) {
            clusters::Outcome::Refused => refused += 1,
            clusters::Outcome::Large => large += 1,
            clusters::Outcome::Compared(of_model, wrong) => {
                models += 1;
                states += of_model;
                errors += wrong;
            }
            clusters::Outcome::Wrong(why) => {
                found += 1;
                println!("seed {seed}: {why}\n{}", indented(&drawn.tree.text()));
            }
        }
    }
    let seconds = started.elapsed().as_secs();
    println!(
        "{models} models compared, {large} too large, {refused} refused by the checker: {states} states, {errors} \
         errors; {found} wrong, {seconds} s"
    );
    found
}

/// Compares searches with and without symmetry reduction, on models with scalarsets.
fn run_symmetric(options: &Options, dialect: Dialect, workshop: Workshop) -> io::Result<usize> {
    let mut harness = SymmetryHarness { workshop, tally: symmetry::Tally::default() };
    let started = Instant::now();
    let (mut next, last) = (options.seed, options.seed + options.models);
    let mut found = 0;
    while next < last {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let end = last.min(next + options.batch);
        let drawn: Vec<Drawn> = (next..end).map(|seed| draw(seed, dialect)).collect();
        for disagreement in harness.batch(drawn, !options.no_shrink)? {
            found += 1;
            show(&disagreement);
        }
        next = end;
        let tally = &harness.tally;
        println!(
            "up to seed {}: {} compared, orbits of {} counted ({} states, {} orbits), {} traces replayed, {found} disagreements, {} s",
            end - 1,
            tally.compared,
            tally.counted,
            tally.states,
            tally.orbits,
            tally.replayed,
            started.elapsed().as_secs()
        );
    }
    let tally = &harness.tally;
    println!("\n{} models drawn, {} compared", tally.drawn, tally.compared);
    println!(
        "{} with all orbits counted: {} orbits of {} states, fewer than states in {} models",
        tally.counted, tally.orbits, tally.states, tally.reduced
    );
    println!("{} traces replayed with symmetry off", tally.replayed);
    println!(
        "{} with something that is not proved to be symmetric, of which {} turned out to be",
        tally.doubtful, tally.needless
    );
    for (outcome, count) in &tally.outcomes {
        println!("{count:>8}  {outcome}");
    }
    println!("not taken:");
    for (why, count) in &tally.refusals {
        println!("{count:>8}  {}", why.lines().take(4).collect::<Vec<_>>().join(" | "));
    }
    println!("{found} disagreements");
    Ok(found)
}

/// Compares models with and without each optimisation.
fn run_optimisations(options: &Options, dialect: Dialect, workshop: Workshop) -> io::Result<usize> {
    let mut harness = OptimisationHarness::new(workshop, options.every);
    let started = Instant::now();
    let (mut next, last) = (options.seed, options.seed + options.models);
    let mut found = 0;
    while next < last {
        if options.minutes.is_some_and(|minutes| started.elapsed().as_secs() >= minutes * 60) {
            break;
        }
        let end = last.min(next + options.batch);
        let drawn: Vec<Drawn> = (next..end).map(|seed| draw(seed, dialect)).collect();
        for disagreement in harness.batch(drawn, !options.no_shrink)? {
            found += 1;
            show(&disagreement);
        }
        next = end;
        let OptimisationStats { refused, compared, programs, .. } = harness.stats;
        println!(
            "up to seed {}: {compared} models as {programs} programs, {refused} refused by the checker, {found} disagreements, {} s",
            end - 1,
            started.elapsed().as_secs()
        );
    }
    let stats = &harness.stats;
    println!("\n{} models compared, {} programs built", stats.compared, stats.programs);
    println!("{} states, {} of them violated, {} faults", stats.states, stats.violations, stats.faults);
    for (what, count) in &stats.verdicts {
        println!("{count:>8}  {what}");
    }
    println!("models with other code without each optimisation, and programs built without it:");
    for (what, count) in &stats.concerned {
        println!("{count:>8} {:>8}  {what}", stats.built.get(what).copied().unwrap_or_default());
    }
    for (why, count) in &stats.refusals {
        println!("{count:>8}  refused: {}", why.lines().next().unwrap_or_default());
    }
    println!("{found} disagreements");
    Ok(found)
}

fn show(found: &Disagreement) {
    println!("\n==== seed {}: they disagree: {}", found.drawn.seed, found.label);
    let deadlock = if found.drawn.deadlock { "" } else { " (no deadlocks)" };
    println!("{}\n---- the model{deadlock}\n{}", found.details, indented(&found.drawn.tree.text()));
}

fn summary(tally: &Tally, found: usize) {
    println!("\n{} models drawn, {} refused by the checker", tally.drawn, tally.refused);
    println!("{} run by the interpreter, and as compiled verifiers unless this is a survey", tally.compared);
    if tally.rumur_compared + tally.rumur_silent > 0 {
        println!("{} also by Rumur; {} it did not take", tally.rumur_compared, tally.rumur_silent);
    }
    for (outcome, count) in &tally.outcomes {
        println!("{count:>8}  {outcome}");
    }
    print!("{}", tally.survey);
    if !tally.refusals.is_empty() {
        println!("not taken:");
    }
    for (why, count) in &tally.refusals {
        println!("{count:>8}  {}", why.lines().take(4).collect::<Vec<_>>().join(" | "));
    }
    println!("{found} disagreements");
}
