//! The processes as they come together: who has come, who is awaited, and who is gone already.
//!
//! A connection belongs to the [`Hub`] from its greeting on, so a process that is lost while others
//! are still awaited is noticed as it is later, by all that are connected with it, and they inform
//! those that are not yet. All connect to process 0 first, so it is connected with every process
//! that has come at all, unless it is the one that is lost: then all that have come notice it.
//! Process 0 of `local:N` also sees that one of those that it has started has ended.

use super::frames::Frame;
use super::greeting::{ANYBODY, Greeted, GreetingError, Hello, greet};
use super::hosts::Host;
use super::hub::Hub;
use super::join::{JoinError, addresses, connect_to, missing};
use super::local::Children;
use super::secret::Secret;
use crate::interruption::Interruption;
use crate::refusal::Refusal;
use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Processes that have not come after this time do not come.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(10);
/// After this time, and every such time, a line says who has not come.
const ANNOUNCED: Duration = Duration::from_secs(5);
/// Connections that are greeted at once, at most. Each may be silent for a while, and none of them
/// keeps this process from noticing that another one is lost.
const GREETED_AT_ONCE: usize = 64;

/// The processes as they come together.
pub struct Meeting<'a> {
    me: usize,
    hosts: Vec<Host>,
    hello: Hello,
    secret: Option<Secret>,
    /// Process 0 has started the others.
    is_local: bool,
    until: Instant,
    /// When a line says next who has not come.
    announced: Instant,
    interrupted: &'a Interruption,
    hub: Arc<Hub>,
    /// What each process has said of itself.
    greeted: Vec<Option<Hello>>,
    children: Children,
    err: &'a mut dyn Write,
}

/// How a connection was greeted that another process, or a stranger, has made.
type Answered = (SocketAddr, Result<Greeted, GreetingError>);

impl<'a> Meeting<'a> {
    #[expect(clippy::too_many_arguments, reason = "it is made in one place, from what that has")]
    pub fn new(
        hub: Arc<Hub>,
        hosts: Vec<Host>,
        hello: Hello,
        secret: Option<Secret>,
        is_local: bool,
        interrupted: &'a Interruption,
        children: Children,
        err: &'a mut dyn Write,
    ) -> Self {
        let begun = Instant::now();
        Meeting {
            me: hub.me,
            greeted: hosts.iter().map(|_| None).collect(),
            hosts,
            hello,
            secret,
            is_local,
            until: begun + PATIENCE,
            announced: begun + ANNOUNCED,
            interrupted,
            hub,
            children,
            err,
        }
    }

    /// The processes with their addresses, what they have said, and those that this one started.
    pub fn end(self) -> (Vec<Host>, Vec<Option<Hello>>, Children) {
        (self.hosts, self.greeted, self.children)
    }

    /// Connects with all. `is_member`: process 0 has started this one.
    pub fn meet(&mut self, listener: TcpListener, is_member: bool) -> Result<(), JoinError> {
        if is_member {
            self.connect(0)?;
            self.learn_ports()?;
        }
        for process in 0..self.me {
            if self.greeted[process].is_none() {
                self.connect(process)?;
            }
        }
        self.accept(&listener)?;
        if self.is_local && !is_member { self.tell_ports() } else { Ok(()) }
    }

    fn name(&self, process: usize) -> String {
        super::name(process, &self.hosts[process].address)
    }

    /// Whether it makes sense to wait for a process, and a short wait. Nothing else here waits.
    fn wait_for(&mut self, process: usize, why: &str) -> Result<(), JoinError> {
        if self.interrupted.is_requested() {
            return Err(JoinError::Interrupted);
        }
        if let Some((process, how)) = self.children.ended() {
            // The others hear which one it was, before this one ends as well.
            self.hub.lose(process, &format!("it ended before the search began ({how})"));
            let why = format!("process {process} ended before the search began ({how})");
            return Err(JoinError::Missing(why));
        }
        if let Some(why) = self.hub.failure() {
            return Err(JoinError::Missing(why));
        }
        let now = Instant::now();
        if now >= self.until {
            let seconds = PATIENCE.as_secs();
            let why = format!("{} did not come within {seconds} seconds{why}", self.name(process));
            return Err(JoinError::Missing(why));
        }
        // Process 0 speaks for those that it has started.
        if now >= self.announced && !(self.is_local && self.me > 0) {
            self.announced = now + ANNOUNCED;
            let _ = writeln!(self.err, "waiting for {}{why}", self.name(process));
        }
        std::thread::sleep(PAUSE);
        Ok(())
    }

    fn different(&self, process: usize, differences: Vec<String>) -> JoinError {
        let why = format!("{} was started for another search", self.name(process));
        let refusal = differences.into_iter().fold(Refusal::of("--cluster", why), Refusal::detail);
        refusal.instead("the same verifier with the same options and the same list for all processes").into()
    }

    /// A process has greeted this one, and is watched from now on.
    fn has_come(&mut self, process: usize, greeted: Greeted) -> Result<(), JoinError> {
        self.greeted[process] = Some(greeted.hello.clone());
        self.hub.connect(process, greeted).map_err(|error| missing("no threads", &error))
    }

    /// Connects to a process before this one, as soon as it listens.
    fn connect(&mut self, process: usize) -> Result<(), JoinError> {
        let gone = |meeting: &Self, why: &dyn std::fmt::Display| {
            meeting.hub.lose(process, &format!("it ended before the search began: {why}"));
            JoinError::Missing(meeting.hub.failure().unwrap_or_default())
        };
        let stream = loop {
            let all = addresses(&self.hosts[process].address);
            match all.and_then(|all| connect_to(&all)) {
                Ok(stream) => break stream,
                Err(error) if self.is_local => return Err(gone(self, &error)),
                Err(error) => self.wait_for(process, &format!(", which cannot be reached: {error}"))?,
            }
        };
        let hello = Hello { to: process, ..self.hello.clone() };
        match greet(stream, self.secret.as_ref(), true, &hello) {
            Ok(greeted) => self.has_come(process, greeted),
            Err(GreetingError::Different(differences)) => Err(self.different(process, differences)),
            // It has the secret, since it has this process's number.
            Err(GreetingError::Stranger(why)) if self.is_local => Err(gone(self, &why)),
            Err(GreetingError::Stranger(why)) => {
                let why = format!("{} does not answer as it should: {why}", self.name(process));
                let instead = "the same --secret for all processes, and ports that no other program uses";
                Err(Refusal::of("--cluster", why).instead(instead).into())
            }
        }
    }

    /// Waits for the processes behind this one. Strangers are turned away, with a warning.
    fn accept(&mut self, listener: &TcpListener) -> Result<(), JoinError> {
        listener.set_nonblocking(true).map_err(|error| missing("no port", &error))?;
        let mut refused = String::new();
        let (answers, answered) = mpsc::channel::<Answered>();
        let mut greeting = 0;
        loop {
            let absent = (self.me + 1..self.hosts.len()).find(|&process| self.greeted[process].is_none());
            let Some(absent) = absent else { return Ok(()) };
            if let Ok((from, answer)) = answered.try_recv() {
                greeting -= 1;
                if let Some(why) = self.answer(absent, answer)? {
                    let _ = writeln!(self.err, "warning: a connection from {from} was refused: {why}");
                    refused = format!("; a connection from {from} was refused: {why}");
                }
                continue;
            }
            if greeting < GREETED_AT_ONCE
                && let Ok((stream, from)) = listener.accept()
            {
                // Who it is follows from what it says.
                let hello = Hello { to: ANYBODY, ..self.hello.clone() };
                let (secret, answers) = (self.secret.clone(), answers.clone());
                let greets = move || {
                    let _ = answers.send((from, greet(stream, secret.as_ref(), false, &hello)));
                };
                let thread = std::thread::Builder::new().name("greet".to_owned());
                thread.spawn(greets).map_err(|error| missing("no threads", &error))?;
                greeting += 1;
                continue;
            }
            self.wait_for(absent, &refused)?;
        }
    }

    /// What becomes of a connection that was made to this process. Text: why it is refused.
    fn answer(
        &mut self,
        absent: usize,
        answer: Result<Greeted, GreetingError>,
    ) -> Result<Option<String>, JoinError> {
        match answer {
            Ok(greeted) => {
                let process = greeted.hello.process;
                if process <= self.me || self.greeted[process].is_some() {
                    let why = format!("two processes say that they are process {process}");
                    return Err(Refusal::of("--process", why)
                        .instead("another --process for each of them")
                        .into());
                }
                self.has_come(process, greeted)?;
                Ok(None)
            }
            Err(GreetingError::Different(differences)) => Err(self.different(absent, differences)),
            Err(GreetingError::Stranger(why)) => Ok(Some(why)),
        }
    }

    /// Says to all processes of this machine where the others listen.
    fn tell_ports(&mut self) -> Result<(), JoinError> {
        for (host, greeted) in self.hosts.iter_mut().zip(&self.greeted) {
            if let Some(hello) = greeted {
                host.address = format!("127.0.0.1:{}", hello.port);
            }
        }
        let ports: Vec<String> = self.hosts.iter().map(|host| host.address.clone()).collect();
        self.hub.send_to_all(&Frame::Letter(ports.join(" ").as_bytes()));
        self.hub.set_addresses(ports);
        Ok(())
    }

    /// Hears from process 0 where the others listen.
    fn learn_ports(&mut self) -> Result<(), JoinError> {
        let letter = loop {
            match self.hub.letter_now(0) {
                Some(letter) => break letter,
                None => self.wait_for(0, ", which waits for others")?,
            }
        };
        let text = String::from_utf8_lossy(&letter);
        let ports: Vec<String> = text.split(' ').map(str::to_owned).collect();
        if ports.len() != self.hosts.len() {
            return Err(JoinError::Missing("process 0 sends a list that makes no sense".to_owned()));
        }
        self.hosts.iter_mut().zip(&ports).for_each(|(host, port)| host.address.clone_from(port));
        self.hub.set_addresses(ports);
        Ok(())
    }
}
