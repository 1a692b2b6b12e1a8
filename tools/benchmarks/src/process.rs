//! Runs one child process under a time limit and says what it cost: wall-clock seconds and peak
//! memory.
//!
//! Both figures are taken from outside and in the same way for every tool, so that no tool is
//! trusted to measure itself. Output goes to unnamed files rather than pipes, because a reader of
//! pipes would compete with the child for the machine.

#![allow(unsafe_code)] // Calls of the system that the standard library does not have.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Linux counts peak memory in kibibytes, Apple's systems in bytes.
const MEMORY_UNIT: u64 = if cfg!(target_vendor = "apple") { 1 } else { 1024 };

/// What remains of a child that has ended, by itself or at the limit.
pub struct Finished {
    pub seconds: f64,
    /// Processor time of the child, its threads and the descendants it waited for.
    pub processor_seconds: f64,
    /// The most memory the child itself held at once. A child begins its life inside this process's
    /// own pages, so a few megabytes are the least that can be seen here.
    pub peak_memory_bytes: u64,
    /// The exit code, or nothing if a signal ended the child.
    pub exit_code: Option<i32>,
    /// The limit was reached and the child was killed.
    pub reached_limit: bool,
    pub stdout: String,
    pub stderr: String,
}

impl Finished {
    pub fn succeeded(&self) -> bool {
        self.exit_code == Some(0)
    }

    /// The line of the child's output that explains a failure best, for a note under a table.
    pub fn complaint(&self) -> String {
        let lines = || self.stderr.lines().chain(self.stdout.lines()).map(str::trim);
        let telling = lines().find(|line| line.to_lowercase().contains("error"));
        let line = telling.or_else(|| lines().find(|line| !line.is_empty()));
        let how = match self.exit_code {
            Some(code) => format!("exit {code}"),
            None => "killed by a signal".to_owned(),
        };
        match line {
            Some(line) => format!("{how}: {line}"),
            None => how,
        }
    }
}

/// Runs `command` to its end, or kills it and the processes it started once `limit` has passed.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Finished> {
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdin(Stdio::null()).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    // A group of its own lets the limit reach the grandchildren, such as the compiler proper behind
    // `g++`.
    command.process_group(0);
    die_with_parent(command);

    let started = Instant::now();
    #[allow(clippy::zombie_processes, reason = "reaped below by wait4, which std does not offer")]
    let child = command.spawn().map_err(|error| {
        io::Error::new(error.kind(), format!("cannot run {}: {error}", command.get_program().display()))
    })?;
    let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other)?;

    let (ended, reached_limit) = thread::scope(|scope| {
        let (done, watched) = mpsc::channel::<()>();
        let watchdog = scope.spawn(move || {
            let expired = watched.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
            if expired {
                // SAFETY: kill has no memory effects. The child is not reaped before this thread
                // has ended, so its process group cannot have passed to anyone else.
                unsafe { libc::kill(-pid, libc::SIGKILL) };
            }
            expired
        });
        let ended = wait_without_reaping(pid).map(|()| started.elapsed());
        drop(done);
        (ended, watchdog.join().unwrap_or(false))
    });
    let (exit_code, usage) = reap(pid)?;
    Ok(Finished {
        seconds: ended?.as_secs_f64(),
        processor_seconds: seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
        peak_memory_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * MEMORY_UNIT,
        exit_code,
        reached_limit,
        stdout: read_from_start(&mut stdout)?,
        stderr: read_from_start(&mut stderr)?,
    })
}

/// An interrupted benchmark leaves no verifier behind that goes on filling the memory.
fn die_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    // SAFETY: prctl is async-signal-safe and touches nothing that the parent holds.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

fn wait_without_reaping(pid: libc::pid_t) -> io::Result<()> {
    let id = libc::id_t::try_from(pid).map_err(io::Error::other)?;
    loop {
        // SAFETY: an all-zero siginfo_t is valid, and waitid writes to nothing else.
        let code = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, id, &mut info, libc::WEXITED | libc::WNOWAIT)
        };
        if code == 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Collects the ended child: its exit code and what it used.
fn reap(pid: libc::pid_t) -> io::Result<(Option<i32>, libc::rusage)> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is valid, and wait4 writes only to the two places given.
    let (reaped, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(pid, &mut status, 0, &mut usage), usage)
    };
    if reaped != pid {
        return Err(io::Error::last_os_error());
    }
    Ok((libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)), usage))
}

fn seconds_of(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

fn read_from_start(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
