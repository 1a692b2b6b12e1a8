//! What the compiler has to say about a model. A diagnostic is data; it is drawn in one place.

pub mod explain;
pub mod json;
pub mod render;

use serde::Serialize;

use crate::source::Span;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// There is no verifier of such a model.
    Error,
    /// Something is probably not what was meant.
    Warning,
    /// Advice: nothing is wrong.
    Note,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One finding: what is wrong, where, and, where it is known, what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    pub severity: Severity,
    /// A stable short name such as `unknown-name`, by which documentation and tests refer to it.
    pub code: &'static str,
    pub message: String,
    /// The exact place, underlined.
    pub primary: Label,
    /// Other places that explain it, such as an earlier declaration.
    pub secondary: Vec<Label>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message.into())
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message.into())
    }

    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Self {
        let primary = Label { span, text: String::new() };
        Diagnostic { severity, code, message, primary, secondary: Vec::new(), help: None }
    }

    /// What stands beside the underlined place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
