//! Where text goes, and whether it may be coloured.

use std::io::Write;

/// The outputs of a run. Errors in writing are ignored: a closed pipe must not end a search.
pub struct Console<'a> {
    /// Standard output, or what stands for it.
    pub out: &'a mut dyn Write,
    /// Standard error, or what stands for it.
    pub err: &'a mut dyn Write,
    pub out_is_terminal: bool,
    pub err_is_terminal: bool,
}

/// Colours, where they are wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paint {
    pub on: bool,
}

impl Paint {
    pub fn red(self, text: &str) -> String {
        self.wrap("31;1", text)
    }

    pub fn green(self, text: &str) -> String {
        self.wrap("32;1", text)
    }

    pub fn yellow(self, text: &str) -> String {
        self.wrap("33;1", text)
    }

    pub fn blue(self, text: &str) -> String {
        self.wrap("34;1", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self.on {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}
