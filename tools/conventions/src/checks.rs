//! The checks. Each goes through all files and says what it found where.

use crate::files::{File, Kind};
use crate::prose::{Line, lines};
use crate::words;
use std::collections::BTreeSet;
use std::path::Path;

/// Columns that a line of prose may have.
pub const WIDTH: usize = 100;

/// Something that breaks a convention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub group: String,
    pub path: String,
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Check {
    /// Prose within 100 columns
    Width,
    /// Words of the field
    Words,
    /// Files that are named in backquotes exist
    Paths,
    /// Relative links lead to files and headings
    Links,
    /// Rust files open with what they are for
    Heads,
}

pub const CHECKS: [Check; 5] = [Check::Width, Check::Words, Check::Paths, Check::Links, Check::Heads];

impl Check {
    pub fn name(self) -> &'static str {
        match self {
            Check::Width => "width",
            Check::Words => "words",
            Check::Paths => "paths",
            Check::Links => "links",
            Check::Heads => "heads",
        }
    }

    /// All findings in these files; `root` is where links and names of files lead.
    pub fn run(self, files: &[File], root: &Path) -> Vec<Finding> {
        let mut findings = Vec::new();
        for file in files {
            let mut report = |line: usize, message: String| {
                let (group, path) = (file.group().to_owned(), file.path.clone());
                findings.push(Finding { group, path, line: line + 1, message });
            };
            match self {
                Check::Width => width(file, &mut report),
                Check::Words => language(file, &mut report),
                Check::Paths => paths(file, root, &mut report),
                Check::Links => links(file, files, root, &mut report),
                Check::Heads => head(file, &mut report),
            }
        }
        findings
    }
}

fn width(file: &File, report: &mut impl FnMut(usize, String)) {
    let raw: Vec<&str> = file.text.lines().collect();
    for line in lines(file) {
        let columns = raw.get(line.number).map_or(0, |raw| raw.chars().count());
        // An address cannot be divided.
        if columns > WIDTH && !line.text.contains("://") {
            report(line.number, format!("{columns} columns"));
        }
    }
}

fn language(file: &File, report: &mut impl FnMut(usize, String)) {
    // The lists themselves.
    if file.path.starts_with("tools/conventions/") {
        return;
    }
    for line in lines(file) {
        for (phrase, instead) in words::found(&line.words()) {
            report(line.number, format!("\"{phrase}\": {instead}"));
        }
        let openings = words::OPENINGS.iter();
        if let Some(opening) = openings.filter(|_| line.opens_doc).find(|it| line.text.starts_with(**it)) {
            report(line.number, format!("\"{opening}\" opens a doc comment, which is read alone"));
        }
    }
}

/// Folders at the top of the repository; a name that begins with one of them is a file's.
const FOLDERS: [&str; 8] =
    ["compiler/", "docs/", "models/", "runtime/", "templates/", "tests/", "tools/", ".ci/"];

fn paths(file: &File, root: &Path, report: &mut impl FnMut(usize, String)) {
    // The changelog tells of what was there at the time.
    if file.path == "CHANGELOG.md" {
        return;
    }
    let all = |line: &Line| line.quoted().map(str::to_owned).collect::<Vec<_>>();
    // Names in tables count, so this does not go by prose alone in Markdown.
    let quoted: Vec<(usize, String)> = match file.kind {
        Kind::Rust => lines(file)
            .iter()
            .flat_map(|line| all(line).into_iter().map(|name| (line.number, name)))
            .collect(),
        Kind::Markdown => outside_code(&file.text)
            .flat_map(|(number, line)| {
                line.split('`').skip(1).step_by(2).map(move |name| (number, name.to_owned()))
            })
            .collect(),
    };
    for (number, name) in quoted {
        let is_path = FOLDERS.iter().any(|folder| name.starts_with(folder));
        let is_pattern = name.contains(['*', '{', '<', ' ', '…', ':', '$', '(']) || name.contains("NAME");
        // So does what belongs to the crate or the page.
        let home = file.path.rsplit_once("/src/").or(file.path.rsplit_once('/')).map_or("", |(home, _)| home);
        if is_path && !is_pattern && !root.join(&name).exists() && !root.join(home).join(&name).exists() {
            report(number, format!("`{name}` does not exist"));
        }
    }
}

/// The lines of a Markdown file that are not inside fenced code.
fn outside_code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

fn links(file: &File, files: &[File], root: &Path, report: &mut impl FnMut(usize, String)) {
    if file.kind != Kind::Markdown {
        return;
    }
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    for (number, line) in outside_code(&file.text) {
        let outside: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for link in outside.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let target = link.0;
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let full = if path.is_empty() { file.path.clone() } else { resolved(folder, path) };
            if !root.join(&full).exists() {
                report(number, format!("{target} leads nowhere"));
            } else if !anchor.is_empty()
                && let Some(page) = files.iter().find(|file| file.path == full)
                && !anchors(&page.text).contains(anchor)
            {
                report(number, format!("{target}: there is no such heading"));
            }
        }
    }
}

/// A relative path, seen from the top of the repository.
fn resolved(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The headings of a page, in the form in which links name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = outside_code(text).filter(|(_, line)| line.starts_with('#'));
    let named = headings.map(|(_, line)| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it));
        kept.map(|it| if it == ' ' { '-' } else { it }).collect()
    });
    named.collect()
}

fn head(file: &File, report: &mut impl FnMut(usize, String)) {
    let first = file.text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("#!"));
    if file.kind == Kind::Rust && !first.unwrap_or("").starts_with("//!") {
        report(0, "does not open with `//!`".to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(check: Check, kind: Kind, text: &str) -> Vec<(usize, String)> {
        let file = File { path: "docs/page".to_owned(), kind, text: text.to_owned() };
        let findings = check.run(&[file], &crate::files::root());
        findings.into_iter().map(|finding| (finding.line, finding.message)).collect()
    }

    #[test]
    fn only_prose_is_measured() {
        let long = "x ".repeat(60);
        let text = format!("{long}\n| {long}\n```\n{long}\n```\nhttps://{long}");
        assert_eq!(found(Check::Width, Kind::Markdown, &text), [(1, "120 columns".to_owned())]);
        let code = format!("let a = \"{long}\";\n// {long}");
        assert_eq!(found(Check::Width, Kind::Rust, &code), [(2, "123 columns".to_owned())]);
    }

    #[test]
    fn words_are_reported_and_names_are_not() {
        let text = "/// The same, `told` here.\nlet a = \"told\"; // It is told.";
        let lines: Vec<usize> = found(Check::Words, Kind::Rust, text).iter().map(|it| it.0).collect();
        assert_eq!(lines, [1, 2]);
    }

    #[test]
    fn links_lead_somewhere() {
        let text = "# A b, `c`!\n[x](page#a-b-c) [y](../README.md) `[z](no)`\n[u](https://example.org)";
        let with_page = found(Check::Links, Kind::Markdown, text);
        // The page itself is not on the disk.
        assert_eq!(with_page, [(2, "page#a-b-c leads nowhere".to_owned())]);
        let broken = found(Check::Links, Kind::Markdown, "[x](../nowhere.md)\n[y](../README.md#nowhere)");
        assert_eq!(broken.len(), 1, "{broken:?}");
        assert!(anchors("# A b, `c`!").contains("a-b-c"));
    }

    #[test]
    fn named_files_exist() {
        let text = "`docs/nowhere.md` `runtime/src/lib.rs` `docs/*.md`";
        assert_eq!(found(Check::Paths, Kind::Markdown, text).len(), 1);
    }

    #[test]
    fn files_open_with_what_they_are_for() {
        assert!(found(Check::Heads, Kind::Rust, "//! A head.").is_empty());
        assert_eq!(found(Check::Heads, Kind::Rust, "use std::fs;").len(), 1);
    }
}
