//! What the end-to-end tests share: building models once, running verifiers, reading expectations.

#![allow(dead_code)] // Each test file uses its own part.

pub use mcc_murphi::expectation::Expectation;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// A folder for what tests write, inside the target directory.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the target directory is writable");
    folder
}

/// `mcc`, with one build cache for all tests, which survives from run to run.
pub fn mcc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcc"));
    command.env("MCC_CACHE", scratch("cache")).env("NO_COLOR", "1");
    command
}

/// All models of a folder with what is expected of them, in the order of their names.
pub fn models(folder: &Path) -> Vec<(PathBuf, Expectation)> {
    let cases = mcc_murphi::harness::cases(folder).unwrap_or_else(|error| panic!("{error}"));
    for case in &cases {
        let beside = case.path.with_extension("toml");
        assert!(beside.is_file(), "{} has no expectation", case.path.display());
    }
    cases.into_iter().map(|case| (case.path, case.expectation)).collect()
}

/// Compiles a model to a verifier in the scratch folder.
pub fn build(model: &Path) -> Result<PathBuf, String> {
    let name = model.strip_prefix(root()).unwrap_or(model).with_extension("");
    let name: String =
        name.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let verifier = scratch("verifiers").join(name);
    let output = mcc().arg(model).arg("-o").arg(&verifier).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("mcc failed: {}\n{}", output.status, text(&output.stderr)));
    }
    Ok(verifier)
}

/// What a verifier said, as data.
#[derive(Debug)]
pub struct Verdict {
    pub exit: Option<i32>,
    pub report: serde_json::Value,
    pub stderr: String,
}

/// Runs a verifier and reads its JSON report.
pub fn verify(verifier: &Path, options: &[String]) -> Result<Verdict, String> {
    let output = Command::new(verifier)
        .args(options)
        .args(["--json", "-"])
        .output()
        .map_err(|error| format!("{}: {error}", verifier.display()))?;
    let report = serde_json::from_slice(&output.stdout).map_err(|error| {
        format!(
            "no report ({error}), exit {:?}\n{}{}",
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr)
        )
    })?;
    Ok(Verdict { exit: output.status.code(), report, stderr: text(&output.stderr) })
}

/// The interpreter, too, finds the first error of a report.
pub fn replay(model: &Path, report: &serde_json::Value) -> Result<(), String> {
    let name = model.file_stem().unwrap_or_default().to_string_lossy();
    let file = scratch("replay").join(format!("{name}.{:?}.json", std::thread::current().id()));
    std::fs::write(&file, report.to_string()).map_err(|error| error.to_string())?;
    let output = mcc().arg(model).arg("--replay").arg(&file).output().map_err(|error| error.to_string())?;
    match output.status.success() && !text(&output.stdout).contains("note:") {
        true => Ok(()),
        false => Err(format!("the interpreter disagrees: {}", shown(&output))),
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Everything that a command printed, for messages.
pub fn shown(output: &Output) -> String {
    format!("{}\n{}{}", output.status, text(&output.stdout), text(&output.stderr))
}
