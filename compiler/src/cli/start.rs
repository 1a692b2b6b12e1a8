//! `--run`: starts a verifier that was built, hands signals on to it, and reports what it says it
//! has found.
//!
//! The exit code of a verifier is believed only if the verifier has announced the same verdict in
//! words (`mcc_runtime::host::announcement`): a program that is something else, or that ended
//! before it came to a verdict, may have any exit code.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};

use mcc_runtime::Exit;
use mcc_runtime::host::announcement::{self, line};
use mcc_runtime::host::random::unpredictable;
use mcc_runtime::host::storage::Partial;

use super::options::Options;
use super::{Stop, say};
use crate::package::{Built, Failure};

/// A run that has not come to a verdict, or not to one that can be believed: inconclusive, as
/// verifiers say.
const NO_VERDICT: u8 = 3;
/// A second Ctrl-C: the user does not want to wait for the verdict.
const IMPATIENT: i32 = 130;
/// Longer announcements are none.
const LONGEST: u64 = 256;

/// Runs a verifier to its end, and returns the exit code of mcc.
pub fn start(built: Built, options: &Options) -> Result<u8, Stop> {
    let executable = built.executable.clone();
    let failed = |error| Stop::Failure(Failure::Io { action: "run", path: executable.clone(), error });
    let mut command = Command::new(&executable);
    command.args(options.for_verifier());
    #[cfg(unix)]
    if let Some(stem) = options.model.file_stem().filter(|stem| *stem != "-") {
        std::os::unix::process::CommandExt::arg0(&mut command, stem);
    }
    let channel = Channel::open(built.private_directory()).map_err(failed)?;
    let nonce = format!("{:016x}{:016x}", unpredictable(), unpredictable());
    command.env(announcement::PLACE, channel.place()).env(announcement::NONCE, &nonce);
    let mut child = command.spawn().map_err(failed)?;
    drop(command);
    let heard = channel.listening();
    built.finish();
    let status = wait(&mut child).map_err(failed)?;
    let announced = heard.read().map_err(failed)?;
    Ok(judge(status, &announced, &nonce))
}

/// What the end of a verifier means.
fn judge(status: ExitStatus, announced: &str, nonce: &str) -> u8 {
    let Some(code) = status.code() else {
        say(&format!("error: the verifier came to no verdict: it was ended by {}", ended_by(status)));
        return signal_code(status).unwrap_or(NO_VERDICT);
    };
    let exits = [Exit::Verified, Exit::Violated, Exit::Wrong, Exit::Inconclusive, Exit::Answered];
    let agreed = |exit: &&Exit| i32::from(exit.code()) == code && line(nonce, **exit) == announced;
    if let Some(exit) = exits.iter().find(agreed) {
        return exit.code();
    }
    if code == IMPATIENT {
        return IMPATIENT as u8;
    }
    say(&format!("error: the verifier ended with exit code {code}, but has not announced a verdict"));
    say("help: what ran may not be the verifier that was built; `mcc -o FILE` builds one to run by itself");
    // These two would claim what nobody has said; others claim nothing.
    let claims = [Exit::Verified, Exit::Violated].iter().any(|exit| i32::from(exit.code()) == code);
    u8::try_from(code).ok().filter(|_| !claims).unwrap_or(NO_VERDICT)
}

#[cfg(unix)]
fn signal_code(status: ExitStatus) -> Option<u8> {
    let signal = std::os::unix::process::ExitStatusExt::signal(&status)?;
    // As shells report it.
    u8::try_from(128 + signal).ok()
}

#[cfg(not(unix))]
fn signal_code(_: ExitStatus) -> Option<u8> {
    None
}

#[cfg(unix)]
fn ended_by(status: ExitStatus) -> String {
    use nix::sys::signal::Signal;
    match std::os::unix::process::ExitStatusExt::signal(&status) {
        Some(number) => match Signal::try_from(number) {
            Ok(signal) => signal.to_string(),
            Err(_) => format!("signal {number}"),
        },
        None => status.to_string(),
    }
}

#[cfg(not(unix))]
fn ended_by(status: ExitStatus) -> String {
    status.to_string()
}

/// Waits for the end of a verifier, which decides itself what a signal means: those that mcc gets
/// are handed on. From a terminal the verifier gets them twice, and takes them for one.
#[cfg(unix)]
fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    use nix::sys::signal::{SigSet, Signal, kill};
    use nix::unistd::Pid;
    use std::sync::{Arc, Mutex};
    let mut signals = SigSet::empty();
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        signals.add(signal);
    }
    signals.thread_block()?;
    let process = i32::try_from(child.id()).map(Pid::from_raw).map_err(io::Error::other)?;
    // Nothing is sent to a process that is gone: its number may be that of another by now.
    let running = Arc::new(Mutex::new(Some(process)));
    let handed_on = running.clone();
    std::thread::Builder::new().spawn(move || {
        while let Ok(signal) = signals.wait() {
            let Ok(running) = handed_on.lock() else { return };
            let Some(process) = *running else { return };
            // If it has ended in between, there is no process to signal.
            let _ = kill(process, signal);
        }
    })?;
    wait_without_reaping(process)?;
    if let Ok(mut running) = running.lock() {
        *running = None;
    }
    child.wait()
}

/// Comes back when the process has ended, and lets it keep its number.
#[cfg(unix)]
fn wait_without_reaping(process: nix::unistd::Pid) -> io::Result<()> {
    use nix::errno::Errno;
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    loop {
        match waitid(Id::Pid(process), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Ok(()),
        }
    }
}

#[cfg(not(unix))]
fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    child.wait()
}

/// How a verdict comes from a verifier: through a pipe, or, where a pipe has no name, in a file.
enum Channel {
    #[cfg(unix)]
    Pipe {
        reader: io::PipeReader,
        writer: io::PipeWriter,
    },
    File(Partial),
}

impl Channel {
    fn open(directory: &Path) -> io::Result<Channel> {
        #[cfg(unix)]
        if let Some(pipe) = Channel::pipe()? {
            return Ok(pipe);
        }
        Channel::file(directory)
    }

    fn file(directory: &Path) -> io::Result<Channel> {
        Ok(Channel::File(Partial::create(&directory.join("verdict"))?))
    }

    /// A pipe whose end the verifier inherits; none, if the system has no names for open files.
    #[cfg(unix)]
    fn pipe() -> io::Result<Option<Channel>> {
        use nix::fcntl::{FcntlArg, FdFlag, OFlag, fcntl};
        let (reader, writer) = io::pipe()?;
        // What ran may have left a child behind that has the other end; nobody waits for that.
        fcntl(&reader, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        fcntl(&writer, FcntlArg::F_SETFD(FdFlag::empty()))?;
        let channel = Channel::Pipe { reader, writer };
        Ok(Some(channel).filter(|channel| channel.place().exists()))
    }

    /// Where the verifier writes.
    fn place(&self) -> PathBuf {
        match self {
            #[cfg(unix)]
            Channel::Pipe { writer, .. } => {
                PathBuf::from(format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(writer)))
            }
            Channel::File(partial) => partial.temporary_path().to_path_buf(),
        }
    }

    /// The verifier has started.
    fn listening(self) -> Heard {
        match self {
            #[cfg(unix)]
            Channel::Pipe { reader, .. } => Heard::Pipe(reader),
            Channel::File(partial) => Heard::File(partial),
        }
    }
}

/// What a verifier may have said.
enum Heard {
    #[cfg(unix)]
    Pipe(io::PipeReader),
    File(Partial),
}

impl Heard {
    fn read(self) -> io::Result<String> {
        let mut text = Vec::new();
        let read = match &self {
            #[cfg(unix)]
            Heard::Pipe(reader) => reader.take(LONGEST).read_to_end(&mut text),
            Heard::File(partial) => File::open(partial.temporary_path())
                .and_then(|file| file.take(LONGEST).read_to_end(&mut text)),
        };
        match read {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
            _ => Ok(String::from_utf8_lossy(&text).into_owned()),
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;

    fn exited(code: i32) -> ExitStatus {
        ExitStatus::from_raw(code << 8)
    }

    #[test]
    fn a_verdict_is_believed_if_words_and_exit_code_agree() {
        for exit in [Exit::Verified, Exit::Violated, Exit::Wrong, Exit::Inconclusive, Exit::Answered] {
            let code = exit.code();
            assert_eq!(judge(exited(code.into()), &line("7", exit), "7"), code);
        }
        let verified = line("7", Exit::Verified);
        for (code, announced, expected) in [
            (0, "", NO_VERDICT),
            (1, "", NO_VERDICT),
            (2, "", 2),
            (101, "", 101),
            (130, "", 130),
            (0, "verified\n", NO_VERDICT),
            (0, verified.trim_end(), NO_VERDICT),
            (0, &line("8", Exit::Verified), NO_VERDICT),
            (0, &line("7", Exit::Violated), NO_VERDICT),
            (1, &verified, NO_VERDICT),
            (3, &verified, 3),
        ] {
            assert_eq!(judge(exited(code), announced, "7"), expected, "{code} {announced}");
        }
        assert_eq!(judge(ExitStatus::from_raw(9), &verified, "7"), 137);
    }

    #[test]
    fn both_channels_carry_a_line() {
        let folder = tempfile::tempdir().unwrap();
        for channel in [Channel::open(folder.path()).unwrap(), Channel::file(folder.path()).unwrap()] {
            let mut writer = File::options().write(true).open(channel.place()).unwrap();
            writer.write_all(b"said").unwrap();
            assert_eq!(channel.listening().read().unwrap(), "said");
        }
        for channel in [Channel::open(folder.path()).unwrap(), Channel::file(folder.path()).unwrap()] {
            // Nothing is said, and the other end is still open: that is not waited for.
            let _open = File::options().write(true).open(channel.place()).unwrap();
            assert_eq!(channel.listening().read().unwrap(), "");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing stays behind");
    }
}
