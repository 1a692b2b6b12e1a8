//! `mcc explore`: a page on this machine on which a model is gone through, from the interpreter.
//!
//! - [`api`]: what page and server say to each other
//! - [`guard`]: who may talk to the server
//! - [`http`]: requests and answers, bounded
//! - [`explorer`]: from a way to a state
//! - [`view`], [`graph`], [`load`], [`search`]: what is shown
//! - `assets/`: the page itself, without a framework or a build step

mod api;
mod explorer;
mod graph;
mod guard;
mod http;
mod load;
mod search;
#[cfg(test)]
mod tests;
mod view;

use std::ffi::OsString;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use mcc_runtime::contract::context::RECURSION_LIMIT;
use mcc_runtime::contract::stack;
use mcc_runtime::host::Settings;
use mcc_runtime::model::Model as _;

use crate::interpret::Interpreter;
use crate::source::Source;
use crate::syntax::tree::Program;
use explorer::Explorer;
use guard::Guard;
use http::{Request, Response};

/// Connections at one time; browsers open about six.
const MOST_CONNECTIONS: usize = 32;

/// The model that is explored.
pub struct Explored<'a> {
    pub interpreter: &'a Interpreter,
    pub program: &'a Program,
    pub source: &'a Source,
    pub settings: Settings,
    /// The verifier's options, for searches.
    pub arguments: Vec<OsString>,
}

/// A server that listens already, and answers once it is [run](Server::run).
pub struct Server {
    listener: TcpListener,
    guard: Guard,
    stopped: AtomicBool,
}

impl Server {
    /// Listens on this port of the loopback interface; 0 lets the system choose one.
    pub fn listen(port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let guard = Guard::new(listener.local_addr()?.port());
        Ok(Server { listener, guard, stopped: AtomicBool::new(false) })
    }

    /// The address to open, with the token.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// An address without the token that is good for one visit, to start a browser with.
    pub fn opening(&self) -> String {
        self.guard.opening()
    }

    /// Ends [`Server::run`] soon; a search that it runs is cancelled.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        // The loop looks when somebody connects.
        if let Ok(address) = self.listener.local_addr() {
            let _ = TcpStream::connect(address);
        }
    }

    /// Answers until the server is stopped.
    pub fn run(&self, explored: Explored) {
        let Explored { interpreter, program, source, settings, arguments } = explored;
        let explorer = Explorer::new(interpreter, program, source, settings, arguments);
        let orders = explorer.search.orders();
        let connections = AtomicUsize::new(0);
        let (explorer, connections) = (&explorer, &connections);
        thread::scope(|scope| {
            scope.spawn(move || search::work(explorer, &orders));
            for stream in self.listener.incoming() {
                if self.stopped.load(Ordering::Relaxed) {
                    explorer.search.end();
                    break;
                }
                let Ok(mut stream) = stream else { continue };
                if connections.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                    connections.fetch_sub(1, Ordering::Relaxed);
                    // A browser opens a few: no page waits for the reason.
                    drop(stream);
                    continue;
                }
                let serve = move || {
                    self.connection(explorer, &mut stream);
                    connections.fetch_sub(1, Ordering::Relaxed);
                };
                if thread::Builder::new().spawn_scoped(scope, serve).is_err() {
                    connections.fetch_sub(1, Ordering::Relaxed);
                }
            }
        });
    }

    /// Reads a request and answers it. What goes wrong with the connection is the client's concern.
    fn connection(&self, explorer: &Explorer, stream: &mut TcpStream) {
        let most = |request: &Request| self.guard.admit(request).map(api::most_bytes);
        let response = match http::read(stream, most) {
            Ok(request) => catch_unwind(AssertUnwindSafe(|| self.respond(explorer, &request)))
                .unwrap_or_else(|_| Response::text(500, "internal error: this is a bug in mcc")),
            Err(refusal) => refusal,
        };
        let _ = http::write(stream, &response);
    }

    fn respond(&self, explorer: &Explorer, request: &Request) -> Response {
        let path = match self.guard.admit(request) {
            Ok(path) => path,
            Err(refusal) => return refusal,
        };
        if path.starts_with("api/") {
            let need = explorer.interpreter.stack_use();
            let (status, body) = stack::with_room(need, RECURSION_LIMIT, &|| {
                api::answer(explorer, &request.method, path, &request.body)
            });
            return Response::json(status, body);
        }
        if request.method != "GET" {
            return Response::text(405, "files are only read");
        }
        asset(path).unwrap_or_else(|| Response::text(404, "there is no such file"))
    }
}

/// The files of the page.
fn asset(path: &str) -> Option<Response> {
    let (kind, text) = match path {
        "" => ("text/html; charset=utf-8", include_str!("assets/page.html")),
        "style.css" => ("text/css; charset=utf-8", include_str!("assets/style.css")),
        "main.js" => ("text/javascript; charset=utf-8", include_str!("assets/main.js")),
        "server.js" => ("text/javascript; charset=utf-8", include_str!("assets/server.js")),
        "values.js" => ("text/javascript; charset=utf-8", include_str!("assets/values.js")),
        "rules.js" => ("text/javascript; charset=utf-8", include_str!("assets/rules.js")),
        "tools.js" => ("text/javascript; charset=utf-8", include_str!("assets/tools.js")),
        "graph.js" => ("text/javascript; charset=utf-8", include_str!("assets/graph.js")),
        _ => return None,
    };
    Some(Response::asset(kind, text))
}
