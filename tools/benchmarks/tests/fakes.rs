//! The whole command against stand-ins for every tool: shell scripts that "build" verifiers with
//! known answers. It shows the judgement of the benchmark, not anyone's speed.

#![cfg(test)]

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A verifier of ours that gives this answer after `$PAUSE` seconds, on two threads after
/// `$SHORT_PAUSE`. It has as many states as the model's constant `N` says, or 100, and 40 with
/// symmetry.
const MCC: &str = r#"#!/bin/sh
size=$(sed -n 's/^const N: \(.*\);$/\1/p' "$1")
sed "s/SIZE/${size:-100}/" > "$3" <<'END'
#!/bin/sh
[ "$1" = --help ] && { echo "  --threads N  -nosym"; exit; }
case "$*" in *"--threads 2"*) pause=$SHORT_PAUSE; rules=${RULES_ON_TWO:-200};; *) pause=$PAUSE; rules=200;; esac
sleep ${pause:-0}
case "$*" in *-nosym*) states=SIZE;; *) states=40;; esac
echo '{"verdict": "verified", "states": '$states', "rules": '$rules', "depth": 9, "seconds": 0.1, "memory_bytes": 5}'
END
chmod +x "$3"
echo "$*" >> "$BUILDS"
"#;

/// `mu -b model.m` leaves C++ behind.
const MU: &str = "#!/bin/sh\n: > \"${2%.m}.cpp\"\n";

/// A C++ compiler whose verifier needs a table of 16 megabytes, and finds one state too many with
/// symmetry unless it may try all permutations.
const CXX: &str = r#"#!/bin/sh
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
#!/bin/sh
for argument; do case $argument in -m*) size=${argument#-m};; esac; done
if [ $size -lt 16 ]; then echo "Closed hash table full."; exit; fi
case "$*" in *-nosym*) states=${CMURPHI_STATES:-100};; *"-permlimit 0"*) states=40;; *) states=41;; esac
printf 'Status:\n\n\tNo error found.\n\n\t%s states, 200 rules fired in 0.10s.\n' $states
END
chmod +x "$2"
"#;

/// Takes the warm-up model and rejects all others, as Rumur does with unions.
const RUMUR: &str = r#"#!/bin/sh
while [ "$1" != --output ]; do shift; done
case $3 in *warm_up.m) : > "$2";; *) echo "model.m:1.8-12: error: union types are not supported" >&2; exit 1;; esac
"#;

/// Leaves the model as C, so that the compiler sees what Spin read.
const SPIN: &str = "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\ncp \"$1\" pan.c\n";

/// A C compiler. For Spin its verifier needs a stack of ten million steps at first, and has one
/// transition more than there are rules.
const CC: &str = r#"#!/bin/sh
while [ "$1" != -o ]; do shift; done
: > "$2"
[ "$3" = pan.c ] || exit 0
size=$(sed -n 's/^#define N \(.*\)$/\1/p' pan.c)
sed "s/SIZE/${size:-100}/" > "$2" <<'END'
#!/bin/sh
for argument; do case $argument in -m*) depth=${argument#-m};; esac; done
if [ $depth -lt 5000000 ]; then
    echo "error: max search depth too small"
    printf 'State-vector 28 byte, depth reached 999999, errors: 0\n 1 states, stored\n 2 transitions (= stored+matched)\n'
    exit
fi
[ "$SPIN_LIMIT" ] && { echo "pan: reached -DMEMLIM bound"; exit; }
printf '(Spin Version 6.5.2 -- 6 December 2019)\n\nState-vector 28 byte, depth reached 6000000, errors: 0\n'
printf '%9s states, stored\n        1 states, matched\n' SIZE
printf '%9s transitions (= stored+matched)\n' ${SPIN_TRANSITIONS:-201}
END
chmod +x "$2"
"#;

struct Stage(TempDir);

impl Stage {
    fn new() -> Stage {
        let stage = Stage(TempDir::new().unwrap());
        let scripts =
            [("mcc", MCC), ("src/mu", MU), ("cxx", CXX), ("rumur", RUMUR), ("spin", SPIN), ("cc", CC)];
        fs::create_dir(stage.path().join("src")).unwrap();
        fs::create_dir(stage.path().join("include")).unwrap();
        for (name, text) in scripts {
            let file = stage.path().join(name);
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        stage.write("model.m", "any text will do");
        stage
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn benchmark(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        let inherited = std::env::var("PATH").unwrap();
        Command::new(env!("CARGO_BIN_EXE_mcc-benchmarks"))
            .current_dir(self.path())
            .args(["--mcc", "./mcc", "--json", "out.json", "--svg", "out.svg", "--markdown", "out.md"])
            .args(["--floor", "0"])
            .args(arguments)
            .env("PATH", format!("{}:{inherited}", self.path().display()))
            .env("MCC_CMURPHI", self.path())
            .env_remove("MCC_CMURPHI_MU")
            .env_remove("MCC_CMURPHI_INCLUDE")
            .env("CXX", self.path().join("cxx"))
            .env("CC", self.path().join("cc"))
            .env("BUILDS", self.path().join("builds"))
            .envs(environment.iter().copied())
            .output()
            .unwrap()
    }

    /// Runs a benchmark that must succeed, and returns its report.
    fn succeed(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Value {
        let output = self.benchmark(arguments, environment);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        self.json()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.read("out.json")).unwrap()
    }
}

/// The figures of a report are rounded on their way through its text.
fn assert_close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
}

/// The names of a list of tools in the report, with their threads.
fn entrants(tools: &Value) -> Vec<(String, u64)> {
    let entrant = |it: &Value| (it["tool"].as_str().unwrap().to_owned(), it["threads"].as_u64().unwrap());
    tools.as_array().unwrap().iter().map(entrant).collect()
}

fn arguments(tool: &Value) -> Vec<&str> {
    tool["run"]["arguments"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
}

fn is_ratio(comparison: &Value) -> bool {
    comparison["ratio"]["speed"].as_f64().is_some_and(|speed| speed > 0.0)
}

#[test]
fn ratios_where_answers_agree() {
    let stage = Stage::new();
    let report = stage.succeed(&["model.m", "--repeat", "2"], &[]);
    let tools = &report["models"][0]["tools"];
    // Nothing is written for Spin here.
    assert_eq!(entrants(tools), [("mcc".into(), 1), ("cmurphi".into(), 1), ("rumur".into(), 1)]);
    assert_eq!(tools[0]["run"]["states"], 100);
    assert_eq!(tools[0]["run"]["samples"].as_array().unwrap().len(), 2);
    let peak = tools[0]["run"]["peak_memory_bytes"].as_f64().unwrap();
    assert!((tools[0]["run"]["bytes_per_state"].as_f64().unwrap() - peak / 100.0).abs() < 1.0);
    assert_eq!(arguments(&tools[0]), ["-ndl", "-b", "--quiet", "--json", "-", "--threads", "1", "-nosym"]);
    // The table has the smallest size that suffices, or the next.
    let theirs = arguments(&tools[1]);
    assert_eq!(theirs[..3], ["-ndl", "-pn", "-nosym"]);
    assert!(["-m16", "-m64"].contains(&theirs[3]), "{theirs:?}");
    assert!(is_ratio(&tools[1]["comparison"]["run"]));
    assert_eq!(tools[2]["comparison"]["run"], "missing");
    assert!(tools[2]["setback"].as_str().unwrap().contains("union types are not supported"));
    assert_eq!(report["means"][0]["peer"], "cmurphi");
    assert_eq!(report["speed_ups"], Value::Array(Vec::new()));
    assert_eq!(report["growth"], Value::Array(Vec::new()));
    let plots = stage.read("out.svg");
    assert!(
        ["States per second", "peak memory per state", "Build seconds"].iter().all(|it| plots.contains(it))
    );
    let tables = stage.read("out.md");
    assert!(tables.contains("| model | mcc |") && tables.contains("| bytes/state |"), "{tables}");
    assert!(!tables.contains("speed-up"), "{tables}");
}

#[test]
fn no_ratio_where_counts_differ() {
    let stage = Stage::new();
    let output = stage.benchmark(&["model.m", "--repeat", "1"], &[("CMURPHI_STATES", "101")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("| differs |"));
    assert_eq!(stage.json()["models"][0]["tools"][1]["comparison"]["run"], "differs");
    assert_eq!(stage.json()["means"], Value::Array(Vec::new()));
}

#[test]
fn spin_where_a_model_has_another_half() {
    let stage = Stage::new();
    stage.write("model.pml", "any text will do here, too");
    let report = stage.succeed(&["model.m", "--repeat", "1", "--skip", "rumur"], &[]);
    let spin = &report["models"][0]["tools"][2];
    assert_eq!(spin["tool"], "spin");
    // The step into the start state is no rule.
    assert_eq!((&spin["run"]["states"], &spin["run"]["rules"]), (&100.into(), &200.into()));
    assert!(is_ratio(&spin["comparison"]["run"]));
    let given = arguments(spin);
    assert_eq!(given[..3], ["-E", "-n", "-m6000010"]);
    assert!(["-w10", "-w12"].contains(&given[3]), "{given:?}");
    assert!(stage.read("out.svg").contains(">Spin<"));

    let one_more = [("SPIN_TRANSITIONS", "202")];
    let output = stage.benchmark(&["model.m", "--repeat", "1", "--skip", "rumur"], &one_more);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stage.json()["models"][0]["tools"][2]["comparison"]["run"], "differs");

    for (variable, value, setback) in [
        ("SPIN_LIMIT", "yes", "out of memory"),
        ("SPIN_TRANSITIONS", "2.626094e+08", "too large to be printed exactly"),
    ] {
        let report = stage.succeed(&["model.m", "--repeat", "1", "--skip", "rumur"], &[(variable, value)]);
        let spin = &report["models"][0]["tools"][2];
        assert_eq!(spin["comparison"]["run"], "missing");
        assert!(spin["setback"].as_str().unwrap().contains(setback), "{spin}");
    }
}

#[test]
fn symmetry_for_some_models() {
    let stage = Stage::new();
    // Spin has no symmetry reduction and stays out of that part.
    stage.write("model.pml", "");
    let both = ["model.m", "--with-symmetry", "model.m", "--repeat", "1", "--skip", "rumur"];
    let output = stage.benchmark(&both, &[]);
    assert_eq!(output.status.code(), Some(1));
    let report = stage.json();
    let models = &report["models"];
    assert_eq!((&models[0]["model"], &models[0]["symmetry"]), (&"model".into(), &false.into()));
    assert_eq!((&models[1]["model"], &models[1]["symmetry"]), (&"model (symmetry)".into(), &true.into()));
    assert_eq!(models[0]["tools"].as_array().unwrap().len(), 3);
    assert_eq!(entrants(&models[1]["tools"]), [("mcc".into(), 1), ("cmurphi".into(), 1)]);
    assert!(is_ratio(&models[0]["tools"][1]["comparison"]["run"]));
    assert_eq!(models[1]["tools"][1]["comparison"]["run"], "differs");
    assert!((0..2).all(|tool| !arguments(&models[1]["tools"][tool]).contains(&"-nosym")));

    let canonical = [&both[..], &["--cmurphi-option=-permlimit", "--cmurphi-option=0"]].concat();
    let report = stage.succeed(&canonical, &[]);
    let theirs = &report["models"][1]["tools"][1];
    assert!(is_ratio(&theirs["comparison"]["run"]));
    assert!(arguments(theirs).ends_with(&["-permlimit", "0"]));
}

#[test]
fn the_speed_up_of_threads() {
    let stage = Stage::new();
    stage.write("model.m", "const N: 1000000;\n");
    let two = ["model.m", "--repeat", "1", "--threads", "2,1", "--skip", "cmurphi"];
    let report = stage.succeed(&two, &[("PAUSE", "1"), ("SHORT_PAUSE", "0.1")]);
    let tools = &report["models"][0]["tools"];
    // Rumur takes its number of threads when it generates the checker.
    let expected = [("mcc".into(), 1), ("mcc".into(), 2), ("rumur".into(), 1), ("rumur".into(), 2)];
    assert_eq!(entrants(tools), expected);
    assert_eq!(tools[0]["speed_up"], Value::Null);
    assert!(tools[1]["speed_up"]["ratio"]["speed"].as_f64().unwrap() > 1.0);
    // One verifier serves both, and the warm-up was another.
    assert_eq!(stage.read("builds").lines().count(), 2);
    assert_eq!(tools[0]["build_samples"].as_array().unwrap().len(), 1);
    assert_eq!(tools[1]["build_seconds"], Value::Null);
    let sum = &report["speed_ups"][0];
    assert_eq!(
        (&sum["tool"], &sum["threads"], &sum["fewest_threads"]),
        (&"mcc".into(), &2.into(), &1.into())
    );
    assert!(sum["least"].as_f64().unwrap() > 1.0);
    assert!(stage.read("out.md").contains("| mcc | 2 against 1 | 1 of 1000000 states and more |"));
    assert!(stage.read("out.svg").contains("mcc, 2 threads"));

    let output = stage.benchmark(&two, &[("RULES_ON_TWO", "201")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stage.json()["models"][0]["tools"][1]["speed_up"], "differs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("differs from the same with fewer threads"));
}

#[test]
fn a_peer_is_compared_on_as_many_threads() {
    let stage = Stage::new();
    let pause = [("PAUSE", "1"), ("SHORT_PAUSE", "0")];
    let report = stage.succeed(&["model.m", "--repeat", "1", "--threads", "1,2"], &pause);
    let tools = &report["models"][0]["tools"];
    // CMurphi has one thread and no pause: the comparison is with our slow run and not with the
    // fast one.
    let ratio = tools[2]["run"]["seconds"].as_f64().unwrap() / tools[0]["run"]["seconds"].as_f64().unwrap();
    assert_close(&tools[2]["comparison"]["run"]["ratio"]["speed"], ratio);
}

#[test]
fn growth_over_the_sizes_of_a_model() {
    let stage = Stage::new();
    stage.write("model.m", "const N: 10;\n");
    stage.write("model.pml", "#define N 10\n");
    stage.write("other.m", "no constant here");
    let sizes = [
        "model.m",
        "other.m",
        "--define",
        "N=3000,1000",
        "--repeat",
        "1",
        "--skip",
        "rumur",
        "--skip",
        "cmurphi",
    ];
    let report = stage.succeed(&sizes, &[]);
    let names: Vec<&str> =
        report["models"].as_array().unwrap().iter().map(|model| model["model"].as_str().unwrap()).collect();
    assert_eq!(names, ["model (N=3000)", "model (N=1000)", "other"]);
    // Both halves of a pair have the size.
    assert!(is_ratio(&report["models"][0]["tools"][1]["comparison"]["run"]));
    let growth = &report["growth"];
    assert_eq!(entrants(growth), [("mcc".into(), 1), ("spin".into(), 1)]);
    let (small, large) = (&growth[0]["sizes"][0], &growth[0]["sizes"][1]);
    assert_eq!((&small["size"], &small["states"]), (&"N=1000".into(), &1000.into()));
    assert_eq!((&large["size"], &large["states"]), (&"N=3000".into(), &3000.into()));
    assert_eq!(small["growth"], 1.0);
    let time = |size: &Value| size["nanoseconds_per_state"].as_f64().unwrap();
    assert_close(&large["growth"], time(large) / time(small));
    assert!(stage.read("out.md").contains("| growth of |"));
    assert!(stage.read("out.svg").contains("Nanoseconds per state"));
}

#[test]
fn definitions_that_cannot_be() {
    let stage = Stage::new();
    stage.write("model.m", "const N: 10;\n");
    stage.write("model.pml", "#define M 10\n");
    for (definition, complaint) in [
        ("K=1", "no model declares a constant K"),
        ("N=1", "its Promela half does not define N"),
        ("N=x", "`x` is no number"),
        ("N", "NAME=VALUE"),
    ] {
        let output = stage.benchmark(&["model.m", "--define", definition], &[]);
        assert_eq!(output.status.code(), Some(2));
        let printed = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(printed.contains(complaint), "{printed}");
    }
}

#[test]
fn a_run_ends_at_the_limit() {
    let stage = Stage::new();
    let output = stage.benchmark(&["model.m", "--limit", "1", "--skip", "cmurphi"], &[("PAUSE", "60")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stage.json()["models"][0]["tools"][0]["setback"], "time limit");
}

#[test]
fn builds_alone() {
    let stage = Stage::new();
    let report = stage.succeed(&["model.m", "--build-only"], &[]);
    let tools = &report["models"][0]["tools"];
    assert_eq!(tools[0]["build_samples"].as_array().unwrap().len(), 3);
    assert_eq!(tools[0]["run"], Value::Null);
    assert!(tools[1]["comparison"]["build"].as_f64().unwrap() > 0.0);
    assert!(stage.read("out.svg").contains("Build seconds"));
    assert!(!stage.read("out.svg").contains("States per second"));
}
