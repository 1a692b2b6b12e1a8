//! Why a run does not begin: a bad command line, options that cannot be combined, a directory that
//! is not there, a checkpoint that does not fit.
//!
//! A [`Refusal`] says what is refused, why, and what to do instead. Its text is formatted here, and
//! nowhere else:
//!
//! ```text
//! error: --sleep: sleep sets are not saved (--checkpoint, --resume)
//!
//!   try: one of the two
//! ```

use std::borrow::Cow;
use std::fmt;

/// A run that was refused before it began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    what: Cow<'static, str>,
    why: Cow<'static, str>,
    details: Vec<String>,
    instead: Vec<Cow<'static, str>>,
}

impl Refusal {
    /// What is refused, as a rule an option as it is typed, and why.
    pub fn of(what: impl Into<Cow<'static, str>>, why: impl Into<Cow<'static, str>>) -> Self {
        Refusal { what: what.into(), why: why.into(), details: Vec::new(), instead: Vec::new() }
    }

    /// Refuses something else for the same reason.
    #[must_use]
    pub fn about(mut self, what: impl Into<Cow<'static, str>>) -> Self {
        self.what = what.into();
        self
    }

    /// A line below the reason.
    #[must_use]
    pub fn detail(mut self, line: String) -> Self {
        self.details.push(line);
        self
    }

    /// What to do instead; where this is said more than once, any of it.
    #[must_use]
    pub fn instead(mut self, instead: impl Into<Cow<'static, str>>) -> Self {
        self.instead.push(instead.into());
        self
    }
}

/// All lines, each with its end.
impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { what, why, details, instead } = self;
        writeln!(out, "error: {what}: {why}")?;
        for detail in details {
            writeln!(out, "  {detail}")?;
        }
        for (at, instead) in instead.iter().enumerate() {
            if at == 0 {
                writeln!(out, "\n  try: {instead}")?;
            } else {
                writeln!(out, "  or {instead}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::Refusal;

    #[test]
    fn what_why_and_instead() {
        assert_eq!(Refusal::of("--json", "no").to_string(), "error: --json: no\n");
        let refusal = Refusal::of("--resume", "another search").detail("-b: on there".to_owned());
        let refusal = refusal.instead("./v -b").instead("begin anew");
        let expected = "error: --resume: another search\n  -b: on there\n\n  try: ./v -b\n  or begin anew\n";
        assert_eq!(refusal.to_string(), expected);
    }
}
