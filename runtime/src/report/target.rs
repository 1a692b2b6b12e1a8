//! Where a file goes that a run writes in the end. It is opened before the search begins, so that a
//! mistake is found out then.

use crate::storage::Partial;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

#[derive(Debug)]
pub enum Target {
    StandardOutput,
    /// A new file, which replaces the old one when it is complete.
    Replacing(Partial),
    /// Something that is not a regular file, such as a pipe.
    Direct {
        file: File,
    },
}

impl Target {
    pub fn open(path: &Path) -> io::Result<Target> {
        if path.as_os_str() == "-" {
            return Ok(Target::StandardOutput);
        }
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(path)?;
            return Ok(Target::Direct { file });
        }
        // A link stays a link: what it points to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        Ok(Target::Replacing(Partial::create(&path)?))
    }

    /// Writes all of a text.
    pub fn write(self, text: &[u8], standard_output: &mut dyn Write) -> io::Result<()> {
        self.write_with(standard_output, |out| out.write_all(text))
    }

    /// Lets `write` write all of it. If that fails, a file that was there before stays as it is.
    pub fn write_with(
        self,
        standard_output: &mut dyn Write,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let through_buffer = |out: &mut dyn Write| {
            let mut buffer = BufWriter::new(out);
            write(&mut buffer)?;
            buffer.flush()
        };
        match self {
            Target::StandardOutput => {
                through_buffer(standard_output)?;
                standard_output.flush()
            }
            Target::Direct { file } => through_buffer(&mut &file),
            Target::Replacing(partial) => {
                through_buffer(&mut partial.file())?;
                partial.complete()
            }
        }
    }
}
