//! Reads a model. Old models are not always UTF-8: their authors wrote their names and units in
//! Latin-1, in comments and in strings. There such bytes are read as Latin-1, with a warning;
//! anywhere else they are an error.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::diagnostics::Diagnostic;
use crate::source::{Source, Span};

/// No model is this large; a file that is was named by mistake.
pub const MOST_BYTES: u64 = 64 << 20;

/// The model's text, and what there is to say about it; or why there is none.
pub fn read(path: &Path) -> Result<(Source, Vec<Diagnostic>), String> {
    if path.as_os_str().is_empty() {
        return Err("the name of the model is empty".into());
    }
    let (name, bytes) = if path == Path::new("-") {
        let bytes =
            read_all(io::stdin().lock()).map_err(|error| format!("cannot read standard input: {error}"))?;
        ("<stdin>".to_string(), bytes)
    } else {
        let name = path.display().to_string();
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => format!("there is no file {name}"),
            io::ErrorKind::IsADirectory => format!("{name} is a directory"),
            _ => format!("cannot read {name}: {error}"),
        };
        if fs::metadata(path).map_err(failed)?.is_dir() {
            return Err(format!("{name} is a directory"));
        }
        let bytes = File::open(path).and_then(read_all).map_err(failed)?;
        (name, bytes)
    };
    decoded(name, &bytes)
}

/// The model's text from the bytes of its file; or why they are none.
pub fn decoded(name: String, bytes: &[u8]) -> Result<(Source, Vec<Diagnostic>), String> {
    let (text, latin) = decode(bytes).map_err(|wrong| wrong.message(&name))?;
    let warning = latin.map(|(span, count)| {
        let message = match count {
            1 => "this byte is read as Latin-1".to_string(),
            _ => format!("{count} bytes, the first one here, are read as Latin-1"),
        };
        Diagnostic::warning("not-utf-8", span, message).label("not UTF-8").help("save the model as UTF-8")
    });
    Ok((Source::new(name, text), warning.into_iter().collect()))
}

fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

/// A byte that is neither UTF-8 nor in a comment or a string.
#[derive(Debug, PartialEq, Eq)]
struct NotText {
    offset: usize,
    line: usize,
    byte: u8,
}

impl NotText {
    fn message(&self, name: &str) -> String {
        let NotText { offset, line, byte } = self;
        format!(
            "{name}:{line}: byte {offset} (0x{byte:02X}) is not UTF-8 text, and not in a comment or a string"
        )
    }
}

/// The text without its byte-order mark; and the place of the first byte read as Latin-1, with
/// their number.
fn decode(bytes: &[u8]) -> Result<(String, Option<(Span, usize)>), NotText> {
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut text = String::with_capacity(bytes.len());
    let mut latin: Option<(Span, usize)> = None;
    let mut place = Place::default();
    let mut offset = mark;
    for chunk in bytes[mark..].utf8_chunks() {
        place.pass(chunk.valid().as_bytes());
        text.push_str(chunk.valid());
        offset += chunk.valid().len();
        for &byte in chunk.invalid() {
            if place.region == Region::Code {
                let line = 1 + bytes[..offset].iter().filter(|byte| **byte == b'\n').count();
                return Err(NotText { offset, line, byte });
            }
            let start = text.len();
            text.push(char::from(byte));
            let (_, count) = latin.get_or_insert((Span::new(start, text.len()), 0));
            *count += 1;
            place.pass(&[byte]);
            offset += 1;
        }
    }
    Ok((text, latin))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Region {
    #[default]
    Code,
    LineComment,
    BlockComment,
    Text,
}

/// Follows the text from the beginning as far as comments and strings go.
#[derive(Default)]
struct Place {
    region: Region,
    /// The byte before, unless it was already part of something.
    before: u8,
}

impl Place {
    fn pass(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let (region, before) = match (self.region, self.before, byte) {
                (Region::Code, b'-', b'-') => (Region::LineComment, 0),
                (Region::Code, b'/', b'*') => (Region::BlockComment, 0),
                (Region::Code, _, b'"') => (Region::Text, 0),
                (Region::LineComment, _, b'\n') => (Region::Code, 0),
                (Region::BlockComment, b'*', b'/') => (Region::Code, 0),
                (Region::Text, b'\\', _) => (Region::Text, 0),
                (Region::Text, _, b'"') => (Region::Code, 0),
                (region, _, byte) => (region, byte),
            };
            (self.region, self.before) = (region, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_and_byte_order_mark() {
        assert_eq!(decode("var ü".as_bytes()), Ok(("var ü".into(), None)));
        assert_eq!(decode(b"\xEF\xBB\xBFvar"), Ok(("var".into(), None)));
        assert_eq!(decode(b""), Ok((String::new(), None)));
    }

    #[test]
    fn latin_1_in_comments_and_strings() {
        for (bytes, text) in [
            (&b"-- M\xFCller\nvar"[..], "-- Müller\nvar"),
            (b"/* * \xE9 \xE8 */ x", "/* * é è */ x"),
            (b"rule \"\\\" \xE0\" x", "rule \"\\\" à\" x"),
            (b"-- caf\xE9", "-- café"),
        ] {
            let (decoded, latin) = decode(bytes).unwrap();
            assert_eq!(decoded, text);
            let (span, count) = latin.unwrap();
            assert!(!span.text(&decoded).is_ascii());
            assert_eq!(count, text.chars().filter(|character| !character.is_ascii()).count());
        }
    }

    #[test]
    fn other_bytes_are_errors_with_their_place() {
        for (bytes, offset, line) in [
            (&b"var\n x\xFF"[..], 6, 2),
            (b"-- ok \xE9\n\xE9", 8, 2),
            (b"\"a\" \x80", 4, 1),
            (b"/* */ \xC0", 6, 1),
            (b"\xEF\xBB\xBF\xFE", 3, 1),
        ] {
            let wrong = decode(bytes).unwrap_err();
            assert_eq!((wrong.offset, wrong.line), (offset, line), "{bytes:?}");
        }
    }

    #[test]
    fn unreadable_models_say_why() {
        let directory = tempfile::tempdir().unwrap();
        let message = |path: &Path| read(path).unwrap_err();
        assert!(message(directory.path()).contains("is a directory"));
        assert!(message(&directory.path().join("none.m")).contains("there is no file"));
        assert!(message(Path::new("")).contains("empty"));
        let large = directory.path().join("large.m");
        File::create(&large).unwrap().set_len(MOST_BYTES + 1).unwrap();
        assert!(message(&large).contains("larger than 64 MiB"));
        let fine = directory.path().join("fine.m");
        fs::write(&fine, b"-- \xFC \xFC").unwrap();
        let (source, warnings) = read(&fine).unwrap();
        assert_eq!(source.text, "-- ü ü");
        assert_eq!(warnings.len(), 1);
    }
}
