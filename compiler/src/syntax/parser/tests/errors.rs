//! What is said about models that are wrong, and where.

use super::diagnose;
use crate::source::Source;

/// Each error as `line:column code message`.
fn errors(text: &str) -> Vec<String> {
    let source = Source::new("model.m", text);
    let (program, diagnostics) = diagnose(text);
    assert_eq!(program.is_none(), !diagnostics.is_empty(), "{diagnostics:?}");
    let line = |diagnostic: &crate::diagnostics::Diagnostic| {
        assert_ne!(diagnostic.primary.span.start, diagnostic.primary.span.end, "{diagnostic:?}");
        let at = source.position(diagnostic.primary.span.start);
        format!("{}:{} {} {}", at.line, at.column, diagnostic.code, diagnostic.message)
    };
    diagnostics.iter().map(line).collect()
}

#[track_caller]
fn assert_error(text: &str, expected: &str, help: &str) {
    assert_eq!(errors(text), [expected]);
    let found = diagnose(text).1.remove(0).help.unwrap_or_default();
    assert!(found.contains(help), "{found}");
}

/// The text beside the other place that explains the only error, and what stands there.
fn explanation(text: &str) -> (String, String) {
    let mut diagnostics = diagnose(text).1;
    assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
    let label = diagnostics.remove(0).secondary.remove(0);
    (label.span.text(text).to_string(), label.text)
}

#[test]
fn expected_and_found() {
    let cases = [
        ("var x T;", "1:7 syntax expected `:` or `,`, found `T`"),
        ("var x: ;", "1:8 syntax expected a type, found `;`"),
        ("var x: array [T] U;", "1:18 syntax expected `of`, found `U`"),
        ("type T: 3;", "1:9 syntax expected a type, found an expression"),
        ("invariant (a & b;", "1:17 syntax expected `)`, found `;`"),
        ("invariant a & ;", "1:15 syntax expected an expression, found `;`"),
        ("invariant a + - ;", "1:17 syntax expected an expression, found `;`"),
        ("invariant a b;", "1:13 syntax expected an operator or `;`, found `b`"),
        ("invariant a @ b;", "1:13 syntax expected an operator or `;`, found the character `@`"),
        ("rule begin if a x := 1; end end;", "1:17 syntax expected `then`, found `x`"),
        ("rule begin while a x := 1; end end;", "1:20 syntax expected `do`, found `x`"),
        ("rule begin x := 1 2; end;", "1:19 syntax expected an operator, `;` or `end`, found `2`"),
        ("rule begin error 5; end;", "1:18 syntax expected a string, found `5`"),
        ("x := 1;", "1:1 syntax expected a declaration or a rule, found `x`"),
        ("rule a ==> end; end;", "1:17 syntax expected a declaration or a rule, found `end`"),
        ("invariant a = b = c;", "1:17 syntax comparisons cannot be chained"),
    ];
    for (text, expected) in cases {
        assert_eq!(errors(text), [expected], "{text}");
    }
}

#[test]
fn remedies() {
    let condition = |found: &str| format!("1:14 syntax expected a condition, found `{found}`");
    assert_error("liveness \"p\" always eventually b;", &condition("always"), "`ltl \"name\" …`");
    assert_error("liveness \"p\" [] <> b;", &condition("["), "`ltl \"name\" …`");
    assert_error("liveness \"p\" <> b;", &condition("<"), "`ltl \"name\" …`");
    let operator = "1:13 syntax expected an operator or `;`, found `until`";
    assert_error("invariant a until b;", operator, "`ltl \"name\" …`");
    assert_error("rule begin x = 1; end;", "1:14 syntax expected `:=`, found `=`", "`:=`");
    assert_error("rule begin x : 1; end;", "1:14 syntax expected `:=`, found `:`", "`:=`");
    assert_error("rule begin if x := 1 then end end;", "1:17 syntax expected `then`, found `:=`", "with `=`");
    assert_error("rule x := 1 ==> end;", "1:8 syntax expected an operator, found `:=`", "with `=`");
    assert_error("rule a = 1 begin end;", "1:12 syntax expected `==>`, found `begin`", "`==>`");
    assert_error("invariant a <> b;", "1:13 syntax expected an operator, found `<`", "`!=`");
    assert_error("invariant a =< b;", "1:13 syntax expected an operator, found `=`", "`<=`");
    assert_error("invariant a and b;", "1:13 syntax expected an operator, found `and`", "`&`");
    assert_error("rule begin x := a or b; end;", "1:19 syntax expected an operator, found `or`", "`|`");
    assert_error("invariant not a;", "1:11 syntax expected an expression, found `not`", "`!`");
    assert_error("rule begin i++; end;", "1:13 syntax expected `:=`, found `+`", "`i := i + 1`");
    assert_error("rule begin i--;\n end;", "2:2 syntax expected `:=`, found `end`", "`i := i - 1`");
    assert_error("rule begin i += 2; end;", "1:14 syntax expected `:=`, found `+`", "`i := i + …`");
    assert_error("rule 'a' x ==> end;", "1:6 syntax strings are written in double quotes", "\"a\"");
    assert_error("var x: T; // no", "1:11 syntax `//` does not start a comment", "`--");
    assert_error("procedure p(a: T, b: T); end", "1:17 syntax expected `)`, found `,`", "`;`");
    assert_error("rule begin for i in T do end end;", "1:18 syntax expected `:`, found `in`", "name : type");
    assert_error("rule begin if (a) { b := 1 } end;", "1:19 syntax expected `then`, found `{`", "`end`");
    assert_error(
        "rule begin if a then b := 1 elseif c then end end;",
        "1:29 syntax expected `elsif`, found `elseif`",
        "`elsif`",
    );
    assert_error(
        "rule begin if a then b := 1 else if c then b := 2 end; end;",
        "1:59 syntax expected `end`, found the end of the file",
        "`elsif`",
    );
}

#[test]
fn keywords_are_not_names() {
    for word in ["rule", "end", "to", "if", "array", "Invariant", "var"] {
        let text = format!("var {word} : T;");
        let expected = format!("1:5 syntax expected a name, found `{word}`");
        assert_error(&text, &expected, "is a keyword");
    }
    assert_error("type boolean: 0..1;", "1:6 syntax expected a name, found `boolean`", "is a keyword");
}

#[test]
fn unclosed_blocks_point_to_their_opening() {
    let closed = |word: &str| (word.to_string(), format!("this `{word}` is not closed"));
    let text = "rule a ==> if b then c := 1; end;\nrule b ==> end;";
    assert_eq!(errors(text), ["2:1 syntax expected `end`, found `rule`"]);
    assert_eq!(explanation(text), closed("rule"));
    assert_eq!(explanation("rule a ==> if b then c := 1; endrule;"), closed("if"));
    assert_eq!(explanation("type T: record a: U; var x: T;"), closed("record"));
    assert_eq!(explanation("ruleset i: T do rule a ==> end;"), closed("ruleset"));
    assert_eq!(explanation("ruleset i: T do rule a ==> end; function f(): T; end; end"), closed("ruleset"));
    assert_eq!(explanation("startstate begin for i: T do a := 1; end; -- x"), closed("startstate"));
    assert_eq!(
        errors("ruleset i: T do rule a ==> endif; end;"),
        ["1:28 syntax expected `end`, found `endif`"]
    );
    assert_eq!(errors("ruleset i: T do endalias;"), ["1:17 syntax expected `end`, found `endalias`"]);
}

#[test]
fn text_that_never_ends() {
    let text = "var x: T;\nrule \"a x ==>\nbegin y := 1; end;\nrule \"b\" y = ==> end;";
    assert_eq!(
        errors(text),
        [
            "2:6 unterminated-string this string is never closed",
            "4:14 syntax expected an expression, found `==>`",
        ]
    );
    assert_eq!(errors("var x: T;\n /* a\n rule"), ["2:2 unterminated-comment this comment is never closed"]);
    assert_eq!(errors("rule \""), ["1:6 unterminated-string this string is never closed"]);
}

#[test]
fn numbers_that_do_not_fit() {
    let text = "const a: 18446744073709551616; b: 0x10000000000000000;";
    let message = "number-too-large this number does not fit into 64 bits";
    assert_eq!(errors(text), [format!("1:10 {message}"), format!("1:35 {message}")]);
}

#[test]
fn all_errors_are_found_and_no_others() {
    let text = "\
const N 3;
const M: 4; K: ; L: 5;
type T: 0..N
var x: T; y = T; z: T;
ruleset i: T do
  rule \"a\" x = ==> y := 1; end;
  rule \"b\" x ==> y 1; end;
  invariant x +;
end;
ruleset j T do rule z ==> end; end;
function f(a T): T; begin return a; end;
startstate begin x := 1 end;
alias a: b do rule x ==> foo bar; end; endalias;
";
    assert_eq!(
        errors(text),
        [
            "1:9 syntax expected `:` or `,`, found `3`",
            "2:16 syntax expected an expression, found `;`",
            "4:13 syntax expected `:` or `,`, found `=`",
            "6:16 syntax expected an expression, found `==>`",
            "7:20 syntax expected `:=`, found `1`",
            "8:16 syntax expected an expression, found `;`",
            "10:11 syntax expected `:=` or `:`, found `T`",
            "11:14 syntax expected `:` or `,`, found `T`",
            "13:30 syntax expected `:=`, found `bar`",
        ]
    );
}

#[test]
fn a_liveness_property_is_not_a_statement() {
    let message = "1:12 syntax `liveness` is a property of whole runs, not a statement";
    assert_eq!(errors("rule begin liveness \"l\" x; end;"), [message]);
}
