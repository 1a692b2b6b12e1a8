//! The build cache under attack: executables that are not what was built, directories that others
//! can write to, files and configuration that others have planted, programs that are not cargo.

#![cfg(test)]
#![cfg(unix)]

#[path = "support/fake_cargo.rs"]
mod fake_cargo;
mod support;

use fake_cargo::{ANNOUNCE, Workshop};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{mcc, root, scratch, shown, text};

const PROGRAM: &str = "#!/bin/sh\necho this is what was built\n";

#[track_caller]
fn expect(output: &Output, code: i32, said: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", shown(output));
    let heard = text(&output.stderr);
    for words in said {
        assert!(heard.contains(words), "`{words}` is not in\n{heard}");
    }
    assert!(!heard.contains("panicked") && !heard.contains("bug in mcc"), "{heard}");
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
}

#[test]
fn an_executable_that_is_not_what_was_built_is_built_again() {
    let workshop = Workshop::new("changed", PROGRAM);
    expect(&workshop.build(), 0, &[]);
    expect(&workshop.build(), 0, &[]);
    assert_eq!(workshop.builds(), 1, "an intact executable is used again");
    let (executable, record) = (workshop.executable(), workshop.crate_directory().join("executable.record"));
    let verifier = workshop.folder.join("verifier");
    let attacks: [(&str, &dyn Fn(), &str); 8] = [
        ("emptied", &|| fs::write(&executable, "").unwrap(), "it has 0 bytes"),
        ("cut", &|| fs::write(&executable, &PROGRAM[..9]).unwrap(), "it has 9 bytes"),
        ("script", &|| fs::write(&executable, "#!/bin/sh\nexit 0\n").unwrap(), "bytes"),
        ("flipped", &|| fs::write(&executable, PROGRAM.replace("this", "That")).unwrap(), "contents"),
        ("no record", &|| fs::remove_file(&record).unwrap(), "no record"),
        ("empty record", &|| fs::write(&record, "").unwrap(), "damaged"),
        (
            "record is a directory",
            &|| {
                fs::remove_file(&record).unwrap();
                fs::create_dir(&record).unwrap();
            },
            "no record",
        ),
        (
            "record is a link",
            &|| {
                fs::rename(&record, workshop.folder.join("elsewhere")).unwrap();
                symlink(workshop.folder.join("elsewhere"), &record).unwrap();
            },
            "no record",
        ),
    ];
    for (number, (name, attack, why)) in attacks.into_iter().enumerate() {
        attack();
        let _ = fs::remove_file(&verifier);
        let output = workshop.build();
        expect(&output, 0, &["not what was built", why, "building it again"]);
        assert_eq!(fs::read_to_string(&verifier).unwrap(), PROGRAM, "{name}");
        assert_eq!(workshop.builds(), number + 2, "{name}");
        expect(&workshop.build(), 0, &[]);
        assert_eq!(workshop.builds(), number + 2, "{name}: built again without need");
    }
    fs::remove_file(&executable).unwrap();
    expect(&workshop.build(), 0, &[]);
    assert_eq!(fs::read_to_string(&verifier).unwrap(), PROGRAM);
    assert_eq!(fs::metadata(&verifier).unwrap().permissions().mode() & 0o111, 0o111, "it can be run");
}

#[test]
fn what_runs_is_compared_as_well() {
    let verified = format!("#!/bin/sh\n{ANNOUNCE}\nannounce verified 0\n");
    let workshop = Workshop::new("run-changed", &verified);
    expect(&workshop.run(), 0, &[]);
    fs::write(workshop.executable(), "#!/bin/sh\ntouch ran\nexit 0\n").unwrap();
    expect(&workshop.run(), 0, &["not what was built", "building it again"]);
    assert!(!workshop.folder.join("ran").exists(), "the script was run");
    assert_eq!(workshop.builds(), 2);
}

#[test]
fn a_cache_is_for_the_user_alone() {
    let workshop = Workshop::new("exposed", PROGRAM);
    let cache = workshop.folder.join("new/cache");
    let build = || {
        let output = workshop.mcc().env("MCC_CACHE", &cache).arg(&workshop.model).args(["-o", "v"]).output();
        output.expect("mcc runs")
    };
    expect(&build(), 0, &[]);
    for directory in [cache.parent().unwrap(), &cache] {
        assert_eq!(fs::metadata(directory).unwrap().permissions().mode() & 0o777, 0o700);
    }
    let engine = fs::read_dir(&cache).unwrap().flatten().map(|entry| entry.path()).find(|path| path.is_dir());
    let engine = engine.expect("it was built there");
    for (directory, named) in [(&cache, "it is writable"), (&engine, "it is writable")] {
        // The group of another user than root may be the user's own.
        let group =
            if fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0) { 0o770 } else { 0o777 };
        for mode in [0o777, group, 0o707] {
            set_mode(directory, mode);
            let remedy = format!("chmod go-w {}", directory.canonicalize().unwrap().display());
            expect(&build(), 2, &["refusing", named, &remedy, "MCC_CACHE"]);
        }
        set_mode(directory, 0o700);
        expect(&build(), 0, &[]);
    }
    let above = cache.parent().unwrap();
    set_mode(above, 0o777);
    expect(&build(), 2, &["refusing", "above it is writable", "chmod go-w"]);
    // As /tmp: others can add to it, and replace nothing.
    set_mode(above, 0o1777);
    expect(&build(), 0, &[]);
    set_mode(above, 0o700);
    // Only root can give it away.
    if std::os::unix::fs::chown(&cache, Some(54321), None).is_ok() {
        expect(&build(), 2, &["refusing", "54321", "MCC_CACHE"]);
        std::os::unix::fs::chown(&cache, Some(0), None).unwrap();
        std::os::unix::fs::chown(above, Some(54321), None).unwrap();
        expect(&build(), 2, &["refusing", "54321", "MCC_CACHE"]);
        std::os::unix::fs::chown(above, Some(0), None).unwrap();
    }
    // A link is judged by where it leads.
    let link = workshop.folder.join("link");
    symlink(&cache, &link).unwrap();
    let through = |expected| {
        let output = workshop.mcc().env("MCC_CACHE", &link).arg(&workshop.model).args(["-o", "v"]).output();
        expect(&output.expect("mcc runs"), expected, &[]);
    };
    through(0);
    set_mode(&cache, 0o777);
    through(2);
    set_mode(&cache, 0o700);
}

#[test]
fn cargo_reads_what_mcc_wrote_and_nothing_else() {
    let workshop = Workshop::new("planted", PROGRAM);
    expect(&workshop.build(), 0, &[]);
    let directory = workshop.crate_directory();
    let written = workshop.noted("files");
    let precious = workshop.folder.join("precious");
    fs::write(&precious, "mine").unwrap();
    let manifest = fs::read(directory.join("Cargo.toml")).unwrap();
    for planted in ["build.rs", ".cargo/config.toml", "rust-toolchain.toml", "src/bin/other.rs", "tests/t.rs"]
    {
        let path = directory.join(planted);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "fn main() {}").unwrap();
    }
    fs::write(directory.join("Cargo.toml"), "[package]\nbuild = 'build.rs'\n").unwrap();
    fs::write(directory.join("Cargo.lock"), "").unwrap();
    fs::remove_file(directory.join("src/main.rs")).unwrap();
    symlink(&precious, directory.join("src/main.rs")).unwrap();
    expect(&workshop.build(), 0, &[]);
    let expected = format!("{written}./executable.record\n");
    let mut expected: Vec<&str> = expected.lines().collect();
    expected.sort_unstable();
    assert_eq!(workshop.noted("files").lines().collect::<Vec<_>>(), expected);
    assert_eq!(fs::read(directory.join("Cargo.toml")).unwrap(), manifest);
    assert!(fs::read(directory.join("Cargo.lock")).unwrap().len() > 100);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
}

#[test]
fn cargo_runs_in_surroundings_that_nobody_else_chooses() {
    let workshop = Workshop::new("surroundings", PROGRAM);
    let output = workshop
        .mcc()
        .arg(&workshop.model)
        .args(["-o", "verifier"])
        // Relative to the directory that the user is in, which is not that of cargo.
        .env("CARGO", "./cargo")
        .env("CARGO_HOME", "some/home")
        .envs([
            ("CARGO_TARGET_DIR", "x"),
            ("CARGO_BUILD_TARGET", "x"),
            ("RUSTC_WRAPPER", "x"),
            ("RUSTFLAGS", "x"),
        ])
        .output()
        .expect("mcc runs");
    expect(&output, 0, &[]);
    assert_eq!(workshop.noted("directory"), "/\n");
    let environment = workshop.noted("environment");
    let home = format!("\nCARGO_HOME={}\n", workshop.folder.join("some/home").display());
    assert!(environment.contains(&home), "{environment}");
    for gone in ["CARGO_TARGET_DIR=", "CARGO_BUILD_TARGET=", "RUSTC_WRAPPER=", "RUSTFLAGS="] {
        assert!(!environment.lines().any(|line| line.starts_with(gone)), "{environment}");
    }
}

#[test]
fn what_is_not_cargo_is_named_and_destroys_nothing() {
    let workshop = Workshop::new("not-cargo", PROGRAM);
    expect(&workshop.build(), 0, &[]);
    let built = workshop.executable();
    let dependency = built.with_file_name("deps");
    fs::create_dir_all(&dependency).unwrap();
    fs::write(dependency.join("libdependency.rlib"), "took a minute").unwrap();
    for (program, words) in [("true", "is it cargo?"), ("true", "is it cargo?"), ("false", "is it cargo?")] {
        let path = ["/bin", "/usr/bin"].map(|folder| Path::new(folder).join(program));
        let program = path.iter().find(|path| path.exists()).expect("every system has them");
        let output =
            workshop.mcc().env("CARGO", program).arg(&workshop.model).args(["-o", "other"]).output().unwrap();
        expect(&output, 2, &[words, "CARGO", &program.display().to_string()]);
    }
    assert!(dependency.join("libdependency.rlib").exists(), "the builds were thrown away");
    expect(&workshop.build(), 0, &[]);
    assert_eq!(workshop.builds(), 1, "built again without need");
    // One that promises an executable and makes none.
    let liar =
        workshop.write_script("liar", "#!/bin/sh\necho '{\"reason\":\"build-finished\",\"success\":true}'\n");
    let output = workshop.mcc().env("CARGO", liar).arg(&workshop.model).args(["-o", "o"]).output().unwrap();
    expect(&output, 2, &["there is no executable"]);
    assert!(dependency.join("libdependency.rlib").exists(), "the builds were thrown away");
}

/// A link where the old versions would have put a temporary file: the process keeps its number when
/// a shell becomes mcc.
#[test]
fn temporary_names_are_unpredictable() {
    let workshop = Workshop::new("foretold", PROGRAM);
    let victim = workshop.folder.join("victim");
    let mcc_path = workshop.mcc().get_program().to_owned();
    let attack = |script: &str, output: &str| {
        fs::write(&victim, "precious").unwrap();
        let status = Command::new("sh")
            .args(["-c", script])
            .current_dir(&workshop.folder)
            .env("MCC", &mcc_path)
            .env("MCC_CACHE", &workshop.cache)
            .env("CARGO", workshop.folder.join("cargo"))
            .output()
            .expect("a shell");
        expect(&status, 0, &[]);
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "{script}");
        assert!(workshop.folder.join(output).is_file());
    };
    attack(
        "ln -s victim found.json.$$.partial; exec \"$MCC\" --check --json found.json model.m",
        "found.json",
    );
    attack(
        "for n in 0 1 2 3 4 5 6 7 8 9; do ln -s victim .mcc-output-$$-$n; done; exec \"$MCC\" model.m -o out",
        "out",
    );
    attack(
        "ln -s victim walk.$$.partial; printf '1\\nsave walk\\n' > in; exec \"$MCC\" --simulate model.m < in",
        "walk",
    );
}

#[test]
fn the_next_run_removes_what_a_killed_one_left() {
    let workshop = Workshop::new("killed", PROGRAM);
    let partial = || -> Vec<PathBuf> {
        let entries = fs::read_dir(&workshop.folder).unwrap().flatten().map(|entry| entry.path());
        entries.filter(|path| path.to_string_lossy().contains(".mcc-partial-")).collect()
    };
    let search = || {
        let mut command = workshop.mcc();
        command.arg("--interpret").arg(root().join("tests/verifier/counters.m"));
        command.args(["--", "--memory", "200M", "--json", "report.json"]);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().expect("mcc starts")
    };
    // Waits until there is one such file, and it is not among these.
    let wait_for_another = |known: &[PathBuf]| {
        for _ in 0..600 {
            let found = partial();
            if found.len() == 1 && !known.contains(&found[0]) {
                return found;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("there are {:?}", partial());
    };
    let mut killed = search();
    let left = wait_for_another(&[]);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(partial(), left, "a killed process cannot clean up");
    let mut living = search();
    let in_use = wait_for_another(&left);
    // The file of a process that lives is not touched.
    expect(&workshop.build(), 0, &[]);
    assert_eq!(partial(), in_use);
    living.kill().unwrap();
    living.wait().unwrap();
    expect(&workshop.build(), 0, &[]);
    assert!(partial().is_empty());
}

/// A model that no other test builds.
fn own_model(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, "var x: 0..2;\nstartstate x := 0; end;\nrule x := 2 - x; end;\n").expect("a file");
    path
}

/// With the real cargo: a `build.rs` in the crate, and configuration, a toolchain file and a
/// workspace above it.
#[test]
fn planted_code_does_not_run() {
    let folder = scratch("planted");
    let cache = scratch("cache");
    let marker = folder.join("ran");
    let _ = fs::remove_file(&marker);
    let model = own_model(&folder, "planted_code.m");
    let build = || {
        let output = mcc().arg(&model).arg("-o").arg(folder.join("verifier")).output().expect("mcc runs");
        expect(&output, 0, &[]);
    };
    build();
    let crates = fs::read_dir(&cache).unwrap().flatten().map(|entry| entry.path().join("crates"));
    let ours =
        crates.filter_map(|crates| fs::read_dir(crates).ok()).flatten().flatten().map(|entry| entry.path());
    let ours: Vec<PathBuf> = ours.filter(|path| path.to_string_lossy().contains("/planted-code-")).collect();
    assert!(!ours.is_empty());
    let wrapper = folder.join("wrapper");
    fs::write(&wrapper, format!("#!/bin/sh\ntouch {}\nexec \"$@\"\n", marker.display())).unwrap();
    set_mode(&wrapper, 0o755);
    let code = format!("fn main() {{ std::fs::write({:?}, \"\").unwrap(); }}", marker.display().to_string());
    for directory in &ours {
        fs::write(directory.join("build.rs"), &code).unwrap();
        // So that there is something to build.
        let _ = fs::remove_file(directory.join("executable.record"));
    }
    let configuration = format!("[build]\nrustc-wrapper = {:?}\n", wrapper.display().to_string());
    let above = [
        (".cargo/config.toml", configuration.as_str()),
        ("rust-toolchain.toml", "[toolchain]\nchannel = \"no-such-toolchain\"\n"),
        ("Cargo.toml", "[workspace]\nmembers = [\"no-such-member\"]\n"),
    ];
    fs::create_dir_all(cache.join(".cargo")).unwrap();
    for (name, contents) in above {
        fs::write(cache.join(name), contents).unwrap();
    }
    let built = std::panic::catch_unwind(build);
    for (name, _) in above {
        fs::remove_file(cache.join(name)).unwrap();
    }
    assert!(!marker.exists(), "planted code was run");
    assert!(built.is_ok());
}
