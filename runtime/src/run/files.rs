//! Files that options ask for: opened before the search, so that a mistake is found out then, and
//! written when it is over.

use crate::refusal::Refusal;
use crate::report::target::Target;
use crate::text::place;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that an option asks for.
pub(super) struct OutputFile {
    option: &'static str,
    path: PathBuf,
    target: Target,
}

impl OutputFile {
    /// Opens the file, if the option names one.
    pub fn open(option: &'static str, path: Option<&Path>) -> Result<Option<Self>, Refusal> {
        let Some(path) = path else { return Ok(None) };
        match Target::open(path) {
            Ok(target) => Ok(Some(OutputFile { option, path: path.to_path_buf(), target })),
            Err(error) => Err(Refusal::of(option, format!("cannot write {}: {error}", place(path)))),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it where nothing else may go to standard output.
    pub fn write_file(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Refusal> {
        let OutputFile { option, path, target } = self;
        target.write_with(&mut io::sink(), write).map_err(|error| {
            Refusal::of(option, format!("it could not be written to {}: {error}", place(&path)))
        })
    }

    /// Whether it was written; otherwise the reason is printed.
    pub fn write(
        self,
        out: &mut dyn Write,
        err: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> bool {
        let OutputFile { option, path, target } = self;
        let written = target.write_with(out, write);
        if let Err(error) = &written {
            let path = place(&path);
            let refusal = Refusal::of(option, format!("it could not be written to {path}: {error}"));
            let _ = write!(err, "{refusal}");
        }
        written.is_ok()
    }
}
