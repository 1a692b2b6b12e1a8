//! One run of a verifier, from the command line to the exit code.
//!
//! The command line is read ([`crate::cli`]), what cannot work is refused and files are opened
//! (`preparation`), the heading is printed, the model is searched as often as wanted
//! (`searches`), the outcome is judged ([`crate::report::verdict`]), and reports are written.

pub(crate) mod announcement;
mod clustering;
mod files;
mod preparation;
mod safety;
mod searches;
mod serving;
mod terminal;
mod working;

use crate::cli::table::Chosen;
use crate::cli::{self, CommandLineError, LICENCE, Options, ProgressChoice};
use crate::contract::model::{Description, Model};
use crate::graph::GraphError;
use crate::interruption::Interruption;
use crate::locality::svg;
use crate::report::console::{Console, width};
use crate::report::coverage;
use crate::report::document::{About, Report};
use crate::report::html;
use crate::report::human::Human;
use crate::report::json;
use crate::report::lanes::Wanted;
use crate::report::lanes::sequence::{self, Language};
use crate::report::progress::Samples;
use crate::report::verdict::{Exit, judge};
use crate::search::Ending;
use crate::search::simulation::{Walk, simulate};
use crate::text::{printable, printable_lines};
use preparation::{Prepared, prepare};
use searches::Searches;
use std::ffi::OsString;
use std::io::{self, Write};
use std::time::{Duration, Instant};

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
    if let Some(address) = &options.work {
        return working::work(model, &options, address, console, interrupted);
    }
    let mut options = options;
    let role = match clustering::role(&options) {
        Ok(role) => role,
        Err(refusal) => return refuse(console, &refusal),
    };
    let Console { out, err, mut out_is_terminal, mut err_is_terminal } = console;
    let mut nowhere = std::io::sink();
    let mut out: &mut dyn Write = out;
    let is_member = role.as_ref().is_some_and(|role| role.number > 0);
    if is_member {
        // Process 0 speaks for all.
        (options.json, options.progress) = (None, Some(ProgressChoice::Off));
        (options.html, options.sequence) = (None, None);
        (out, out_is_terminal, err_is_terminal) = (&mut nowhere, false, false);
    }
    let console = Console { out, err: &mut *err, out_is_terminal, err_is_terminal };
    let mut prepared = match prepare(model, &options, &arguments, is_member) {
        Ok(prepared) => prepared,
        Err(refusal) => return refuse(console, &refusal),
    };
    if let Some(address) = options.serve.clone() {
        let served = match serving::open(model, &options, &address, &mut prepared.settings, console.err) {
            Ok(served) => served,
            Err(refusal) => return refuse(console, &refusal),
        };
        let exit = Run { model, options, arguments, prepared }.go(console, interrupted);
        served.close();
        return exit;
    }
    let Some(role) = role else {
        return Run { model, options, arguments, prepared }.go(console, interrupted);
    };
    let mut joined = match clustering::join(model, &role, &prepared, interrupted, console.err) {
        Ok(joined) => joined,
        Err(error) => return clustering::fail(&error, console.err),
    };
    prepared.settings.cluster = Some(joined.hub.clone());
    let run = Run { model, options, arguments, prepared };
    let exit = run.go(console, interrupted);
    clustering::part(&mut joined, exit, err)
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
        let Prepared { settings, seed, mut safety, json_file, html_file, sequence_file, histogram, graph } =
            prepared;
        let description = model.description();
        let Console { out, err, out_is_terminal, err_is_terminal } = console;
        let to_err = options.report_on_standard_output();
        let (text, is_terminal): (&mut dyn Write, bool) =
            if to_err { (&mut *err, err_is_terminal) } else { (&mut *out, out_is_terminal) };
        let mut human = Human {
            model,
            context: settings.trace_context(description),
            out: text,
            paint: terminal::paint(options.color, is_terminal),
            width: width(is_terminal && !to_err),
            progress: terminal::progress(&options, err_is_terminal),
            samples: Samples::default(),
            style: options.style(),
            quiet: options.quiet,
            verbose: options.verbose,
            walked: 0,
            broken: None,
        };
        let chosen = Chosen { model, options: &options, settings: &settings, seed, arguments: &arguments };
        human.write_heading(&chosen.heading());
        if let Some(safety) = &safety {
            human.write_heading(&[safety.heading()]);
        }

        let started = Instant::now();
        let (mut locality, mut graph_written) = (None, Ok(()));
        let mut outcome = if options.simulate {
            let walk = Walk { steps: options.walk_steps(), seed };
            simulate(model, &settings, walk, interrupted, &mut human)
        } else {
            let checkpoints = safety.as_mut().map(|safety| &mut safety.checkpoints);
            let observer = &mut human;
            let options = &options;
            let mut searches =
                Searches { model, options, interrupted, observer, locality, graph, graph_written };
            let outcome = searches.explore_and_repeat(&settings, checkpoints);
            let unwritten = searches.graph.take();
            (locality, graph_written) = (searches.locality, searches.graph_written);
            if let Some(file) = unwritten {
                // The search ended before there was anything to go over.
                graph_written = file.write_file(|_| Err(io::Error::other(GraphError::Incomplete)));
            }
            outcome
        };
        // Before traces are replayed, which would be counted as well.
        let coverage = if options.coverage { coverage::counted(model, &outcome) } else { Vec::new() };
        // Workers need not wait for the report.
        settings.serve.iter().for_each(|pool| pool.close(Duration::ZERO));
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
            coverage: &coverage,
            seconds,
        };
        let report = Report::new(model, &context, &outcome, judgement, about);
        human.write_summary(&report, options.rule_statistics);
        let samples = human.samples;

        let exit = match outcome.ending {
            Ending::NoStart => Exit::Wrong,
            _ => report.judgement.verdict.exit(),
        };
        let mut complete = true;
        if let Err(refusal) = graph_written {
            complete = false;
            let _ = write!(err, "{refusal}");
        }
        let profile = locality.as_ref().and_then(|locality| locality.profile.as_ref().ok());
        if let (Some(file), Some(profile)) = (histogram, profile) {
            let drawn = svg::draw(profile, &printable(description.name));
            complete &= file.write(out, err, |out| out.write_all(drawn.as_bytes()));
        }
        if let Some(file) = json_file {
            complete &= file.write(out, err, |out| json::write(&report, out));
        }
        let wanted = Wanted { lanes: options.lanes.clone(), messages: options.messages.clone() };
        if let Some(file) = html_file {
            let page = html::Page { wanted: &wanted, samples: samples.kept() };
            complete &= file.write(out, err, |out| html::write(&report, page, out));
        }
        if let Some(file) = sequence_file {
            let language = Language::of(file.path());
            complete &= file.write(out, err, |out| sequence::write(&report, &wanted, language, out));
        }
        if let Some(safety) = safety {
            safety.finish(&outcome, err);
        }
        if complete { exit } else { Exit::Inconclusive }
    }
}
