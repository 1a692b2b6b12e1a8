//! A cargo that builds nothing: it delivers a prepared program, and notes how it was called. With
//! it, what mcc makes of a build can be tested in no time.

#![allow(dead_code)] // Each test file uses its own part.

use crate::support::{mcc, scratch, text};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CARGO: &str = r#"#!/bin/sh
# As cargo: `cargo --color never build --locked --manifest-path FILE --release --offline ... --target-dir DIR`
here=$(dirname "$0")
crate=$PWD
while [ $# -gt 0 ]; do
  case "$1" in
    --manifest-path) crate=$(dirname "$2"); shift ;;
    --target-dir) target=$2; shift ;;
  esac
  shift
done
package=$(basename "$crate")
executable=$target/release/$package
fresh=true
pwd > "$here/directory"
env > "$here/environment"
(cd "$crate" && find . -type f -o -type l | sort) > "$here/files"
if [ ! -e "$executable" ]; then
  fresh=false
  mkdir -p "$target/release"
  cp "$here/program" "$executable"
  echo "$package" >> "$here/builds"
fi
echo '{"reason":"compiler-artifact","target":{"name":"'$package'"},"fresh":'$fresh',"executable":"'$executable'"}'
echo '{"reason":"build-finished","success":true}'
"#;

/// What a verifier says at its end.
pub const ANNOUNCE: &str =
    r#"announce() { echo "mcc-verdict/1 $MCC_VERDICT_NONCE $1 $2" > "$MCC_VERDICT_TO"; exit "$2"; }"#;

/// A cache, a model and a cargo of one test.
pub struct Workshop {
    pub folder: PathBuf,
    pub cache: PathBuf,
    pub model: PathBuf,
}

impl Workshop {
    /// The program that the cargo delivers is a script.
    pub fn new(name: &str, program: &str) -> Workshop {
        let folder = scratch("workshop").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("the target directory is writable");
        let model = folder.join("model.m");
        fs::write(&model, "var x: 0..1;\nstartstate x := 0; end;\nrule x := 1 - x; end;\n").expect("a file");
        let workshop = Workshop { cache: folder.join("cache"), model, folder };
        workshop.write_script("cargo", CARGO);
        workshop.write_script("program", program);
        workshop
    }

    pub fn write_script(&self, name: &str, script: &str) -> PathBuf {
        let path = self.folder.join(name);
        fs::write(&path, script).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
        path
    }

    /// `mcc` with this cargo and this cache.
    pub fn mcc(&self) -> Command {
        let mut command = mcc();
        command.env("MCC_CACHE", &self.cache).env("CARGO", self.folder.join("cargo"));
        command.current_dir(&self.folder);
        command
    }

    /// Builds the model to `verifier`.
    pub fn build(&self) -> Output {
        let output = self.mcc().arg(&self.model).args(["-o", "verifier"]).output();
        output.expect("mcc runs")
    }

    pub fn run(&self) -> Output {
        self.mcc().arg("--run").arg(&self.model).output().expect("mcc runs")
    }

    /// How often something was built.
    pub fn builds(&self) -> usize {
        fs::read_to_string(self.folder.join("builds")).map_or(0, |builds| builds.lines().count())
    }

    /// What the cargo noted about its last call.
    pub fn noted(&self, what: &str) -> String {
        text(&fs::read(self.folder.join(what)).expect("cargo was called"))
    }

    /// The only directory below `crates` in the cache.
    pub fn crate_directory(&self) -> PathBuf {
        let engine = only_directory(&self.cache);
        only_directory(&engine.join("crates"))
    }

    pub fn executable(&self) -> PathBuf {
        let package = self.crate_directory();
        let engine = package.parent().and_then(Path::parent).expect("it lies two levels below");
        engine.join("target/release").join(package.file_name().expect("it has a name"))
    }
}

fn only_directory(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).expect("mcc made it");
    let found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}
