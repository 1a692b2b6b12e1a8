//! Who may talk to the server: programs on this machine that know the token.
//!
//! - The server listens on 127.0.0.1 alone.
//! - `Host` must name that address, so that a page of another site whose name was made to point
//!   here (DNS rebinding) is refused.
//! - `Origin`, where a browser sends it, must be the server's own.
//! - Every path begins with a token of 128 unpredictable bits, new for each start.
//! - The browser is opened with a code that is good for one request, because other users of the
//!   machine see the arguments of commands; it leads to the address with the token.

use std::sync::Mutex;

use mcc_runtime::host::random::unpredictable;

use super::http::{Request, Response};

#[derive(Debug)]
pub struct Guard {
    port: u16,
    token: String,
    /// The code for the browser, until it is used.
    code: Mutex<Option<String>>,
}

impl Guard {
    pub fn new(port: u16) -> Guard {
        let secret = || format!("{:016x}{:016x}", unpredictable(), unpredictable());
        Guard { port, token: secret(), code: Mutex::new(Some(secret())) }
    }

    /// The address that people open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// The address that the browser is opened with.
    pub fn opening(&self) -> String {
        let code = self.code.lock().map_or(None, |code| code.clone()).unwrap_or_default();
        format!("http://127.0.0.1:{}/open/{code}", self.port)
    }

    /// The path behind the token, or why the request is refused.
    pub fn admit<'r>(&self, request: &'r Request) -> Result<&'r str, Response> {
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = request.host.as_deref().unwrap_or_default();
        if !hosts.iter().any(|own| own == host) {
            return Err(Response::text(421, "this server answers only as 127.0.0.1"));
        }
        if let Some(origin) = &request.origin
            && !hosts.iter().any(|own| *origin == format!("http://{own}"))
        {
            return Err(Response::text(403, "this server answers only to its own page"));
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        if first == "open" {
            return Err(self.open(rest));
        }
        if !same(first, &self.token) {
            return Err(Response::text(
                403,
                "The address needs the token that `mcc explore` printed when it started.\n\
                 What stands behind the # of an older address names a state: append it to the new \
                 address, or start with `--at`.",
            ));
        }
        Ok(rest)
    }

    fn open(&self, code: &str) -> Response {
        let Ok(mut expected) = self.code.lock() else { return Response::text(500, "internal error") };
        match expected.take_if(|expected| same(expected, code)) {
            Some(_) => {
                let location = Some(format!("/{}/", self.token));
                Response { location, ..Response::text(303, "This way.") }
            }
            None => {
                Response::text(403, "This address was good for one visit: open the one that was printed.")
            }
        }
    }
}

/// Compares in a time that does not depend on where they differ.
fn same(one: &str, other: &str) -> bool {
    one.len() == other.len()
        && one.bytes().zip(other.bytes()).fold(0, |found, (one, other)| found | (one ^ other)) == 0
}
