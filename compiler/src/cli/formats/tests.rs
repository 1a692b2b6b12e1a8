//! Each form is read back by a library that is not ours.

use super::*;
use crate::library::Model;
use mcc_runtime::embedding::Options;

const TEXT: &str = "const N: 3; var x: 0..N; startstate \"zero\" x := 0; end;\n\
                    rule \"up\" x < N ==> x := x + 1; end;\n\
                    invariant \"low <&> \\\"1\\\"\" x < 2;";

fn outcomes() -> Vec<Outcome> {
    let run = |path: &str, text: &str, differences: &[&str]| {
        let model = Model::from_text(path, text).define("N", 4);
        Outcome {
            path: path.to_owned(),
            entry: Some("four".to_owned()),
            definitions: vec![("N".to_owned(), "4".to_owned())],
            messages: model.check().unwrap().messages,
            run: Some(model.interpret(&Options::new())),
            differences: differences.iter().map(|one| (*one).to_owned()).collect(),
            seconds: 0.5,
        }
    };
    vec![
        run("dir with blank/a.m", TEXT, &["verdict is violated, expected verified"]),
        run("dir/b.m", TEXT, &[]),
        run("dir/c.m", "const N: 1; var x: nothing; startstate begin end;", &[]),
    ]
}

#[test]
fn sarif_is_read_by_the_types_of_its_schema() {
    let text = sarif::text(&outcomes()).unwrap();
    let ours: serde_json::Value = serde_json::from_str(&text).unwrap();
    let read: serde_sarif::sarif::Sarif = serde_json::from_str(&text).unwrap();
    // A key that the schema does not know would be lost on the way.
    assert_eq!(serde_json::to_value(&read).unwrap(), ours);
    let results = read.runs[0].results.as_ref().unwrap();
    let violated: Vec<_> = results
        .iter()
        .filter(|one| one.rule_id.as_deref().is_some_and(|id| id.starts_with("invariant/")))
        .collect();
    assert_eq!(violated.len(), 2);
    let flow = &violated[0].code_flows.as_ref().unwrap()[0].thread_flows[0];
    assert_eq!(flow.locations.len(), 3);
    assert_eq!(
        ours["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "dir%20with%20blank/a.m"
    );
    let levels: Vec<_> = ours["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["ruleId"].as_str().unwrap().starts_with("invariant/"))
        .map(|one| one["level"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(levels, ["error", "note"], "an expected error is a note");
    let unknown = results.iter().filter(|one| one.rule_id.as_deref() == Some("unknown-type"));
    assert_eq!(unknown.count(), 1, "it is a lint and why the run fails, and reported once");
    // Code scanning of GitHub demands these of each rule.
    for rule in ours["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap() {
        assert!(rule["help"]["text"].as_str().is_some_and(|text| text.len() > 20), "{rule}");
        assert!(rule["fullDescription"]["text"].is_string(), "{rule}");
    }
    assert!(results.iter().any(|one| one.rule_id.as_deref() == Some("unknown-type")), "{text}");
}

/// The schema of the standard, which is a file of the package `serde-sarif`.
fn sarif_schema() -> serde_json::Value {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let about = std::process::Command::new(&cargo).arg("-vV").output().unwrap();
    let about = String::from_utf8(about.stdout).unwrap();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let mut command = std::process::Command::new(cargo);
    // Dependencies for other platforms have not been downloaded.
    command.args(["metadata", "--format-version=1", "--offline", "--filter-platform", host]);
    command.arg("--manifest-path").arg(manifest);
    let metadata = command.output().unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|one| one["name"] == "serde-sarif").unwrap();
    let manifest = std::path::PathBuf::from(package["manifest_path"].as_str().unwrap());
    let schema = std::fs::read(manifest.with_file_name("src").join("schema.json")).unwrap();
    serde_json::from_slice(&schema).unwrap()
}

#[test]
fn sarif_fulfils_the_schema_of_the_standard() {
    let schema = sarif_schema();
    assert!(schema["definitions"]["threadFlow"].is_object(), "this is the schema of SARIF");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut ours: serde_json::Value = serde_json::from_str(&sarif::text(&outcomes()).unwrap()).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&ours).map(|error| error.to_string()).collect();
    assert_eq!(wrong, [""; 0]);
    ours["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&ours), "the schema knows the levels");
}

#[test]
fn junit_is_read_by_another_library() {
    let text = junit::text(&outcomes()).unwrap();
    let read = junit_parser::from_reader(text.as_bytes()).unwrap();
    assert_eq!((read.suites[0].tests, read.suites[0].failures, read.suites[0].errors), (3, 1, 1));
    let cases = &read.suites[0].cases;
    assert!(cases[0].name.ends_with("dir with blank/a.m -D N=4 (four)"), "{}", cases[0].name);
    assert!(cases[0].status.is_failure() && cases[1].status.is_success() && cases[2].status.is_error());
    assert!(text.contains("2. up"), "the trace is in it: {text}");
    assert!(text.contains("type=\"invariant\"") && text.contains("type=\"model\""), "{text}");
    let found = "define N: 4\nverdict: violated\nstates: 3\n";
    assert!(cases[1].system_out.as_deref().is_some_and(|said| said.starts_with(found)), "{text}");
    assert!(!text.contains("disabled"), "the schema of Jenkins does not know it: {text}");
}

#[test]
fn annotations_are_one_line_each() {
    let text = github::text(&outcomes());
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.starts_with("::")), "{text}");
    assert!(
        lines.iter().any(|line| line.starts_with("::error file=dir with blank/a.m,line=3,title=invariant::"))
    );
    assert!(lines.iter().any(|line| line.starts_with("::error file=dir/c.m,line=1,col=")), "{text}");
    assert!(!lines.iter().any(|line| line.contains("file=dir/b.m") && line.starts_with("::error")));
    // The run that fails because of an error of the model has it twice.
    let different: std::collections::BTreeSet<&&str> = lines.iter().collect();
    assert_eq!(different.len(), lines.len(), "{text}");
}

#[test]
fn what_a_build_lacks_is_in_the_explanation() {
    let (message, help) = ("cannot find `cargo`".to_owned(), Some("install Rust".to_owned()));
    let transcript = Some("said cargo\n".to_owned());
    let failed =
        Outcome { run: Some(Err(Error::Build { message, help, transcript })), ..outcomes().pop().unwrap() };
    assert_eq!(failed.explanation(), "cannot find `cargo`\nhelp: install Rust\nsaid cargo");
}

#[test]
fn names_from_outside_stay_on_their_line() {
    let entry = "first\n::error::\u{1b}[31m<&\u{1}>".to_owned();
    let named = Outcome { entry: Some(entry), ..outcomes().remove(0) };
    assert_eq!(named.title(), "dir with blank/a.m -D N=4 (first\\n::error::\\u{1b}[31m<&\\u{1}>)");
    let text = junit::text(&[named]).unwrap();
    let read = junit_parser::from_reader(text.as_bytes()).unwrap();
    assert!(read.suites[0].cases[0].name.contains("<&"), "{text}");
}

#[test]
fn json_names_what_was_run() {
    let read: serde_json::Value = serde_json::from_str(&json::text(&outcomes()).unwrap()).unwrap();
    let statuses: Vec<_> = (0..3).map(|at| read["results"][at]["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["failed", "passed", "wrong"]);
    assert_eq!(read["results"][0]["model"], "dir with blank/a.m");
    assert_eq!(read["results"][0]["report"]["errors"][0]["trace"][2]["state"]["x"], 2);
    assert_eq!(read["mcc"], VERSION);
}

#[test]
fn a_counterexample_is_read_by_the_library_of_its_format() {
    let text = itf::text(&outcomes()).unwrap().unwrap();
    let trace: itf_reader::Trace<itf_reader::Value> = itf_reader::trace_from_str(&text).unwrap();
    assert_eq!((trace.vars.len(), trace.states.len()), (1, 3));
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read["states"][2]["#meta"]["rule"], "up");
    assert_eq!(read["states"][2]["x"]["#bigint"], "2");
    assert_eq!(read["#meta"]["constants"], "N=4");
    assert!(itf::text(&outcomes()[2..]).is_none(), "there is no counterexample");
}

/// Of a run that goes round for ever, the file says where the last state leads to.
#[test]
fn a_loop_is_in_the_file() {
    let text = "var x: 0..3; startstate x := 3; end; rule \"down\" x > 0 ==> x := x - 1; end;\n\
                rule \"up\" x < 2 ==> x := x + 1; end; ltl \"f\" [] <> (x = 3);";
    // The values of `x`, and where the last one leads to.
    let written = |text: &str| {
        let mut all = outcomes();
        all[0].run = Some(Model::from_text("a.m", text).interpret(&Options::new().with_arguments(["-ndl"])));
        let written = itf::text(&all).unwrap().unwrap();
        let read: itf_reader::Trace<itf_reader::Value> = itf_reader::trace_from_str(&written).unwrap();
        let states: serde_json::Value = serde_json::from_str(&written).unwrap();
        let value = |state: &serde_json::Value| state["x"]["#bigint"].as_str()?.parse::<i64>().ok();
        let values: Vec<i64> = states["states"].as_array().unwrap().iter().filter_map(value).collect();
        assert_eq!(values.len(), read.states.len());
        (read.loop_index.map(|index| index as usize), values)
    };
    // It goes up and down for ever, without 3.
    let (index, values) = written(text);
    let round = &values[index.unwrap()..];
    let last = round.last().unwrap();
    assert!(!round.contains(&3) && (last - round[0]).abs() == 1, "{values:?} {index:?}");
    // It ends in 0, and stays there.
    assert_eq!(written(&text.replace("x < 2", "x < 0")), (Some(3), vec![3, 2, 1, 0]));
    assert_eq!(written(TEXT).0, None);
}
