//! Workers are killed, stopped, continued, started and cut off at random, and servers killed and
//! resumed: each search must find what an undisturbed one does.

use super::proxy::Proxy;
use super::{Model, Place, Process};
use crate::shared::ExperimentError;
use serde_json::Value;
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

/// What must not depend on disturbances.
const FIGURES: [&str; 6] = ["verdict", "states", "rules", "depth", "rule_figures", "property_figures"];
/// Workers at a time, at most.
const MOST: usize = 4;
/// A search that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(180);

/// What to do how often.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub model: Model,
    pub seed: u64,
    /// Disturbances of workers, and kills of servers.
    pub disturbances: u32,
    pub server_kills: u32,
    /// Milliseconds between two disturbances, on average.
    pub apart: u64,
    /// Microseconds that a worker takes for a rule.
    pub pace: u64,
}

/// What was done, and what was wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chaos {
    pub searches: u32,
    pub killed: u32,
    pub stopped: u32,
    pub continued: u32,
    pub started: u32,
    pub cut: u32,
    pub server_kills: u32,
    pub findings: Vec<String>,
}

impl Chaos {
    fn disturbances(&self) -> u32 {
        self.killed + self.stopped + self.continued + self.started + self.cut
    }
}

struct Search<'p> {
    place: &'p Place<'p>,
    plan: Plan,
    random: &'p mut fastrand::Rng,
    chaos: &'p mut Chaos,
    address: String,
    proxy: Proxy,
    workers: Vec<(Process, bool)>,
}

/// Searches until there were as many disturbances as planned.
pub fn run(mcc: &Path, plan: Plan) -> Result<Chaos, ExperimentError> {
    let (mut chaos, mut random) = (Chaos::default(), fastrand::Rng::with_seed(plan.seed));
    let directory = tempfile::tempdir()?;
    let place = Place::new(mcc, plan.model, directory.path())?;
    let expected = figures(&place.alone(&[])?);
    while chaos.disturbances() < plan.disturbances || chaos.server_kills < plan.server_kills {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let proxy = Proxy::start(port)?;
        let address = format!("127.0.0.1:{port}");
        let (random, workers) = (&mut random, Vec::new());
        let mut search = Search { place: &place, plan, random, chaos: &mut chaos, address, proxy, workers };
        let found = search.run();
        drop(search);
        chaos.searches += 1;
        match found {
            Ok(report) if figures(&report) == expected => {}
            Ok(report) => chaos.findings.push(format!("search {}: {}", chaos.searches, figures(&report))),
            Err(error) => {
                chaos.findings.push(format!("search {}: {error}\n{}", chaos.searches, place.log()));
                break;
            }
        }
        std::fs::remove_file(place.path("log"))?;
    }
    Ok(chaos)
}

fn figures(report: &Value) -> Value {
    FIGURES
        .iter()
        .map(|key| ((*key).to_owned(), report[*key].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

impl Search<'_> {
    fn server(&self) -> Result<Process, ExperimentError> {
        let (saved, json) = (self.place.path("saved"), self.place.path("server.json"));
        let (saved, json) = (saved.to_string_lossy(), json.to_string_lossy());
        let mut options = vec!["--serve", &self.address, "--json", &json, "--checkpoint", "0"];
        match std::fs::exists(self.place.path("saved/manifest"))? {
            true => options.extend(["--resume", &saved]),
            false => options.extend(["--checkpoint-directory", &saved]),
        }
        self.place.start(&options)
    }

    fn start_worker(&mut self) -> Result<(), ExperimentError> {
        let (address, pace) = (format!("127.0.0.1:{}", self.proxy.port), self.plan.pace.to_string());
        let options = ["--work", &address, "-j1", "--retry", "60", "--quiet", "--pace", &pace];
        self.workers.push((self.place.start(&options)?, false));
        Ok(())
    }

    /// The report of one search.
    fn run(&mut self) -> Result<Value, ExperimentError> {
        let _ = std::fs::remove_file(self.place.path("server.json"));
        let mut server = self.server()?;
        self.start_worker()?;
        self.start_worker()?;
        let begun = Instant::now();
        let mut next = begun;
        while server.0.try_wait()?.is_none() {
            if begun.elapsed() > LONGEST {
                return Err("the search hangs".into());
            }
            std::thread::sleep(Duration::from_millis(5));
            if Instant::now() < next {
                continue;
            }
            next = Instant::now() + Duration::from_millis(self.random.u64(1..=2 * self.plan.apart));
            let is_server = self.chaos.server_kills < self.plan.server_kills && self.random.u32(0..4) == 0;
            if is_server {
                server.0.kill()?;
                server.0.wait()?;
                self.chaos.server_kills += 1;
                server = self.server()?;
            } else {
                self.disturb()?;
            }
        }
        self.place.report("server.json")
    }

    /// Does something to a worker. There is always one that works.
    fn disturb(&mut self) -> Result<(), ExperimentError> {
        let at = self.random.usize(0..self.workers.len().max(1));
        let working = self.workers.iter().filter(|worker| !worker.1).count();
        match self.random.u32(0..5) {
            0 | 1 if working < 2 || self.workers.len() < MOST && self.random.bool() => {
                if self.workers.len() >= MOST {
                    self.workers.remove(at);
                }
                self.start_worker()?;
                self.chaos.started += 1;
            }
            0 => {
                // Dropped is killed.
                self.workers.remove(at);
                self.chaos.killed += 1;
            }
            1 | 2 if working >= 2 => {
                if let Some(worker) = self.workers.get_mut(at).filter(|worker| !worker.1) {
                    worker.0.signal("STOP")?;
                    worker.1 = true;
                    self.chaos.stopped += 1;
                }
            }
            3 => {
                if let Some(worker) = self.workers.get_mut(at).filter(|worker| worker.1) {
                    worker.0.signal("CONT")?;
                    worker.1 = false;
                    self.chaos.continued += 1;
                }
            }
            _ => {
                let random = &mut *self.random;
                self.proxy.cut(|count| random.usize(0..count));
                self.chaos.cut += 1;
            }
        }
        Ok(())
    }
}
