//! The words of the language. Some are keywords in some places only, and names elsewhere.

/// All words that the grammar knows, in lower case; the case does not matter in a model.
pub(crate) const KEYWORDS: [&str; 83] = [
    "alias",
    "always",
    "array",
    "assert",
    "assume",
    "begin",
    "by",
    "case",
    "choose",
    "clear",
    "const",
    "cover",
    "deadlock",
    "do",
    "else",
    "elsif",
    "end",
    "endalias",
    "endchoose",
    "endexist",
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
    "eventually",
    "exists",
    "externfun",
    "externproc",
    "fair",
    "fired",
    "for",
    "forall",
    "function",
    "if",
    "invariant",
    "ismember",
    "isundefined",
    "leadsto",
    "liveness",
    "ltl",
    "multiset",
    "multisetadd",
    "multisetcount",
    "multisetremove",
    "multisetremovepred",
    "next",
    "of",
    "procedure",
    "put",
    "real",
    "record",
    "reject",
    "release",
    "return",
    "rule",
    "ruleset",
    "scalarset",
    "startstate",
    "strong",
    "switch",
    "then",
    "to",
    "type",
    "undefine",
    "undefined",
    "union",
    "until",
    "var",
    "weakuntil",
    "while",
    "pctl",
    "true",
    "false",
];

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The words in the grammar, `end_suffix` and `reserved_word` aside, which are pieces of them.
    fn in_grammar() -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        let mut rule = String::new();
        for line in include_str!("murphi.pest").lines() {
            if let Some((name, _)) = line.split_once('=').filter(|_| !line.starts_with([' ', '/'])) {
                rule = name.trim().to_owned();
            }
            for part in line.split("^\"").skip(1) {
                let word = part.split('"').next().unwrap_or("");
                match rule.as_str() {
                    // The operator `^`.
                    _ if word.is_empty() => {}
                    "number" | "reserved_word" => {}
                    "end_suffix" => drop(words.insert(format!("end{word}"))),
                    _ => drop(words.insert(word.to_owned())),
                }
            }
        }
        words
    }

    #[test]
    fn the_list_has_the_words_of_the_grammar() {
        let mut expected = in_grammar();
        // Not in the grammar, but part of the language.
        expected.extend(["pctl", "true", "false", "undefined"].map(str::to_owned));
        let listed: BTreeSet<String> = KEYWORDS.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(listed, expected);
        assert_eq!(listed.len(), KEYWORDS.len());
    }

    /// The words that the grammar of editors highlights.
    #[test]
    fn editors_highlight_all_words() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/vscode/syntaxes/murphi.tmLanguage.json");
        let text = std::fs::read_to_string(path).unwrap();
        let grammar: serde_json::Value = serde_json::from_str(&text).unwrap();
        let patterns = grammar["patterns"].as_array().unwrap().iter();
        let lists = patterns.filter_map(|one| one["match"].as_str()?.strip_prefix("(?i)\\b(?:"));
        let highlighted: BTreeSet<String> =
            lists.flat_map(|list| list.strip_suffix(")\\b").unwrap().split('|')).map(str::to_owned).collect();
        let listed: BTreeSet<String> = KEYWORDS.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(highlighted, listed);

        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../editors/emacs/murphi-mode.el");
        let text = std::fs::read_to_string(path).unwrap();
        let lists = text.split_once("defconst murphi-mode-keywords").unwrap().1;
        let lists = lists.split_once("define-derived-mode").unwrap().0;
        let words = lists.split('"').skip(1).step_by(2).filter(|one| !one.contains(['.', '\\']));
        let highlighted: BTreeSet<String> = words.map(str::to_owned).collect();
        assert_eq!(highlighted, listed, "those of murphi-mode.el");
    }
}
