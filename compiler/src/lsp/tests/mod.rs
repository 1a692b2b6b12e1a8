//! Drives the server over its protocol, as an editor does.

mod client;
mod edits;
mod hostile;
mod session;

use std::path::{Path, PathBuf};

use super::names::Names;
use crate::input;
use crate::source::Source;
use crate::syntax::keywords::is_keyword;
use crate::syntax::scan::{TokenKind, scan};
use crate::syntax::{parse, words::Word};
use client::{Client, QUESTIONS};

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
}

fn own_models() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    models(&root.join("models"), &mut found);
    found.sort();
    found
}

/// Our models, without the largest, and foreign ones if they are there.
fn every_model() -> Vec<PathBuf> {
    let mut found = own_models();
    found.retain(|path| std::fs::metadata(path).is_ok_and(|about| about.len() < 20_000));
    for variable in ["MCC_CMURPHI_EXAMPLES", "MCC_RUMUR_TESTS"] {
        if let Some(folder) = std::env::var_os(variable) {
            models(Path::new(&folder), &mut found);
        }
    }
    found.sort();
    found
}

/// In a model without mistakes, every name stands for something. Otherwise renaming would miss it.
#[test]
fn every_name_of_a_model_is_resolved() {
    let mut checked = 0;
    for path in own_models() {
        let (source, _) = input::read(&path).unwrap();
        let Some(program) = parse(&source).0 else { continue };
        if crate::check(&source).0.is_none() {
            continue;
        }
        let names = Names::of(&program, source.text.len());
        for token in scan(&source.text).tokens {
            let text = token.span.text(&source.text);
            let is_name = matches!(token.kind, TokenKind::Word(Word::Other)) && !is_keyword(text);
            if !is_name || text.eq_ignore_ascii_case("boolean") {
                continue;
            }
            let found = names.at(token.span.start as usize).filter(|one| one.span == token.span);
            let line = source.position(token.span.start).line;
            let one = found.unwrap_or_else(|| panic!("{}:{line}: {text}", path.display()));
            assert_eq!(names.symbol(one.symbol).unwrap().name, text);
            checked += 1;
        }
    }
    assert!(checked > 5_000, "{checked} names");
}

/// Every question, at several places, about models right and wrong. An internal error is a failure.
#[test]
fn no_model_crashes_the_server() {
    let found = every_model();
    let mut client = Client::start("utf-16");
    for path in found {
        let Ok((source, _)) = input::read(&path) else { continue };
        let Source { text, .. } = source;
        let lines = text.lines().count() as u32;
        client.open(&text);
        let diagnostics = client.diagnostics();
        assert!(diagnostics.is_array(), "{}", path.display());
        for line in [0, lines / 3, lines / 2, lines] {
            for method in QUESTIONS {
                // A refusal is an answer, too.
                let _ = client.ask(method, line, 7);
            }
        }
        client.close();
    }
}
