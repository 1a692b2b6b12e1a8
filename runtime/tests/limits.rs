//! Limits of the shell: what the system refuses is reported as such, and is never the end of a
//! process by a signal.

#![cfg(test)]
#![cfg(unix)]

mod models;

use models::run;
use models::wheels::Wheels;
use std::path::PathBuf;
use std::process::Command;

/// Not a test: the verifier that the others start in a shell.
#[test]
fn verifier_in_a_shell() {
    let Ok(line) = std::env::var("MCC_IN_A_SHELL") else { return };
    if line == "ALLOCATE" {
        mcc_runtime::internals::set_exit_code(3);
        let bytes: Vec<u8> = std::hint::black_box(Vec::with_capacity(8 << 30));
        std::process::exit(100 + i32::from(bytes.capacity() == 0));
    }
    let arguments = std::iter::once("verifier").chain(line.split_whitespace()).map(Into::into);
    let code = format!("{:?}", mcc_runtime::main_with(&Wheels::Right, arguments));
    let digits: String = code.chars().filter(char::is_ascii_digit).collect();
    std::process::exit(digits.parse().unwrap());
}

struct Ran {
    /// `None`: a signal.
    code: Option<i32>,
    text: String,
}

/// Runs a verifier after a command of the shell.
fn limited(limit: &str, line: &str) -> Ran {
    let program = std::env::current_exe().unwrap();
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{limit}; exec '{}' --exact verifier_in_a_shell --nocapture", program.display()))
        .env("MCC_IN_A_SHELL", line)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    Ran { code: output.status.code(), text }
}

fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("mcc-limits-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A checkpoint that does not fit is a warning, and the one before is still good.
#[test]
fn a_checkpoint_beyond_the_limit_of_files_is_a_full_disk() {
    let place = directory("saved");
    let line = format!("-j1 --checkpoint 0 --checkpoint-directory {}", place.display());
    let ran = limited("ulimit -f 100", &line);
    assert_eq!(ran.code, Some(0), "{}", ran.text);
    assert!(ran.text.contains("was not written") && ran.text.contains("(ulimit -f)"), "{}", ran.text);
    assert!(ran.text.contains("is still good, and the search continues"), "{}", ran.text);
    assert!(ran.text.contains("65,536"), "{}", ran.text);
    let _ = std::fs::remove_dir_all(place);
}

#[test]
fn a_table_beyond_the_limit_of_files_is_told_with_what_helps() {
    let place = directory("tables");
    let line = format!("-j1 --disk {} --table-memory 100K", place.display());
    let ran = limited("ulimit -f 100", &line);
    assert_eq!(ran.code, Some(3), "{}", ran.text);
    assert!(ran.text.contains("(ulimit -f)") && ran.text.contains("--disk DIR"), "{}", ran.text);
    let ran = limited("ulimit -f 100", "-j1 -c");
    assert_eq!(ran.code, Some(3), "{}", ran.text);
    assert!(ran.text.contains("the file for traces") && ran.text.contains("-d DIR"), "{}", ran.text);
    let _ = std::fs::remove_dir_all(place);
}

#[test]
fn memory_that_the_system_refuses_is_not_our_limit() {
    let ran = limited("ulimit -v 1500000", "-j1 -c --slots 1000000000 --memory 8G");
    assert_eq!(ran.code, Some(3), "{}", ran.text);
    for words in ["the system refused", "(ulimit -v)", "the limit of 8.0 GiB (--memory) is not reached"] {
        assert!(ran.text.contains(words), "`{words}` is not in\n{}", ran.text);
    }
    // And what is beyond our own limit is.
    let ran = run(&Wheels::Right, "-j1 -c --slots 1000000000 --memory 1G");
    assert!(ran.out.contains("out of memory") && ran.out.contains("(--memory)"), "{}", ran.out);
}

#[test]
fn small_things_are_refused_in_words() {
    let ran = limited("ulimit -v 1500000", "ALLOCATE");
    assert_eq!(ran.code, Some(3), "{}", ran.text);
    let words = "error: the system refuses 8589934592 bytes of memory, which is not the limit of --memory";
    assert!(ran.text.contains(words) && ran.text.contains("ulimit -v"), "{}", ran.text);
}
