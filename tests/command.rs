//! The `mcc` command as a user runs it: what it accepts, what it refuses and with which words, what
//! it leaves on the disk, and that its cache heals itself.

#![cfg(test)]

#[path = "command/lsp.rs"]
mod lsp;
#[path = "command/pipelines.rs"]
mod pipelines;
#[path = "command/reports.rs"]
mod reports;
mod support;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use support::{build, mcc, root, scratch, shown, text};

/// Verified: 122 states.
fn good() -> PathBuf {
    root().join("models/dekker.m")
}

/// Violated.
fn broken() -> PathBuf {
    root().join("models/broken/deadlock_philosophers.m")
}

fn wrong() -> PathBuf {
    root().join("tests/diagnostics/several_of_all_kinds.m")
}

/// A folder of this test alone, empty.
fn empty_folder(name: &str) -> PathBuf {
    let folder = scratch("command").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the target directory is writable");
    folder
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

#[track_caller]
fn expect(output: &Output, code: i32, said: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", shown(output));
    let heard = text(&output.stderr);
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
    assert!(!heard.contains("panicked"), "{heard}");
}

#[test]
fn check_judges_a_model_and_writes_nothing() {
    let folder = empty_folder("check");
    let output = run(mcc().arg("--check").arg(good()).current_dir(&folder));
    expect(&output, 0, &[]);
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{}", shown(&output));
    let output = run(mcc().arg("--check").arg(wrong()).current_dir(&folder));
    expect(&output, 2, &["error", "several_of_all_kinds.m:4:", "several_of_all_kinds.m:10:", "errors"]);
    assert_eq!(fs::read_dir(&folder).expect("it exists").count(), 0);
}

#[test]
fn a_model_that_cannot_be_read() {
    let folder = empty_folder("unreadable");
    expect(&run(mcc().arg(folder.join("none.m"))), 2, &["none.m", "error:"]);
    expect(&run(mcc().arg(&folder)), 2, &["directory"]);
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("it can be written");
        path
    };
    let empty = file("empty.m", b"");
    expect(&run(mcc().arg("--check").arg(&empty)), 2, &["no start state"]);
    let bytes = file("bytes.m", b"var x: 0..3;\nstartstate begin x := \xFF; end;\n");
    expect(&run(mcc().arg("--check").arg(&bytes)), 2, &["bytes.m", "UTF-8"]);
    let random: Vec<u8> = (0..5000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    expect(&run(mcc().arg("--check").arg(file("random.m", &random))), 2, &["error"]);
    // Old models have Latin-1 in their comments, Windows line ends and byte-order marks.
    let latin = file(
        "latin.m",
        b"\xEF\xBB\xBF-- M\xFCller\r\nvar x: 0..3;\r\nstartstate begin x := 0; end;\r\nrule x := 1; end;\r\n",
    );
    expect(&run(mcc().arg("--check").arg(&latin)), 0, &["warning"]);
}

#[test]
fn a_wrong_command_line() {
    expect(&run(&mut mcc()), 2, &["Usage"]);
    expect(&run(mcc().arg("--no-such-option").arg(good())), 2, &["--no-such-option"]);
    expect(&run(mcc().args(["--check", "-o", "x"]).arg(good())), 2, &["cannot be used with"]);
    expect(&run(mcc().arg(good()).args(["--", "-b"])), 2, &["--run"]);
}

#[test]
fn help_lists_all_options() {
    let output = run(mcc().arg("--help"));
    expect(&output, 0, &[]);
    let help = text(&output.stdout);
    for word in [
        "--output",
        "--emit",
        "--check",
        "--run",
        "--color",
        "--quiet",
        "--verbose",
        "MODEL",
        "-o",
        "MCC_CACHE",
        "Exit codes",
    ] {
        assert!(help.contains(word), "`{word}` is not in\n{help}");
    }
    let output = run(mcc().arg("--version"));
    expect(&output, 0, &[]);
    assert!(text(&output.stdout).starts_with("mcc "), "{}", shown(&output));
}

#[test]
fn an_output_that_cannot_be_written() {
    let folder = empty_folder("output");
    expect(&run(mcc().arg(good()).arg("-o").arg(&folder)), 2, &["directory"]);
    let nowhere = folder.join("no/such/folder/verifier");
    expect(&run(mcc().arg(good()).arg("-o").arg(&nowhere)), 2, &["verifier"]);
    let below_a_file = folder.join("file");
    fs::write(&below_a_file, "mine").expect("it can be written");
    expect(&run(mcc().arg(good()).arg("-o").arg(below_a_file.join("verifier"))), 2, &["file"]);
    let model = folder.join("model.m");
    fs::copy(good(), &model).expect("it can be copied");
    expect(&run(mcc().arg(&model).arg("-o").arg(&model)), 2, &["model"]);
    assert_eq!(fs::read(&model).ok(), fs::read(good()).ok(), "the model was overwritten");
}

#[test]
fn the_default_output_is_named_after_the_model() {
    let folder = empty_folder("default");
    expect(&run(mcc().arg(good()).current_dir(&folder)), 0, &[]);
    let verifier = folder.join("dekker");
    let output = run(Command::new(&verifier).arg("--quiet"));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

#[test]
fn run_passes_options_and_exit_codes_on() {
    let output = run(mcc().arg("--run").arg(good()).args(["--", "-b", "--json", "-"]));
    expect(&output, 0, &[]);
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("standard output is the report alone");
    assert_eq!((report["verdict"].as_str(), report["states"].as_u64()), (Some("verified"), Some(122)));
    assert_eq!(report["layout"], "packed");
    let output = run(mcc().arg("--run").arg(broken()));
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let output = run(mcc().arg("--run").arg(good()).args(["--", "--max-states", "5"]));
    assert_eq!(output.status.code(), Some(3), "{}", shown(&output));
    let output = run(mcc().arg("--run").arg(good()).args(["--", "--no-such-option"]));
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

#[test]
fn a_model_from_standard_input() {
    let folder = empty_folder("stdin");
    let model = fs::read(good()).expect("the model can be read");
    let pipe = |command: &mut Command, bytes: &[u8]| {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mcc starts");
        let mut input = child.stdin.take().expect("it was asked for");
        input.write_all(bytes).expect("mcc reads it all");
        drop(input);
        child.wait_with_output().expect("mcc ends")
    };
    expect(&pipe(mcc().args(["--check", "-"]), &model), 0, &[]);
    expect(&pipe(mcc().args(["--check", "-"]), b"startstate x := 1; end;"), 2, &["<stdin>:1:12"]);
    let verifier = folder.join("verifier");
    expect(&pipe(mcc().arg("-").arg("-o").arg(&verifier), &model), 0, &[]);
    assert!(verifier.is_file());
    expect(&pipe(mcc().arg("-").current_dir(&folder), &model), 2, &["-o"]);
}

#[test]
fn the_emitted_crate_is_a_crate_like_any_other() {
    let folder = empty_folder("emit");
    let written = folder.join("new/crate");
    expect(&run(mcc().arg(good()).arg("--emit").arg(&written)), 0, &[]);
    let code = fs::read_to_string(written.join("src/model.rs")).expect("the model's module");
    assert!(code.contains("dekker.m:"), "rules say where they stand in the model");

    // A second time nothing changes, and what the user added stays.
    let note = written.join("NOTES.md");
    fs::write(&note, "mine").expect("it can be written");
    let before = times(&written);
    expect(&run(mcc().arg(good()).arg("--emit").arg(&written)), 0, &[]);
    assert_eq!(times(&written), before, "unchanged files were written again");
    // Another model changes the model's module, not the rest.
    let runtime = written.join("runtime/Cargo.toml");
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    let before = time(&runtime);
    expect(&run(mcc().arg(root().join("models/ping_pong.m")).arg("--emit").arg(&written)), 0, &[]);
    assert_ne!(fs::read_to_string(written.join("src/model.rs")).ok(), Some(code));
    assert_eq!(time(&runtime), before);
    expect(&run(mcc().arg(good()).arg("--emit").arg(&written)), 0, &[]);

    // It builds on its own, without a warning, without a network.
    let output = run(Command::new(env!("CARGO"))
        .args(["build", "--offline", "--quiet"])
        .current_dir(&written)
        .env("RUSTFLAGS", "-D warnings")
        .env("CARGO_TARGET_DIR", scratch("emitted-target")));
    assert!(output.status.success(), "{}", shown(&output));
    let made = find_executable(&scratch("emitted-target").join("debug"));
    let output = run(Command::new(made).args(["--json", "-"]));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(report["states"].as_u64(), Some(122), "{}", shown(&output));

    // Nobody else's folder is touched.
    let foreign = folder.join("foreign");
    fs::create_dir_all(&foreign).expect("it can be made");
    fs::write(foreign.join("thesis.txt"), "years of work").expect("it can be written");
    expect(&run(mcc().arg(good()).arg("--emit").arg(&foreign)), 2, &["not empty"]);
    assert_eq!(fs::read_dir(&foreign).expect("it exists").count(), 1);
    expect(&run(mcc().arg(good()).arg("--emit").arg(foreign.join("thesis.txt"))), 2, &["thesis.txt"]);
}

/// The files below a folder, each with the time when it was written.
fn times(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(times(&path));
        } else {
            found.push((
                path.clone(),
                fs::metadata(&path).and_then(|data| data.modified()).expect("it has a time"),
            ));
        }
    }
    found.sort();
    found
}

/// The newest executable in a folder that cargo wrote.
fn find_executable(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("cargo wrote it")
        .flatten()
        .filter_map(|entry| {
            let data = entry.metadata().ok()?;
            let fits = data.is_file() && data.permissions().mode() & 0o111 != 0;
            fits.then_some((data.modified().ok()?, entry.path()))
        })
        .filter(|(_, path)| path.extension().is_none())
        .collect();
    found.sort();
    found.pop().expect("there is an executable").1
}

#[test]
fn without_cargo_it_says_what_to_install() {
    let folder = empty_folder("no-cargo");
    let model = folder.join("model.m");
    // A model that nobody has built yet.
    let text =
        format!("-- {}\nvar x: 0..1;\nstartstate x := 0; end;\nrule x := 1 - x; end;\n", std::process::id());
    fs::write(&model, text).expect("it can be written");
    let output = run(mcc()
        .arg(&model)
        .arg("-o")
        .arg(folder.join("verifier"))
        .env("PATH", &folder)
        .env_remove("CARGO")
        .env_remove("CARGO_HOME")
        .env("HOME", &folder));
    expect(&output, 2, &["cargo", "rustup.rs"]);
    // The analysis needs none.
    expect(&run(mcc().arg("--check").arg(&model).env("PATH", &folder).env_remove("CARGO")), 0, &[]);
}

#[test]
fn two_at_once_do_not_disturb_each_other() {
    let folder = empty_folder("two");
    let models = ["models/dekker.m", "models/ping_pong.m", "models/peterson.m", "models/dekker.m"];
    let started: Vec<_> = models
        .iter()
        .enumerate()
        .map(|(index, model)| {
            let verifier = folder.join(format!("verifier-{index}"));
            let child = mcc().arg(root().join(model)).arg("-o").arg(&verifier).stderr(Stdio::piped()).spawn();
            (model, verifier, child.expect("mcc starts"))
        })
        .collect();
    for (model, verifier, child) in started {
        let output = child.wait_with_output().expect("mcc ends");
        assert_eq!(output.status.code(), Some(0), "{model}: {}", shown(&output));
        let verdict = support::verify(&verifier, &[]).unwrap_or_else(|error| panic!("{model}: {error}"));
        let expected =
            fs::read_to_string(root().join(model).with_extension("toml")).expect("figures beside it");
        let expected: support::Expectation = toml::from_str(&expected).expect("figures");
        assert_eq!(verdict.report["states"].as_u64(), expected.states, "{model}");
    }
}

/// One cache of its own, built cold: damaged, repaired, deleted.
#[test]
fn a_damaged_cache_is_repaired_and_a_deleted_one_not_missed() {
    let folder = empty_folder("damage");
    let cache = folder.join("cache");
    let verifier = folder.join("verifier");
    let make = |model: &str| {
        let _ = fs::remove_file(&verifier);
        let output = run(mcc().env("MCC_CACHE", &cache).arg(root().join(model)).arg("-o").arg(&verifier));
        expect(&output, 0, &[]);
        let verdict = support::verify(&verifier, &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(verdict.report["verdict"], "verified");
    };
    make("models/dekker.m");
    let unpacked = sources(&cache);
    assert!(unpacked.len() > 10, "the runtime is not unpacked where this test looks: {unpacked:?}");
    let (first, second) = (&unpacked[0], &unpacked[unpacked.len() / 2]);
    let original = fs::read(first).expect("it can be read");
    fs::write(first, &original[..original.len() / 2]).expect("it can be cut");
    fs::remove_file(second).expect("it can be deleted");
    make("models/ping_pong.m");
    assert_eq!(fs::read(first).ok(), Some(original), "the damage was not repaired");
    assert!(second.is_file(), "the deleted file was not restored");

    // The verifier stands alone: without the cache, from anywhere, with an empty environment.
    fs::remove_dir_all(&cache).expect("it can be deleted");
    let elsewhere = empty_folder("elsewhere");
    let moved = elsewhere.join("moved");
    fs::copy(&verifier, &moved).expect("it can be copied");
    let output = run(Command::new(&moved).env_clear().current_dir("/"));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

/// The runtime's sources in a cache, in the order of their names.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the cache can be read").flatten() {
        let path = entry.path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.components().any(|part| part.as_os_str() == "runtime")
        {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn a_cache_that_cannot_be_written() {
    let folder = empty_folder("cache");
    let file = folder.join("file");
    fs::write(&file, "").expect("it can be written");
    let output =
        run(mcc().env("MCC_CACHE", file.join("cache")).arg(good()).arg("-o").arg(folder.join("verifier")));
    expect(&output, 2, &["MCC_CACHE"]);
}

#[test]
fn rebuilding_replaces_a_verifier_even_while_it_runs() {
    let verifier = build(&root().join("tests/verifier/counters.m")).unwrap_or_else(|error| panic!("{error}"));
    let copy = empty_folder("busy").join("verifier");
    fs::copy(&verifier, &copy).expect("it can be copied");
    let mut running =
        Command::new(&copy).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let output = run(mcc().arg(good()).arg("-o").arg(&copy));
    let _ = running.kill();
    let _ = running.wait();
    expect(&output, 0, &[]);
    let verdict = support::verify(&copy, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verdict.report["states"].as_u64(), Some(122));
}
