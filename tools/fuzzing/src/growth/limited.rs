//! Runs one command with a limit on its address space and on its time, and measures what it cost.
//!
//! The limit on memory has to be set inside of the process that it is for, and the processor time
//! of all descendants is known to the parent that has waited for them. So there is a process in
//! between: this crate's own command, started again with `--limited`.

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, setrlimit};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How often the memory of the processes is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// What a command may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub bytes: u64,
    pub time: Duration,
}

/// What became of a command.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// `None`: a signal ended it, or the time was over.
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub out_of_time: bool,
    pub wall: Duration,
    /// Of the command and all its descendants.
    pub processor: Duration,
    /// The largest resident memory of one of its processes, as far as it was seen.
    pub peak_bytes: u64,
    pub output: String,
}

/// What the process in between reports.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Note {
    code: Option<i32>,
    signal: Option<i32>,
    processor_seconds: f64,
}

/// Runs `command` through `program`, which is this crate's own command, in `folder`.
pub fn run(program: &Path, folder: &Path, limits: Limits, command: &[OsString]) -> io::Result<Outcome> {
    let (note, said) = (folder.join("note.json"), folder.join("output.txt"));
    let output = fs::File::create(&said)?;
    if note.exists() {
        fs::remove_file(&note)?;
    }
    let began = Instant::now();
    let mut child = Command::new(program)
        .arg("--limited")
        .arg(limits.bytes.to_string())
        .arg("--note")
        .arg(&note)
        .args(command)
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .process_group(0)
        .spawn()?;
    let group = child.id();
    let mut outcome = Outcome::default();
    loop {
        if child.try_wait()?.is_some() {
            break;
        }
        if began.elapsed() > limits.time {
            outcome.out_of_time = true;
            if let Some(pid) = i32::try_from(group).ok().and_then(Pid::from_raw) {
                // The group is that of the child, which has not been waited for.
                kill_process_group(pid, Signal::KILL)?;
            }
            child.wait()?;
            break;
        }
        outcome.peak_bytes = outcome.peak_bytes.max(largest_of(group));
        thread::sleep(GLANCE.min(began.elapsed() / 8 + Duration::from_millis(2)));
    }
    outcome.wall = began.elapsed();
    outcome.output = String::from_utf8_lossy(&fs::read(&said)?).into_owned();
    if !outcome.out_of_time {
        let note: Note = serde_json::from_slice(&fs::read(&note)?).map_err(io::Error::other)?;
        (outcome.code, outcome.signal) = (note.code, note.signal);
        outcome.processor = Duration::from_secs_f64(note.processor_seconds);
    }
    Ok(outcome)
}

/// The process in between: limits itself, runs the command, and notes what it cost.
pub fn serve(bytes: u64, note: &Path, command: &[OsString]) -> io::Result<()> {
    setrlimit(Resource::As, Rlimit { current: Some(bytes), maximum: Some(bytes) })?;
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::other("there is no command to run"));
    };
    let status = Command::new(program).args(arguments).status()?;
    let processor_seconds = descendants_seconds()?;
    let result = Note { code: status.code(), signal: status.signal(), processor_seconds };
    fs::write(note, serde_json::to_vec(&result)?)
}

/// Processor time of the descendants that were waited for.
fn descendants_seconds() -> io::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the program comes second, in parentheses, and may contain anything.
    let behind_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = behind_name.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
    let (user, system) = (ticks(13), ticks(14));
    Ok((user + system) as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// The largest resident memory that a process of the group has had.
fn largest_of(group: u32) -> u64 {
    let Ok(processes) = fs::read_dir("/proc") else { return 0 };
    let peak = |folder: &Path| -> Option<u64> {
        let stat = fs::read_to_string(folder.join("stat")).ok()?;
        let (_, behind_name) = stat.rsplit_once(')')?;
        if behind_name.split_whitespace().nth(2)?.parse::<u32>().ok()? != group {
            return None;
        }
        let status = fs::read_to_string(folder.join("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    };
    processes.flatten().filter_map(|entry| peak(&entry.path())).max().unwrap_or(0)
}
