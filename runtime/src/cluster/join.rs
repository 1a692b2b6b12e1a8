//! How the processes of a list come together: each listens where the list says, connects to those
//! before it, and waits for those behind it.
//!
//! Processes on one machine that process 0 has started listen where the system wants. They connect
//! to process 0 first, say where they listen, and get the list of all from it. All of them listen
//! before the list is sent, so one that cannot be reached has ended.

use super::greeting::Hello;
use super::hosts::{Host, Plan};
use super::hub::{Hub, Place};
use super::local::{Children, Member};
use super::meeting::Meeting;
use super::secret::Secret;
use crate::checkpoint::Identity;
use crate::interruption::Interruption;
use crate::refusal::Refusal;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

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
    let start = |count: usize, port: u16, secret: &Secret| Children::start(count, port, secret, without);
    join_with(role, own, &start, interrupted, err)
}

/// Starts processes 1 to the first number, which find process 0 at a port.
type Start<'a> = &'a dyn Fn(usize, u16, &Secret) -> io::Result<Children>;

fn join_with(
    role: &Role,
    own: &Own,
    start: Start<'_>,
    interrupted: &Interruption,
    err: &mut dyn Write,
) -> Result<Joined, JoinError> {
    let secret = match (&role.plan, &role.member) {
        (Plan::Hosts(_), _) => role.secret.clone(),
        (Plan::Local(_), Some(member)) => Some(member.secret.clone()),
        (Plan::Local(_), None) => Some(Secret::random().ok_or_else(no_secret)?),
    };
    let listener = listen(role, secret.is_some())?;
    let port = listener.local_addr().map_err(|error| missing("no port", &error))?.port();
    let hosts: Vec<Host> = match &role.plan {
        Plan::Hosts(hosts) => hosts.clone(),
        Plan::Local(count) => {
            let first = role.member.as_ref().map_or(port, |member| member.port);
            let address = |process| if process == 0 { format!("127.0.0.1:{first}") } else { String::new() };
            (0..*count).map(|process| Host { address: address(process), share: 1 }).collect()
        }
    };
    let mut children = Children::default();
    if let (Plan::Local(count), None, Some(secret)) = (&role.plan, &role.member, &secret) {
        children =
            start(*count, port, secret).map_err(|error| missing("a process cannot be started", &error))?;
    }
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
    let addresses = hosts.iter().map(|host| host.address.clone()).collect();
    let hub = Hub::start(role.number, own.threads, addresses, !role.is_plain)
        .map_err(|error| missing("no threads", &error))?;
    let is_local = matches!(role.plan, Plan::Local(_));
    let mut meeting = Meeting::new(hub.clone(), hosts, hello, secret, is_local, interrupted, children, err);
    match meeting.meet(listener, role.member.is_some()) {
        Ok(()) => {
            let (hosts, greeted, children) = meeting.end();
            let place = |(host, greeted): (&Host, &Option<Hello>)| Place {
                address: host.address.clone(),
                share: host.share,
                threads: greeted.as_ref().map_or(own.threads, |hello| hello.threads),
                memory: greeted.as_ref().map_or(own.memory, |hello| hello.memory),
            };
            hub.complete(hosts.iter().zip(&greeted).map(place).collect());
            Ok(Joined { hub, children })
        }
        Err(error) => {
            hub.give_up();
            Err(error)
        }
    }
}

pub(super) fn missing(what: &str, error: &io::Error) -> JoinError {
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

#[cfg(test)]
mod tests;
