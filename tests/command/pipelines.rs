//! The examples of `docs/pipelines.md`, run as they stand there, and `mcc verify` with all that it
//! writes.

use super::{empty_folder, mcc, root, run, scratch, shown, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// These words are on standard output or standard error.
#[track_caller]
fn expect(output: &Output, code: i32, said: &[&str]) {
    let heard = shown(output);
    assert_eq!(output.status.code(), Some(code), "{heard}");
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
}

/// The block of the page behind a line that ends in the name: `` `Makefile`: ``.
fn block(name: &str) -> String {
    let page = fs::read_to_string(root().join("docs/pipelines.md")).expect("the page is there");
    let heading = format!("`{name}`:\n\n```");
    let (_, rest) = page.split_once(&heading).unwrap_or_else(|| panic!("{name} is not on the page"));
    let (_, rest) = rest.split_once('\n').expect("a block has lines");
    rest.split_once("```").expect("a block ends").0.to_owned()
}

/// An empty project with the models of the tutorial.
fn project(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    fs::create_dir(folder.join("models")).expect("it can be created");
    for file in ["lock_fixed.m", "lock_fixed.toml", "lock_naive.m", "lock_naive.toml"] {
        let from = root().join("models/tutorial").join(file);
        fs::copy(from, folder.join("models").join(file)).expect("it can be copied");
    }
    folder
}

/// A program in a project, which finds the `mcc` of this test.
fn program(name: &str, folder: &Path) -> Command {
    let mcc = Path::new(env!("CARGO_BIN_EXE_mcc"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = mcc.parent().map(Path::to_owned).into_iter().chain(std::env::split_paths(&paths));
    let mut command = Command::new(name);
    command.current_dir(folder).env("PATH", std::env::join_paths(paths).expect("paths can be joined"));
    command.env("MCC_CACHE", scratch("cache")).env("NO_COLOR", "1").env("CI_PROJECT_DIR", folder);
    command.env_remove("MAKEFLAGS").env_remove("MFLAGS");
    command
}

/// From now on a model is not what is expected of it.
fn break_a_model(folder: &Path) {
    fs::remove_file(folder.join("models/lock_naive.toml")).expect("it can be removed");
}

#[test]
fn the_commands_of_services_run() {
    for (name, prefix) in [(".github/workflows/models.yml", "      - run: "), (".gitlab-ci.yml", "    - ")] {
        let folder = project("services");
        let text = block(name);
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(prefix)).collect();
        assert!(lines.iter().any(|line| line.starts_with("mcc verify models")), "{name}: {text}");
        // `command -v mcc || …` finds the one of this test, so nothing is installed.
        let lines: Vec<&str> = lines.into_iter().filter(|line| !line.starts_with("export PATH=")).collect();
        let script = format!("set -e\n{}", lines.join("\n"));
        expect(&run(program("sh", &folder).args(["-c", &script])), 0, &["2 of 2 runs as expected"]);
        let junit = fs::read_to_string(folder.join("models.xml")).expect("it was written");
        assert!(junit.contains("models/lock_naive.m"), "{junit}");
        break_a_model(&folder);
        let output = run(program("sh", &folder).args(["-c", &script]));
        expect(&output, 1, &["1 of 2 runs as expected", "models/lock_naive.m:23:1: invariant"]);
    }
}

#[test]
fn make_verifies_what_has_changed() {
    let folder = project("make");
    fs::write(folder.join("Makefile"), block("Makefile")).expect("it can be written");
    expect(&run(program("make", &folder).arg("check")), 0, &["mcc verify -q --json build/lock_naive.json"]);
    expect(&run(program("make", &folder).arg("check")), 0, &["Nothing to be done"]);
    expect(&run(program("make", &folder).arg("build/lock_naive")), 0, &[]);
    let output = run(&mut Command::new(folder.join("build/lock_naive")));
    expect(&output, 1, &["--> models/lock_naive.m:23:1"]);
    break_a_model(&folder);
    fs::write(folder.join("models/lock_fixed.toml"), "states = 7\n").expect("it can be written");
    let output = run(program("make", &folder).args(["-k", "check"]));
    expect(&output, 2, &["number of states is 2, expected 7"]);
}

#[test]
fn a_hook_before_a_commit_gets_the_names_of_models() {
    let folder = project("hook");
    let text = block(".pre-commit-config.yaml");
    let entry = text.lines().find_map(|line| line.trim().strip_prefix("entry: ")).expect("it has an entry");
    let script = format!("{entry} models/lock_fixed.m models/lock_naive.m");
    expect(&run(program("sh", &folder).args(["-c", &script])), 0, &[]);
    break_a_model(&folder);
    expect(&run(program("sh", &folder).args(["-c", &script])), 1, &["models/lock_naive.m:23:1"]);
}

#[test]
fn ctest_runs_a_test_for_each_model() {
    if Command::new("cmake").arg("--version").output().is_err() {
        eprintln!("skipped: there is no cmake");
        return;
    }
    let folder = project("cmake");
    fs::write(folder.join("CMakeLists.txt"), block("CMakeLists.txt")).expect("it can be written");
    expect(&run(program("cmake", &folder).args(["-B", "build"])), 0, &[]);
    let test = || run(program("ctest", &folder).args(["--test-dir", "build", "--output-on-failure"]));
    expect(&test(), 0, &["100% tests passed", "models/lock_naive.m"]);
    break_a_model(&folder);
    expect(&test(), 8, &["models/lock_naive.m:23:1: invariant"]);
}

#[test]
fn reports_name_path_version_property_and_constants() {
    let folder = project("reports");
    let model = "const N: 3; var x: 0..9; startstate x := 0; end; rule \"up\" x < 9 ==> x := x + 1; end;\n\
                 invariant \"low\" x < N;\n";
    fs::write(folder.join("models/counter.m"), model).expect("it can be written");
    let mut command = program("mcc", &folder);
    command.args(["verify", "models/counter.m", "-D", "N=4", "--json", "-", "--itf", "trace.itf.json"]);
    let output = run(&mut command);
    expect(&output, 1, &["models/counter.m:2:1: invariant \"low\" is false (-D N=4)"]);
    let read: Value = serde_json::from_slice(&output.stdout).expect("standard output is the report alone");
    let result = &read["results"][0];
    assert_eq!(result["model"], "models/counter.m");
    let report = &result["report"];
    assert_eq!(report["model"]["name"], "models/counter.m");
    assert_eq!(report["model"]["constants"]["N"], "4");
    assert_eq!(report["mcc"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["errors"][0]["property"], "low");
    let trace = fs::read(folder.join("trace.itf.json")).expect("it was written");
    let trace: Value = serde_json::from_slice(&trace).expect("it is JSON");
    assert_eq!(trace["states"].as_array().map(Vec::len), Some(5));
}

#[test]
fn what_comes_with_the_command() {
    let folder = empty_folder("comfort");
    let (short, long) = (run(mcc().arg("-h")), run(mcc().arg("--help")));
    assert!(short.stdout.len() * 10 < long.stdout.len() * 9, "-h is the short one: {}", shown(&short));
    assert!(!text(&short.stdout).contains("Exit codes") && text(&short.stdout).contains("--help"));
    expect(&run(mcc().arg("man").arg(&folder)), 0, &[]);
    let page = fs::read_to_string(folder.join("mcc-verify.1")).expect("it was written");
    assert!(page.contains(".TH mcc-verify 1"), "{page}");
    expect(&run(mcc().args(["completions", "bash"])), 0, &["prefetch", "complete -F"]);
    expect(&run(mcc().args(["completions", "csh"])), 2, &["csh"]);

    let cache = folder.join("cache");
    let mcc = || {
        let mut command = mcc();
        command.env("MCC_CACHE", &cache);
        command
    };
    expect(&run(mcc().args(["cache", "-q"])), 0, &["0\n"]);
    assert!(!cache.exists(), "looking at a cache does not create it");
    expect(&run(mcc().args(["cache", "path"])), 0, &[&cache.to_string_lossy()]);
    let engine = cache.join("engine-0123");
    fs::create_dir_all(&engine).expect("it can be created");
    fs::write(engine.join("file"), [0; 2000]).expect("it can be written");
    expect(&run(mcc().args(["cache", "size", "-q"])), 0, &["2000\n"]);
    expect(&run(mcc().arg("cache")), 0, &["2.0 KiB", "1 version"]);
    expect(&run(mcc().args(["cache", "clean"])), 0, &["2.0 KiB removed"]);
    assert!(!engine.exists());
}
