//! What is new about an input: which diagnostics it gets, and which nodes its trees hold in which
//! order.
//!
//! This stands in for the coverage of branches: an input with a feature that none had before joins
//! the corpus.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use mcc_murphi::diagnostics::Diagnostic;

use crate::tokens::VOCABULARY;

/// How much of a tree's description is looked at.
const LONGEST: usize = 400_000;

/// The code and the shape of the message, and the shapes of the other texts.
pub fn of_diagnostic(diagnostic: &Diagnostic, features: &mut Vec<u32>) {
    // What was found instead of what was expected says little about the parser.
    let message = diagnostic.message.split(", found").next().unwrap_or("");
    features.push(hash(&(diagnostic.code, shape(message))));
    let labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).take(3);
    let texts = labels.map(|label| label.text.as_str()).chain(diagnostic.help.as_deref());
    features.extend(texts.map(|text| hash(&(diagnostic.code, shape(text)))));
}

/// The message with names replaced, unless they are words of the language, and without digits.
fn shape(message: &str) -> String {
    let mut shape = String::new();
    for (index, part) in message.split(['`', '"']).take(20).enumerate() {
        if index % 2 == 1 && !VOCABULARY.contains(&part) {
            shape.push('@');
        } else {
            shape.extend(part.chars().filter(|character| !character.is_ascii_digit()));
        }
    }
    shape
}

/// Which kinds of node stand directly inside of which, read off the tree's `Debug` text.
pub fn of_tree(tree: &impl std::fmt::Debug, features: &mut Vec<u32>) {
    let mut text = Bounded(String::new());
    // An error only says that the bound was reached.
    let _ = write!(text, "{tree:?}");
    let mut inside: Vec<&str> = Vec::new();
    let mut word = "";
    let mut rest = text.0.as_str();
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        match first {
            'A'..='Z' | 'a'..='z' | '_' => {
                let end = |character: char| !character.is_ascii_alphanumeric() && character != '_';
                length = rest.find(end).unwrap_or(rest.len());
                word = rest.get(..length).unwrap_or("");
                if word.starts_with(|character: char| character.is_ascii_uppercase()) {
                    features.push(hash(&(inside.iter().rev().take(2).collect::<Vec<_>>(), word)));
                }
            }
            '"' => length = string_length(rest),
            '{' | '(' | '[' => inside.push(word),
            '}' | ')' | ']' => drop(inside.pop()),
            ',' => word = "",
            _ => {}
        }
        rest = rest.get(length..).unwrap_or("");
    }
}

/// The length of the quoted text that `text` starts with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub fn hash(value: &(impl Hash + ?Sized)) -> u32 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish() as u32
}

/// A text that takes no more than the bound.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        if self.0.len() + text.len() > LONGEST {
            return Err(std::fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_do_not_make_a_feature() {
        assert_eq!(shape("`abc` is not declared here 12"), shape("`d` is not declared here 5"));
        assert_ne!(shape("expected `end`"), shape("expected `do`"));
    }

    #[test]
    fn nodes_inside_of_nodes() {
        let mut one = Vec::new();
        of_tree(&Some(Ok::<i32, String>(1)), &mut one);
        let mut other = Vec::new();
        of_tree(&Some(Err::<i32, String>("Ok(\"".into())), &mut other);
        assert_eq!((one.len(), other.len()), (2, 2));
        assert_eq!(one[0], other[0]);
        assert_ne!(one[1], other[1]);
    }
}
