//! Checkpoints of several processes: resumed by any number of them, and never a mixture.

use super::models::wheels::Wheels;
use super::models::{Ran, report, run};
use super::{NUMBER, cluster, errors, figures};
use mcc_runtime::Exit;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

fn directory() -> PathBuf {
    let name = format!("saved-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn processes(model: Wheels, threads: &[usize], line: &str) -> Vec<Ran> {
    let lines: Vec<String> = threads.iter().map(|threads| format!("--json - -j{threads} {line}")).collect();
    cluster(model, &vec![1; threads.len()], &lines)
}

/// Four processes save a search that ends at this depth.
fn save(model: Wheels, depth: u32, options: &str) -> PathBuf {
    let saved = directory();
    let line =
        format!("--checkpoint 0 --checkpoint-directory {} --max-depth {depth} {options}", saved.display());
    let ran = processes(model, &[1, 2, 1, 1], &line);
    assert!(ran.iter().all(|other| other.exit == ran[0].exit), "{}", ran[0].err);
    assert!(saved.join("manifest").exists(), "{}{}", ran[0].out, ran[0].err);
    saved
}

#[test]
fn another_number_of_processes_goes_on() {
    for (model, options) in [(Wheels::Right, ""), (Wheels::Right, "-b"), (Wheels::Broken, "--max-errors 0")] {
        let alone = report(&model, &format!("-j1 {options}"));
        for threads in [&[1][..], &[1, 1], &[3, 1, 1], &[1; 5]] {
            let saved = save(model, 9, options);
            let ran = processes(model, threads, &format!("--resume {} {options}", saved.display()));
            let report = ran[0].json();
            assert_eq!(figures(&report), figures(&alone), "{threads:?} {options}: {}", ran[0].err);
            assert_eq!(errors(&report).len(), errors(&alone).len(), "{threads:?} {options}");
            assert_eq!(report["checkpoints"]["resumed_from_levels"][0], 9, "{report:#}");
            // Nothing is left of a search that is over.
            assert!(!saved.exists(), "{threads:?} {options}");
        }
    }
}

/// What a resumed search saves is resumed as well.
#[test]
fn a_resumed_search_is_saved_again() {
    let expected = figures(&report(&Wheels::Right, "-j1"));
    let saved = save(Wheels::Right, 5, "");
    let line = |depth: &str| format!("--resume {} --checkpoint 0 {depth}", saved.display());
    for (threads, depth) in [(&[1, 1][..], "--max-depth 9"), (&[2], "--max-depth 12"), (&[1; 3], "")] {
        let ran = processes(Wheels::Right, threads, &line(depth));
        if depth.is_empty() {
            assert_eq!(figures(&ran[0].json()), expected, "{}", ran[0].err);
        } else {
            assert!(ran[0].exit == Exit::Inconclusive && saved.exists(), "{depth}: {}", ran[0].err);
        }
    }
}

fn copy(from: &Path) -> PathBuf {
    let to = directory();
    std::fs::create_dir(&to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
    to
}

fn part(directory: &Path, number: usize) -> PathBuf {
    let names = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let start = format!("part{number}-");
    let mut named = names.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&start));
    named.next().expect("each process has written its part")
}

#[test]
fn parts_of_other_checkpoints_are_refused() {
    let (older, newer) = (save(Wheels::Right, 7, ""), save(Wheels::Right, 9, ""));
    let resume = |directory: &Path| {
        let ran = processes(Wheels::Right, &[1, 1, 1], &format!("--resume {}", directory.display()));
        assert!(ran.iter().all(|ran| ran.exit != Exit::Verified), "{}", ran[0].err);
        ran.into_iter().map(|ran| ran.err + &ran.out).collect::<String>()
    };
    // A part of another checkpoint, of the same name: its length, or its checksum, is another.
    let mixed = copy(&newer);
    let bytes = std::fs::read(part(&older, 2)).unwrap();
    std::fs::write(part(&mixed, 2), &bytes).unwrap();
    let text = resume(&mixed);
    assert!(text.contains("instead of") || text.contains("damaged"), "{text}");
    let changed = copy(&newer);
    let mut bytes = std::fs::read(part(&changed, 1)).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(part(&changed, 1), bytes).unwrap();
    let text = resume(&changed);
    assert!(text.contains("checkpoint"), "{text}");
    let missing = copy(&newer);
    std::fs::remove_file(part(&missing, 3)).unwrap();
    let text = resume(&missing);
    assert!(text.contains("is missing"), "{text}");
    let alone = run(&Wheels::Right, &format!("-j1 --resume {}", newer.display()));
    assert_eq!(alone.exit, Exit::Wrong);
    assert!(alone.err.contains("--cluster local:1"), "{}", alone.err);
    // And it is still there.
    let ran = processes(Wheels::Right, &[1, 1], &format!("--resume {}", newer.display()));
    assert_eq!(figures(&ran[0].json()), figures(&report(&Wheels::Right, "-j1")), "{}", ran[0].err);
}

/// Signatures are saved by regions of the table, so that any number of processes finds the same
/// states as one that was not interrupted, with the same bound.
#[test]
fn signatures_are_dealt_anew() {
    // Without --slots a table has as many as there is memory for, which depends on the processes.
    for options in [
        "-c --slots 200000",
        "-c --bits 10 --slots 80000",
        "-c -b --slots 200000 --queue disk --queue-memory 256K",
    ] {
        // As many threads as are saved: with a queue on disk there are more segments for more.
        let alone = processes(Wheels::Right, &[1, 2, 1, 1], options)[0].json();
        let expected = (figures(&alone), alone["compaction"]["levels"].clone());
        for threads in [&[1][..], &[2, 1], &[1; 5]] {
            let saved = save(Wheels::Right, 9, options);
            let ran = processes(Wheels::Right, threads, &format!("--resume {} {options}", saved.display()));
            let report = ran[0].json();
            let found = (figures(&report), report["compaction"]["levels"].clone());
            assert_eq!(found, expected, "{threads:?} {options}: {}", ran[0].err);
        }
    }
    // With errors, whose traces lead through states that were saved.
    let options = "-c --slots 200000 --max-errors 0";
    let alone = processes(Wheels::Broken, &[1], options)[0].json();
    let saved = save(Wheels::Broken, 5, options);
    let line = format!("--resume {} {options}", saved.display());
    let ran = processes(Wheels::Broken, &[1, 1, 1], &line);
    assert_eq!(errors(&ran[0].json()), errors(&alone), "{}", ran[0].err);
    // A slot that was changed is noticed, whoever reads it.
    let saved = save(Wheels::Right, 9, "-c --slots 200000");
    let path = part(&saved, 1);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 3;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let line = format!("--resume {} -c --slots 200000", saved.display());
    let ran = processes(Wheels::Right, &[1, 1], &line);
    assert!(ran[0].exit != Exit::Verified && ran[0].err.contains("checkpoint"), "{}", ran[0].err);
}
