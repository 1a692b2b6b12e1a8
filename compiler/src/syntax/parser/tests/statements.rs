//! Statements, and the semicolons between them.

use super::{show, statement, statements};
use crate::syntax::tree::StatementKind;

#[test]
fn assignments_and_calls() {
    let StatementKind::Assign { target, value } = statement("a.b[i] := f(x) + 1;").kind else {
        panic!("not an assignment")
    };
    assert_eq!((show(&target), show(&value)), ("a.b[i]".to_string(), "(f(x) Add 1)".to_string()));
    assert!(matches!(statement("a ≔ undefined").kind, StatementKind::Assign { .. }));
    let StatementKind::Call { name, arguments } = statement("p(a, b.c)").kind else { panic!("not a call") };
    assert_eq!((name.text.as_str(), arguments.len()), ("p", 2));
}

#[test]
fn semicolons_may_be_missing_or_doubled() {
    assert_eq!(statements(";; a := 1;; b := 2 c := 3 p(); clear d if a then b := 1 end e := 4").len(), 7);
    assert_eq!(statements("return a := 1").len(), 2);
    assert_eq!(statements("if a then return x end b := 1").len(), 2);
    assert_eq!(statements("").len(), 0);
}

#[test]
fn blocks_and_their_ends() {
    let StatementKind::If { arms, otherwise } =
        statement("if a then b := 1 elsif c then elsif d then e := 1; else f := 1; g := 2 endif").kind
    else {
        panic!("not an if")
    };
    assert_eq!((arms.len(), otherwise.map(|body| body.len())), (3, Some(2)));
    let StatementKind::Switch { cases, otherwise, .. } =
        statement("switch a case A, B: x := 1; case f(c ? d : e): case C: y := 2 else z := 3 endswitch").kind
    else {
        panic!("not a switch")
    };
    let shape: Vec<_> = cases.iter().map(|case| (case.values.len(), case.body.len())).collect();
    assert_eq!((shape, otherwise.map(|body| body.len())), (vec![(2, 1), (1, 0), (1, 1)], Some(1)));
    for text in [
        "for i: T do a := i end",
        "for i: T do a := i endfor",
        "For i: T : a := i EndFor",
        "for i := a to b by -1 do a := i; end",
        "for i: A; j: B do a := i end",
    ] {
        assert!(matches!(statement(text).kind, StatementKind::For { .. }), "{text}");
    }
    assert!(matches!(statement("while a do b := 1 endwhile").kind, StatementKind::While { .. }));
    let StatementKind::Alias { bindings, body } = statement("alias a: b.c; d: e[i] do a := d endalias").kind
    else {
        panic!("not an alias")
    };
    assert_eq!((bindings.len(), body.len()), (2, 1));
}

#[test]
fn claims_have_their_message_on_either_side() {
    for text in ["assert \"m\" a = b", "assert a = b \"m\""] {
        let StatementKind::Assert { message, .. } = statement(text).kind else { panic!("not an assertion") };
        assert_eq!(message.map(|message| message.text).as_deref(), Some("m"));
    }
    assert!(matches!(statement("assert (a)").kind, StatementKind::Assert { message: None, .. }));
    assert!(matches!(statement("invariant a").kind, StatementKind::Assert { .. }));
    assert!(matches!(statement("assume \"m\" a").kind, StatementKind::Assume { message: Some(_), .. }));
    assert!(matches!(statement("cover a").kind, StatementKind::Cover { .. }));
}

#[test]
fn words_of_one_tool_are_names_in_the_other() {
    for text in ["cover := 1", "assume[1] := 2", "cover.x := 3", "multisetadd := 1", "choose(x)"] {
        let kind = statement(text).kind;
        assert!(
            matches!(kind, StatementKind::Assign { .. } | StatementKind::Call { .. }),
            "{text}: {kind:?}"
        );
    }
}

#[test]
fn the_other_statements() {
    assert!(matches!(statement("clear a[i]").kind, StatementKind::Clear(_)));
    assert!(matches!(statement("undefine a.b").kind, StatementKind::Undefine(_)));
    assert!(matches!(statement("return").kind, StatementKind::Return(None)));
    assert!(matches!(statement("return a + 1").kind, StatementKind::Return(Some(_))));
    assert!(matches!(statement("put a + 1").kind, StatementKind::PutValue(_)));
    assert!(matches!(statement("multisetadd(a, m)").kind, StatementKind::MultisetAdd { .. }));
    assert!(matches!(statement("MultiSetRemove(i, m[n])").kind, StatementKind::MultisetRemove { .. }));
    let kind = statement("multisetremovepred(i: m, m[i] = x)").kind;
    assert!(matches!(kind, StatementKind::MultisetRemovePredicate { .. }));
}

#[test]
fn strings() {
    let texts = [
        (r#"put "a -- b""#, "a -- b"),
        (r#"put "it's `fine` /* too */""#, "it's `fine` /* too */"),
        (r#"put "a\n\t\"b\"\\ \q""#, "a\n\t\"b\"\\ \\q"),
        ("put \"two\nlines\"", "two\nlines"),
        ("put “curly”", "curly"),
        ("put \"\"", ""),
    ];
    for (text, expected) in texts {
        let StatementKind::PutText(found) = statement(text).kind else { panic!("not a text") };
        assert_eq!(found.text, expected);
    }
    let StatementKind::Error(text) = statement("error \"no\"").kind else { panic!("not an error") };
    assert_eq!(text.text, "no");
}
