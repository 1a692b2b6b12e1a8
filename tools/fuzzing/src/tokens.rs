//! Text as a row of tokens, good enough to change one at a time, and the tokens of the language.

/// Every word and sign of the language, some names and numbers, and some signs that it does not
/// have.
pub const VOCABULARY: &[&str] = &[
    "alias",
    "array",
    "assert",
    "assume",
    "begin",
    "boolean",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "cover",
    "do",
    "else",
    "elsif",
    "end",
    "endalias",
    "endchoose",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "endstartstate",
    "endswitch",
    "endwhile",
    "enum",
    "error",
    "exists",
    "externfun",
    "externproc",
    "false",
    "for",
    "forall",
    "function",
    "if",
    "invariant",
    "ismember",
    "isundefined",
    "liveness",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "of",
    "pctl",
    "procedure",
    "put",
    "real",
    "record",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "switch",
    "then",
    "to",
    "true",
    "type",
    "undefine",
    "undefined",
    "union",
    "var",
    "while",
    "==>",
    ":=",
    "..",
    "->",
    "||",
    "&&",
    "==",
    "!=",
    "<<",
    "<=",
    ">>",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "&",
    "|",
    "^",
    "~",
    "=",
    "<",
    ">",
    "?",
    ":",
    ";",
    ",",
    ".",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "≤",
    "≥",
    "≠",
    "¬",
    "∧",
    "∨",
    "→",
    "∀",
    "∃",
    "≔",
    "⇒",
    "−",
    "×",
    "÷",
    "∕",
    "“",
    "”",
    "\"",
    "'",
    "\"text\"",
    "--",
    "/*",
    "*/",
    "//",
    "#",
    "\\",
    "a",
    "b",
    "x",
    "i",
    "T",
    "0",
    "1",
    "-1",
    "2",
    "255",
    "256",
    "65536",
    "0x7fffffffffffffff",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "1.5",
    "0x",
    "\u{feff}",
    "\r\n",
    "\0",
    "é",
    "日本",
    "🦀",
    "\u{202e}",
    "a\u{301}",
];

/// Cuts text into words, numbers, strings, runs of white space and single signs; nothing is lost.
pub fn split(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            while_true(rest, |character| character.is_alphanumeric() || character == '_')
        } else if first.is_whitespace() {
            while_true(rest, char::is_whitespace)
        } else if first == '"' {
            rest.char_indices()
                .skip(1)
                .find(|(_, c)| matches!(c, '"' | '\n'))
                .map_or(rest.len(), |at| at.0 + 1)
        } else {
            let sign = ["==>", ":=", "..", "->", "==", "!=", "<=", ">=", "--", "/*", "*/"];
            sign.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn while_true(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|character| !belongs(character)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let text = "rule \"a b\" x := -1..é ==> \n end; \"open";
        let tokens = split(text);
        assert_eq!(tokens.concat(), text);
        assert!(tokens.contains(&"\"a b\"") && tokens.contains(&":=") && tokens.contains(&".."));
    }
}
