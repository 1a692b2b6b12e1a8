//! A checkpoint on disk whose contents can be edited, with checksums that are right again
//! afterwards.
//!
//! What comes out is well formed: only what the numbers mean can give it away.

use mcc_runtime::internals::FORMAT;
use mcc_runtime::internals::checksum;
use mcc_runtime::internals::{Archive, File, Purpose, SystemArchive};
use mcc_runtime::internals::{Entry, Reader, Writer};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Bytes before the payload of each block of a data file.
const LABEL: u64 = 16;
/// The longest block, its label included.
const BLOCK: u64 = 64 << 10;

/// The files of a checkpoint.
#[derive(Clone, Debug)]
pub struct Forgery {
    directory: PathBuf,
    pub manifest: Value,
}

impl Forgery {
    /// Reads the manifest in a directory.
    pub fn open(directory: &Path) -> io::Result<Self> {
        let text = fs::read(directory.join("manifest"))?;
        let start = text.iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| at + 1);
        let manifest = serde_json::from_slice(text.get(start..).unwrap_or_default())?;
        Ok(Forgery { directory: directory.to_owned(), manifest })
    }

    /// Writes the manifest, with the checksum that belongs to it.
    pub fn publish(&self) -> io::Result<()> {
        let text = serde_json::to_string_pretty(&self.manifest)? + "\n";
        let first = format!("mcc-checkpoint {FORMAT} {:016x}\n", checksum(text.as_bytes()));
        fs::write(self.directory.join("manifest"), first + &text)
    }

    /// The names of the data files.
    pub fn names(&self) -> Vec<String> {
        let files = self.manifest["files"].as_array();
        let names = files.into_iter().flatten().filter_map(|file| file["name"].as_str());
        names.map(str::to_owned).collect()
    }

    /// What is in a data file, without its labels.
    pub fn contents(&self, name: &str) -> io::Result<Vec<u8>> {
        let mut reader = self.reader(name)?;
        let length = fs::metadata(self.directory.join(name))?.len();
        let payload = length.saturating_sub(length.div_ceil(BLOCK) * LABEL);
        let mut bytes = vec![0; payload as usize];
        reader.bytes(&mut bytes).map_err(|failure| io::Error::other(failure.cause()))?;
        Ok(bytes)
    }

    fn reader(&self, name: &str) -> io::Result<Reader> {
        let entry = self.manifest["files"].as_array().into_iter().flatten();
        let entry = entry.filter_map(|file| serde_json::from_value::<Entry>(file.clone()).ok());
        let entry = entry.into_iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| io::Error::other(format!("{name} is not in the manifest")))?;
        let storage = SystemArchive::new(&self.directory).open(name)?;
        Ok(Reader::new(File::new(storage, Purpose::SavedStates), &entry))
    }

    /// Makes these bytes the contents of a data file, and has the manifest agree.
    pub fn replace(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let archive = SystemArchive::new(&self.directory);
        archive.remove(name)?;
        let mut writer = Writer::new(File::new(archive.create(name)?, Purpose::SavedStates), name);
        let failed = |failure: mcc_runtime::internals::StorageError| io::Error::other(failure.cause());
        writer.bytes(bytes).map_err(failed)?;
        let entry = serde_json::to_value(writer.finish().map_err(failed)?)?;
        let files = self.manifest["files"].as_array_mut().into_iter().flatten();
        for file in files.filter(|file| file["name"] == name) {
            *file = entry.clone();
        }
        self.publish()
    }

    /// The places of all values in the manifest, as JSON pointers.
    pub fn fields(&self) -> Vec<String> {
        let mut found = Vec::new();
        collect(&self.manifest, String::new(), &mut found);
        found
    }
}

fn collect(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(value, format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{number}"), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    if !at.is_empty() {
        found.push(at);
    }
}

/// Values that are legal JSON, and that no search writes.
pub fn hostile_values() -> Vec<Value> {
    let numbers = ["1e308", "-1.0", "-1", "0", "0.0", "1e-308", "4294967295", "4294967296", "1e19"];
    let parsed = numbers.iter().filter_map(|number| serde_json::from_str(number).ok());
    let texts = ["", "../../lock", "/dev/zero", "\u{1b}]0;forged\u{7}\u{1b}[2J", "\u{202e}txt", "a\nb", "%s"];
    let long = "9".repeat(100_000);
    parsed
        .chain([u64::MAX, u64::MAX - 1, 1 << 63, i64::MAX as u64, 17].map(Value::from))
        .chain(texts.map(Value::from))
        .chain([long.into(), Value::Null, true.into(), Value::Array(Vec::new()), serde_json::json!({})])
        .collect()
}

/// Words that no search writes in most places.
pub const HOSTILE_WORDS: [u64; 12] = [
    0,
    1,
    7,
    u64::MAX,
    u64::MAX - 1,
    1 << 63,
    i64::MAX as u64,
    u32::MAX as u64,
    1 << 32,
    1 << 20,
    0x0101_0101_0101_0101,
    0x7ff8_0000_0000_0000,
];
