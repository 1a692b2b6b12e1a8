//! Where a server and its workers meet: `host:port`, or `unix:PATH` for those of one machine.

use crate::cluster::join::{addresses, connect_to};
use crate::refusal::Refusal;
use std::io;
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::os::{
    fd::OwnedFd,
    unix::fs::FileTypeExt,
    unix::net::{UnixListener, UnixStream},
};
use std::path::{Path, PathBuf};

/// What an address of a socket in a directory begins with.
const LOCAL: &str = "unix:";

/// Where a server listens.
#[derive(Debug)]
pub(crate) enum Listener {
    Internet(TcpListener),
    #[cfg(unix)]
    Local(UnixListener, PathBuf),
}

fn refuse(why: String, instead: &'static str) -> Refusal {
    Refusal::of("--serve", why).instead(instead)
}

impl Listener {
    /// Listens where a server is to be found. Without a secret that is this machine alone.
    pub fn open(address: &str, has_secret: bool) -> Result<Listener, Refusal> {
        let unusable = |error: io::Error| {
            let why = format!("{address} cannot be listened on: {error}");
            refuse(why, "host:port of this machine, or unix:PATH")
        };
        if let Some(path) = address.strip_prefix(LOCAL) {
            return Listener::open_local(Path::new(path)).map_err(unusable);
        }
        let all = addresses(address).map_err(unusable)?;
        if !has_secret && !all.iter().all(|one| one.ip().is_loopback()) {
            let why = format!("without a secret only this machine is listened to, and {address} is more");
            return Err(refuse(why, "--secret FILE, a file that all workers have too, or 127.0.0.1:PORT"));
        }
        let listener = TcpListener::bind(&all[..]).map_err(unusable)?;
        listener.set_nonblocking(true).map_err(unusable)?;
        Ok(Listener::Internet(listener))
    }

    #[cfg(unix)]
    fn open_local(path: &Path) -> io::Result<Listener> {
        // A server that was killed leaves its socket behind.
        let is_left = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
            && UnixStream::connect(path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
        if is_left {
            std::fs::remove_file(path)?;
        }
        // SAFETY: sets a number of this process, and has no other effect.
        let before = unsafe { libc::umask(0o177) };
        // Only this user may connect.
        let bound = UnixListener::bind(path);
        // SAFETY: as above.
        unsafe { libc::umask(before) };
        let listener = bound?;
        listener.set_nonblocking(true)?;
        Ok(Listener::Local(listener, path.to_owned()))
    }

    #[cfg(not(unix))]
    fn open_local(_: &Path) -> io::Result<Listener> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The address for workers.
    pub fn place(&self) -> Option<String> {
        match self {
            Listener::Internet(listener) => listener.local_addr().ok().map(|place| place.to_string()),
            #[cfg(unix)]
            Listener::Local(_, path) => Some(format!("{LOCAL}{}", path.display())),
        }
    }

    /// The next connection, and from where it comes.
    pub fn accept(&self) -> io::Result<(TcpStream, String)> {
        match self {
            Listener::Internet(listener) => {
                listener.accept().map(|(stream, from)| (stream, from.to_string()))
            }
            #[cfg(unix)]
            Listener::Local(listener, _) => {
                listener.accept().map(|(stream, _)| (as_connection(stream), "this machine".to_owned()))
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Listener::Local(_, path) = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// All that is asked of a connection works for both kinds of sockets.
#[cfg(unix)]
fn as_connection(stream: UnixStream) -> TcpStream {
    TcpStream::from(OwnedFd::from(stream))
}

/// Connects to a server.
pub(crate) fn connect(address: &str) -> io::Result<TcpStream> {
    match address.strip_prefix(LOCAL) {
        #[cfg(unix)]
        Some(path) => UnixStream::connect(path).map(as_connection),
        #[cfg(not(unix))]
        Some(_) => Err(io::ErrorKind::Unsupported.into()),
        None => addresses(address).and_then(|all| connect_to(&all)),
    }
}
