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

/// Columns of a line where the output is no terminal, or its size is unknown.
pub const WIDTH: usize = 100;
/// Narrower than that, text is not laid out: the terminal breaks it.
const LEAST: usize = 40;

/// Columns of the terminal that standard output is, if it is one.
pub fn width(is_terminal: bool) -> usize {
    if !is_terminal {
        return WIDTH;
    }
    let columns = terminal_columns().unwrap_or(WIDTH);
    columns.max(LEAST)
}

#[cfg(unix)]
fn terminal_columns() -> Option<usize> {
    // SAFETY: all bytes of this struct may be zero.
    let mut size: libc::winsize = unsafe { std::mem::zeroed() };
    // SAFETY: the call writes to `size`, which lives long enough, and to nothing else.
    let answer = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (answer == 0 && size.ws_col > 0).then(|| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn terminal_columns() -> Option<usize> {
    None
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

    pub fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub fn blue(self, text: &str) -> String {
        self.wrap("34;1", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
