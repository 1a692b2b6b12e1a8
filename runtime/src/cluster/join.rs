//! How the processes of a list come together: each listens where the list says, connects to those
//! before it, and waits for those behind it.
//!
//! Processes on one machine that process 0 has started listen where the system wants. They connect
//! to process 0 first, say where they listen, and get the list of all from it.

use super::channel::Receiver;
use super::greeting::{ANYBODY, Greeted, GreetingError, Hello, greet};
use super::hosts::{Host, Plan};
use super::hub::{Hub, Place};
use super::local::{Children, Member};
use super::secret::Secret;
use crate::checkpoint::Identity;
use crate::interruption::Interruption;
use crate::refusal::Refusal;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Processes that have not come after this time do not come.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(10);

/// Why the processes did not come together.
#[derive(Debug)]
pub enum JoinError {
    /// It was asked for something that cannot be.
    Refused(Refusal),
    /// A process did not come, or is gone.
    Missing(String),
    Interrupted,
}

impl From<Refusal> for JoinError {
    fn from(refusal: Refusal) -> Self {
        JoinError::Refused(refusal)
    }
}

/// Which process of which list this one is.
#[derive(Clone, Debug)]
pub struct Role {
    pub plan: Plan,
    pub number: usize,
    pub secret: Option<Secret>,
    /// Do not encrypt messages.
    pub is_plain: bool,
    /// What process 0 said to this one when it started it.
    pub member: Option<Member>,
}

/// What a process says of itself to all others.
#[derive(Clone, Debug)]
pub struct Own {
    pub identity: Identity,
    pub threads: usize,
    pub memory: u64,
}

/// The processes, connected.
#[derive(Debug)]
pub struct Joined {
    pub hub: Arc<Hub>,
    pub children: Children,
}

/// Connects this process with all others. `without`: variables that are not for the processes it
/// starts.
pub fn join(
    role: &Role,
    own: &Own,
    without: &[&str],
    interrupted: &Interruption,
    err: &mut dyn Write,
) -> Result<Joined, JoinError> {
    let mut children = Children::default();
    let secret = match (&role.plan, &role.member) {
        (Plan::Hosts(_), _) => role.secret.clone(),
        (Plan::Local(_), Some(member)) => Some(member.secret.clone()),
        (Plan::Local(_), None) => Some(Secret::random().ok_or_else(no_secret)?),
    };
    let listener = listen(role, secret.is_some())?;
    let port = listener.local_addr().map_err(|error| missing("no port", &error))?.port();
    if let (Plan::Local(count), None, Some(secret)) = (&role.plan, &role.member, &secret) {
        children = Children::start(*count, port, secret, without)
            .map_err(|error| missing("a process cannot be started", &error))?;
    }
    let hosts: Vec<Host> = match &role.plan {
        Plan::Hosts(hosts) => hosts.clone(),
        Plan::Local(count) => {
            let first = role.member.as_ref().map_or(port, |member| member.port);
            let address = |process| if process == 0 { format!("127.0.0.1:{first}") } else { String::new() };
            (0..*count).map(|process| Host { address: address(process), share: 1 }).collect()
        }
    };
    let list = match &role.plan {
        Plan::Hosts(hosts) => hosts.iter().map(|host| format!("{}*{}", host.address, host.share)).collect(),
        Plan::Local(count) => (0..*count).map(|process| format!("local:{process}")).collect(),
    };
    let hello = Hello {
        identity: own.identity.clone(),
        process: role.number,
        to: 0,
        list,
        threads: own.threads,
        memory: own.memory,
        plain: role.is_plain,
        port,
    };
    let until = Instant::now() + PATIENCE;
    let mut meeting =
        Meeting { me: role.number, hosts, hello, secret, until, interrupted, connections: Vec::new() };
    meeting.connections.resize_with(meeting.hosts.len(), || None);
    if role.member.is_some() {
        meeting.connect(0)?;
        meeting.learn_ports()?;
    }
    for process in 0..role.number {
        if meeting.connections[process].is_none() {
            meeting.connect(process)?;
        }
    }
    meeting.accept(&listener, &mut children, err)?;
    if matches!(role.plan, Plan::Local(_)) && role.member.is_none() {
        meeting.tell_ports()?;
    }
    let Meeting { me, hosts, connections, .. } = meeting;
    let place = |(host, connection): (&Host, &Option<Greeted>)| Place {
        address: host.address.clone(),
        share: host.share,
        threads: connection.as_ref().map_or(own.threads, |connection| connection.hello.threads),
        memory: connection.as_ref().map_or(own.memory, |connection| connection.hello.memory),
    };
    let places = hosts.iter().zip(&connections).map(place).collect();
    let hub =
        Hub::start(me, places, connections, !role.is_plain).map_err(|error| missing("no threads", &error))?;
    Ok(Joined { hub, children })
}

fn missing(what: &str, error: &io::Error) -> JoinError {
    JoinError::Missing(format!("{what}: {error}"))
}

fn no_secret() -> JoinError {
    JoinError::Missing("the system has no random numbers for a secret".to_owned())
}

/// Listens where the list says. Without a secret only processes of this machine are heard.
fn listen(role: &Role, has_secret: bool) -> Result<TcpListener, JoinError> {
    let refuse = |why: String, instead: &'static str| Refusal::of("--cluster", why).instead(instead);
    let hosts = match &role.plan {
        Plan::Local(_) => {
            return TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
                .map_err(|error| missing("this machine cannot be listened on", &error));
        }
        Plan::Hosts(hosts) => hosts,
    };
    if !has_secret {
        let is_near = |host: &&Host| {
            addresses(&host.address).is_ok_and(|all| all.iter().all(|one| one.ip().is_loopback()))
        };
        if let Some(far) = hosts.iter().find(|host| !is_near(host)) {
            let why = format!(
                "without a secret only processes of this machine are listened to, and {} is not one for certain",
                far.address
            );
            return Err(refuse(why, "--secret FILE, a file that only these processes have").into());
        }
    }
    let Some(host) = hosts.get(role.number) else {
        return Err(refuse("there is no such process".to_owned(), "--process K").into());
    };
    let bound = addresses(&host.address).and_then(|all| TcpListener::bind(&all[..]));
    // A machine may be known to others by a name that it does not have itself.
    let elsewhere = |error: io::Error| match (host.address.rsplit_once(':'), has_secret) {
        (Some((_, port)), true) if error.kind() == io::ErrorKind::AddrNotAvailable => {
            TcpListener::bind((IpAddr::from(Ipv4Addr::UNSPECIFIED), port.parse().unwrap_or(0)))
        }
        _ => Err(error),
    };
    let bound = bound.or_else(elsewhere).map_err(|error| {
        let why = format!("process {} cannot listen on {}: {error}", role.number, host.address);
        refuse(why, "another port in the list, or --process with the number of this machine's line")
    })?;
    Ok(bound)
}

pub(crate) fn addresses(text: &str) -> io::Result<Vec<std::net::SocketAddr>> {
    Ok(text.to_socket_addrs()?.collect())
}

/// The processes as they come together.
struct Meeting<'a> {
    me: usize,
    hosts: Vec<Host>,
    hello: Hello,
    secret: Option<Secret>,
    until: Instant,
    interrupted: &'a Interruption,
    connections: Vec<Option<Greeted>>,
}

impl Meeting<'_> {
    fn name(&self, process: usize) -> String {
        super::name(process, &self.hosts[process].address)
    }

    fn pause(&self) -> Result<(), JoinError> {
        if self.interrupted.is_requested() {
            return Err(JoinError::Interrupted);
        }
        std::thread::sleep(PAUSE);
        Ok(())
    }

    fn different(&self, process: usize, differences: Vec<String>) -> JoinError {
        let why = format!("{} was started for another search", self.name(process));
        let refusal = differences.into_iter().fold(Refusal::of("--cluster", why), Refusal::detail);
        refusal.instead("the same verifier with the same options and the same list for all processes").into()
    }

    /// Connects to a process before this one, as soon as it listens.
    fn connect(&mut self, process: usize) -> Result<(), JoinError> {
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        let stream = loop {
            if Instant::now() >= self.until {
                let why = format!("{} cannot be reached: {last}", self.name(process));
                return Err(JoinError::Missing(why));
            }
            let all = addresses(&self.hosts[process].address);
            match all.and_then(|all| connect_to(&all)) {
                Ok(stream) => break stream,
                Err(error) => last = error,
            }
            self.pause()?;
        };
        let hello = Hello { to: process, ..self.hello.clone() };
        match greet(stream, self.secret.as_ref(), true, &hello) {
            Ok(greeted) => {
                self.connections[process] = Some(greeted);
                Ok(())
            }
            Err(GreetingError::Different(differences)) => Err(self.different(process, differences)),
            Err(GreetingError::Stranger(why)) => {
                let why = format!("{} does not answer as it should: {why}", self.name(process));
                let instead = "the same --secret for all processes, and ports that no other program uses";
                Err(Refusal::of("--cluster", why).instead(instead).into())
            }
        }
    }

    /// Waits for the processes behind this one. Strangers are turned away, with a warning.
    fn accept(
        &mut self,
        listener: &TcpListener,
        children: &mut Children,
        err: &mut dyn Write,
    ) -> Result<(), JoinError> {
        listener.set_nonblocking(true).map_err(|error| missing("no port", &error))?;
        let mut refused = String::new();
        loop {
            let absent = (self.me + 1..self.hosts.len()).find(|&process| self.connections[process].is_none());
            let Some(absent) = absent else { return Ok(()) };
            if let Some((process, how)) = children.ended() {
                let why = format!("process {process} ended before the search began ({how})");
                return Err(JoinError::Missing(why));
            }
            if Instant::now() >= self.until {
                let seconds = PATIENCE.as_secs();
                let why = format!("{} did not come within {seconds} seconds{refused}", self.name(absent));
                return Err(JoinError::Missing(why));
            }
            let Ok((stream, from)) = listener.accept() else {
                self.pause()?;
                continue;
            };
            // Who it is follows from what it says.
            let hello = Hello { to: ANYBODY, ..self.hello.clone() };
            match greet(stream, self.secret.as_ref(), false, &hello) {
                Ok(greeted) => {
                    let process = greeted.hello.process;
                    if process <= self.me || self.connections[process].is_some() {
                        let why = format!("two processes say that they are process {process}");
                        let instead = "another --process for each of them";
                        return Err(Refusal::of("--process", why).instead(instead).into());
                    }
                    self.connections[process] = Some(greeted);
                }
                Err(GreetingError::Different(differences)) => return Err(self.different(absent, differences)),
                Err(GreetingError::Stranger(why)) => {
                    let _ = writeln!(err, "warning: a connection from {from} was refused: {why}");
                    refused = format!("; a connection from {from} was refused: {why}");
                }
            }
        }
    }

    /// Says to all processes of this machine where the others listen.
    fn tell_ports(&mut self) -> Result<(), JoinError> {
        for (host, connection) in self.hosts.iter_mut().zip(&self.connections) {
            if let Some(connection) = connection {
                host.address = format!("127.0.0.1:{}", connection.hello.port);
            }
        }
        let ports: Vec<String> = self.hosts.iter().map(|host| host.address.clone()).collect();
        let letter = ports.join(" ");
        for connection in self.connections.iter_mut().flatten() {
            connection
                .sender
                .send(letter.as_bytes())
                .map_err(|error| missing("a process is lost", &error))?;
        }
        Ok(())
    }

    /// Hears from process 0 where the others listen.
    fn learn_ports(&mut self) -> Result<(), JoinError> {
        let lost = |error: io::Error| missing("process 0 is lost", &error);
        let Some(connection) = &mut self.connections[0] else { return Ok(()) };
        connection.stream.set_read_timeout(Some(PATIENCE)).map_err(lost)?;
        let mut letter = Vec::new();
        Receiver::receive(&mut connection.receiver, &mut letter, 1 << 16).map_err(lost)?;
        let text = String::from_utf8_lossy(&letter);
        let ports: Vec<&str> = text.split(' ').collect();
        if ports.len() != self.hosts.len() {
            return Err(JoinError::Missing("process 0 sends a list that makes no sense".to_owned()));
        }
        self.hosts.iter_mut().zip(ports).for_each(|(host, port)| host.address = port.to_owned());
        Ok(())
    }
}

pub(crate) fn connect_to(all: &[std::net::SocketAddr]) -> io::Result<TcpStream> {
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for address in all {
        match TcpStream::connect_timeout(address, Duration::from_secs(2)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
