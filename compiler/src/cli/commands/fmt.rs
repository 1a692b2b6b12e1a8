//! `mcc fmt`: brings models into one style.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ColorChoice, Parser};
use mcc_runtime::host::storage::Partial;

use super::super::{Stop, WRONG, on_large_stack, print, say, wants_color};
use super::Subcommand;
use crate::diagnostics::render::{self, Style};
use crate::format;
use crate::input;
use crate::source::Source;

const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Formats models. Changes only the white space between words and signs
#[derive(Clone, Debug, Parser)]
#[command(name = "fmt", after_help = EXIT_CODES)]
pub struct Fmt {
    /// The models to format in place; `-` formats standard input to standard output
    #[arg(value_name = "MODEL", required = true)]
    models: Vec<PathBuf>,

    /// Change nothing; print the names of models that are not formatted
    #[arg(long)]
    check: bool,

    /// Format only these lines, counted from one, of a single model
    #[arg(long, value_name = "FIRST:LAST", value_parser = lines)]
    lines: Option<RangeInclusive<u32>>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all models are formatted; with --check, they already were
  1  with --check: some are not formatted
  2  a model cannot be read, parsed or written; it stays as it was";

impl Subcommand for Fmt {
    fn run(self) -> Result<ExitCode, Stop> {
        if self.lines.is_some() && self.models.len() != 1 {
            let message = "--lines is about a single model".to_owned();
            return Err(Stop::Message { message, help: Some("format the models one by one") });
        }
        let (mut wrong, mut differ) = (false, false);
        for path in &self.models {
            match self.format(path) {
                Ok(changed) => differ |= changed && self.check,
                Err(Stop::Reported) => wrong = true,
                Err(Stop::Message { message, help }) => {
                    wrong = true;
                    say(&format!("error: {message}"));
                    help.iter().for_each(|help| say(&format!("help: {help}")));
                }
                Err(failure @ Stop::Failure(_)) => return Err(failure),
            }
        }
        Ok(match (wrong, differ) {
            (true, _) => ExitCode::from(WRONG),
            (false, true) => ExitCode::from(1),
            (false, false) => ExitCode::SUCCESS,
        })
    }
}

impl Fmt {
    /// Formats one model; whether it was in another style.
    fn format(&self, path: &Path) -> Result<bool, Stop> {
        let on_standard_input = path == Path::new("-");
        let (source, mark) = read(path)?;
        let lines = self.lines.clone();
        let (source, edits) = on_large_stack(source, |source| {
            let edits = format::edits(source)?;
            Ok(match &lines {
                Some(lines) => format::within(source, edits, lines),
                None => edits,
            })
        })?;
        let edits = edits.map_err(|diagnostics: Vec<_>| {
            let style =
                Style { color: wants_color(self.color, io::stderr().is_terminal()), ..Style::default() };
            let text = render::render(&source, &diagnostics, style);
            let _ = io::stderr().lock().write_all(text.as_bytes());
            Stop::Reported
        })?;
        let changed = !edits.is_empty();
        if self.check {
            if changed {
                print::print(&format!("{}\n", source.name))?;
            }
            return Ok(changed);
        }
        let text = format!("{mark}{}", format::apply(&source.text, &edits));
        if on_standard_input {
            print::print(&text)?;
        } else if changed {
            replace(path, text.as_bytes()).map_err(|error| Stop::Message {
                message: format!("cannot write {}: {error}", path.display()),
                help: None,
            })?;
        }
        Ok(changed)
    }
}

/// The text of a model, and the byte-order mark before it.
fn read(path: &Path) -> Result<(Source, &'static str), Stop> {
    let stop = |message| Stop::Message { message, help: None };
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|error| stop(format!("cannot read standard input: {error}")))?;
        ("<stdin>".to_owned(), bytes)
    } else {
        // Refuses what is no model, in the words of all commands.
        input::read(path).map_err(stop)?;
        let bytes = fs::read(path).map_err(|error| stop(format!("cannot read {}: {error}", path.display())));
        (path.display().to_string(), bytes?)
    };
    let mark = if bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) { BYTE_ORDER_MARK } else { "" };
    let (source, warnings) = input::decoded(name, &bytes).map_err(stop)?;
    if let Some(warning) = warnings.first() {
        let line = source.position(warning.primary.span.start).line;
        let message = format!("{}:{line}: this is not UTF-8 text", source.name);
        return Err(Stop::Message { message, help: Some("save the model as UTF-8 first") });
    }
    Ok((source, mark))
}

/// Writes beside the model, and then puts the new one in its place: nobody ever sees half of it.
fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = path.canonicalize()?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
    }
    let partial = Partial::create(&path)?;
    partial.file().write_all(contents)?;
    partial.file().set_permissions(permissions)?;
    partial.file().sync_all()?;
    partial.rename()
}

fn lines(text: &str) -> Result<RangeInclusive<u32>, String> {
    let bounds = text.split_once(':').map(|(first, last)| (first.parse(), last.parse()));
    match bounds {
        Some((Ok(first), Ok(last))) if 0 < first && first <= last => Ok(first..=last),
        _ => Err("write it as FIRST:LAST, two numbers of lines, such as 10:20".to_owned()),
    }
}
