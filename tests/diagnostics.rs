//! What `mcc` says about wrong models. Each model of `tests/diagnostics/` has a mistake, or
//! several; a snapshot shows its text and, under it, what the user reads.

#![cfg(test)]

mod support;

use insta::{Settings, glob};
use mcc_murphi::diagnostics::render::{Style, render};
use mcc_murphi::diagnostics::{Diagnostic, Severity};
use mcc_murphi::source::{Source, Span};
use mcc_murphi::{check, check_with_advice};
use std::path::Path;
use support::{mcc, root, scratch, shown};

/// A line of a snapshot longer than this is cut: what deep nesting looks like is no news.
const LONGEST_LINE: usize = 160;

#[test]
fn wrong_models() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("snapshots/diagnostics");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        glob!("diagnostics/**/*.m", |path| {
            let source = read(path);
            let found = match is_in(path, "lints") {
                true => check_with_advice(&source),
                false => check(&source).1,
            };
            expect_severity(path, &found);
            for diagnostic in &found {
                expect_places(path, &source, diagnostic);
            }
            let drawn = render(&source, &found, Style::default());
            assert!(!drawn.contains('\u{1b}'), "{}: colour where none was asked for", path.display());
            insta::assert_snapshot!(side_by_side(&source.text, &drawn));
        });
    });
}

fn is_in(path: &Path, folder: &str) -> bool {
    path.parent().is_some_and(|parent| parent.ends_with(folder))
}

/// The models in `warnings/` are legal and those in `lints/` are until `--check` looks closer; the
/// others are not.
fn expect_severity(path: &Path, found: &[Diagnostic]) {
    let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    if is_in(path, "warnings") || is_in(path, "lints") {
        assert_eq!(errors, 0, "{} has an error: {found:?}", path.display());
        assert!(!found.is_empty(), "{} has no warning", path.display());
    } else {
        assert!(errors > 0, "{} has no error", path.display());
    }
}

/// Every place that a diagnostic names lies inside the model and cuts no character in two.
fn expect_places(path: &Path, source: &Source, diagnostic: &Diagnostic) {
    for label in std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary) {
        let Span { start, end } = label.span;
        let range = start as usize..end as usize;
        assert!(start <= end, "{}: {diagnostic:?} ends before it starts", path.display());
        assert!(source.text.get(range).is_some(), "{}: {diagnostic:?} is outside the model", path.display());
    }
    assert!(!diagnostic.message.is_empty(), "{}: nothing is said", path.display());
    assert!(!diagnostic.message.ends_with('.'), "{}: messages are no sentences", path.display());
    let code = diagnostic.code;
    assert!(
        !code.is_empty() && code.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
        "{}: `{code}` is not a code",
        path.display()
    );
}

/// The command says the same, on standard error, and ends with 2.
#[test]
fn the_command_ends_with_two() {
    let folder = root().join("tests/diagnostics");
    for name in ["syntax_missing_end", "name_unknown", "several_of_all_kinds", "temporal_mistakes"] {
        let path = folder.join(name).with_extension("m");
        let verifier = scratch("diagnostics").join(name);
        let output = mcc().arg(&path).arg("-o").arg(&verifier).output().expect("mcc starts");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(output.stdout.is_empty(), "{}", shown(&output));
        assert!(!verifier.exists(), "{name}: a verifier of a wrong model");
        let source =
            Source::new(path.display().to_string(), std::fs::read_to_string(&path).expect("it is there"));
        let said = support::text(&output.stderr);
        for diagnostic in check(&source).1 {
            assert!(said.contains(&diagnostic.message), "{name}: `{}` is not in\n{said}", diagnostic.message);
            let at = source.position(diagnostic.primary.span.start);
            let place = format!("{name}.m:{}:{}", at.line, at.column);
            assert!(said.contains(&place), "{name}: {place} is not in\n{said}");
        }
    }
}

/// Warnings are shown, and do not hinder.
#[test]
fn the_command_goes_on_after_warnings() {
    let path = root().join("tests/diagnostics/warnings/priority.m");
    let output = mcc().arg("--check").arg(&path).output().expect("mcc starts");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(support::text(&output.stderr).contains("warning"), "{}", shown(&output));
}

fn read(path: &Path) -> Source {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Source::new(name, std::fs::read_to_string(path).expect("the model can be read"))
}

fn side_by_side(model: &str, drawn: &str) -> String {
    let text = format!("{}\n\n{:─<80}\n{}", model.trim_end(), "", drawn.trim_end());
    let cut = |line: &str| match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    };
    text.lines().map(cut).collect::<Vec<_>>().join("\n")
}
