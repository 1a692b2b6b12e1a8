//! Functions and procedures: arguments, results, and what guards may call.

use super::{accepts, check, refuses, said, warns};
use mcc_murphi::diagnostics::Severity;

const DECLARATIONS: &str = "type small: 0..3; var x: small; y: 0..5; b: boolean; a: array [small] of small;
    procedure put_to(var target: small; value: small); begin target := value; end;
    function twice(n: small): small; begin return n * 2; end;";

#[test]
fn arguments_are_counted_and_typed() {
    accepts(DECLARATIONS, "put_to(x, 1); put_to(a[x], twice(y)); x := twice(x + 1);");
    refuses(DECLARATIONS, "put_to(x);", &["argument-count: put_to(x)"]);
    refuses(DECLARATIONS, "x := twice(b);", &["type-mismatch: b"]);
    refuses(DECLARATIONS, "x := put_to(x, 1);", &["procedure-as-value: put_to(x, 1)"]);
}

#[test]
fn a_var_parameter_needs_a_variable_of_its_type() {
    refuses(DECLARATIONS, "put_to(y, 1);", &["var-argument-type: y"]);
    refuses(DECLARATIONS, "put_to(1, 1);", &["not-assignable: 1"]);
    refuses(DECLARATIONS, "for i: small do put_to(i, 1); end;", &["not-assignable: i"]);
    refuses(DECLARATIONS, "put_to(undefined, 1);", &["undefined-value: undefined"]);
    // Equal bounds are enough, whatever the name.
    accepts("var x: 0..3; type t: 0..3; procedure p(var v: t); begin v := 1; end;", "p(x);");
}

#[test]
fn read_only_parameters_stay_as_they_are() {
    refuses("procedure p(v: 0..3); begin v := 1; end;", "", &["read-only: v"]);
    refuses(
        "type r: record a: 0..1; end; procedure p(v: r); begin v.a := 1; alias w: v.a do clear w; end; end;",
        "",
        &["read-only: v.a", "read-only: w"],
    );
    refuses(
        "procedure q(var v: 0..3); begin v := 1; end; procedure p(v: 0..3); begin q(v); end;",
        "",
        &["read-only: v"],
    );
}

#[test]
fn undefined_may_be_an_argument() {
    let model = accepts(DECLARATIONS, "put_to(x, undefined); put_to(x, undefined); put_to(a[1], undefined);");
    assert_eq!(model.rules[0].variables.len(), 1);
    refuses(DECLARATIONS, "x := twice(undefined) + undefined;", &["undefined-value: undefined"]);
}

#[test]
fn return_fits_its_function() {
    refuses("procedure p(); begin return 1; end;", "", &["return-with-value: 1"]);
    refuses("function f(): 0..1; begin return; end;", "", &["return-without-value: return"]);
    refuses("", "return 3;", &["return-with-value: 3"]);
    refuses("function f(): 0..1; begin return true; end;", "", &["type-mismatch: true"]);
    accepts("procedure p(); begin return; end;", "return;");
    warns("function f(): 0..1; begin end;", "", &["no-return: f"]);
}

#[test]
fn recursion_is_found_through_others() {
    let model = accepts(
        "function even(n: 0..9): boolean; begin return n = 0 ? true : odd(n - 1); end;
         function odd(n: 0..9): boolean; begin return n = 0 ? false : even(n - 1); end;
         function last(): boolean; begin return even(4); end;",
        "",
    );
    let recursive: Vec<_> = model.functions.iter().map(|function| function.recursive).collect();
    assert_eq!(recursive, [true, true, false]);
}

#[test]
fn guards_and_properties_that_write_are_warned_of() {
    let declarations = "var x: 0..3; y: 0..3;
        procedure set(var v: 0..3); begin v := 1; end;
        function deep(): boolean; begin set(x); return true; end;
        function local(): boolean; var z: 0..3; begin set(z); return z = 1; end;
        function through(var v: 0..3): boolean; begin set(v); return true; end;
        startstate begin x := 0; y := 0; end;";
    let text = format!(
        "{declarations} rule deep() ==> begin end; invariant through(y); rule local() ==> begin end;"
    );
    assert_eq!(said(&text, Severity::Error), [""; 0]);
    assert_eq!(said(&text, Severity::Warning), ["impure-guard: deep()", "impure-property: through(y)"]);
    let text = format!("{declarations} alias a: through(y) do rule a ==> begin end; end;");
    assert_eq!(said(&text, Severity::Error), ["impure-scope: through(y)"]);
    let text = format!("{declarations} rule begin if deep() & through(y) then x := 0; end; end;");
    assert_eq!(check(&text).1, []);
}

#[test]
fn results_may_be_compound() {
    accepts(
        "type r: record a: 0..3; end; var v: r;
         function make(n: 0..3): r; var made: r; begin made.a := n; return made; end;
         function get(one: r): 0..3; begin return one.a; end;",
        "v := make(1); v.a := get(make(2)); if make(1) = v then v := make(3); end;",
    );
    refuses(
        "type r: record a: 0..3; end; function make(): r; var made: r; begin return made; end;",
        "put make();",
        &["put-compound-value: make()"],
    );
}
