//! Processes that process 0 starts on its own machine (`--cluster local:N`).
//!
//! Each is this program with the arguments of this one. What makes it another process is in its
//! environment, which only processes of the same user can read: its number, where process 0
//! listens, and a secret that was drawn for this run.

use super::secret::Secret;
use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The variable that makes a process one of several: `number count port secret`.
const VARIABLE: &str = "MCC_CLUSTER_MEMBER";
/// A process that was asked to end has this long.
const ENDING: Duration = Duration::from_secs(5);
/// If one of them is lost, it may be the one that does not end.
const ENDING_LOST: Duration = Duration::from_secs(1);

/// Whether this program may be started once more with its own arguments: it is a verifier, and
/// not a program of somebody else that has a model inside.
static IS_VERIFIER: AtomicBool = AtomicBool::new(false);

/// This program does nothing but verify: it may be started again with its own arguments.
pub fn allow_starting() {
    IS_VERIFIER.store(true, Ordering::Relaxed);
}

pub fn may_start() -> bool {
    IS_VERIFIER.load(Ordering::Relaxed)
}

/// What process 0 says to a process that it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub number: usize,
    pub count: usize,
    pub port: u16,
    pub secret: Secret,
}

impl Member {
    /// What the environment says, if it says something.
    pub fn from_environment() -> Option<Member> {
        if !may_start() {
            return None;
        }
        Member::parse(&std::env::var(VARIABLE).ok()?)
    }

    fn parse(text: &str) -> Option<Member> {
        let mut words = text.split(' ');
        let member = Member {
            number: words.next()?.parse().ok()?,
            count: words.next()?.parse().ok()?,
            port: words.next()?.parse().ok()?,
            secret: Secret::from_hexadecimal(words.next()?)?,
        };
        (0 < member.number && member.number < member.count && words.next().is_none()).then_some(member)
    }

    fn text(&self) -> String {
        let Member { number, count, port, secret } = self;
        format!("{number} {count} {port} {}", secret.in_hexadecimal())
    }

    fn start(&self, without: &[&str]) -> io::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(std::env::args_os().skip(1)).env(VARIABLE, self.text()).stdin(Stdio::null());
        for variable in without {
            command.env_remove(variable);
        }
        command.spawn()
    }
}

/// The processes that this one has started. None of them is left behind.
#[derive(Debug, Default)]
pub struct Children(Vec<(usize, Child)>);

impl Children {
    /// Starts processes 1 to `count`, without some variables of the environment.
    pub fn start(count: usize, port: u16, secret: &Secret, without: &[&str]) -> io::Result<Children> {
        let mut children = Children::default();
        for number in 1..count {
            let member = Member { number, count, port, secret: secret.clone() };
            children.0.push((number, member.start(without)?));
        }
        Ok(children)
    }

    /// Processes that a test has started.
    #[cfg(test)]
    pub fn of(processes: Vec<Child>) -> Children {
        Children((1..).zip(processes).collect())
    }

    /// The first one that has ended already, and how.
    pub fn ended(&mut self) -> Option<(usize, String)> {
        self.0.iter_mut().find_map(|(number, child)| Some((*number, child.try_wait().ok()??.to_string())))
    }

    /// Waits for all to end by themselves. What does not end is killed.
    pub fn wait(&mut self, has_failed: bool) {
        let until = Instant::now() + if has_failed { ENDING_LOST } else { ENDING };
        while Instant::now() < until
            && self.0.iter_mut().any(|(_, child)| matches!(child.try_wait(), Ok(None)))
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        for (_, mut child) in self.0.drain(..) {
            if !matches!(child.try_wait(), Ok(Some(_))) {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for (_, child) in &mut self.0 {
            if !matches!(child.try_wait(), Ok(Some(_))) {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_written_and_read() {
        let member = Member { number: 2, count: 3, port: 7, secret: Secret([5; 32]) };
        assert_eq!(Member::parse(&member.text()), Some(member.clone()));
        for text in ["", "2 3 7", "0 3 7 00", &format!("{} more", member.text())] {
            assert_eq!(Member::parse(text), None, "{text}");
        }
    }
}
