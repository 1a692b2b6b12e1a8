//! The whole command against stand-ins for every tool: shell scripts that "build" verifiers with known
//! answers. It shows the judgement of the benchmark, not anyone's speed.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A verifier of ours that gives this answer after `$PAUSE` seconds.
const MCC: &str = r#"#!/bin/sh
cat > "$3" <<'END'
#!/bin/sh
[ "$1" = --help ] && { echo "  --threads N"; exit; }
sleep ${PAUSE:-0}
echo '{"verdict": "verified", "states": 100, "rules": 200, "depth": 9, "seconds": 0.1, "memory_bytes": 5}'
END
chmod +x "$3"
"#;

/// `mu -b model.m` leaves C++ behind.
const MU: &str = "#!/bin/sh\n: > \"${2%.m}.cpp\"\n";

/// A C++ compiler whose verifier needs a table of 16 megabytes.
const CXX: &str = r#"#!/bin/sh
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
for argument; do case $argument in -m*) size=${argument#-m};; esac; done
if [ $size -lt 16 ]; then echo "Closed hash table full."; exit; fi
printf 'Status:\n\n\tNo error found.\n\n\t%s states, 200 rules fired in 0.10s.\n' ${CMURPHI_STATES:-100}
END
chmod +x "$2"
"#;

/// Takes the warm-up model and rejects all others, as Rumur does with unions.
const RUMUR: &str = r#"#!/bin/sh
while [ "$1" != --output ]; do shift; done
case $3 in *warm_up.m) : > "$2";; *) echo "model.m:1.8-12: error: union types are not supported" >&2; exit 1;; esac
"#;

const CC: &str = "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\n: > \"$2\"\n";

struct Stage(TempDir);

impl Stage {
    fn new() -> Stage {
        let stage = Stage(TempDir::new().unwrap());
        let scripts = [("mcc", MCC), ("src/mu", MU), ("cxx", CXX), ("rumur", RUMUR), ("cc", CC)];
        fs::create_dir(stage.path().join("src")).unwrap();
        fs::create_dir(stage.path().join("include")).unwrap();
        for (name, text) in scripts {
            let file = stage.path().join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        fs::write(stage.path().join("model.m"), "any text will do").unwrap();
        stage
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn benchmark(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        let inherited = std::env::var("PATH").unwrap();
        Command::new(env!("CARGO_BIN_EXE_mcc-benchmarks"))
            .current_dir(self.path())
            .args(["--mcc", "./mcc", "--json", "out.json", "--svg", "out.svg", "--markdown", "out.md"])
            .args(["--floor", "0", "model.m"])
            .args(arguments)
            .env("PATH", format!("{}:{inherited}", self.path().display()))
            .env("MCC_CMURPHI", self.path())
            .env_remove("MCC_CMURPHI_MU")
            .env_remove("MCC_CMURPHI_INCLUDE")
            .env("CXX", self.path().join("cxx"))
            .env("CC", self.path().join("cc"))
            .envs(environment.iter().copied())
            .output()
            .unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path().join("out.json")).unwrap()).unwrap()
    }
}

#[test]
fn ratios_where_answers_agree() {
    let stage = Stage::new();
    let output = stage.benchmark(&["--repeat", "2"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = stage.json();
    let tools = &report["models"][0]["tools"];
    assert_eq!(tools[0]["run"]["states"], 100);
    assert_eq!(tools[0]["run"]["samples"].as_array().unwrap().len(), 2);
    let ours: Vec<&str> =
        tools[0]["run"]["arguments"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(ours, ["-ndl", "-b", "--quiet", "--json", "-", "--threads", "1"]);
    // The table has the smallest size that suffices, or the next.
    let size = tools[1]["run"]["arguments"][3].as_str().unwrap();
    assert!(["-m16", "-m64"].contains(&size), "{size}");
    assert!(tools[1]["comparison"]["run"]["ratio"]["speed"].as_f64().unwrap() > 0.0);
    assert_eq!(tools[2]["comparison"]["run"], "missing");
    assert!(tools[2]["setback"].as_str().unwrap().contains("union types are not supported"));
    assert_eq!(report["means"][0]["peer"], "cmurphi");
    assert!(fs::read_to_string(stage.path().join("out.svg")).unwrap().contains("States per second"));
    assert!(fs::read_to_string(stage.path().join("out.md")).unwrap().contains("| model | mcc |"));
}

#[test]
fn no_ratio_where_counts_differ() {
    let stage = Stage::new();
    let output = stage.benchmark(&["--repeat", "1"], &[("CMURPHI_STATES", "101")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("| differs |"));
    assert_eq!(stage.json()["models"][0]["tools"][1]["comparison"]["run"], "differs");
    assert_eq!(stage.json()["means"], Value::Array(Vec::new()));
}

#[test]
fn a_run_ends_at_the_limit() {
    let stage = Stage::new();
    let output = stage.benchmark(&["--limit", "1", "--skip", "cmurphi"], &[("PAUSE", "60")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stage.json()["models"][0]["tools"][0]["setback"], "time limit");
}

#[test]
fn builds_alone() {
    let stage = Stage::new();
    let output = stage.benchmark(&["--build-only"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let tools = &stage.json()["models"][0]["tools"];
    assert_eq!(tools[0]["build_samples"].as_array().unwrap().len(), 3);
    assert_eq!(tools[0]["run"], Value::Null);
    assert!(tools[1]["comparison"]["build"].as_f64().unwrap() > 0.0);
    assert!(fs::read_to_string(stage.path().join("out.svg")).unwrap().contains("Build seconds"));
}
