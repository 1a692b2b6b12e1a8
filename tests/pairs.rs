//! The pairs that benchmarks compare with Spin: both halves of each, in a small size, have the same
//! states and as many transitions. Where Spin is not on the path there is nothing to compare with,
//! and the tests are listed as ignored.

#![cfg(test)]

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::process::Command;
use support::{build, root, scratch, shown, text, verify};

/// Each pair with constants that keep it small.
const PAIRS: [(&str, &[(&str, u32)]); 4] = [
    ("tools/benchmarks/pairs/bakery", &[("process_count", 3), ("last_ticket", 3)]),
    ("tools/benchmarks/pairs/peterson", &[("process_count", 4)]),
    ("tools/benchmarks/pairs/philosophers", &[("philosopher_count", 7)]),
    ("models/odometers", &[("N", 5)]),
];

fn main() {
    let arguments = Arguments::from_args();
    let found = Command::new("spin").arg("-V").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("spin is not on the path: the pairs are not compared");
    }
    let trials = PAIRS.map(|(name, constants)| {
        Trial::test(format!("{name} against spin"), move || check(name, constants)).with_ignored_flag(!found)
    });
    libtest_mimic::run(&arguments, trials.into()).exit();
}

fn check(name: &str, constants: &[(&str, u32)]) -> Result<(), Failed> {
    let path = root().join(name);
    let folder = scratch("pairs").join(path.file_name().unwrap_or_default());
    std::fs::create_dir_all(&folder)?;
    let (murphi, promela) = (folder.join("pair.m"), folder.join("pair.pml"));
    let (mut ours, mut theirs) = (
        std::fs::read_to_string(path.with_extension("m"))?,
        std::fs::read_to_string(path.with_extension("pml"))?,
    );
    for (constant, value) in constants {
        ours = replaced(&ours, &format!("\n  {constant}: "), ";", *value)?;
        theirs = replaced(&theirs, &format!("\n#define {constant} "), "\n", *value)?;
    }
    std::fs::write(&murphi, ours)?;
    std::fs::write(&promela, theirs)?;

    let report = verify(&build(&murphi)?, &["-ndl".to_owned()])?.report;
    assert_eq!(report["verdict"], "verified");
    let counts = (report["states"].as_u64(), report["rules"].as_u64());
    let spin = spin(&folder)?;
    // Spin counts the step into the start state, too.
    let spins =
        (number_before(&spin, " states, stored"), number_before(&spin, " transitions").map(|it| it - 1));
    if counts == spins && spin.contains("errors: 0") {
        Ok(())
    } else {
        Err(format!("we count {counts:?} states and rules, spin {spins:?}:\n{spin}").into())
    }
}

/// With another number between what stands before it and what ends it.
fn replaced(source: &str, before: &str, end: &str, value: u32) -> Result<String, Failed> {
    let (head, rest) = source.split_once(before).ok_or_else(|| format!("no {before:?}"))?;
    let (_, tail) = rest.split_once(end).ok_or_else(|| format!("no {end:?} after {before:?}"))?;
    Ok(format!("{head}{before}{value}{end}{tail}"))
}

/// What Spin's verifier prints, built as benchmarks build it but for the C compiler's patience.
fn spin(folder: &Path) -> Result<String, Failed> {
    let run = |program: &str, arguments: &[&str]| -> Result<String, Failed> {
        let output = Command::new(program).current_dir(folder).args(arguments).output()?;
        if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(format!("{program} {arguments:?}: {}", shown(&output)).into())
        }
    };
    run("spin", &["-o1", "-o2", "-o3", "-a", "pair.pml"])?;
    run("cc", &["-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"])?;
    let verifier = folder.join("pan");
    run(&verifier.to_string_lossy(), &["-E", "-n", "-m1000000", "-w18"])
}

fn number_before(output: &str, words: &str) -> Option<u64> {
    let (before, _) = output.lines().find_map(|line| line.split_once(words))?;
    before.split_whitespace().last()?.parse().ok()
}
