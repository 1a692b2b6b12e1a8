//! How does `mcc --run` know what a verifier found? Not from the exit code alone, which any program
//! may have.
//!
//! `mcc` sets two variables of the environment: where to write (a pipe as `/dev/fd/N`, or an empty
//! file), and a nonce that nobody else knows. At its end the verifier writes one line:
//!
//! ```text
//! mcc-verdict/1 <nonce> verified 0
//! ```
//! The word is `verified`, `violated`, `inconclusive`, `wrong` or `answered` (there was no search),
//! the number is the exit code. A verifier that was not started by `mcc` writes nothing.

use crate::report::verdict::Exit;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;

/// The variable that says where to write.
pub const PLACE: &str = "MCC_VERDICT_TO";
/// The variable that holds the nonce.
pub const NONCE: &str = "MCC_VERDICT_NONCE";

/// The line that reports how a run has ended.
pub fn line(nonce: &str, exit: Exit) -> String {
    format!("mcc-verdict/1 {nonce} {} {}\n", exit.word(), exit.code())
}

/// The pipe through which the verdict is announced to the process that waits for it.
#[derive(Debug)]
pub struct Announcement {
    file: File,
    nonce: String,
}

impl Announcement {
    /// What the environment asks for, opened before the search, so that what is wrong is found out
    /// then.
    pub fn from_environment() -> Result<Option<Announcement>, String> {
        let Some(place) = std::env::var_os(PLACE) else { return Ok(None) };
        let nonce = std::env::var(NONCE).map_err(|error| format!("{NONCE}: {error}"))?;
        end_with_parent();
        match open(&place) {
            Ok(file) => Ok(Some(Announcement { file, nonce })),
            Err(error) => {
                let place = place.to_string_lossy();
                Err(format!("{PLACE}: the verdict cannot be written to {place}: {error}"))
            }
        }
    }

    pub fn announce(mut self, exit: Exit) -> Result<(), String> {
        let text = line(&self.nonce, exit);
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| format!("the verdict cannot be reported to mcc: {error}"))
    }
}

fn open(place: &OsStr) -> std::io::Result<File> {
    let mut options = File::options();
    options.write(true);
    // A pipe that nobody reads from any more fails instead of waiting for a reader.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(place)
}

/// If `mcc` is killed, nobody waits any more: the search ends as if it was interrupted.
fn end_with_parent() {
    #[cfg(target_os = "linux")]
    // SAFETY: this call takes numbers and touches no memory of this process.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_it_ended() {
        assert_eq!(line("0f", Exit::Verified), "mcc-verdict/1 0f verified 0\n");
        assert_eq!(line("0f", Exit::Answered), "mcc-verdict/1 0f answered 0\n");
        assert_eq!(line("0f", Exit::Violated), "mcc-verdict/1 0f violated 1\n");
        assert_eq!(line("0f", Exit::Inconclusive), "mcc-verdict/1 0f inconclusive 3\n");
    }

    #[test]
    fn it_is_written_where_it_was_asked_for() {
        let path = std::env::temp_dir().join(format!("mcc-announcement-{}", std::process::id()));
        std::fs::write(&path, "").unwrap();
        let announcement = Announcement { file: open(path.as_os_str()).unwrap(), nonce: "7".into() };
        announcement.announce(Exit::Wrong).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mcc-verdict/1 7 wrong 2\n");
        std::fs::remove_file(&path).unwrap();
        assert!(open(path.as_os_str()).is_err());
    }
}
