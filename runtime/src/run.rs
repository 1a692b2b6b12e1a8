//! One run of a verifier, from the command line to the exit code.
//!
//! The command line is read ([`crate::cli`]), what cannot work is refused and files are opened
//! (`preparation`), the heading is printed, the model is searched as often as wanted
//! (`searches`), the outcome is judged ([`crate::report::verdict`]), and reports are written.

pub(crate) mod announcement;
mod files;
mod preparation;
mod safety;
mod searches;
mod terminal;

use crate::cli::table::Chosen;
use crate::cli::{self, CommandLineError, LICENCE, Options};
use crate::contract::model::{Description, Model};
use crate::interruption::Interruption;
use crate::locality::svg;
use crate::report::console::Console;
use crate::report::document::{About, Report};
use crate::report::human::Human;
use crate::report::json;
use crate::report::verdict::{Exit, judge};
use crate::search::Ending;
use crate::search::simulation::{Walk, simulate};
use crate::text::{printable, printable_lines};
use preparation::{Prepared, prepare};
use searches::Searches;
use std::ffi::OsString;
use std::io::Write;
use std::time::Instant;

/// Runs a model's verifier with these arguments, the program's name first. The search ends early if
/// it is interrupted.
pub fn run(
    model: &dyn Model,
    arguments: impl IntoIterator<Item = OsString>,
    console: Console<'_>,
    interrupted: &Interruption,
) -> Exit {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let options = match cli::parse(arguments.iter().cloned()) {
        Ok(options) => options,
        Err(CommandLineError::Help(text)) => return answer(console, &text),
        Err(error @ (CommandLineError::Usage(_) | CommandLineError::Refused(_))) => {
            return refuse(console, &error);
        }
    };
    if options.licence {
        return answer(console, LICENCE);
    }
    if options.version {
        return answer(console, &version(model.description()));
    }
    match prepare(model, &options, &arguments) {
        Ok(prepared) => Run { model, options, arguments, prepared }.go(console, interrupted),
        Err(refusal) => refuse(console, &refusal),
    }
}

/// Prints what was asked for instead of a search.
fn answer(console: Console<'_>, text: &str) -> Exit {
    let _ = console.out.write_all(text.as_bytes());
    Exit::Answered
}

/// Prints why there is no search.
fn refuse(console: Console<'_>, why: &dyn std::error::Error) -> Exit {
    // A message may quote text from outside.
    let _ = console.err.write_all(printable_lines(&why.to_string()).as_bytes());
    Exit::Wrong
}

fn version(description: &Description) -> String {
    format!(
        "verifier of {} ({:016x}), mcc-runtime {}\n",
        printable(&description.title()),
        description.fingerprint,
        env!("CARGO_PKG_VERSION")
    )
}

struct Run<'a> {
    model: &'a dyn Model,
    options: Options,
    arguments: Vec<OsString>,
    prepared: Prepared,
}

impl Run<'_> {
    fn go(self, console: Console<'_>, interrupted: &Interruption) -> Exit {
        let Run { model, options, arguments, prepared } = self;
        let Prepared { settings, seed, mut safety, json_file, histogram } = prepared;
        let description = model.description();
        let Console { out, err, out_is_terminal, err_is_terminal } = console;
        let to_err = options.json_on_standard_output();
        let (text, is_terminal): (&mut dyn Write, bool) =
            if to_err { (&mut *err, err_is_terminal) } else { (&mut *out, out_is_terminal) };
        let mut human = Human {
            model,
            context: settings.trace_context(description),
            out: text,
            paint: terminal::paint(options.color, is_terminal),
            progress: terminal::progress(&options, err_is_terminal),
            style: options.style(),
            quiet: options.quiet,
            verbose: options.verbose,
            broken: None,
        };
        let chosen = Chosen { model, options: &options, settings: &settings, seed, arguments: &arguments };
        human.write_heading(&chosen.heading());
        if let Some(safety) = &safety {
            human.write_heading(&[safety.heading()]);
        }

        let started = Instant::now();
        let mut locality = None;
        let mut outcome = if options.simulate {
            let walk = Walk { steps: options.walk_steps(), seed };
            simulate(model, &settings, walk, interrupted, &mut human)
        } else {
            let checkpoints = safety.as_mut().map(|safety| &mut safety.checkpoints);
            let observer = &mut human;
            let mut searches = Searches { model, options: &options, interrupted, observer, locality };
            let outcome = searches.explore_and_repeat(&settings, checkpoints);
            locality = searches.locality;
            outcome
        };
        let measuring = locality.as_ref().map_or(0.0, |locality| locality.seconds);
        let before = safety.as_ref().map_or(0.0, |safety| safety.checkpoints.seconds_before());
        let seconds = before + started.elapsed().as_secs_f64() - measuring;
        if let Some(broken) = human.broken.take() {
            outcome.ending = broken.into();
        }
        let mut judgement = judge(description, &outcome, &settings);
        if let Some(safety) = safety.as_ref().filter(|_| outcome.not_replayed.is_none()) {
            judgement.advice = safety.advice(&outcome, judgement.advice);
        }
        let context = settings.trace_context(description);
        let about = About {
            settings: &settings,
            options: chosen.report(),
            search: chosen.search(),
            locality: locality.as_ref(),
            seconds,
        };
        let report = Report::new(model, &context, &outcome, judgement, about);
        human.write_summary(&report, options.rule_statistics);

        let exit = match outcome.ending {
            Ending::NoStart => Exit::Wrong,
            _ => report.judgement.verdict.exit(),
        };
        let mut complete = true;
        let profile = locality.as_ref().and_then(|locality| locality.profile.as_ref().ok());
        if let (Some(file), Some(profile)) = (histogram, profile) {
            let drawn = svg::draw(profile, &printable(description.name));
            complete &= file.write(out, err, |out| out.write_all(drawn.as_bytes()));
        }
        if let Some(file) = json_file {
            complete &= file.write(out, err, |out| json::write(&report, out));
        }
        if let Some(safety) = safety {
            safety.finish(&outcome, err);
        }
        if complete { exit } else { Exit::Inconclusive }
    }
}
