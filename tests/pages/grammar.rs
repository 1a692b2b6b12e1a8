//! The EBNF of a page as a recogniser: it reads the productions from the page, and says whether a
//! text is a model by them.
//!
//! Semicolons are dropped on both sides, since they may be missing or repeated nearly everywhere.
//! Alternatives are not ordered: for each production and each place, all places are computed at
//! which it can end.

use crate::blocks;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What the page leaves to prose: a word that is a name, a number, a string.
const TERMINALS: [&str; 3] = ["name", "number", "string"];

enum Part {
    Literal(String),
    Production(String),
    Sequence(Vec<Part>),
    Alternatives(Vec<Part>),
    Optional(Box<Part>),
    Repeated(Box<Part>),
}

pub struct Grammar {
    productions: HashMap<String, Part>,
    reserved: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// In lower case if it is a word.
    Sign(String),
    Word(String),
    Number,
    String,
}

impl Grammar {
    /// The productions of all blocks of the page, except those of names and literals. The words in
    /// `reserved` are never names.
    pub fn of(page: &str, reserved: BTreeSet<String>) -> Grammar {
        let mut productions = HashMap::new();
        for block in blocks::of(page).iter().filter(|block| block.is("text")) {
            let lines: Vec<&str> = block.body.lines().collect();
            let starts: Vec<usize> = (0..lines.len())
                .filter(|at| lines[*at].starts_with(|one: char| one.is_alphabetic()))
                .collect();
            for (nth, start) in starts.iter().enumerate() {
                let end = starts.get(nth + 1).copied().unwrap_or(lines.len());
                let text = lines[*start..end].join(" ");
                let (name, body) = text.split_once(" = ").expect("a production has an `=`");
                let name = name.trim();
                if TERMINALS.contains(&name) || name == "comment" {
                    continue;
                }
                let symbols = symbols(body);
                let mut reader = Reader { symbols: &symbols, at: 0 };
                let part = reader.alternatives();
                assert_eq!(reader.at, symbols.len(), "the production of {name} is not read to its end");
                assert!(productions.insert(name.to_owned(), part).is_none(), "{name} has two productions");
            }
        }
        let grammar = Grammar { productions, reserved };
        let undefined = grammar.used().into_iter().filter(|name| !grammar.productions.contains_key(name));
        let undefined: Vec<String> = undefined.filter(|name| !TERMINALS.contains(&name.as_str())).collect();
        assert!(undefined.is_empty(), "the page has no production of {undefined:?}");
        grammar
    }

    /// All quoted texts of the page, in lower case.
    pub fn literals(&self) -> BTreeSet<String> {
        self.parts_with(|part| match part {
            Part::Literal(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// The productions that others use.
    fn used(&self) -> BTreeSet<String> {
        self.parts_with(|part| match part {
            Part::Production(name) => Some(name.clone()),
            _ => None,
        })
    }

    fn parts_with(&self, text: impl Fn(&Part) -> Option<String>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.productions.values().for_each(|part| walk(part, &mut |one| found.extend(text(one))));
        found
    }

    /// Whether the tokens are a model. If not, the number of the furthest token that was reached.
    pub fn recognises(&self, tokens: &[Token]) -> Result<(), usize> {
        let mut run = Run { grammar: self, tokens, known: HashMap::new(), furthest: 0 };
        let ends = run.production("model", 0);
        if ends.contains(&tokens.len()) { Ok(()) } else { Err(run.furthest) }
    }
}

fn walk(part: &Part, visit: &mut impl FnMut(&Part)) {
    visit(part);
    match part {
        Part::Literal(_) | Part::Production(_) => (),
        Part::Sequence(parts) | Part::Alternatives(parts) => {
            for part in parts {
                walk(part, visit);
            }
        }
        Part::Optional(part) | Part::Repeated(part) => walk(part, visit),
    }
}

/// The symbols of a production: quoted texts with their quote in front, words and brackets.
fn symbols(body: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = body.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => rest[1..].find('"').expect("a closing quote") + 1,
            _ if first.is_alphabetic() => {
                rest.find(|one: char| !one.is_alphanumeric() && one != '-').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start_matches('"').trim_start();
    }
    found
}

struct Reader<'a> {
    symbols: &'a [String],
    at: usize,
}

impl Reader<'_> {
    fn alternatives(&mut self) -> Part {
        let mut found = vec![self.sequence()];
        while self.next_is("|") {
            found.push(self.sequence());
        }
        Part::Alternatives(found)
    }

    fn sequence(&mut self) -> Part {
        let mut found = Vec::new();
        while let Some(symbol) = self.symbols.get(self.at) {
            if ["|", ")", "]", "}"].contains(&symbol.as_str()) {
                break;
            }
            self.at += 1;
            match symbol.as_str() {
                "(" => found.push(self.group(")")),
                "[" => found.push(Part::Optional(Box::new(self.group("]")))),
                "{" => found.push(Part::Repeated(Box::new(self.group("}")))),
                "END" => {
                    let what = &self.symbols[self.at];
                    self.at += 1;
                    let ends = ["end".to_owned(), format!("end{what}")];
                    found.push(Part::Alternatives(ends.map(Part::Literal).into()));
                }
                "\";" => (),
                quoted if quoted.starts_with('"') => found.push(Part::Literal(quoted[1..].to_owned())),
                name => found.push(Part::Production(name.to_owned())),
            }
        }
        Part::Sequence(found)
    }

    fn group(&mut self, close: &str) -> Part {
        let part = self.alternatives();
        assert!(self.next_is(close), "a bracket is not closed by {close}");
        part
    }

    fn next_is(&mut self, text: &str) -> bool {
        let is = self.symbols.get(self.at).is_some_and(|symbol| symbol == text);
        self.at += usize::from(is);
        is
    }
}

struct Run<'a> {
    grammar: &'a Grammar,
    tokens: &'a [Token],
    known: HashMap<(&'a str, usize), Rc<BTreeSet<usize>>>,
    furthest: usize,
}

impl<'a> Run<'a> {
    fn production(&mut self, name: &'a str, at: usize) -> Rc<BTreeSet<usize>> {
        if let Some(known) = self.known.get(&(name, at)) {
            return known.clone();
        }
        let grammar = self.grammar;
        let ends = Rc::new(match grammar.productions.get(name) {
            Some(part) => self.part(part, at),
            None => self.token(at, |token| match (name, token) {
                ("name", Token::Word(word)) => !grammar.reserved.contains(word),
                ("number", token) => *token == Token::Number,
                ("string", token) => *token == Token::String,
                _ => false,
            }),
        });
        self.known.insert((name, at), ends.clone());
        ends
    }

    fn part(&mut self, part: &'a Part, at: usize) -> BTreeSet<usize> {
        match part {
            Part::Literal(text) => self.token(at, |token| match token {
                Token::Sign(sign) => sign == text,
                Token::Word(word) => word == text,
                Token::Number | Token::String => false,
            }),
            Part::Production(name) => self.production(name, at).as_ref().clone(),
            Part::Sequence(parts) => {
                let mut places = BTreeSet::from([at]);
                for part in parts {
                    places = places.into_iter().flat_map(|place| self.part(part, place)).collect();
                }
                places
            }
            Part::Alternatives(parts) => parts.iter().flat_map(|part| self.part(part, at)).collect(),
            Part::Optional(part) => {
                let mut places = self.part(part, at);
                places.insert(at);
                places
            }
            Part::Repeated(part) => {
                let mut places = BTreeSet::from([at]);
                let mut waiting = vec![at];
                while let Some(place) = waiting.pop() {
                    waiting.extend(self.part(part, place).into_iter().filter(|end| places.insert(*end)));
                }
                places
            }
        }
    }

    fn token(&mut self, at: usize, fits: impl Fn(&Token) -> bool) -> BTreeSet<usize> {
        self.furthest = self.furthest.max(at);
        let is_here = self.tokens.get(at).is_some_and(fits);
        if is_here { BTreeSet::from([at + 1]) } else { BTreeSet::new() }
    }
}

/// The tokens of a model, without comments and semicolons, signs in their usual form. `None` where
/// a string or comment is not closed, or a character belongs to no token.
pub fn tokens(text: &str) -> Option<Vec<Token>> {
    const SIGNS: [&str; 33] = [
        "==>", "->", ":=", "..", "||", "&&", "==", "!=", "<=", ">=", "<<", ">>", "<>", "[]", "~>", "+", "-",
        "*", "/", "%", "!", "&", "|", "^", "~", "=", "<", ">", "?", ":", ".", ",", ";",
    ];
    let plain = [
        ("⇒", "==>"),
        ("→", "->"),
        ("≔", ":="),
        ("∨", "|"),
        ("∧", "&"),
        ("≠", "!="),
        ("≤", "<="),
        ("≥", ">="),
        ("¬", "!"),
        ("−", "-"),
        ("×", "*"),
        ("÷", "/"),
        ("∕", "/"),
        ("∀", " forall "),
        ("∃", " exists "),
    ];
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("--") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/")? + 2
        } else if first == '"' {
            found.push(Token::String);
            let mut escaped = false;
            let end = rest[1..].find(|one| {
                let closes = one == '"' && !escaped;
                escaped = one == '\\' && !escaped;
                closes
            });
            end? + 2
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '_');
            found.push(Token::Word(rest[..end.unwrap_or(rest.len())].to_lowercase()));
            end.unwrap_or(rest.len())
        } else if first.is_ascii_digit() {
            found.push(Token::Number);
            let hexadecimal = rest.to_lowercase().starts_with("0x");
            let digits = |one: char| if hexadecimal { one.is_ascii_hexdigit() } else { one.is_ascii_digit() };
            let skipped = if hexadecimal { 2 } else { 0 };
            let end = rest[skipped..].find(|one| !digits(one)).map_or(rest.len(), |end| end + skipped);
            let continues = rest[end..].starts_with(|one: char| one.is_ascii_alphanumeric() || one == '_');
            if continues || (hexadecimal && end == 2) {
                return None;
            }
            end
        } else if let Some((sign, usual)) = plain.iter().find(|(sign, _)| rest.starts_with(sign)) {
            found.extend(tokens(usual)?);
            sign.len()
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.extend((*sign != ";").then(|| Token::Sign((*sign).to_owned())));
            sign.len()
        } else if "()[]{}".contains(first) {
            found.push(Token::Sign(first.to_string()));
            1
        } else {
            return None;
        };
        rest = rest[length..].trim_start();
    }
    Some(found)
}
