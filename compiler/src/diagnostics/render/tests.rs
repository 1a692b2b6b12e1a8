//! Diagnostics as they look, and diagnostics that nobody should ever make.

use super::*;

fn draw(text: &str, diagnostics: &[Diagnostic]) -> String {
    render(&Source::new("model.m", text), diagnostics, Style::default())
}

/// The span of the first occurrence of `part`.
fn at(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    Span::new(start, start + part.len())
}

#[test]
fn labels_help_order_and_count() {
    let text = "var\n  a: 0..3;\n  a: boolean;\n\nstartstate\n  b := 1;\nend;\n";
    let second = Span::new(text.rfind("a:").unwrap(), text.rfind("a:").unwrap() + 1);
    let drawn = draw(
        text,
        &[
            Diagnostic::error("unknown-name", at(text, "b :="), "there is no `b`").help("did you mean `a`?"),
            Diagnostic::error("duplicate-name", second, "`a` is declared twice")
                .label("again here")
                .also(at(text, "a:"), "first declared here"),
            Diagnostic::warning("empty", at(text, "end"), "nothing follows"),
        ],
    );
    insta::assert_snapshot!(drawn);
}

#[test]
fn line_ends_tabs_and_wide_characters() {
    let text = "-- ü 漢字 🦀\r\n\tx := \"漢字\" + y;\r\n";
    let drawn = draw(text, &[Diagnostic::error("type", at(text, "y"), "wrong").label("here")]);
    insta::assert_snapshot!(drawn);
}

#[test]
fn the_end_of_the_text() {
    for text in ["", "x", "x\n", "x\r\n", "x\n\n\n"] {
        let end = Span::new(text.len(), text.len());
        let drawn = draw(text, &[Diagnostic::error("syntax", end, "unexpected end").label("more expected")]);
        assert!(drawn.contains("--> model.m:1:"), "{drawn}");
        assert!(drawn.contains("^ more expected"), "{drawn}");
    }
}

#[test]
fn terminals_are_safe() {
    let bad = "\u{1b}[31m\u{9b}2J\u{7}\u{8}\u{202e}\u{feff}\u{0}\r!";
    let text = format!("rule \"{bad}\"\nend\u{1b}]0;title\u{7}");
    let diagnostic = Diagnostic::error("x", at(&text, bad), format!("message {bad}\n{bad}"))
        .label(bad)
        .also(at(&text, "end"), bad)
        .help(bad);
    for color in [false, true] {
        let source = Source::new(format!("name{bad}.m"), text.clone());
        let drawn = render(&source, std::slice::from_ref(&diagnostic), Style { color, width: 80 });
        // What colours need is the library's own.
        let mut rest = drawn.as_str();
        while let Some(escape) = rest.find('\u{1b}') {
            assert!(color);
            let after = &rest[escape + 1..];
            let end = after.find('m').unwrap();
            assert!(after[1..end].chars().all(|digit| digit.is_ascii_digit() || digit == ';'), "{after:?}");
            rest = &after[end..];
        }
        let acts = |character: char| character.is_control() && !['\n', '\u{1b}'].contains(&character);
        assert!(!drawn.contains(acts), "{drawn:?}");
        assert!(!drawn.contains(['\u{202e}', '\u{feff}']));
    }
}

#[test]
fn very_long_lines_are_shortened_around_the_place() {
    let text = format!("a\n{}ERROR{}\nb", "x".repeat(1_000_000), "y".repeat(1_000_000));
    let drawn = draw(&text, &[Diagnostic::error("x", at(&text, "ERROR"), "m").label("here")]);
    insta::assert_snapshot!(drawn);
    let whole = draw(&text, &[Diagnostic::error("x", Span::new(0, text.len()), "m")]);
    assert!(whole.len() < 5_000, "{}", whole.len());
}

#[test]
fn tall_spans_and_far_labels() {
    let text = "line of text\n".repeat(10_000);
    let drawn = draw(
        &text,
        &[Diagnostic::error("x", Span::new(13 * 5_000, text.len()), "tall")
            .label("begins here")
            .also(Span::new(5, 7), "far above")],
    );
    insta::assert_snapshot!(drawn);
}

#[test]
fn several_lines() {
    let text = "rule \"r\"\n  a\n==>\n  b\nend;\n";
    let drawn = draw(text, &[Diagnostic::error("x", Span::new(0, text.len()), "whole").label("this rule")]);
    insta::assert_snapshot!(drawn);
}

#[test]
fn no_span_is_too_odd() {
    let texts =
        ["", "\n", "\r", "\r\n\r\n", "ü", "a\tb\r\nü漢🦀\n\n\tc", "\u{feff}x\n", "x\u{301}\u{200d}\n🦀"];
    for text in texts {
        let most = text.len() as u32 + 3;
        let mut offsets: Vec<u32> = (0..=most).collect();
        offsets.push(u32::MAX);
        for &start in &offsets {
            for &end in &offsets {
                let other = Span { start: end, end: start };
                let diagnostic = Diagnostic::error("x", Span { start, end }, "")
                    .label("l")
                    .also(other, "")
                    .also(other, "k");
                let drawn = draw(text, &[diagnostic]);
                assert!(drawn.ends_with("1 error\n"));
            }
        }
    }
}

#[test]
fn odd_spans_on_long_lines_and_many_lines() {
    let text = format!("{}ü\r\n{}\n{}", "漢".repeat(500), "\t".repeat(3), "z\n".repeat(600));
    let step = 97;
    for start in (0..text.len() as u32 + step).step_by(step as usize) {
        for end in (0..text.len() as u32 + step).step_by(step as usize) {
            let other = Span { start: end / 2, end: start };
            draw(&text, &[Diagnostic::warning("x", Span { start, end }, "m").label("l").also(other, "o")]);
        }
    }
}

#[test]
fn thousands_of_diagnostics_are_counted_and_not_drawn() {
    let text = "x; ".repeat(30_000);
    let warning = |at: usize| Diagnostic::warning("odd", Span::new(at, at + 1), "odd");
    let error =
        |at: usize| Diagnostic::error("wrong", Span::new(at, at + 1), "wrong").also(at_end(&text), "end");
    let diagnostics: Vec<_> = (0..20_000).map(warning).chain((0..150).map(error)).collect();
    let drawn = draw(&text, &diagnostics);
    // The errors come first, however many warnings stand before them.
    assert_eq!(drawn.matches("error[wrong]").count(), MOST);
    assert_eq!(drawn.matches("warning[odd]").count(), 0);
    assert!(drawn.ends_with("20050 more are not shown\n150 errors, 20000 warnings\n"));
}

fn at_end(text: &str) -> Span {
    Span::new(text.len() - 1, text.len())
}
