//! The commands of a walk: what each word means, and the files that walks are kept in.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use mcc_runtime::host::storage::Partial;
use mcc_runtime::host::text::{plural, printable};

use super::session::{Session, Stage};
use crate::cli::replay::read_file;
use crate::walk::document;
use crate::walk::replay::{End, Refused, follow};

pub const HELP: &str = "\
  N               fire the rule (or choose the start state) of this number
  back [N]        go back a step, or N; short: b
  forward [N]     go forward again; short: f
  goto N          go to step N of the walk; 0 is the start state, `goto start` the choice of one
  state [TEXT]    all variables, or those whose names contain TEXT; short: s
  diff            what the last step changed; short: d
  rules [TEXT]    all enabled rules, or those that contain TEXT; short: r
  show full|diff  what is shown after each step
  walk            the steps so far; short: w
  random [N]      N steps at random, until something is wrong
  save FILE       write the walk up to this step as JSON; mcc --replay FILE checks it
  load FILE [N]   go the walk of a file, or the way to error N of a report
  help, quit      short: h, q
  # text          a remark in a file of commands
";

/// What a saved walk begins with; other files are not overwritten.
const BEGINNING: &[u8] = b"{\n  \"schema\": \"mcc-walk/";

/// What a command led to.
#[derive(Default)]
pub struct Reply {
    pub text: String,
    /// Why the command was not, or not quite, obeyed.
    pub wrong: Option<String>,
    pub quit: bool,
}

impl Session<'_> {
    /// Obeys one line.
    pub fn command(&mut self, line: &str) -> Reply {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let steps = || if rest.is_empty() { Ok(1) } else { number(rest) };
        let alone = |reply: fn(&mut Self) -> Reply, session: &mut Self| match rest {
            "" => reply(session),
            _ => Reply::wrong(format!("`{word}` takes nothing after it")),
        };
        match word {
            "" => Reply::default(),
            _ if word.starts_with('#') => Reply::default(),
            "b" | "back" => steps().map_or_else(Reply::wrong, |count| self.back(count)),
            "f" | "forward" => steps().map_or_else(Reply::wrong, |count| self.forward(count)),
            "goto" if rest == "start" => self.back(usize::MAX),
            "goto" => number(rest).map_or_else(Reply::wrong, |step| self.goto(step)),
            "s" | "state" => self.state(rest),
            "d" | "diff" => alone(|session| session.differences(), self),
            "r" | "rules" => Reply::said(self.list(rest, usize::MAX)),
            "w" | "walk" => alone(|session| Reply::said(session.history()), self),
            "show" if rest == "full" || rest == "diff" => {
                self.full = rest == "full";
                Reply::default()
            }
            "show" => Reply::wrong("`show full` or `show diff`"),
            "random" => steps().map_or_else(Reply::wrong, |count| self.random(count)),
            "save" => self.save(rest),
            "load" => self.load(rest),
            "h" | "?" | "help" => Reply::said(HELP.to_owned()),
            "q" | "quit" | "exit" => alone(|_| Reply { quit: true, ..Reply::default() }, self),
            _ => match line.parse::<usize>() {
                Ok(number) => self.choose(number),
                Err(_) => {
                    Reply::wrong(format!("there is no command `{}`; `help` lists them", printable(line)))
                }
            },
        }
    }

    fn save(&self, file: &str) -> Reply {
        let Some((path, problem)) = self.finding() else {
            return Reply::wrong("there is nothing to save: no start state is chosen");
        };
        if file.is_empty() {
            return Reply::wrong("`save FILE`: the file's name is missing");
        }
        let steps = self.at.unwrap_or(0) as u64;
        let saved =
            document::write(&self.walker, path, problem).and_then(|text| write(Path::new(file), &text));
        match saved {
            Ok(()) => Reply::said(format!("Saved {} to {}.\n", plural(steps, "step"), printable(file))),
            Err(message) => Reply::wrong(message),
        }
    }

    fn load(&mut self, rest: &str) -> Reply {
        let (file, error) = match rest.rsplit_once(char::is_whitespace) {
            Some((file, number)) if !Path::new(rest).exists() => match number.parse() {
                Ok(number) => (file.trim_end(), Some(number)),
                Err(_) => (rest, None),
            },
            _ => (rest, None),
        };
        if file.is_empty() {
            return Reply::wrong("`load FILE`: the file's name is missing");
        }
        let read = read_file(Path::new(file)).and_then(|bytes| document::read(&bytes, error));
        let trace = match read {
            Ok(trace) => trace,
            Err(message) => return Reply::wrong(printable(&message).into_owned()),
        };
        let Some(steps) = &trace.steps else {
            return Reply::wrong("this error has no trace");
        };
        let foreign = trace.foreign(self.walker.description());
        let before = self.walker.settings.clone();
        let mut settings = before.clone();
        trace.apply_options(&mut settings);
        self.set_options(settings);
        let mut stages = Vec::new();
        let result = follow(&self.walker, steps, &mut |state, number, _| {
            stages.push(Stage { number, state: Some(state.to_vec()), problem: None });
        });
        let refused = match result {
            Ok(End::State(_)) => None,
            Ok(End::Fault(problem)) => {
                stages.push(Stage::fault(problem));
                None
            }
            Err(Refused::Step(step, reason)) => Some(format!("step {step} cannot be gone: {reason}")),
            Err(Refused::Error(reason) | Refused::Unsettled(reason) | Refused::Malformed(reason)) => {
                Some(reason)
            }
        };
        if stages.is_empty() {
            self.set_options(before);
            return Reply::wrong(refused.unwrap_or_else(|| "the trace is empty".to_owned()));
        }
        let mut text = foreign.map_or(String::new(), |foreign| format!("Warning: {}\n", printable(&foreign)));
        text += &format!("Loaded {}.\n", plural(stages.len() as u64 - 1, "step"));
        self.stages = stages;
        self.at = None;
        text += &self.goto(self.stages.len() - 1).text;
        Reply { text, wrong: refused, quit: false }
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| match text {
        "" => "the number is missing".to_owned(),
        _ => format!("`{}` is not a number", printable(text)),
    })
}

/// Writes a file as a whole, or not at all.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let failed =
        |error: std::io::Error| format!("cannot write {}: {error}", printable(&path.to_string_lossy()));
    let mut old = Vec::new();
    match File::open(path) {
        Ok(file) => {
            file.take(BEGINNING.len() as u64).read_to_end(&mut old).map_err(failed)?;
            if old != BEGINNING {
                let name = path.to_string_lossy();
                return Err(format!("{} exists and is no saved walk", printable(&name)));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let partial = Partial::create(path).map_err(failed)?;
    partial.file().write_all(text.as_bytes()).map_err(failed)?;
    partial.complete().map_err(failed)
}
