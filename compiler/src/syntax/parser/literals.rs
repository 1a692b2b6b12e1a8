//! Names, numbers and strings.

use super::grammar::Rule;
use super::{Builder, Pair};
use crate::syntax::tree::{ExpressionKind, Name, Text};

impl Builder {
    pub(super) fn name(&self, pair: &Pair<'_, Rule>) -> Option<Name> {
        let text = match pair.as_rule() {
            Rule::identifier => spelling(pair.as_str()),
            _ => return None,
        };
        Some(Name { text, span: self.span(pair) })
    }

    pub(super) fn names(&self, pair: Pair<'_, Rule>) -> Option<Vec<Name>> {
        pair.into_inner()
            .filter(|inner| inner.as_rule() == Rule::identifier)
            .map(|inner| self.name(&inner))
            .collect()
    }

    pub(super) fn text(&self, pair: &Pair<'_, Rule>) -> Option<Text> {
        if pair.as_rule() != Rule::string {
            return None;
        }
        let mut inside = pair.as_str().chars();
        inside.next();
        inside.next_back();
        Some(Text { text: unescape(inside.as_str()), span: self.span(pair) })
    }

    pub(super) fn number(&mut self, pair: &Pair<'_, Rule>) -> ExpressionKind {
        let digits = pair.as_str();
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
            None => digits.parse(),
        };
        match value {
            Ok(value) => ExpressionKind::Integer(value),
            // The digits are all digits, so the only thing that can be wrong is their number.
            Err(_) => {
                let message = "this number does not fit into 64 bits";
                self.error("number-too-large", self.span(pair), message);
                ExpressionKind::Integer(0)
            }
        }
    }
}

/// Names are case-sensitive, except for the three that the language itself declares.
fn spelling(text: &str) -> String {
    ["boolean", "true", "false"]
        .into_iter()
        .find(|builtin| text.eq_ignore_ascii_case(builtin))
        .unwrap_or(text)
        .to_string()
}

/// An escape that is not known keeps its backslash, as CMurphi would print it.
fn unescape(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => result.push('\n'),
            Some('t') => result.push('\t'),
            Some(escaped @ ('"' | '\\')) => result.push(escaped),
            Some(other) => result.extend(['\\', other]),
            None => result.push('\\'),
        }
    }
    result
}
