//! Checks that the modules of a crate form a stack of layers, by what their sources name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What a crate promises about its modules.
pub struct Layers<'a> {
    /// From the bottom to the top. A module may name modules of lower layers, and those to its left
    /// in its own.
    pub layers: &'a [&'a [&'a str]],
    /// Modules that know nothing of each other, although one stands above the other.
    pub apart: &'a [(&'a str, &'a str)],
    /// Modules that re-export what others define. What they name, and who names them, is not
    /// checked.
    pub facades: &'a [&'a str],
    /// Files that only tests include, besides those called `tests.rs` or in a folder `tests`.
    pub test_files: &'a [&'a str],
}

impl Layers<'_> {
    /// `from -> to: file` of each import upwards in the crate whose manifest lies here.
    pub fn upwards(&self, manifest_directory: &str) -> BTreeSet<String> {
        let root = Path::new(manifest_directory).join("src");
        let mut files = Vec::new();
        sources(&root, &mut files);
        assert!(!files.is_empty(), "there are no sources in {}", root.display());
        let mut found = BTreeSet::new();
        for path in files {
            let file = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            if self.is_test(&file) {
                continue;
            }
            let from = file.split('/').next().unwrap_or_default().trim_end_matches(".rs");
            if self.facades.contains(&from) {
                continue;
            }
            let own = self.rank(from).unwrap_or_else(|| panic!("{from} is in no layer: add it"));
            for to in named(without_tests(&std::fs::read_to_string(&path).unwrap())) {
                // What is no module is an item of the façade.
                let upwards_or_across = self.rank(&to).is_some_and(|other| other > own)
                    || self.apart.contains(&(from, to.as_str()));
                if to != from && upwards_or_across {
                    found.insert(format!("{from} -> {to}: {file}"));
                }
            }
        }
        found
    }

    fn is_test(&self, file: &str) -> bool {
        let is_tests = |part: &str| part == "tests" || part == "tests.rs" || part.ends_with("_tests.rs");
        file.split('/').any(is_tests) || self.test_files.contains(&file)
    }

    /// The number of a module's layer and its place in it.
    fn rank(&self, module: &str) -> Option<(usize, usize)> {
        self.layers.iter().enumerate().find_map(|(layer, modules)| {
            modules.iter().position(|name| *name == module).map(|place| (layer, place))
        })
    }
}

/// A file's text without its unit tests, which may use whatever they like.
fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod ").map_or(text, |at| &text[..at])
}

/// The names that a text has directly after `crate::`, those of a list in braces included.
fn named(text: &str) -> BTreeSet<String> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => found.extend(listed(list)),
            None => found.extend([word(rest)]),
        }
    }
    found
}

/// The first word of each item of a list that ends with a closing brace.
fn listed(list: &str) -> Vec<String> {
    let (mut depth, mut words, mut start) = (0, Vec::new(), 0);
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                words.push(word(list[start..at].trim()));
                start = at + 1;
                if character == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    words
}

fn word(text: &str) -> String {
    text.chars().take_while(|character| *character == '_' || character.is_alphanumeric()).collect()
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
fn names_are_found_in_paths_and_lists() {
    let text = "use crate::one::Item;\n// crate::comment\nuse crate::{two::{a, b}, three};\n\
                fn f() { crate::four() }\n#[cfg(test)]\nmod tests { use crate::five; }\n";
    let found: Vec<String> = named(without_tests(text)).into_iter().collect();
    assert_eq!(found, ["four", "one", "three", "two"]);
}
