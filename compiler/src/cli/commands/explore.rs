//! `mcc explore`: a page in the browser on which a model is gone through.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use clap::Parser;

use super::super::print::check;
use super::super::replay::verifier_options;
use super::super::{Stop, on_large_stack, report, say};
use super::Subcommand;
use super::shared::{OneModel, VerifierOptions};
use crate::explore::{Explored, Server};
use crate::input;
use crate::interpret::Interpreter;
use crate::source::Source;

/// Opens a page in the browser to step through a model: states, rules, traces, searches
#[derive(Clone, Debug, Parser)]
#[command(name = "explore")]
pub struct Explore {
    #[command(flatten)]
    model: OneModel,

    /// Serve the page on this port of the loopback interface [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,

    /// Start in this state: the part of an address after #, or the whole address
    #[arg(long, value_name = "ADDRESS", value_parser = fragment)]
    at: Option<String>,

    #[command(flatten)]
    verifier: VerifierOptions,
}

/// The part of an address that names a state.
fn fragment(text: &str) -> Result<String, String> {
    let fragment = text.rsplit('#').next().unwrap_or_default();
    let fits = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '.';
    if !fragment.is_empty() && fragment.chars().all(fits) {
        Ok(fragment.to_owned())
    } else {
        Err("this does not name a state; copy the address from the page".to_owned())
    }
}

impl Subcommand for Explore {
    fn run(self) -> Result<ExitCode, Stop> {
        let Explore { model, port, no_open, at, verifier } = self;
        let stop = |message| Stop::Message { message, help: None };
        let options = model.options();
        let arguments = verifier.verifier_options;
        let settings = verifier_options(&arguments)?.settings();
        let (source, noticed) = input::read(&options.model).map_err(stop)?;
        let source = source.with_definitions(options.define.clone());
        let work = move |source: &Source| {
            let reading = crate::read(source);
            let diagnostics: Vec<_> = noticed.iter().chain(&reading.diagnostics).cloned().collect();
            report(source, &diagnostics, &options)?;
            let analysis = reading.analysis.ok_or(Stop::Reported)?;
            let interpreter = Interpreter::with_analysis(reading.model, analysis, source);
            let server = Server::listen(port).map_err(|error| Stop::Message {
                message: format!("cannot listen on port {port} of 127.0.0.1: {error}"),
                help: Some("another --port may be free; without the option the system chooses one"),
            })?;
            let fragment = at.as_ref().map_or(String::new(), |at| format!("#{at}"));
            announce(&options.model, &format!("{}{fragment}", server.address()))?;
            if !no_open && !open(&format!("{}{fragment}", server.opening())) {
                say("no browser could be started: open the address by hand");
            }
            server.run(Explored {
                interpreter: &interpreter,
                program: &reading.program,
                source,
                settings: settings.clone(),
                arguments: arguments.clone(),
            });
            Ok(ExitCode::SUCCESS)
        };
        on_large_stack(source, work)?.1
    }
}

fn announce(model: &Path, address: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "Exploring {} at\n  {address}\nCtrl-C ends it.", model.display())
        .and_then(|()| out.flush());
    check("standard output", written)
}

/// Asks the system to open an address. What the browser prints is not for the terminal.
fn open(address: &str) -> bool {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(before).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().is_ok()
}
