//! Connections between workers and their server that can be cut.

use crate::shared::ExperimentError;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Passes on what comes to its port.
#[derive(Debug)]
pub struct Proxy {
    pub port: u16,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// To this port of this machine. It runs until the program ends.
    pub fn start(to: u16) -> Result<Proxy, ExperimentError> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let connections: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let kept = connections.clone();
        std::thread::spawn(move || {
            for worker in listener.incoming().flatten() {
                // Without a server the worker sees a connection that ends.
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                for (from, into) in [(&worker, &server), (&server, &worker)] {
                    if let (Ok(from), Ok(into)) = (from.try_clone(), into.try_clone()) {
                        std::thread::spawn(move || pass(from, into));
                    }
                }
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
            }
        });
        Ok(Proxy { port, connections })
    }

    /// Cuts one of the connections there have been.
    pub fn cut(&self, choose: impl FnOnce(usize) -> usize) {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if !connections.is_empty() {
            let at = choose(connections.len());
            let _ = connections.remove(at).shutdown(Shutdown::Both);
        }
    }
}

fn pass(mut from: TcpStream, mut into: TcpStream) {
    let mut bytes = vec![0; 1 << 16];
    let _ = from.set_read_timeout(Some(Duration::from_secs(60)));
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let Some(passed) = bytes.get(..count) else { break };
        if into.write_all(passed).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = into.shutdown(Shutdown::Both);
}
