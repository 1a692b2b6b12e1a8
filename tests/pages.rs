//! The manual is true: commands print what the pages show, and examples are what they are said to
//! be.
//!
//! Fenced blocks of `README.md` and of the pages in `docs/`, those in `docs/internals/` left out,
//! are marked by the words behind the fence:
//!
//! | mark | what is done |
//! |---|---|
//! | `console` | each line that begins with `$ ` is run, and prints what follows it |
//! | `console head=4 tail=6` | only the first 4 and the last 6 lines of each output are shown |
//! | `murphi file=NAME` | is written to that file, for later commands of the page |
//! | `murphi change=NAME` | replaces the paragraph of that file that begins in the same way |
//! | `murphi append=NAME` | is appended to that file, after an empty line |
//! | `toml file=NAME`, `yaml file=NAME` | is written to that file |
//! | `murphi` | is a model without errors; a start state is added if it has none |
//! | `murphi error=CODE`, `warning=CODE`, `lint=CODE` | gets the diagnostic of that code |
//!
//! Blocks with other marks are left alone. Commands run in a scratch folder of the page, with
//! `models` in it, and verifiers are interpreted instead of built. Times, sizes, numbers of threads
//! and seeds do not count. `MCC_UPDATE_PAGES=1 cargo test -p mcc-murphi --test pages` rewrites what
//! is not as shown, for review by a person; `docs/internals/manual.md` says more.

#![cfg(test)]

#[path = "pages/blocks.rs"]
mod blocks;
#[path = "pages/console.rs"]
mod console;
#[path = "pages/grammar.rs"]
mod grammar;
#[path = "pages/language.rs"]
mod language;
mod support;

use blocks::Block;
use console::Session;
use mcc_murphi::diagnostics::{Severity, explain};
use mcc_murphi::source::Source;
use mcc_murphi::{check, check_with_advice, compile};
use std::path::{Path, PathBuf};
use support::{mcc, root, text};

const UPDATE: &str = "MCC_UPDATE_PAGES";
const HOW: &str = "to rewrite it: MCC_UPDATE_PAGES=1 cargo test -p mcc-murphi --test pages";

fn updates() -> bool {
    std::env::var_os(UPDATE).is_some_and(|value| value == "1")
}

/// The pages for users.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of pages") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("internals") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn name(page: &Path) -> String {
    page.strip_prefix(root()).unwrap_or(page).display().to_string()
}

#[test]
fn commands_print_what_the_pages_show() {
    let mut wrong = Vec::new();
    let mut run = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let blocks = blocks::of(&text);
        if !blocks.iter().any(|block| block.is("console") || block.names_a_file()) {
            continue;
        }
        let mut session = Session::new(&name(&page));
        let mut edits = Vec::new();
        for block in &blocks {
            if block.names_a_file() {
                if let Err(reason) = session.write(block) {
                    wrong.push(format!("{}:{}: {reason}", name(&page), block.line));
                }
            } else if block.is("console") {
                run += 1;
                let printed = session.run(block);
                if console::comparable(&printed) != console::comparable(block.body) {
                    let place = format!("{}:{}", name(&page), block.line);
                    wrong.push(format!("{place}\n--- shown\n{}--- printed\n{printed}", block.body));
                    edits.push((block, printed));
                }
            }
        }
        if updates() && !edits.is_empty() {
            std::fs::write(&page, blocks::with_bodies(&text, &edits)).expect("the page can be written");
        }
    }
    assert!(run >= 20, "{run} blocks of commands were found, so they are not found any more");
    if !updates() {
        assert!(wrong.is_empty(), "{}\n{HOW}", wrong.join("\n"));
    }
}

#[test]
fn examples_are_what_the_pages_say() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for block in blocks::of(&text).iter().filter(|block| block.is("murphi") && !block.names_a_file()) {
            checked += 1;
            if let Err(reason) = example(block) {
                wrong.push(format!("{}:{}: {reason}", name(&page), block.line));
            }
        }
    }
    assert!(checked >= 60, "{checked} examples were found, so they are not found any more");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn example(block: &Block) -> Result<(), String> {
    let expected = [
        (block.value("error"), Severity::Error),
        (block.value("warning"), Severity::Warning),
        (block.value("lint"), Severity::Warning),
        (block.value("note"), Severity::Note),
    ];
    let expected = expected.into_iter().find_map(|(code, severity)| Some((code?, severity)));
    let needs_start = expected.is_none_or(|(code, _)| code != "no-start-state")
        && !block.body.to_lowercase().contains("startstate");
    let model = format!("{}{}", block.body, if needs_start { "\nstartstate begin end;\n" } else { "" });
    let source = Source::new("example.m", model);
    let found = match block.value("lint").or(block.value("note")) {
        Some(_) => check_with_advice(&source),
        None => check(&source).1,
    };
    let listed: Vec<String> = found.iter().map(|one| format!("[{}] {}", one.code, one.message)).collect();
    match expected {
        Some((code, severity)) => {
            let there = found.iter().any(|one| one.code == code && one.severity == severity);
            let other_errors = found.iter().any(|one| one.severity == Severity::Error && one.code != code);
            (there && !other_errors).then_some(()).ok_or(format!("expected {code}, found {listed:?}"))
        }
        None => {
            let valid = found.iter().all(|one| one.severity != Severity::Error);
            let generated = compile(&source).generated.is_some();
            (valid && generated).then_some(()).ok_or(format!("expected a verifier, found {listed:?}"))
        }
    }
}

/// The compiler carries the page of diagnostics, so that `mcc explain` prints it.
#[test]
fn the_page_of_diagnostics_is_what_explain_prints() {
    let page = root().join("docs/reference/diagnostics.md");
    if updates() {
        std::fs::write(&page, explain::PAGE).expect("the page can be written");
    }
    let shown = std::fs::read_to_string(&page).expect("the page is there");
    assert!(shown == explain::PAGE, "docs/reference/diagnostics.md is not explanations.md; {HOW}");
    for arguments in
        [["explain", "unknown-name"], ["--explain", "unknown-name"], ["explain", "error[unknown-name]:"]]
    {
        let output = mcc().args(arguments).output().expect("mcc starts");
        assert_eq!(output.status.code(), Some(0), "{}", support::shown(&output));
        assert!(text(&output.stdout).contains("Nothing of this name is declared"), "{arguments:?}");
    }
    let output = mcc().args(["explain", "unknown-nam"]).output().expect("mcc starts");
    assert_eq!(output.status.code(), Some(2), "{}", support::shown(&output));
    assert!(text(&output.stderr).contains("is `unknown-name` meant?"), "{}", support::shown(&output));
}

/// Each option of a verifier has its place on the page of options, outside of what `--help` prints.
#[test]
fn the_page_of_options_has_every_option() {
    let page = std::fs::read_to_string(root().join("docs/reference/options.md")).expect("the page is there");
    let prose = blocks::outside(&page);
    let model = root().join("models/ping_pong.m");
    let output = mcc().arg("interpret").arg(model).args(["--", "--help"]).output().expect("mcc starts");
    let help = text(&output.stdout);
    // Texts of options are indented further than their names.
    let options = help.lines().filter_map(|line| {
        let indented = line.len() - line.trim_start().len();
        let at = (indented <= 6 && line.trim_start().starts_with('-')).then(|| line.find("--"))??;
        Some(line[at..].split([' ', '=', '[', ',']).next().unwrap_or_default())
    });
    let missing: Vec<&str> = options.filter(|option| !prose.contains(&format!("`{option}"))).collect();
    assert!(help.contains("--max-depth"), "{help}");
    assert!(missing.is_empty(), "docs/reference/options.md does not explain {missing:?}");
}

/// So does each subcommand, with its `--help` as it is printed.
#[test]
fn the_page_of_options_has_every_subcommand() {
    let page = std::fs::read_to_string(root().join("docs/reference/options.md")).expect("the page is there");
    let output = mcc().arg("--help").output().expect("mcc starts");
    let help = text(&output.stdout);
    let list = help.split_once("Subcommands:").and_then(|(_, rest)| rest.split_once("\n\n"));
    let list = list.expect("a list of subcommands").0;
    // Their descriptions are indented further than their names.
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split([' ', ',']).find(|word| !word.is_empty()));
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() >= 15, "{names:?}");
    let missing: Vec<&&str> =
        names.iter().filter(|one| !page.contains(&format!("$ mcc {one} --help"))).collect();
    assert!(missing.is_empty(), "docs/reference/options.md does not show the help of {missing:?}");
}

/// Each word of the language stands in an example of the reference, which is checked.
#[test]
fn the_reference_has_an_example_of_every_word() {
    let mut words = std::collections::BTreeSet::new();
    let is_reference = |page: &&PathBuf| page.parent().is_some_and(|folder| folder.ends_with("reference"));
    for page in pages().iter().filter(is_reference) {
        let text = std::fs::read_to_string(page).expect("a page");
        for block in blocks::of(&text).iter().filter(|block| block.is("murphi")) {
            let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_';
            words.extend(block.body.split(|one| !is_part(one)).map(str::to_lowercase));
        }
    }
    let path = root().join("editors/vscode/syntaxes/murphi.tmLanguage.json");
    let grammar = std::fs::read_to_string(path).expect("the grammar of editors, which has all words");
    let grammar: serde_json::Value = serde_json::from_str(&grammar).expect("it is JSON");
    let patterns = grammar["patterns"].as_array().expect("its patterns");
    let lists = patterns
        .iter()
        .filter_map(|one| one["match"].as_str()?.strip_prefix("(?i)\\b(?:")?.strip_suffix(")\\b"));
    let listed: Vec<&str> = lists.flat_map(|list| list.split('|')).collect();
    assert!(listed.len() > 80, "{listed:?}");
    let missing: Vec<&&str> = listed.iter().filter(|one| !words.contains(**one)).collect();
    assert!(missing.is_empty(), "docs/reference has no example with {missing:?}");
}

/// A page links to pages, not to files beside the manual: the book has only these.
#[test]
fn pages_link_to_pages() {
    let docs = root().join("docs");
    for page in pages().iter().filter(|page| page.starts_with(&docs)) {
        let text = std::fs::read_to_string(page).expect("a page");
        for (target, _) in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
            let path = target.split('#').next().unwrap_or_default();
            let is_outside = !target.contains("://")
                && page.parent().is_some_and(|folder| {
                    let up = path.split('/').filter(|part| *part == "..").count();
                    folder.strip_prefix(&docs).is_ok_and(|below| up > below.components().count())
                });
            assert!(!is_outside, "{}: {target} is not in the book", name(page));
            // mdBook makes `index.html` of a `README.md`.
            assert!(!path.ends_with("README.md") || page.ends_with("SUMMARY.md"), "{}: {target}", name(page));
        }
    }
}

/// Every page is in the table of contents, and nothing else is.
#[test]
fn the_table_of_contents_is_complete() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the summary is there");
    let listed: Vec<PathBuf> = summary
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| root().join("docs").join(target))
        .collect();
    for target in &listed {
        assert!(target.is_file(), "SUMMARY.md: {} does not exist", target.display());
    }
    let internals = std::fs::read_dir(root().join("docs/internals")).expect("the internals");
    let internals = internals.map(|entry| entry.expect("an entry").path());
    let internals = internals.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let outside = |path: &PathBuf| path.ends_with("docs/SUMMARY.md") || *path == root().join("README.md");
    let missing: Vec<String> = pages()
        .into_iter()
        .chain(internals)
        .filter(|path| !outside(path) && !listed.contains(path))
        .map(|path| name(&path))
        .collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}
