//! Indents a model's text, so that a person can read it.

/// Words that open a block, at the beginning of a line.
const OPENERS: [&str; 11] = [
    "if ",
    "for ",
    "while ",
    "switch ",
    "alias ",
    "ruleset ",
    "choose ",
    "function ",
    "procedure ",
    "rule ",
    "startstate",
];

/// Words that stand in the column of what they belong to.
const DIVIDERS: [&str; 4] = ["else", "elsif ", "case ", "begin"];

/// The text with each line indented by the blocks around it.
pub fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0usize;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let closes = line.starts_with("end");
        if closes {
            depth = depth.saturating_sub(1);
        }
        let divides = DIVIDERS.iter().any(|word| line.starts_with(word));
        for _ in 0..depth.saturating_sub(usize::from(divides)) {
            out.push_str("  ");
        }
        out.push_str(line);
        out.push('\n');
        let on_one_line = line.ends_with(" end;");
        if OPENERS.iter().any(|word| line.starts_with(word)) && !on_one_line {
            depth += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn blocks_are_indented() {
        let text = "rule \"a\" b ==>\nbegin\nif c then\nd := 1;\nelse\nd := 2;\nend;\nend;\n";
        let expected =
            "rule \"a\" b ==>\nbegin\n  if c then\n    d := 1;\n  else\n    d := 2;\n  end;\nend;\n";
        assert_eq!(super::indented(text), expected);
    }
}
