//! Is an executable in the cache what was built? After each build its size and hash are recorded,
//! and compared before it is used.
//!
//! ```text
//! mcc-executable/1
//! bytes 3256528
//! sha256 <64 hexadecimal digits>
//! ```
//! The executable is synced before the record is written, so a record never describes what a crash
//! could take away. A record that is missing or damaged is a difference like any other: what cannot
//! be checked is built again.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use mcc_runtime::host::storage::{Partial, sync_directory};
use sha2::{Digest, Sha256};

/// The name of a record in the crate of its model.
pub const RECORD: &str = "executable.record";

const HEADING: &str = "mcc-executable/1";

/// Size and hash of an executable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    bytes: u64,
    sha256: String,
}

impl Record {
    /// Reads an executable to its end, hands its bytes on, and says what they were.
    pub fn of(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<Record> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        let mut bytes = 0;
        loop {
            let count = match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            hash.update(&buffer[..count]);
            to.write_all(&buffer[..count])?;
            bytes += count as u64;
        }
        let mut sha256 = String::new();
        for byte in hash.finalize() {
            let _ = write!(sha256, "{byte:02x}");
        }
        Ok(Record { bytes, sha256 })
    }

    /// Records what was just built: the executable is synced first, the record is written last.
    pub fn write(executable: &Path, crate_directory: &Path) -> io::Result<Record> {
        let mut file = File::open(executable)?;
        file.sync_all()?;
        // Without it, a crash may take the executable away, and the comparison finds that out.
        let _ = sync_directory(executable);
        let record = Record::of(&mut file, &mut io::sink())?;
        let partial = Partial::create(&crate_directory.join(RECORD))?;
        partial.file().write_all(record.text().as_bytes())?;
        partial.complete()?;
        Ok(record)
    }

    /// The record of an executable that was built before, or in what the two differ.
    pub fn compare(executable: &Path, crate_directory: &Path) -> Result<Record, String> {
        let path = crate_directory.join(RECORD);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err("there is no record of its build".into());
            }
            Err(error) => return Err(format!("the record of its build cannot be read: {error}")),
        };
        let Some(recorded) = Record::parse(&text) else {
            return Err("the record of its build is damaged".into());
        };
        let found = File::open(executable).and_then(|mut file| Record::of(&mut file, &mut io::sink()));
        match found {
            Err(error) => Err(format!("it cannot be read: {error}")),
            Ok(found) => recorded.difference(&found).map_or(Ok(recorded), Err),
        }
    }

    /// In what an executable differs from this record.
    pub fn difference(&self, found: &Record) -> Option<String> {
        if self.bytes != found.bytes {
            Some(format!("it has {} bytes, and {} were built", found.bytes, self.bytes))
        } else if self.sha256 != found.sha256 {
            Some("its contents have changed".into())
        } else {
            None
        }
    }

    fn text(&self) -> String {
        format!("{HEADING}\nbytes {}\nsha256 {}\n", self.bytes, self.sha256)
    }

    fn parse(text: &str) -> Option<Record> {
        let mut lines = text.lines();
        let record = Record {
            bytes: lines.nth(1)?.strip_prefix("bytes ")?.parse().ok()?,
            sha256: lines.next()?.strip_prefix("sha256 ")?.to_owned(),
        };
        // Nothing else, and nothing twice: there is one text for each record.
        (record.text() == text && record.sha256.len() == 64 && record.bytes > 0).then_some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("verifier");
        fs::write(&executable, "program").unwrap();
        let record = Record::write(&executable, folder.path()).unwrap();
        let compare = || Record::compare(&executable, folder.path());
        assert_eq!(compare(), Ok(record));
        for (contents, difference) in [
            ("", "it has 0 bytes, and 7 were built"),
            ("prog", "it has 4 bytes, and 7 were built"),
            ("Program", "its contents have changed"),
        ] {
            fs::write(&executable, contents).unwrap();
            assert_eq!(compare(), Err(difference.into()));
        }
        fs::remove_file(&executable).unwrap();
        assert!(compare().unwrap_err().starts_with("it cannot be read"));
    }

    #[test]
    fn a_damaged_record_is_a_difference() {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("verifier");
        fs::write(&executable, "program").unwrap();
        Record::write(&executable, folder.path()).unwrap();
        let path = folder.path().join(RECORD);
        let text = fs::read_to_string(&path).unwrap();
        for end in 0..text.len() {
            fs::write(&path, &text[..end]).unwrap();
            assert!(Record::compare(&executable, folder.path()).is_err(), "{end}");
        }
        for damaged in [text.replace('1', "2"), text.clone() + "\n", text.replace("bytes ", "bytes +")] {
            fs::write(&path, damaged).unwrap();
            assert!(Record::compare(&executable, folder.path()).is_err());
        }
        fs::write(&path, &text).unwrap();
        assert!(Record::compare(&executable, folder.path()).is_ok());
        fs::remove_file(&path).unwrap();
        assert_eq!(
            Record::compare(&executable, folder.path()),
            Err("there is no record of its build".into())
        );
    }
}
