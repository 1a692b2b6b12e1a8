//! A server and its workers as processes: compiled and interpreted, killed, stopped, continued and
//! resumed. What is found is what one process finds.

use super::support::{mcc, root, scratch};
use super::{COUNTERS, report, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// 8,008 states.
const DEPTH: [&str; 2] = ["--max-depth", "6"];

/// A process that does not outlive the test.
pub(super) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    pub fn start(mut command: Command) -> Process {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Process(command.spawn().expect("it starts"))
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.0.id().to_string()).status();
        assert!(sent.expect("there is a kill").success());
    }

    pub fn wait(mut self) -> (Option<i32>, String) {
        let until = Instant::now() + Duration::from_secs(120);
        loop {
            if let Some(status) = self.0.try_wait().expect("it can be waited for") {
                let mut bytes = Vec::new();
                let err = self.0.stderr.as_mut().expect("it is piped");
                std::io::Read::read_to_end(err, &mut bytes).expect("it can be read");
                return (status.code(), text(&bytes));
            }
            assert!(Instant::now() < until, "it hangs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

pub(super) struct Place {
    pub address: String,
    saved: PathBuf,
    pub json: PathBuf,
}

impl Place {
    pub fn new(name: &str) -> Place {
        let folder = scratch("serving").join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("the target directory is writable");
        // The path of a socket may have about a hundred bytes, and a checkout can lie deep.
        let socket = std::env::temp_dir().join(format!("mcc-{name}-{}", std::process::id()));
        let address = format!("unix:{}", socket.display());
        Place { address, saved: folder.join("saved"), json: folder.join("json") }
    }

    fn server(&self) -> Process {
        self.server_with(&[])
    }

    /// A server with these options, which goes on from where the one before was saved.
    fn server_with(&self, options: &[&str]) -> Process {
        let mut command = Command::new(&*COUNTERS);
        command.args(["--serve", &self.address, "--checkpoint", "0", "--json"]).arg(&self.json).args(DEPTH);
        command.args(options);
        let is_saved = self.saved.join("manifest").exists();
        command.arg(if is_saved { "--resume" } else { "--checkpoint-directory" }).arg(&self.saved);
        Process::start(command)
    }

    fn worker(&self, is_compiled: bool, pace: &str) -> Process {
        let mut command = match is_compiled {
            true => Command::new(&*COUNTERS),
            false => {
                let mut command = mcc();
                command.arg("--interpret").arg(root().join("tests/verifier/counters.m")).arg("--");
                command
            }
        };
        command.args(["--work", &self.address, "-j1", "--retry", "60", "--pace", pace]);
        Process::start(command)
    }

    pub fn found(&self) -> Value {
        let text = std::fs::read_to_string(&self.json).expect("there is a report");
        serde_json::from_str(&text).expect("it is JSON")
    }
}

fn figures(report: &Value) -> Value {
    let keys = ["verdict", "reason", "states", "rules", "depth", "rule_figures", "property_figures"];
    keys.iter().map(|key| ((*key).to_owned(), report[*key].clone())).collect::<serde_json::Map<_, _>>().into()
}

fn alone(verifier: &Path) -> Value {
    figures(&report(verifier, &["-j1", "--max-depth", "6"]).0)
}

/// The fingerprint of the model and the layout of its states are those of both.
#[test]
fn compiled_and_interpreted_workers_have_one_server() {
    let place = Place::new("both");
    let server = place.server();
    let workers = [place.worker(true, "20"), place.worker(false, "20")];
    let (_, said) = server.wait();
    let found = place.found();
    assert_eq!(figures(&found), alone(&COUNTERS), "{said}");
    let table = found["workers"].as_array().expect("there are workers");
    assert!(table.len() == 2 && table.iter().all(|row| row["states"] != 0), "{table:?}");
    for worker in workers {
        let (code, said) = worker.wait();
        assert_eq!(code, Some(0), "{said}");
    }
}

/// A worker that is to end finishes its batch, and ends with 0.
#[test]
fn a_worker_ends_when_it_is_asked_to() {
    let place = Place::new("ends");
    let server = place.server();
    for signal in ["TERM", "INT"] {
        let worker = place.worker(true, "50");
        std::thread::sleep(Duration::from_millis(400));
        worker.signal(signal);
        let (code, said) = worker.wait();
        assert_eq!(code, Some(0), "{signal}: {said}");
    }
    let _last = place.worker(true, "1");
    let (_, said) = server.wait();
    assert_eq!(figures(&place.found()), alone(&COUNTERS), "{said}");
    let table = place.found()["workers"].clone();
    assert!(table[0]["gone"] == "has left" && table[1]["gone"] == "has left", "{table}");
    assert!(!place.saved.with_file_name("s").exists(), "the socket is removed");
}

/// Workers and the server are killed, stopped and continued, by a fixed seed.
#[test]
fn a_search_survives_chaos() {
    let place = Place::new("chaos");
    let mut server = place.server();
    let mut workers = vec![place.worker(true, "60"), place.worker(true, "60")];
    let mut seed: u64 = 20;
    let mut done = [0; 4];
    // One server stores only, the next one expands as well, with two threads.
    let threads: [&[&str]; 2] = [&["-j2", "--threads-from", "1"], &[]];
    while server.0.try_wait().expect("it can be waited for").is_none() && done.iter().sum::<u32>() < 24 {
        std::thread::sleep(Duration::from_millis(60));
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let kind = (seed >> 33) as usize % 4;
        done[kind] += 1;
        match kind {
            0 => {
                workers.remove(0);
                workers.push(place.worker(true, "60"));
            }
            1 => workers[0].signal("STOP"),
            2 => workers[0].signal("CONT"),
            _ => {
                drop(server);
                server = place.server_with(threads[done[kind] as usize % 2]);
            }
        }
    }
    workers.iter().for_each(|worker| worker.signal("CONT"));
    let (_, said) = server.wait();
    assert_eq!(figures(&place.found()), alone(&COUNTERS), "{done:?}: {said}");
    assert!(done[0] > 0 && done[3] > 0, "{done:?}");
}
