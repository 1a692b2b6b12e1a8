//! What is wrong with a model, as an editor underlines it, and the replacements that repair it.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeDescription, Diagnostic as Shown,
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Range,
    TextEdit, Uri, WorkspaceEdit,
};

use super::text::Lines;
use crate::diagnostics::{Diagnostic, Severity};
use crate::source::{Source, Span};

pub const ORIGIN: &str = "mcc";

pub fn shown(uri: &Uri, lines: &Lines, one: &Diagnostic) -> Shown {
    let mut message = one.message.clone();
    if !one.primary.text.is_empty() {
        message += &format!(" ({})", one.primary.text);
    }
    if let Some(help) = &one.help {
        message += &format!("\nhelp: {help}");
    }
    let related = one.secondary.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), lines.range(label.span)),
        message: label.text.clone(),
    });
    let unused = one.code.starts_with("unused") || one.code.starts_with("never");
    Shown {
        range: lines.range(one.primary.span),
        severity: Some(match one.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(one.code.to_owned())),
        code_description: None::<CodeDescription>,
        source: Some(ORIGIN.to_owned()),
        message,
        related_information: Some(related.collect()),
        tags: unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// The remedies at a place that are a replacement of the text there.
pub fn actions(
    uri: &Uri,
    source: &Source,
    lines: &Lines,
    found: &[Diagnostic],
    at: Range,
) -> Vec<CodeActionOrCommand> {
    let (start, end) = (lines.offset(at.start) as u32, lines.offset(at.end) as u32);
    let touches = |one: &&Diagnostic| one.primary.span.start <= end && start <= one.primary.span.end;
    let action = |one: &Diagnostic| {
        let (span, text) = replacement(source, one)?;
        let edit = TextEdit::new(lines.range(span), text.clone());
        // The key is what the protocol asks for.
        #[allow(clippy::mutable_key_type)]
        let changes = HashMap::from([(uri.clone(), vec![edit])]);
        Some(CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("Replace `{}` by `{text}`", span.text(&source.text)),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![shown(uri, lines, one)]),
            edit: Some(WorkspaceEdit::new(changes)),
            is_preferred: Some(true),
            ..CodeAction::default()
        }))
    };
    found.iter().filter(touches).filter_map(action).collect()
}

/// What to write in place of what is underlined, where the help says exactly that.
fn replacement(source: &Source, one: &Diagnostic) -> Option<(Span, String)> {
    let span = one.primary.span;
    let underlined = span.text(&source.text);
    if underlined == "//" {
        return Some((span, "--".to_owned()));
    }
    let help = one.help.as_deref()?;
    if let Some(name) = help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?")) {
        return Some((span, name.to_owned()));
    }
    // `'text'` becomes `"text"`.
    let quoted = help.strip_prefix("write ").filter(|rest| rest.starts_with('"') && rest.ends_with('"'));
    quoted.filter(|_| underlined.starts_with('\'')).map(|text| (span, text.to_owned()))
}
