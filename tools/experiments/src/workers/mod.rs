//! Servers and their workers (`--serve`, `--work`) as processes: how well they are utilised
//! ([`table`]), what is found when they are killed, stopped and cut off ([`chaos`]), and how much a
//! server can carry ([`rate`]).
//!
//! The first two run the interpreter, so that nothing has to be built.

pub mod chaos;
pub mod proxy;
pub mod rate;
pub mod table;

use crate::shared::ExperimentError;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A model, with its constants.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub name: &'static str,
    text: &'static str,
    constants: &'static [&'static str],
}

pub const DATA_BASE_6: Model = Model { name: "data base, 6 nodes", constants: &["Nodes=6"], ..DATA_BASE_8 };
pub const DATA_BASE_8: Model =
    Model { name: "data base, 8 nodes", text: include_str!("../../models/data_base.m"), constants: &[] };
pub const DATA_BASE_9: Model = Model { name: "data base, 9 nodes", constants: &["Nodes=9"], ..DATA_BASE_8 };
pub const LINK: Model =
    Model { name: "lossy link", text: include_str!("../../models/lossy_link.m"), constants: &[] };

/// Where processes are started for one model.
#[derive(Debug)]
pub struct Place<'a> {
    mcc: PathBuf,
    model: PathBuf,
    constants: &'static [&'static str],
    directory: &'a Path,
}

/// A process that does not outlive this one.
#[derive(Debug)]
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    /// Sends a signal, by its name.
    pub fn signal(&self, name: &str) -> Result<(), ExperimentError> {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.0.id().to_string()).status()?;
        if sent.success() { Ok(()) } else { Err(format!("no signal {name} could be sent").into()) }
    }
}

impl<'a> Place<'a> {
    /// Writes the model into this directory.
    pub fn new(mcc: &Path, model: Model, directory: &'a Path) -> Result<Self, ExperimentError> {
        let path = directory.join("model.m");
        std::fs::write(&path, model.text)?;
        Ok(Place { mcc: mcc.to_owned(), model: path, constants: model.constants, directory })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Starts the interpreter with these arguments of a verifier.
    pub fn start(&self, arguments: &[&str]) -> Result<Process, ExperimentError> {
        let mut command = Command::new(&self.mcc);
        command.arg("--interpret").arg(&self.model);
        for constant in self.constants {
            command.arg("-D").arg(constant);
        }
        command.arg("--").args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.path("log"))?;
        Ok(Process(command.stderr(log).spawn()?))
    }

    /// What is in the report that a process was to write to `name`.
    pub fn report(&self, name: &str) -> Result<Value, ExperimentError> {
        let text = std::fs::read_to_string(self.path(name))?;
        serde_json::from_str(&text).map_err(|error| format!("{name}: {error}").into())
    }

    /// What all processes have written for people.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    /// The report of a search by one process with one thread.
    pub fn alone(&self, options: &[&str]) -> Result<Value, ExperimentError> {
        let json = self.path("alone.json");
        let json = json.to_string_lossy();
        let arguments = [&["-j1", "--quiet", "--json", &json], options].concat();
        self.start(&arguments)?.0.wait()?;
        self.report("alone.json")
    }
}

/// A number of a report.
fn number(report: &Value, key: &str) -> Result<f64, ExperimentError> {
    report[key].as_f64().ok_or_else(|| format!("the report has no number {key:?}").into())
}
