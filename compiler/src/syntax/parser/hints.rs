//! Remedies for the mistakes that people make who know another language, or another Murphi.

use super::grammar::{Grammar, Rule};
use crate::suggestions::nearest;
use crate::syntax::outline::Piece;
use crate::syntax::scan::{Token, TokenKind};
use crate::syntax::words::Word;
use pest::Parser;

/// Where the grammar could not go on.
pub(super) struct Place<'a> {
    pub source: &'a str,
    pub tokens: &'a [Token],
    pub piece: &'a Piece,
    /// The token that was not expected.
    pub at: usize,
    pub expected: &'a [Rule],
}

/// What to do about a mistake, and which token to underline for it.
pub(super) struct Hint {
    pub at: usize,
    /// What should have stood there, if that is clearer than what the grammar says.
    pub expected: Option<&'static str>,
    pub help: String,
    /// What was meant to begin here ends the declarations before it.
    pub begins_item: bool,
}

impl Place<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.span.text(self.source))
    }

    pub(super) fn word(&self, at: usize) -> Option<Word> {
        match self.tokens.get(at)?.kind {
            TokenKind::Word(word) => Some(word),
            TokenKind::Number | TokenKind::Text | TokenKind::Sign | TokenKind::Unknown => None,
        }
    }

    fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Whether an expression was complete here.
    fn after_expression(&self) -> bool {
        self.expects(Rule::binary_operator)
    }

    fn before(&self) -> Option<usize> {
        self.at.checked_sub(1).filter(|before| *before >= self.piece.tokens.start)
    }

    fn touches(&self, left: usize, right: usize) -> bool {
        match (self.tokens.get(left), self.tokens.get(right)) {
            (Some(left), Some(right)) => left.span.end == right.span.start,
            _ => false,
        }
    }
}

pub(super) fn hint(place: &Place) -> Option<Hint> {
    formula(place)
        .or_else(|| keyword_as_name(place))
        .or_else(|| misspelt_keyword(place))
        .or_else(|| operator_word(place))
        .or_else(|| split_operator(place))
        .or_else(|| split_number(place))
        .or_else(|| assignment(place))
        .or_else(|| increment(place))
        .or_else(|| punctuation(place))
        .or_else(|| missing_part(place))
}

fn here(place: &Place, help: impl Into<String>) -> Option<Hint> {
    Some(Hint { at: place.at, expected: None, help: help.into(), begins_item: false })
}

/// A formula over runs in a property of another kind, as older checkers had it: `liveness "p"
/// always eventually …`.
fn formula(place: &Place) -> Option<Hint> {
    const PROPERTIES: [&str; 7] =
        ["liveness", "invariant", "cover", "assume", "assert", "reject", "deadlock"];
    const BEFORE: [&str; 3] = ["always", "eventually", "next"];
    const BETWEEN: [&str; 4] = ["until", "weakuntil", "release", "leadsto"];
    let lower = |at: usize| place.text(at).to_ascii_lowercase();
    let item = (place.piece.tokens.start..place.at).rev().take_while(|at| place.text(*at) != ";");
    let property = item.map(lower).find(|word| PROPERTIES.contains(&word.as_str()))?;
    // The grammar takes the word for a name, and cannot go on behind it.
    let named = place.before().filter(|before| BEFORE.contains(&lower(*before).as_str()));
    let signs = (place.text(place.at), place.text(place.at + 1));
    let is_sign = matches!(signs, ("[", "]") | ("<", ">"));
    let (at, expected) = match named {
        Some(before) => (before, Some("a condition")),
        None if is_sign && !place.after_expression() => (place.at, Some("a condition")),
        None if BETWEEN.contains(&lower(place.at).as_str()) || signs == ("~", ">") => (place.at, None),
        None => return None,
    };
    let what = match property.as_str() {
        "liveness" => "`liveness` says that states in which a condition holds can always be reached",
        _ => "the condition is one of a single state",
    };
    let help = format!("{what}; a formula over runs is written `ltl \"name\" …`");
    Some(Hint { at, expected, help, begins_item: false })
}

fn keyword_as_name(place: &Place) -> Option<Hint> {
    // A keyword that starts an item was taken for one: `var rule : boolean`.
    let first = place.piece.tokens.start;
    let declares = |at: usize| matches!(place.text(at), ":" | ",");
    let as_item = place.at == first + 1 && (declares(place.at) || place.text(place.at) == ":=");
    // Or for the end of one: `var end : boolean`.
    let as_end = place.at == first && declares(first);
    let at = if as_item || as_end { place.at.saturating_sub(1) } else { place.at };
    let word = place.text(at);
    let is_word = place.word(at).is_some();
    if !is_word || !(as_item || as_end || place.expects(Rule::identifier)) {
        return None;
    }
    if Grammar::parse(Rule::reserved_word, word).is_err() {
        return None;
    }
    // Where a name is one of many things that may follow, the keyword was not meant as one.
    let meant_as_name = as_item || as_end || place.expected.len() == 1 || declares(at + 1);
    let help = format!("`{word}` is a keyword; choose another name");
    meant_as_name.then_some(Hint { at, expected: Some("a name"), help, begins_item: false })
}

/// `strtstate begin`: after declarations it is taken for one more name, elsewhere for nothing at
/// all.
fn misspelt_keyword(place: &Place) -> Option<Hint> {
    const ITEMS: [&str; 13] = [
        "startstate",
        "ruleset",
        "rule",
        "function",
        "procedure",
        "invariant",
        "const",
        "type",
        "var",
        "alias",
        "choose",
        "cover",
        "assume",
    ];
    let first = place.piece.tokens.start;
    let begins = |at: &usize| *at == first || matches!(place.text(at - 1), ";") || *at == first + 1;
    let declared = place.before().filter(|_| place.expects(Rule::colon)).filter(begins);
    // A name is followed by a sign; a rule, by a word or a string.
    let kind = |at: usize| place.tokens.get(at).map(|token| token.kind);
    let followed = |at: &usize| matches!(kind(at + 1), Some(TokenKind::Word(_) | TokenKind::Text));
    let at = declared.into_iter().chain((place.at == first).then_some(first)).find(followed)?;
    if place.word(at) != Some(Word::Other) {
        return None;
    }
    let keyword = nearest(place.text(at), ITEMS)?;
    let (expected, help) = (Some("a declaration or a rule"), format!("did you mean `{keyword}`?"));
    Some(Hint { at, expected, help, begins_item: true })
}

/// Words of other languages where this one has signs.
fn operator_word(place: &Place) -> Option<Hint> {
    let candidates = [Some(place.at), place.before()];
    candidates.into_iter().flatten().find_map(|at| {
        let (expected, help) = match place.text(at).to_ascii_lowercase().as_str() {
            "and" => ("an operator", "a conjunction is written `&`"),
            "or" => ("an operator", "a disjunction is written `|`"),
            "mod" => ("an operator", "the remainder is written `%`"),
            "div" => ("an operator", "division is written `/`"),
            "not" => ("an expression", "negation is written `!`"),
            "default" => ("`else`", "the last case of a `switch` is written `else`"),
            "elseif" | "elif" => ("`elsif`", "write `elsif`"),
            "in" if place.expects(Rule::colon) => ("`:`", "write `name : type`, or `name := from to last`"),
            _ => return None,
        };
        Some(Hint { at, expected: Some(expected), help: help.to_string(), begins_item: false })
    })
}

/// `<>`, `=<`, `=>` and the like: the first half was taken for an operator of its own.
fn split_operator(place: &Place) -> Option<Hint> {
    let before = place.before().filter(|before| place.touches(*before, place.at))?;
    let is_rule = place.word(place.piece.tokens.start) == Some(Word::Rule);
    let has_arrow = place.piece.tokens.clone().any(|at| matches!(place.text(at), "==>" | "⇒"));
    let (expected, help) = match (place.text(before), place.text(place.at)) {
        ("=", ">") if is_rule && !has_arrow => ("`==>`", "a rule's guard ends with `==>`"),
        ("<", ">") => ("an operator", "\"not equal\" is written `!=`"),
        ("=", "<") => ("an operator", "\"less or equal\" is written `<=`"),
        ("=", ">") => ("an operator", "\"greater or equal\" is written `>=`, an implication `->`"),
        ("!=", "=") => ("an operator", "\"not equal\" is written `!=`"),
        ("==", "=") => ("an operator", "\"equal\" is written `=`"),
        _ => return None,
    };
    Some(Hint { at: before, expected: Some(expected), help: help.to_string(), begins_item: false })
}

/// `12abc`, `0x`: a number and a name that nothing separates.
fn split_number(place: &Place) -> Option<Hint> {
    let candidates = [Some(place.at), place.before()];
    candidates.into_iter().flatten().find_map(|at| {
        let number = at.checked_sub(1).filter(|number| place.touches(*number, at))?;
        let is_number = matches!(place.tokens.get(number)?.kind, TokenKind::Number);
        let help = format!("`{}{}` is neither a number nor a name", place.text(number), place.text(at));
        let expected = Some("the end of the number");
        (is_number && place.word(at).is_some()).then_some(Hint { at, expected, help, begins_item: false })
    })
}

fn assignment(place: &Place) -> Option<Hint> {
    match place.text(place.at) {
        "=" | "==" if place.expects(Rule::assign) && !place.after_expression() => {
            here(place, "a value is assigned with `:=`; `=` compares")
        }
        ":" if place.expects(Rule::assign) && !place.expects(Rule::colon) => {
            here(place, "a value is assigned with `:=`")
        }
        ":=" | "≔" if place.after_expression() => here(place, "values are compared with `=`; `:=` assigns"),
        "==>" if place.after_expression() => {
            let start = place.piece.tokens.start;
            let assigned = (start..place.at).rev().find(|at| matches!(place.text(*at), ":=" | ";"))?;
            (place.text(assigned) == ":=").then(|| Hint {
                at: assigned,
                expected: Some("an operator"),
                help: "values are compared with `=`; `:=` assigns".to_string(),
                begins_item: false,
            })
        }
        "=" if place.expects(Rule::colon) => here(place, "a declaration is written `name : …`"),
        ":=" if place.expects(Rule::colon) => here(place, "a declaration is written `name : …`"),
        _ => None,
    }
}

/// `x++`, `x += 1`, and `x--`, which starts a comment.
fn increment(place: &Place) -> Option<Hint> {
    if !place.expects(Rule::assign) || place.after_expression() {
        return None;
    }
    let before = place.before()?;
    let variable = place.text(before);
    let end = place.tokens.get(before)?.span.end as usize;
    if place.source.get(end..)?.starts_with("--") {
        return here(place, format!("`--` starts a comment; write `{variable} := {variable} - 1`"));
    }
    let sign = place.text(place.at);
    match (sign, place.text(place.at + 1)) {
        ("+", "+") => here(place, format!("write `{variable} := {variable} + 1`")),
        ("+" | "-" | "*" | "/" | "%", "=") => {
            here(place, format!("write `{variable} := {variable} {sign} …`"))
        }
        _ => None,
    }
}

fn punctuation(place: &Place) -> Option<Hint> {
    match place.text(place.at) {
        "," if place.expects(Rule::close_parenthesis) && place.expects(Rule::dots) => {
            here(place, "parameters of different types are separated by `;`")
        }
        "{" | "}" => here(place, "braces belong to `enum` and `union`; a block is closed by `end`"),
        "'" | "`" | "“" | "”" => here(place, "strings are written in double quotes"),
        _ => None,
    }
}

fn missing_part(place: &Place) -> Option<Hint> {
    let at_end = place.at >= place.piece.tokens.end;
    let block_expected = place.expected.iter().any(|rule| {
        matches!(rule, Rule::end_of_rule | Rule::end_of_function | Rule::end_of_startstate | Rule::end_of_if)
    });
    let else_if = |at: usize| {
        place.word(at) == Some(Word::If)
            && at.checked_sub(1).is_some_and(|before| place.text(before).eq_ignore_ascii_case("else"))
    };
    if at_end && block_expected && place.piece.tokens.clone().any(else_if) {
        return here(place, "`else if` opens a second `if` that needs its own `end`; `elsif` does not");
    }
    if place.expects(Rule::arrow) && place.word(place.at).is_some() {
        return here(place, "`==>` stands between a rule's guard and its body");
    }
    None
}
