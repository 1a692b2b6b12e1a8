//! The grammar of the manual is that of the parser.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mcc_murphi::check;
use mcc_murphi::source::Source;

use super::grammar::{self, Grammar};
use super::name;
use super::support::root;

/// The page of the grammar and the parser have the same words and signs.
#[test]
fn the_grammar_has_the_words_of_the_parser() {
    let literals = documented_grammar().literals();
    let path = root().join("compiler/src/syntax/murphi.pest");
    let parser = std::fs::read_to_string(path).expect("the grammar of the parser").to_lowercase();
    let unknown: Vec<&String> = literals
        .iter()
        .filter(|one| !parser.contains(&format!("\"{one}\"")) && !one.starts_with("end"))
        .collect();
    assert!(unknown.is_empty(), "docs/reference/grammar.md, and not the parser: {unknown:?}");
    let words = parser.lines().filter(|line| line.contains("~ word_end"));
    let words = words.filter(|line| !line.starts_with("reserved") && !line.starts_with("end_suffix"));
    let words: Vec<&str> = words
        .flat_map(|line| line.split("^\"").skip(1))
        .filter_map(|rest| rest.split_once('"'))
        .map(|(word, _)| word)
        .filter(|word| !["externfun", "externproc", "real"].contains(word))
        .collect();
    assert!(words.len() > 80, "{words:?}");
    let missing: Vec<&&str> = words.iter().filter(|word| !literals.contains(**word)).collect();
    assert!(missing.is_empty(), "docs/reference/grammar.md does not have {missing:?}");
}

/// The grammar of the page recognises every model that the parser accepts, also after a word of it
/// was removed or doubled, and no other model.
#[test]
fn the_grammar_recognises_what_the_parser_accepts() {
    // The recogniser descends as deeply as a model is nested.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(compare_with_the_parser);
    thread.expect("a thread").join().expect("the grammar is that of the parser");
}

fn compare_with_the_parser() {
    let grammar = documented_grammar();
    let (mut accepted, mut refused, mut wrong) = (0, 0, Vec::new());
    let mut compare = |name: &str, model: String, is_changed: bool| {
        let Some(parses) = parses(name, &model) else { return };
        let found =
            grammar::tokens(&model).map(|tokens| grammar.recognises(&tokens).map_err(|at| (tokens, at)));
        let recognised = matches!(found, Some(Ok(())));
        accepted += usize::from(parses && recognised);
        refused += usize::from(!parses && !recognised);
        // Without its semicolons, a text that was changed may follow the grammar in another way.
        if parses != recognised && (parses || !is_changed) {
            let place = match found {
                Some(Err((tokens, at))) => {
                    format!("{:?}", &tokens[at.saturating_sub(5)..tokens.len().min(at + 3)])
                }
                _ => String::new(),
            };
            wrong.push(format!("{name}: parser {parses}, page {recognised} {place}"));
        }
    };
    let mut random = 1_u64;
    for folder in ["models", "tests"] {
        for path in models_below(&root().join(folder)) {
            let Ok(model) = std::fs::read_to_string(&path) else { continue };
            if model.len() > 8_000 {
                continue;
            }
            let name = name(&path);
            for _ in 0..3 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                compare(&name, with_a_word_changed(&model, random >> 33), true);
            }
            compare(&name, model, false);
        }
    }
    assert!(accepted > 300 && refused > 100, "{accepted} and {refused} models were compared");
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), accepted + refused, wrong.join("\n"));
}

/// The grammar of the manual, with the reserved words of the page of the language.
fn documented_grammar() -> Grammar {
    let page =
        |name: &str| std::fs::read_to_string(root().join("docs/reference").join(name)).expect("the page");
    let language = page("language.md");
    let words = language.split_once("reserved everywhere: `").and_then(|(_, rest)| rest.split_once('`'));
    let mut reserved: BTreeSet<String> =
        words.expect("the reserved words").0.split_whitespace().map(str::to_owned).collect();
    let grammar = Grammar::of(&page("grammar.md"), reserved.clone());
    reserved.extend(grammar.literals().into_iter().filter(|one| one.starts_with("end")));
    Grammar::of(&page("grammar.md"), reserved)
}

/// Whether a text follows the grammar: without what is recognised to be refused, and apart from
/// chained comparisons, which are on the page of expressions. `None` beyond the limit on nesting.
fn parses(name: &str, model: &str) -> Option<bool> {
    let found = check(&Source::new(name, model.to_owned())).1;
    let of_the_text = ["syntax", "unterminated", "unsupported", "empty-enum", "empty-union"];
    let is_one = |code: &str| of_the_text.iter().any(|start| code.starts_with(start));
    let is_wrong = found.iter().any(|one| is_one(one.code) && !one.message.contains("chained"));
    (!found.iter().any(|one| one.code == "nesting-too-deep")).then_some(!is_wrong)
}

fn models_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(models_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "m") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The model with one of its words removed or doubled.
fn with_a_word_changed(model: &str, number: u64) -> String {
    let count = model.split_inclusive(' ').count() as u64;
    let chosen = number / 2 % count;
    let parts = model.split_inclusive(' ').enumerate().flat_map(|(at, word)| {
        let times = if at as u64 != chosen { 1 } else { 2 * (number as usize % 2) };
        std::iter::repeat_n(word, times)
    });
    parts.collect()
}
