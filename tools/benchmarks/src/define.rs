//! Gives a constant of a model another value, as `--define NAME=VALUE` asks.
//!
//! In Murphi that is a declaration `NAME: …;` after `const`, in Promela a line `#define NAME …`.
//! The rest of the text stays as it is, byte by byte.

/// What ends a section of constants in Murphi.
const SECTIONS: [&str; 13] = [
    "type",
    "var",
    "function",
    "procedure",
    "startstate",
    "rule",
    "ruleset",
    "invariant",
    "alias",
    "cover",
    "assert",
    "assume",
    "choose",
];

/// The text with the constant's new value, or nothing if it declares no such constant.
pub fn in_murphi(text: &[u8], name: &str, value: i64) -> Option<Vec<u8>> {
    let tokens = tokens(text);
    let word = |token: &Token| &text[token.from..token.to];
    let mut in_constants = false;
    for (index, token) in tokens.iter().enumerate() {
        if word(token).eq_ignore_ascii_case(b"const") {
            in_constants = true;
        } else if SECTIONS.iter().any(|section| word(token).eq_ignore_ascii_case(section.as_bytes())) {
            in_constants = false;
        }
        let declares =
            word(token) == name.as_bytes() && tokens.get(index + 1).is_some_and(|it| word(it) == b":");
        if in_constants && declares {
            let end = tokens[index..].iter().find(|token| word(token) == b";")?;
            return Some(replaced(text, tokens[index + 1].to, end.from, &format!(" {value}")));
        }
    }
    None
}

/// The text of a Promela model with another value of a constant; `None` if it has none of that
/// name.
pub fn in_promela(text: &[u8], name: &str, value: i64) -> Option<Vec<u8>> {
    let mut from = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let content = line.trim_ascii();
        let rest = content.strip_prefix(b"#define").map(<[u8]>::trim_ascii_start);
        let rest = rest.and_then(|rest| rest.strip_prefix(name.as_bytes()));
        if rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace)) {
            let end = from + line.trim_ascii_end().len();
            return Some(replaced(text, from, end, &format!("#define {name} {value}")));
        }
        from += line.len();
    }
    None
}

fn replaced(text: &[u8], from: usize, to: usize, with: &str) -> Vec<u8> {
    [&text[..from], with.as_bytes(), &text[to..]].concat()
}

/// A word or a single sign of the text.
struct Token {
    from: usize,
    to: usize,
}

/// The tokens of a Murphi model, as far as they matter here: without comments, and a string as one
/// of them.
fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut from = 0;
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    // How long what begins at `from` is, up to and with what ends it.
    let through = |from: usize, end: &[u8]| {
        let rest = &text[from..];
        rest.windows(end.len()).skip(1).position(|it| it == end).map_or(rest.len(), |at| at + 1 + end.len())
    };
    while from < text.len() {
        let rest = &text[from..];
        let (length, matters) = if rest.starts_with(b"--") {
            (through(from, b"\n"), false)
        } else if rest.starts_with(b"/*") {
            (2 + through(from + 1, b"*/").saturating_sub(1), false)
        } else if rest.starts_with(b"\"") {
            (through(from, b"\""), true)
        } else if rest.starts_with(b":=") {
            (2, true)
        } else if is_word(&rest[0]) {
            (rest.iter().take_while(|byte| is_word(byte)).count(), true)
        } else {
            (1, !rest[0].is_ascii_whitespace())
        };
        let to = (from + length).min(text.len());
        if matters {
            tokens.push(Token { from, to });
        }
        from = to;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn murphi(text: &str, name: &str) -> Option<String> {
        in_murphi(text.as_bytes(), name, 7).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn a_constant_of_a_murphi_model() {
        let text = "-- const N: 1;\n/* N: 2; */ CONST\n  M: 3 + 1;\n  N : M; -- N\ntype n: 1 .. N;\n";
        assert_eq!(murphi(text, "N").unwrap(), text.replace("N : M;", "N : 7;"));
        assert_eq!(murphi(text, "M").unwrap(), text.replace("M: 3 + 1;", "M: 7;"));
        assert_eq!(murphi(text, "n"), None);
        assert_eq!(murphi("const M: 1; var N: 0 .. 1; startstate N := 0; end;", "N"), None);
        assert_eq!(
            murphi("var M: 0..1; rule \"const N: 1;\" end; const N: 1;", "N").unwrap().matches('7').count(),
            1
        );
        assert_eq!(murphi("/**/const N: 1;", "N").unwrap(), "/**/const N: 7;");
        assert_eq!(murphi("const N: 1", "N"), None);
    }

    #[test]
    fn a_constant_of_a_promela_model() {
        let text = "#define NN 1\n#define N 2\n#define M (N - 1)\n";
        let promela =
            |name| in_promela(text.as_bytes(), name, 7).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(promela("N").unwrap(), text.replace("N 2", "N 7"));
        assert_eq!(promela("M").unwrap(), text.replace("M (N - 1)", "M 7"));
        assert_eq!(promela("K"), None);
    }
}
