//! What a verifier says on standard error while it searches: progress goes to the callback, the
//! rest is kept.

use super::options::Callback;
use crate::report::progress;
use std::io::{self, Write};

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// States that were found.
    pub states: u64,
    /// Rules that were fired.
    pub rules: u64,
    /// States that wait to be expanded.
    pub waiting: u64,
    /// Wall-clock time since the search began.
    pub seconds: f64,
}

/// Takes a verifier's text apart, line by line.
pub struct Listener {
    callback: Option<Callback>,
    line: Vec<u8>,
    kept: String,
}

impl Listener {
    pub(super) fn new(callback: Option<Callback>) -> Listener {
        Listener { callback, line: Vec::new(), kept: String::new() }
    }

    /// Everything that was said and was no progress.
    pub fn said(mut self) -> String {
        self.end_line();
        self.kept
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line).into_owned();
        self.line.clear();
        match progress::read_line(&line) {
            Some((states, rules, waiting, seconds)) => {
                if let Some(callback) = &self.callback {
                    callback(Progress { states, rules, waiting, seconds });
                }
            }
            None if line.is_empty() && self.kept.is_empty() => {}
            None => {
                self.kept.push_str(&line);
                self.kept.push('\n');
            }
        }
    }
}

impl Write for Listener {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            self.line.extend_from_slice(text);
            if ends {
                self.end_line();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Level;
    use crate::search::Counts;
    use std::sync::{Arc, Mutex};

    #[test]
    fn what_progress_prints_is_what_is_read() {
        let counts =
            Counts { states: 1_234_567, rules: 7_654_321, queue: 12, depth: Level(3), ..Counts::default() };
        let mut text = b"warning: x\n".to_vec();
        progress::Progress::lines(1000).tell(&mut text, &counts);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let to = seen.clone();
        let mut listener = Listener::new(Some(Arc::new(move |progress| to.lock().unwrap().push(progress))));
        // In pieces, as pipes give them.
        for piece in text.chunks(7) {
            listener.write_all(piece).unwrap();
        }
        assert_eq!(listener.said(), "warning: x\n\n");
        let seen = seen.lock().unwrap();
        assert_eq!(seen.len(), 1);
        assert_eq!((seen[0].states, seen[0].rules, seen[0].waiting), (1_234_567, 7_654_321, 12));
    }
}
