//! Where reports go: the options that name files, what cannot go together, and writing them when
//! the work is done.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use mcc_runtime::host::Target;

use super::super::print::print;
use super::super::{Stop, internal, say};
use super::{Outcome, github, itf, json, junit, sarif};

/// The forms that were asked for.
#[derive(Clone, Debug, Default, Args)]
pub struct Formats {
    /// Write all results to FILE as JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write a test case for each model to FILE, as JUnit and its readers understand it
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write errors, counterexamples and lints to FILE in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Print annotations for GitHub Actions
    #[arg(long)]
    pub github: bool,
}

type Form = fn(&[Outcome]) -> Result<String, String>;

impl Formats {
    /// Whether one was asked for.
    pub fn any(&self) -> bool {
        self.json.is_some() || self.junit.is_some() || self.sarif.is_some() || self.github
    }

    /// Opens all files that were asked for, so that a mistake is found out before the work begins.
    /// `itf` is where a counterexample goes; none of the models is overwritten.
    pub fn open(&self, itf: Option<&Path>, models: &[&Path]) -> Result<Files, Stop> {
        let forms: [(&'static str, Option<&Path>, Form); 3] = [
            ("--json", self.json.as_deref(), json::text),
            ("--junit", self.junit.as_deref(), junit::text),
            ("--sarif", self.sarif.as_deref(), sarif::text),
        ];
        self.check(itf, models)?;
        let places = forms.iter().filter_map(|(_, path, _)| *path).chain(itf);
        let to_output = places.into_iter().any(is_output);
        let mut files = Files { reports: Vec::new(), itf: None, github: self.github, to_output };
        for (option, path, form) in forms {
            let Some(path) = path else { continue };
            files.reports.push((ReportFile::open(option, path)?, form));
        }
        files.itf = itf.map(|path| ReportFile::open("--itf", path)).transpose()?;
        Ok(files)
    }

    /// Refuses two reports in one place, and a report in the place of a model.
    pub fn check(&self, itf: Option<&Path>, models: &[&Path]) -> Result<(), Stop> {
        let named = [
            ("--json", self.json.as_deref()),
            ("--junit", self.junit.as_deref()),
            ("--sarif", self.sarif.as_deref()),
            ("--itf", itf),
        ];
        let named: Vec<(&str, &Path)> =
            named.into_iter().filter_map(|(option, path)| Some((option, path?))).collect();
        let stop = |message, help| Err(Stop::Message { message, help: Some(help) });
        for (at, (option, path)) in named.iter().enumerate() {
            let mut before = named.iter().take(at);
            let taken = before.find(|(_, other)| !is_special(path) && is_same(path, other));
            let other = "name another file for one of them";
            match taken {
                Some((by, _)) if is_output(path) => {
                    return stop(format!("{option}: standard output is taken by {by}"), other);
                }
                Some((by, _)) => {
                    return stop(format!("{option}: {} is taken by {by}", path.display()), other);
                }
                None if is_output(path) && self.github => {
                    return stop(format!("--github: standard output is taken by {option}"), other);
                }
                None if !is_output(path) && models.iter().any(|model| is_same(path, model)) => {
                    let message = format!("{option}: {} is the model itself", path.display());
                    return stop(message, "name another file");
                }
                None => {}
            }
        }
        Ok(())
    }
}

fn is_output(path: &Path) -> bool {
    path == Path::new("-")
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || place(one).is_some_and(|one| place(other) == Some(one))
}

/// Where a file is, or would be.
fn place(path: &Path) -> Option<PathBuf> {
    let folder = || match path.parent() {
        Some(folder) if folder != Path::new("") => folder.canonicalize(),
        _ => Path::new(".").canonicalize(),
    };
    path.canonicalize().ok().or_else(|| Some(folder().ok()?.join(path.file_name()?)))
}

/// Whether a path is no file, so that several reports may go there: `/dev/null`.
fn is_special(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

/// Files that are open, and written when the work is done.
pub struct Files {
    reports: Vec<(ReportFile, Form)>,
    itf: Option<ReportFile>,
    github: bool,
    /// Standard output is for a report, and text for people goes elsewhere.
    pub to_output: bool,
}

impl Files {
    /// Writes all of them. Where one fails, the others are written all the same.
    pub fn write(self, outcomes: &[Outcome]) -> Result<(), Stop> {
        let mut written = Ok(());
        for (file, form) in self.reports {
            let done = form(outcomes).map_err(|error| internal(&error)).and_then(|text| file.write(&text));
            written = written.and(done);
        }
        if let Some(file) = self.itf {
            let done = match itf::text(outcomes) {
                Some(Ok(text)) => file.write(&text),
                Some(Err(error)) => Err(internal(&error)),
                None => file.remove("there is no counterexample"),
            };
            written = written.and(done);
        }
        let annotated = if self.github { print(&github::text(outcomes)) } else { Ok(()) };
        written.and(annotated)
    }
}

/// A file that an option names.
struct ReportFile {
    option: &'static str,
    path: PathBuf,
    target: Target,
}

impl ReportFile {
    fn open(option: &'static str, path: &Path) -> Result<ReportFile, Stop> {
        match Target::open(path) {
            Ok(target) => Ok(ReportFile { option, path: path.to_owned(), target }),
            Err(error) => Err(unwritten(option, path, &error)),
        }
    }

    fn write(self, text: &str) -> Result<(), Stop> {
        let ReportFile { option, path, target } = self;
        let written = target.write(text.as_bytes(), &mut io::stdout().lock());
        written.map_err(|error| unwritten(option, &path, &error))
    }

    /// There is nothing to write. What an earlier run wrote would be taken for what this one found.
    fn remove(self, why: &str) -> Result<(), Stop> {
        let ReportFile { option, path, target } = self;
        drop(target);
        if !path.is_file() {
            say(&format!("mcc: {option}: {why}, so {} is not written", path.display()));
            return Ok(());
        }
        say(&format!("mcc: {option}: {why}, so {} is removed", path.display()));
        fs::remove_file(&path).map_err(|error| unwritten(option, &path, &error))
    }
}

fn unwritten(option: &str, path: &Path, error: &io::Error) -> Stop {
    Stop::Message { message: format!("{option}: cannot write {}: {error}", path.display()), help: None }
}
