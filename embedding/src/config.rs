//! What a build script asks for.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;

use mcc_murphi::{Error, Model, Severity};

use crate::generate;

/// Compiles models in a build script.
///
/// ```no_run
/// mcc_build::Config::new().define("N", 3).compile("models/lock.m");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    definitions: Vec<(String, String)>,
    name: Option<String>,
    output: Option<PathBuf>,
}

/// Why a model was not compiled.
#[derive(Debug)]
#[non_exhaustive]
pub enum CompileError {
    /// The model cannot be read, or is wrong.
    Model(Error),
    /// The name of the file is no name of a module, or `OUT_DIR` is not set.
    Name(String),
    /// The module cannot be written.
    Write(PathBuf, std::io::Error),
}

impl fmt::Display for CompileError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::Model(Error::Wrong(messages)) => {
                for message in messages.iter().filter(|one| one.severity == Severity::Error) {
                    writeln!(to, "{message}")?;
                }
                Ok(())
            }
            CompileError::Model(error) => write!(to, "{error}"),
            CompileError::Name(message) => write!(to, "{message}"),
            CompileError::Write(path, error) => write!(to, "cannot write {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for CompileError {}

impl Config {
    /// A model as it is written.
    pub fn new() -> Config {
        Config::default()
    }

    /// Gives a constant another value than the text does.
    pub fn define(mut self, name: &str, value: impl fmt::Display) -> Config {
        self.definitions.push((name.to_owned(), value.to_string()));
        self
    }

    /// The name of the module; without it, that of the file. For one model with several values of
    /// its constants.
    pub fn module(mut self, name: &str) -> Config {
        self.name = Some(name.to_owned());
        self
    }

    /// Where the module is written; without it, to cargo's `OUT_DIR`.
    pub fn output_directory(mut self, directory: impl Into<PathBuf>) -> Config {
        self.output = Some(directory.into());
        self
    }

    /// Compiles a model, and prints for cargo when to compile it again and what the compiler warns
    /// about. Ends the build script with a message if the model is wrong.
    pub fn compile(&self, model: impl AsRef<Path>) {
        if let Err(error) = self.try_compile(model.as_ref()) {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
            process::exit(1);
        }
    }

    /// Compiles a model; the caller decides what an error means.
    pub fn try_compile(&self, path: impl AsRef<Path>) -> Result<(), CompileError> {
        let path = path.as_ref();
        println!("cargo::rerun-if-changed={}", path.display());
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = self.name.clone().unwrap_or(stem);
        if syn::parse_str::<syn::Ident>(&name).is_err() {
            let message = format!("`{name}` cannot be the name of a module: choose one with `module`");
            return Err(CompileError::Name(message));
        }
        let output = self.output.clone().or_else(|| env::var_os("OUT_DIR").map(PathBuf::from));
        let Some(output) = output else {
            let message = "OUT_DIR is not set: this is for build scripts".to_owned();
            return Err(CompileError::Name(message));
        };
        let model = Model::from_path(path).map_err(CompileError::Model)?;
        let model = self.definitions.iter().fold(model, |model, (name, value)| model.define(name, value));
        let (module, check) = generate::module(&name, &model).map_err(CompileError::Model)?;
        for message in check.of(Severity::Warning) {
            println!("cargo::warning={message}");
        }
        let file = output.join(format!("{name}.mcc.rs"));
        // A file that stays as it is need not be compiled again.
        if fs::read_to_string(&file).is_ok_and(|existing| existing == module) {
            return Ok(());
        }
        fs::write(&file, module).map_err(|error| CompileError::Write(file, error))
    }
}
