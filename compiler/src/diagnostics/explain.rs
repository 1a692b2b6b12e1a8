//! What each code means: cause, remedy, an example. The text is a page of the manual.

/// The page `docs/reference/diagnostics.md`, of which a test ensures that it is this text.
pub const PAGE: &str = include_str!("explanations.md");

/// The part of the page about a code, without its heading.
pub fn explain(code: &str) -> Option<&'static str> {
    sections().find(|(heading, _)| *heading == code).map(|(_, text)| text)
}

/// The codes that the page explains, in its order.
pub fn codes() -> impl Iterator<Item = &'static str> {
    sections().map(|(heading, _)| heading)
}

fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.split("\n### ").skip(1).filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        // What follows may be the heading of the next group.
        let text = text.split_once("\n## ").map_or(text, |(text, _)| text);
        Some((heading, text.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn a_code_is_explained_by_its_own_section() {
        let text = explain("type-mismatch").expect("there is such a code");
        assert!(text.starts_with("The type of a value differs"), "{text}");
        assert!(!text.contains("boolean-needed"), "{text}");
        let last_of_group = explain("internal").expect("there is such a code");
        assert!(!last_of_group.contains("Names"), "{last_of_group}");
        assert_eq!(explain("no-such-code"), None);
    }

    #[test]
    fn every_code_has_a_remedy() {
        let without: Vec<_> = sections().filter(|(_, text)| !text.contains("Remedy: ")).collect();
        assert!(without.is_empty(), "without a remedy in explanations.md: {without:?}");
    }

    /// A code is the first argument of a diagnostic, anywhere in the compiler; or it comes to that
    /// place by way of a name, in folders where nothing but codes are words with hyphens.
    #[test]
    fn every_code_of_the_compiler_is_explained() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut found = BTreeSet::new();
        collect(&source, &mut found, written);
        for folder in ["syntax", "semantics", "analysis", "source"] {
            collect(&source.join(folder), &mut found, hyphenated);
        }
        let explained: BTreeSet<String> = codes().map(str::to_owned).collect();
        let missing: Vec<_> = found.difference(&explained).collect();
        let stale: Vec<_> = explained.difference(&found).collect();
        assert!(missing.is_empty(), "without a section in explanations.md: {missing:?}");
        assert!(stale.is_empty(), "in explanations.md, and no code of the compiler: {stale:?}");
        assert_eq!(codes().count(), explained.len(), "a code is explained twice");
    }

    fn collect(folder: &Path, found: &mut BTreeSet<String>, codes: fn(&str, &mut BTreeSet<String>)) {
        for entry in std::fs::read_dir(folder).expect("a folder of the compiler") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, found, codes);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test(&path) {
                let text = std::fs::read_to_string(&path).expect("a source file");
                codes(text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default(), found);
            }
        }
    }

    fn is_test(path: &Path) -> bool {
        path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs")
    }

    /// `Diagnostic::error("code", …`, on one line or on two.
    fn written(code: &str, found: &mut BTreeSet<String>) {
        for severity in ["error", "warning", "note"] {
            for rest in code.split(&format!("Diagnostic::{severity}(")).skip(1) {
                let literal = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
                found.extend(literal.map(|(literal, _)| literal.to_owned()));
            }
        }
    }

    fn hyphenated(code: &str, found: &mut BTreeSet<String>) {
        for literal in code.split('"').skip(1) {
            let is_code = literal.contains('-')
                && !literal.starts_with('-')
                && !literal.ends_with('-')
                && literal.chars().all(|it| it.is_ascii_lowercase() || it == '-');
            if is_code {
                found.insert(literal.to_owned());
            }
        }
    }
}
