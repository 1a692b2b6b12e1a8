//! The manifest of a checkpoint: which files belong to it, and to which search.
//!
//! It is a line of text, `mcc-checkpoint`, the version of the format and a checksum of the rest in
//! hexadecimal; and then JSON.

use super::stream::{MOST_COUNTED, checksum};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The version of the format: of this file, and of what is in the others.
pub const FORMAT: u32 = 6;
const MAGIC: &str = "mcc-checkpoint";

/// A data file of the checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub name: String,
    pub bytes: u64,
    pub checksum: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    pub identity: Identity,
    pub standing: Standing,
    /// The command line that began the search, from which the command that resumes it is built.
    pub arguments: Vec<String>,
    /// Minutes from one checkpoint to the next.
    pub every: f64,
    /// Numbers that a visited set needs before it can be restored, such as its number of slots.
    pub facts: BTreeMap<String, u64>,
    /// Number of attempts to write a checkpoint.
    pub generation: u64,
    pub files: Vec<Entry>,
}

/// Identifies a search: a checkpoint can be resumed only if all of these fields agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the runtime.
    pub version: String,
    /// The model's name, and a hash of its text.
    pub model: String,
    pub fingerprint: String,
    /// A hash of how states are stored and of how rules and properties are numbered.
    pub layout: String,
    /// The options that decide what the search finds, with their values.
    pub options: BTreeMap<String, String>,
}

/// How far the search had come when the checkpoint was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// The level whose states are to be expanded next.
    pub level: u32,
    pub states: u64,
    /// Errors reported so far.
    pub errors: u64,
    /// Running time of the search, over all its processes.
    pub seconds: f64,
    /// The levels from which it was resumed.
    pub resumed: Vec<u32>,
    /// Checkpoints written, this one included, and those that failed.
    pub written: u64,
    pub failed: u64,
}

/// A field in which two searches differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub what: String,
    pub there: String,
    pub here: String,
}

/// Why a file is not accepted as a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestError {
    /// Another program wrote it.
    Foreign,
    /// It has this version of the format, which is not ours.
    Format(u32),
    /// The checksum does not fit.
    Damaged,
    /// The checksum is correct, but no search writes this value; the name of the field.
    Implausible(&'static str),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ManifestError::Foreign => formatter.write_str("it is not a manifest of this program"),
            ManifestError::Format(version) => write!(formatter, "it has version {version} of the format"),
            ManifestError::Damaged => formatter.write_str("its checksum does not fit"),
            ManifestError::Implausible(field) => write!(formatter, "its {field} is not plausible"),
        }
    }
}

impl std::error::Error for ManifestError {}

/// The longest time between two checkpoints, in minutes.
pub const MOST_MINUTES: f64 = 1e6;
/// No search takes longer: some thousand years.
const MOST_SECONDS: f64 = 1e11;

impl Manifest {
    pub fn to_bytes(&self) -> Vec<u8> {
        // Maps with text for keys, text and numbers: that can always be written.
        let text = serde_json::to_string_pretty(self).unwrap_or_default() + "\n";
        format!("{MAGIC} {FORMAT} {:016x}\n{text}", checksum(text.as_bytes())).into_bytes()
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ManifestError> {
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(ManifestError::Foreign)?;
        let first = std::str::from_utf8(&bytes[..end]).map_err(|_| ManifestError::Foreign)?;
        let text = &bytes[end + 1..];
        let mut fields = first.split(' ');
        if fields.next() != Some(MAGIC) {
            return Err(ManifestError::Foreign);
        }
        let format = fields.next().and_then(|format| format.parse().ok()).ok_or(ManifestError::Damaged)?;
        if format != FORMAT {
            return Err(ManifestError::Format(format));
        }
        let sum = format!("{:016x}", checksum(text));
        if fields.next() != Some(&sum) || fields.next().is_some() {
            return Err(ManifestError::Damaged);
        }
        let manifest: Manifest = serde_json::from_slice(text).map_err(|_| ManifestError::Damaged)?;
        match manifest.implausible() {
            Some(field) => Err(ManifestError::Implausible(field)),
            None => Ok(manifest),
        }
    }

    /// The first field with a value that no search writes. A valid checksum does not say who wrote
    /// the file, and later code computes with these numbers.
    fn implausible(&self) -> Option<&'static str> {
        let Manifest { standing, every, generation, files, .. } = self;
        let Standing { level, states, errors, seconds, resumed: _, written, failed } = standing;
        let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let checks = [
            ("every", (0.0..=MOST_MINUTES).contains(every)),
            ("level", *level <= u32::MAX / 2),
            ("states", *states <= MOST_COUNTED),
            ("errors", *errors <= MOST_COUNTED),
            ("seconds", (0.0..=MOST_SECONDS).contains(seconds)),
            ("written", *written <= MOST_COUNTED),
            ("failed", *failed <= MOST_COUNTED),
            ("generation", *generation <= MOST_COUNTED),
            // Each file once, and none outside of the directory.
            ("files", names.len() == files.len() && names.iter().all(|name| generation_of(name).is_some())),
        ];
        checks.into_iter().find(|(_, right)| !right).map(|(field, _)| field)
    }
}

/// Suffix of data files. Files with other names in the directory are never touched.
const ENDING: &str = ".checkpoint";

/// The name of the data file for this kind of contents.
pub fn name_of(what: &str, generation: u64) -> String {
    format!("{what}-{generation:06}{ENDING}")
}

/// The generation in a name made by [`name_of`]; `None` for other names. The contents are named by
/// letters, followed by digits where there are several files of a kind.
pub fn generation_of(name: &str) -> Option<u64> {
    let (what, number) = name.strip_suffix(ENDING)?.split_once('-')?;
    let letters = what.trim_end_matches(|byte: char| byte.is_ascii_digit());
    let ours = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    let digits = number.len() >= 6 && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = (ours && digits).then(|| number.parse().ok()).flatten();
    number.filter(|&number| number <= MOST_COUNTED)
}

impl Identity {
    /// The fields in which the search that runs now differs from this one.
    pub fn differences(&self, here: &Identity) -> Vec<Difference> {
        let none = "none".to_owned();
        let mut found = Vec::new();
        let mut compare = |what: &str, there: &str, here: &str| {
            if there != here {
                found.push(Difference {
                    what: what.to_owned(),
                    there: there.to_owned(),
                    here: here.to_owned(),
                });
            }
        };
        compare("mcc-runtime", &self.version, &here.version);
        compare("model", &self.model, &here.model);
        compare("the model's text (fingerprint)", &self.fingerprint, &here.fingerprint);
        compare("the layout of states and rules", &self.layout, &here.layout);
        for (option, there) in &self.options {
            compare(option, there, here.options.get(option).unwrap_or(&none));
        }
        for (option, here) in here.options.iter().filter(|(option, _)| !self.options.contains_key(*option)) {
            compare(option, &none, here);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn manifest() -> Manifest {
        let options = [("packed", "true"), ("search", "bfs")].map(|(key, value)| (key.into(), value.into()));
        Manifest {
            identity: Identity {
                version: "0".into(),
                model: "wheels.m".into(),
                fingerprint: "0123".into(),
                layout: "4567".into(),
                options: options.into(),
            },
            standing: Standing { level: 7, states: MOST_COUNTED, seconds: 0.1, ..Standing::default() },
            arguments: vec!["verifier".into(), "-b".into()],
            every: 0.5,
            facts: [("slots".to_owned(), u64::MAX - 1)].into(),
            generation: 3,
            files: vec![Entry { name: "visited-000003.checkpoint".into(), bytes: 5, checksum: u64::MAX }],
        }
    }

    #[test]
    fn it_comes_back_and_every_byte_counts() {
        let bytes = manifest().to_bytes();
        assert_eq!(Manifest::from_bytes(&bytes), Ok(manifest()));
        for at in 0..bytes.len() {
            for bit in [0, 3, 6] {
                let mut other = bytes.clone();
                other[at] ^= 1 << bit;
                assert!(Manifest::from_bytes(&other).is_err(), "{at}");
            }
            assert!(Manifest::from_bytes(&bytes[..at]).is_err());
        }
        let (own, next) = (format!(" {FORMAT} "), format!(" {} ", FORMAT + 1));
        let newer = String::from_utf8(bytes).unwrap().replacen(&own, &next, 1);
        assert_eq!(Manifest::from_bytes(newer.as_bytes()), Err(ManifestError::Format(FORMAT + 1)));
        assert_eq!(Manifest::from_bytes(b"hello\n"), Err(ManifestError::Foreign));
    }

    #[test]
    fn differences_are_named() {
        let there = manifest().identity;
        let mut here = there.clone();
        assert!(there.differences(&here).is_empty());
        here.options.insert("packed".into(), "false".into());
        here.options.insert("bits".into(), "40".into());
        here.options.remove("search");
        here.fingerprint = "9".into();
        let found = there.differences(&here);
        let found: Vec<_> = found.iter().map(|found| (&*found.what, &*found.there, &*found.here)).collect();
        let expected = [
            ("the model's text (fingerprint)", "0123", "9"),
            ("packed", "true", "false"),
            ("search", "bfs", "none"),
            ("bits", "none", "40"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_ours() {
        for generation in [0, 7, 1_000_000] {
            assert_eq!(generation_of(&name_of("visited", generation)), Some(generation));
            assert_eq!(generation_of(&name_of("table123", generation)), Some(generation));
        }
        for other in [
            "visited",
            "visited-7",
            "Visited-000007",
            "12-000007",
            "t1a-000007",
            "-000007",
            "my-notes",
            "a-b-000007",
            "a-00000x",
        ] {
            assert_eq!(generation_of(&format!("{other}.checkpoint")), None, "{other}");
        }
        for other in ["visited-000007", "log-20261116", "visited-000007.checkpoint.gz"] {
            assert_eq!(generation_of(other), None, "{other}");
        }
    }

    /// Manifests with a valid checksum, and values that no search writes.
    #[test]
    fn implausible_values_are_named() {
        let forged = |change: &dyn Fn(&mut Manifest)| {
            let mut manifest = manifest();
            change(&mut manifest);
            Manifest::from_bytes(&manifest.to_bytes())
        };
        let refused = |field, change: &dyn Fn(&mut Manifest)| {
            assert_eq!(forged(change), Err(ManifestError::Implausible(field)));
        };
        for every in [-1.0, -1e-300, 1e308, 1e7] {
            refused("every", &|manifest| manifest.every = every);
        }
        refused("seconds", &|manifest| manifest.standing.seconds = -1.0);
        refused("seconds", &|manifest| manifest.standing.seconds = 1e300);
        refused("level", &|manifest| manifest.standing.level = u32::MAX);
        refused("states", &|manifest| manifest.standing.states = u64::MAX);
        refused("errors", &|manifest| manifest.standing.errors = u64::MAX);
        refused("written", &|manifest| manifest.standing.written = u64::MAX);
        refused("failed", &|manifest| manifest.standing.failed = u64::MAX);
        refused("generation", &|manifest| manifest.generation = u64::MAX);
        for name in ["../manifest", "/dev/zero", "lock", "visited-18446744073709551615.checkpoint", ""] {
            refused("files", &|manifest| manifest.files[0].name = name.to_owned());
        }
        refused("files", &|manifest| manifest.files.push(manifest.files[0].clone()));
        assert!(forged(&|manifest| manifest.every = 0.0).is_ok());
    }
}
