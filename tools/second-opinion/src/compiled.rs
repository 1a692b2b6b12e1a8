//! The compiled verifiers' opinion: many models in one crate, because most of the time of a small
//! crate goes into starting rustc and linking.

use crate::generate::Drawn;
use crate::opinion::{Opinion, options};
use mcc_murphi::GeneratedModel;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Time after which a model without output counts as hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often a batch is built again without the models that rustc refuses.
const ATTEMPTS: usize = 8;

/// A folder in which crates are built, one after the other.
#[derive(Clone, Debug)]
pub struct Workshop {
    pub folder: PathBuf,
    pub optimisation: u8,
    /// Whether the runtime checks what it believes otherwise.
    pub assertions: bool,
}

/// A model with its code.
pub struct Unit<'a> {
    pub drawn: &'a Drawn,
    pub code: GeneratedModel,
}

impl Workshop {
    pub fn new(folder: &Path, optimisation: u8) -> io::Result<Workshop> {
        fs::create_dir_all(folder.join("src"))?;
        Ok(Workshop { folder: folder.to_owned(), optimisation, assertions: false })
    }

    /// Every model's opinions, by mode.
    pub fn ask(&self, units: &[Unit], modes: &[&[&str]]) -> io::Result<Vec<Vec<Opinion>>> {
        let mut opinions = vec![Vec::new(); units.len()];
        let mut left: Vec<usize> = (0..units.len()).collect();
        for _ in 0..ATTEMPTS {
            if left.is_empty() {
                return Ok(opinions);
            }
            self.write(units, &left)?;
            let complaints = match self.build()? {
                Ok(executable) => {
                    for (at, found) in left.iter().zip(self.run(&executable, units, &left, modes)?) {
                        opinions[*at] = found;
                    }
                    return Ok(opinions);
                }
                Err(complaints) => complaints,
            };
            let refused: Vec<usize> =
                left.iter().copied().filter(|at| complaints.contains(&format!("src/m{at}.rs"))).collect();
            if refused.is_empty() {
                return Err(io::Error::other(format!("the crate does not build:\n{complaints}")));
            }
            for at in &refused {
                let why = complaint_about(&complaints, *at);
                opinions[*at] = vec![Opinion::Broken(format!("rustc refuses the code: {why}")); modes.len()];
            }
            left.retain(|at| !refused.contains(at));
        }
        Err(io::Error::other("too many models are refused by rustc"))
    }

    fn write(&self, units: &[Unit], chosen: &[usize]) -> io::Result<()> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let runtime = root.join("runtime");
        let level = self.optimisation;
        // Sums that overflow unseen in a verifier are found where rustc checks them.
        let checks = level < 3;
        // A verifier trusts the set of changes that a rule reports; here it is checked.
        let assertions = self.assertions;
        let manifest = format!(
            "[package]\nname = \"batch\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [workspace]\n\n[dependencies]\nmcc-runtime = {{ path = {runtime:?} }}\n\n\
             [profile.release]\nopt-level = {level}\ndebug = false\nincremental = false\n\
             overflow-checks = {checks}\ncodegen-units = 4\n\n\
             [profile.release.package.\"*\"]\nopt-level = 0\noverflow-checks = false\n\n\
             [profile.release.package.mcc-runtime]\nopt-level = 2\noverflow-checks = false\n\
             debug-assertions = {assertions}\n"
        );
        fs::write(self.folder.join("Cargo.toml"), manifest)?;
        if !self.folder.join("Cargo.lock").exists() {
            fs::copy(root.join("Cargo.lock"), self.folder.join("Cargo.lock"))?;
        }
        fs::write(self.folder.join("src/census.rs"), include_str!("census.rs"))?;
        let mut main = String::from("mod census;\n");
        for at in chosen {
            let _ = writeln!(main, "mod m{at};");
            fs::write(self.folder.join(format!("src/m{at}.rs")), &units[*at].code.model_rs)?;
        }
        main.push_str("static MODELS: &[(usize, &dyn mcc_runtime::model::Model)] = &[\n");
        for at in chosen {
            let _ = writeln!(main, "    ({at}, &m{at}::MODEL),");
        }
        main.push_str("];\n");
        main.push_str(include_str!("batch.rs.txt"));
        fs::write(self.folder.join("src/main.rs"), main)
    }

    fn build(&self) -> io::Result<Result<PathBuf, String>> {
        let target = self.folder.join("target");
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        command.current_dir(&self.folder).args(["build", "--release", "--offline", "--quiet"]);
        command.arg("--target-dir").arg(&target).env_remove("RUSTFLAGS");
        let output = command.output()?;
        if output.status.success() {
            return Ok(Ok(target.join("release/batch")));
        }
        Ok(Err(String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    fn run(
        &self,
        executable: &Path,
        units: &[Unit],
        chosen: &[usize],
        modes: &[&[&str]],
    ) -> io::Result<Vec<Vec<Opinion>>> {
        let jobs: Vec<(usize, usize)> =
            chosen.iter().flat_map(|at| (0..modes.len()).map(move |mode| (*at, mode))).collect();
        let mut answers = Vec::with_capacity(jobs.len());
        while answers.len() < jobs.len() {
            let rest = &jobs[answers.len()..];
            let (mut child, reports) = start(executable, units, rest, modes)?;
            let before = answers.len();
            while answers.len() - before < rest.len() {
                match reports.recv_timeout(PATIENCE) {
                    Ok(report) => answers.push(Opinion::from_report(&report)),
                    Err(_) => break,
                }
            }
            let stuck = child.try_wait()?.is_none() && answers.len() < jobs.len();
            let _ = child.kill();
            let status = child.wait()?;
            if answers.len() < jobs.len() {
                let why = if stuck { "stuck".into() } else { format!("crashed: {status}") };
                answers.push(Opinion::Broken(why));
            }
        }
        Ok(answers.chunks(modes.len()).map(<[Opinion]>::to_vec).collect())
    }
}

/// A process that works through some jobs, and where its reports arrive.
fn start(
    executable: &Path,
    units: &[Unit],
    jobs: &[(usize, usize)],
    modes: &[&[&str]],
) -> io::Result<(Child, Receiver<Vec<u8>>)> {
    let mut child = Command::new(executable)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut list = String::new();
    for (at, mode) in jobs {
        let _ = writeln!(list, "{at} {}", options(units[*at].drawn, modes[*mode]).join(" "));
    }
    let (mut input, output) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let _ = input.take().map(|mut input| input.write_all(list.as_bytes()));
    });
    std::thread::spawn(move || {
        let Some(output) = output else { return };
        let mut output = BufReader::new(output);
        let mut header = String::new();
        while output.read_line(&mut header).is_ok_and(|length| length > 0) {
            let length: usize = header.trim().parse().unwrap_or(0);
            let mut report = vec![0; length];
            if output.read_exact(&mut report).is_err() || sender.send(report).is_err() {
                return;
            }
            header.clear();
        }
    });
    Ok((child, receiver))
}

/// What rustc says first about one module.
fn complaint_about(complaints: &str, at: usize) -> String {
    let lines: Vec<&str> = complaints.lines().collect();
    let place = lines.iter().position(|line| line.contains(&format!("src/m{at}.rs"))).unwrap_or(0);
    lines[place.saturating_sub(1)..(place + 8).min(lines.len())].join("\n")
}
