//! From the command line to the exit code: reads the model, has it compiled and built, and says
//! what happened.

mod commands;
mod formats;
mod independence;
mod options;
mod print;
mod replay;
mod simulate;
mod start;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{ColorChoice, CommandFactory, FromArgMatches};
use mcc_runtime::host::Target;

use crate::analysis::Optimisations;
use crate::diagnostics::json;
use crate::diagnostics::render::{self, Style};
use crate::diagnostics::{Diagnostic, Severity};
use crate::input;
use crate::interpret::Interpreter;
use crate::package::{self, Destination, Failure};
use crate::source::Definition;
use crate::source::Source;
use crate::{Compilation, compile_counting, compile_with, has_errors};
use options::Options;

/// Wrong command line, wrong model, or no verifier for another reason.
const WRONG: u8 = 2;

pub use crate::library::STACK_SIZES;

/// The whole program.
pub fn main() -> ExitCode {
    if let Some((message, help)) = commands::mistaken(env::args_os().nth(1).as_deref()) {
        say(&format!("error: {message}"));
        say(&format!("help: {help}"));
        return ExitCode::from(WRONG);
    }
    let ended = match commands::command_line(Options::command()).try_get_matches() {
        Ok(matches) => match commands::run(&matches) {
            Some(ended) => ended,
            None => match Options::from_arg_matches(&matches) {
                Ok(options) => plain(&options),
                Err(refusal) => answer(&refusal),
            },
        },
        Err(refusal) => answer(&refusal),
    };
    match ended {
        Ok(code) => code,
        Err(Stop::Reported) => ExitCode::from(WRONG),
        Err(Stop::Message { message, help }) => {
            say(&format!("error: {message}"));
            if let Some(help) = help {
                say(&format!("help: {help}"));
            }
            ExitCode::from(WRONG)
        }
        Err(Stop::Failure(failure)) => {
            if let Some(transcript) = failure.transcript() {
                say(transcript.trim_end());
            }
            say(&format!("error: {failure}"));
            if let Some(help) = failure.help() {
                say(&format!("help: {help}"));
            }
            ExitCode::from(WRONG)
        }
    }
}

/// Prints help or version, or what is wrong with the command line.
fn answer(refusal: &clap::Error) -> Result<ExitCode, Stop> {
    let printed = refusal.print().and_then(|()| io::stdout().flush());
    if refusal.use_stderr() {
        return Err(Stop::Reported);
    }
    print::check("standard output", printed)?;
    Ok(ExitCode::SUCCESS)
}

/// Why mcc ends without having done what it was asked for.
enum Stop {
    /// The diagnostics are already on the screen.
    Reported,
    Message {
        message: String,
        help: Option<&'static str>,
    },
    Failure(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

/// The command line without a subcommand.
fn plain(options: &Options) -> Result<ExitCode, Stop> {
    let began = Instant::now();
    let (source, mut diagnostics) =
        input::read(&options.model).map_err(|message| Stop::Message { message, help: None })?;
    let source = source.with_definitions(options.define.clone());
    let output = output_path(options)?;
    let model_file = Some(options.model.as_path()).filter(|path| *path != Path::new("-"));
    let destination = output.map(|path| Destination::check(&path, model_file)).transpose()?;
    if let Some(directory) = &options.emit {
        package::check_emit_directory(directory)?;
    }

    if let Some(work) = interpreted(options)? {
        let options = options.clone();
        let prepare = move |source: &Source| work(&interpreter(source, &diagnostics, &options)?, &options);
        return on_large_stack(source, prepare)?.1;
    }
    let check_only = options.check;
    let (optimisations, coverage) = (optimisations()?, options.counts_coverage());
    let (source, compilation) = on_large_stack(source, move |source| {
        if check_only {
            Compilation { diagnostics: crate::check_with_advice(source), generated: None }
        } else if coverage {
            compile_counting(source, &optimisations)
        } else {
            compile_with(source, &optimisations)
        }
    })?;
    diagnostics.extend(compilation.diagnostics);
    report(&source, &diagnostics, options)?;
    if let Some(path) = &options.json {
        let text = json::report(&source, &diagnostics).map_err(|error| internal(&error.to_string()))?;
        write_json(path, options, &text)?;
    }
    if has_errors(&diagnostics) {
        return Err(Stop::Reported);
    }
    timing(options, "compiled", began);
    if options.check {
        return Ok(ExitCode::SUCCESS);
    }
    let Some(generated) = compilation.generated else {
        return Err(internal("the compiler gave neither code nor errors"));
    };
    let code = &generated.model_rs;

    if let Some(directory) = &options.emit {
        package::write_crate(directory, &source.name, code)?;
    }
    if destination.is_none() && !options.run {
        return Ok(ExitCode::SUCCESS);
    }
    let began = Instant::now();
    let mut observer = Notes { quiet: options.quiet, verbose: options.verbose };
    let built = package::build(&source.name, code, &mut observer)?;
    timing(options, "built", began);
    if let Some(destination) = destination {
        built.install(&destination)?;
    }
    if options.run {
        return start::start(built, options).map(ExitCode::from);
    }
    built.finish();
    Ok(ExitCode::SUCCESS)
}

/// The optimisations that `MCC_WITHOUT` leaves: tests compare verifiers with and without them.
fn optimisations() -> Result<Optimisations, Stop> {
    let Some(without) = env::var_os("MCC_WITHOUT") else { return Ok(Optimisations::default()) };
    Optimisations::without_named(&without.to_string_lossy())
        .map_err(|error| Stop::Message { message: format!("MCC_WITHOUT: {error}"), help: None })
}

/// What is done with an interpreter.
type Work = fn(&Interpreter, &Options) -> Result<ExitCode, Stop>;

/// What is to be done without building anything, if that is wanted.
fn interpreted(options: &Options) -> Result<Option<Work>, Stop> {
    let on_standard_input = |path: &Path| path == Path::new("-");
    let taken = on_standard_input(&options.model)
        && (options.simulate || options.replay.as_deref().is_some_and(on_standard_input));
    if taken {
        let message = "the model already comes from standard input".to_string();
        return Err(Stop::Message { message, help: Some("give the model as a file") });
    }
    Ok(match options {
        Options { interpret: true, .. } => Some(interpret),
        Options { simulate: true, .. } => Some(simulate::simulate),
        Options { replay: Some(_), .. } => Some(replay::replay),
        Options { independence: true, .. } => Some(independence::report),
        Options { check_independence: true, .. } => Some(independence::check),
        _ => None,
    })
}

/// Checks a model and makes it ready to run.
fn interpreter(source: &Source, warnings: &[Diagnostic], options: &Options) -> Result<Interpreter, Stop> {
    let (checked, found) = crate::check_and_analyse(source);
    let diagnostics: Vec<Diagnostic> = warnings.iter().cloned().chain(found).collect();
    report(source, &diagnostics, options)?;
    let interpreter = |(model, analysis)| Interpreter::with_analysis(model, analysis, source);
    checked.map(interpreter).ok_or(Stop::Reported)
}

fn interpret(interpreter: &Interpreter, options: &Options) -> Result<ExitCode, Stop> {
    // As it is typed, because verifiers print the command that resumes a search.
    let mut name = OsString::from("mcc interpret");
    for Definition { name: constant, value } in &options.define {
        name.push(format!(" -D {constant}={value}"));
    }
    name.push(" ");
    name.push(&options.model);
    name.push(" --");
    let arguments = std::iter::once(name).chain(options.for_verifier());
    Ok(mcc_runtime::main_with(interpreter, arguments))
}

/// Where the executable goes: where `-o` says, or, if nothing else was asked for, beside the user.
fn output_path(options: &Options) -> Result<Option<PathBuf>, Stop> {
    let without_building = options.check
        || options.interpret
        || options.simulate
        || options.replay.is_some()
        || options.independence
        || options.check_independence;
    if options.output.is_some() || options.emit.is_some() || options.run || without_building {
        return Ok(options.output.clone());
    }
    if options.model == Path::new("-") {
        let message = "a model from standard input has no name for its verifier".to_string();
        return Err(Stop::Message {
            message,
            help: Some("name one with `-o FILE`, or use --run, --emit or --check"),
        });
    }
    let stem = options.model.file_stem().unwrap_or_default();
    Ok(Some(if cfg!(windows) { Path::new(stem).with_extension("exe") } else { stem.into() }))
}

/// Runs the compiler on a thread whose stack is as large as the machine allows.
fn on_large_stack<T: Send>(
    source: Source,
    work: impl Fn(&Source) -> T + Send + Sync,
) -> Result<(Source, T), Stop> {
    match crate::library::on_large_stack(|| work(&source)) {
        Ok(worked) => Ok((source, worked)),
        Err(_) => Err(internal("the compiler panicked; its message is above")),
    }
}

fn internal(message: &str) -> Stop {
    let help = Some("this is a bug in mcc: please report it with the model");
    Stop::Message { message: format!("internal error: {message}"), help }
}

fn report(source: &Source, diagnostics: &[Diagnostic], options: &Options) -> Result<(), Stop> {
    let silent = |diagnostic: &&Diagnostic| !options.quiet || diagnostic.severity == Severity::Error;
    let shown: Vec<Diagnostic> = diagnostics.iter().filter(silent).cloned().collect();
    let style = Style { color: wants_color(options.color, io::stderr().is_terminal()), ..Style::default() };
    let mut text = render::render(source, &shown, style);
    if let Some(error) = shown.iter().find(|one| one.severity == Severity::Error) {
        text += &format!("`mcc explain {}` says more\n", error.code);
    }
    let written = io::stderr().lock().write_all(text.as_bytes());
    print::check("standard error", written)
}

/// Writes what was found for other programs, where `--json` says.
fn write_json(path: &Path, options: &Options, text: &str) -> Result<(), Stop> {
    let same = matches!((path.canonicalize(), options.model.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if same && path != Path::new("-") {
        let message = format!("--json: {} is the model itself", path.display());
        return Err(Stop::Message { message, help: Some("name another file") });
    }
    let written =
        Target::open(path).and_then(|target| target.write(text.as_bytes(), &mut io::stdout().lock()));
    match written {
        // If nobody listens, that is no reason to complain.
        Err(error) if path == Path::new("-") && error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| {
            let message = format!("--json: cannot write {}: {error}", path.display());
            Stop::Message { message, help: None }
        }),
    }
}

fn wants_color(choice: ColorChoice, is_terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
            !refused && !dumb && is_terminal
        }
    }
}

/// Messages to the user about the build.
struct Notes {
    quiet: bool,
    verbose: bool,
}

impl package::Observer for Notes {
    fn building_runtime(&mut self) {
        if !self.quiet {
            say("mcc: building the runtime once, about a minute");
        }
    }

    fn waiting(&mut self) {
        if !self.quiet {
            say("mcc: waiting for another build to end");
        }
    }

    fn downloading(&mut self) {
        if !self.quiet {
            say("mcc: looking for the runtime's dependencies");
        }
    }

    fn rebuilding(&mut self, why: &str) {
        if !self.quiet {
            say(&format!("mcc: the verifier in the cache is not what was built ({why}): building it again"));
        }
    }

    fn cargo_line(&mut self, line: &str) {
        if self.verbose {
            say(line);
        }
    }
}

fn timing(options: &Options, what: &str, began: Instant) {
    if options.verbose {
        say(&format!("mcc: {what} in {:.3} s", began.elapsed().as_secs_f64()));
    }
}

/// A line for the user. If nobody listens, that is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", render::lines(line));
}
