//! Words for people: numbers with separators, sizes, and text from outside that is safe to print.

use std::borrow::Cow;
use std::path::Path;

/// Whether a character would steer a terminal.
pub fn steers(character: char) -> bool {
    (character.is_control() && character != '\t')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A path as it may be shown. A file name may contain any bytes.
pub fn place(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// A message of several lines, each without characters that would steer a terminal.
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// Text from outside (a model, a file, the command line) without characters that would steer a
/// terminal: they are shown as escapes.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if steers(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// A number of bytes in the unit that fits.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match UNITS.get(unit) {
        Some(name) if unit == 0 => format!("{count} {name}"),
        Some(name) => format!("{value:.1} {name}"),
        None => format!("{count} bytes"),
    }
}

/// `1 state`, `2 states`, `1,232,238 states`.
pub fn plural(count: u64, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{} {one}s", grouped(count)),
    }
}

/// A count for people, with a comma between each three digits: `1,232,238`. Numbers that are typed
/// again or read by programs have none.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        let cases = [
            (0, "0"),
            (7, "7"),
            (999, "999"),
            (1000, "1,000"),
            (65_536, "65,536"),
            (100_000, "100,000"),
            (1_232_238, "1,232,238"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ];
        for (count, text) in cases {
            assert_eq!(grouped(count), text);
        }
        assert_eq!([plural(1, "state"), plural(2000, "state")], ["1 state", "2,000 states"]);
    }
}
