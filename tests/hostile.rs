//! A model is untrusted input: no name, string, number or file name in it can change the generated
//! Rust beyond its meaning. The models here are made of everything that might; they compile, run,
//! and print the names as the user wrote them.

#![cfg(test)]

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use support::{build, mcc, scratch, shown, text, verify};

/// Rust's keywords, the names of the generated code and of the runtime, names that differ by case
/// only. Murphi's own keywords are not among them: those are no names.
const NAMES: &str = "
    steps within add holds covers next subject turns count multiset TYPE_1 SIMPLE_1 rule_0_body
    rule_0_expand rule_0_guard_0 recursive_function_f fire_one temporary padding State state STATE
    sTATE Self self context Context Ok Err Some None crate i64 u64 u32 bool str usize char f64
    function_f function_0 guard_0 body_0 start_0 rule_0 expand_0 property_0 check_0 settle One Two
    Four Eight Nine match fn impl dyn mod mut pub ref static struct super trait unsafe use where
    async await loop move extern let break continue as box macro try yield virtual abstract final
    override priv typeof unsized gen raw safe macro_rules become MODEL TheModel DESCRIPTION RULES
    STARTS SITES PROPERTIES VARIABLES main std core alloc mcc_runtime generated Vec String Option
    Result Box Model Fault Site Successors Multiset Layout words successors successor parameter_0
    parameter_1 vec println panic drop Drop Copy Clone Default value index element result fault
    rule_0_whole Cell enabled body fires rule_id settled view get set __ _x x_ r b local_0 type_0 Variable mcc x0
";

fn names() -> Vec<&'static str> {
    NAMES.split_whitespace().collect()
}

/// Every name in every role: in the shared outer scope the roles rotate, inside functions and rules
/// each name takes each role.
fn model_of_names(rotation: usize) -> String {
    let names = names();
    let role = |index: usize| (index + rotation) % 4;
    // Types that become Rust types are of these two kinds.
    let is_enum = |index: usize| (index / 4).is_multiple_of(2);
    let mut model = String::new();
    let m = &mut model;
    let list = names.join(", ");
    let mut members = Vec::new();
    for (index, name) in names.iter().enumerate() {
        match role(index) {
            0 if is_enum(index) => {
                writeln!(m, "type {name}: enum {{ low_{index}, high_{index} }};\nvar of_{index}: {name};")
            }
            0 => writeln!(m, "type {name}: record n_: 0..3; end;\nvar of_{index}: {name};"),
            1 => writeln!(m, "var {name}: 0..3;"),
            2 => {
                members.push(*name);
                writeln!(m)
            }
            _ => writeln!(m, "function {name}(n: 0..200): 0..201; begin return n + 1; end;"),
        }
        .expect("strings grow");
    }
    let w = |m: &mut String, text: String| m.push_str(&text);
    w(m, format!("type outer_members: enum {{ {} }};\nvar member: outer_members;\n", members.join(", ")));
    w(m, format!("type all_fields: record {list}: 0..3; end;\nvar fields: all_fields;\n"));
    // Parameters, locals, types, members, constants inside functions.
    w(m, format!("function as_parameters({list}: 0..3): 0..999; begin return {}; end;\n", names.join(" + ")));
    let declared: String = names.iter().map(|name| format!("  var {name}: 0..3;\n")).collect();
    let assigned: String = names.iter().map(|name| format!("  {name} := 1;\n")).collect();
    w(
        m,
        format!(
            "function as_locals(): 0..999;\n{declared}begin\n{assigned}  return {};\nend;\n",
            names.join(" + ")
        ),
    );
    let typed: String = names
        .iter()
        .enumerate()
        .map(|(i, name)| format!("  type {name}: record n_: 0..3; end;\n  var v{i}_: {name};\n"))
        .collect();
    let assigned: String = (0..names.len()).map(|i| format!("  v{i}_.n_ := 1;\n")).collect();
    let sum: Vec<String> = (0..names.len()).map(|i| format!("v{i}_.n_")).collect();
    w(
        m,
        format!(
            "function as_types(): 0..999;\n{typed}begin\n{assigned}  return {};\nend;\n",
            sum.join(" + ")
        ),
    );
    let last = names.last().expect("there are names");
    w(
        m,
        format!(
            "function as_members(): boolean;\n  type e_: enum {{ {list} }};\n  var v_: e_;\nbegin\n  v_ := {last};\n  \
             return v_ = {last} & v_ != {};\nend;\n",
            names[0]
        ),
    );
    let constants: String = names.iter().map(|name| format!("  const {name}: 1;\n")).collect();
    w(
        m,
        format!(
            "function as_constants(): 0..999;\n{constants}begin\n  return {};\nend;\n",
            names.join(" + ")
        ),
    );
    let aliased: Vec<String> = names.iter().map(|name| format!("{name}: v_")).collect();
    let quantified: Vec<String> =
        names.iter().map(|name| format!("(exists {name}: 0..3 do {name} = 3 end)")).collect();
    let loops: String =
        names.iter().map(|name| format!("  for {name}: 0..1 do v_ := v_ + {name}; end;\n")).collect();
    w(
        m,
        format!(
            "function as_loops(): 0..999;\n  var v_: 0..999;\nbegin\n  v_ := 0;\n{loops}  if !({}) then return 0; end;\n  \
             alias {} do\n    {last} := v_;\n  end;\n  return v_;\nend;\n",
            quantified.join(" & "),
            aliased.join("; ")
        ),
    );
    // The start state gives every variable a value.
    w(m, "startstate \"all\"\nbegin\n  clear fields; clear member;\n".to_owned());
    for (index, name) in names.iter().enumerate() {
        match role(index) {
            0 if is_enum(index) => w(m, format!("  of_{index} := high_{index};\n")),
            0 => w(m, format!("  of_{index}.n_ := 1;\n")),
            1 => w(m, format!("  {name} := {};\n", index % 4)),
            _ => {}
        }
        w(m, format!("  fields.{name} := {};\n", (index + 1) % 4));
    }
    w(m, format!("  member := {};\nend;\n", members.last().expect("there are members")));
    // One rule to fire, with every name as a parameter.
    for name in &names {
        w(m, format!("ruleset {name}: 2..3 do\n  rule \"{name}\" fields.{name} = {name} ==> begin\n"));
        w(m, format!("    put {name}; fields.{name} := 1;\n  end;\nend;\n"));
    }
    let count = names.len();
    let ones = vec!["1"; count].join(", ");
    w(m, format!("invariant \"parameters\" as_parameters({ones}) = {count};\n"));
    for function in ["as_locals", "as_types", "as_constants", "as_loops"] {
        w(m, format!("invariant \"{function}\" {function}() = {count};\n"));
    }
    w(m, "invariant \"members\" as_members();\n".to_owned());
    for (index, name) in names.iter().enumerate() {
        if role(index) == 3 {
            w(m, format!("invariant \"{name}\" {name}(1) = 2;\n"));
        }
    }
    w(m, format!("invariant \"to fail\" fields.{} != 0 & fields.{} != 1;\n", names[0], names[1]));
    model
}

fn write(name: &str, model: &str) -> PathBuf {
    let path = scratch("hostile").join(name);
    std::fs::write(&path, model).expect("the scratch folder is writable");
    path
}

#[test]
fn any_name_in_any_role() {
    let names = names();
    for rotation in 0..4 {
        let path = write(&format!("names_{rotation}.m"), &model_of_names(rotation));
        let verifier = build(&path).unwrap_or_else(|error| panic!("rotation {rotation}: {error}"));
        let verdict = verify(&verifier, &["--no-deadlock".to_owned()])
            .unwrap_or_else(|error| panic!("rotation {rotation}: {error}"));
        assert_eq!(
            verdict.report["verdict"], "violated",
            "rotation {rotation}: {:#}",
            verdict.report["errors"]
        );
        let error = &verdict.report["errors"][0];
        assert_eq!(error["kind"], "invariant", "{error:#}");
        assert!(error["message"].as_str().is_some_and(|message| message.contains("to fail")), "{error:#}");
        // Fields, variables, rules, parameters: printed as they were written.
        let state = &error["trace"][0]["state"];
        for (index, name) in names.iter().enumerate() {
            assert_eq!(number(&state["fields"][name]), Some((index as i64 + 1) % 4), "{name} in {state:#}");
            if (index + rotation) % 4 == 1 {
                assert_eq!(number(&state[name]), Some(index as i64 % 4), "{name} in {state:#}");
            }
        }
        let member = names.iter().enumerate().rev().find(|(index, _)| (index + rotation) % 4 == 2);
        assert_eq!(state["member"].as_str(), member.map(|(_, name)| *name), "{state:#}");
        let listed: BTreeSet<&str> = rule_names(&verdict.report).into_iter().collect();
        assert_eq!(listed, names.iter().copied().collect());
    }
}

/// A number of a report, whether it is written as a number or as text.
fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

fn rule_names(report: &Value) -> Vec<&str> {
    let figures = report["rule_figures"].as_array().expect("the report lists the rules");
    figures.iter().filter_map(|figure| figure["name"].as_str()).collect()
}

/// What the strings of a model may contain, as Murphi writes it and as it must come out.
fn strings() -> Vec<(String, String)> {
    let plain = [
        "{}",
        "{0}",
        "{state}",
        "{{",
        "}}",
        "{:?}",
        "%s%n%d",
        "*/",
        "/*",
        "//",
        "-- no comment",
        "\"#".trim_start_matches('"'),
        "r#",
        "##",
        "'",
        "''",
        "`id`",
        "$(id)",
        "${HOME}",
        "; end;",
        "==>",
        "#[test]",
        "//! doc",
        "größer → ✓",
        "日本語",
        "e\u{301}",
        "\u{202e}reversed",
        "\u{feff}mark",
        "<script>",
        "&amp;",
        "a\u{a0}b",
        "\u{1f980}",
    ];
    let mut strings: Vec<(String, String)> =
        plain.iter().map(|text| ((*text).to_owned(), (*text).to_owned())).collect();
    strings.extend(
        [
            (r#"\""#, "\""),
            (r##"\"#) }"##, "\"#) }"),
            (r#"\"; std::process::exit(7); \""#, "\"; std::process::exit(7); \""),
            (r"\\", "\\"),
            (r"\\\\", "\\\\"),
            (r#"\\\""#, "\\\""),
            (r"a\nb", "a\nb"),
            (r"a\tb", "a\tb"),
            (r"\\u{41}", "\\u{41}"),
            ("\u{1b}[31mred\u{1b}[0m", "\u{1b}[31mred\u{1b}[0m"),
            ("\u{7}bell", "\u{7}bell"),
            ("tab\there", "tab\there"),
        ]
        .map(|(written, meant)| (written.to_owned(), meant.to_owned())),
    );
    let long = "long ".repeat(20_000);
    strings.push((long.clone(), long));
    strings
}

fn model_of_strings() -> String {
    let mut m = String::from(
        "-- A comment that closes what it did not open: */ end; endrule; \" ' } ) ]\n\
         /* And one of the other kind: -- \" end; // ' { ( [ */\n\
         const big: 9223372036854775807; small: -9223372036854775807 - 1; hex: 0x7FFFFFFFFFFFFFFF;\n\
         var x: 0..1000; wide: -4611686018427387904..4611686018427387903; sum: 0..1;\n\
         startstate \"/* \\\" */\" begin x := 0; wide := -4611686018427387904; sum := 0; end;\n",
    );
    for (index, (written, _)) in strings().iter().enumerate() {
        let _ = write!(
            m,
            "rule \"{written}\" x = {index} ==> begin\n  put \"{written}\"; assert x < 1000 \"{written}\"; cover true \"{written}\";\n  \
             if x > 1000 then error \"{written}\"; end;\n  x := x + 1;\nend;\ninvariant \"{written}\" x >= 0;\n"
        );
    }
    // A name used fifty times, numbers at the limits, and a failure whose string must be printed.
    for _ in 0..50 {
        m.push_str("rule \"again {}\" false ==> begin x := 0; end;\n");
    }
    let count = strings().len();
    let _ = write!(
        m,
        "rule \"edges\" x = {count} & big = hex & small < 0 & small + big = -1 & big - 1 + 1 = big ==> begin\n  \
         wide := big / 2; x := x + 1;\nend;\n\
         rule \"fails\" x = {} & wide = 4611686018427387903 ==> begin error \"\\\"{{x}}\\\" \\\\ \u{1b}[31m*/\"; end;\n",
        count + 1
    );
    m
}

/// The file's name is the user's, too.
const FILE: &str = "a 'quoted' {} \"name\" * #! \\ $(touch gone) ü.m";

#[test]
fn any_string_and_number() {
    let path = write(FILE, &model_of_strings());
    let verifier = build(&path).unwrap_or_else(|error| panic!("{error}"));
    let verdict = verify(&verifier, &[]).unwrap_or_else(|error| panic!("{error}"));
    let report = &verdict.report;
    let strings = strings();
    let count = strings.len() as u64;
    assert_eq!(report["verdict"], "violated", "{:#}", report["errors"]);
    let error = &report["errors"][0];
    assert_eq!(error["kind"], "error", "{error:#}");
    assert!(
        error["message"].as_str().is_some_and(|text| text.contains("\"{x}\" \\ \u{1b}[31m*/")),
        "{error:#}"
    );
    assert_eq!(report["states"].as_u64(), Some(count + 2));
    let mut expected: Vec<&str> = strings.iter().map(|(_, meant)| meant.as_str()).collect();
    expected.extend(["again {}"; 50]);
    expected.extend(["edges", "fails"]);
    assert_eq!(rule_names(report), expected);
    let properties = report["property_figures"].as_array().expect("the report lists the properties");
    for (_, meant) in &strings {
        let invariant = properties.iter().find(|one| one["kind"] == "invariant" && one["name"] == **meant);
        assert!(invariant.is_some(), "no invariant {meant:?}");
        let cover = properties.iter().find(|one| one["kind"] == "cover-statement" && one["name"] == **meant);
        assert_eq!(cover.map(|one| &one["count"]), Some(&Value::from(1)), "{meant:?}");
        // `put` prints what the model says, here on standard error beside the report.
        assert!(verdict.stderr.contains(meant.as_str()), "{meant:?} was not put");
    }
    assert!(
        report["model"]["name"].as_str().is_some_and(|name| name.ends_with(FILE)),
        "{:#}",
        report["model"]
    );
    the_terminal_is_safe(&verifier);
    the_emitted_crate_is_safe(&path);
}

/// What a rule or message is called cannot steer the user's terminal; only `put` is verbatim, and
/// quiet here.
fn the_terminal_is_safe(verifier: &PathBuf) {
    let output = Command::new(verifier).args(["--color", "never", "--trace", "full", "-pr", "-pn"]).output();
    let output = output.expect("the verifier starts");
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let put: String = strings().iter().map(|(_, meant)| meant.as_str()).collect();
    let printed = text(&output.stdout);
    let escapes = printed.matches('\u{1b}').count();
    let of_put = put.matches('\u{1b}').count();
    assert!(escapes <= of_put, "{escapes} escape characters were printed, `put` wrote {of_put}");
}

/// Readable by cargo and rustc, with nothing of the model outside of strings and comments.
fn the_emitted_crate_is_safe(model: &PathBuf) {
    let folder = scratch("hostile").join("emitted");
    let _ = std::fs::remove_dir_all(&folder);
    let output = mcc().arg(model).arg("--emit").arg(&folder).output().expect("mcc starts");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let code = std::fs::read_to_string(folder.join("src/model.rs")).expect("the module was written");
    let file = syn::parse_file(&code).expect("the module is Rust");
    let attributes = file.attrs.iter().filter(|attribute| !attribute.path().is_ident("doc")).count();
    assert_eq!(attributes, 1, "only the lint attribute stands at the top");
    let code_only: String = words_of(&code);
    assert!(!code_only.contains("process"), "a string became code");
    assert!(!std::path::Path::new("gone").exists());
}

/// The words of a module, without its strings and comments.
fn words_of(code: &str) -> String {
    fn collect(stream: proc_macro2::TokenStream, text: &mut String) {
        for token in stream {
            match token {
                proc_macro2::TokenTree::Group(group) => collect(group.stream(), text),
                proc_macro2::TokenTree::Ident(name) => {
                    let _ = write!(text, "{name} ");
                }
                proc_macro2::TokenTree::Punct(_) | proc_macro2::TokenTree::Literal(_) => {}
            }
        }
    }
    let mut text = String::new();
    collect(code.parse().expect("the module has tokens"), &mut text);
    text
}
