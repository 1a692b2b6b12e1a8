//! Text from a model inside a page: nothing of it becomes markup.

use crate::text::steers;
use std::borrow::Cow;

/// Text for the contents of an element, or for an attribute in double quotes.
pub fn escape(text: &str) -> Cow<'_, str> {
    let is_special = |character: char| "<>&\"'".contains(character) || steers(character);
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Reversed writing and the like would make a text look like another.
            _ if steers(character) => escaped.extend(character.escape_default()),
            _ => escaped.push(character),
        }
    }
    Cow::Owned(escaped)
}

/// JSON for a `script` element, which nothing in it can end: the characters that could are escapes
/// in strings, the only place where JSON has them.
pub fn script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        assert_eq!(escape("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        assert_eq!(escape("plain ü"), "plain ü");
        assert_eq!(escape("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(script("[\"</script><!--\"]"), "[\"\\u003c/script\\u003e\\u003c!--\"]");
    }
}
