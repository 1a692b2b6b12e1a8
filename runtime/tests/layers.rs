//! The runtime is a stack of layers: a module imports only from its own layer and from those below.
//!
//! `KNOWN` lists the imports upwards that are still there. An import that is not listed fails the
//! test, and so does an entry that is no longer needed: the list can only become shorter.

#![cfg(test)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// From the bottom to the top. Modules of one line may import each other only from right to left.
const LAYERS: &[&[&str]] = &[
    &["random", "sync", "text", "interruption", "refusal", "datum"],
    &["contract"],
    &["memory", "storage"],
    &["state", "hashing"],
    &["bounds"],
    &["checkpoint", "spool"],
    &["cluster"],
    &["serve"],
    &["reduction"],
    &["visited", "frontier"],
    &["settings"],
    &["expansion"],
    &["trace"],
    &["search"],
    &["locality", "temporal", "graph"],
    &["report"],
    &["cli", "run"],
    &["embedding"],
];

/// Modules that hand on what others define: the crate's face, and what generated code imports.
const FACADES: &[&str] = &["lib", "generated"];

/// `from -> to: file` of each import upwards that is still to be untied.
const KNOWN: &[&str] = &[];

/// The number of a module's layer and its place in it.
fn rank(module: &str) -> Option<(usize, usize)> {
    LAYERS.iter().enumerate().find_map(|(layer, modules)| {
        modules.iter().position(|name| *name == module).map(|place| (layer, place))
    })
}

/// A file's text without its unit tests, which may use whatever they like.
fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests").map_or(text, |at| &text[..at])
}

/// The modules of this crate that a text names.
fn named(text: &str) -> BTreeSet<String> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| rest.chars().take_while(|character| *character == '_' || character.is_alphanumeric()))
        .map(Iterator::collect)
        .collect()
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_imports_upwards() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut upwards = BTreeSet::new();
    for path in files {
        let file = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        // Files that only tests include.
        if file.ends_with("tests.rs") || TEST_FILES.contains(&file.as_str()) {
            continue;
        }
        let from = file.split('/').next().unwrap().trim_end_matches(".rs");
        if FACADES.contains(&from) {
            continue;
        }
        let own = rank(from).unwrap_or_else(|| panic!("{from} is in no layer: add it to LAYERS"));
        for to in named(without_tests(&std::fs::read_to_string(&path).unwrap())) {
            if to == from || FACADES.contains(&to.as_str()) {
                continue;
            }
            match rank(&to) {
                Some(other) if other.0 > own.0 || other.0 == own.0 && other.1 > own.1 => {
                    upwards.insert(format!("{from} -> {to}: {file}"));
                }
                Some(_) => {}
                // An item of the façade, such as `crate::main`.
                None => {}
            }
        }
    }
    let known: BTreeSet<String> = KNOWN.iter().map(|&line| line.to_owned()).collect();
    let new: Vec<_> = upwards.difference(&known).collect();
    let gone: Vec<_> = known.difference(&upwards).collect();
    assert!(new.is_empty(), "imports upwards:\n{new:#?}");
    assert!(gone.is_empty(), "no longer needed in KNOWN:\n{gone:#?}");
}

/// Test modules that are files of their own under another name.
const TEST_FILES: &[&str] = &["search/faulty_disk.rs", "search/killed.rs", "search/large_numbers.rs"];
