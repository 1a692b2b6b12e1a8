//! `mcc verify`: many models in one call, each against what is expected of it.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use mcc_runtime::embedding::{Cancellation, Options as SearchOptions, Report};
use mcc_runtime::host::text::{grouped, plural};

use super::super::formats::{Formats, Outcome, Status};
use super::super::print::print;
use super::super::{Notes, Stop, WRONG, say};
use super::Subcommand;
use crate::library::harness::{Case, Way, cases};
use crate::library::{Error, Model, Severity};
use crate::package::Observer;
use crate::source::Definition;

const EXIT_CODES: &str = "\
The file `model.toml` beside `model.m` states the expected result: verdict, states, rules, depth, error,
trace, options, define, and further runs as [[entry]]. Without it, the expected verdict is verified.

Exit codes:
  0  every model is as expected
  1  a model is not as expected
  2  the command line or a model is wrong, or a model could not be built or run
  3  a model has no verdict, and none of the above";

/// A signal that comes this soon after the first is taken for the same one.
const SAME_SIGNAL: Duration = Duration::from_millis(200);
/// A second Ctrl-C: the user does not want to wait for the reports.
const IMPATIENT: i32 = 130;

/// Verifies models, and compares the results with the expected ones
#[derive(Clone, Debug, Parser)]
#[command(name = "verify", after_help = EXIT_CODES)]
pub struct Verify {
    /// Models, or directories that contain models
    #[arg(value_name = "MODEL", required = true)]
    paths: Vec<PathBuf>,

    /// Set the constant NAME to VALUE, in all models
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    define: Vec<Definition>,

    /// Run the models in the interpreter, and build nothing
    #[arg(long)]
    interpret: bool,

    /// Models to build and run in parallel [default: one for each processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,

    /// Also report lints and advice
    #[arg(long)]
    lints: bool,

    #[command(flatten)]
    formats: Formats,

    /// Write the first counterexample to FILE in the Informal Trace Format of Apalache and Quint
    #[arg(long, value_name = "FILE")]
    itf: Option<PathBuf>,

    /// Print only results that are not as expected
    #[arg(short, long)]
    quiet: bool,

    /// Options of all verifiers, in addition to those of each model
    #[arg(last = true, value_name = "VERIFIER-OPTIONS")]
    verifier_options: Vec<OsString>,
}

impl Subcommand for Verify {
    fn run(self) -> Result<ExitCode, Stop> {
        let mut all = Vec::new();
        for path in &self.paths {
            let found =
                cases(path).map_err(|error| Stop::Message { message: error.to_string(), help: None })?;
            if found.is_empty() {
                let message = format!("there is no model in {}", path.display());
                return Err(Stop::Message { message, help: Some("models are files that end in `.m`") });
            }
            all.extend(found);
        }
        let models: Vec<&Path> = all.iter().map(|case| case.path.as_path()).collect();
        let files = self.formats.open(self.itf.as_deref(), &models)?;
        let outcomes = self.outcomes(&all, &cancelled_by_signals());
        let printed = if self.quiet {
            Ok(())
        } else if files.to_output {
            say(table(&outcomes).trim_end());
            Ok(())
        } else {
            print(&table(&outcomes))
        };
        for outcome in outcomes.iter().filter(|outcome| outcome.status() != Status::Passed) {
            say(&format!("{}: {}", outcome.title(), outcome.explanation()));
        }
        files.write(&outcomes).and(printed)?;
        Ok(exit_code(&outcomes))
    }
}

impl Verify {
    /// Works on several at the same time; the outcomes are in the order of the models.
    fn outcomes(&self, all: &[Case], cancellation: &Cancellation) -> Vec<Outcome> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or(processors).clamp(1, all.len().max(1));
        // Each search has its share of the processors.
        let threads = (processors / jobs).max(1);
        let waiting: Mutex<VecDeque<(usize, &Case)>> = Mutex::new(all.iter().enumerate().collect());
        let done: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    loop {
                        let next = waiting.lock().ok().and_then(|mut waiting| waiting.pop_front());
                        let Some((number, case)) = next else { return };
                        let outcome = self.outcome(case, threads, cancellation);
                        if let Ok(mut done) = done.lock() {
                            done.push((number, outcome));
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    fn outcome(&self, case: &Case, threads: usize, cancellation: &Cancellation) -> Outcome {
        let began = Instant::now();
        let defined =
            |model: Model| self.define.iter().fold(model, |model, one| model.define(&one.name, &one.value));
        let model = case.model().map(defined);
        let (mut messages, mut definitions) = (Vec::new(), Vec::new());
        if let Ok(model) = &model {
            definitions =
                model.definitions().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            if self.lints
                && let Ok(check) = model.check()
            {
                let is_lint = |one: &crate::library::Message| one.severity != Severity::Error;
                messages = check.messages.into_iter().filter(is_lint).collect();
            }
        }
        let chosen = [&case.expectation.options[..]].concat();
        let says_threads = self.verifier_options.iter().map(|one| one.to_string_lossy().into_owned());
        let says_threads = chosen
            .into_iter()
            .chain(says_threads)
            .any(|one| one.starts_with("-j") || one.starts_with("--threads"));
        let mut options = SearchOptions::new()
            .with_arguments(&case.expectation.options)
            .with_arguments(&self.verifier_options)
            .cancelled_by(cancellation);
        if !says_threads && !self.interpret {
            options = options.threads(threads);
        }
        let way = if self.interpret { Way::Interpreted } else { Way::Compiled };
        let run = match model {
            _ if cancellation.is_cancelled() => Err(Error::Cancelled),
            model => model.and_then(|model| self.search(&model, way, &options)),
        };
        // What fails after a signal fails because of it: cargo gets it as well.
        let run = run.map_err(|error| if cancellation.is_cancelled() { Error::Cancelled } else { error });
        let differences = run.as_ref().map_or(Vec::new(), |report| case.expectation.differences(report));
        Outcome {
            path: case.path.display().to_string(),
            entry: case.expectation.name.clone(),
            definitions,
            messages,
            run: Some(run),
            differences,
            seconds: began.elapsed().as_secs_f64(),
        }
    }

    fn search(&self, model: &Model, way: Way, options: &SearchOptions) -> Result<Report, Error> {
        match way {
            Way::Interpreted => model.interpret(options),
            Way::Compiled => {
                let notes = Notes { quiet: self.quiet, verbose: false };
                let mut observer = Together { notes, options };
                model.build_observed(options, &mut observer)?.run(options)
            }
        }
    }
}

/// What a signal cancels: searches end with what they have found, and no other one begins. The
/// second signal ends everything.
fn cancelled_by_signals() -> Cancellation {
    let cancellation = Cancellation::new();
    let (cancelled, mut first) = (cancellation.clone(), None);
    // Without a handler a signal kills, as everywhere.
    let _ = ctrlc::set_handler(move || {
        cancelled.cancel();
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_SIGNAL {
            std::process::exit(IMPATIENT);
        }
    });
    cancellation
}

/// One of several builds at the same time: what all of them would say is said once.
struct Together<'a> {
    notes: Notes,
    options: &'a SearchOptions,
}

/// Whether it was said that the runtime is being built.
static ANNOUNCED: AtomicBool = AtomicBool::new(false);

impl Observer for Together<'_> {
    fn building_runtime(&mut self) {
        if !ANNOUNCED.swap(true, Ordering::Relaxed) {
            self.notes.building_runtime();
        }
    }

    /// The other build is most often one of ours.
    fn waiting(&mut self) {}

    fn downloading(&mut self) {
        self.notes.downloading();
    }

    fn rebuilding(&mut self, why: &str) {
        self.notes.rebuilding(why);
    }

    fn cargo_line(&mut self, _: &str) {}

    fn gives_up(&self) -> bool {
        self.options.is_cancelled()
    }
}

/// One line for each model.
fn table(outcomes: &[Outcome]) -> String {
    let rows: Vec<[String; 6]> = outcomes.iter().map(row).collect();
    let heading = ["model", "result", "states", "rules", "depth", "seconds"].map(str::to_owned);
    let mut widths = heading.each_ref().map(|text| text.chars().count());
    for row in &rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(text.chars().count());
        }
    }
    let mut text = String::new();
    for row in std::iter::once(&heading).chain(&rows) {
        let [model, result, numbers @ ..] = row;
        text += &format!("{model:<0$}  {result:<1$}", widths[0], widths[1]);
        for (number, width) in numbers.iter().zip(&widths[2..]) {
            text += &format!("  {number:>width$}");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let passed = outcomes.iter().filter(|outcome| outcome.status() == Status::Passed).count();
    text + &format!("{} of {} as expected\n", passed, plural(outcomes.len() as u64, "run"))
}

fn row(outcome: &Outcome) -> [String; 6] {
    let seconds = format!("{:.2}", outcome.seconds);
    let (mut result, [states, rules, depth]) = match &outcome.run {
        Some(Ok(report)) => (
            report.verdict.to_string(),
            [grouped(report.states), grouped(report.rules), grouped(u64::from(report.depth))],
        ),
        Some(Err(Error::Cancelled)) => ("cancelled".to_owned(), [const { String::new() }; 3]),
        _ => ("wrong".to_owned(), [const { String::new() }; 3]),
    };
    match outcome.status() {
        Status::Passed => result += ", as expected",
        Status::Failed | Status::Inconclusive => result += ", NOT as expected",
        Status::Wrong => {}
    }
    [outcome.title(), result, states, rules, depth, seconds]
}

fn exit_code(outcomes: &[Outcome]) -> ExitCode {
    let any = |status| outcomes.iter().any(|outcome| outcome.status() == status);
    if any(Status::Wrong) {
        ExitCode::from(WRONG)
    } else if any(Status::Failed) {
        ExitCode::from(1)
    } else if any(Status::Inconclusive) {
        ExitCode::from(3)
    } else {
        ExitCode::SUCCESS
    }
}
